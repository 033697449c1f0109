// Valid problems, and what Validate() derives from them. Problems that break a rule: rnn_rules_test.cc.
#include "api/core/rnn/rnn_problem.h"

#include <gtest/gtest.h>

#include <functional>

#include "api/core/error.h"
#include "api/core/rnn/rnn_problem_testing.h"
#include "api/core/rnn/workspace.h"

namespace tandem {
namespace {

constexpr auto kDirections = AllOf<Direction>();
constexpr auto kPropagations = AllOf<Propagation>();

TEST(Validate, EveryCellDirectionAndPropagationIsAccepted) {
  for (const Cell cell : kCells) {
    for (const Direction direction : kDirections) {
      if (HasAttention(cell) && direction != Direction::kLeft2Right) continue;
      for (const Propagation propagation : kPropagations) {
        for (const DataType x : {DataType::kF32, DataType::kBf16, DataType::kF16}) {
          RnnProblem problem = MakeTestProblem(cell, propagation, direction, x);
          EXPECT_NO_THROW(Validate(&problem))
              << ToString(cell) << " " << ToString(direction) << " " << ToString(propagation);
        }
      }
    }
  }
}

TEST(Validate, DerivesTheLettersOfTheSpec) {
  TestShape shape;
  shape.n_layer = 2, shape.slc = 6, shape.sic = 6, shape.dhc = 4, shape.dic = 6;
  RnnProblem problem = MakeTestProblem(Cell::kLstm, Propagation::kForwardTraining, Direction::kBidirectionalConcat,
                                       DataType::kF32, shape);
  Add(&problem, shape, DataType::kF32, kWeightsProjection);
  Add(&problem, shape, DataType::kF32, kWeightsPeephole);
  Validate(&problem);
  EXPECT_EQ(problem.n_layer, 2);
  EXPECT_EQ(problem.n_dir, 2);
  EXPECT_EQ(problem.n_iter, 3);
  EXPECT_EQ(problem.mb, 2);
  EXPECT_EQ(problem.slc, 6);
  EXPECT_EQ(problem.sic, 6);
  EXPECT_EQ(problem.dhc, 4);
  EXPECT_EQ(problem.dic, 6);
  EXPECT_EQ(problem.dlc, 12);
  EXPECT_EQ(problem.n_gates, 4);
  EXPECT_EQ(problem.n_bias_gates, 4);
}

TEST(Validate, OptionalTensorsMayBeAbsentEverywhere) {
  for (const Cell cell : kCells) {
    for (const Propagation propagation : kPropagations) {
      RnnProblem problem = MakeTestProblem(cell, propagation);
      for (const Tensor tensor : {kSrcIter, kSrcIterC, kBias, kDstIter, kDstIterC}) {
        problem.md[tensor] = problem.md[Diff(tensor)] = {};
      }
      EXPECT_NO_THROW(Validate(&problem)) << ToString(cell) << " " << ToString(propagation);
    }
  }
}

TEST(Validate, OneStepMayChangeTheNumberOfStateChannels) {
  TestShape shape;
  shape.n_iter = 1, shape.sic = 7;
  RnnProblem problem =
      MakeTestProblem(Cell::kLstm, Propagation::kForwardInference, Direction::kLeft2Right, DataType::kF32, shape);
  EXPECT_NO_THROW(Validate(&problem));
}

TEST(Validate, SixteenBitCellStatesAndBiasAreAccepted) {
  for (const DataType x : {DataType::kBf16, DataType::kF16}) {
    RnnProblem problem = MakeTestProblem(Cell::kLstm, Propagation::kForwardTraining, Direction::kLeft2Right, x);
    for (const Tensor tensor : {kSrcIterC, kDstIterC, kBias}) {
      problem.md[tensor].data_type = static_cast<dnnl_data_type_t>(x);
    }
    EXPECT_NO_THROW(Validate(&problem)) << ToString(x);
  }
}

TEST(Validate, Int8AcceptsEveryOutputCombinationOfTheText) {
  for (const DataType x : {DataType::kU8, DataType::kS8}) {
    for (const DataType iter : {x, DataType::kF32}) {
      for (const DataType dst_layer : {x, DataType::kF32}) {
        RnnProblem problem = MakeTestProblem(Cell::kLstm, Propagation::kForwardInference, Direction::kLeft2Right, x);
        problem.md[kSrcIter].data_type = static_cast<dnnl_data_type_t>(iter);
        problem.md[kDstIter].data_type = static_cast<dnnl_data_type_t>(iter);
        problem.md[kDstLayer].data_type = static_cast<dnnl_data_type_t>(dst_layer);
        EXPECT_NO_THROW(Validate(&problem)) << ToString(x) << ToString(iter) << ToString(dst_layer);
      }
    }
  }
}

TEST(Validate, Int8AcceptsOneScaleForEachGateAndChannel) {
  RnnProblem problem =
      MakeTestProblem(Cell::kGru, Propagation::kForwardInference, Direction::kBidirectionalSum, DataType::kU8);
  problem.attr.rnn_data_scale = 63.f;
  problem.attr.rnn_data_shift = 1.f;
  problem.attr.rnn_weights.mask = 24;
  problem.attr.rnn_weights.values.assign(3 * 4, 2.f);
  EXPECT_NO_THROW(Validate(&problem));
}

TEST(Validate, AnyAndStridedLayoutsAreAcceptedForEveryTensor) {
  RnnProblem any = MakeTestProblem(Cell::kLstm, Propagation::kBackward);
  RnnProblem transposed = any;
  for (int i = 0; i < kNumTensors; ++i) {
    const MemoryDesc md = any.md[i];
    const Dims dims(md.dims, md.dims + md.ndims);
    const std::string reversed = std::string("edcba").substr(5 - dims.size());
    any.md[i] = MakeAny(dims, TypeOf(md));
    transposed.md[i] = MakePermuted(dims, TypeOf(md), reversed.c_str());
  }
  EXPECT_NO_THROW(Validate(&any));
  EXPECT_NO_THROW(Validate(&transposed));
}

TEST(EffectiveFpmathMode, IsStrictUnlessTheProblemIsF32) {
  RnnProblem problem = MakeTestProblem(Cell::kLstm);
  problem.attr.fpmath_mode = FpmathMode::kTf32;
  EXPECT_EQ(EffectiveFpmathMode(problem), FpmathMode::kTf32);
  for (const DataType x : {DataType::kBf16, DataType::kF16, DataType::kU8}) {
    RnnProblem narrow = MakeTestProblem(Cell::kLstm, Propagation::kForwardInference, Direction::kLeft2Right, x);
    narrow.attr.fpmath_mode = FpmathMode::kAny;
    EXPECT_EQ(EffectiveFpmathMode(narrow), FpmathMode::kStrict) << ToString(x);
  }
}

class Workspace : public ::testing::Test {
 protected:
  void SetUp() override {
    Validate(&forward_);
    Validate(&backward_);
  }
  void ExpectRefused(const RnnProblem& problem, const char* implementation, const char* reason) {
    try {
      CheckWorkspace(Buffers(), problem, implementation);
      ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), dnnl_invalid_arguments);
      EXPECT_NE(std::string(error.what()).find(reason), std::string::npos) << error.what();
    }
  }

