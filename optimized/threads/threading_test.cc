// Teams: who is in them, when they are smaller, and what is left of them in a child of fork().
#include "optimized/threads/threading.h"

#include <omp.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cfenv>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "api/core/float_environment.h"
#include "api/core/threadpool.h"
#include "gtest/gtest.h"
#include "optimized/threads/openmp.h"

namespace tandem {
namespace optimized {
namespace {

using std::chrono::milliseconds;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TANDEM_SANITIZED 1
#elif defined(__has_feature)
#define TANDEM_SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define TANDEM_SANITIZED 0
#endif

// The most threads of a team: OpenMP says it, where the library has it.
void SetThreads(int threads) {
  omp_set_num_threads(threads);
  if (!HasOpenMp()) SetMaxConcurrency(threads);
}

TEST(Team, IsSmallerAfterOneOfItsThreadsCameLate) {
  SetThreads(2);
  TeamBackoff backoff(BackoffSwitch::kOn);
  // The pause is over before its effect is seen only if that takes 16 ms.
  int size = 2;
  for (int attempt = 0; attempt < 100 && size == 2; ++attempt) {
    RunTeam(2, &backoff, [](int thread, int) {
      if (thread == 1) usleep(5000);
    });
    size = TeamSize(2, &backoff);
  }
  EXPECT_EQ(size, 1);
  EXPECT_GE(backoff.stalls(), 1u);
}

// Ends with `body`'s result as its exit status, or by SIGALRM.
template <class Body>
int StatusOfChild(const Body& body) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(300);
    _exit(body());
  }
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

int ThreadsThatRun() {
  std::atomic<int> count{0};
  TeamBackoff none(BackoffSwitch::kOff);
  RunTeam(TeamSize(2, &none), &none, [&](int, int) { ++count; });
  return count;
}

// A child has none of its parent's workers, and makes its own.
TEST(RunTeam, HasNewThreadsInAChildOfAThreadThatHadATeam) {
  if (std::getenv("TANDEM_EMULATOR") != nullptr) GTEST_SKIP() << "qemu-user 7.2 fails an assertion of its own";
  SetThreads(2);
  EXPECT_EQ(ThreadsThatRun(), 2);
  EXPECT_EQ(StatusOfChild([] { return ThreadsThatRun() == 2 ? 0 : 1; }), 0);
  EXPECT_EQ(ThreadsThatRun(), 2);
}

TEST(RunTeam, HasNewThreadsInAChildOfAThreadWhoseOwnRegionHadATeam) {
  if (std::getenv("TANDEM_EMULATOR") != nullptr) GTEST_SKIP() << "qemu-user 7.2 fails an assertion of its own";
  int threads = 0;
  const auto own_region = [&threads] {
#pragma omp parallel num_threads(2)
#pragma omp atomic
    ++threads;
    return StatusOfChild([] { return ThreadsThatRun() == 2 ? 0 : 1; });
  };
  int status = -1;
  std::thread([&] { status = own_region(); }).join();
  EXPECT_EQ(threads, 2);
  EXPECT_EQ(status, 0);
}

TEST(RunTeam, HasItsThreadsInANewThreadOfAChild) {
  if (std::getenv("TANDEM_EMULATOR") != nullptr) GTEST_SKIP() << "qemu-user 7.2 fails an assertion of its own";
  SetThreads(2);
  EXPECT_EQ(ThreadsThatRun(), 2);
  const auto in_new_thread = [] {
    int threads = 0;
    std::thread([&threads] { threads = ThreadsThatRun(); }).join();
    return threads == 2 ? 0 : 1;
  };
  EXPECT_EQ(StatusOfChild(in_new_thread), 0);
}

int OpenMpThreadsThatRun() {
  std::atomic<int> count{0};
  const auto run = [](const void* its_count, int, int) {
    ++*static_cast<std::atomic<int>*>(const_cast<void*>(its_count));
  };
  RunOpenMpTeam(2, {run, &count});
  return count;
}

// GCC's runtime would wait for the parent's threads.
TEST(RunOpenMpTeam, IsAloneInAChild) {
  if (!HasOpenMp()) GTEST_SKIP() << "this library has no OpenMP";
  EXPECT_EQ(OpenMpThreadsThatRun(), 2);
  EXPECT_EQ(StatusOfChild([] { return OpenMpThreadsThatRun() == 1 ? 0 : 1; }), 0);
  EXPECT_EQ(OpenMpThreadsThatRun(), 2);
}

// 0 if a team of four has fewer threads while `limit` is what the process has already, and all of them afterwards.
int WithoutNewThreads(int limit) {
  // Root has as many processes as it likes.
  if (limit == RLIMIT_NPROC && geteuid() == 0 && setuid(65534) != 0) return 1;
  SetThreads(4);
  rlimit saved = {};
  getrlimit(static_cast<__rlimit_resource>(limit), &saved);
  const rlimit none = {1, saved.rlim_max};
  setrlimit(static_cast<__rlimit_resource>(limit), &none);
  TeamBackoff backoff(BackoffSwitch::kOff);
  std::atomic<int> count{0};
  int team = 0;
  RunTeam(4, &backoff, [&](int, int threads) {
    ++count;
    team = threads;
  });
  if (count != 1 || team != 1) return 2;
  setrlimit(static_cast<__rlimit_resource>(limit), &saved);
  // New threads are tried again after a while.
  for (int attempt = 0; attempt < 1000 && count != 4; ++attempt) {
    usleep(10000);
    count = 0;
    RunTeam(4, &backoff, [&](int, int) { ++count; });
  }
  return count == 4 ? 0 : 3;
}

TEST(RunTeam, IsSmallerWhereTheProcessMayHaveNoMoreThreads) {
  if (std::getenv("TANDEM_EMULATOR") != nullptr) GTEST_SKIP() << "qemu-user 7.2 fails an assertion of its own";
  EXPECT_EQ(StatusOfChild([] { return WithoutNewThreads(RLIMIT_NPROC); }), 0);
}

TEST(RunTeamDeathTest, IsSmallerWhereThereIsNoAddressSpaceForStacks) {
  if (std::getenv("TANDEM_EMULATOR") != nullptr) GTEST_SKIP() << "qemu-user starts no program anew";
  if (TANDEM_SANITIZED) GTEST_SKIP() << "a sanitizer needs address space of its own";
  // A new process has no stacks of threads that have ended.
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(std::_Exit(WithoutNewThreads(RLIMIT_AS)), testing::ExitedWithCode(0), "");
}

size_t ThreadsOfTheProcess() {
  size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) count += !entry.path().empty();
  return count;
}

TEST(RunTeam, LeavesNoThreadsOfAThreadThatEnds) {
  SetThreads(2);
  const size_t before = ThreadsOfTheProcess();
  size_t during = 0;
  std::thread([&] {
    EXPECT_EQ(ThreadsThatRun(), 2);
    during = ThreadsOfTheProcess();
  }).join();
  EXPECT_EQ(during, before + 2);
  // The kernel removes a thread that was joined a little later.
  for (int i = 0; i < 1000 && ThreadsOfTheProcess() > before; ++i) usleep(10000);
  EXPECT_EQ(ThreadsOfTheProcess(), before);
}

// "S" of a thread that sleeps, "R" of one that runs or spins; '?' if there is none.
char StateOf(pid_t thread) {
  std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/stat");
  const std::string stat((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const size_t name_end = stat.rfind(')');
  return name_end == std::string::npos || name_end + 2 >= stat.size() ? '?' : stat[name_end + 2];
}

// Between executions a worker leaves its core to others, after a while: it must be seen asleep within two minutes. How long the
// while is depends on the size of the team: a machine of one core has none.
TEST(RunTeam, ItsIdleThreadsSleep) {
  if (std::getenv("TANDEM_EMULATOR") != nullptr) GTEST_SKIP() << "qemu-user shows the states of its own threads";
  const char* const policy = std::getenv("OMP_WAIT_POLICY");
  const std::string before = policy == nullptr ? "" : policy;
  unsetenv("OMP_WAIT_POLICY");
  char state = '?';
  std::thread([&] {
    std::atomic<pid_t> worker{0};
    RunTeam(2, ProcessBackoff(), [&](int thread, int) {
      if (thread == 1) worker = static_cast<pid_t>(syscall(SYS_gettid));
    });
    for (int i = 0; i < 12000 && state != 'S'; ++i) {
      usleep(10000);
      state = StateOf(worker);
    }
  }).join();
  if (policy != nullptr) setenv("OMP_WAIT_POLICY", before.c_str(), 1);
  EXPECT_EQ(state, 'S');
}

// A handler of the client's runs in the client's threads.
TEST(RunTeam, KeepsSignalsFromItsThreads) {
  std::array<int, 2> blocked = {};
  std::thread([&] {
    RunTeam(2, ProcessBackoff(), [&](int thread, int) {
      sigset_t set;
      pthread_sigmask(SIG_BLOCK, nullptr, &set);
      blocked[static_cast<size_t>(thread)] = sigismember(&set, SIGTERM);
    });
  }).join();
  EXPECT_EQ(blocked, (std::array<int, 2>{0, 1}));
}

// Ends with 0 if each thread of a team may run on the processors of its place only: the next one for each thread, the
// first one again after the last.
void ExitWithPlaces() {
  constexpr size_t kTeam = 3;
  std::array<cpu_set_t, kTeam> where;
  TeamBackoff backoff(BackoffSwitch::kOff);
  RunTeam(kTeam, &backoff,
          [&](int thread, int) { sched_getaffinity(0, sizeof(cpu_set_t), &where[static_cast<size_t>(thread)]); });
  const int places = omp_get_num_places();
  if (places == 0) std::_Exit(1);
  for (size_t i = 1; i < kTeam; ++i) {
    const int place = static_cast<int>(i) % places;
    std::vector<int> processors(static_cast<size_t>(omp_get_place_num_procs(place)));
    omp_get_place_proc_ids(place, processors.data());
    cpu_set_t wanted;
    CPU_ZERO(&wanted);
    for (const int processor : processors) CPU_SET(static_cast<size_t>(processor), &wanted);
    if (!CPU_EQUAL(&where[i], &wanted)) std::_Exit(2);
  }
  std::_Exit(0);
}

TEST(RunTeamDeathTest, PutsItsThreadsWhereOpenMpWould) {
  if (!HasOpenMp()) GTEST_SKIP() << "this library has no OpenMP";
  if (std::getenv("TANDEM_EMULATOR") != nullptr) GTEST_SKIP() << "qemu-user starts no program anew";
  // A new process, because OpenMP reads its environment once.
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  setenv("OMP_PROC_BIND", "close", 1);
  setenv("OMP_PLACES", "threads", 1);
  EXPECT_EXIT(ExitWithPlaces(), testing::ExitedWithCode(0), "");
  unsetenv("OMP_PROC_BIND");
  unsetenv("OMP_PLACES");
}

// A sleep can only last longer than asked.
TEST(Ticks, TellAStallFromAThreadThatIsOnTime) {
  const uint64_t begin = Ticks();
  EXPECT_LE(begin, Ticks());
  std::this_thread::sleep_for(milliseconds(50));
  EXPECT_GT(Ticks() - begin, kStallTicks);
}

TEST(FloatEnvironment, FlushesSubnormalsWhereTheProcessorCan) {
  volatile float least = std::numeric_limits<float>::min();
  const auto half = [&] { return least * 0.5f; };
  {
    const FloatEnvironment environment(Subnormals::kZero);
    EXPECT_EQ(half() == 0.f, HWY_ARCH_X86 || HWY_ARCH_ARM_A64);
  }
  EXPECT_GT(half(), 0.f);
}

// A new thread of a team has the mode of the thread that starts it.
TEST(RunTeam, RoundsToNearestInEveryThread) {
  std::array<float, 2> third = {};
  int mode = -1;
  std::thread([&] {
    std::fesetround(FE_DOWNWARD);
    RunTeam(2, ProcessBackoff(), [&](int thread, int) {
      const volatile float one = 1.f, three = 3.f;
      third[static_cast<size_t>(thread)] = one / three;
    });
    mode = std::fegetround();
  }).join();
  EXPECT_EQ(third[0], 0x1.555556p-2f);
  EXPECT_EQ(third[1], 0x1.555556p-2f);
  EXPECT_EQ(mode, FE_DOWNWARD);
}

}  // namespace
}  // namespace optimized
}  // namespace tandem
