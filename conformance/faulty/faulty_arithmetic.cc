#include "conformance/faulty/faulty_arithmetic.h"

#include <algorithm>
#include <cmath>

#include "api/core/attributes/element.h"
#include "conformance/problem/base/element.h"

namespace tandem::conformance {
namespace {

float TruncateTo(DataType type, float x) {
  const double nearest = RoundToType(x, type);
  if (!(std::fabs(nearest) > std::fabs(x))) return static_cast<float>(nearest);
  return static_cast<float>(x > 0 ? NextDown(nearest, type) : NextUp(nearest, type));
}

float HalfAway(DataType type, float x) {
  const double nearest = RoundToType(x, type), away = x > 0 ? NextUp(nearest, type) : NextDown(nearest, type);
  return static_cast<float>(std::fabs(x) > std::fabs(nearest) && away - x == x - nearest ? away : nearest);
}

float RoundTf32(float x) {
  if (!std::isfinite(x)) return x;
  const uint32_t bits = BitsOf(x);
  return FromBits((bits + 0x0fffu + ((bits >> 13) & 1u)) & 0xffffe000u);
}

}  // namespace

float RoundBf16(float x) { return Bf16ToFloat(FloatToBf16(x)); }

FaultyArithmetic::FaultyArithmetic(const RnnProblem& problem, Mutation mutation)
    : problem_(problem),
      mutation_(mutation),
      type_(problem.SrcType()),
      int8_(problem.IsInt8()),
      bytes_(int8_ || problem.IsDynamic()),
      mode_(EffectiveFpmathMode(problem)) {
  zero_point_ = problem.attr.rnn_data_shift;
  if (problem.attr.reading == Reading::kSpec) zero_point_ *= problem.attr.rnn_data_scale;
  if (On(Mutation::kZeroPointTruncated)) zero_point_ = std::trunc(zero_point_);
}

float FaultyArithmetic::Operand(float x) const {
  if (On(Mutation::kStrictDownconverts) && mode_ == FpmathMode::kStrict) return RoundBf16(x);
  switch (mode_) {
    case FpmathMode::kTf32:
      return On(Mutation::kTf32ServedByBf16) ? RoundBf16(x) : RoundTf32(x);
    case FpmathMode::kBf16:
      return RoundBf16(x);
    case FpmathMode::kF16:
      return Fp16ToFloat(FloatToFp16(x));
    case FpmathMode::kStrict:
    case FpmathMode::kAny:  // down-conversion is permitted, not required
      break;
  }
  return x;
}

double FaultyArithmetic::IntegerDot(long n, const float* a, long a_stride, const float* b, long b_stride) const {
  double sum = 0;
  for (long k = 0; k < n; k += 2) {
    double pair = static_cast<double>(a[k * a_stride]) * b[k * b_stride];
    if (k + 1 < n) pair += static_cast<double>(a[(k + 1) * a_stride]) * b[(k + 1) * b_stride];
    if (On(Mutation::kPairSaturates)) pair = std::min(std::max(pair, -32768.), 32767.);
    sum += pair;
  }
  return sum;
}

double FaultyArithmetic::Dot(long n, const float* a, long a_stride, const float* b, long b_stride) const {
  if (On(Mutation::kKTailDropped) && n % 4 != 0) --n;
  if (bytes_) return IntegerDot(n, a, a_stride, b, b_stride);
  if (On(Mutation::kAccumulatesInBf16)) {
    float sum = 0;
    for (long k = 0; k < n; ++k) sum = RoundBf16(sum + a[k * a_stride] * b[k * b_stride]);
    return sum;
  }
  float lane[8] = {};
  const long lanes = On(Mutation::kBatchSumsDifferently) && problem_.mb > 1 ? 4 : 8;
  for (long k = 0; k < n; ++k) lane[k % lanes] += Operand(a[k * a_stride]) * Operand(b[k * b_stride]);
  return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

float FaultyArithmetic::Exp(float x) const {
  const float e = std::exp(x);
  return On(Mutation::kExpInaccurate) ? e * (1 + 1e-5f * std::sin(37 * x)) : e;
}

float FaultyArithmetic::Launder(float x, long lane) const {
  // As the instructions minps and maxps: the second operand is taken where the first is NaN.
  const bool here = On(Mutation::kNanLaundered) || (On(Mutation::kNanLaunderedInLane) && lane % 8 == 3);
  if (!here) return x;
  x = x < 30.f ? x : 30.f;
  return x > -30.f ? x : -30.f;
}

float FaultyArithmetic::Sigmoid(float x) const {
  if (On(Mutation::kSigmoidRational)) {
    const float right = 1 / (1 + std::exp(-x));
    return right + 1e-3f * right * (1 - right);
  }
  if (On(Mutation::kSigmoidAbsolute)) return 0.5f * (1 + std::tanh(0.5f * x));
  if (On(Mutation::kSigmoidOverflows)) return std::exp(x) / (1 + std::exp(x));
  if (On(Mutation::kSigmoidTailFlushed) && x < -30) return 0;
  return 1 / (1 + Exp(-x));
}

float FaultyArithmetic::Tanh(float x, long lane) const {
  x = Launder(x, lane);
  if (On(Mutation::kTanhClampedAt3)) return std::tanh(std::min(std::max(x, -3.f), 3.f));
  if (On(Mutation::kTanhPade) && std::fabs(x) < 1) return x * (15 + x * x) / (15 + 6 * x * x);
  if (On(Mutation::kTanhCancels)) return 1 - 2 / (std::exp(2 * x) + 1);
  if (On(Mutation::kTanhBigIsMinusOne) && x > 8) return -1;
  if (On(Mutation::kTanhEndsAt6) && std::fabs(x) > 6.5f) return std::copysign(1.f, x);
  return std::tanh(x);
}

float FaultyArithmetic::Relu(float x, float alpha, long lane) const {
  if (On(Mutation::kReluAlphaIgnored)) alpha = 0;
  if (On(Mutation::kReluSlopeUnsigned)) alpha = std::fabs(alpha);
  if (On(Mutation::kReluAlphaLaneZero) && lane % 8 != 0) alpha = 0;
  return x > 0 ? x : alpha * x;
}

float FaultyArithmetic::Store(DataType type, float x) const {
  if (!IsNarrowFloat(type)) return x;
  if (On(Mutation::kStoreTruncates)) return TruncateTo(type, x);
  if (On(Mutation::kStoreHalfAway)) return HalfAway(type, x);
  return VisitElement(type, [x](auto element) { return decltype(element)::Load(decltype(element)::Store(x)); });
}

float FaultyArithmetic::BeforeQuantization(float x) const {
  const float scale = problem_.attr.rnn_data_scale, shift = problem_.attr.rnn_data_shift;
  const float q = problem_.attr.reading == Reading::kSpec ? scale * (x + shift) : scale * x + shift;
  return On(Mutation::kZeroPointTwice) ? q + static_cast<float>(zero_point_) : q;
}

float FaultyArithmetic::Saturate(float before) const {
  const float low = type_ == DataType::kU8 ? 0.f : -128.f;
  float high = type_ == DataType::kU8 ? 255.f : 127.f;
  if (On(Mutation::kQuantizationClampsAt127)) high = 127;
  float q = std::nearbyint(before);
  if (On(Mutation::kQuantizationTruncates)) q = std::trunc(before);
  if (On(Mutation::kQuantizationHalfAway)) q = std::round(before);
  if (On(Mutation::kQuantizationWraps)) return low + std::fmod(std::fmod(q - low, 256.f) + 256.f, 256.f);
  return std::min(std::max(q, low), high);
}

float FaultyArithmetic::StoreState(float h) const { return int8_ ? Saturate(BeforeQuantization(h)) : Store(type_, h); }

float FaultyArithmetic::Widen(float stored) const {
  if (!int8_) return stored;
  const float scale = problem_.attr.rnn_data_scale, shift = problem_.attr.rnn_data_shift;
  return problem_.attr.reading == Reading::kSpec ? stored / scale - shift : (stored - shift) / scale;
}

}  // namespace tandem::conformance
