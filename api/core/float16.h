// Scalar conversions between f32 and the two 16-bit types, on bit patterns. They round to nearest, ties to even, and
// keep subnormals and infinities; a NaN becomes a quiet NaN.
#ifndef TANDEM_API_CORE_FLOAT16_H_
#define TANDEM_API_CORE_FLOAT16_H_

#include <cstdint>
#include <cstring>

namespace tandem {

inline uint32_t BitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
inline float FromBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

inline float Bf16ToFloat(uint16_t bits) { return FromBits(static_cast<uint32_t>(bits) << 16); }

inline uint16_t FloatToBf16(float value) {
  const uint32_t bits = BitsOf(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<uint16_t>((bits >> 16) | 0x0040u);
  return static_cast<uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

float Fp16ToFloat(uint16_t bits);
uint16_t FloatToFp16(float value);

// `value` rounded once from double; used where going through float would round twice.
uint16_t DoubleToBf16(double value);
uint16_t DoubleToFp16(double value);

}  // namespace tandem

#endif  // TANDEM_API_CORE_FLOAT16_H_
