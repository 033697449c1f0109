#include "conformance/problem/tensor_set.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "api/core/error.h"
#include "api/core/float16.h"

namespace tandem::conformance {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double Saturate(double value, double lowest, double highest) {
  if (std::isnan(value)) return 0;
  // The rounding mode is to nearest even throughout the harness.
  return std::nearbyint(std::min(std::max(value, lowest), highest));
}

bool IsIntegral(DataType type) { return type == DataType::kS8 || type == DataType::kU8 || type == DataType::kS32; }

// Sign-magnitude bit patterns of a binary format, stepped as integers.
uint32_t StepBits(uint32_t bits, uint32_t sign_bit, bool up) {
  const bool negative = (bits & sign_bit) != 0;
  if ((bits & ~sign_bit) == 0) return up ? 1u : (sign_bit | 1u);
  return negative == up ? bits - 1 : bits + 1;
}

double Step(double value, DataType type, bool up) {
  if (std::isnan(value) || value == (up ? kInfinity : -kInfinity)) return value;
  switch (type) {
    case DataType::kF32:
      return std::nextafter(static_cast<float>(value), static_cast<float>(up ? kInfinity : -kInfinity));
    case DataType::kBf16:
      return Bf16ToFloat(static_cast<uint16_t>(StepBits(DoubleToBf16(value), 0x8000u, up)));
    case DataType::kF16:
      return Fp16ToFloat(static_cast<uint16_t>(StepBits(DoubleToFp16(value), 0x8000u, up)));
    default:
      return RoundToType(value + (up ? 1 : -1), type);
  }
}

std::vector<size_t> ElementOffsets(const MemoryDesc& md) {
  std::vector<size_t> offsets;
  const Dim count = NumElements(md);
  offsets.reserve(static_cast<size_t>(count));
  Dim index[DNNL_MAX_NDIMS] = {};
  for (Dim i = 0; i < count; ++i) {
    offsets.push_back(static_cast<size_t>(OffsetAt(md, index)));
    for (int d = md.ndims - 1; d >= 0 && ++index[d] == md.dims[d]; --d) index[d] = 0;
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

double RoundToType(double value, DataType type) {
  switch (type) {
    case DataType::kF32:
      return static_cast<float>(value);
    case DataType::kBf16:
      return Bf16ToFloat(DoubleToBf16(value));
    case DataType::kF16:
      return Fp16ToFloat(DoubleToFp16(value));
    case DataType::kS32:
      return Saturate(value, -2147483648., 2147483647.);
    case DataType::kS8:
      return Saturate(value, -128, 127);
    case DataType::kU8:
      return Saturate(value, 0, 255);
    default:
      return value;
  }
}

double NextUp(double value, DataType type) { return Step(value, type, true); }
double NextDown(double value, DataType type) { return Step(value, type, false); }

double LoadElement(DataType type, const void* bytes) {
  const auto load = [bytes](auto zero) {
    std::memcpy(&zero, bytes, sizeof zero);
    return zero;
  };
  switch (type) {
    case DataType::kF32:
      return load(float{});
    case DataType::kBf16:
      return Bf16ToFloat(load(uint16_t{}));
    case DataType::kF16:
      return Fp16ToFloat(load(uint16_t{}));
    case DataType::kS32:
      return load(int32_t{});
    case DataType::kS8:
      return load(int8_t{});
    case DataType::kU8:
      return load(uint8_t{});
    default:
      return std::numeric_limits<double>::quiet_NaN();
  }
}

void StoreElement(DataType type, double value, void* bytes) {
  const auto store = [bytes](auto v) { std::memcpy(bytes, &v, sizeof v); };
  const double rounded = IsIntegral(type) ? RoundToType(value, type) : value;
  switch (type) {
    case DataType::kF32:
      return store(static_cast<float>(value));
    case DataType::kBf16:
      return store(DoubleToBf16(value));
    case DataType::kF16:
      return store(DoubleToFp16(value));
    case DataType::kS32:
      return store(static_cast<int32_t>(rounded));
    case DataType::kS8:
      return store(static_cast<int8_t>(rounded));
    case DataType::kU8:
      return store(static_cast<uint8_t>(rounded));
    default:
      return;
  }
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

double TensorBuffer::Get(size_t index) const { return LoadElement(type(), bytes_.data() + ByteOffset(index)); }

void TensorBuffer::Set(size_t index, double value) { StoreElement(type(), value, bytes_.data() + ByteOffset(index)); }

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

TensorSet::TensorSet(const RnnProblem& problem) {
  for (int t = 0; t < kNumTensors; ++t) tensor[t] = TensorBuffer(problem.md[t]);
}

void TakeForwardOutputs(const TensorSet& outputs, TensorSet* inputs) {
  for (const Tensor t : {kDstLayer, kDstIter, kDstIterC}) (*inputs)[t] = outputs[t];
}

bool IsOutput(const RnnProblem& problem, Tensor t) {
  if (!problem.Has(t)) return false;
  if (!problem.IsBackward()) return t == kDstLayer || t == kDstIter || t == kDstIterC;
  return IsDiff(t) && t != kDiffDstLayer && t != kDiffDstIter && t != kDiffDstIterC;
}

bool IsInput(const RnnProblem& problem, Tensor t) {
  if (!problem.Has(t)) return false;
  if (!IsOutput(problem, t)) return problem.IsBackward() || !IsDiff(t);
  const bool accumulated = t >= kDiffWeightsLayer && t <= kDiffBias;
  return accumulated && problem.diff_weights_mode() == DiffWeightsMode::kAccumulate;
}

std::vector<Tensor> Outputs(const RnnProblem& problem) {
  std::vector<Tensor> outputs;
  for (int t = 0; t < kNumTensors; ++t) {
    if (IsOutput(problem, static_cast<Tensor>(t))) outputs.push_back(static_cast<Tensor>(t));
  }
  return outputs;
}

}  // namespace tandem::conformance
