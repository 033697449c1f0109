#include "fuzz/reorder_model.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace tandem {
namespace fuzz {
namespace {

using dnnl::memory;

// This is half the distance between neighbours, relative to a normal f32 and absolute for a subnormal one.
constexpr double kHalfUlp = 0x1p-24, kHalfSubnormal = 0x1p-150;
constexpr double kLargestFloat = 0x1.fffffep127;

template <class Stored>
Stored Read(const uint8_t* at) {
  Stored stored;
  std::memcpy(&stored, at, sizeof stored);
  return stored;
}

double HalfToDouble(uint16_t bits) {
  const double sign = (bits & 0x8000) != 0 ? -1. : 1.;
  const int exponent = bits >> 10 & 0x1f, mantissa = bits & 0x3ff;
  if (exponent == 31) return mantissa == 0 ? sign * HUGE_VAL : std::nan("");
  return sign * (exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25));
}

// Returns `value` rounded to a floating type of `digits` significant bits, ties to even.
double RoundToFloating(double value, int digits, int min_exponent, double largest) {
  if (value == 0 || !std::isfinite(value)) return value;
  int exponent;
  std::frexp(value, &exponent);
  const double spacing = std::ldexp(1., std::max(exponent - 1, min_exponent) - digits + 1);
  const double rounded = std::nearbyint(value / spacing) * spacing;
  return std::fabs(rounded) > largest ? std::copysign(HUGE_VAL, value) : rounded;
}

// Converts a number that is no NaN. f32, in which a reorder computes, has no 2^31 - 1: s32 saturates at the number below.
double Convert(memory::data_type type, double value) {
  const auto integer = [value](double lowest, double highest) {
    return std::nearbyint(std::clamp(value, lowest, highest));
  };
  switch (static_cast<int>(type)) {  // the API has more types than a reorder
    case dnnl_f32:
      return RoundToFloating(value, 24, -126, kLargestFloat);
    case dnnl_bf16:
      return RoundToFloating(value, 8, -126, 0x1.fep127);
    case dnnl_f16:
      return RoundToFloating(value, 11, -14, 65504);
    case dnnl_s32:
      return integer(-2147483648., 2147483520.);
    case dnnl_s8:
      return integer(-128, 127);
    default:
      return integer(0, 255);
  }
}

bool IsFloating(memory::data_type type) {
  return type == memory::data_type::f32 || type == memory::data_type::bf16 || type == memory::data_type::f16;
}

}  // namespace

double LoadNumber(memory::data_type type, const uint8_t* at) {
  switch (static_cast<int>(type)) {  // the API has more types than a reorder
    case dnnl_f32:
      return Read<float>(at);
    case dnnl_bf16: {
      const uint32_t bits = static_cast<uint32_t>(Read<uint16_t>(at)) << 16;
      return Read<float>(reinterpret_cast<const uint8_t*>(&bits));
    }
    case dnnl_f16:
      return HalfToDouble(Read<uint16_t>(at));
    case dnnl_s32:
      return Read<int32_t>(at);
    case dnnl_s8:
      return Read<int8_t>(at);
    default:
      return *at;
  }
}

void Approximate::Round() {
  if (!std::isfinite(value_)) return;
  // An exact value has no error if a float keeps it.
  const bool exact = error_ == 0 && static_cast<double>(static_cast<float>(value_)) == value_;
  if (!exact) error_ += std::max((std::fabs(value_) + error_) * kHalfUlp, kHalfSubnormal);
  error_ *= 1 + 1e-9;  // for this class's own roundings
  if (std::fabs(value_) + error_ > kLargestFloat) unknown_ = true;
}

void Approximate::Add(double term) {
  value_ += term;
  // The sum in double is rounded, too.
  error_ += std::isfinite(value_) ? std::fabs(term) * 0x1p-52 : 0;
  Round();
}

void Approximate::Multiply(double factor) {
  value_ *= factor;
  error_ *= std::fabs(factor);
  Round();
}

void Approximate::Divide(double divisor) {
  value_ /= divisor;
  error_ /= std::fabs(divisor);
  if (std::isfinite(value_)) error_ += std::fabs(value_) * 0x1p-52;
  Round();
}

void Approximate::AddProduct(double factor, Approximate other) {
  other.Multiply(factor);
  unknown_ = unknown_ || other.unknown_;
  value_ += other.value_;
  error_ += other.error_;
  if (std::isfinite(value_)) error_ += std::fabs(other.value_) * 0x1p-52;
  Round();
}

bool Approximate::MayBecome(memory::data_type type, double got) const {
  if (unknown_) return true;
  if (std::isnan(value_)) return IsFloating(type) ? std::isnan(got) : got == 0;
  return got >= Convert(type, value_ - error_) && got <= Convert(type, value_ + error_);
}

double ModelParameter::At(const memory::dims& dims, const memory::dims& index) const {
  size_t at = 0;
  for (size_t d = 0; d < dims.size(); ++d) {
    if ((mask >> d & 1) != 0) at = at * static_cast<size_t>(dims[d]) + static_cast<size_t>(index[d]);
  }
  return values[at];
}

bool ReorderModel::HasEffect() const {
  for (const ModelParameter* parameter :
       {&src_scales, &dst_scales, &output_scales, &src_zero_points, &dst_zero_points}) {
    if (!parameter->values.empty()) return true;
  }
  return has_sum || rnn != Rnn::kNone;
}

Approximate ReorderModel::Result(double src, double old, bool quantizes, const memory::dims& dims,
                                 const memory::dims& index) const {
  const auto at = [&](const ModelParameter& parameter, double none) {
    return parameter.values.empty() ? none : parameter.At(dims, index);
  };
  Approximate d(src);
  if (!src_zero_points.values.empty()) d.AddProduct(-1, Approximate(at(src_zero_points, 0)));
  if (!src_scales.values.empty()) d.Multiply(at(src_scales, 1));
  if (!output_scales.values.empty()) d.Multiply(at(output_scales, 1));
  if (has_sum) {
    Approximate previous(old);
    previous.AddProduct(-1, Approximate(sum_zero_point));
    d.AddProduct(beta, previous);
  }
  if (rnn == Rnn::kWeights) quantizes ? d.Multiply(at(weights_scales, 1)) : d.Divide(at(weights_scales, 1));
  if (rnn == Rnn::kData && quantizes) {
    if (shift_first) d.Add(data_shift);
    d.Multiply(data_scale);
    if (!shift_first) d.Add(data_shift);
  } else if (rnn == Rnn::kData) {
    if (!shift_first) d.Add(-data_shift);
    d.Divide(data_scale);
    if (shift_first) d.Add(-data_shift);
  }
  if (!dst_scales.values.empty()) d.Divide(at(dst_scales, 1));
  if (!dst_zero_points.values.empty()) d.AddProduct(1, Approximate(at(dst_zero_points, 0)));
  return d;
}

}  // namespace fuzz
}  // namespace tandem
