#include "conformance/host/runner.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

#include "conformance/host/apart.h"
#include "conformance/host/runfiles.h"
#include "conformance/problem/generator.h"
#include "conformance/problem/problem_notation.h"

namespace tandem::conformance {
namespace {

// Runs the broken plugin in the given mood on a padded problem with a user's scratchpad.
ExecutionReport RunBroken(const std::string& mood, const std::string& options = "",
                          std::array<int, 2> threads = {0, 0}) {
  static const Plugin plugin = LoadPluginFile(RunfilePath("conformance/host/broken_plugin.so"));
  const ProblemSpec spec = ParseProblem("--attr-scratchpad=user --pad=3 " + options + " l1t2mb3sic5");
  const RnnProblem problem = ToRnnProblem(spec);
  TensorSet tensors(problem);
  FillInputs(spec, problem, &tensors);
  RunOptions run;
  run.timeout_seconds = mood == "hang" ? 0.3 : 30;
  run.environment = {"TANDEM_BROKEN=" + mood};
  run.threads = threads;
  ExecutionReport report = RunIsolated(plugin, problem, run, &tensors);
  if (report.status == RunStatus::kOk && mood.empty()) {
    EXPECT_EQ(tensors[kDstLayer].Get(4), 1.0);
  }
  return report;
}

void ExpectVerdict(const std::string& mood, Verdict verdict, const std::string& words) {
  const ExecutionReport report = RunBroken(mood);
  EXPECT_EQ(ToString(report.outcome.verdict()), std::string(ToString(verdict))) << mood << ": " << report.message;
  EXPECT_NE(report.message.find(words), std::string::npos) << mood << ": " << report.message;
}

TEST(Runner, APluginThatKeepsToTheContractPasses) {
  for (const char* options : {"", "--prop=FWD_D", "--prop=BWD_DW", "--prop=BWD_DW --flags=O", "--misalign=3",
                              "--absent=bias+src_iter+dst_iter"}) {
    const ExecutionReport report = RunBroken("", options);
    EXPECT_EQ(report.outcome.verdict(), Verdict::kPass) << options << ": " << report.message;
  }
}

TEST(Runner, ACrashIsAVerdict) {
  ExpectVerdict("crash", Verdict::kCrash, "run(): Segmentation fault");
  ExpectVerdict("crash-when-asked", Verdict::kCrash, "supports(): Aborted");
  ExpectVerdict("exit", Verdict::kCrash, "ended the process");
}

TEST(Runner, AHangIsAVerdict) { ExpectVerdict("hang", Verdict::kTimeout, "within 0.3 s"); }

TEST(Runner, ARefusalAndAFailureKeepTheirWords) {
  ExpectVerdict("refuse", Verdict::kNotSupported, "it does not feel like it");
  ExpectVerdict("fail", Verdict::kFail, "out of luck");
}

TEST(Runner, WritesOutsideATensorAreCaughtAtBothEnds) {
  ExpectVerdict("write-past-end", Verdict::kCrash, "wrote past the end of dst_layer");
  ExpectVerdict("read-past-end", Verdict::kCrash, "read past the end of dst_layer");
  // The first run's buffer lies against the upper guard: there the canary sees it, in the second run the guard does.
  ExpectVerdict("write-before-start", Verdict::kCrash, "wrote before the start of dst_layer");
}

TEST(Runner, WritesOutsideTheScratchpadAreCaughtAtBothEnds) {
  ExpectVerdict("write-past-scratchpad", Verdict::kCrash, "wrote past the end of scratchpad");
  ExpectVerdict("write-before-scratchpad", Verdict::kFail, "wrote outside the scratchpad");
}

TEST(Runner, WritesBetweenTheRowsAreCaught) {
  ExpectVerdict("write-gap", Verdict::kFail, "dst_layer: wrote between the rows");
}

TEST(Runner, InputsAreReadOnly) { ExpectVerdict("write-input", Verdict::kCrash, "wrote in the read-only src_layer"); }

TEST(Runner, AnInputThatIsChangedInSpiteOfItsProtectionIsCaught) {
  ExpectVerdict("unprotect-input", Verdict::kFail, "src_layer: an input was changed");
  const ExecutionReport report = RunBroken("unprotect-dst-layer", "--prop=BWD_DW");
  EXPECT_EQ(report.outcome.verdict(), Verdict::kFail);
  EXPECT_EQ(report.message, "dst_layer: backward changed it");
}

TEST(Runner, EachRunIsToldItsNumberOfThreads) {
  const ExecutionReport report = RunBroken("count-threads", "", {2, 3});
  EXPECT_NE(report.message.find("is 2, then 3"), std::string::npos) << report.message;
}

TEST(Runner, AnElementThatIsNeverWrittenIsNamed) {
  ExpectVerdict("leave-unwritten", Verdict::kFail, "dst_layer: element 1 was never written");
}

TEST(Runner, TwoRunsMustAgree) {
  ExpectVerdict("other-each-time", Verdict::kNondeterministic, "is 1, then 2 from the same inputs");
}

TEST(PluginHost, APluginThatDiesBeforeItsFirstProblemIsACrash) {
  for (const char* mood : {"crash-when-described", "exit-when-described"}) {
    setenv("TANDEM_BROKEN", mood, 1);
    try {
      LoadPluginFile(RunfilePath("conformance/host/broken_plugin.so"));
      ADD_FAILURE() << mood;
    } catch (const PluginFailure& failure) {
      EXPECT_EQ(failure.verdict(), Verdict::kCrash);
      EXPECT_NE(std::string(failure.what()).find("broken_plugin.so"), std::string::npos) << failure.what();
    }
    unsetenv("TANDEM_BROKEN");
  }
}

TEST(PluginHost, AnAnswerThatDoesNotComeIsATimeout) {
  const ApartEnd end = AskApart([](char*, size_t) { return sleep(60) == 0; }, 1);
  EXPECT_EQ(end.outcome.verdict(), Verdict::kTimeout);
}

TEST(PluginHost, AFileThatIsNoPluginIsRefused) { EXPECT_THROW(LoadPluginFile("/nonexistent.so"), std::runtime_error); }

}  // namespace
}  // namespace tandem::conformance
