// The target compares reorders with any types, layouts and attributes that are valid together with a slow model in double.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <unordered_map>

#include "api/core/memory/memory_desc.h"
#include "fuzz/decode.h"
#include "fuzz/outcome.h"
#include "fuzz/reorder_model.h"

using dnnl::memory;
using namespace tandem::fuzz;

namespace {

using Type = memory::data_type;
using Rnn = ReorderModel::Rnn;

constexpr Type kTypes[] = {Type::f32, Type::bf16, Type::f16, Type::s32, Type::s8, Type::u8};
constexpr uint8_t kUntouched = 0x5a;

bool IsFloating(Type type) { return type == Type::f32 || type == Type::bf16 || type == Type::f16; }

struct Case {
  memory::dims dims;
  memory::desc src, dst;
  dnnl::primitive_attr attr;
  ReorderModel model;
  // These parameters come with execute().
  std::unordered_map<int, std::vector<float>> scales;
  std::unordered_map<int, std::vector<int32_t>> zero_points;
};

memory::dims DecodeShape(ByteSource* bytes) {
  memory::dims dims(1 + bytes->Below(5));
  memory::dim volume = 1;
  for (memory::dim& dim : dims) {
    dim = bytes->OneIn(32) ? 0 : 1 + bytes->Below(volume > 64 ? 1 : 4);
    volume *= dim;
  }
  // One dim is longer than a row of the implementation.
  if (bytes->OneIn(16) && volume < 4) dims[bytes->Below(static_cast<int>(dims.size()))] = 510 + bytes->Below(5);
  return dims;
}

memory::desc DecodePlain(ByteSource* bytes, const memory::dims& dims, Type type, bool may_broadcast) {
  memory::dims strides(dims.size()), parent = dims, offsets(dims.size(), 0);
  for (size_t d = 0; d < dims.size() && bytes->OneIn(2); ++d) {
    offsets[d] = bytes->Below(2);
    parent[d] += offsets[d];
  }
  memory::dim next = 1;
  for (DimsLeft left(dims.size()); !left.empty();) {
    const size_t d = left.Take(bytes);
    const bool repeats = may_broadcast && bytes->OneIn(16);
    strides[d] = repeats ? 0 : next;
    if (!repeats) next = next * std::max<memory::dim>(parent[d], 1) + bytes->Below(3);
  }
  return memory::desc(parent, type, strides).submemory_desc(dims, offsets);
}

float DecodeScale(ByteSource* bytes) {
  constexpr float kScales[] = {1.f, 0.5f, 2.f, -1.f, 0.1f, 3.7f, 1e-3f, 127.f, 1e30f, -1e-30f, 1e-40f, 63.5f};
  return bytes->OneOf(kScales);
}

int32_t DecodeZeroPoint(ByteSource* bytes) {
  constexpr int32_t kZeroPoints[] = {0, 1, -1, 28, 128, -128, 255, 100000, 16777217, 2147483647, -2147483647};
  return bytes->OneOf(kZeroPoints);
}

size_t Count(const memory::dims& dims, int mask) {
  memory::dim count = 1;
  for (size_t d = 0; d < dims.size(); ++d) count *= (mask >> d & 1) != 0 ? dims[d] : 1;
  return static_cast<size_t>(count);
}

// Returns a mask for at least one and at most 64 values.
int DecodeMask(ByteSource* bytes, const memory::dims& dims) {
  const int mask = bytes->Below(1 << dims.size());
  const size_t count = Count(dims, mask);
  return count == 0 || count > 64 ? 0 : mask;
}

template <class Value>
ModelParameter ToModel(int mask, const std::vector<Value>& values) {
  return {mask, std::vector<double>(values.begin(), values.end())};
}

// A single 1 that is known at creation is an attribute's default.
bool AreNoScales(int mask, const std::vector<float>& values) { return mask == 0 && values[0] == 1; }

void DecodeScales(ByteSource* bytes, int arg, ModelParameter* parameter, Case* c) {
  const int mask = DecodeMask(bytes, c->dims);
  std::vector<float> values(Count(c->dims, mask));
  for (float& value : values) value = DecodeScale(bytes);
  if (bytes->OneIn(2)) {
    if (!AreNoScales(mask, values)) *parameter = ToModel(mask, values);
    return c->attr.set_scales(arg, mask, values);
  }
  *parameter = ToModel(mask, values);
  c->attr.set_scales_mask(arg, mask);
  c->scales[arg] = values;
}

void DecodeZeroPoints(ByteSource* bytes, int arg, ModelParameter* parameter, Case* c) {
  const int mask = DecodeMask(bytes, c->dims);
  std::vector<int32_t> values(Count(c->dims, mask));
  for (int32_t& value : values) value = DecodeZeroPoint(bytes);
  *parameter = ToModel(mask, values);
  if (bytes->OneIn(2)) return c->attr.set_zero_points(arg, mask, values);
  c->attr.set_zero_points_mask(arg, mask);
  c->zero_points[arg] = values;
}

// Draws attributes of the reorder itself.
void DecodeGeneral(ByteSource* bytes, Type src, Type dst, Case* c) {
  if (bytes->OneIn(2)) DecodeScales(bytes, DNNL_ARG_SRC, &c->model.src_scales, c);
  if (bytes->OneIn(2)) DecodeScales(bytes, DNNL_ARG_DST, &c->model.dst_scales, c);
  if (!IsFloating(src) && bytes->OneIn(2)) DecodeZeroPoints(bytes, DNNL_ARG_SRC, &c->model.src_zero_points, c);
  if (!IsFloating(dst) && bytes->OneIn(2)) DecodeZeroPoints(bytes, DNNL_ARG_DST, &c->model.dst_zero_points, c);
  if (bytes->OneIn(3)) {
    const int mask = DecodeMask(bytes, c->dims);
    std::vector<float> values(Count(c->dims, mask));
    for (float& value : values) value = DecodeScale(bytes);
    c->attr.set_output_scales(mask, values);
    if (!AreNoScales(mask, values)) c->model.output_scales = ToModel(mask, values);
  }
  if (bytes->OneIn(3)) {
    const float beta = DecodeScale(bytes);
    const int32_t zero_point = bytes->OneIn(2) ? DecodeZeroPoint(bytes) : 0;
    dnnl::post_ops ops;
    ops.append_sum(beta, zero_point, bytes->OneIn(2) ? dst : Type::undef);
    c->attr.set_post_ops(ops);
    c->model.has_sum = true, c->model.beta = beta, c->model.sum_zero_point = zero_point;
  }
}

// Draws attributes of an RNN. The rank and the types say which of them a reorder takes.
void DecodeRnn(ByteSource* bytes, Type integer, Case* c) {
  const size_t rank = c->dims.size();
  if (rank >= 4 && integer == Type::s8 && bytes->OneIn(2)) {
    const int mask = bytes->OneIn(2) && Count(c->dims, -1) > 0 ? (rank == 5 ? 24 : 8) : 0;
    std::vector<float> values(Count(c->dims, mask));
    for (float& value : values) value = DecodeScale(bytes);
    if (rank == 5) {
      c->attr.set_rnn_weights_qparams(mask, values);
    } else {
      c->attr.set_rnn_weights_projection_qparams(mask, values);
    }
    c->model.rnn = Rnn::kWeights;
    c->model.weights_scales = ToModel(mask, values);
  } else if (rank == 3 || rank == 4) {
    const float scale = DecodeScale(bytes), shift = bytes->OneIn(2) ? DecodeScale(bytes) : 0.f;
    c->attr.set_rnn_data_qparams(scale, shift);
    if (bytes->OneIn(2)) c->attr.set_reading(dnnl::reading::onednn);
    c->model.rnn = Rnn::kData;
    c->model.data_scale = scale, c->model.data_shift = shift;
    c->model.shift_first = c->attr.get_reading() == dnnl::reading::spec;
  }
}

std::vector<uint8_t> DecodeBuffer(ByteSource* bytes, const memory::desc& md) {
  std::vector<uint8_t> buffer(std::max(md.get_size(), tandem::ExtentInBytes(md.data)), kUntouched);
  // The buffer repeats a few values: numbers of every size, or the bytes as they come.
  uint8_t pattern[16];
  for (size_t i = 0; i < sizeof pattern; i += 4) {
    const float value = bytes->Float();
    const int32_t integer = DecodeZeroPoint(bytes);
    const bool is_float = md.get_data_type() == Type::f32 || md.get_data_type() == Type::bf16;
    std::memcpy(pattern + i, is_float ? static_cast<const void*>(&value) : &integer, 4);
    if (bytes->OneIn(3)) {
      for (size_t k = 0; k < 4; ++k) pattern[i + k] = bytes->Byte();
    }
  }
  const size_t shift = md.get_data_type() == Type::bf16 ? 2 : 0;  // bf16 is the upper half of an f32
  for (size_t i = 0; i < buffer.size(); ++i) buffer[i] = pattern[(i + shift) % sizeof pattern];
  return buffer;
}

void Execute(const Case& c, const dnnl::reorder::primitive_desc& pd, std::vector<uint8_t>* from,
             std::vector<uint8_t>* to) {
  const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  std::unordered_map<int, memory> args = {{DNNL_ARG_FROM, memory(c.src, cpu, from->data())},
                                          {DNNL_ARG_TO, memory(c.dst, cpu, to->data())}};
  const auto add = [&](int arg, Type type, const auto& values) {
    const memory::dims dims = {static_cast<memory::dim>(values.size())};
    void* const data = const_cast<void*>(static_cast<const void*>(values.data()));
    args[arg] = memory(memory::desc(dims, type, memory::format_tag::a), cpu, data);
  };
  for (const auto& [arg, values] : c.scales) add(DNNL_ARG_ATTR_SCALES | arg, Type::f32, values);
  for (const auto& [arg, values] : c.zero_points) add(DNNL_ARG_ATTR_ZERO_POINTS | arg, Type::s32, values);
  dnnl::stream stream(cpu);
  dnnl::reorder(pd).execute(stream, args);
}

// Judges every element, and the bytes between them.
void Judge(const Case& c, const std::vector<uint8_t>& from, const std::vector<uint8_t>& before,
           const std::vector<uint8_t>& after) {
  const Type src = c.src.get_data_type(), dst = c.dst.get_data_type();
  const size_t src_size = memory::data_type_size(src), dst_size = memory::data_type_size(dst);
  const bool is_copy = src == dst && !c.model.HasEffect();
  std::vector<uint8_t> rest = after;
  const memory::dims src_strides = c.src.get_strides(), dst_strides = c.dst.get_strides();
  memory::dims index(c.dims.size(), 0);
  for (size_t left = Count(c.dims, -1); left > 0; --left) {
    size_t src_at = static_cast<size_t>(c.src.get_submemory_offset());
    size_t dst_at = static_cast<size_t>(c.dst.get_submemory_offset());
    for (size_t d = 0; d < index.size(); ++d) {
      src_at += static_cast<size_t>(index[d] * src_strides[d]);
      dst_at += static_cast<size_t>(index[d] * dst_strides[d]);
    }
    const uint8_t *x = &from[src_at * src_size], *old = &before[dst_at * dst_size], *y = &after[dst_at * dst_size];
    if (is_copy) {
      Require(std::memcmp(x, y, dst_size) == 0, "equal types without attributes are copied bit for bit");
    } else {
      const Approximate want =
          c.model.Result(LoadNumber(src, x), LoadNumber(dst, old), !IsFloating(dst), c.dims, index);
      Require(want.MayBecome(dst, LoadNumber(dst, y)), "an element is the model's");
    }
    std::memcpy(&rest[dst_at * dst_size], old, dst_size);
    for (size_t d = index.size(); d-- > 0 && ++index[d] == c.dims[d];) index[d] = 0;
  }
  Require(rest == before, "no byte between the elements is written");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  ByteSource bytes(data, size);
  Case c;
  c.dims = DecodeShape(&bytes);
  const Type src = bytes.OneOf(kTypes), dst = bytes.OneOf(kTypes);
  c.src = DecodePlain(&bytes, c.dims, src, true);
  c.dst = DecodePlain(&bytes, c.dims, dst, false);
  const bool src_is_byte = src == Type::s8 || src == Type::u8, dst_is_byte = dst == Type::s8 || dst == Type::u8;
  if ((IsFloating(src) && dst_is_byte) || (src_is_byte && IsFloating(dst))) {
    if (bytes.OneIn(2)) DecodeRnn(&bytes, dst_is_byte ? dst : src, &c);
  }
  if (c.model.rnn == Rnn::kNone) DecodeGeneral(&bytes, src, dst, &c);
  dnnl::reorder::primitive_desc pd;
  const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  const dnnl_status_t status = Outcome([&] { pd = dnnl::reorder::primitive_desc(cpu, c.src, cpu, c.dst, c.attr); });
  Require(status == dnnl_success, "every plain reorder is served");
  std::vector<uint8_t> from = DecodeBuffer(&bytes, c.src), to = DecodeBuffer(&bytes, c.dst);
  const std::vector<uint8_t> given = from, before = to;
  Execute(c, pd, &from, &to);
  Require(from == given, "src is only read");
  Judge(c, from, before, to);
  return 0;
}
