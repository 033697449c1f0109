// A backend gives the API layer a plan that executes one problem. `reference` and `optimized` each export CreateRnn and
// CreateReorder with these signatures; api/library/primitives/implementation_list.cc tries them in turn.
#ifndef TANDEM_API_CORE_RNN_IMPLEMENTATION_H_
#define TANDEM_API_CORE_RNN_IMPLEMENTATION_H_

#include <array>
#include <cstddef>
#include <memory>
#include <string>

#include "api/core/rnn/rnn_problem.h"

namespace tandem {

// Base pointers of the memory objects (offset0 not yet added); null for absent tensors.
struct RnnBuffers {
  std::array<void*, kNumTensors> tensor{};
  void* workspace = nullptr;
  void* scratchpad = nullptr;  // scratchpad_bytes(); 64-byte aligned in library mode, any alignment in user mode
};

// Immutable after creation. Execute() is thread-safe as long as scratchpads differ. It throws invalid_arguments for a
// workspace that the matching forward did not fill. `optimized` allocates nothing in Execute(); `reference` allocates
// its matrices there, and so may throw std::bad_alloc. Outputs share no byte with other
// buffers, with three exceptions in forward: dst_iter (dst_iter_c) may be src_iter (src_iter_c), of an equal descriptor;
// and with one layer, dst_iter may be the step of dst_layer that has its values, and dst_layer of one step src_iter.
class RnnPlan {
 public:
  virtual ~RnnPlan() = default;
  // "ref:scalar", "hwy:avx3_spr".
  virtual std::string name() const = 0;
  // The problem with every `any` replaced by the layout this plan wants.
  const RnnProblem& problem() const { return problem_; }
  // Bytes of the workspace that forward_training fills and backward reads; 0 for inference.
  size_t workspace_bytes() const { return workspace_bytes_; }
  size_t scratchpad_bytes() const { return scratchpad_bytes_; }
  virtual void Execute(const RnnBuffers& buffers) const = 0;

 protected:
  RnnProblem problem_;
  size_t workspace_bytes_ = 0;
  size_t scratchpad_bytes_ = 0;
};

struct ReorderProblem {
  MemoryDesc src = {};
  MemoryDesc dst = {};
  Attributes attr;
};

// Quantization parameters that arrive with execute(); null where the attribute is not set.
struct ReorderBuffers {
  const void* src = nullptr;
  void* dst = nullptr;
  const float* src_scales = nullptr;
  const float* dst_scales = nullptr;
  const int32_t* src_zero_points = nullptr;
  const int32_t* dst_zero_points = nullptr;
  void* scratchpad = nullptr;
};

class ReorderPlan {
 public:
  virtual ~ReorderPlan() = default;
  virtual std::string name() const = 0;
  size_t scratchpad_bytes() const { return scratchpad_bytes_; }
  virtual void Execute(const ReorderBuffers& buffers) const = 0;

 protected:
  ReorderProblem problem_;
  size_t scratchpad_bytes_ = 0;
};

// Null where the backend does not serve the problem; `why_not` then says why in one clause.
using RnnFactory = std::unique_ptr<const RnnPlan> (*)(const RnnProblem& problem, std::string* why_not);
using ReorderFactory = std::unique_ptr<const ReorderPlan> (*)(const ReorderProblem& problem, std::string* why_not);

}  // namespace tandem

#endif  // TANDEM_API_CORE_RNN_IMPLEMENTATION_H_
