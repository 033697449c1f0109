#include "conformance/cli/bench/bench_peak.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "conformance/cli/bench/bench_peak.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
// highway.h must come after foreach_target.h:
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace tandem::conformance {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Twelve independent sums hide the latency (4 cycles x 2 units, 5 x 2 for VNNI) and fit in 16 registers.
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

#if HWY_NATIVE_DOT_BF16
double MultiplyAddBf16(long rounds, double* sink) {
  constexpr int kMoreSums = 24;  // they hide a latency of six cycles x 2 units (Zen 5) and fit in 32 registers
  const hn::ScalableTag<float> d;
  const hn::Repartition<hwy::bfloat16_t, decltype(d)> pairs;
  const auto a = hn::OrderedDemote2To(pairs, hn::Set(d, static_cast<float>(rounds) * 1e-20f), hn::Set(d, 1e-20f));
  hn::Vec<decltype(d)> sum[kMoreSums], second = hn::Zero(d);
  HWY_UNROLL(24)
  for (int i = 0; i < kMoreSums; ++i) sum[i] = hn::Set(d, 1.f + i);
  const long turns = rounds * kSums / kMoreSums;
  for (long r = 0; r < turns; ++r) {
    HWY_UNROLL(24)
    for (int i = 0; i < kMoreSums; ++i) sum[i] = hn::ReorderWidenMulAccumulate(d, a, a, sum[i], second);
  }
  for (int i = 0; i < kMoreSums; ++i) *sink += hn::ReduceSum(d, sum[i]);
  return static_cast<double>(turns) * kMoreSums * hn::Lanes(pairs);
}
#else
double MultiplyAddBf16(long rounds, double* sink) { return MultiplyAddF32(rounds, sink); }
#endif

#if HWY_ARCH_X86 && HWY_TARGET > HWY_AVX3_DL
// Returns v as a value of which the compiler knows nothing.
template <class V>
HWY_INLINE V Opaque(V v) {
#if HWY_COMPILER_GCC && HWY_TARGET != HWY_EMU128
  asm volatile("" : "+v"(v.raw));
#endif
  return v;
}

// Without VNNI exact sums take pairs of 16 bits, because the instruction that multiplies bytes saturates. The compiler must not
// see that all turns have the same products, nor multiply several turns before it adds.
double MultiplyAddInt8(long rounds, double* sink) {
  const hn::ScalableTag<int32_t> d;
  const hn::Repartition<int16_t, decltype(d)> dw;
  constexpr long kTurns = 8;
  HWY_ALIGN int16_t factors[kSums * HWY_MAX_BYTES / 2];
  for (size_t i = 0; i < kSums * hn::Lanes(dw); ++i) factors[i] = static_cast<int16_t>(i);
  auto a = hn::BitCast(dw, hn::Set(d, static_cast<int32_t>(rounds)));
  hn::Vec<decltype(d)> sum[kSums];
  HWY_UNROLL(12)
  for (size_t i = 0; i < size_t{kSums}; ++i) sum[i] = hn::Zero(d);
  const long loops = rounds / kTurns;
  for (long r = 0; r < loops; ++r) {
    HWY_UNROLL(8)
    for (long turn = 0; turn < kTurns; ++turn) {
      a = Opaque(a);
      HWY_UNROLL(12)
      for (size_t i = 0; i < size_t{kSums}; ++i) {
        sum[i] = Opaque(hn::Add(sum[i], hn::WidenMulPairwiseAdd(d, hn::Load(dw, factors + i * hn::Lanes(dw)), a)));
      }
    }
  }
  for (size_t i = 0; i < size_t{kSums}; ++i) *sink += hn::ReduceSum(d, sum[i]);
  return static_cast<double>(loops * kTurns) * static_cast<double>(kSums * hn::Lanes(dw));
}
#else
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
#endif

#if HWY_TARGET == HWY_AVX2
// The arguments are values: GCC would keep an array that assembly changes in memory.
template <class V>
HWY_INLINE V AddQuads(V sum, V a) {
  asm volatile("%{vex%} vpdpbusd %1, %1, %0" : "+x"(sum.raw) : "x"(a.raw));
  return sum;
}

double MultiplyAddAvxVnni(long rounds, double* sink) {
  const hn::ScalableTag<int32_t> d;
  const auto a = hn::Set(d, static_cast<int32_t>(rounds));
  hn::Vec<decltype(d)> sum[kSums];
  HWY_UNROLL(12)
  for (int i = 0; i < kSums; ++i) sum[i] = hn::Set(d, i);
  for (long r = 0; r < rounds; ++r) {
    HWY_UNROLL(12)
    for (int i = 0; i < kSums; ++i) sum[i] = AddQuads(sum[i], a);
  }
  for (int i = 0; i < kSums; ++i) *sink += hn::ReduceSum(d, sum[i]);
  return static_cast<double>(rounds) * kSums * 4 * hn::Lanes(d);
}
#else
double MultiplyAddAvxVnni(long rounds, double* sink) { return MultiplyAddInt8(rounds, sink); }
#endif

// Reads `floats` once, in streams that are independent of each other.
double Read(const float* HWY_RESTRICT from, size_t floats) {
  const hn::ScalableTag<float> d;
  const size_t lanes = hn::Lanes(d);
  hn::Vec<decltype(d)> sum[kSums];
  HWY_UNROLL(12)
  for (int i = 0; i < kSums; ++i) sum[i] = hn::Zero(d);
  size_t at = 0;
  for (; at + kSums * lanes <= floats; at += kSums * lanes) {
    HWY_UNROLL(12)
    for (int i = 0; i < kSums; ++i) sum[i] = hn::Add(sum[i], hn::LoadU(d, from + at + i * lanes));
  }
  for (; at + lanes <= floats; at += lanes) sum[0] = hn::Add(sum[0], hn::LoadU(d, from + at));
  for (int i = 1; i < kSums; ++i) sum[0] = hn::Add(sum[0], sum[i]);
  return hn::ReduceSum(d, sum[0]);
}

}  // namespace HWY_NAMESPACE
}  // namespace tandem::conformance
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#if HWY_ARCH_X86
#include <cpuid.h>
#endif
#include <omp.h>
#include <strings.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <vector>

