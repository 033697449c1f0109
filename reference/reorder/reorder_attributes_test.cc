// Scales, zero points, sum and the RNN quantization parameters of a reorder.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "api/core/error_testing.h"
#include "reference/reorder/reorder.h"
#include "reference/reorder/reorder_testing.h"

namespace tandem {
namespace reference {
namespace {

// (-3 - 2) * 0.5 = -2.5 ; (7 - 2) * 0.5 = 2.5.
TEST(Reorder, DequantizesWithScaleAndZeroPointOfSrc) {
  Attributes attr;
  attr.scale_masks[kReorderSrcArg] = 0;
  attr.zero_point_masks[kReorderSrcArg] = 0;
  const float scale = 0.5f;
  const int32_t zero_point = 2;
  ReorderBuffers buffers;
  buffers.src_scales = &scale, buffers.src_zero_points = &zero_point;
  EXPECT_EQ(Convert({2}, kS8, {-3.f, 7.f}, kF32, attr, buffers), (Floats{-2.5f, 2.5f}));
}

// 1 / 0.5 + 3 = 5, -4 / 0.5 + 3 = -5 -> 0 in u8.
TEST(Reorder, QuantizesWithScaleAndZeroPointOfDst) {
  Attributes attr;
  attr.scale_masks[kReorderDstArg] = 0;
  attr.zero_point_masks[kReorderDstArg] = 0;
  const float scale = 0.5f;
  const int32_t zero_point = 3;
  ReorderBuffers buffers;
  buffers.dst_scales = &scale, buffers.dst_zero_points = &zero_point;
  EXPECT_EQ(Convert({2}, kF32, {1.f, -4.f}, kU8, attr, buffers), (Floats{5, 0}));
}

// The specification's example "weights quantization with per-output-channel scaling":
// wei_s8(oc, ic, kh, kw) <- wei_f32(oc, ic, kh, kw) / scale(oc), from a layout with the output channels innermost.
TEST(Reorder, QuantizesWeightsPerOutputChannelAsTheFirstExampleOfTheText) {
  const Dims dims = {2, 1, 1, 3};
  Tensor src(MakePermuted(dims, kF32, "cdba")), dst(MakeDense(dims, kS8));
  const float elements[] = {1, 10, 2, 20, 3, 30};  // kw outside of oc
  std::memcpy(src.bytes.data(), elements, sizeof elements);
  const float scales[] = {0.5f, 4.f};
  ReorderProblem problem = {src.md, dst.md, {}};
  problem.attr.scale_masks[kReorderDstArg] = 1 << 0;
  ReorderBuffers buffers;
  buffers.src = src.bytes.data(), buffers.dst = dst.bytes.data(), buffers.dst_scales = scales;
  Execute(problem, buffers);
  const int8_t* got = dst.As<int8_t>();
  // 10 / 4 = 2.5 and 30 / 4 = 7.5: ties to even.
  EXPECT_EQ(std::vector<int>(got, got + 6), (std::vector<int>{2, 4, 6, 2, 5, 8}));
}

// The specification's example "convolution with groups, with per-output-channel quantization" has src_f32 = src_scale *
// src_s8 and dst_f32 = dst_scale * dst_s8. Here, with zero points, as one reorder from src's quantization to dst's.
TEST(Reorder, RequantizesBetweenTheTwoTensorsOfTheSecondExampleOfTheText) {
  Attributes attr;
  for (const int arg : {kReorderSrcArg, kReorderDstArg}) attr.scale_masks[arg] = attr.zero_point_masks[arg] = 0;
  const float src_scale = 0.25f, dst_scale = 0.5f;
  const int32_t src_zero_point = 4, dst_zero_point = -10;
  ReorderBuffers buffers;
  buffers.src_scales = &src_scale, buffers.dst_scales = &dst_scale;
  buffers.src_zero_points = &src_zero_point, buffers.dst_zero_points = &dst_zero_point;
  // (12 - 4) / 4 = 2 -> 2 / 0.5 - 10 = -6 ; (-128 - 4) / 4 = -33 -> -66 - 10 = -76.
  EXPECT_EQ(Convert({2}, kS8, {12.f, -128.f}, kS8, attr, buffers), (Floats{-6, -76}));
}

TEST(Reorder, TakesOneScaleForEachIndexOfTheMask) {
  Attributes attr;
  attr.scale_masks[kReorderSrcArg] = 1 << 0 | 1 << 2;
  const float scales[] = {1, 2, 3, 4};
  ReorderBuffers buffers;
  buffers.src_scales = scales;
  EXPECT_EQ(Convert({2, 2, 2}, kF32, Floats(8, 1.f), kF32, attr, buffers), (Floats{1, 2, 1, 2, 3, 4, 3, 4}));
}

// Returns the place of the value for `index`: row-major over the dims of the mask.
size_t PlaceOf(const Dims& index, const Dims& dims, int mask) {
  Dim place = 0;
  for (size_t d = 0; d < dims.size(); ++d) {
    if (mask >> d & 1) place = place * dims[d] + index[d];
  }
  return static_cast<size_t>(place);
}

// 1 * scale + zero point, both of which tell their place.
RC_GTEST_PROP(Reorder, TakesMasksForDimsOfTheTensorWhateverTheirOrderInMemory, ()) {
  const Dims dims = GenDims(4, 4);
  Tensor src(GenStrided(dims, kF32)), dst(GenStrided(dims, kS32));
  ForEachIndex(src.md, [&](const Dims& index) { src.As<float>()[OffsetAt(src.md, index.data())] = 1.f; });
  const auto any_mask = rc::gen::inRange(0, 1 << dims.size());
  const int scale_mask = *any_mask, zero_point_mask = *any_mask;
  Floats scales(static_cast<size_t>(MaskedCount(src.md, scale_mask)));
  std::vector<int32_t> zero_points(static_cast<size_t>(MaskedCount(src.md, zero_point_mask)));
  for (size_t i = 0; i < scales.size(); ++i) scales[i] = static_cast<float>(i + 1);
  for (size_t i = 0; i < zero_points.size(); ++i) zero_points[i] = static_cast<int32_t>(1000 * i);
  ReorderProblem problem = {src.md, dst.md, {}};
  problem.attr.scale_masks[kReorderSrcArg] = scale_mask;
  problem.attr.zero_point_masks[kReorderDstArg] = zero_point_mask;
  ReorderBuffers buffers;
  buffers.src = src.bytes.data(), buffers.dst = dst.bytes.data();
  buffers.src_scales = scales.data(), buffers.dst_zero_points = zero_points.data();
  Execute(problem, buffers);
  ForEachIndex(dst.md, [&](const Dims& index) {
    const float scale = scales[PlaceOf(index, dims, scale_mask)];
    const int32_t zero_point = zero_points[PlaceOf(index, dims, zero_point_mask)];
    RC_ASSERT(dst.Get(index) == scale + static_cast<float>(zero_point));
  });
}

TEST(Reorder, SumAddsTheOldDestinationBeforeTheScaleOfDst) {
  Tensor src(MakeDense({1}, kF32)), dst(MakeDense({1}, kF32));
  src.As<float>()[0] = 3.f, dst.As<float>()[0] = 10.f;
  ReorderProblem problem = {src.md, dst.md, {}};
  PostOp sum;
  sum.kind = dnnl_sum;
  sum.scale = 0.5f;
  sum.zero_point = 2;
  problem.attr.post_ops = {sum};
  const float scale = 2.f;
  ReorderBuffers buffers;
  buffers.src = src.bytes.data(), buffers.dst = dst.bytes.data(), buffers.dst_scales = &scale;
  Execute(problem, buffers);
  EXPECT_EQ(dst.As<float>()[0], 7.f);  // 3 + 0.5 * (10 - 2)
  problem.attr.scale_masks[kReorderDstArg] = 0;
  Execute(problem, buffers);
  EXPECT_EQ(dst.As<float>()[0], 2.75f);  // (3 + 0.5 * (7 - 2)) / 2
}

TEST(Reorder, OutputScalesOfTheV2GenerationMultiply) {
  Attributes attr;
  attr.output_scales = {1 << 1, {2.f, 3.f}};
  EXPECT_EQ(Convert({2, 2}, kF32, {1, 1, 5, 5}, kF32, attr), (Floats{2, 3, 10, 15}));
}

TEST(Reorder, ScalesAndZeroPointsOfCreationTimeAreUsed) {
  Attributes attr;
  attr.scales[kReorderSrcArg] = {0, {2.f}};
  attr.zero_points[kReorderDstArg] = {1, {10, 20}};
  EXPECT_EQ(Convert({2}, kF32, {1, 2}, kU8, attr), (Floats{12, 24}));
}

TEST(Reorder, WithoutTheValuesThatAMaskPromisedIsInvalid) {
  Attributes attr;
  attr.scale_masks[kReorderDstArg] = 0;
  const auto plan = CreateReorder({MakeDense({1}, kF32), MakeDense({1}, kF32), attr}, nullptr);
  ExpectError(dnnl_invalid_arguments, "scales of dst", [&] { plan->Execute({}); });
  attr = {};
  attr.zero_point_masks[kReorderDstArg] = 0;
  const auto shifts = CreateReorder({MakeDense({1}, kF32), MakeDense({1}, kS8), attr}, nullptr);
  ExpectError(dnnl_invalid_arguments, "zero points of dst", [&] { shifts->Execute({}); });
}

// scale 2, shift 0.5: the specification's example. spec: 2 * (3 + 0.5) = 7; oneDNN: 2 * 3 + 0.5 = 6.5 -> 6.
TEST(RnnDataReorder, QuantizesInEitherReading) {
  Attributes attr;
  attr.rnn_data_scale = 2.f, attr.rnn_data_shift = 0.5f;
  attr.reading = Reading::kSpec;
  EXPECT_EQ(Convert({1, 1, 3}, kF32, {3.f, -9.f, 200.f}, kU8, attr), (Floats{7, 0, 255}));
  attr.reading = Reading::kOnednn;
  EXPECT_EQ(Convert({1, 1, 3}, kF32, {3.f, -9.f, 200.f}, kU8, attr), (Floats{6, 0, 255}));
}

TEST(RnnDataReorder, DequantizesInEitherReading) {
  Attributes attr;
  attr.rnn_data_scale = 2.f, attr.rnn_data_shift = 8.f;
  attr.reading = Reading::kSpec;
  EXPECT_EQ(Convert({1, 1, 1, 2}, kU8, {16.f, 20.f}, kF32, attr), (Floats{0.f, 2.f}));
  attr.reading = Reading::kOnednn;
  EXPECT_EQ(Convert({1, 1, 1, 2}, kU8, {16.f, 20.f}, kF32, attr), (Floats{4.f, 6.f}));
}

RC_GTEST_PROP(RnnDataReorder, GivesEachByteBackAfterARoundTrip, ()) {
  Attributes attr;
  attr.rnn_data_scale = *rc::gen::elementOf(Floats{0.5f, 1.f, 2.f, 64.f, 128.f});
  attr.rnn_data_shift = static_cast<float>(*rc::gen::inRange(-64, 65));
  attr.reading = *rc::gen::element(Reading::kSpec, Reading::kOnednn);
  Floats bytes(256);
  for (int i = 0; i < 256; ++i) bytes[i] = static_cast<float>(i);
  const Floats real = Convert({1, 2, 128}, kU8, bytes, kF32, attr);
  RC_ASSERT(Convert({1, 2, 128}, kF32, real, kU8, attr) == bytes);
}

// {L, D, I, G, O} = {1, 1, 2, 2, 2}: scale g * O + o, the same for both input channels.
TEST(RnnWeightsReorder, MultipliesByTheScaleOfGateAndChannel) {
  Attributes attr;
  attr.rnn_weights = {1 << 3 | 1 << 4, {1.f, 2.f, 3.f, 100.f}};
  EXPECT_EQ(Convert({1, 1, 2, 2, 2}, kF32, {1, 1, 1, 1, -2, -2, -2, -2}, kS8, attr),
            (Floats{1, 2, 3, 100, -2, -4, -6, -128}));
  EXPECT_EQ(Convert({1, 1, 1, 2, 2}, kS8, {1, 2, 6, 50}, kF32, attr), (Floats{1, 1, 2, 0.5f}));
}

// The order of dims is l, d, i, g, o in every layout.
RC_GTEST_PROP(RnnWeightsReorder, TakesScalesForGatesAndChannelsWhateverTheirOrderInMemory, ()) {
  const Dims dims = {1, 2, 3, 3, 2};
  Tensor src(GenStrided(dims, kF32)), dst(GenStrided(dims, kS8));
  ForEachIndex(src.md, [&](const Dims& index) { src.As<float>()[OffsetAt(src.md, index.data())] = 2.f; });
  ReorderProblem problem = {src.md, dst.md, {}};
  problem.attr.rnn_weights = {1 << 3 | 1 << 4, {1, 2, 3, 4, 5, 6}};
  ReorderBuffers buffers;
  buffers.src = src.bytes.data(), buffers.dst = dst.bytes.data();
  Execute(problem, buffers);
  ForEachIndex(dst.md, [&](const Dims& index) {
    RC_ASSERT(dst.Get(index) == 2.f * static_cast<float>(index[3] * dims[4] + index[4] + 1));
  });
}

TEST(RnnWeightsReorder, KeepsWeightsThatAreS8Already) {
  Attributes attr;
  attr.rnn_weights = {0, {7.f}};
  EXPECT_EQ(Convert({1, 1, 1, 1, 2}, kS8, {3, -4}, kS8, attr), (Floats{3, -4}));
}

TEST(RnnProjectionReorder, MultipliesByTheScaleOfItsOutputChannel) {
  Attributes attr;
  attr.rnn_weights_projection = {1 << 3, {2.f, 10.f}};
  EXPECT_EQ(Convert({1, 1, 2, 2}, kF32, {1, 1, 3, 3}, kS8, attr), (Floats{2, 10, 6, 30}));
  EXPECT_EQ(Convert({1, 1, 1, 2}, kS8, {1, 1}, kF32, attr), (Floats{0.5f, 0.1f}));
}

TEST(Reorder, IgnoresRnnParametersThatAreNotMeantForIt) {
  Attributes attr;
  attr.rnn_data_scale = 9.f;
  attr.rnn_weights = {24, {5.f, 6.f}};
  EXPECT_EQ(Convert({1, 1, 1, 1, 2}, kF32, {1, 2}, kF32, attr), (Floats{1, 2}));
  EXPECT_EQ(Convert({1, 1, 2}, kF32, {1, 2}, DataType::kBf16, attr), (Floats{1, 2}));
}

}  // namespace
}  // namespace reference
}  // namespace tandem
