// The lines of gates that have functions of their own, as a reader sees them.
#include <gtest/gtest.h>

#include <algorithm>

#include "reference/teaching/table/notation.h"
#include "reference/teaching/tests/book_evaluation.h"

namespace tandem {
namespace reference {
namespace {

RnnProblem LstmWithGates(const GateFunctions& gates) {
  RnnProblem problem = MakeTestProblem(Cell::kLstm, Propagation::kBackward);
  problem.attr.rnn_gates = gates;
  return problem;
}

std::vector<std::string> Shown(const std::vector<StepLine>& lines) {
  std::vector<std::string> shown;
  for (const StepLine& line : lines) shown.push_back("[" + line.id + "] " + Show(line.formula, Notation::kText));
  return shown;
}

void ExpectLines(const std::vector<StepLine>& lines, const std::vector<std::string>& expected) {
  const std::vector<std::string> shown = Shown(lines);
  for (const std::string& line : expected) {
    EXPECT_EQ(std::count(shown.begin(), shown.end(), line), 1) << line << "\nin\n" << testing::PrintToString(shown);
  }
}

TEST(GateLines, AGateIsItsPreActivationAndAFunctionOfIt) {
  const RnnProblem problem =
      LstmWithGates({{Activation::kHardSigmoid, 0.25f, 0.5f}, {Activation::kLogistic}, {Activation::kRelu}});
  ExpectLines(ForwardStepLines(problem),
              {"[LSTM.1] a_i = W_i x + U_i h' + B_i", "[RNN.2] i = clip(alpha_recurrent * a_i + beta_recurrent)",
               "[RNN.2] c~ = σ(a_c~)", "[LSTM.6] h = (c if c > 0, else alpha_output * c) * o"});
  ExpectLines(BackwardStepLines(problem),
              {"[LSTM.B1] do = dh * (c if c > 0, else alpha_output * c)",
               "[LSTM.B2] dc += dh * o * (1 if c > 0, else alpha_output)", "[LSTM.B4] di = dc * c~",
               "[RNN.B1] Δ_i = di * alpha_recurrent * inside(alpha_recurrent * a_i + beta_recurrent)",
               "[RNN.B1] Δ_c~ = dc~ * σ(a_c~) * (1 - σ(a_c~))"});
}

TEST(GateLines, AClipStandsBetweenBoth) {
  GateFunctions gates;
  gates.clip = 0.5f;
  const RnnProblem problem = LstmWithGates(gates);
  ExpectLines(ForwardStepLines(problem), {"[GATE.1] a^_i = limit(a_i, clip)", "[RNN.2] i = σ(a^_i)"});
  ExpectLines(BackwardStepLines(problem),
              {"[GATE.1] a^_c~ = limit(a_c~, clip)", "[RNN.B1] da^_c~ = dc~ * (1 - tanh(a^_c~)²)",
               "[GATE.B1] Δ_c~ = da^_c~ * (1 - step(abs(a_c~) - clip))"});
}

TEST(GateLines, ACoupledForgetGateHasNoGradientOfItsOwn) {
  GateFunctions gates;
  gates.forget = ForgetGate::kRestOfInput;
  const RnnProblem problem = LstmWithGates(gates);
  ExpectLines(ForwardStepLines(problem), {"[GATE.2] f = 1 - i"});
  ExpectLines(BackwardStepLines(problem), {"[LSTM.B3] df = dc * c'", "[GATE.B2] di = dc * c~ - df"});
  for (const StepLine& line : BackwardStepLines(problem)) {
    EXPECT_EQ(Show(line.formula, Notation::kText).find("Δ_f"), std::string::npos);
    EXPECT_EQ(std::count(line.gates.begin(), line.gates.end(), "f"), 0) << line.id;
  }
}

TEST(GateLines, TheGatesOfTheSpecificationStayOneLine) {
  ExpectLines(ForwardStepLines(LstmWithGates({})), {"[LSTM.1] i = σ(W_i x + U_i h' + B_i)"});
}

// Each line of [RNN.B1] in turn is too large by half.
TEST(GateLines, AWrongSlopeOfAGateIsNoticed) {
  std::vector<Recording> recordings;
  ForEachRandomCase(
      Propagation::kBackward, DataType::kF32, 2,
      [&](TestCase* test, const std::string& description) {
        if (!HasActivation(test->problem.cell)) recordings.push_back(Record(test, description));
      },
      GateVariants());
  for (const Activation activation : kActivations) {
    EquationTable table = Equations();
    for (Equation& equation : table) {
      for (EquationLine& line : equation.lines) {
        if (equation.id == "RNN.B1" && line.when == ToString(activation))
          line.formula.right = Substituted(line.formula.right, {{"dh", ParseExpression("1.5 * dh")}});
      }
    }
    std::set<std::string> seen;
    EXPECT_TRUE(std::any_of(recordings.begin(), recordings.end(), [&](const Recording& recording) {
      return !CellDisagreement(recording, table, &seen).empty();
    })) << ToString(activation);
  }
}

}  // namespace
}  // namespace reference
}  // namespace tandem
