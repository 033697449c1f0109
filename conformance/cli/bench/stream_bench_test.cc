#include "conformance/cli/bench/stream_bench.h"

#include <gtest/gtest.h>

namespace tandem::conformance {
namespace {

TEST(StreamBench, PercentilesAreThoseOfSingleCallsWithoutTheClock) {
  std::vector<double> calls(10'000, 50.0);
  for (int i = 0; i < 20; ++i) calls[static_cast<size_t>(i) * 7] = 120.0;  // 0.2 %
  calls[3] = calls[5] = 900.0;                                             // 0.02 %
  const CallTimes times = TimesOf({{40, 60, 45}, calls}, 20);
  EXPECT_EQ(times.call, 45);
  EXPECT_EQ(times.p50, 30);
  EXPECT_EQ(times.p999, 100);
  EXPECT_EQ(times.p9999, 880);
}

TEST(StreamBench, ACallShorterThanTheClockTakesNoTime) { EXPECT_EQ(TimesOf({{1}, {5, 5, 5}}, 20).p50, 0); }

// A program behind a pipe: the way to it is in no sample, and neither is our clock.
TEST(StreamBench, AnImplementationWithAClockTellsItsOwnTimes) {
  int calls = 0;
  const PreparedCall call = {[&] { return ++calls > 0; }, [&] { return calls % 100 == 0 ? 4e-6 : 3e-6; }};
  CallSamples samples;
  TakeRound(call, &samples);
  EXPECT_EQ(samples.calls.size(), static_cast<size_t>(calls));
  const CallTimes times = TimesOf(samples, 20);
  EXPECT_NEAR(times.call, 3000, 1e-6);
  EXPECT_NEAR(times.p50, 3000, 1e-6);
  EXPECT_NEAR(times.p999, 4000, 1e-6);
}

TEST(StreamBench, AnExecutionThatFailsEndsTheRound) {
  CallSamples samples;
  TakeRound({[] { return false; }, [] { return 1.0; }}, &samples);
  EXPECT_TRUE(samples.calls.empty());
}

TEST(StreamBench, ALineHasTheRatioToTheFirst) {
  EXPECT_EQ(CallText("streams", {50, 51, 60, 75}, 100, 4),
            "  streams            50 ns a call  p50 51  p99.9 60  p99.99 75  80 M rows a second  0.50 x\n");
}

TEST(StreamBench, ReadingTheClockTakesTime) { EXPECT_GT(ClockNanoseconds(), 0); }

}  // namespace
}  // namespace tandem::conformance
