#include "conformance/sandbox/runner.h"

#include <gtest/gtest.h>

#include <thread>

#include "conformance/problem/generator.h"
#include "conformance/problem/problem_notation.h"
#include "conformance/sandbox/runfiles.h"

namespace tandem::conformance {
namespace {

#if defined(__x86_64__)
constexpr char kRoundingLeft[] = "run() left its caller changed: MXCSR: rounding, x87's control word";
#elif defined(__aarch64__)
constexpr char kRoundingLeft[] = "run() left its caller changed: FPCR: rounding";
#else
constexpr char kRoundingLeft[] = "run() left its caller changed: floating point: rounding";
#endif

// Runs the broken plugin in the given mood on a padded problem with a user's scratchpad.
ExecutionReport RunBroken(const std::string& mood, const std::string& options = "", std::array<int, 2> threads = {0, 0},
                          OtherBits other_bits = OtherBits::kFound) {
  static const Plugin plugin = LoadPluginFile(RunfilePath("conformance/sandbox/broken_plugin.so"));
  const ProblemSpec spec = ParseProblem("--attr-scratchpad=user --pad=3 " + options + " l1t2mb3sic5");
  const RnnProblem problem = ToRnnProblem(spec);
  TensorSet tensors(problem);
  FillInputs(spec, problem, &tensors);
  RunOptions run;
  run.timeout_seconds = mood == "hang" || mood == "spin" || mood == "stop" ? 0.3 : 30;
  run.environment = {"TANDEM_BROKEN=" + mood};
  run.threads = threads;
  run.other_bits = other_bits;
  run.interlude = Interlude::kOtherForward;
  ExecutionReport report = RunIsolated(plugin, problem, run, &tensors);
  if (report.status == RunStatus::kOk && mood.empty()) {
    EXPECT_EQ(tensors[kDstLayer].Get(4), 1.0);
  }
  return report;
}

void ExpectFinding(const std::string& mood, Finding finding, const std::string& message) {
  const ExecutionReport report = RunBroken(mood);
  EXPECT_EQ(ToString(report.finding), std::string(ToString(finding))) << mood << ": " << report.message;
  EXPECT_EQ(report.outcome.verdict(), VerdictOf(finding)) << mood;
  EXPECT_EQ(report.message, message) << mood;
}

TEST(Runner, APluginThatKeepsToTheContractPasses) {
  for (const char* options : {"", "--prop=FWD_D", "--prop=BWD_DW", "--prop=BWD_DW --flags=O", "--misalign=3",
                              "--absent=bias+src_iter+dst_iter"}) {
    const ExecutionReport report = RunBroken("", options);
    EXPECT_EQ(report.outcome.verdict(), Verdict::kPass) << options << ": " << report.message;
  }
}

TEST(Runner, AnotherForwardPassBeforeBackwardHasLengthsThatAreNot0) {
  const ExecutionReport report = RunBroken("refuse-no-steps", "--prop=BWD_DW --lengths=ones");
  EXPECT_EQ(report.outcome.verdict(), Verdict::kPass) << report.message;
}

TEST(Runner, ACrashIsAVerdict) {
  ExpectFinding("crash", Finding::kSignal, "run(): Segmentation fault");
  ExpectFinding("crash-when-asked", Finding::kSignal, "supports(): Aborted");
  ExpectFinding("exit", Finding::kExit, "run() ended the process");
}

TEST(Runner, AHangIsAVerdict) {
  for (const char* mood : {"hang", "spin", "stop"}) {
    ExpectFinding(mood, Finding::kTimeLimit, "run() did not return within 0.3 s");
  }
}

TEST(Runner, ARefusalAndAFailureKeepTheirWords) {
  const ExecutionReport refusal = RunBroken("refuse");
  EXPECT_EQ(refusal.outcome.verdict(), Verdict::kNotSupported);
  EXPECT_EQ(refusal.finding, Finding::kNone);
  EXPECT_EQ(refusal.message, "it does not feel like it");
  ExpectFinding("fail", Finding::kRunFailed, "run() failed: out of luck");
}

TEST(Runner, ARefusalWithoutAReasonIsExplained) {
  const ExecutionReport refusal = RunBroken("refuse-silently");
  EXPECT_EQ(refusal.outcome.verdict(), Verdict::kNotSupported);
  EXPECT_EQ(refusal.message, "it gave no reason");
}

TEST(Runner, WritesOutsideATensorAreCaughtAtBothEnds) {
  const std::string fault = "run(): Segmentation fault: it ";
  ExpectFinding("write-past-end", Finding::kGuardPage, fault + "wrote past the end of dst_layer");
  ExpectFinding("read-past-end", Finding::kGuardPage, fault + "read past the end of dst_layer");
  // The first run's buffer lies against the upper guard, so the canary sees the write. In the second run the guard does.
  ExpectFinding("write-before-start", Finding::kGuardPage, fault + "wrote before the start of dst_layer");
}

TEST(Runner, WritesOutsideTheScratchpadAreCaughtAtBothEnds) {
  ExpectFinding("write-past-scratchpad", Finding::kGuardPage,
                "run(): Segmentation fault: it wrote past the end of scratchpad");
  ExpectFinding("write-before-scratchpad", Finding::kCanary, "scratchpad: bytes outside it were overwritten");
}

TEST(Runner, WritesOutsideTheTextAreCaughtAtBothEnds) {
  const std::string past = "Segmentation fault: it wrote past the end of the buffer for its text";
  ExpectFinding("write-past-reason", Finding::kGuardPage, "supports(): " + past);
  ExpectFinding("write-past-message", Finding::kGuardPage, "run(): " + past);
  for (const char* mood : {"write-before-reason", "write-before-message"}) {
    ExpectFinding(mood, Finding::kCanary, "the buffer for its text: bytes outside it were overwritten");
  }
}

TEST(Runner, WritesToGuardPagesInSpiteOfTheirProtectionAreCaught) {
  ExpectFinding("unguard-before", Finding::kCanary, "dst_layer: bytes outside it were overwritten");
  ExpectFinding("unguard-after", Finding::kCanary, "dst_layer: bytes outside it were overwritten");
  ExpectFinding("unguard-scratchpad", Finding::kCanary, "scratchpad: bytes outside it were overwritten");
}

TEST(Runner, WritesBetweenTheRowsAreCaught) {
  ExpectFinding("write-gap", Finding::kGap, "dst_layer: bytes between the rows were overwritten");
}

TEST(Runner, InputsAreReadOnly) {
  ExpectFinding("write-input", Finding::kReadOnly, "run(): Segmentation fault: it wrote in the read-only src_layer");
}

TEST(Runner, InputsStayReadOnly) {
  ExpectFinding("unprotect-input", Finding::kReadOnly,
                "run(): Segmentation fault: it wrote in the read-only src_layer");
}

TEST(Runner, AnOutputOfForwardThatBackwardChangesInSpiteOfItsProtectionIsCaught) {
  const ExecutionReport report = RunBroken("unprotect-dst-layer", "--prop=BWD_DW");
  EXPECT_EQ(report.finding, Finding::kInputChanged);
  EXPECT_EQ(report.message, "dst_layer: an input was changed");
}

TEST(Runner, EachRunIsToldItsNumberOfThreads) {
  const ExecutionReport report = RunBroken("count-threads", "", {2, 3});
  EXPECT_NE(report.message.find("is 2, then 3"), std::string::npos) << report.message;
}

TEST(Runner, AnElementThatIsNeverWrittenIsNamed) {
  ExpectFinding("leave-unwritten", Finding::kUnwritten, "dst_layer: element 1 was never written");
}

TEST(Runner, TwoRunsMustAgree) {
  ExpectFinding("other-each-time", Finding::kTwoRuns,
                "dst_layer: element 0 is 1, then 2 from the same inputs (other addresses, other garbage in outputs, "
                "workspace and scratchpad; or what an earlier call has left)");
}

// Two NaNs are the same result, whatever their signs are. The elements behind them are compared as well.
TEST(Runner, TwoRunsMustAgreeBehindANan) {
  ExpectFinding(
      "nan-covers-others", Finding::kTwoRuns,
      "dst_layer: element 1 is 1, then 12345 from the same inputs (other addresses, other garbage in outputs, "
      "workspace and scratchpad; or what an earlier call has left)");
}

TEST(Runner, ACallerThatIsLeftChangedIsAFailure) {
  ExpectFinding("leave-rounding", Finding::kThreadChanged, kRoundingLeft);
  ExpectFinding("leave-locale", Finding::kThreadChanged, "run() left its caller changed: locale");
  ExpectFinding("leave-environment", Finding::kThreadChanged, "run() left its caller changed: environment");
  ExpectFinding("leave-handler", Finding::kThreadChanged, "run() left its caller changed: action of SIGPIPE");
  ExpectFinding("leave-umask", Finding::kThreadChanged, "run() left its caller changed: umask");
  ExpectFinding("leave-folder", Finding::kThreadChanged, "run() left its caller changed: current folder");
  ExpectFinding("leave-signals-blocked", Finding::kThreadChanged, "run() left its caller changed: signal mask");
  if (std::thread::hardware_concurrency() > 1) {
    ExpectFinding("leave-processors", Finding::kThreadChanged,
                  "run() left its caller changed: processors of the thread");
  }
#if defined(__x86_64__)
  ExpectFinding("leave-ftz", Finding::kThreadChanged, "run() left its caller changed: MXCSR: FTZ");
  ExpectFinding("leave-daz", Finding::kThreadChanged, "run() left its caller changed: MXCSR: DAZ");
#endif
}

TEST(Runner, ARunWithOtherThreadsMayHaveOtherBitsAndNothingElse) {
  const ExecutionReport counting = RunBroken("count-threads", "", {1, 2}, OtherBits::kAllowed);
  EXPECT_EQ(counting.outcome.verdict(), Verdict::kPass) << counting.message;
  const ExecutionReport spilling = RunBroken("count-threads-and-spill", "", {1, 2}, OtherBits::kAllowed);
  EXPECT_EQ(spilling.finding, Finding::kCanary) << spilling.message;
}

TEST(Finding, IsFoundByItsName) {
  for (int i = 0; i < kNumFindings; ++i) {
    Finding found = Finding::kNone;
    EXPECT_TRUE(FindingFromName(ToString(static_cast<Finding>(i)), &found));
    EXPECT_EQ(static_cast<int>(found), i);
  }
  Finding found = Finding::kNone;
  EXPECT_FALSE(FindingFromName("canaries", &found));
}

}  // namespace
}  // namespace tandem::conformance
