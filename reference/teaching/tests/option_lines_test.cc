// The lines of functions of gates, masks and norms, as a reader sees them.
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

TEST(MaskLines, StandAroundThoseOfTheCell) {
  RnnProblem problem = MakeTestProblem(Cell::kGru, Propagation::kBackward);
  problem.attr.rnn_masks = MaskBit(kMaskLayer) | MaskBit(kMaskIter) | MaskBit(kZoneoutIter);
  problem = MakeTestCase(problem).problem;
  ExpectLines(ForwardStepLines(problem),
              {"[MASK.1] x_m = mask_layer * x", "[GRU.1] u = σ(W_u x_m + U_u h'_m + B_u)",
               "[GRU.3] o = tanh(W_o x_m + U_o (r * h'_m) + B_o)", "[GRU.4] h_cell = u * h' + (1 - u) * o",
               "[MASK.3] h = zoneout_iter * h' + (1 - zoneout_iter) * h_cell"});
  ExpectLines(
      BackwardStepLines(problem),
      {"[GRU.B1] Δ_u = dh_cell * (h' - o) * u * (1 - u)", "[GRU.B4] Δ_r = s * h'_m * r * (1 - r)",
       "[GRU.B7] dU_o += Δ_o (r * h'_m)ᵀ", "[GRU.B10] dh'_m = s * r + U_uᵀ Δ_u + U_rᵀ Δ_r",
       "[MASK.B2] dh' = mask_iter * dh'_m", "[GRU.B10] dh' += dh_cell * u", "[MASK.B5] dh' += zoneout_iter * dh"});
}

TEST(NormLines, StandBeforeTheGatesThatReadThem) {
  RnnProblem problem = MakeTestProblem(Cell::kLstm, Propagation::kBackward);
  problem.attr.rnn_layer_norm = {NormKind::kParts, NormScope::kGate, CellNorm::kOutput, 0.01f};
  ExpectLines(ForwardStepLines(problem),
              {"[LSTM.1] v_i = W_i x", "[LSTM.1] v'_i = U_i h'", "[NORM.1] z'_i = v'_i - mean(v'_i)",
               "[NORM.4] y_i = norm_gain_i * v^_i + norm_offset_i", "[LSTM.1] i = σ(y_i + y'_i + B_i)",
               "[NORM.1] z_c = c - mean(c)", "[LSTM.6] h = tanh(y_c) * o"});
  ExpectLines(
      BackwardStepLines(problem),
      {"[LSTM.B2] dy_c = dh * o * (1 - tanh(y_c)²)", "[LSTM.B2] dc += dv_c",
       "[NORM.B2] diff_norm_gain'_i += Σ_n Δ_i * v^'_i", "[LSTM.B7] dW_i += dv_i xᵀ", "[LSTM.B8] dU_i += dv'_i h'ᵀ",
       "[LSTM.B9] dB_i += Σ_n Δ_i", "[LSTM.B10] dx = Σ_g W_gᵀ dv_g", "[LSTM.B11] dh' = Σ_g U_gᵀ dv'_g"});
}

TEST(NormLines, AMeanOfTheRowIsOverAllGates) {
  RnnProblem problem = MakeTestProblem(Cell::kLstm, Propagation::kBackward);
  problem.attr.rnn_layer_norm = {NormKind::kSum, NormScope::kRow, CellNorm::kState, 0.01f};
  ExpectLines(ForwardStepLines(problem),
              {"[NORM.2] s = sqrt(mean([[[z_i²; z_f²]; z_c~²]; z_o²]) + epsilon)", "[NORM.3] v^_f = z_f / s",
               "[LSTM.4] v_c = f * c' + i * c~", "[NORM.4] c = norm_gain_c * v^_c + norm_offset_c"});
  ExpectLines(BackwardStepLines(problem), {"[LSTM.B6] dc' = dv_c * f"});
}

// A mean of all gates has the products of a coupled f, too.
TEST(NormLines, ACoupledForgetGateStaysInTheRow) {
  GateFunctions gates;
  gates.forget = ForgetGate::kRestOfInput;
  RnnProblem problem = LstmWithGates(gates);
  problem.attr.rnn_layer_norm = {NormKind::kSum, NormScope::kRow, CellNorm::kNone, 0.01f};
  ExpectLines(ForwardStepLines(problem), {"[LSTM.2] v_f = W_f x + U_f h'", "[GATE.2] f = 1 - i"});
  ExpectLines(BackwardStepLines(problem), {"[GATE.B2] Δ_f = 0 * df", "[LSTM.B7] dW_f += dv_f xᵀ"});
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
