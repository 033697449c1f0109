#include "conformance/bench/bench_bound.h"

#include <unistd.h>

#include <algorithm>

#include "api/core/cell.h"
#include "conformance/problem/problem_notation.h"

namespace tandem::conformance {
namespace {

// Sizes are rounded up to an eighth of a power of two.
constexpr size_t kSmallest = 16 << 10, kLargest = 256 << 20;

struct Level {
  const char* name;
  int size;  // sysconf
};

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

MachineRates::MachineRates(const std::vector<int>& threads) : threads_(threads), peak_(threads.size()) { Refresh(); }

void MachineRates::Refresh() {
  for (size_t i = 0; i < threads_.size(); ++i) {
    const Peak now = MeasurePeak(threads_[i]);
    peak_[i].f32 = std::max(peak_[i].f32, now.f32);
    peak_[i].int8 = std::max(peak_[i].int8, now.int8);
  }
  for (const ReadKey& key : asked_) {
    const auto [bytes, number, order] = key;
    read_rate_[key] = std::max(read_rate_[key], MeasureReadRate(bytes, number, order));
  }
  asked_.clear();
}

const Peak& MachineRates::PeakOf(int threads) const {
  return peak_[std::find(threads_.begin(), threads_.end(), threads) - threads_.begin()];
}

double MachineRates::PeakFor(const ProblemSpec& spec, int threads) const {
  return IsInt8(spec) ? PeakOf(threads).int8 : PeakOf(threads).f32;
}

double MachineRates::ReadRate(double bytes, int threads, ReadOrder order) {
  size_t size = kSmallest;
  while (size < kLargest && static_cast<double>(size) < bytes) {
    size_t power = kSmallest;
    while (power * 2 <= size) power *= 2;
    size += power / 8;
  }
  const ReadKey key = {size, threads, order};
  asked_.insert(key);
  double& rate = read_rate_[key];
  if (rate == 0) rate = MeasureReadRate(size, threads, order);
  return rate;
}

Bound MachineRates::BoundOf(const ProblemSpec& spec, int threads) {
  const Traffic traffic = TrafficOf(spec);
  const double arithmetic = traffic.ops / PeakFor(spec, threads);
  double weights = traffic.once_bytes / ReadRate(traffic.all_bytes, threads, ReadOrder::kFromTheStart);
  if (traffic.steps > 0) {
    const double rate = ReadRate(traffic.step_bytes, threads, ReadOrder::kBackAndForth);
    weights += traffic.steps * traffic.step_bytes / rate;
  }
  if (weights > arithmetic) return {weights, Limit::kWeights};
  return {arithmetic, Limit::kArithmetic};
}

Roof MachineRates::RoofOf(int threads) {
  constexpr Level kLevels[] = {
      {"L1", _SC_LEVEL1_DCACHE_SIZE}, {"L2", _SC_LEVEL2_CACHE_SIZE}, {"L3", _SC_LEVEL3_CACHE_SIZE}};
  Roof roof;
  roof.threads = threads;
  roof.peak = PeakOf(threads);
  for (const Level& level : kLevels) {
    const double size = static_cast<double>(sysconf(level.size));
    // Half of a cache, so that nothing else pushes the buffer out.
    if (size > 0) roof.levels.push_back({level.name, ReadRate(size / 2, threads, ReadOrder::kFromTheStart)});
  }
  return roof;
}

}  // namespace tandem::conformance
