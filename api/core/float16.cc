#include "api/core/float16.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace tandem {
namespace {

// The nearest 16-bit float to `value`, ties to even, in the format with `mantissa_bits` and the smallest normal number
// 2^min_exponent. Takes a double, so that f32 and f64 sources share it.
uint16_t RoundTo16(double value, int mantissa_bits, int min_exponent, uint16_t infinity) {
  const uint16_t sign = std::signbit(value) ? 0x8000u : 0u;
  if (std::isnan(value)) return static_cast<uint16_t>(sign | infinity | (1u << (mantissa_bits - 1)));
  const double magnitude = std::fabs(value);
  if (std::isinf(magnitude)) return static_cast<uint16_t>(sign | infinity);
  if (magnitude >= std::ldexp(1, min_exponent)) {
    // Normal: the double's own fields, rounded to even where they are cut. A carry out of the mantissa is the next
    // exponent.
    uint64_t fields;
    std::memcpy(&fields, &magnitude, sizeof fields);
    const int cut = 52 - mantissa_bits;
    fields = (fields + ((uint64_t{1} << (cut - 1)) - 1) + ((fields >> cut) & 1)) >> cut;
    const uint64_t bits = fields - (static_cast<uint64_t>(1023 + min_exponent - 1) << mantissa_bits);
    return static_cast<uint16_t>(sign | (bits >= infinity ? infinity : bits));
  }
  // Subnormal: the spacing is that of the smallest normal number, which `steps` may reach but not exceed.
  const double steps = std::nearbyint(std::ldexp(magnitude, mantissa_bits - min_exponent));
  return static_cast<uint16_t>(sign | static_cast<uint16_t>(steps));
}

}  // namespace

float Fp16ToFloat(uint16_t bits) {
  const uint32_t sign = (bits & 0x8000u) << 16;
  const uint32_t exponent = (bits >> 10) & 0x1fu;
  const uint32_t mantissa = bits & 0x3ffu;
  if (exponent == 0x1f) return FromBits(sign | 0x7f800000u | (mantissa << 13) | (mantissa ? 0x400000u : 0u));
  if (exponent != 0) return FromBits(sign | ((exponent + 112) << 23) | (mantissa << 13));
  const float magnitude = std::ldexp(static_cast<float>(mantissa), -24);
  return FromBits(BitsOf(magnitude) | sign);
}

uint16_t FloatToFp16(float value) { return DoubleToFp16(value); }
uint16_t DoubleToFp16(double value) { return RoundTo16(value, 10, -14, 0x7c00u); }
uint16_t DoubleToBf16(double value) { return RoundTo16(value, 7, -126, 0x7f80u); }

}  // namespace tandem
