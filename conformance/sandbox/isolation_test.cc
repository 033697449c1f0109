// A plugin may do things to its own process that it cannot do to the judge's.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "conformance/problem/generator.h"
#include "conformance/problem/problem_notation.h"
#include "conformance/sandbox/messages/processes.h"
#include "conformance/sandbox/runfiles.h"
#include "conformance/sandbox/runner.h"

namespace tandem::conformance {
namespace {

std::string BrokenPath() { return RunfilePath("conformance/sandbox/broken_plugin.so"); }

ExecutionReport Execute(const Plugin& plugin, Executor* executor, double timeout_seconds = 60) {
  const ProblemSpec spec = ParseProblem("--attr-scratchpad=user l1t2mb3sic5");
  const RnnProblem problem = ToRnnProblem(spec);
  TensorSet tensors(problem);
  FillInputs(spec, problem, &tensors);
  RunOptions run;
  run.timeout_seconds = timeout_seconds;
  run.executor = executor;
  return RunIsolated(plugin, problem, run, &tensors);
}

// The plugin misbehaves in run().
class Isolation : public testing::Test {
 protected:
  ExecutionReport RunBroken(const std::string& mood, double timeout_seconds = 60) {
    Executor executor(plugin_, {"TANDEM_BROKEN=" + mood});
    return Execute(plugin_, &executor, timeout_seconds);
  }
  // The judge goes on with the same plugin.
  void ExpectAlive() {
    const ExecutionReport report = RunBroken("");
    EXPECT_EQ(report.outcome.verdict(), Verdict::kPass) << report.message;
  }
  void ExpectFinding(const std::string& mood, Finding finding, const std::string& message) {
    const ExecutionReport report = RunBroken(mood);
    EXPECT_EQ(ToString(report.finding), std::string(ToString(finding))) << report.message;
    EXPECT_EQ(report.message, message);
    ExpectAlive();
  }