#include "conformance/cli/bench/thread_supply.h"
#include "conformance/cli/bench/tile_peak.h"
#include "hwy/aligned_allocator.h"

namespace tandem::conformance {
namespace {

HWY_EXPORT(MultiplyAddF32);
HWY_EXPORT(MultiplyAddBf16);
HWY_EXPORT(MultiplyAddInt8);
HWY_EXPORT(MultiplyAddAvxVnni);
HWY_EXPORT(Read);

bool Names(const char* name, const char* target) { return name != nullptr && strcasecmp(name, target) == 0; }

void HoldToTarget() {
  const char* name = std::getenv("TANDEM_TARGET");
  if (Names(name, "AVX2_VNNI")) name = "AVX2";
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    if (Names(name, hwy::TargetName(target))) hwy::SetSupportedTargetsForTest(target);
  }
}

// Asks for AVX-VNNI. Highway's AVX2 leaves it out; the optimized backend takes it unless TANDEM_TARGET is AVX2.
bool MultipliesWithAvxVnni() {
#if HWY_ARCH_X86
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  const char* name = std::getenv("TANDEM_TARGET");
  if (name != nullptr && *name != '\0') return Names(name, "AVX2_VNNI");
  const bool best = hwy::SupportedAndGeneratedTargets().front() == HWY_AVX2;
  return best && __get_cpuid_count(7, 1, &eax, &ebx, &ecx, &edx) != 0 && (eax >> 4 & 1) != 0;
#else
  return false;
#endif
}

double Seconds(std::chrono::steady_clock::time_point since) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - since).count();
}

// Returns the amount of `loop` in a second on all threads, the best of all repeats. loop(thread, &sink) returns its amount.
template <class Loop>
double BestRate(int threads, int repeats, const Loop& loop) {
  RequireThreads(threads);
  double best = 0, sink = 0;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    double rate = 0;
#pragma omp parallel num_threads(threads) reduction(+ : rate, sink)
    {
      double own_sink = 0;
#pragma omp barrier
      const auto start = std::chrono::steady_clock::now();
      const double done = loop(omp_get_thread_num(), &own_sink);
      rate += done / Seconds(start);
      sink += own_sink;
    }
    best = std::max(best, rate);
  }
  // The comparison is never true, but the optimizer cannot know that.
  return sink == 0.125 ? 0 : best;
}

