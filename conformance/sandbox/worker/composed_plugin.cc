#include "conformance/sandbox/worker/composed_plugin.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <vector>

#include "conformance/problem/tensor_set.h"
#include "conformance/sandbox/pipe/strided_tensor.h"
#include "conformance/stated_problem.h"

namespace tandem::conformance {
namespace {

// `base` is the first member, so that a pointer to it also points to the whole struct.
struct Composed {
  tandem_plugin base;
  const tandem_plugin* inner;
  tandem_description description;
};

const Composed& Of(const tandem_plugin* self) { return *reinterpret_cast<const Composed*>(self); }

bool IsOnePart(const tandem_problem& p) { return p.n_layer == 1 && p.direction == tandem_left2right; }

// Returns why the parts' results cannot be put together; null if they can.
const char* Refusal(const tandem_problem& p) {
  const int32_t type = p.tensor[tandem_src_layer].data_type;
  if (p.propagation != tandem_forward_inference) return "layers and directions are composed in forward inference only";
  if (type != tandem_f32 && type != tandem_bf16 && type != tandem_f16) return "8-bit layers are not composed";
  // Whole sequences are read backwards for right2left.
  if (p.tensor[tandem_sequence_lengths].ndims != 0) return "rows of different lengths are not composed";
  if (p.direction == tandem_bidirectional_sum && type != tandem_f32) return "directions are added in f32 only";
  return nullptr;
}

void* At(const tandem_tensor& t, int64_t elements) {
  if (t.data == nullptr) return nullptr;
  return static_cast<uint8_t*>(t.data) + elements * static_cast<int64_t>(SizeOf(static_cast<DataType>(t.data_type)));
}

// Returns the slice of a tensor whose first axes are layers and directions.
tandem_tensor Slice(tandem_tensor t, int64_t layer, int64_t dir) {
  if (t.ndims == 0) return t;
  t.data = At(t, layer * t.strides[0] + dir * t.strides[1]);
  t.dims[0] = t.dims[1] = 1;
  return t;
}

// Returns the same elements with the last step first.
tandem_tensor Reversed(tandem_tensor t) {
  t.data = At(t, (t.dims[0] - 1) * t.strides[0]);
  t.strides[0] = -t.strides[0];
  return t;
}

// A dense sequence has `channels` and memory of its own. It has no data if `with_data` is false.
class Sequence {
 public:
  enum class Data { kNone, kAllocated };

  Sequence(const tandem_tensor& like, int64_t channels, Data data) : tensor_(like) {
    tensor_.dims[2] = channels;
    tensor_.strides[2] = 1;
    tensor_.strides[1] = channels;
    tensor_.strides[0] = channels * tensor_.dims[1];
    tensor_.data = nullptr;
    if (data == Data::kNone) return;
    bytes_.resize(NumElements(tensor_) * SizeOf(static_cast<DataType>(tensor_.data_type)));
    tensor_.data = bytes_.data();
  }
  const tandem_tensor& tensor() const { return tensor_; }

 private:
  tandem_tensor tensor_;
  std::vector<uint8_t> bytes_;
};

// Returns the problem of one layer and direction that reads and writes these sequences.
StatedProblem PartOf(const tandem_problem& whole, int64_t layer, int64_t dir, const tandem_tensor& from,
                     const tandem_tensor& to) {
  StatedProblem part(whole);
  for (int i = 0; i < TANDEM_NUM_TENSORS; ++i) {
    if (i != tandem_src_layer && i != tandem_dst_layer && i != tandem_augru_attention) {
      part.tensor[i] = Slice(part.tensor[i], layer, dir);
    }
  }
  part.tensor[tandem_src_layer] = from;
  part.tensor[tandem_dst_layer] = to;
  part.problem.direction = tandem_left2right;
  part.problem.n_layer = part.problem.n_dir = 1;
  part.problem.slc = from.dims[2];
  part.problem.dlc = to.dims[2];
  return part;
}

const tandem_description* Describe(const tandem_plugin* self) { return &Of(self).description; }

int32_t Supports(const tandem_plugin* self, const tandem_problem* problem, tandem_requirements* needs, char* reason,
                 size_t reason_size) {
  const tandem_plugin* inner = Of(self).inner;
  if (IsOnePart(*problem)) return inner->supports(inner, problem, needs, reason, reason_size);
  if (const char* const refusal = Refusal(*problem)) {
    std::snprintf(reason, reason_size, "%s", refusal);
    return tandem_not_supported;
  }
  // The scratchpad must fit the first layer and the others, which differ from it.
  uint64_t scratchpad = 0;
  for (int64_t layer = 0; layer < std::min<int64_t>(problem->n_layer, 2); ++layer) {
    const tandem_tensor& source = problem->tensor[tandem_src_layer];
    const Sequence from(source, layer == 0 ? problem->slc : problem->dic, Sequence::Data::kNone);
    const Sequence to(problem->tensor[tandem_dst_layer], problem->dic, Sequence::Data::kNone);
    StatedProblem part = PartOf(*problem, layer, 0, from.tensor(), to.tensor());
    const int32_t status = inner->supports(inner, part.get(), needs, reason, reason_size);
    if (status != tandem_ok) return status;
    scratchpad = std::max(scratchpad, needs->scratchpad_bytes);
  }
  needs->scratchpad_bytes = scratchpad;
  return tandem_ok;
}

void Add(const tandem_tensor& more, const tandem_tensor& sum) {
  const auto* const addend = static_cast<const float*>(more.data);
  auto* const total = static_cast<float*>(sum.data);
  for (size_t i = 0; i < NumElements(sum); ++i) total[i] += addend[i];
}

// This is one direction of a run.
class Stack {
 public:
  Stack(const tandem_plugin* inner, const tandem_problem& whole, int64_t dir)
      : inner_(inner),
        whole_(whole),
        dir_(dir),
        reversed_(whole.direction == tandem_right2left || dir == 1),
        low_(whole.tensor[tandem_src_layer], whole.slc, Sequence::Data::kAllocated),
        even_(whole.tensor[tandem_dst_layer], whole.dic, Sequence::Data::kAllocated),
        odd_(even_.tensor(), whole.dic, Sequence::Data::kAllocated) {}

