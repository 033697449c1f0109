// Some commands behind a pipe behave well, others do not.
#include <gtest/gtest.h>

#include <cstdlib>

#include "conformance/problem/generator.h"
#include "conformance/problem/problem_notation.h"
#include "conformance/sandbox/runfiles.h"
#include "conformance/sandbox/runner.h"

namespace tandem::conformance {
namespace {

std::string BrokenCommand() { return "pipe:python3 " + RunfilePath("conformance/sandbox/broken_command.py"); }

struct Asked {
  std::string mood;
  std::string problem = "--alg=VANILLA_LSTM l1t2mb2sic1slc2";
  Executor::Process process = Executor::Process::kAny;
};

ExecutionReport Ask(const Asked& asked) {
  static const Plugin plugin = LoadPluginFile(BrokenCommand());
  const ProblemSpec spec = ParseProblem(asked.problem);
  const RnnProblem problem = ToRnnProblem(spec);
  TensorSet tensors(problem);
  FillInputs(spec, problem, &tensors);
  Executor executor(plugin, {"TANDEM_BROKEN=" + asked.mood}, asked.process);
  RunOptions run;
  run.timeout_seconds = asked.mood == "hang" ? 2 : 60;
  run.executor = &executor;
  return RunIsolated(plugin, problem, run, &tensors);
}

void ExpectFinding(const std::string& mood, Finding finding, const std::string& message) {
  const ExecutionReport report = Ask({mood});
  EXPECT_EQ(ToString(report.finding), std::string(ToString(finding))) << mood << ": " << report.message;
  EXPECT_EQ(report.message.substr(0, message.size()), message) << mood;
}

TEST(Pipe, ACommandThatKeepsToTheProtocolRunsEveryKindOfProblem) {
  for (const char* problem :
       {"--alg=VANILLA_LSTM l1t2mb2sic1slc2", "--alg=VANILLA_LSTM --prop=FWD_D l2t2mb2sic3",
        "--alg=VANILLA_LSTM --prop=BWD_DW l2t2mb2sic3", "--alg=VANILLA_LSTM --prop=BWD_DW --flags=O l2t2mb2sic3",
        "--alg=VANILLA_LSTM --cfg=bf16 --pad=3 l1t2mb2sic3", "--alg=VANILLA_LSTM --cfg=u8u8u8u8 l1t2mb2sic3",
        "--alg=VANILLA_AUGRU --cfg=f16 --prop=BWD_DW l1t2mb2sic3", "--alg=LBR_GRU --tag=ntc:ldgoi:ntc l1t2mb2sic3"}) {
    const ExecutionReport report = Ask({"", problem});
    EXPECT_EQ(report.outcome.verdict(), Verdict::kPass) << problem << ": " << report.message;
  }
}

TEST(Pipe, AProblemIsStatedInWords) {
  const std::string said = Ask({"say-problem", "--alg=VANILLA_LSTM l1t2mb3sic4slc5"}).message;
  for (const char* part :
       {R"("cell": "lstm", "propagation": "forward_inference", "direction": "left2right")", R"("mb": 3, "slc": 5)",
        R"({"name": "src_layer", "type": "f32", "dims": [2, 3, 5], "bytes": 120})"}) {
    EXPECT_NE(said.find(part), std::string::npos) << part << " in " << said;
  }
}

TEST(Pipe, InputsAreDenseWhateverTheLayoutOfTheProblem) {
  const std::string dense = Ask({"say-input", "l1t2mb2sic3"}).message;
  EXPECT_EQ(Ask({"say-input", "--pad=3 l1t2mb2sic3"}).message, dense);
  EXPECT_NE(Ask({"say-input", "--seed=2 l1t2mb2sic3"}).message, dense);
  // The tensor has two steps, two rows, three channels and four bytes, in hexadecimal.
  EXPECT_EQ(dense.size(), std::string("run() failed: ").size() + 2 * 2 * 3 * 4 * 2) << dense;
}

TEST(Pipe, ACommandIsKeptUnlessAProcessOfItsOwnIsWanted) {
  const std::string first = Ask({"say-process"}).message;
  EXPECT_EQ(Ask({"say-process"}).message, first);
  Asked fresh = {"say-process"};
  fresh.process = Executor::Process::kFresh;
  EXPECT_NE(Ask(fresh).message, first);
}

TEST(Pipe, ARefusalKeepsItsWords) {
  const ExecutionReport refusal = Ask({"refuse"});
  EXPECT_EQ(refusal.outcome.verdict(), Verdict::kNotSupported);
  EXPECT_EQ(refusal.message, "it does not feel like it");
}

TEST(Pipe, ADeathIsAVerdict) {
  ExpectFinding("crash", Finding::kSignal, "run(): Segmentation fault");
  ExpectFinding("exit", Finding::kExit,
                "run() ended the process; it printed: \"out of luck the command ended with exit status 1\"");
}

// Returns the message of NoPlugin when the command is loaded. It is empty if the command is a plugin, or fails as one.
std::string WhyNoPlugin(const std::string& command) {
  try {
    LoadPluginFile("pipe:" + command);
  } catch (const NoPlugin& error) {
    return error.what();
  } catch (const PluginFailure& failure) {
    ADD_FAILURE() << failure.what();
  }
  return "";
}

TEST(Pipe, ACommandThatEndsBeforeItDescribesItselfIsNoVerdict) {
  for (const char* command : {"/nonexistent/program --x=1", "/dev/null"}) {
    const std::string why = WhyNoPlugin(command);
    EXPECT_EQ(why.find("cannot start implementation pipe:" + std::string(command) +
                       ": the command ended with exit status 12"),
              0u)
        << why;
    EXPECT_NE(why.find(", as a shell does that finds no program; it printed: "), std::string::npos) << why;
  }
  EXPECT_EQ(
      WhyNoPlugin("echo no module named rnn >&2; exit 255"),
      "cannot start implementation pipe:echo no module named rnn >&2; exit 255: the command ended with exit status "
      "255 before it described itself; it printed: \"no module named rnn\"");
}

TEST(Pipe, ACommandThatPrintsWhatIsNoAnswerAndEndsIsNoVerdict) {
  for (const char* command : {"echo usage: rnn FILE; echo FILE: a model; exit 2", "printf '\\nusage: rnn FILE'; exit 2",
                              "while read line; do echo 'usage: rnn FILE'; done; exit 2"}) {
    EXPECT_EQ(WhyNoPlugin(command), "cannot start implementation pipe:" + std::string(command) +
                                        ": the command ended with exit status 2 before it described itself; its "
                                        "stdout begins with \"usage: rnn FILE\"");
  }
}

TEST(Pipe, ASignalBeforeTheDescriptionIsAVerdict) {
  EXPECT_THROW(LoadPluginFile("pipe:echo usage: rnn FILE; kill -ABRT $$"), PluginFailure);
  EXPECT_THROW(LoadPluginFile("pipe:kill -ABRT $$"), PluginFailure);
  EXPECT_THROW(LoadPluginFile("pipe:sh -c 'kill -ABRT $$'; exit $?"), PluginFailure);
}

TEST(Pipe, AHangIsAVerdict) { ExpectFinding("hang", Finding::kTimeLimit, "run() did not return within 2 s"); }

TEST(Pipe, GarbageIsAVerdict) {
  ExpectFinding("print", Finding::kRunFailed,
                "run() failed: the command's answer is no JSON object in one line: \"all conform\"");
  ExpectFinding("print-later", Finding::kRunFailed, "run() failed: the command");
  ExpectFinding("no-newline", Finding::kRunFailed, "run() failed: the command's line does not end: \"xxxx");
  ExpectFinding("few", Finding::kRunFailed, "run() failed: the command announces 31 bytes; the outputs have 32");
}

TEST(Pipe, ADescriptionSaysWhatTheBoundsShallAdd) {
  setenv("TANDEM_BROKEN", "declare", 1);
  const Declaration declared = LoadPluginFile(BrokenCommand()).declared;
  unsetenv("TANDEM_BROKEN");
  EXPECT_EQ(declared.sigmoid_abs, 1e-6);
  EXPECT_EQ(declared.tanh_abs, 2e-6);
  EXPECT_EQ(declared.narrow_sums, 1u << static_cast<int>(Cell::kGru));
  EXPECT_EQ(declared.narrow_operations,
            1u << static_cast<int>(Cell::kLstm) | 1u << static_cast<int>(Cell::kVanillaRnn));
  EXPECT_TRUE(declared.narrow_gradients);
  EXPECT_EQ(declared.cell_state, Recurrence::kWide);
}

TEST(Pipe, ACommandThatPrintsWhatIsNoAnswerAndDoesNotEndIsAVerdict) {
  try {
    LoadPluginFile("pipe:echo listening; sleep 1000");
    ADD_FAILURE();
  } catch (const PluginFailure& failure) {
    EXPECT_EQ(failure.finding(), Finding::kBadAnswer) << failure.what();
    EXPECT_NE(std::string(failure.what()).find("no JSON object in one line: \"listening\""), std::string::npos)
        << failure.what();
  }
}

TEST(Pipe, GarbageInADescriptionIsAVerdict) {
  for (const char* mood : {"garbage-when-described", "wrong-type", "wrong-cell"}) {
    setenv("TANDEM_BROKEN", mood, 1);
    try {
      LoadPluginFile(BrokenCommand());
      ADD_FAILURE() << mood;
    } catch (const PluginFailure& failure) {
      EXPECT_EQ(failure.finding(), Finding::kBadAnswer) << failure.what();
      EXPECT_NE(std::string(failure.what()).find(" left no valid answer: the command's "), std::string::npos)
          << failure.what();
    }
    unsetenv("TANDEM_BROKEN");
  }
}

}  // namespace
}  // namespace tandem::conformance
