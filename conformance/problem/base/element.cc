#include "conformance/problem/base/element.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "api/core/attributes/element.h"

namespace tandem::conformance {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// These two are called for every element that is filled or judged; std::ilogb and std::ldexp, which treat every
// double, took a tenth of a campaign's time. The exponent of a normal number; below any type's for 0 and subnormals.
int Exponent(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return static_cast<int>(bits >> 52 & 0x7ff) - 1023;
}

double PowerOfTwo(int exponent) {
  const uint64_t bits = static_cast<uint64_t>(exponent + 1023) << 52;
  double power;
  std::memcpy(&power, &bits, sizeof power);
  return power;
}

// The distance of the numbers of a floating type that have the exponent of `value`.
double Spacing(const DataTypeTraits& type, double value) {
  return PowerOfTwo(std::max(Exponent(value), type.min_exponent) - type.digits + 1);
}

// Towards larger numbers. Below a power of two the numbers lie twice as close as above it.
double StepUp(const DataTypeTraits& type, double value) {
  if (value == -kInfinity) return type.lowest;
  double spacing = Spacing(type, value);
  if (value < 0 && std::fabs(value) == PowerOfTwo(Exponent(value))) {
    spacing = Spacing(type, value / 2);
  }
  const double next = value + spacing;
  if (next == 0) return -0.0;
  return next > type.largest ? kInfinity : next;
}

double Step(double value, DataType type, bool up) {
  if (std::isnan(value) || value == (up ? kInfinity : -kInfinity) || type == DataType::kUndef) return value;
  if (!IsFloating(type)) return RoundToType(value + (up ? 1 : -1), type);
  return up ? StepUp(TraitsOf(type), value) : -StepUp(TraitsOf(type), -value);
}

}  // namespace

double UnitRoundoff(DataType type) {
  if (IsFloating(type)) return std::ldexp(1, -TraitsOf(type).digits);
  return IsByte(type) ? 0x1p-8 : 0;  // s32 has lengths only
}

double RoundToType(double value, DataType type) {
  if (type == DataType::kF32) return static_cast<float>(value);
  if (type == DataType::kUndef) return value;
  const DataTypeTraits traits = TraitsOf(type);
  // The rounding mode is to nearest even throughout the judge.
  if (!IsFloating(type)) {
    return std::isnan(value) ? 0 : std::nearbyint(std::min(std::max(value, traits.lowest), traits.largest));
  }
  if (!std::isfinite(value)) return value;
  const double spacing = Spacing(traits, value);
  const double rounded = std::nearbyint(value / spacing) * spacing;
  return std::fabs(rounded) > traits.largest ? std::copysign(kInfinity, value) : rounded;
}

double NextUp(double value, DataType type) { return Step(value, type, true); }
double NextDown(double value, DataType type) { return Step(value, type, false); }

double LoadElement(DataType type, const void* bytes) {
  if (type == DataType::kUndef) return std::numeric_limits<double>::quiet_NaN();
  return VisitElement(type, [&](auto element) -> double {
    typename decltype(element)::Stored stored;
    std::memcpy(&stored, bytes, sizeof stored);
    return type == DataType::kS32 ? static_cast<double>(stored) : decltype(element)::Load(stored);
  });
}

void StoreElement(DataType type, double value, void* bytes) {
  if (type == DataType::kUndef) return;
  VisitElement(type, [&](auto element) {
    const auto stored = decltype(element)::Store(RoundToType(value, type));
    std::memcpy(bytes, &stored, sizeof stored);
  });
}

}  // namespace tandem::conformance
