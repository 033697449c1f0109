// The rules for functions of gates, each broken once.
#include <gtest/gtest.h>

#include <cmath>

#include "api/core/error_testing.h"
#include "api/core/rnn/rnn_problem_testing.h"

namespace tandem {
namespace {

class RnnGatesRule : public ::testing::Test {
 protected:
  void ExpectInvalid(const std::string& words) {
    ExpectError(dnnl_invalid_arguments, words, [this] { Validate(&p_); });
  }
  void ExpectUnimplemented(const std::string& words) {
    ExpectError(dnnl_unimplemented, words, [this] { Validate(&p_); });
  }
  void Take(Cell cell) {
    p_ = MakeTestProblem(cell);
    p_.attr.rnn_gates = gates_;
  }
  GateFunctions gates_;
  RnnProblem p_;
};

TEST_F(RnnGatesRule, LstmAndGruTakeThem) {
  gates_.recurrent = {Activation::kHardSigmoid, 0.2f, 0.5f};
  gates_.clip = 3.f;
  for (const Cell cell : {Cell::kLstm, Cell::kGru, Cell::kLbrGru}) {
    Take(cell);
    EXPECT_NO_THROW(Validate(&p_)) << ToString(cell);
    EXPECT_FALSE(p_.HasDefaultGates());
  }
}

TEST_F(RnnGatesRule, SigmoidAndTanhAreTheDefaultWhateverTheirNumbers) {
  gates_.recurrent = {Activation::kLogistic, 7.f, 8.f};
  Take(Cell::kAugru);
  EXPECT_NO_THROW(Validate(&p_));
  EXPECT_TRUE(p_.HasDefaultGates());
}

TEST_F(RnnGatesRule, OtherCellsAreRefused) {
  gates_.candidate = {Activation::kRelu};
  Take(Cell::kAugru);
  ExpectUnimplemented("rnn_activations: are set, but the cell is augru, and only LSTM, GRU and LBR-GRU take them");
  Take(Cell::kVanillaRnn);
  ExpectUnimplemented("the activation of vanilla_rnn stands in its descriptor");
}

TEST_F(RnnGatesRule, OnlyLstmHasAFunctionOfItsOutput) {
  gates_.output = {Activation::kRelu};
  Take(Cell::kLstm);
  EXPECT_NO_THROW(Validate(&p_));
  Take(Cell::kGru);
  ExpectInvalid("rnn_activations: output is relu, but gru has no function of an output");
}

TEST_F(RnnGatesRule, NumbersMustBeFiniteWhereTheyCount) {
  gates_.recurrent = {Activation::kHardSigmoid, NAN, 0.5f};
  Take(Cell::kLstm);
  ExpectInvalid("rnn_activations: alpha of recurrent is nan, but must be finite");
  gates_.recurrent = {Activation::kHardSigmoid, 0.2f, INFINITY};
  Take(Cell::kLstm);
  ExpectInvalid("rnn_activations: beta of recurrent is inf, but must be finite");
  gates_.recurrent = {Activation::kSoftsign, NAN, NAN};
  Take(Cell::kLstm);
  EXPECT_NO_THROW(Validate(&p_));
}

TEST_F(RnnGatesRule, AClipIsFiniteAndNotNegative) {
  for (const float clip : {-1.f, INFINITY, NAN}) {
    gates_.clip = clip;
    Take(Cell::kLstm);
    ExpectInvalid("but must be finite and not negative");
  }
  gates_.clip = 1.f;
  Take(Cell::kVanillaRnn);
  EXPECT_NO_THROW(Validate(&p_));
  Take(Cell::kLbrAugru);
  ExpectUnimplemented("rnn_clip: is set, but the cell is lbr_augru, whose gates are not clipped");
}

TEST_F(RnnGatesRule, OnlyLstmHasAForgetGate) {
  gates_.forget = ForgetGate::kRestOfInput;
  Take(Cell::kLstm);
  EXPECT_NO_THROW(Validate(&p_));
  Take(Cell::kGru);
  ExpectUnimplemented("rnn_input_forget: is set, but the cell is gru, which has no forget gate");
}

TEST_F(RnnGatesRule, BytesOfDataAreRefused) {
  gates_.clip = 1.f;
  p_ = MakeTestProblem(Cell::kLstm, Propagation::kForwardInference, Direction::kLeft2Right, DataType::kU8);
  p_.attr.rnn_gates = gates_;
  ExpectUnimplemented("one is set, but src_layer is u8: they take floating data");
}

}  // namespace
}  // namespace tandem
