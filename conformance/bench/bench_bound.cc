#include "conformance/bench/bench_bound.h"

#include <unistd.h>

#include <algorithm>

#include "api/core/cell.h"
#include "conformance/problem/problem_notation.h"

namespace tandem::conformance {
namespace {

struct Level {
  const char* name;
  int size;  // sysconf
};

// Sizes are rounded up to an eighth of a power of two.
ReadKey KeyOf(double bytes, int threads, ReadOrder order) {
  constexpr size_t kSmallest = 16 << 10, kLargest = 256 << 20;
  size_t power = kSmallest;
  while (power < kLargest && static_cast<double>(2 * power) <= bytes) power *= 2;
  size_t size = power;
  while (size < kLargest && static_cast<double>(size) < bytes) size += power / 8;
  return {size, threads, order};
}

// All weights as one buffer: what is read once from it does not stay in a cache that they do not fit.
ReadKey OnceKey(const Traffic& traffic, int threads) {
  return KeyOf(traffic.all_bytes, threads, ReadOrder::kFromTheStart);
}
ReadKey StepKey(const Traffic& traffic, int threads) {
  return KeyOf(traffic.step_bytes, threads, ReadOrder::kBackAndForth);
}

}  // namespace

const char* ToString(Limit limit) {
  switch (limit) {
    case Limit::kArithmetic:
      return "arithmetic";
    case Limit::kWeights:
      return "weights";
  }
  return "?";
}

Traffic TrafficOf(const ProblemSpec& given) {
  ProblemSpec spec = given;
  ResolveDims(&spec);
  const double size =
      spec.fpmath == FpmathMode::kStrict ? static_cast<double>(SizeOf(TypesOf(spec.config).weights)) : 2.;
  const double slices = static_cast<double>(spec.l) * (IsBidirectional(spec.direction) ? 2 : 1);
  const double columns = static_cast<double>(NumGates(spec.cell)) * static_cast<double>(spec.dhc);
  const double layer = columns * static_cast<double>(spec.slc);
  const double iter =
      columns * static_cast<double>(spec.sic) + (spec.with_projection ? static_cast<double>(spec.dhc * spec.dic) : 0.);
  Traffic traffic;
  traffic.ops = CountOps(spec);
  traffic.step_bytes = iter * size;
  traffic.all_bytes = slices * (layer + iter) * size;
  if (spec.propagation == Propagation::kBackward) traffic.all_bytes += slices * (layer + iter) * sizeof(float);
  traffic.once_bytes = traffic.all_bytes;
  if (spec.t > 1) {
    traffic.once_bytes -= slices * traffic.step_bytes;
    traffic.steps = slices * static_cast<double>(spec.t);
  }
  return traffic;
}

void MachineRates::Measure(const ProblemSpec& spec) {
  const Traffic traffic = TrafficOf(spec);
  for (const int threads : threads_) {
    Peak& best = peak_[threads];
    const Peak now = MeasurePeak(threads);
    best.f32 = std::max(best.f32, now.f32);
    best.int8 = std::max(best.int8, now.int8);
    MeasureRead(OnceKey(traffic, threads));
    if (traffic.steps > 0) MeasureRead(StepKey(traffic, threads));
  }
}

double MachineRates::MeasureRead(const ReadKey& key) {
  const auto [bytes, threads, order] = key;
  return read_rate_[key] = std::max(read_rate_[key], MeasureReadRate(bytes, threads, order));
}

double MachineRates::PeakFor(const ProblemSpec& spec, int threads) const {
  return IsInt8(spec) ? peak_.at(threads).int8 : peak_.at(threads).f32;
}

Bound MachineRates::BoundOf(const ProblemSpec& spec, int threads) const {
  const Traffic traffic = TrafficOf(spec);
  const double arithmetic = traffic.ops / PeakFor(spec, threads);
  double weights = traffic.once_bytes / read_rate_.at(OnceKey(traffic, threads));
  if (traffic.steps > 0) {
    weights += traffic.steps * traffic.step_bytes / read_rate_.at(StepKey(traffic, threads));
  }
  if (weights > arithmetic) return {weights, Limit::kWeights};
  return {arithmetic, Limit::kArithmetic};
}

Roof MachineRates::RoofOf(int threads) {
  constexpr Level kLevels[] = {
      {"L1", _SC_LEVEL1_DCACHE_SIZE}, {"L2", _SC_LEVEL2_CACHE_SIZE}, {"L3", _SC_LEVEL3_CACHE_SIZE}};
  Roof roof;
  roof.threads = threads;
  roof.peak = peak_[threads];
  for (const Level& level : kLevels) {
    const double size = static_cast<double>(sysconf(level.size));
    if (size <= 0) continue;
    // Half of a cache, so that nothing else pushes the buffer out.
    const ReadKey key = KeyOf(size / 2, threads, ReadOrder::kFromTheStart);
    const auto known = read_rate_.find(key);
    roof.levels.push_back({level.name, known == read_rate_.end() ? MeasureRead(key) : known->second});
  }
  return roof;
}

}  // namespace tandem::conformance
