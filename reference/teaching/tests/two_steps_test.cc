#include "reference/teaching/book/two_steps.h"

#include <cctype>
#include <stdexcept>
#include <string>

#include "gtest/gtest.h"
#include "reference/teaching/book/chapter.h"

namespace tandem {
namespace reference {
namespace {

const SequenceInputs kLstm = {{"dh", {0.5, 1}}, {"x", {1, -1}},  {"h'", {0.5}},    {"c'", {2}},     {"W_i", {1}},
                              {"W_f", {0.5}},   {"W_c~", {-1}},  {"W_o", {2}},     {"U_i", {2}},    {"U_f", {-1}},
                              {"U_c~", {1}},    {"U_o", {0.5}},  {"B_i", {-1}},    {"B_f", {0.25}}, {"B_c~", {1}},
                              {"B_o", {-1}},    {"P_i", {-0.5}}, {"P_f", {0.375}}, {"P_o", {1}},    {"R", {-2}}};
const SequenceInputs kGru = {{"dh", {0.5, 1}}, {"x", {1, -1}},  {"a", {0.25, 0.5}}, {"h'", {0.5}}, {"W_u", {0.5}},
                             {"W_r", {1}},     {"W_o", {1}},    {"U_u", {2}},       {"U_r", {1}},  {"U_o", {4}},
                             {"B_u", {0}},     {"B_r", {-1.5}}, {"B_o", {-1}},      {"B_u'", {2}}};
const SequenceInputs kRnn = {{"dh", {0.5, 1}}, {"x", {1, -1}}, {"h'", {0.5}}, {"W", {0.5}}, {"U", {1}}, {"B", {-0.25}}};

// Each gradient against the difference of two losses.
void HoldGradients(const std::string& cell, const SequenceInputs& inputs) {
  const Sequence sequence(cell, inputs, 2);
  int checked = 0;
  for (const auto& input : inputs) {
    const std::string& name = input.first;
    const bool state = name == "h'" || name == "c'";
    if (!state && !std::isupper(static_cast<unsigned char>(name[0]))) continue;
    double losses[2];
    for (int side = 0; side < 2; ++side) {
      SequenceInputs moved = inputs;
      moved[name][0] += side == 0 ? -1e-5 : 1e-5;
      losses[side] = Sequence(cell, moved, 2).Loss();
    }
    const double expected = (losses[1] - losses[0]) / 2e-5;
    EXPECT_NEAR(state ? sequence.SentBack(0, "d" + name) : sequence.Gradient(name), expected, 1e-8)
        << cell << " " << name;
    checked += expected != 0;
  }
  EXPECT_GE(checked, 4) << cell;
}

TEST(TwoSteps, GradientsAreDifferencesOfLosses) {
  HoldGradients("RNN_TANH", kRnn);
  for (const char* cell : {"LSTM", "LSTM_PEEPHOLE", "LSTM_PROJECTION"}) HoldGradients(cell, kLstm);
  for (const char* cell : {"GRU", "LBR_GRU", "AUGRU", "LBR_AUGRU"}) HoldGradients(cell, kGru);
}

TEST(TwoSteps, AGradientIsMultipliedByUAndTheSlopeInEachStep) {
  const std::vector<double> back = GradientOverTime({"RNN_RELU", "x=1", "h'=0", "alpha=0", "W=1", "U=1.1", "B=0"}, 10);
  EXPECT_NEAR(back[0], 1.1, 1e-12);
  EXPECT_NEAR(back[9], 2.5937424601, 1e-9);  // 1.1 to the 10th
}

TEST(TwoSteps, NumbersOfAChaptersTextAreComputed) {
  const std::string relu = "RNN_RELU x=1 h'=0 alpha=0 W=1 U=1.1 B=0\n";
  const std::string chapter = MakeChapter(
      "@decay A+row " + relu + "then {@10 A row}, {@value σ(0)}, {@value 1.5 to 2} for {U}\n", "test.md.in");
  EXPECT_NE(chapter.find("then 2.59, 0.5, 2.25 for $`U`$"), std::string::npos) << chapter;
  EXPECT_THROW(MakeChapter("{@10 Another}\n", "test.md.in"), std::invalid_argument);
}

TEST(TwoSteps, ACurveEndsAtTheFiguresEdge) {
  const std::string figure = DecayFigure("@decay A RNN_RELU x=1 h'=0 alpha=0 W=1 U=0.1 B=0\n");
  EXPECT_EQ(figure.find(" 470.0,330.0\""), std::string::npos);
  EXPECT_NE(figure.find("<polyline clip-path"), std::string::npos);
}

}  // namespace
}  // namespace reference
}  // namespace tandem