  RnnBuffers Buffers() {
    RnnBuffers buffers;
    buffers.workspace = bytes_;
    buffers.tensor[kSequenceLengths] = lengths_.data();
    for (const Tensor mask : kMasks) buffers.tensor[mask] = masks_.data();
    return buffers;
  }

  RnnProblem forward_ = MakeTestProblem(Cell::kLstm, Propagation::kForwardTraining);
  RnnProblem backward_ = MakeTestProblem(Cell::kLstm, Propagation::kBackward);
  std::vector<int32_t> lengths_ = std::vector<int32_t>(16, 1);
  std::vector<float> masks_ = std::vector<float>(64, 1.f);
  unsigned char bytes_[kWorkspaceHeaderBytes] = {};
};

TEST_F(Workspace, OfForwardServesTheMatchingBackward) {
  SealWorkspace(Buffers(), forward_, "ref:scalar");
  EXPECT_NO_THROW(CheckWorkspace(Buffers(), backward_, "ref:scalar"));
}

TEST_F(Workspace, NeverFilledIsRefused) { ExpectRefused(backward_, "ref:scalar", "forward_training"); }

TEST_F(Workspace, OfAnotherImplementationIsRefusedByName) {
  SealWorkspace(Buffers(), forward_, "hwy");
  ExpectRefused(backward_, "ref:scalar", "filled by implementation hwy, but ref:scalar");
}

