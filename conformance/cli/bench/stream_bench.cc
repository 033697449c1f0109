#include "conformance/cli/bench/stream_bench.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>

namespace tandem::conformance {
namespace {

using Clock = std::chrono::steady_clock;

double Nanoseconds(Clock::duration duration) { return std::chrono::duration<double, std::nano>(duration).count(); }

// Returns the value that `share` of the sorted values do not exceed.
double Percentile(const std::vector<double>& sorted, double share) {
  const auto at = static_cast<size_t>(share * static_cast<double>(sorted.size()));
  return sorted[std::min(at, sorted.size() - 1)];
}

constexpr int kRounds = 40;          // the implementations take turns in them
constexpr int kCallsInRound = 2500;  // each with a clock; 100,000 in all
constexpr int kBlocksInRound = 10;
constexpr int kCallsInBlock = 250;

void TakeTimes(const std::function<bool()>& execute, CallSamples* samples) {
  for (int i = 0; i < kCallsInBlock; ++i) execute();
  for (int block = 0; block < kBlocksInRound; ++block) {
    const Clock::time_point begin = Clock::now();
    for (int i = 0; i < kCallsInBlock; ++i) execute();
    samples->blocks.push_back(Nanoseconds(Clock::now() - begin) / kCallsInBlock);
  }
  Clock::time_point last = Clock::now();
  for (int i = 0; i < kCallsInRound; ++i) {
    execute();
    const Clock::time_point now = Clock::now();
    samples->calls.push_back(Nanoseconds(now - last));
    last = now;
  }
}

// The way to a program behind a pipe takes 0.3 ms, so there are fewer calls, and each is also a block of its own.
void TakeItsWord(const PreparedCall& call, CallSamples* samples) {
  samples->by_own_clock = true;
  for (int i = 0; i < kCallsInBlock && call.execute(); ++i) samples->calls.push_back(1e9 * call.last_seconds());
  samples->blocks = samples->calls;
}

}  // namespace

void TakeRound(const PreparedCall& call, CallSamples* samples) {
  call.last_seconds ? TakeItsWord(call, samples) : TakeTimes(call.execute, samples);
}

double ClockNanoseconds() {
  std::vector<double> distances;
  Clock::time_point last = Clock::now();
  for (int i = 0; i < 10'001; ++i) {
    const Clock::time_point now = Clock::now();
    distances.push_back(Nanoseconds(now - last));
    last = now;
  }
  std::sort(distances.begin(), distances.end());
  return Percentile(distances, 0.5);
}

CallTimes TimesOf(CallSamples samples, double clock) {
  std::sort(samples.blocks.begin(), samples.blocks.end());
  std::sort(samples.calls.begin(), samples.calls.end());
  const double read = samples.by_own_clock ? 0 : clock;
  const auto without_clock = [&](double share) { return std::max(0.0, Percentile(samples.calls, share) - read); };
  return {Percentile(samples.blocks, 0.5), without_clock(0.5), without_clock(0.999), without_clock(0.9999)};
}

std::string CallText(const std::string& implementation, const CallTimes& times, double first, Dim rows) {
  char text[200];
  std::snprintf(text, sizeof text,
                "  %-12s %8.0f ns a call  p50 %.0f  p99.9 %.0f  p99.99 %.0f  %.4g M rows a second  %.2f x\n",
                implementation.c_str(), times.call, times.p50, times.p999, times.p9999,
                1e3 * static_cast<double>(rows) / times.call, times.call / first);
  return text;
}

std::vector<StreamTiming> TimeCalls(const std::vector<Contender>& contenders, const ProblemSpec& spec, double clock) {
  std::vector<CallSamples> samples(contenders.size());
  const std::vector<std::string> refused =
      CallInTurns(contenders, spec, kRounds, [&](size_t i, const PreparedCall& call) { TakeRound(call, &samples[i]); });
  std::vector<StreamTiming> timings;
  for (size_t i = 0; i < contenders.size(); ++i) {
    timings.push_back({contenders[i].plugin.word, refused[i], {}});
    if (!refused[i].empty()) continue;
    timings.back().times = TimesOf(std::move(samples[i]), clock);
  }
  return timings;
}

}  // namespace tandem::conformance
