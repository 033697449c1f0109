// Each rule of Validate(), broken: a valid problem changed in one place, the status, and the message that names the
// tensor and both values.
#include <gtest/gtest.h>

#include "api/core/error_testing.h"
#include "api/core/rnn/rnn_problem.h"
#include "api/core/rnn/rnn_problem_testing.h"

namespace tandem {
namespace {

constexpr auto kInference = Propagation::kForwardInference;
constexpr auto kLeft2Right = Direction::kLeft2Right;

class RnnRule : public ::testing::Test {
 protected:
  void ExpectInvalid(const std::string& words) { Expect(dnnl_invalid_arguments, words); }
  void ExpectUnimplemented(const std::string& words) { Expect(dnnl_unimplemented, words); }
  void Expect(dnnl_status_t status, const std::string& words) {
    ExpectError(status, words, [this] { Validate(&p_); });
  }
  // The given tensor with other dims, in its own type.
  void SetDims(Tensor tensor, const Dims& dims) { p_.md[tensor] = MakeDense(dims, TypeOf(p_.md[tensor])); }
  void SetType(Tensor tensor, DataType type) { p_.md[tensor].data_type = static_cast<dnnl_data_type_t>(type); }

  // LSTM, forward, f32: n_layer 1, n_iter 3, mb 2, slc 5, sic = dhc = dic = 4.
  RnnProblem p_ = MakeTestProblem(Cell::kLstm);
};

TEST_F(RnnRule, EnumeratorsAreInTheirRange) {
  p_.direction = static_cast<Direction>(4);
  ExpectInvalid("direction is 4");
  p_ = MakeTestProblem(Cell::kVanillaRnn);
  p_.activation = static_cast<Activation>(10);
  ExpectInvalid("activation is 10");
  p_.cell = static_cast<Cell>(-1);
  ExpectInvalid("cell kind is -1");
  p_ = MakeTestProblem(Cell::kLstm);
  p_.propagation = static_cast<Propagation>(3);
  ExpectInvalid("propagation kind is 3");
}

TEST_F(RnnRule, HostileDescriptorsAreNamed) {
  p_.md[kBias].ndims = 77;
  ExpectInvalid("bias: has 77 dims");
}

// The cache's key has nothing else of it either: an opaque one was refused, and taken where a bias was absent before.
TEST_F(RnnRule, ATensorWithoutDimsIsAbsentWhateverElseItsDescriptorHolds) {
  p_.md[kBias].ndims = 0;
  p_.md[kBias].format_kind = dnnl_format_kind_opaque;
  EXPECT_NO_THROW(Validate(&p_));
  EXPECT_FALSE(p_.Has(kBias) || IsOpaque(p_.md[kBias]));
}

TEST_F(RnnRule, WhatOneSharedPlaceStandsForIsCountable) {
  const Dim n_layer = Dim{1} << 56;
  const TestShape one = {1, 1, 1, 1, 1, 1, 1};
  p_ = MakeTestProblem(Cell::kLstm, kInference, kLeft2Right, DataType::kF32, one);
  for (const Tensor tensor : {kSrcIter, kSrcIterC, kBias, kDstIter, kDstIterC}) p_.md[tensor] = {};
  EXPECT_NO_THROW(Validate(&p_));
  for (const Tensor tensor : {kWeightsLayer, kWeightsIter}) {
    p_.md[tensor] = MakeStrided({n_layer, 1, 1, 4, 1}, DataType::kF32, {0, 0, 0, 1, 1});
  }
  Expect(dnnl_out_of_memory, "weights_layer: {72057594037927936, 1, 1, 4, 1} with src_layer {1, 1, 1} has weights");
}

TEST_F(RnnRule, TheFourMainTensorsAreRequired) {
  for (const Tensor tensor : {kSrcLayer, kWeightsLayer, kWeightsIter, kDstLayer}) {
    p_ = MakeTestProblem(Cell::kLstm);
    p_.md[tensor] = {};
    ExpectInvalid(std::string(ToString(tensor)) + ": is a zero descriptor, but every lstm");
    p_ = MakeTestProblem(Cell::kLstm, Propagation::kBackward);
    p_.md[Diff(tensor)] = {};
    ExpectInvalid(std::string(ToString(Diff(tensor))) + ": is a zero descriptor");
  }
}

TEST_F(RnnRule, TensorsOfOtherCellsAreRefused) {
  p_ = MakeTestProblem(Cell::kGru);
  Add(&p_, {}, DataType::kF32, kSrcIterC);
  ExpectInvalid("src_iter_c: is {1, 1, 2, 4}, but a gru has no such tensor");
  p_ = MakeTestProblem(Cell::kLbrGru);
  Add(&p_, {}, DataType::kF32, kWeightsProjection);
  ExpectInvalid("weights_projection: is {1, 1, 4, 4}, but a lbr_gru has no such tensor");
  p_ = MakeTestProblem(Cell::kLstm);
  Add(&p_, {}, DataType::kF32, kAugruAttention);
  ExpectInvalid("augru_attention: is {3, 2, 1}, but a lstm has no such tensor");
}

TEST_F(RnnRule, ForwardHasNoGradients) {
  p_.md[kDiffBias] = p_.md[kBias];
  ExpectInvalid("diff_bias: is {1, 1, 4, 4}, but a lstm forward_inference has no such tensor");
}

TEST_F(RnnRule, HiddenAndCellStateComeInPairs) {
  p_.md[kSrcIterC] = {};
  ExpectInvalid("src_iter: is {1, 1, 2, 4}, but src_iter_c is absent");
  p_ = MakeTestProblem(Cell::kLstm);
  p_.md[kDstIter] = {};
  ExpectInvalid("dst_iter: is absent, but dst_iter_c is {1, 1, 2, 4}");
}

TEST_F(RnnRule, EveryOptionalTensorHasItsGradient) {
  for (const Tensor tensor : {kBias, kWeightsPeephole, kWeightsProjection, kSrcIter, kSrcIterC, kDstIter, kDstIterC}) {
    p_ = MakeTestProblem(Cell::kLstm, Propagation::kBackward);
    Add(&p_, {}, DataType::kF32, kWeightsPeephole);
    Add(&p_, {}, DataType::kF32, kWeightsProjection);
    EXPECT_NO_THROW(Validate(&p_));
    p_.md[Diff(tensor)] = {};
    ExpectInvalid(std::string(ToString(tensor)) + ": is {");
    ExpectInvalid(std::string("but ") + ToString(Diff(tensor)) + " is absent");
  }
}

TEST_F(RnnRule, AugruNeedsAttention) {
  p_ = MakeTestProblem(Cell::kAugru);
  p_.md[kAugruAttention] = {};
  ExpectInvalid("augru_attention: is a zero descriptor");
}

TEST_F(RnnRule, AugruRunsLeft2RightOnly) {
  for (const Cell cell : {Cell::kAugru, Cell::kLbrAugru}) {
    p_ = MakeTestProblem(cell);
    p_.direction = Direction::kRight2Left;
    ExpectInvalid(std::string(ToString(cell)) + ": direction is right2left, but must be left2right");
  }
}

TEST_F(RnnRule, AugruHasOneLayer) {
  TestShape shape;
  shape.n_layer = 2, shape.slc = 4;
  p_ = MakeTestProblem(Cell::kAugru, kInference, kLeft2Right, DataType::kF32, shape);
  ExpectInvalid("weights_layer: dim 0 (n_layer) is 2, but augru has 1 layer");
}

TEST_F(RnnRule, RuntimeDimsAreUnimplemented) {
  SetDims(kSrcLayer, {DNNL_RUNTIME_DIM_VAL, 2, 5});
  ExpectUnimplemented("src_layer: {runtime, 2, 5}");
}

TEST_F(RnnRule, SrcLayerHasAFloatingOrByteType) {
  SetType(kSrcLayer, DataType::kS32);
  ExpectUnimplemented("src_layer: data type is s32");
}

TEST_F(RnnRule, FloatingTensorsShareSrcLayersType) {
  for (const DataType x : {DataType::kF32, DataType::kBf16, DataType::kF16}) {
    for (const Tensor tensor : {kSrcIter, kWeightsLayer, kWeightsIter, kWeightsProjection, kDstLayer, kDstIter,
                                kWeightsPeephole, kBias, kSrcIterC, kDstIterC}) {
      p_ = MakeTestProblem(Cell::kLstm, kInference, kLeft2Right, x);
      Add(&p_, {}, x, kWeightsPeephole);
      Add(&p_, {}, x, kWeightsProjection);
      EXPECT_NO_THROW(Validate(&p_));
      const DataType wrong = x == DataType::kBf16 ? DataType::kF16 : DataType::kBf16;
      SetType(tensor, wrong);
      ExpectUnimplemented(std::string(ToString(tensor)) + ": data type is " + ToString(wrong) +
                          ", but with src_layer in " + ToString(x) + " it must be ");
    }
  }
}

TEST_F(RnnRule, AttentionHasSrcLayersType) {
  p_ = MakeTestProblem(Cell::kAugru, kInference, kLeft2Right, DataType::kBf16);
  SetType(kAugruAttention, DataType::kF32);
  ExpectUnimplemented("augru_attention: data type is f32, but with src_layer in bf16 it must be bf16");
}

TEST_F(RnnRule, BothCellStatesHaveOneType) {
  p_ = MakeTestProblem(Cell::kLstm, kInference, kLeft2Right, DataType::kBf16);
  SetType(kDstIterC, DataType::kBf16);
  ExpectUnimplemented("dst_iter_c: data type is bf16, but src_iter_c has f32");
}

TEST_F(RnnRule, GradientsAreF32) {
  for (const Tensor diff : kDiffTensors) {
    if (IsByAttribute(diff)) continue;  // its type is no choice
    const Cell cell = diff == kDiffAugruAttention ? Cell::kAugru : Cell::kLstm;
    p_ = MakeTestProblem(cell, Propagation::kBackward, kLeft2Right, DataType::kBf16);
    for (const Tensor t : {kWeightsPeephole, kWeightsProjection}) {
      if (cell == Cell::kLstm) Add(&p_, {}, DataType::kBf16, t);
    }
    EXPECT_NO_THROW(Validate(&p_)) << ToString(diff);
    ASSERT_TRUE(p_.Has(diff)) << ToString(diff);
    SetType(diff, DataType::kBf16);
    ExpectUnimplemented(std::string(ToString(diff)) + ": data type is bf16, but every diff_ tensor is f32");
  }
}

TEST_F(RnnRule, Int8IsInferenceOnly) {
  for (const Propagation propagation : {Propagation::kForwardTraining, Propagation::kBackward}) {
    p_ = MakeTestProblem(Cell::kLstm, propagation, kLeft2Right, DataType::kU8);
    ExpectUnimplemented(std::string("src_layer: data type is u8, but ") + ToString(propagation));
  }
}

TEST_F(RnnRule, Int8IsForLstmAndGru) {
  for (const Cell cell : {Cell::kVanillaRnn, Cell::kAugru, Cell::kLbrAugru}) {
    p_ = MakeTestProblem(cell, kInference, kLeft2Right, DataType::kU8);
    ExpectUnimplemented(std::string("src_layer: data type is u8, but cell ") + ToString(cell));
  }
  p_ = MakeTestProblem(Cell::kGru, kInference, kLeft2Right, DataType::kS8);
  ExpectUnimplemented("src_layer: data type is s8, but cell gru");
}

TEST_F(RnnRule, WeightsMayBeBytesInInferenceOnly) {
  for (const DataType x : {DataType::kF32, DataType::kBf16, DataType::kF16}) {
    for (const Cell cell : kCells) {
      for (const Propagation propagation : {kInference, Propagation::kForwardTraining}) {
        p_ = MakeTestProblem(cell, propagation, kLeft2Right, x);
        SetType(kWeightsLayer, DataType::kS8);
        SetType(kWeightsIter, DataType::kS8);
        if (propagation == kInference) {
          EXPECT_NO_THROW(Validate(&p_)) << ToString(cell);
          EXPECT_TRUE(p_.HasByteWeights() && !p_.IsInt8());
        } else {
          ExpectUnimplemented(std::string("weights_layer: data type is s8, but with src_layer in ") + ToString(x));
        }
      }
    }
  }
}

TEST_F(RnnRule, AllWeightsAreBytesOrNone) {
  for (const Tensor other : {kWeightsIter, kWeightsProjection}) {
    p_ = MakeTestProblem(Cell::kLstm);
    Add(&p_, {}, DataType::kF32, kWeightsProjection);
    for (const Tensor tensor : {kWeightsLayer, kWeightsIter, kWeightsProjection}) SetType(tensor, DataType::kS8);
    EXPECT_NO_THROW(Validate(&p_));
    SetType(other, DataType::kF32);
    ExpectUnimplemented(std::string(ToString(other)) + ": data type is f32, but weights_layer has s8");
  }
}

TEST_F(RnnRule, ByteWeightsOfF32AreNotConverted) {
  p_ = MakeTestProblem(Cell::kGru);
  p_.attr.fpmath_mode = FpmathMode::kBf16;
  EXPECT_EQ(EffectiveFpmathMode(p_), FpmathMode::kBf16);
  SetType(kWeightsLayer, DataType::kS8);
  EXPECT_EQ(EffectiveFpmathMode(p_), FpmathMode::kStrict);
}

TEST_F(RnnRule, Int8HasNoPeephole) {
  p_ = MakeTestProblem(Cell::kLstm, kInference, kLeft2Right, DataType::kU8);
  Add(&p_, {}, DataType::kU8, kWeightsPeephole);
  ExpectUnimplemented("weights_peephole: is {1, 1, 3, 4}, but must be absent with src_layer in u8");
}

TEST_F(RnnRule, Int8HasTypesOfItsOwn) {
  for (const Tensor tensor :
       {kSrcIter, kWeightsLayer, kWeightsIter, kWeightsProjection, kDstLayer, kDstIter, kBias, kSrcIterC, kDstIterC}) {
    p_ = MakeTestProblem(Cell::kLstm, kInference, kLeft2Right, DataType::kU8);
    Add(&p_, {}, DataType::kU8, kWeightsProjection);
    EXPECT_NO_THROW(Validate(&p_));
    SetType(tensor, DataType::kBf16);
    ExpectUnimplemented(std::string(ToString(tensor)) + ": data type is bf16, but with src_layer in u8 it must be ");
  }
}

TEST_F(RnnRule, Int8StatesHaveOneType) {
  p_ = MakeTestProblem(Cell::kLstm, kInference, kLeft2Right, DataType::kU8);
  SetType(kDstIter, DataType::kF32);
  ExpectUnimplemented("dst_iter: data type is f32, but src_iter has u8");
}

TEST_F(RnnRule, DataTypesAreJudgedBeforeDims) {
  SetDims(kSrcIter, {9, 9, 9, 9});
  SetType(kDstLayer, DataType::kS8);
  ExpectUnimplemented("dst_layer: data type is s8");
}

TEST_F(RnnRule, RanksAreThoseOfTheTable) {
  const int ranks[] = {3, 4, 4, 3, 5, 5, 4, 4, 4, 3, 4, 4};
  for (int i = 0; i < kDiffSrcLayer; ++i) {
    const Tensor tensor = static_cast<Tensor>(i);
    p_ = MakeTestProblem(tensor == kAugruAttention ? Cell::kAugru : Cell::kLstm);
    if (!p_.Has(tensor)) Add(&p_, {}, DataType::kF32, tensor);
    SetDims(tensor, {1, 1});
    ExpectInvalid(std::string(ToString(tensor)) + ": has 2 dims {1, 1}, but must have " + std::to_string(ranks[i]));
  }
}

TEST_F(RnnRule, NoDimIsZero) {
  SetDims(kSrcLayer, {0, 2, 5});
  ExpectInvalid("src_layer: dim 0 is 0, but must be at least 1");
}

// One dim of one tensor changed to 9, in a problem whose other letters are 1 to 5.
struct WrongDim {
  Tensor tensor;
  int dim;
  const char* message;
};

TEST_F(RnnRule, EveryDimOfEveryTensorMatchesItsLetter) {
  const WrongDim kWrong[] = {
      {kSrcIter, 0, "src_iter: dim 0 (n_layer) is 9, but weights_layer has n_layer = 1"},
      {kSrcIter, 1, "src_iter: dim 1 (n_dir) is 9, but left2right has n_dir = 1"},
      {kSrcIter, 2, "src_iter: dim 2 (mb) is 9, but src_layer has mb = 2"},
      {kSrcIter, 3, "src_iter: dim 3 (sic) is 9, but weights_iter has sic = 4"},
      {kSrcIterC, 3, "src_iter_c: dim 3 (dhc) is 9, but weights_layer has dhc = 4"},
      {kWeightsLayer, 1, "weights_layer: dim 1 (n_dir) is 9, but left2right has n_dir = 1"},
      {kWeightsLayer, 2, "weights_layer: dim 2 (slc) is 9, but src_layer has slc = 5"},
      {kWeightsLayer, 3, "weights_layer: dim 3 (n_gates) is 9, but lstm has n_gates = 4"},
      {kWeightsIter, 0, "weights_iter: dim 0 (n_layer) is 9, but weights_layer has n_layer = 1"},
      {kWeightsIter, 3, "weights_iter: dim 3 (n_gates) is 9, but lstm has n_gates = 4"},
      {kWeightsIter, 4, "weights_iter: dim 4 (dhc) is 9, but weights_layer has dhc = 4"},
      {kWeightsPeephole, 2, "weights_peephole: dim 2 (gates i, f, o) is 9, but a peephole has gates i, f, o = 3"},
      {kWeightsPeephole, 3, "weights_peephole: dim 3 (dhc) is 9, but weights_layer has dhc = 4"},
      {kWeightsProjection, 2, "weights_projection: dim 2 (dhc) is 9, but weights_layer has dhc = 4"},
      {kBias, 2, "bias: dim 2 (gates of bias) is 9, but lstm has gates of bias = 4"},
      {kBias, 3, "bias: dim 3 (dhc) is 9, but weights_layer has dhc = 4"},
      {kDstLayer, 0, "dst_layer: dim 0 (n_iter) is 9, but src_layer has n_iter = 3"},
      {kDstLayer, 1, "dst_layer: dim 1 (mb) is 9, but src_layer has mb = 2"},
      {kDstLayer, 2, "dst_layer: dim 2 (dlc) is 9, but dic is 4"},
      {kDstIter, 3, "dst_iter: dim 3 (dic) is 9, but weights_projection has dic = 4"},
      {kDstIterC, 2, "dst_iter_c: dim 2 (mb) is 9, but src_layer has mb = 2"},
      {kDstIterC, 3, "dst_iter_c: dim 3 (dhc) is 9, but weights_layer has dhc = 4"},
  };
  for (const WrongDim& wrong : kWrong) {
    p_ = MakeTestProblem(Cell::kLstm);
    Add(&p_, {}, DataType::kF32, kWeightsPeephole);
    Add(&p_, {}, DataType::kF32, kWeightsProjection);
    Dims dims = TestDims(p_, {}, wrong.tensor);
    dims[wrong.dim] = 9;
    SetDims(wrong.tensor, dims);
    ExpectInvalid(wrong.message);
  }
}

TEST_F(RnnRule, GradientsHaveTheDimsOfTheirTensor) {
  p_ = MakeTestProblem(Cell::kLstm, Propagation::kBackward);
  SetDims(kDiffWeightsIter, {1, 1, 9, 4, 4});
  ExpectInvalid("diff_weights_iter: dim 2 (sic) is 9, but weights_iter has sic = 4");
}

TEST_F(RnnRule, LinearBeforeResetHasFourBiasGates) {
  p_ = MakeTestProblem(Cell::kLbrGru);
  SetDims(kBias, {1, 1, 3, 4});
  ExpectInvalid("bias: dim 2 (gates of bias) is 3, but lbr_gru has gates of bias = 4");
}

TEST_F(RnnRule, AttentionHasOneChannel) {
  p_ = MakeTestProblem(Cell::kAugru);
  SetDims(kAugruAttention, {3, 2, 4});
  ExpectInvalid("augru_attention: dim 2 (channels) is 4, but attention has channels = 1");
}

TEST_F(RnnRule, GruStatesKeepTheirChannelsEvenInOneStep) {
  TestShape shape;
  shape.n_iter = 1, shape.sic = 7;
  for (const Cell cell : {Cell::kGru, Cell::kLbrGru, Cell::kAugru, Cell::kLbrAugru}) {
    p_ = MakeTestProblem(cell, kInference, kLeft2Right, DataType::kF32, shape);
    ExpectInvalid("weights_iter: dim 2 (sic) is 7, but weights_layer's dim 4 (dhc) is 4");
  }
}

TEST_F(RnnRule, ConcatDoublesTheOutputChannels) {
  p_ = MakeTestProblem(Cell::kLstm, kInference, Direction::kBidirectionalConcat);
  SetDims(kDstLayer, {3, 2, 4});
  ExpectInvalid("dst_layer: dim 2 (dlc) is 4, but twice dic for concat is 8");
}

TEST_F(RnnRule, StackedLayersNeedEqualChannels) {
  TestShape shape;
  shape.n_layer = 2;
  for (const Direction direction : {kLeft2Right, Direction::kBidirectionalConcat}) {
    p_ = MakeTestProblem(Cell::kLstm, kInference, direction, DataType::kF32, shape);
    ExpectInvalid("src_layer: dim 2 (slc) is 5, but dic is 4");
  }
}

TEST_F(RnnRule, SeveralStepsNeedEqualStateChannels) {
  TestShape shape;
  shape.sic = 7;
  p_ = MakeTestProblem(Cell::kVanillaRnn, kInference, kLeft2Right, DataType::kF32, shape);
  ExpectInvalid("weights_iter: dim 2 (sic) is 7, but dic is 4");
}

TEST_F(RnnRule, OutputsDoNotOverlapThemselves) {
  p_.md[kDstLayer] = MakeStrided({3, 2, 4}, DataType::kF32, {0, 4, 1});
  ExpectInvalid("dst_layer: a dim of {3, 2, 4} has stride 0");
  p_ = MakeTestProblem(Cell::kLstm, Propagation::kBackward);
  p_.md[kDstLayer] = MakeStrided({3, 2, 4}, DataType::kF32, {0, 4, 1});
  EXPECT_NO_THROW(Validate(&p_));  // backward reads it
  p_.md[kDiffBias] = MakeStrided({1, 1, 4, 4}, DataType::kF32, {0, 0, 0, 1});
  ExpectInvalid("diff_bias: a dim of {1, 1, 4, 4} has stride 0");
}

TEST_F(RnnRule, OnlyWeightsAreOpaque) {
  p_.md[kBias].format_kind = dnnl_format_kind_opaque;
  p_.md[kBias].format_desc.packed = {};
  ExpectUnimplemented("bias: its layout is opaque");
  p_ = MakeTestProblem(Cell::kLstm, Propagation::kBackward);
  p_.md[kDiffWeightsIter].format_kind = dnnl_format_kind_opaque;
  ExpectUnimplemented("diff_weights_iter: its layout is opaque");
}

}  // namespace
}  // namespace tandem