  const Plugin plugin_ = LoadPluginFile(BrokenPath());
};

bool IsAlive(pid_t process) {
  ProcessRecord record;
  return ReadProcess("/proc/" + std::to_string(process), &record) && record.state != 'Z';
}

TEST(Execution, ADeathBetweenTwoProblemsIsAVerdict) {
  const std::string mark = testing::TempDir() + "die_now";
  std::filesystem::remove(mark);
  setenv("TANDEM_BROKEN_MARK", mark.c_str(), 1);
  const Plugin plugin = LoadPluginFile(BrokenPath());
  unsetenv("TANDEM_BROKEN_MARK");
  Executor executor(plugin, {"TANDEM_BROKEN=die-later"});
  EXPECT_EQ(Execute(plugin, &executor).outcome.verdict(), Verdict::kPass);
  const pid_t process = executor.group();
  std::ofstream(mark) << "now";
  while (IsAlive(process)) usleep(1000);
  std::filesystem::remove(mark);
  const ExecutionReport report = Execute(plugin, &executor);
  EXPECT_EQ(report.finding, Finding::kSignal);
  EXPECT_EQ(report.message, "between two executions: Aborted");
  EXPECT_EQ(Execute(plugin, &executor).outcome.verdict(), Verdict::kPass);
}

TEST_F(Isolation, ScribblingOverAllSharedMemoryIsSeen) {
  ExpectFinding("scribble", Finding::kCanary, "dst_layer: bytes outside it were overwritten");
}

// The worker has a second mapping of this memory, which is always open.
TEST_F(Isolation, ScribblingOverAllOfTheWorkersOwnMemoryIsSeen) {
  ExpectFinding("scribble-own", Finding::kCanary, "the buffer for its text: bytes outside it were overwritten");
}

TEST_F(Isolation, SharedMemoryCannotBeResized) { EXPECT_EQ(RunBroken("resize").outcome.verdict(), Verdict::kPass); }

TEST_F(Isolation, InputsCannotBeMappedForWriting) {
  const ExecutionReport report = RunBroken("map-again");
  EXPECT_NE(report.finding, Finding::kInputChanged);
  ExpectAlive();
}

TEST_F(Isolation, AProcessGroupOfItsOwnIsKilled) { ExpectFinding("kill-group", Finding::kSignal, "run(): Killed"); }

TEST_F(Isolation, AParentThatIsKilledIsNotTheJudge) {
  const ExecutionReport report = RunBroken("kill-parent");
  EXPECT_EQ(report.finding, Finding::kSignal) << report.message;
  ExpectAlive();
}

TEST_F(Isolation, APluginThatIsGoneWhenItMustBeLoadedAgainIsAVerdict) {
  const std::string path = testing::TempDir() + "gone_plugin.so";
  std::filesystem::copy_file(BrokenPath(), path, std::filesystem::copy_options::overwrite_existing);
  const Plugin plugin = LoadPluginFile(path);
  std::filesystem::remove(path);
  Executor killer(plugin, {"TANDEM_BROKEN=kill-parent"}), other(plugin, {"TANDEM_BROKEN="});
  EXPECT_EQ(Execute(plugin, &killer).finding, Finding::kSignal);
  const ExecutionReport report = Execute(plugin, &other);
  EXPECT_EQ(report.finding, Finding::kBadAnswer) << report.message;
  EXPECT_NE(report.message.find("loading it again left no valid answer: cannot load implementation "),
            std::string::npos)
      << report.message;
}

TEST_F(Isolation, FiftyGigabytesAreRefused) {
  if (std::getenv("TANDEM_EMULATOR") != nullptr) GTEST_SKIP() << "qemu ignores RLIMIT_DATA";
  ExpectFinding("allocate", Finding::kRunFailed, "run() failed: no memory");
}

TEST_F(Isolation, ClosingAllDescriptorsIsAVerdict) {
  ExpectFinding("close-all", Finding::kBadAnswer,
                "run() left no valid answer: it closed the worker's connection to the judge");
}

TEST_F(Isolation, AStoppedProcessIsNotWaitedFor) {
  ExpectFinding("stop", Finding::kStopped, "run() stopped its process, which did not go on");
}

TEST_F(Isolation, AStoppedParentIsReplaced) {
  EXPECT_EQ(RunBroken("stop-parent").outcome.verdict(), Verdict::kPass);
  ExpectAlive();
}

TEST_F(Isolation, AStolenTaskIsAVerdict) {
  Executor executor(plugin_, {"TANDEM_BROKEN=steal"});
  ExecutionReport report;
  // On a busy machine the thief waits for a message only after some tasks.
  for (int i = 0; i < 1000 && report.finding == Finding::kNone; ++i) report = Execute(plugin_, &executor);
  EXPECT_EQ(report.finding, Finding::kBadAnswer) << report.message;
  EXPECT_EQ(report.message, "between two executions left no valid answer: the worker did not receive its task");
  ExpectAlive();
}

TEST_F(Isolation, AReplacedSocketIsAVerdict) {
  ExpectFinding("replace-sockets", Finding::kBadAnswer,
                "run() left no valid answer: it closed the worker's connection to the judge");
}

// Returns how many processes are left that only this test's broken plugin starts. Its folder has Bazel's own "sleep 10", too.
int NumSleepers() {
  const std::string kSleeper("sleep\0001000", 10);
  int count = 0;
  ForEachNumber("/proc", [&](pid_t, const std::string& path) {
    ProcessRecord process;
    std::error_code error;
    count += ReadProcess(path, &process) && ReadStart(path + "/cmdline").substr(0, kSleeper.size()) == kSleeper &&
             process.state != 'Z' &&
             std::filesystem::read_symlink(path + "/cwd", error) == std::filesystem::current_path();
  });
  return count;
}
// The functions below look so often, each time a hundredth of a second later. Only a test that fails waits for so long.
constexpr int kMostLooks = 10000;
// A killed process may be there for a moment.
void ExpectNoSleepers() {
  for (int i = 0; i < kMostLooks && NumSleepers() != 0; ++i) usleep(10000);
  EXPECT_EQ(NumSleepers(), 0);
}
// A child has its parent's command line until its execl() is done, which run() does not wait for.
void ExpectSleepers() {
  for (int i = 0; i < kMostLooks && NumSleepers() == 0; ++i) usleep(10000);
  EXPECT_NE(NumSleepers(), 0);
}

TEST_F(Isolation, AProcessThatWouldOutliveTheRunIsNamedAndKilled) {
  if (std::getenv("TANDEM_EMULATOR") != nullptr) GTEST_SKIP() << "qemu-user 7.2 refuses PR_SET_CHILD_SUBREAPER";
  ExpectFinding("daemon", Finding::kProcessLeft, "run() left a process in a group of its own: sleep");
  ExpectFinding("daemon-and-crash", Finding::kSignal, "run(): Aborted; it left a process in a group of its own: sleep");
  ExpectNoSleepers();
}

TEST_F(Isolation, AProcessThatWouldOutliveAPluginWithThreadsIsNamedAndKilled) {
  if (std::getenv("TANDEM_EMULATOR") != nullptr) GTEST_SKIP() << "qemu-user 7.2 refuses PR_SET_CHILD_SUBREAPER";
  setenv("TANDEM_BROKEN", "thread-when-described", 1);
  const Plugin plugin = LoadPluginFile(BrokenPath());
  unsetenv("TANDEM_BROKEN");
  for (const auto& [mood, seconds] : {std::pair{"daemon", 60}, {"daemon-and-hang", 10}}) {
    Executor executor(plugin, {std::string("TANDEM_BROKEN=") + mood});
    const std::string message = Execute(plugin, &executor, seconds).message;
    EXPECT_NE(message.find(" left a process in a group of its own: sleep"), std::string::npos) << message;
  }
  ExpectNoSleepers();
}

TEST_F(Isolation, AProcessOfThePluginsGroupMayServeManyRuns) {
  {
    Executor executor(plugin_, {"TANDEM_BROKEN=helper"});
    EXPECT_EQ(Execute(plugin_, &executor).outcome.verdict(), Verdict::kPass);
    ExpectSleepers();
  }
  ExpectNoSleepers();
}

TEST_F(Isolation, AForgedMessageIsNoAnswer) {
  ExpectFinding("write-to-all", Finding::kBadAnswer, "run() left no valid answer: a message came that no worker sends");
}

TEST_F(Isolation, AForgedReportIsQuotedAndNotPrinted) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const ExecutionReport report = RunBroken("print");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(report.message, "run(): Aborted; it printed: \"all conform: reports are in report/\"");
}

TEST(Loading, EndsWithTheJudge) {
  const pid_t judge = fork();
  if (judge == 0) {
    LoadPluginFile("pipe:exec sleep 1000");
    _exit(0);
  }
  ExpectSleepers();
  kill(judge, SIGKILL);
  waitpid(judge, nullptr, 0);
  ExpectNoSleepers();
}

// Loads the plugin in a mood in which loading fails.
void ExpectLoadingFails(const char* mood, Finding finding, const std::string& what) {
  setenv("TANDEM_BROKEN", mood, 1);
  try {
    LoadPluginFile(BrokenPath(), std::string(mood).find("hang") == 0 ? 0.5 : 60);
    ADD_FAILURE() << mood;
  } catch (const PluginFailure& failure) {
    EXPECT_EQ(ToString(failure.finding()), std::string(ToString(finding))) << failure.what();
    EXPECT_EQ(failure.what(), "loading and describing " + BrokenPath() + what);
  }
  unsetenv("TANDEM_BROKEN");
}

TEST(Loading, ALimitOfMoreMemoryThanThereAreAddressesIsNone) {
  setenv("TANDEM_WORKER_GIB", "1e12", 1);
  EXPECT_NO_THROW(LoadPluginFile(BrokenPath()));
  unsetenv("TANDEM_WORKER_GIB");
}

TEST(Loading, ACrashIsAVerdict) { ExpectLoadingFails("crash-when-described", Finding::kSignal, ": Aborted"); }

TEST(Loading, AnExitIsAVerdict) { ExpectLoadingFails("exit-when-described", Finding::kExit, " ended the process"); }

TEST(Loading, AnExitInAConstructorIsAVerdict) {
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
  GTEST_SKIP() << "ThreadSanitizer ends a process that exits while it loads a library, and its output is lost";
#endif
#endif
  ExpectLoadingFails("exit-when-loaded", Finding::kExit,
                     " ended the process; it printed: \"reference: 1 of 1 problems pass all conform: reports are in "
                     "report/\"");
}

TEST(Loading, AHangInDescribeIsAVerdict) {
  ExpectLoadingFails("hang-when-described", Finding::kTimeLimit, " did not return within 0.5 s");
}

TEST(Loading, ClosingAllDescriptorsInAConstructorIsAVerdict) {
  ExpectLoadingFails("close-all-when-loaded", Finding::kBadAnswer,
                     " left no valid answer: it closed the worker's connection to the judge");
}

TEST(Loading, AnAnswerThatIsMissingIsAVerdict) {
  const std::pair<const char*, const char*> missing[] = {{"no-plugin", "it does not speak plugin ABI 2"},
                                                         {"other-abi", "it does not speak plugin ABI 2"},
                                                         {"no-run", "one of its functions is null"},
                                                         {"no-description", "it gives no description"},
                                                         {"no-name", "its description has no name"}};
  for (const auto& [mood, what] : missing) {
    for (const std::string prefix : {"", kComposePrefix}) {
      setenv("TANDEM_BROKEN", mood, 1);
      try {
        LoadPluginFile(prefix + BrokenPath());
        ADD_FAILURE() << mood;
      } catch (const PluginFailure& failure) {
        EXPECT_EQ(failure.finding(), Finding::kBadAnswer) << mood;
        EXPECT_EQ(failure.what(), "describing " + prefix + BrokenPath() + " left no valid answer: " + what);
      }
      unsetenv("TANDEM_BROKEN");
    }
  }
}

TEST(Loading, APluginThatStartsThreadsIsLoadedForEachExecutor) {
  setenv("TANDEM_BROKEN", "thread-when-described", 1);
  const Plugin plugin = LoadPluginFile(BrokenPath());
  EXPECT_EQ(plugin.worker->description().forks, 0);
  for (const char* mood : {"", "crash", ""}) {
    Executor executor(plugin, {std::string("TANDEM_BROKEN=") + mood});
    const ExecutionReport report = Execute(plugin, &executor);
    EXPECT_EQ(report.message, *mood == '\0' ? "" : "run(): Segmentation fault");
  }
  unsetenv("TANDEM_BROKEN");
}

TEST(Loading, AFileThatIsNoPluginIsRefused) {
  try {
    LoadPluginFile("/nonexistent.so");
    ADD_FAILURE();
  } catch (const PluginFailure& failure) {
    ADD_FAILURE() << failure.what();
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(std::string(error.what()).find("cannot load implementation /nonexistent.so: "), 0u) << error.what();
  }
}

TEST(Loading, AWorkerOfAnotherBuildIsNamed) {
  // The shell expands the emulator, if there is one (tools/cross/emulate.sh).
  const std::string worker = "$TANDEM_EMULATOR '" + RunfilePath("conformance/sandbox/worker/tandem_worker") + "' x 1 ";
  std::string detail;
  EXPECT_EQ(FindingOfEnd(std::system((worker + "another-format").c_str()), &detail), Finding::kBadAnswer);
  EXPECT_EQ(detail.substr(0, 46), "tandem_worker is of another build than tandem;");
  // With the judge's own format the worker gets as far as its missing socket.
  EXPECT_EQ(FindingOfEnd(std::system((worker + MessageFormat()).c_str()), &detail), Finding::kBadAnswer);
  EXPECT_EQ(detail, "it closed the worker's connection to the judge");
}

}  // namespace
}  // namespace tandem::conformance
