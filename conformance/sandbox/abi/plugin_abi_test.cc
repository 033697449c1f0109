// Plugins and hosts have different versions of plugin.h: today's, one with a tensor less, and one with a tensor more.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include "conformance/problem/generator.h"
#include "conformance/problem/problem_notation.h"
#include "conformance/sandbox/runfiles.h"
#include "conformance/sandbox/runner.h"

extern "C" float tandem_host_earlier(const tandem_plugin* plugin);
extern "C" float tandem_host_today(const tandem_plugin* plugin);
extern "C" float tandem_host_later(const tandem_plugin* plugin);

namespace tandem::conformance {
namespace {

std::string PathOf(const std::string& version) {
  return RunfilePath("conformance/sandbox/abi/plugin_" + version + ".so");
}

const tandem_plugin* Open(const std::string& version) {
  void* const library = dlopen(PathOf(version).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  return reinterpret_cast<tandem_get_plugin_function>(dlsym(library, "tandem_get_plugin"))(TANDEM_PLUGIN_ABI);
}

// conformance/sandbox/abi/abi_plugin.c has seen this of the problem in abi_host.c: three threads, two steps, three tensors, and
// the last tensor of the host if the earlier version lacks it and both know it.
TEST(PluginAbi, AnyPluginUnderstandsAnyHost) {
  const std::string versions[] = {"earlier", "today", "later"};
  for (int i = 0; i < 3; ++i) {
    const tandem_plugin* const plugin = Open(versions[i]);
    ASSERT_NE(plugin, nullptr) << versions[i];
    EXPECT_EQ(tandem_host_earlier(plugin), 3023) << versions[i];
    EXPECT_EQ(tandem_host_today(plugin), i >= 1 ? 3024 : 3023) << versions[i];
    EXPECT_EQ(tandem_host_later(plugin), i >= 2 ? 3024 : 3023) << versions[i];
  }
}

ExecutionReport RunInWorker(const std::string& version, TensorSet* tensors,
                            const char* problem_line = "--alg=VANILLA_GRU l1t2mb3sic5") {
  const ProblemSpec spec = ParseProblem(problem_line);
  const RnnProblem problem = ToRnnProblem(spec);
  *tensors = TensorSet(problem);
  FillInputs(spec, problem, tensors);
  RunOptions options;
  options.threads = {3, 3};
  return RunIsolated(LoadPluginFile(PathOf(version)), problem, options, tensors);
}

TEST(PluginAbi, AWorkerRunsAnyPlugin) {
  for (const char* version : {"earlier", "today", "later"}) {
    TensorSet tensors;
    const ExecutionReport report = RunInWorker(version, &tensors);
    EXPECT_EQ(report.outcome.verdict(), Verdict::kPass) << version << ": " << report.message;
    EXPECT_EQ(tensors[kDstLayer].Get(0), 3027) << version;
    EXPECT_EQ(tensors[kDstIter].Get(0), 3027) << version;
  }
}

TEST(PluginAbi, APluginIsNotGivenATensorThatItDoesNotKnow) {
  TensorSet tensors;
  const ExecutionReport report = RunInWorker("of_ten_tensors", &tensors);
  EXPECT_EQ(report.outcome.verdict(), Verdict::kNotSupported);
  EXPECT_EQ(report.message, "it has no dst_iter");
}

TEST(PluginAbi, AnOldPluginIsAskedForNoSequenceLengths) {
  TensorSet tensors;
  const ExecutionReport report = RunInWorker("earlier", &tensors, "--alg=VANILLA_GRU --lengths=ones l1t2mb3sic5");
  EXPECT_EQ(report.outcome.verdict(), Verdict::kNotSupported);
  EXPECT_EQ(report.message, "it has no sequence_lengths");
}

TEST(PluginAbi, OnlyAPluginThatSaysSoIsAskedForFunctionsOfGates) {
  for (const char* version : {"earlier", "today"}) {
    for (const char* gates : {"--attr-rnn-clip=1", "--attr-rnn-activations=logistic+relu:0+tanh"}) {
      TensorSet tensors;
      const std::string line = std::string("--alg=VANILLA_GRU ") + gates + " l1t2mb3sic5";
      const ExecutionReport report = RunInWorker(version, &tensors, line.c_str());
      EXPECT_EQ(report.outcome.verdict(), Verdict::kNotSupported) << version << " " << gates;
      EXPECT_EQ(report.message, "it has no functions of gates");
    }
  }
  TensorSet tensors;
  const ExecutionReport report =
      RunInWorker("today", &tensors, "--alg=VANILLA_LSTM --attr-rnn-input-forget=true l1t2mb3sic5");
  EXPECT_EQ(report.message, "it has no functions of gates");
}

}  // namespace
}  // namespace tandem::conformance
