// The tensors of one execution: for every tensor of a problem a byte buffer laid out as its descriptor says, offset0,
// strides and gaps included. Values go in and out as double, which holds every element of every type exactly.
#ifndef TANDEM_CONFORMANCE_PROBLEM_TENSOR_SET_H_
#define TANDEM_CONFORMANCE_PROBLEM_TENSOR_SET_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "api/core/rnn/rnn_problem.h"
#include "conformance/problem/base/element.h"

namespace tandem::conformance {

// Advances `index` to the next element of `md` in row-major order; after the last one to the first.
void Advance(const MemoryDesc& md, Dim* index);

// One tensor: a plain descriptor and its bytes. Linear indices are logical and row-major, whatever the strides.
class TensorBuffer {
 public:
  TensorBuffer() = default;
  // Zero-filled. Throws invalid_arguments unless `md` is plain or zero.
  explicit TensorBuffer(const MemoryDesc& md);

  const MemoryDesc& md() const { return md_; }
  DataType type() const { return TypeOf(md_); }
  bool empty() const { return bytes_.empty(); }
  size_t size() const { return count_; }
  // Base pointer as dnnl takes it: offset0 not yet added. Null if there are no bytes.
  void* data() { return bytes_.empty() ? nullptr : bytes_.data(); }
  const void* data() const { return bytes_.empty() ? nullptr : bytes_.data(); }
  size_t size_in_bytes() const { return bytes_.size(); }
  const std::vector<uint8_t>& bytes() const { return bytes_; }

  double Get(size_t index) const;
  // Rounds as RoundToType.
  void Set(size_t index, double value);
  std::vector<double> ToDoubles() const;
  void FromDoubles(const std::vector<double>& values);
  void Fill(const std::function<double(size_t index)>& value);
  // Byte offset of an element.
  size_t ByteOffset(size_t index) const { return (offsets_.empty() ? index : offsets_[index]) * SizeOf(type()); }

  // Every byte, elements and gaps alike.
  void FillBytes(uint8_t pattern);
  // Only the bytes that belong to no element.
  void FillGaps(uint8_t pattern) { FillGaps(pattern, bytes_.data()); }
  // The same of a copy of bytes().
  void FillGaps(uint8_t pattern, uint8_t* copy) const;
  bool GapsHold(uint8_t pattern) const;
  // Index of the first element whose bytes differ from those of `other` (same descriptor), or size().
  size_t FirstDifference(const TensorBuffer& other) const;

 private:
  bool HasGaps() const { return bytes_.size() != count_ * SizeOf(type()); }
  std::vector<bool> GapMask() const;

  MemoryDesc md_ = {};
  std::vector<uint8_t> bytes_;
  size_t count_ = 0;             // of elements
  std::vector<size_t> offsets_;  // in elements, offset0 included; empty if element i lies at i
};

// True if the elements have the same bits, or are both NaN.
bool SameBits(const TensorBuffer& a, size_t i, const TensorBuffer& b, size_t j);

struct TensorSet {
  TensorSet() = default;
  // Buffers for all tensors that `problem` has.
  explicit TensorSet(const RnnProblem& problem);

  std::array<TensorBuffer, kNumTensors> tensor;

  TensorBuffer& operator[](Tensor t) { return tensor[t]; }
  const TensorBuffer& operator[](Tensor t) const { return tensor[t]; }
};

// Backward reads dst_layer, dst_iter and dst_iter_c as its own forward_training wrote them: copies them to the inputs.
void TakeForwardOutputs(const TensorSet& outputs, TensorSet* inputs);

// True if an execution of `problem` writes `t`. False for tensors that the problem does not have.
bool IsOutput(const RnnProblem& problem, Tensor t);
// True if an execution of `problem` reads `t`. dst_* are inputs of backward, and so are accumulated diff_weights_*.
bool IsInput(const RnnProblem& problem, Tensor t);
// True if the states that a forward execution leaves can be those of the next one where they lie: dst_iter as src_iter,
// dst_iter_c as src_iter_c.
bool HandsStatesOn(const RnnProblem& problem);
// The tensors that `problem` has and for which IsOutput holds, in the order of the enum.
std::vector<Tensor> Outputs(const RnnProblem& problem);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_PROBLEM_TENSOR_SET_H_
