#include "conformance/problem/element.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "api/core/float16.h"

namespace tandem::conformance {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double Saturate(double value, double lowest, double highest) {
  if (std::isnan(value)) return 0;
  // The rounding mode is to nearest even throughout the harness.
  return std::nearbyint(std::min(std::max(value, lowest), highest));
}

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
    case DataType::kS32:
    case DataType::kS8:
    case DataType::kU8:
      return RoundToType(value + (up ? 1 : -1), type);
    case DataType::kUndef:
      break;
  }
  return value;
}

}  // namespace

double UnitRoundoff(DataType type) {
  switch (type) {
    case DataType::kF32:
      return 0x1p-24;
    case DataType::kF16:
      return 0x1p-11;
    case DataType::kBf16:
    case DataType::kS8:
    case DataType::kU8:
      return 0x1p-8;
    case DataType::kS32:
    case DataType::kUndef:
      break;  // no tensor of an RNN has them
  }
  return 0;
}

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
    case DataType::kUndef:
      break;
  }
  return value;
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
    case DataType::kUndef:
      break;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

void StoreElement(DataType type, double value, void* bytes) {
  const auto store = [bytes](auto v) { std::memcpy(bytes, &v, sizeof v); };
  const double rounded = IsInteger(type) ? RoundToType(value, type) : value;
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
    case DataType::kUndef:
      return;
  }
}

}  // namespace tandem::conformance
