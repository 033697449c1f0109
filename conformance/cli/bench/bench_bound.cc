#include "conformance/cli/bench/bench_bound.h"

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "api/core/cell.h"
#include "conformance/cli/bench/thread_supply.h"
#include "conformance/problem/problem_notation.h"
#include "conformance/problem/row_lengths.h"

namespace tandem::conformance {
namespace {

double Median(std::vector<double> samples) {
  const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
  std::nth_element(samples.begin(), middle, samples.end());
  return *middle;
}

double ReadRate(double bytes, int threads, ReadOrder order) {
  constexpr double kSmallest = 16 << 10, kLargest = 256 << 20;
  return MeasureReadRate(static_cast<size_t>(std::clamp(bytes, kSmallest, kLargest)), threads, order);
}

}  // namespace

Factors FactorsOf(const ProblemSpec& spec) {
  if (IsInt8(spec) || IsDynamic(spec)) return Factors::kInt8;
  const bool may_narrow = spec.fpmath == FpmathMode::kBf16 || spec.fpmath == FpmathMode::kAny;
  return may_narrow || TypesOf(spec.config).weights == DataType::kBf16 ? Factors::kBf16 : Factors::kF32;
}

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
  traffic.live_share = spec.lengths == RowLengths::kNone ? 1. : LiveShare(spec);
  traffic.ops = CountOps(spec) * traffic.live_share;
  traffic.step_bytes = iter * size;
  traffic.all_bytes = slices * (layer + iter) * size;
  if (spec.propagation == Propagation::kBackward) traffic.all_bytes += slices * (layer + iter) * sizeof(float);
  traffic.once_bytes = traffic.all_bytes;
  const std::vector<Dim> lengths = RowLengthsOf(spec);
  const Dim longest = lengths.empty() ? spec.t : *std::max_element(lengths.begin(), lengths.end());
  if (longest > 1) {
    traffic.once_bytes -= slices * traffic.step_bytes;
    traffic.steps = slices * static_cast<double>(longest);
  }
  return traffic;
}

ProblemRates::ProblemRates(const ProblemSpec& spec, const std::vector<int>& threads)
    : factors_(FactorsOf(spec)), traffic_(TrafficOf(spec)) {
  for (const int n : threads) {
    samples_[n];
    RequireThreads(n);  // before anything is timed
  }
}

void ProblemRates::Measure() {
  for (auto& [threads, samples] : samples_) {
    samples.peak.push_back(MeasurePeak(factors_, threads));
    // All weights are one buffer. If they do not fit in a cache, what is read once does not stay there.
    samples.once.push_back(ReadRate(traffic_.all_bytes, threads, ReadOrder::kFromTheStart));
    if (traffic_.steps > 0) {
      samples.step.push_back(ReadRate(traffic_.step_bytes, threads, ReadOrder::kBackAndForth));
    }
  }
}

double ProblemRates::PeakOn(int threads) const { return Median(samples_.at(threads).peak); }

Bound ProblemRates::BoundOn(int threads) const {
  const Samples& samples = samples_.at(threads);
  const double arithmetic = traffic_.ops / PeakOn(threads);
  double weights = traffic_.once_bytes / Median(samples.once);
  if (traffic_.steps > 0) weights += traffic_.steps * traffic_.step_bytes / Median(samples.step);
  if (weights > arithmetic) return {weights, Limit::kWeights};
  return {arithmetic, Limit::kArithmetic};
}

Roof MeasureRoof(int threads) {
  constexpr std::pair<const char*, int> kLevels[] = {
      {"L1", _SC_LEVEL1_DCACHE_SIZE}, {"L2", _SC_LEVEL2_CACHE_SIZE}, {"L3", _SC_LEVEL3_CACHE_SIZE}};
  Roof roof;
  roof.threads = threads;
  roof.f32 = MeasurePeak(Factors::kF32, threads);
  roof.bf16 = MeasurePeak(Factors::kBf16, threads);
  roof.int8 = MeasurePeak(Factors::kInt8, threads);
  for (const auto& [name, of_sysconf] : kLevels) {
    const double size = static_cast<double>(sysconf(of_sysconf));
    if (size <= 0) continue;
    // The buffer has half of the cache's size, so that nothing else pushes it out.
    roof.levels.push_back({name, ReadRate(size / 2, threads, ReadOrder::kFromTheStart)});
  }
  return roof;
}

}  // namespace tandem::conformance
