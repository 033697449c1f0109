// The attribute rules of Validate(RnnProblem), each from its failing side.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "api/core/error_testing.h"
#include "api/core/rnn/rnn_problem_testing.h"

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
  ExpectUnimplemented("scales: set for argument 1");
  attr_ = {};
  attr_.zero_point_masks[17] = 0;
  ExpectUnimplemented("zero points: set for argument 17");
  attr_ = {};
  attr_.scales[33] = {0, {2.f}};
  ExpectUnimplemented("scales: set for argument 33");
  attr_ = {};
  attr_.zero_points[1] = {0, {2}};
  ExpectUnimplemented("zero points: set for argument 1");
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
  ExpectUnimplemented("rnn_data_qparams: scale is 2.000000 and shift 0.000000, but src_layer is f32");
  attr_ = {};
  attr_.rnn_weights = {0, {2.f}};
  ExpectUnimplemented("rnn_weights_qparams: are set, but src_layer is f32");
  attr_ = {};
  attr_.rnn_weights_projection = {0, {2.f}};
  ExpectUnimplemented("rnn_weights_projection_qparams: are set, but src_layer is f32");
}

TEST_F(RnnAttributeRule, ScalesAreFiniteAndNotZero) {
  for (const float bad : {0.f, 1e-39f, -1e-39f, kNan, kInfinity, -kInfinity}) {
    attr_ = {};
    attr_.rnn_data_scale = bad;
    ExpectInvalid("rnn_data_qparams: scale: is " + std::to_string(bad));
    attr_ = {};
    attr_.rnn_weights = {0, {bad}};
    ExpectInvalid("rnn_weights_qparams: scale 0: is " + std::to_string(bad));
  }
}

TEST_F(RnnAttributeRule, ShiftIsFinite) {
  attr_.rnn_data_shift = kInfinity;
  ExpectInvalid("rnn_data_qparams: shift is inf");
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
  ExpectUnimplemented("rnn_data_qparams: shift is 1.000000, but must be 0 with src_layer in s8");
}

TEST_F(RnnAttributeRule, WeightScalesAreCommonOrForEachGateAndChannel) {
  attr_.rnn_weights = {24, std::vector<float>(16, 2.f)};
  EXPECT_NO_THROW(Validate(&p_));
  attr_.rnn_weights = {24, std::vector<float>(15, 2.f)};
  ExpectInvalid("rnn_weights_qparams: has 15 scales, but mask 24 needs 16");
  attr_.rnn_weights = {0, {1.f, 2.f}};
  ExpectInvalid("rnn_weights_qparams: has 2 scales, but mask 0 needs 1");
  attr_.rnn_weights = {0, {}};
  ExpectInvalid("rnn_weights_qparams: has 0 scales, but mask 0 needs 1");
  attr_.rnn_weights = {8, std::vector<float>(4, 2.f)};
  ExpectUnimplemented("rnn_weights_qparams: mask is 8, but must be 0 or 24");
}

TEST_F(RnnAttributeRule, ProjectionScalesAreCommonOrForEachChannel) {
  Add(&p_, {}, DataType::kU8, kWeightsProjection);
  attr_.rnn_weights_projection = {8, std::vector<float>(4, 2.f)};
  EXPECT_NO_THROW(Validate(&p_));
  attr_.rnn_weights_projection = {8, std::vector<float>(5, 2.f)};
  ExpectInvalid("rnn_weights_projection_qparams: has 5 scales, but mask 8 needs 4");
  attr_.rnn_weights_projection = {24, std::vector<float>(4, 2.f)};
  ExpectUnimplemented("rnn_weights_projection_qparams: mask is 24, but must be 0 or 8");
}

TEST_F(RnnAttributeRule, ProjectionScalesWithoutAProjectionHaveNoEffect) {
  attr_.rnn_weights_projection = {8, std::vector<float>(5, 2.f)};
  EXPECT_NO_THROW(Validate(&p_));
}

}  // namespace
}  // namespace tandem
