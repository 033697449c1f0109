// The rules of a reorder, each broken once.
#include "api/core/reorder/reorder_problem.h"

#include <gtest/gtest.h>

#include <limits>

#include "api/core/error_testing.h"
#include "api/core/text/text.h"

namespace tandem {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

ReorderProblem Make(const Dims& dims, DataType src, DataType dst) {
  ReorderProblem problem;
  problem.src = MakeDense(dims, src);
  problem.dst = MakeDense(dims, dst);
  return problem;
}

class ReorderRule : public ::testing::Test {
 protected:
  void Expect(dnnl_status_t status, const std::string& words) {
    ExpectError(status, words, [this] { Validate(p_); });
  }
  ReorderProblem p_ = Make({2, 3}, DataType::kF32, DataType::kS8);
};

TEST_F(ReorderRule, DimsMustBeEqual) {
  p_.dst = MakeDense({3, 2}, DataType::kS8);
  Expect(dnnl_invalid_arguments, "dst: has dims {3, 2}, but src has {2, 3}");
  p_.dst = MakeDense({2, 3, 1}, DataType::kS8);
  Expect(dnnl_invalid_arguments, "dst: has dims {2, 3, 1}, but src has {2, 3}");
}

TEST_F(ReorderRule, AnyIsNoLayoutToReadOrWrite) {
  p_.dst = MakeAny({2, 3}, DataType::kS8);
  Expect(dnnl_invalid_arguments, "dst: {2, 3} has the layout `any`");
  p_.src = MakeAny({2, 3}, DataType::kF32);
  Expect(dnnl_invalid_arguments, "src: {2, 3} has the layout `any`");
}

TEST_F(ReorderRule, ZeroDescriptorsHaveNothingToMove) {
  p_.src = {};
  Expect(dnnl_invalid_arguments, "src: is a zero descriptor");
}

TEST_F(ReorderRule, HostileDescriptorsAreNamed) {
  p_.dst.ndims = 40;
  Expect(dnnl_invalid_arguments, "dst: has 40 dims");
}

TEST_F(ReorderRule, RuntimeDimsAreUnimplemented) {
  p_.src = MakeDense({DNNL_RUNTIME_DIM_VAL, 3}, DataType::kF32);
  Expect(dnnl_unimplemented, "src: {runtime, 3}");
}

TEST_F(ReorderRule, OnlySrcMayBroadcast) {
  p_.src = MakeStrided({2, 3}, DataType::kF32, {0, 1});
  EXPECT_NO_THROW(Validate(p_));
  p_.dst = MakeStrided({2, 3}, DataType::kS8, {0, 1});
  Expect(dnnl_invalid_arguments, "dst: a dim of {2, 3} has stride 0");
}

TEST_F(ReorderRule, ScalesBelongToSrcOrDst) {
  p_.attr.scale_masks[33] = 0;
  Expect(dnnl_unimplemented, "scales: set for argument DNNL_ARG_WEIGHTS (33)");
}

TEST_F(ReorderRule, MasksHaveBitsOfTheTensorsDimsOnly) {
  p_.attr.scale_masks[kReorderDstArg] = 4;
  Expect(dnnl_invalid_arguments, "scales of dst: mask is 4 (dim 2), but the tensor has 2 dims");
  p_.attr.scale_masks[kReorderDstArg] = -1;
  Expect(dnnl_invalid_arguments, "scales of dst: mask is -1");
}

TEST_F(ReorderRule, ZeroPointsBelongToIntegers) {
  p_.attr.zero_point_masks[kReorderSrcArg] = 0;
  Expect(dnnl_invalid_arguments, "zero points of src: are set, but the data type is f32");
}

TEST_F(ReorderRule, ZeroPointsBelongToSrcOrDst) {
  p_.attr.zero_points[34] = {0, {1}};
  Expect(dnnl_unimplemented, "zero points: set for argument DNNL_ARG_WEIGHTS_1 (34)");
}

TEST_F(ReorderRule, ZeroPointsOfTheWrongNumberAreInvalid) {
  p_.attr.zero_points[kReorderDstArg] = {2, {1, 2}};
  Expect(dnnl_invalid_arguments, "zero points of dst: has 2 values, but mask 2 (dim 1) over {2, 3} needs 3");
}

TEST_F(ReorderRule, ScalesOfTheWrongNumberAreInvalid) {
  p_.attr.scales[kReorderSrcArg] = {1, {1.f, 2.f, 3.f}};
  Expect(dnnl_invalid_arguments, "scales of src: has 3 values, but mask 1 (dim 0) over {2, 3} needs 2");
  p_.attr = {};
  p_.attr.output_scales = {2, {1.f}};
  Expect(dnnl_invalid_arguments, "output_scales: has 1 values, but mask 2 (dim 1) over {2, 3} needs 3");
}

TEST_F(ReorderRule, ScalesAreFiniteAndNotZero) {
  for (const float bad : {0.f, kNan, std::numeric_limits<float>::infinity()}) {
    p_.attr.scales[kReorderSrcArg] = {1, {1.f, bad}};
    Expect(dnnl_invalid_arguments, "scales of src: a scale is " + NumberText(bad));
  }
}

TEST_F(ReorderRule, OneSumIsTheOnlyPostOp) {
  PostOp sum;
  sum.kind = dnnl_sum;
  p_.attr.post_ops = {sum};
  EXPECT_NO_THROW(Validate(p_));
  p_.attr.post_ops = {sum, sum};
  Expect(dnnl_unimplemented, "post_ops: has 2 entries");
  p_.attr.post_ops = {PostOp()};
  Expect(dnnl_unimplemented, "post_ops: has 1 entries, the first of kind undef");
  sum.type = DataType::kF32;
  p_.attr.post_ops = {sum};
  Expect(dnnl_unimplemented, "post_ops: sum reads f32, but dst is s8");
}

TEST_F(ReorderRule, RnnWeightsTakeOneScaleOrOneForEachGateAndChannel) {
  p_ = Make({2, 1, 5, 4, 3}, DataType::kF32, DataType::kS8);
  p_.attr.rnn_weights = {0, {2.f}};
  EXPECT_NO_THROW(Validate(p_));
  p_.attr.rnn_weights = {24, std::vector<float>(12, 2.f)};
  EXPECT_NO_THROW(Validate(p_));
  p_.attr.rnn_weights = {24, std::vector<float>(11, 2.f)};
  Expect(dnnl_invalid_arguments, "rnn_weights_qparams: has 11 values, but mask 24");
  p_.attr.rnn_weights = {8, std::vector<float>(4, 2.f)};
  Expect(dnnl_unimplemented, "rnn_weights_qparams: mask is 8 (dim 3), but must be 0 or 24 (dims 3, 4)");
}

TEST_F(ReorderRule, RnnProjectionTakesOneScaleOrOneForEachChannel) {
  p_ = Make({2, 1, 5, 3}, DataType::kF32, DataType::kS8);
  p_.attr.rnn_weights_projection = {8, {1.f, 2.f, 3.f}};
  EXPECT_NO_THROW(Validate(p_));
  p_.attr.rnn_weights_projection = {8, {1.f, 2.f}};
  Expect(dnnl_invalid_arguments, "rnn_weights_projection_qparams: has 2 values, but mask 8");
  p_.attr.rnn_weights_projection = {24, {1.f, 2.f}};
  Expect(dnnl_unimplemented, "rnn_weights_projection_qparams: mask is 24 (dims 3, 4), but must be 0 or 8 (dim 3)");
}

TEST_F(ReorderRule, RnnDataScaleIsFiniteAndNotZero) {
  p_ = Make({2, 1, 5}, DataType::kF32, DataType::kU8);
  p_.attr.rnn_data_scale = 0.f;
  Expect(dnnl_invalid_arguments, "rnn_data_qparams: scale is 0 and");
  p_.attr.rnn_data_scale = 1.f;
  p_.attr.rnn_data_shift = kNan;
  Expect(dnnl_invalid_arguments, "shift nan");
}

TEST_F(ReorderRule, RnnParametersDoNotMixWithScales) {
  p_ = Make({2, 1, 5}, DataType::kF32, DataType::kU8);
  p_.attr.rnn_data_scale = 2.f;
  p_.attr.scale_masks[kReorderDstArg] = 0;
  Expect(dnnl_unimplemented, "rnn qparams: are set");
}

TEST(RnnQparamsOf, AreToldByTypesAndRank) {
  Attributes all;
  all.rnn_data_scale = 2.f;
  all.rnn_weights = {0, {3.f}};
  all.rnn_weights_projection = {0, {4.f}};
  const auto kind = [&all](const Dims& dims, DataType src, DataType dst) {
    ReorderProblem problem = Make(dims, src, dst);
    problem.attr = all;
    return RnnQparamsOf(problem);
  };
  const DataType f32 = DataType::kF32, bf16 = DataType::kBf16, u8 = DataType::kU8, s8 = DataType::kS8;
  EXPECT_EQ(kind({2, 3, 4}, f32, u8), RnnQparams::kData);
  EXPECT_EQ(kind({2, 3, 4}, s8, f32), RnnQparams::kData);
  EXPECT_EQ(kind({1, 2, 3, 4}, f32, u8), RnnQparams::kData);
  EXPECT_EQ(kind({1, 2, 3, 4, 5}, f32, s8), RnnQparams::kWeights);
  EXPECT_EQ(kind({1, 2, 3, 4, 5}, s8, f32), RnnQparams::kWeights);
  EXPECT_EQ(kind({1, 2, 3, 4, 5}, f32, u8), RnnQparams::kNone);
  EXPECT_EQ(kind({2, 3, 4}, f32, bf16), RnnQparams::kNone);
  EXPECT_EQ(kind({2, 3, 4}, s8, s8), RnnQparams::kNone);
  EXPECT_EQ(kind({2, 3}, f32, s8), RnnQparams::kNone);
}

// ldnc and ldio are one layout. api/tests/int8_parameters_test.cc has what follows from it.
TEST(RnnQparamsOf, APlainFourDimensionalS8IsUnclearIfTheScalesOfAProjectionAreSetToo) {
  ReorderProblem problem = Make({1, 2, 3, 4}, DataType::kF32, DataType::kS8);
  problem.attr.rnn_data_scale = 2.f;
  EXPECT_EQ(RnnQparamsOf(problem), RnnQparams::kData);
  problem.attr.rnn_weights_projection = {0, {4.f}};
  EXPECT_EQ(RnnQparamsOf(problem), RnnQparams::kUnclear);
  problem.attr.reading = Reading::kOnednn;
  EXPECT_EQ(RnnQparamsOf(problem), RnnQparams::kData);
  problem.dst.format_kind = dnnl_format_kind_opaque;
  EXPECT_EQ(RnnQparamsOf(problem), RnnQparams::kProjection);
  problem.attr.rnn_weights_projection = {};
  EXPECT_EQ(RnnQparamsOf(problem), RnnQparams::kNone);
}

// A scale of 1 is a scale, if the client gave it.
TEST(RnnQparamsOf, AProjectionsScaleMayBeOne) {
  ReorderProblem problem = Make({1, 2, 3, 4}, DataType::kF32, DataType::kS8);
  problem.attr.rnn_weights_projection = {0, {1.f}, true};
  EXPECT_EQ(RnnQparamsOf(problem), RnnQparams::kProjection);
  problem.attr.rnn_weights = {0, {1.f}, true};
  EXPECT_EQ(RnnQparamsOf(problem), RnnQparams::kUnclear);
}

TEST(ScalesOf, RuntimePlaceholdersOfTheV2GenerationComeWithExecution) {
  Attributes attr;
  uint32_t bits = 0x7fc000d0u;
  float placeholder;
  memcpy(&placeholder, &bits, sizeof bits);
  attr.scales[kReorderSrcArg] = {2, {placeholder}};
  attr.zero_points[kReorderDstArg] = {0, {std::numeric_limits<int32_t>::min()}};
  EXPECT_EQ(ScalesOf(attr, kReorderSrcArg).source, ParameterSource::kExecution);
  EXPECT_EQ(ScalesOf(attr, kReorderSrcArg).mask, 2);
  EXPECT_EQ(ScalesOf(attr, kReorderDstArg).source, ParameterSource::kNone);
  EXPECT_EQ(ZeroPointsOf(attr, kReorderDstArg).source, ParameterSource::kExecution);
}

}  // namespace
}  // namespace tandem
