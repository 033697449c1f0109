// Memory that grows with the calls is a leak; a cache that is filled and then stays is none. Outputs must stay, too.
#include "conformance/judge/repetition.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "conformance/judge/check.h"
#include "conformance/problem/generator.h"
#include "conformance/problem/problem_notation.h"
#include "conformance/sandbox/runfiles.h"

// This is a function of a sanitizer's runtime, if there is one.
extern "C" size_t __sanitizer_get_current_allocated_bytes() __attribute__((weak));

namespace tandem::conformance {
namespace {

enum class How { kAlone, kInCompany };

Repetition Measure(const std::string& mood, How how = How::kAlone) {
  const Plugin plugin = LoadPluginFile(RunfilePath("conformance/sandbox/broken_plugin.so"));
  const ProblemSpec spec = ParseProblem("--attr-scratchpad=user l1t2mb3sic5");
  const RnnProblem problem = ToRnnProblem(spec);
  TensorSet inputs(problem);
  FillInputs(spec, problem, &inputs);
  RunOptions run;
  run.environment = {"TANDEM_BROKEN=" + mood};
  return how == How::kAlone ? Repeat(plugin, problem, run, inputs) : RepeatInCompany(plugin, problem, run, inputs);
}

Repetition WithVariable(const std::string& variable) {
  const Plugin plugin = LoadPluginFile(RunfilePath("conformance/sandbox/broken_plugin.so"));
  const ProblemSpec spec = ParseProblem("l1t2mb3sic5");
  const RnnProblem problem = ToRnnProblem(spec);
  TensorSet inputs(problem);
  FillInputs(spec, problem, &inputs);
  TensorSet outputs = inputs;
  RunIsolated(plugin, problem, {}, &outputs);
  return ExecuteWith(variable, plugin, {}, {problem, inputs, outputs});
}

TEST(SameBits, AreComparedBetweenTwoEnvironments) {
  EXPECT_FALSE(WithVariable("TANDEM_BROKEN_OTHER=2").other);
  const Repetition other = WithVariable("TANDEM_BROKEN_VALUE=2");
  ASSERT_TRUE(other.other);
  EXPECT_EQ(other.other->difference, "dst_layer: element 0 is 1, then 2");
}

TEST(SameBits, AreComparedWithAVariableThatIsReadWhenThePluginIsLoaded) {
  EXPECT_TRUE(WithVariable("TANDEM_BROKEN_LOADED_VALUE=2").other);
  const Repetition ended = WithVariable("TANDEM_BROKEN=exit-when-loaded");
  EXPECT_EQ(ended.last.outcome.verdict(), Verdict::kCrash) << ended.last.message;
}

std::string GrowthIn(const std::string& mood) { return Measure(mood).growth; }

TEST(Growth, OfAPluginThatKeepsNothingIsNone) { EXPECT_EQ(GrowthIn(""), ""); }

// An execution has two runs. Each call leaves one descriptor open.
TEST(Growth, OfDescriptorsIsNamedWithItsSize) {
  EXPECT_EQ(GrowthIn("leak-descriptors"), "256 descriptors more after 128 executions");
}

TEST(Growth, OfThreadsIsNamedWithItsSize) {
  const std::string growth = GrowthIn("leak-threads");
  EXPECT_NE(growth.find("256 threads more after 128 executions"), std::string::npos) << growth;
}

// An execution has two runs; each keeps a block of 16 bytes, which takes 32 in glibc's heap and counts as 16 in a sanitizer's.
TEST(Growth, OfTheSmallestBlocksIsSeen) {
  const std::string growth = GrowthIn("leak-memory");
  EXPECT_NE(growth.find(" bytes of the heap more after 1024 executions"), std::string::npos) << growth;
  const int block = __sanitizer_get_current_allocated_bytes == nullptr ? 32 : 16;
  EXPECT_GE(std::atoi(growth.c_str()), 2 * 1024 * block) << growth;
}

TEST(Growth, OfMemoryBesideTheHeapIsSeen) {
  const std::string growth = GrowthIn("leak-pages");
  EXPECT_NE(growth.find(" bytes of memory more after "), std::string::npos) << growth;
  EXPECT_EQ(growth.find("heap"), std::string::npos) << growth;
}

// The cache gets one entry in each of the first 200 calls, more than the first look at it sees.
TEST(Growth, OfACacheUntilItIsFullIsNone) { EXPECT_EQ(GrowthIn("cache"), ""); }

// sigmoid(0) is a half: everything else about the plugin is right.
TEST(Growth, IsAFailureOfTheProblem) {
  Plugin plugin = LoadPluginFile(RunfilePath("conformance/sandbox/broken_plugin.so"));
  const ProblemSpec spec = ParseProblem("--alg=VANILLA_RNN --activation=LOGISTIC --data=zero l1t2mb3sic5");
  CheckOptions options;
  options.repeat_every = 1;
  for (const char* mood : {"", "leak-descriptors"}) {
    plugin.environment = {std::string("TANDEM_BROKEN=") + mood, "TANDEM_BROKEN_VALUE=0.5"};
    const CheckedProblem checked = CheckProblem(plugin, spec, options);
    EXPECT_EQ(checked.finding, *mood == '\0' ? Finding::kNone : Finding::kLeak) << checked.message;
    EXPECT_EQ(checked.message, *mood == '\0' ? "" : "run(): LEAK: 256 descriptors more after 128 executions");
  }
}

// The plugin leaves a descriptor open in each call, and writes to a guard or crashes in the hundredth.
TEST(Growth, EndsWithTheFirstExecutionThatFails) {
  for (const auto& [mood, finding] :
       {std::pair{"crash-after-many-runs", Finding::kSignal}, {"spill-after-many-runs", Finding::kCanary}}) {
    const Repetition repetition = Measure(mood);
    EXPECT_EQ(repetition.executions, 50);
    EXPECT_EQ(ToString(repetition.last.finding), std::string(ToString(finding))) << repetition.last.message;
  }
}

TEST(Growth, AnExecutionThatFailsIsAFailureOfTheProblem) {
  Plugin plugin = LoadPluginFile(RunfilePath("conformance/sandbox/broken_plugin.so"));
  const ProblemSpec spec = ParseProblem("--alg=VANILLA_RNN --activation=LOGISTIC --data=zero l1t2mb3sic5");
  CheckOptions options;
  options.repeat_every = 1;
  plugin.environment = {"TANDEM_BROKEN=spill-after-many-runs", "TANDEM_BROKEN_VALUE=0.5"};
  const CheckedProblem checked = CheckProblem(plugin, spec, options);
  EXPECT_EQ(checked.finding, Finding::kCanary);
  EXPECT_EQ(checked.message, "execution 50 of it in one process: dst_layer: bytes outside it were overwritten");
}

CheckedProblem CheckInMood(const std::string& mood, uint64_t CheckOptions::*every) {
  Plugin plugin = LoadPluginFile(RunfilePath("conformance/sandbox/broken_plugin.so"));
  plugin.environment = {"TANDEM_BROKEN=" + mood, "TANDEM_BROKEN_VALUE=0.5"};
  CheckOptions options = WithoutExperiments();
  options.*every = 1;
  return CheckProblem(plugin, ParseProblem("--alg=VANILLA_RNN --activation=LOGISTIC --data=zero l1t2mb3sic5"), options);
}

// An execution has two runs. From the 201st call on, all outputs are 7.
TEST(Repetition, OutputsThatAreWrongAfterManyCallsFail) {
  const Repetition repetition = Measure("wrong-after-many-runs");
  EXPECT_EQ(repetition.executions, 101);
  ASSERT_TRUE(repetition.other);
  EXPECT_EQ(repetition.other->difference, "dst_layer: element 0 is 1, then 7");
  const CheckedProblem checked = CheckInMood("wrong-after-many-runs", &CheckOptions::repeat_every);
  EXPECT_EQ(checked.outcome.verdict(), Verdict::kFail) << checked.message;
  EXPECT_NE(checked.message.find("execution 101 of it in one process"), std::string::npos) << checked.message;
}

TEST(Repetition, OutputsThatAreWrongOnceAreSeen) {
  const Repetition repetition = Measure("wrong-once-after-many-runs");
  EXPECT_EQ(repetition.executions, 101);
  EXPECT_EQ(ToString(repetition.last.finding), std::string("two-runs")) << repetition.last.message;
}

TEST(Repetition, AStaticScratchpadIsSeenBesideAnotherThread) {
  const Repetition repetition = Measure("static-scratchpad", How::kInCompany);
  EXPECT_EQ(ToString(repetition.last.finding), std::string("two-runs")) << repetition.executions;
  EXPECT_NE(repetition.last.message.find("dst_layer: element 0 is 1, then 7 "), std::string::npos)
      << repetition.last.message;
  EXPECT_TRUE(Measure("", How::kInCompany).last.outcome.ok());
}

TEST(Repetition, AThreadThatThePluginHasNotSeenIsTried) {
  const Repetition repetition = Measure("wrong-in-new-thread", How::kInCompany);
  EXPECT_EQ(repetition.last.message.substr(0, 36), "dst_layer: element 0 is 1, then 7 fr");
  EXPECT_TRUE(Measure("wrong-in-new-thread").last.outcome.ok());
}

TEST(Repetition, WhoServesOneCallAtATimeIsNotCalledFromTwoThreads) {
  Plugin plugin = LoadPluginFile(RunfilePath("conformance/sandbox/broken_plugin.so"));
  EXPECT_EQ(plugin.calls, Calls::kFromManyThreads);
  setenv("TANDEM_BROKEN", "static-scratchpad-and-says-so", 1);
  plugin = LoadPluginFile(RunfilePath("conformance/sandbox/broken_plugin.so"));
  unsetenv("TANDEM_BROKEN");
  EXPECT_EQ(plugin.calls, Calls::kFromOneThread);
  // sigmoid(0) is a half.
  plugin.environment = {"TANDEM_BROKEN=static-scratchpad-and-says-so", "TANDEM_BROKEN_VALUE=0.5"};
  CheckOptions options = WithoutExperiments();
  options.company_every = 1;
  const ProblemSpec spec = ParseProblem("--alg=VANILLA_RNN --activation=LOGISTIC --data=zero l1t2mb3sic5");
  for (const Calls calls : {Calls::kFromOneThread, Calls::kFromManyThreads}) {
    plugin.calls = calls;
    EXPECT_EQ(CheckProblem(plugin, spec, options).outcome.ok(), calls == Calls::kFromOneThread);
  }
}

}  // namespace
}  // namespace tandem::conformance
