#include "conformance/bench/bench_peak.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "conformance/bench/bench_peak.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// After foreach_target.h:
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace tandem::conformance {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Enough independent sums to hide the latency (4 cycles x 2 units, 5 x 2 for VNNI), few enough for 16 registers.
constexpr int kSums = 12;

// Returns the multiply-adds done; `sink` keeps the loop alive.
double MultiplyAddF32(long rounds, double* sink) {
  const hn::ScalableTag<float> d;
  const auto a = hn::Set(d, static_cast<float>(rounds) * 1e-20f);
  hn::Vec<decltype(d)> sum[kSums];
  HWY_UNROLL(12)
  for (int i = 0; i < kSums; ++i) sum[i] = hn::Set(d, 1.f + i);
  for (long r = 0; r < rounds; ++r) {
    HWY_UNROLL(12)
    for (int i = 0; i < kSums; ++i) sum[i] = hn::MulAdd(sum[i], a, a);
  }
  for (int i = 0; i < kSums; ++i) *sink += hn::ReduceSum(d, sum[i]);
  return static_cast<double>(rounds) * kSums * hn::Lanes(d);
}

double MultiplyAddInt8(long rounds, double* sink) {
  const hn::ScalableTag<int32_t> d;
  const hn::Repartition<uint8_t, decltype(d)> du;
  const hn::Repartition<int8_t, decltype(d)> ds;
  const auto a = hn::BitCast(du, hn::Set(d, static_cast<int32_t>(rounds)));
  const auto b = hn::BitCast(ds, hn::Set(d, static_cast<int32_t>(rounds + 1)));
  hn::Vec<decltype(d)> sum[kSums];
  HWY_UNROLL(12)
  for (int i = 0; i < kSums; ++i) sum[i] = hn::Set(d, i);
  for (long r = 0; r < rounds; ++r) {
    HWY_UNROLL(12)
    for (int i = 0; i < kSums; ++i) sum[i] = hn::SumOfMulQuadAccumulate(d, a, b, sum[i]);
  }
  for (int i = 0; i < kSums; ++i) *sink += hn::ReduceSum(d, sum[i]);
  return static_cast<double>(rounds) * kSums * hn::Lanes(du);
}

}  // namespace HWY_NAMESPACE
}  // namespace tandem::conformance
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <omp.h>

#include <algorithm>
#include <chrono>

namespace tandem::conformance {
namespace {

HWY_EXPORT(MultiplyAddF32);
HWY_EXPORT(MultiplyAddInt8);

// Operations per second of `loop` on all threads together.
double BestRate(int threads, double (*loop)(long, double*)) {
  constexpr long kRounds = 400000;  // about 1 ms
  double best = 0, sink = 0;
  for (int repeat = 0; repeat < 15; ++repeat) {
    double rate = 0;
#pragma omp parallel num_threads(threads) reduction(+ : rate, sink)
    {
      double own_sink = 0;
#pragma omp barrier
      const auto start = std::chrono::steady_clock::now();
      const double done = loop(kRounds, &own_sink);
      rate += 2 * done / std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      sink += own_sink;
    }
    best = std::max(best, rate);
  }
  // Never true, but the optimizer cannot know that.
  return sink == 0.125 ? 0 : best;
}

}  // namespace

Peak MeasurePeak(int threads) {
  Peak peak;
  peak.f32 = BestRate(threads, HWY_DYNAMIC_DISPATCH(MultiplyAddF32));
  peak.int8 = BestRate(threads, HWY_DYNAMIC_DISPATCH(MultiplyAddInt8));
  return peak;
}

}  // namespace tandem::conformance
#endif  // HWY_ONCE
