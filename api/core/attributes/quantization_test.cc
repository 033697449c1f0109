#include "api/core/attributes/quantization.h"

#include <gtest/gtest.h>

namespace tandem {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(SaturateAndRound, RoundsTiesToEven) {
  EXPECT_EQ(SaturateAndRound<int8_t>(0.5f), 0);
  EXPECT_EQ(SaturateAndRound<int8_t>(1.5f), 2);
  EXPECT_EQ(SaturateAndRound<int8_t>(2.5f), 2);
  EXPECT_EQ(SaturateAndRound<int8_t>(-0.5f), 0);
  EXPECT_EQ(SaturateAndRound<int8_t>(-1.5f), -2);
  EXPECT_EQ(SaturateAndRound<uint8_t>(254.5), 254);
}

TEST(SaturateAndRound, ClampsToTheTypesRange) {
  EXPECT_EQ(SaturateAndRound<int8_t>(127.5f), 127);
  EXPECT_EQ(SaturateAndRound<int8_t>(-200.f), -128);
  EXPECT_EQ(SaturateAndRound<uint8_t>(-0.6f), 0);
  EXPECT_EQ(SaturateAndRound<uint8_t>(kInfinity), 255);
  EXPECT_EQ(SaturateAndRound<uint8_t>(-kInfinity), 0);
  EXPECT_EQ(SaturateAndRound<uint8_t>(kNan), 0);
}

TEST(SaturateAndRound, FloatReachesTheLargestS32ThatFloatHolds) {
  EXPECT_EQ(SaturateAndRound<int32_t>(3e9f), 2147483520);
  EXPECT_EQ(SaturateAndRound<int32_t>(3e9), 2147483647);
  EXPECT_EQ(SaturateAndRound<int32_t>(-3e9f), -2147483647 - 1);
}

// The specification's example for set_rnn_data_qparams: scale 2, shift 0.5. x = 3: 2 * (3 + 0.5) = 7; 2 * 3 + 0.5 =
// 6.5, to even 6.
TEST(QuantizeData, ReadingsDifferByTheScaleOfTheShift) {
  EXPECT_EQ(QuantizeData<uint8_t>(3.f, DataQparams{2.f, 0.5f, Reading::kSpec}), 7);
  EXPECT_EQ(QuantizeData<uint8_t>(3.f, DataQparams{2.f, 0.5f, Reading::kOnednn}), 6);
}

// scale 63, shift 64 in the reading of oneDNN: 63 * 0.5 + 64 = 95.5 -> 96; -63 + 64 = 1; 63 + 64 = 127;
// 3 * 63 + 64 = 253; -3 * 63 + 64 < 0.
TEST(QuantizeData, OnednnReadingMapsTheUnitIntervalAsItsExampleExpects) {
  const DataQparams q = {63.f, 64.f, Reading::kOnednn};
  EXPECT_EQ(QuantizeData<uint8_t>(0.5f, q), 96);
  EXPECT_EQ(QuantizeData<uint8_t>(-1.f, q), 1);
  EXPECT_EQ(QuantizeData<uint8_t>(1.f, q), 127);
  EXPECT_EQ(QuantizeData<uint8_t>(3.f, q), 253);
  EXPECT_EQ(QuantizeData<uint8_t>(-3.f, q), 0);
}

TEST(DequantizeData, InvertsEveryByteInBothReadings) {
  for (const Reading reading : AllOf<Reading>()) {
    const DataQparams q = {63.f, reading == Reading::kSpec ? 64.f / 63.f : 64.f, reading};
    for (int byte = 0; byte < 256; ++byte) {
      EXPECT_EQ(QuantizeData<uint8_t>(DequantizeData(static_cast<float>(byte), q), q), byte);
    }
  }
}

TEST(ZeroImage, MakesBothReadingsAnOffsetInTheIntegers) {
  for (const Reading reading : AllOf<Reading>()) {
    const DataQparams q = {8.f, 4.f, reading};
    EXPECT_EQ(DequantizeData(100.f, q), (100.f - ZeroImage(q)) / 8.f);
  }
  EXPECT_EQ(ZeroImage({8.f, 4.f, Reading::kSpec}), 32.f);
  EXPECT_EQ(ZeroImage({8.f, 4.f, Reading::kOnednn}), 4.f);
}

// 0.3 as f32 is 0.300000012: 55 times that is 16.50000066, the nearest f32 to which is 16.5, a tie.
TEST(QuantizeData, RoundsEachOperationToF32) {
  EXPECT_EQ(QuantizeData<uint8_t>(0.f, DataQparams{55.f, 0.3f, Reading::kSpec}), 16);
  EXPECT_EQ(SaturateAndRound<uint8_t>(55.0 * 0.3f), 17);
}

// 1/3 as f32 is 0.333333343. Three times that is 1 + 2^-25, which rounds to 1, and 1 - 0.5 is a tie; fused, the sum is
// above it.
TEST(QuantizeData, DoesNotFuseTheProductWithTheSum) {
  volatile float third = 1.f / 3.f;
  EXPECT_EQ(QuantizeData<uint8_t>(third, DataQparams{3.f, -0.5f, Reading::kOnednn}), 0);
  EXPECT_EQ(PreActivation(third, 3.f, -1.f), 0.f);
}

// The example of the issue: scale * shift = 88.5, bytes 82 and 106: 188 - 88.5 = 99.5, to even 100.
TEST(SumOfDirections, AddsIntegersExactly) {
  const DataQparams q = {59.f, 1.5f, Reading::kSpec};
  ASSERT_EQ(ZeroImage(q), 88.5f);
  EXPECT_EQ(SumOfDirections<uint8_t>(82, 106, q), 100);
  EXPECT_EQ(SumOfDirections<uint8_t>(82, 105, q), 98);
  EXPECT_EQ(SumOfDirections<uint8_t>(255, 255, q), 255);
  EXPECT_EQ(SumOfDirections<uint8_t>(0, 0, q), 0);
  EXPECT_EQ(SumOfDirections<int8_t>(-100, -100, {1.f, 0.f, Reading::kSpec}), -128);
}

TEST(SumOfDirections, HasTheZeroPointTwiceInTheReadingOfOnednn) {
  const DataQparams q = {2.f, 10.f, Reading::kOnednn};
  EXPECT_EQ(SumOfDirections<uint8_t>(82, 106, q), 188);
  EXPECT_EQ(SumOfDirections<uint8_t>(182, 106, q), 255);
  EXPECT_EQ(RealSumOfDirections<uint8_t>(82, 106, q), 84.f);
  EXPECT_EQ(RealSumOfDirections<uint8_t>(82, 106, {2.f, 5.f, Reading::kSpec}), 84.f);
}

// (3 / 2 - 4) * (5 / 8) = -1.5625: acc = 15, less 2 * 4 * 5 = 40, over 16.
TEST(PreActivation, IsTheProductOfTheRealValues) {
  for (const Reading reading : AllOf<Reading>()) {
    const DataQparams q = {2.f, reading == Reading::kSpec ? 4.f : 8.f, reading};
    EXPECT_EQ(PreActivation(15.f, ProductScale(8.f, q), 0.f - ProductOffset(5.f, 8.f, RealShift(q))), -1.5625f);
  }
}

TEST(ProductScale, IsFiniteWhereScalesUnderflow) {
  EXPECT_EQ(ProductScale(1e-38f, {1e-30f}), std::numeric_limits<float>::max());
  EXPECT_EQ(ProductScale(1e38f, {1e30f}), 0.f);
}

TEST(QuantizeWeight, MultipliesByTheScale) {
  EXPECT_EQ(QuantizeWeight(0.25f, 10.f), 2);  // 2.5, to even
  EXPECT_EQ(QuantizeWeight(0.75f, 10.f), 8);  // 7.5, to even
  EXPECT_EQ(QuantizeWeight(-20.f, 10.f), -128);
  EXPECT_EQ(DequantizeWeight(-64, 32.f), -2.f);
}

TEST(WeightsScale, IsIndexedByGateThenChannel) {
  Attributes attr;
  EXPECT_EQ(WeightsScale(attr, 2, 1, 3), 1.f);
  attr.rnn_weights = {24, {0, 1, 2, 10, 11, 12}};
  EXPECT_EQ(WeightsScale(attr, 1, 2, 3), 12.f);
  attr.rnn_weights_projection = {8, {5, 6}};
  EXPECT_EQ(ProjectionScale(attr, 1), 6.f);
}

}  // namespace
}  // namespace tandem
