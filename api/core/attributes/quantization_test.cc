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
  for (const Reading reading : {Reading::kSpec, Reading::kOnednn}) {
    const DataQparams q = {63.f, reading == Reading::kSpec ? 64.f / 63.f : 64.f, reading};
    for (int byte = 0; byte < 256; ++byte) {
      EXPECT_EQ(QuantizeData<uint8_t>(DequantizeData(static_cast<float>(byte), q), q), byte);
    }
  }
}

TEST(ZeroImage, MakesBothReadingsAnOffsetInTheIntegers) {
  for (const Reading reading : {Reading::kSpec, Reading::kOnednn}) {
    const DataQparams q = {8.f, 4.f, reading};
    EXPECT_EQ(DequantizeData(100.0, q), (100.0 - ZeroImage<double>(q)) / 8.0);
  }
  EXPECT_EQ(ZeroImage<float>({8.f, 4.f, Reading::kSpec}), 32.f);
  EXPECT_EQ(ZeroImage<float>({8.f, 4.f, Reading::kOnednn}), 4.f);
}

TEST(QuantizeWeight, MultipliesByTheScale) {
  EXPECT_EQ(QuantizeWeight(0.25f, 10.f), 2);  // 2.5, to even
  EXPECT_EQ(QuantizeWeight(0.75f, 10.f), 8);  // 7.5, to even
  EXPECT_EQ(QuantizeWeight(-20.f, 10.f), -128);
  EXPECT_EQ(DequantizeWeight<float>(-64, 32.f), -2.f);
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