// The optimized backend's own buffers have large pages from 2 MB on. Memory that was in use before would keep its small pages,
// so it is given back first. Both calls are hints: small pages are no error.
void AskForLargePages(void* data, size_t bytes) {
  const uintptr_t page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE)), begin = reinterpret_cast<uintptr_t>(data);
  const uintptr_t first = (begin + page - 1) / page * page, last = (begin + bytes) / page * page;
  if (bytes < size_t{2} << 20) return;
  madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
  madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
}

}  // namespace

double MeasurePeak(Factors factors, int threads) {
  constexpr long kRounds = 400000;  // about 1 ms
  constexpr int kRepeats = 5;
  constexpr long kTileTurns = 30000;
  HoldToTarget();
  const auto rate = [threads](double (*loop)(long, double*)) {
    return BestRate(threads, kRepeats, [loop](int, double* sink) { return 2 * loop(kRounds, sink); });
  };
  const auto tile_rate = [threads](double (*loop)(long)) {
    return BestRate(threads, kRepeats, [loop](int, double*) { return 2 * loop(kTileTurns); });
  };
  if (factors != Factors::kF32 && MultipliesWithTiles()) {
    return tile_rate(factors == Factors::kBf16 ? MultiplyAddTilesBf16 : MultiplyAddTilesInt8);
  }
  switch (factors) {
    case Factors::kF32:
      return rate(HWY_DYNAMIC_POINTER(MultiplyAddF32));
    case Factors::kBf16:  // vdpbf16ps has half of the speed on Intel's cores
      return std::max(rate(HWY_DYNAMIC_POINTER(MultiplyAddF32)), rate(HWY_DYNAMIC_POINTER(MultiplyAddBf16)));
    case Factors::kInt8:
      return MultipliesWithAvxVnni() ? rate(HWY_DYNAMIC_POINTER(MultiplyAddAvxVnni))
                                     : rate(HWY_DYNAMIC_POINTER(MultiplyAddInt8));
  }
  return 0;
}

double MeasureReadRate(size_t bytes, int threads, ReadOrder order) {
  HoldToTarget();
  constexpr size_t kSampleBytes = 2 << 20, kTotalBytes = 64 << 20;
  const size_t part = bytes / sizeof(float) / static_cast<size_t>(threads);
  std::vector<hwy::AlignedFreeUniquePtr<float[]>> parts;
  for (int i = 0; i < threads; ++i) {
    parts.push_back(hwy::AllocateAligned<float>(part));
    if (parts.back() == nullptr) throw std::bad_alloc();
    AskForLargePages(parts.back().get(), part * sizeof(float));
    std::fill(parts.back().get(), parts.back().get() + part, 0.f);
  }
  const size_t turns = std::max<size_t>(1, kSampleBytes / bytes / 2);
  const int repeats = static_cast<int>(std::max<size_t>(4, kTotalBytes / (2 * bytes * turns)));
  const size_t pieces = bytes > kSampleBytes ? 8 : 1, piece = part / pieces;
  return BestRate(threads, repeats, [&](int thread, double* sink) {
    const auto read = [&](size_t i) { *sink += HWY_DYNAMIC_DISPATCH(Read)(parts[thread].get() + i * piece, piece); };
    for (size_t turn = 0; turn < turns; ++turn) {
      for (size_t i = 0; i < pieces; ++i) read(i);
      for (size_t i = 0; i < pieces; ++i) read(order == ReadOrder::kBackAndForth ? pieces - 1 - i : i);
    }
    return static_cast<double>(2 * turns * pieces * piece * sizeof(float));
  });
}

double MeasureBarrier(int threads) {
  constexpr int kBarriers = 1000;
  const auto loop = [](int, double*) {
    for (int i = 0; i < kBarriers; ++i) {
#pragma omp barrier
    }
    return static_cast<double>(kBarriers);
  };
  return threads / BestRate(threads, 5, loop);
}

}  // namespace tandem::conformance
#endif  // HWY_ONCE
