// The attribute rules of Validate(RnnProblem), each broken once.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <locale>

#include "api/core/error_testing.h"
#include "api/core/names.h"
#include "api/core/rnn/rnn_problem_testing.h"
#include "api/core/text/text.h"

namespace tandem {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

RnnProblem MakeInt8(DataType x) {
  return MakeTestProblem(Cell::kLstm, Propagation::kForwardInference, Direction::kLeft2Right, x);
}

class RnnAttributeRule : public ::testing::Test {
 protected:
  void ExpectInvalid(const std::string& words) {
    ExpectError(dnnl_invalid_arguments, words, [this] { Validate(&p_); });
  }
  void ExpectUnimplemented(const std::string& words) {
    ExpectError(dnnl_unimplemented, words, [this] { Validate(&p_); });
  }
  RnnProblem p_ = MakeInt8(DataType::kU8);  // dhc = dic = 4, 4 gates
  Attributes& attr_ = p_.attr;
};

TEST_F(RnnAttributeRule, PostOpsAreRefused) {
  attr_.post_ops.resize(2);
  ExpectUnimplemented("post_ops: has 2 entries, but RNN takes 0");
}

TEST_F(RnnAttributeRule, ScalesAndZeroPointsOfOtherPrimitivesAreRefused) {
  attr_.scale_masks[1] = 0;
  ExpectUnimplemented("scales: set for argument DNNL_ARG_SRC (1)");
  attr_ = {};
  attr_.zero_point_masks[17] = 0;
  ExpectUnimplemented("zero points: set for argument DNNL_ARG_DST (17)");
  attr_ = {};
  attr_.scales[33] = {0, {2.f}};
  ExpectUnimplemented("scales: set for argument DNNL_ARG_WEIGHTS (33)");
  attr_ = {};
  attr_.zero_points[1] = {0, {2}};
  ExpectUnimplemented("zero points: set for argument DNNL_ARG_SRC (1)");
  attr_ = {};
  attr_.output_scales = {0, {2.f}};
  ExpectUnimplemented("output_scales: are set");
}

TEST_F(RnnAttributeRule, DefaultValuesAreNoParameters) {
  attr_.scales[33] = {0, {1.f}};
  attr_.zero_points[1] = {0, {0}};
  EXPECT_NO_THROW(Validate(&p_));
}

TEST_F(RnnAttributeRule, QparamsAreForInt8Only) {
  p_ = MakeTestProblem(Cell::kLstm);
  attr_.rnn_data_scale = 2.f;
  ExpectUnimplemented("rnn_data_qparams: scale is 2 and shift 0, but src_layer is f32");
  attr_ = {};
  attr_.rnn_weights = {0, {2.f}};
  ExpectUnimplemented("rnn_weights_qparams: are set, but the weights are f32");
  attr_ = {};
  attr_.rnn_weights_projection = {0, {2.f}};
  ExpectUnimplemented("rnn_weights_projection_qparams: are set, but the weights are f32");
}

TEST_F(RnnAttributeRule, ByteWeightsOfFloatsHaveScalesAndTheirDataNone) {
  p_ = MakeTestProblem(Cell::kLstm);
  for (const Tensor tensor : {kWeightsLayer, kWeightsIter}) {
    p_.md[tensor] = MakeDense(TestDims(p_, {}, tensor), DataType::kS8);
  }
  attr_.rnn_weights = {24, std::vector<float>(16, 2.f)};
  EXPECT_NO_THROW(Validate(&p_));
  attr_.rnn_data_shift = 1.f;
  ExpectUnimplemented("rnn_data_qparams: scale is 1 and shift 1, but src_layer is f32");
  attr_ = {};
  attr_.rnn_weights = {24, std::vector<float>(15, 2.f)};
  ExpectInvalid("rnn_weights_qparams: has 15 scales, but mask 24 (dims 3, 4) needs 16");
}

TEST_F(RnnAttributeRule, DynamicQuantizationIsForF32BesideByteWeights) {
  p_ = MakeTestProblem(Cell::kLstm);
  attr_ = {};
  attr_.rnn_dynamic_quantization = true;
  ExpectUnimplemented("rnn_dynamic_quantization: is set, but src_layer is f32 and the weights are f32");
  for (const Tensor tensor : {kWeightsLayer, kWeightsIter}) {
    p_.md[tensor] = MakeDense(TestDims(p_, {}, tensor), DataType::kS8);
  }
  EXPECT_NO_THROW(Validate(&p_));
  EXPECT_TRUE(p_.IsDynamic());
  for (const DataType data : {DataType::kBf16, DataType::kU8}) {
    p_ = MakeTestProblem(Cell::kLstm, Propagation::kForwardInference, Direction::kLeft2Right, data);
    for (const Tensor tensor : {kWeightsLayer, kWeightsIter}) {
      p_.md[tensor] = MakeDense(TestDims(p_, {}, tensor), DataType::kS8);
    }
    attr_.rnn_dynamic_quantization = true;
    ExpectUnimplemented(std::string("rnn_dynamic_quantization: is set, but src_layer is ") + ToString(data));
  }
}

TEST_F(RnnAttributeRule, ScalesAreFiniteAndNotZero) {
  for (const float bad : {0.f, 1e-39f, -1e-39f, kNan, kInfinity, -kInfinity}) {
    attr_ = {};
    attr_.rnn_data_scale = bad;
    ExpectInvalid("rnn_data_qparams: scale: is " + NumberText(bad));
    attr_ = {};
    attr_.rnn_weights = {0, {bad}};
    ExpectInvalid("rnn_weights_qparams: scale 0: is " + NumberText(bad));
  }
}

TEST_F(RnnAttributeRule, ShiftIsFinite) {
  attr_.rnn_data_shift = kInfinity;
  ExpectInvalid("rnn_data_qparams: shift is inf");
}

// round(scale * shift) must be a byte: 254.5 and -0.5 round to even ones inside, 255.5 to 256.
TEST_F(RnnAttributeRule, TheByteOfZeroIsAByteInReadingSpec) {
  attr_.rnn_data_scale = 0.5f;
  for (const float shift : {0.f, -1.f, 256.f, 509.f, 510.f, 510.9f}) {
    attr_.rnn_data_shift = shift;
    EXPECT_NO_THROW(Validate(&p_)) << shift;
  }
  for (const float shift : {-1.1f, -100.f, 511.f, 1e38f}) {
    attr_.rnn_data_shift = shift;
    ExpectInvalid("the byte of 0.0 is ");
  }
  attr_.rnn_data_scale = 1e38f;  // the product is infinite
  ExpectInvalid("the byte of 0.0 is inf, but must lie in [0, 255]");
  attr_.rnn_data_scale = -2.f;
  attr_.rnn_data_shift = -20.f;
  EXPECT_NO_THROW(Validate(&p_));
}

TEST_F(RnnAttributeRule, AZeroPointAsShiftIsToldBothFormulasAndTheWayOut) {
  attr_.rnn_data_scale = 63.f;
  attr_.rnn_data_shift = 128.f;
  ExpectInvalid(
      "rnn_data_qparams: scale is 63 and shift 128: in reading spec, byte = round(scale * (x + shift)), the byte of "
      "0.0 is 8064, but must lie in [0, 255]. If byte = round(scale * x + shift) is meant, choose reading onednn: "
      "dnnl::set_default_reading(), TANDEM_READING=onednn, or a library from `tandem install --reading=onednn`");
  attr_.reading = Reading::kOnednn;
  EXPECT_NO_THROW(Validate(&p_));
}

TEST_F(RnnAttributeRule, RuntimePlaceholdersAreUnimplemented) {
  const uint32_t bits = 0x7fc000d0u;  // DNNL_RUNTIME_F32_VAL
  float placeholder;
  std::memcpy(&placeholder, &bits, sizeof placeholder);
  attr_.rnn_data_scale = placeholder;
  ExpectUnimplemented("rnn_data_qparams: scale: is a runtime value");
  attr_ = {};
  attr_.rnn_data_shift = placeholder;
  ExpectUnimplemented("rnn_data_qparams: shift: is a runtime value");
  attr_ = {};
  attr_.rnn_weights = {0, {placeholder}};
  ExpectUnimplemented("rnn_weights_qparams: scale 0: is a runtime value");
}

TEST_F(RnnAttributeRule, SignedActivationsHaveNoShift) {
  p_ = MakeInt8(DataType::kS8);
  attr_.rnn_data_scale = 127.f;
  EXPECT_NO_THROW(Validate(&p_));
  attr_.rnn_data_shift = 1.f;
  ExpectUnimplemented("rnn_data_qparams: shift is 1, but must be 0 with src_layer in s8");
}

TEST_F(RnnAttributeRule, WeightScalesAreCommonOrForEachGateAndChannel) {
  attr_.rnn_weights = {24, std::vector<float>(16, 2.f)};
  EXPECT_NO_THROW(Validate(&p_));
  attr_.rnn_weights = {0, {2.f}};
  EXPECT_NO_THROW(Validate(&p_));
  attr_.rnn_weights = {24, std::vector<float>(15, 2.f)};
  ExpectInvalid("rnn_weights_qparams: has 15 scales, but mask 24 (dims 3, 4) needs 16");
  attr_.rnn_weights = {0, {1.f, 2.f}};
  ExpectInvalid("rnn_weights_qparams: has 2 scales, but mask 0 needs 1");
  attr_.rnn_weights = {0, {}};
  ExpectInvalid("rnn_weights_qparams: has 0 scales, but mask 0 needs 1");
  attr_.rnn_weights = {8, std::vector<float>(4, 2.f)};
  ExpectUnimplemented("rnn_weights_qparams: mask is 8 (dim 3), but must be 0 or 24 (dims 3, 4)");
}

TEST_F(RnnAttributeRule, ProjectionScalesAreCommonOrForEachChannel) {
  Add(&p_, {}, DataType::kU8, kWeightsProjection);
  attr_.rnn_weights_projection = {8, std::vector<float>(4, 2.f)};
  EXPECT_NO_THROW(Validate(&p_));
  attr_.rnn_weights_projection = {8, std::vector<float>(5, 2.f)};
  ExpectInvalid("rnn_weights_projection_qparams: has 5 scales, but mask 8 (dim 3) needs 4");
  attr_.rnn_weights_projection = {24, std::vector<float>(4, 2.f)};
  ExpectUnimplemented("rnn_weights_projection_qparams: mask is 24 (dims 3, 4), but must be 0 or 8 (dim 3)");
}

TEST_F(RnnAttributeRule, ProjectionScalesWithoutAProjectionHaveNoEffect) {
  attr_.rnn_weights_projection = {8, std::vector<float>(5, 2.f)};
  EXPECT_NO_THROW(Validate(&p_));
}

// Sentences and verbose lines have commas of their own.
TEST(NumberText, HasAPointInEveryLocale) {
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
  };
  const std::locale usual = std::locale::global(std::locale(std::locale::classic(), new Comma));
  EXPECT_EQ(NumberText(0.5), "0.5");
  std::locale::global(usual);
}

}  // namespace
}  // namespace tandem
