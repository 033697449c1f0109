#include "conformance/sandbox/deadline.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "conformance/sandbox/messages/messages.h"

namespace tandem::conformance {
namespace {

constexpr int64_t kMs = 1000000;

// Returns the times of threads 1, 2, ... of a group.
GroupTimes Times(const std::vector<ThreadTimes>& threads) {
  GroupTimes times;
  for (const ThreadTimes& thread : threads) times.threads[static_cast<pid_t>(times.threads.size()) + 1] = thread;
  return times;
}

TEST(UsableTime, OfASleepingProcessIsAllOfIt) {
  const GroupTimes times = Times({{5 * kMs, 7 * kMs}, {9 * kMs, 1 * kMs}});
  EXPECT_EQ(UsableTime(times, times, 100 * kMs), 100 * kMs);
}

TEST(UsableTime, OfAProcessThatRunsIsAllOfIt) {
  EXPECT_EQ(UsableTime(Times({{5 * kMs, 7 * kMs, true}}), Times({{105 * kMs, 7 * kMs, true}}), 100 * kMs), 100 * kMs);
}

TEST(UsableTime, ExcludesTheWaitForAProcessor) {
  EXPECT_EQ(UsableTime(Times({{5 * kMs, 7 * kMs}}), Times({{15 * kMs, 97 * kMs}}), 100 * kMs), 10 * kMs);
}

TEST(UsableTime, ExcludesAWaitThatIsNotOver) {
  EXPECT_EQ(UsableTime(Times({{5 * kMs, 7 * kMs, true}}), Times({{6 * kMs, 7 * kMs, true}}), 100 * kMs), 1 * kMs);
}

TEST(UsableTime, ExcludesTheWaitsOfThreadsThatTakeTurns) {
  EXPECT_EQ(UsableTime(Times({{0, 0}, {0, 0}}), Times({{1 * kMs, 20 * kMs}, {20 * kMs, 50 * kMs}}), 100 * kMs),
            30 * kMs);
}

TEST(UsableTime, OfManyRunningThreadsIsThatOfTheLuckiest) {
  const std::vector<ThreadTimes> after = {{50 * kMs, 50 * kMs, true}, {70 * kMs, 30 * kMs, true}, {80 * kMs, 20 * kMs}};
  EXPECT_EQ(UsableTime(Times({{}, {}, {}}), Times(after), 100 * kMs), 80 * kMs);
}

TEST(UsableTime, CountsAThreadFromItsBirth) {
  EXPECT_EQ(UsableTime(Times({{0, 0}}), Times({{0, 0}, {30 * kMs, 60 * kMs}}), 100 * kMs), 40 * kMs);
}

// This is a child process in a group of its own, which runs `act`.
class Child {
 public:
  template <class Act>
  explicit Child(Act act) : pid_(fork()) {
    if (pid_ == 0) {
      setpgid(0, 0);
      act();
      _exit(0);
    }
    setpgid(pid_, pid_);
    ended_ = OwnedFd(static_cast<int>(syscall(SYS_pidfd_open, pid_, 0)));
  }
  ~Child() {
    kill(-pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  pid_t pid() const { return pid_; }
  bool EndsWithin(double seconds) const {
    Deadline deadline(seconds, pid_);
    std::vector<pollfd> fds = {{ended_.get(), POLLIN, 0}};
    return deadline.WaitFor(&fds);
  }

 private:
  pid_t pid_;
  OwnedFd ended_;
};

void UseProcessor(double seconds) {
  timespec used = {};
  while (static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec) < seconds) {
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  }
}

TEST(Deadline, IsOverForAProcessThatSleeps) {
  EXPECT_FALSE(Child([] { pause(); }).EndsWithin(0.2));
}

TEST(Deadline, IsOverForAProcessThatIsStopped) {
  EXPECT_FALSE(Child([] { raise(SIGSTOP); }).EndsWithin(0.2));
}

TEST(Deadline, IsOverForAProcessThatRunsForEver) {
  EXPECT_FALSE(Child([] { UseProcessor(1e9); }).EndsWithin(0.2));
}

TEST(Deadline, IsOverForProcessesThatStarveEachOther) {
  const Child crowd([] {
    for (int i = 0; i < 4; ++i) fork();
    UseProcessor(1e9);
  });
  EXPECT_FALSE(crowd.EndsWithin(0.2));
}

// Returns whether the kernel counts how long threads wait for a processor. It is asked about another process: qemu-user makes
// up a program's own /proc/PID/stat, without its group.
bool HasSchedulerStatistics() {
  const Child child([] { raise(SIGSTOP); });
  waitpid(child.pid(), nullptr, WUNTRACED);
  return ReadGroupTimes(child.pid()).threads[child.pid()].on_processor > 0;
}

// One process works for ever. Another needs a fifth of the processor and gets a tenth: by the clock on the wall it is late.
TEST(Deadline, IsNotOverForAProcessThatGetsNoProcessor) {
  if (!HasSchedulerStatistics()) GTEST_SKIP() << "this kernel has no scheduler statistics";
  const auto settle = [](int nice) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    return sched_setaffinity(0, sizeof one, &one) == 0 && setpriority(PRIO_PROCESS, 0, nice) == 0;
  };
  ASSERT_TRUE(settle(getpriority(PRIO_PROCESS, 0)));
  const Child greedy([] { UseProcessor(1e9); });
  const Child starved([&] {
    if (!settle(10)) _exit(1);
    UseProcessor(0.02);
  });
  EXPECT_TRUE(starved.EndsWithin(0.1));
}

TEST(Deadline, TakesAnEventThatCameWhileNobodyWaited) {
  const Child child([] { pause(); });
  auto [own, theirs] = SocketPair();
  Deadline deadline(0.01, child.pid());
  std::vector<pollfd> fds = {{own.get(), POLLIN, 0}};
  while (deadline.WaitFor(&fds)) {
  }
  ASSERT_TRUE(Send(theirs.get(), 'x'));
  EXPECT_FALSE(deadline.WaitFor(&fds));
  EXPECT_EQ(fds[0].revents, POLLIN);
}

}  // namespace
}  // namespace tandem::conformance