TEST_F(Workspace, OfAnotherProblemIsRefused) {
  TestShape shape;
  shape.mb = 3;
  RnnProblem other =
      MakeTestProblem(Cell::kLstm, Propagation::kBackward, Direction::kLeft2Right, DataType::kF32, shape);
  Validate(&other);
  SealWorkspace(Buffers(), forward_, "ref:scalar");
  ExpectRefused(other, "ref:scalar", "another problem: mb was 2, but is 3 here");
}

TEST_F(Workspace, NamesAllThatItsContentsDependOnAndThatDiffers) {
  const auto expect_named = [&](const char* reason, const std::function<void(RnnProblem*)>& change) {
    RnnProblem other = forward_;
    change(&other);
    SealWorkspace(Buffers(), other, "ref:scalar");
    ExpectRefused(backward_, "ref:scalar", reason);
  };
  expect_named("cell was gru, but is lstm here", [](RnnProblem* p) { p->cell = Cell::kGru; });
  expect_named("direction was right2left, but is left2right here",
               [](RnnProblem* p) { p->direction = Direction::kRight2Left; });
  expect_named("data type was bf16, but is f32 here", [](RnnProblem* p) { p->md[kSrcLayer].data_type = dnnl_bf16; });
  expect_named("type of c was f16, but is f32 here", [](RnnProblem* p) { p->md[kSrcIterC].data_type = dnnl_f16; });
  for (const Tensor tensor : {kSrcIter, kBias}) {
    expect_named((std::string(ToString(tensor)) + " was absent, but is given here").c_str(),
                 [tensor](RnnProblem* p) { p->md[tensor] = {}; });
  }
  expect_named("n_iter was 70, but is", [](RnnProblem* p) { p->n_iter = 70; });
  expect_named("; dhc was 80, but is", [](RnnProblem* p) { p->slc = 70, p->dhc = 80; });
}

TEST_F(Workspace, OfOtherLengthsIsRefused) {
  forward_.attr.rnn_sequence_lengths = backward_.attr.rnn_sequence_lengths = true;
  SetUp();
  SealWorkspace(Buffers(), forward_, "ref:scalar");
  EXPECT_NO_THROW(CheckWorkspace(Buffers(), backward_, "ref:scalar"));
  lengths_[1] = 0;
  ExpectRefused(backward_, "ref:scalar", "another problem: sequence_lengths was given (fingerprint ");
}

TEST_F(Workspace, OfOtherMasksIsRefused) {
  forward_.attr.rnn_masks = backward_.attr.rnn_masks = 15;
  forward_.attr.rnn_sequence_lengths = backward_.attr.rnn_sequence_lengths = true;
  SetUp();
  SealWorkspace(Buffers(), forward_, "ref:scalar");
  // Rows have one step: what lies beyond it is not read.
  const Dim row = forward_.slc, step = forward_.mb * row;
  masks_[static_cast<size_t>(step)] = 7.f;
  EXPECT_NO_THROW(CheckWorkspace(Buffers(), backward_, "ref:scalar"));
  masks_[static_cast<size_t>(row)] = 7.f;
  ExpectRefused(backward_, "ref:scalar", "another problem: masks was given (fingerprint ");
  forward_.attr.rnn_masks = 0;
  SetUp();
  SealWorkspace(Buffers(), forward_, "ref:scalar");
  ExpectRefused(backward_, "ref:scalar", "another problem: masks was absent, but is given (fingerprint ");
}

TEST_F(Workspace, ThatWasDamagedIsRefusedWithWhatItHolds) {
  SealWorkspace(Buffers(), forward_, "ref:scalar");
  bytes_[sizeof(uint64_t)] = 99;  // the cell
  ExpectRefused(backward_, "ref:scalar", "cell was 99, but is lstm here");
}

}  // namespace
}  // namespace tandem
