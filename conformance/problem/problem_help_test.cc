#include "conformance/problem/problem_help.h"

#include <gtest/gtest.h>

#include <sstream>

#include "conformance/problem/problem_notation.h"
#include "conformance/problem/problem_options.h"

namespace tandem::conformance {
namespace {

TEST(ProblemHelp, NamesEveryOptionWithItsMeaning) {
  const std::string help = ProblemHelp();
  for (const ProblemOption& option : ProblemOptions()) {
    EXPECT_NE(help.find(std::string("\n  --") + option.name), std::string::npos) << option.name;
    EXPECT_FALSE(option.meaning.empty()) << option.name;
    EXPECT_FALSE(option.values.empty()) << option.name;
  }
}

TEST(ProblemHelp, ShowsExamplesThatAreValid) {
  std::istringstream in(ProblemHelp());
  int examples = 0;
  for (std::string line; std::getline(in, line);) {
    const std::string start = "  ./tandem check ";
    if (line.rfind(start, 0) != 0) continue;
    ProblemSpec spec = ParseProblem(line.substr(start.size()));
    ResolveDims(&spec);
    EXPECT_NO_THROW(ToRnnProblem(spec)) << line;
    EXPECT_TRUE(IgnoredOptions(spec).empty()) << line;
    ++examples;
  }
  EXPECT_EQ(examples, kNumCells);
}

TEST(ProblemHelp, TheWordsOfTheSpecificationAreUnderstood) {
  EXPECT_EQ(ParseProblem("--alg=lstm --direction=Bidirectional_Concat --prop=backward l1sic4"),
            ParseProblem("--alg=VANILLA_LSTM --direction=concat --prop=BWD_DW l1sic4"));
  EXPECT_EQ(
      ParseProblem("--activation=eltwise_tanh --prop=forward_training --direction=unidirectional_right2left l1sic4"),
      ParseProblem("--activation=TANH --prop=FWD_D --direction=right2left l1sic4"));
  EXPECT_EQ(ParseProblem("--cfg=BF16 --data=Ties l1sic4"), ParseProblem("--cfg=bf16 --data=ties l1sic4"));
}

TEST(ProblemHelp, AValueMayBeAWordOfItsOwn) {
  const std::vector<std::string> words = {"--alg", "LSTM", "--seed", "7", "--batch", "x", "l1sic4"};
  const std::vector<std::string> joined = {"--alg=LSTM", "--seed=7", "--batch", "x", "l1sic4"};
  EXPECT_EQ(WithJoinedValues(words), joined);
}

TEST(ProblemHelp, SaysWhatHasNoEffect) {
  const auto notes = [](const char* words) { return IgnoredOptions(ParseProblem(words)).size(); };
  EXPECT_EQ(notes("--alg=GRU --with-peephole=true l1sic4"), 1u);
  EXPECT_EQ(notes("--alg=GRU --with-projection=true l1sic4"), 1u);
  EXPECT_EQ(notes("--alg=LSTM --activation=TANH l1sic4"), 1u);
  EXPECT_EQ(notes("--activation=TANH --alpha=0.5 l1sic4"), 1u);
  EXPECT_EQ(notes("--data-scale=3 l1sic4"), 1u);
  EXPECT_EQ(notes("--flags=O l1sic4"), 1u);
  EXPECT_EQ(notes("--alg=LSTM --cfg=u8u8u8u8 --attr-fpmath=bf16 l1sic4"), 1u);
  EXPECT_EQ(notes("--activation=RELU --alpha=0.5 l1sic4"), 0u);
  EXPECT_EQ(notes("--alg=LSTM --with-peephole=true --prop=BWD_DW --flags=O l1sic4"), 0u);
}

}  // namespace
}  // namespace tandem::conformance