  int32_t Run(const tandem_plugin_memory* memory, char* message, size_t message_size) {
    const tandem_tensor& source = whole_.tensor[tandem_src_layer];
    CopyElements(reversed_ ? Reversed(source) : source, low_.tensor());
    tandem_tensor from = low_.tensor();
    for (int64_t layer = 0; layer < whole_.n_layer; ++layer) {
      const tandem_tensor& to = layer % 2 == 0 ? even_.tensor() : odd_.tensor();
      StatedProblem part = PartOf(whole_, layer, dir_, from, to);
      const int32_t status = inner_->run(inner_, part.get(), memory, message, message_size);
      if (status != tandem_ok) return status;
      from = to;
    }
    result_ = reversed_ ? Reversed(from) : from;
    return tandem_ok;
  }
  // Returns the last layer's sequence, in the order of time.
  const tandem_tensor& result() const { return result_; }

 private:
  const tandem_plugin* inner_;
  const tandem_problem& whole_;
  int64_t dir_;
  bool reversed_;
  Sequence low_, even_, odd_;
  tandem_tensor result_ = {};
};

int32_t Run(const tandem_plugin* self, const tandem_problem* problem, const tandem_plugin_memory* memory, char* message,
            size_t message_size) {
  const tandem_plugin* inner = Of(self).inner;
  if (IsOnePart(*problem)) return inner->run(inner, problem, memory, message, message_size);
  const tandem_tensor& target = problem->tensor[tandem_dst_layer];
  const bool added = problem->direction == tandem_bidirectional_sum;
  const Sequence sum(target, problem->dic, added ? Sequence::Data::kAllocated : Sequence::Data::kNone);
  const Sequence addend(target, problem->dic, added ? Sequence::Data::kAllocated : Sequence::Data::kNone);
  for (int64_t dir = 0; dir < problem->n_dir; ++dir) {
    Stack stack(inner, *problem, dir);
    const int32_t status = stack.Run(memory, message, message_size);
    if (status != tandem_ok) return status;
    tandem_tensor place = target;
    place.dims[2] = problem->dic;
    place.data = At(target, dir * problem->dic * target.strides[2]);
    if (added) place = dir == 0 ? sum.tensor() : addend.tensor();
    CopyElements(stack.result(), place);
  }
  if (added) {
    Add(addend.tensor(), sum.tensor());
    CopyElements(sum.tensor(), target);
  }
  return tandem_ok;
}

}  // namespace

const tandem_plugin* ComposedPlugin(const tandem_plugin* plugin) {
  const tandem_description* const given = plugin->describe(plugin);
  if (given == nullptr) return plugin;
  // This is never deleted, because the plugin's threads may run until the process ends.
  auto* const composed = new Composed{};
  composed->base = {sizeof(tandem_plugin), TANDEM_PLUGIN_ABI, Describe, Supports, Run};
  composed->inner = plugin;
  std::memcpy(&composed->description, given, std::min<size_t>(given->size, sizeof *given));
  composed->description.whole_table = 0;
  return &composed->base;
}

}  // namespace tandem::conformance
