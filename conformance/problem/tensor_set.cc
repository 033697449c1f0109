#include "conformance/problem/tensor_set.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include "api/core/error.h"

namespace tandem::conformance {
namespace {

std::vector<size_t> ElementOffsets(const MemoryDesc& md) {
  std::vector<size_t> offsets;
  const Dim count = NumElements(md);
  offsets.reserve(static_cast<size_t>(count));
  Dim index[DNNL_MAX_NDIMS] = {};
  for (Dim i = 0; i < count; ++i) {
    offsets.push_back(static_cast<size_t>(OffsetAt(md, index)));
    Advance(md, index);
  }
  return offsets;
}

bool IsRowMajor(const MemoryDesc& md) {
  Dim stride = 1;
  for (int d = md.ndims - 1; d >= 0; --d) {
    if (Strides(md)[d] != stride) return false;
    stride *= md.dims[d];
  }
  return md.offset0 == 0;
}

}  // namespace

void Advance(const MemoryDesc& md, Dim* index) {
  for (int d = md.ndims - 1; d >= 0 && ++index[d] == md.dims[d]; --d) index[d] = 0;
}

TensorBuffer::TensorBuffer(const MemoryDesc& md) : md_(md) {
  if (IsZero(md)) return;
  if (!IsPlain(md)) ThrowInvalid("a test buffer needs a plain descriptor, got dims " + DimsToString(md));
  count_ = static_cast<size_t>(NumElements(md));
  if (IsRowMajor(md)) {
    bytes_.assign(std::max<size_t>(count_, 1) * SizeOf(type()), 0);
    return;
  }
  offsets_ = ElementOffsets(md);
  // A tensor without elements still gets a pointer, as an application would pass one.
  const size_t last = offsets_.empty() ? 0 : *std::max_element(offsets_.begin(), offsets_.end());
  bytes_.assign((last + 1) * SizeOf(type()), 0);
}

double TensorBuffer::Get(size_t index) const {
  const uint8_t* const bytes = bytes_.data() + ByteOffset(index);
  if (type() != DataType::kF32) return LoadElement(type(), bytes);
  // Most elements: without the detour over every type.
  float element;
  std::memcpy(&element, bytes, sizeof element);
  return element;
}

void TensorBuffer::Set(size_t index, double value) {
  uint8_t* const bytes = bytes_.data() + ByteOffset(index);
  if (type() != DataType::kF32) return StoreElement(type(), value, bytes);
  const float element = static_cast<float>(value);
  std::memcpy(bytes, &element, sizeof element);
}

std::vector<double> TensorBuffer::ToDoubles() const {
  std::vector<double> values(size());
  for (size_t i = 0; i < size(); ++i) values[i] = Get(i);
  return values;
}

void TensorBuffer::FromDoubles(const std::vector<double>& values) {
  for (size_t i = 0; i < size(); ++i) Set(i, values[i]);
}

void TensorBuffer::Fill(const std::function<double(size_t)>& value) {
  for (size_t i = 0; i < size(); ++i) Set(i, value(i));
}

void TensorBuffer::FillBytes(uint8_t pattern) { std::fill(bytes_.begin(), bytes_.end(), pattern); }

std::vector<bool> TensorBuffer::GapMask() const {
  std::vector<bool> gap(bytes_.size(), true);
  const size_t width = SizeOf(type());
  for (const size_t offset : offsets_) std::fill_n(gap.begin() + static_cast<long>(offset * width), width, false);
  return gap;
}

void TensorBuffer::FillGaps(uint8_t pattern, uint8_t* copy) const {
  if (!HasGaps()) return;
  const std::vector<bool> gap = GapMask();
  for (size_t i = 0; i < bytes_.size(); ++i) {
    if (gap[i]) copy[i] = pattern;
  }
}

bool TensorBuffer::GapsHold(uint8_t pattern) const {
  if (!HasGaps()) return true;
  const std::vector<bool> gap = GapMask();
  for (size_t i = 0; i < bytes_.size(); ++i) {
    if (gap[i] && bytes_[i] != pattern) return false;
  }
  return true;
}

size_t TensorBuffer::FirstDifference(const TensorBuffer& other) const {
  const size_t width = SizeOf(type());
  for (size_t i = 0; i < size(); ++i) {
    if (std::memcmp(bytes_.data() + ByteOffset(i), other.bytes_.data() + other.ByteOffset(i), width) != 0) return i;
  }
  return size();
}

bool SameBits(const TensorBuffer& a, size_t i, const TensorBuffer& b, size_t j) {
  const double x = a.Get(i), y = b.Get(j);
  return std::isnan(x) ? std::isnan(y) : x == y && std::signbit(x) == std::signbit(y);
}

TensorSet::TensorSet(const RnnProblem& problem) {
  for (const Tensor t : kTensors) tensor[t] = TensorBuffer(problem.md[t]);
}

void TakeForwardOutputs(const TensorSet& outputs, TensorSet* inputs) {
  for (const Tensor t : kForwardOutputs) (*inputs)[t] = outputs[t];
}

bool IsOutput(const RnnProblem& problem, Tensor t) { return problem.Has(t) && IsWritten(problem.propagation, t); }

bool IsInput(const RnnProblem& problem, Tensor t) {
  return problem.Has(t) && IsRead(problem.propagation, problem.diff_weights_mode(), t);
}

bool HandsStatesOn(const RnnProblem& problem) {
  const auto exchange = [&](Tensor src, Tensor dst) {
    return problem.Has(src) && Equal(problem.md[src], problem.md[dst]);
  };
  return !problem.IsBackward() && exchange(kSrcIter, kDstIter) &&
         (!HasCellState(problem.cell) || exchange(kSrcIterC, kDstIterC));
}

std::vector<Tensor> Outputs(const RnnProblem& problem) {
  std::vector<Tensor> outputs;
  for (const Tensor t : kTensors) {
    if (IsOutput(problem, t)) outputs.push_back(t);
  }
  return outputs;
}

}  // namespace tandem::conformance
