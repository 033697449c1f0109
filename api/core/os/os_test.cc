#include "api/core/os/os.h"

#include <gtest/gtest.h>

#include <cstring>
#include <thread>

namespace tandem {
namespace os {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;

TEST(AllocateAligned, BeginsWhereItIsAsked) {
  for (size_t alignment = 64; alignment <= kHugePage; alignment *= 2) {
    void* data = AllocateAligned(alignment, alignment);
    ASSERT_NE(data, nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(data) % alignment, 0u);
    PreferHugePages(data, alignment / kHugePage * kHugePage);
    std::memset(data, 1, alignment);
    FreeAligned(data);
  }
  FreeAligned(nullptr);
}

TEST(Variable, IsNoneWhereItIsNotSet) {
  EXPECT_EQ(Variable("TANDEM_NOBODY_SETS_THIS"), std::nullopt);
  EXPECT_NE(Variable("PATH"), std::nullopt);
}

TEST(SleepWhile, EndsWithWakeAllAndNeverBeginsForAnotherValue) {
  std::atomic<uint32_t> word{1};
  SleepWhile(word, 0, hours(24));
  std::thread sleeper([&] {
    while (word.load() == 1) SleepWhile(word, 1, hours(24));
  });
  std::this_thread::sleep_for(milliseconds(20));
  word.store(2);
  WakeAll(&word);
  sleeper.join();
}

TEST(SleepWhile, EndsAfterTheLongestTime) {
  const std::atomic<uint32_t> word{1};
  const auto begin = std::chrono::steady_clock::now();
  // It may end early.
  while (std::chrono::steady_clock::now() - begin < milliseconds(20)) SleepWhile(word, 1, milliseconds(5));
}

TEST(RunTime, GrowsWhileAThreadRuns) {
  const ThreadClock clock = ClockOfThisThread();
  const auto before = RunTime(clock);
  const auto begin = std::chrono::steady_clock::now();
  // A clock of Windows moves with the scheduler's ticks, 16 ms.
  while (RunTime(clock) == before && std::chrono::steady_clock::now() - begin < std::chrono::minutes(1)) {
  }
  EXPECT_GT(RunTime(clock), before);
  EXPECT_EQ(RunTime(kNoClock).count(), 0);
}

TEST(Thread, RunsWithItsArgument) {
  std::atomic<int> value{0};
  Thread thread;
  ASSERT_TRUE(thread.Start(
      size_t{1} << 20, {}, [](void* its) { *static_cast<std::atomic<int>*>(its) = 7; }, &value));
  thread.Join();
  EXPECT_EQ(value, 7);
}

// Each thread has its own, which ends with it.
TEST(ThreadPointer, EndsWithItsThread) {
  static std::atomic<int> ended{0};
  ThreadPointer pointer;
  ASSERT_TRUE(pointer.Open([](void* its) { ended = *static_cast<int*>(its); }));
  int mine = 1, others = 2;
  ASSERT_TRUE(pointer.Set(&mine));
  std::thread([&] {
    EXPECT_EQ(pointer.Get(), nullptr);
    EXPECT_TRUE(pointer.Set(&others));
    EXPECT_EQ(pointer.Get(), &others);
  }).join();
  EXPECT_EQ(ended, 2);
  EXPECT_EQ(pointer.Get(), &mine);
  pointer.Set(nullptr);
  pointer.Close();
}

}  // namespace
}  // namespace os
}  // namespace tandem
