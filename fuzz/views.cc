// The target compares the algebra of descriptors with a slow model: a tensor is the list of its elements' places, in the
// row-major order of their indices. It tries constructors, submemory, reshape, permute_axes, blobs, equality and sizes.
#include <algorithm>
#include <string>

#include "fuzz/decode.h"
#include "fuzz/outcome.h"

using dnnl::memory;
using namespace tandem::fuzz;

namespace {

using Places = std::vector<memory::dim>;

constexpr memory::dim kMostElements = 4096;

// A descriptor must equal this model.
struct Model {
  memory::desc md;
  memory::dims dims;
  Places places;
  bool is_any = false;
};

memory::dim Volume(const memory::dims& dims) {
  memory::dim volume = 1;
  for (const memory::dim dim : dims) volume *= dim;
  return volume;
}

// Calls visit(index) for each index below `dims`, the last dim fastest.
template <class Visit>
void ForEach(const memory::dims& dims, Visit visit) {
  memory::dims index(dims.size(), 0);
  for (memory::dim left = Volume(dims); left > 0; --left) {
    visit(static_cast<const memory::dims&>(index));
    for (size_t d = dims.size(); d-- > 0;) {
      if (++index[d] < dims[d]) break;
      index[d] = 0;
    }
  }
}

Places PlacesAt(const memory::dims& dims, const memory::dims& strides, memory::dim offset) {
  Places places;
  ForEach(dims, [&](const memory::dims& index) {
    memory::dim place = offset;
    for (size_t d = 0; d < dims.size(); ++d) place += index[d] * strides[d];
    places.push_back(place);
  });
  return places;
}

// Returns the position of `index` in row-major order.
size_t Position(const memory::dims& dims, const memory::dims& index) {
  memory::dim position = 0;
  for (size_t d = 0; d < dims.size(); ++d) position = position * dims[d] + index[d];
  return static_cast<size_t>(position);
}

void CheckAgainst(const Model& model) {
  const memory::desc& md = model.md;
  Require(md.get_dims() == model.dims, "the dims are the model's");
  Require(md == memory::desc(md.get_blob()), "a descriptor equals the copy made from its blob");
  if (model.is_any) {
    Require(md.get_format_kind() == memory::format_kind::any && md.get_size() == 0, "`any` stays `any`");
    return;
  }
  if (model.dims.empty()) return Require(md.is_zero() && md.get_size() == 0, "no dims make a zero descriptor");
  Require(PlacesAt(md.get_dims(), md.get_strides(), md.get_submemory_offset()) == model.places,
          "every element lies where the model has it");
  const memory::dim type_size = static_cast<memory::dim>(memory::data_type_size(md.get_data_type()));
  const memory::dim size = static_cast<memory::dim>(md.get_size());
  if (model.places.empty()) return Require(size == 0, "no elements, no bytes");
  const auto [first, last] = std::minmax_element(model.places.begin(), model.places.end());
  Require(size >= (*last - *first + 1) * type_size, "the size reaches from the first element to the last");
}

// Returns whether strides give these places, if there are any: one step along each dim shows its stride.
bool HasStrides(const memory::dims& dims, const Places& places) {
  memory::dims strides(dims.size(), 0);
  memory::dim step = 1;
  for (size_t d = dims.size(); d-- > 0;) {
    if (dims[d] > 1) strides[d] = places[static_cast<size_t>(step)] - places[0];
    step *= dims[d];
  }
  return PlacesAt(dims, strides, places[0]) == places;
}

// If a claim about `md` does not hold, it is printed with the dims that it was to have.
void RequireOf(const memory::desc& md, const memory::dims& dims, bool holds, const char* claim) {
  if (holds) return;
  const auto print = [](const char* name, const memory::dims& values) {
    std::fprintf(stderr, "%s:", name);
    for (const memory::dim value : values) std::fprintf(stderr, " %lld", static_cast<long long>(value));
    std::fprintf(stderr, "\n");
  };
  print("dims", md.get_dims());
  print("strides", md.get_strides());
  print("asked for", dims);
  Fail("does not hold:", claim);
}

memory::dims DecodeSmallDims(ByteSource* bytes) {
  memory::dims dims(1 + bytes->Below(6));
  for (memory::dim& dim : dims) dim = bytes->OneIn(24) ? 0 : 1 + bytes->Below(5);
  while (Volume(dims) > kMostElements) dims.pop_back();
  return dims;
}

// Returns strides that the specification's rule allows: in some order of the dims, each at least the extent of the one before.
// Dims of 1 may have any, and a dim that repeats its elements has 0.
memory::dims DecodeGoodStrides(ByteSource* bytes, const memory::dims& dims) {
  memory::dims strides(dims.size());
  memory::dim next = 1;
  for (DimsLeft left(dims.size()); !left.empty();) {
    const size_t d = left.Take(bytes);
    if (bytes->OneIn(12)) continue;
    strides[d] = dims[d] == 1 && bytes->OneIn(2) ? bytes->Below(100) : next;
    if (dims[d] > 1) next = next * dims[d] + bytes->Below(3);
  }
  return strides;
}

// Returns true if the elements share no place but for dims with stride 0.
bool AreApart(const memory::dims& dims, const memory::dims& strides) {
  memory::dims without = dims;
  for (size_t d = 0; d < dims.size(); ++d) {
    if (strides[d] == 0) without[d] = std::min<memory::dim>(dims[d], 1);
  }
  Places places = PlacesAt(without, strides, 0);
  std::sort(places.begin(), places.end());
  return std::adjacent_find(places.begin(), places.end()) == places.end();
}

Model MakeNew(ByteSource* bytes) {
  Model model;
  model.dims = DecodeSmallDims(bytes);
  constexpr memory::data_type kTypes[] = {memory::data_type::f32, memory::data_type::bf16, memory::data_type::s8};
  const memory::data_type type = bytes->OneOf(kTypes);
  memory::dims strides;
  switch (bytes->Below(4)) {
    case 0:
      strides = DecodeGoodStrides(bytes, model.dims);
      model.md = memory::desc(model.dims, type, strides);
      break;
    case 1: {
      strides.resize(model.dims.size());
      for (memory::dim& stride : strides) stride = bytes->Below(40);
      const dnnl_status_t status = Outcome([&] { model.md = memory::desc(model.dims, type, strides); });
      if (status != dnnl_success) {
        Require(!memory::desc(model.dims, type, strides, true), "allow_empty gives a zero descriptor");
        return Model();
      }
      Require(AreApart(model.dims, strides), "strides that were accepted keep the elements apart");
      break;
    }
    case 2:
      model.md = memory::desc(model.dims, type, memory::format_tag::any);
      model.is_any = true;
      return model;
    default:
      model.md = memory::desc(model.dims, type, memory::dims());
      for (memory::dim n = 0; n < Volume(model.dims); ++n) model.places.push_back(n);
      return model;
  }
  model.places = PlacesAt(model.dims, strides, 0);
  return model;
}

void SubMemory(ByteSource* bytes, Model* model) {
  memory::dims dims(model->dims.size()), offsets(model->dims.size());
  bool inside = !model->is_any;
  for (size_t d = 0; d < dims.size(); ++d) {
    offsets[d] = bytes->OneIn(16) ? bytes->Number() : bytes->Below(2);
    dims[d] = bytes->OneIn(16) ? bytes->Number() : std::max<memory::dim>(model->dims[d] - bytes->Below(3), 0);
    inside = inside && offsets[d] >= 0 && dims[d] >= 0 && dims[d] <= model->dims[d] &&
             offsets[d] <= model->dims[d] - dims[d];
  }
  memory::desc part;
  const dnnl_status_t status = Outcome([&] { part = model->md.submemory_desc(dims, offsets); });
  RequireOf(model->md, dims, (status == dnnl_success) == inside, "a box is a submemory exactly if it lies inside");
  if (!inside) return;
  Places places;
  ForEach(dims, [&](const memory::dims& index) {
    memory::dims at = index;
    for (size_t d = 0; d < at.size(); ++d) at[d] += offsets[d];
    places.push_back(model->places[Position(model->dims, at)]);
  });
  model->md = part;
  model->dims = dims;
  model->places = places;
}

// Returns other dims with, mostly, as many elements.
memory::dims DecodeRegrouped(ByteSource* bytes, const memory::dims& dims) {
  memory::dims result;
  memory::dim left = Volume(dims);
  while (left > 1 && result.size() < 8) {
    memory::dim factor = 1 + bytes->Below(6);
    if (bytes->empty() || left % factor != 0) factor = left;
    result.push_back(factor);
    left /= factor;
  }
  if (left == 0) result = {0, 1 + bytes->Below(3)};
  if (result.empty() || bytes->OneIn(3)) result.insert(result.begin() + bytes->Below(result.size() + 1), 1);
  if (bytes->OneIn(16)) result.back() = bytes->Number();
  return result;
}

void Reshape(ByteSource* bytes, Model* model) {
  const memory::dims dims = DecodeRegrouped(bytes, model->dims);
  memory::desc result;
  const dnnl_status_t status = Outcome([&] { result = model->md.reshape(dims); });
  // The model does not know whether an empty tensor may have a huge dim.
  if (model->places.empty() && dims.back() > kMostElements) return;
  bool possible = std::all_of(dims.begin(), dims.end(), [](memory::dim dim) { return dim >= 0; }) &&
                  dims.back() <= kMostElements && Volume(dims) == Volume(model->dims);
  if (possible && !model->places.empty()) possible = HasStrides(dims, model->places);
  RequireOf(model->md, dims, (status == dnnl_success) == possible, "a reshape is made exactly if strides for it exist");
  if (!possible) return;
  model->md = result;
  model->dims = dims;
}

void Permute(ByteSource* bytes, Model* model) {
  const size_t rank = model->dims.size();
  std::vector<int> order(rank);
  for (size_t d = 0; d < rank; ++d) order[d] = static_cast<int>(d);
  for (size_t d = rank; d > 1; --d) std::swap(order[d - 1], order[bytes->Below(static_cast<int>(d))]);
  if (rank > 0 && bytes->OneIn(16)) order[0] = bytes->Byte() - 8;
  std::vector<int> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  bool is_permutation = true;
  for (size_t d = 0; d < rank; ++d) is_permutation = is_permutation && sorted[d] == static_cast<int>(d);
  memory::desc result;
  const dnnl_status_t status = Outcome([&] { result = model->md.permute_axes(order); });
  Require((status == dnnl_success) == is_permutation, "exactly a permutation of the axes is accepted");
  if (!is_permutation) return;
  memory::dims dims(rank);
  for (size_t d = 0; d < rank; ++d) dims[static_cast<size_t>(order[d])] = model->dims[d];
  Places places;
  ForEach(model->is_any ? memory::dims{0} : dims, [&](const memory::dims& index) {
    memory::dims from(rank);
    for (size_t d = 0; d < rank; ++d) from[d] = index[static_cast<size_t>(order[d])];
    places.push_back(model->places[Position(model->dims, from)]);
  });
  model->md = result;
  model->dims = dims;
  model->places = places;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  ByteSource bytes(data, size);
  Model models[2] = {MakeNew(&bytes), MakeNew(&bytes)};
  for (int step = 0; step < 16 && !bytes.empty(); ++step) {
    Model* const model = &models[bytes.Below(2)];
    if (model->dims.empty()) continue;
    switch (bytes.Below(4)) {
      case 0:
        SubMemory(&bytes, model);
        break;
      case 1:
        Reshape(&bytes, model);
        break;
      case 2:
        Permute(&bytes, model);
        break;
      default:
        models[0] = models[1];
        break;
    }
    CheckAgainst(*model);
    const auto& [a, b] = models;
    Require((a.md == b.md) == (b.md == a.md), "equality is symmetric");
    if (a.places.empty() || b.places.empty()) continue;
    const bool same = a.dims == b.dims && a.places == b.places && a.md.get_data_type() == b.md.get_data_type();
    Require((a.md == b.md) == same, "descriptors are equal exactly if their elements lie in the same places");
  }
  return 0;
}
