// Attributes, post-ops, and the defaults of the process.
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <type_traits>

#include "api/core/environment_testing.h"
#include "api/tests/expect_error_testing.h"

namespace tandem {
namespace testing {
namespace {

using dnnl::fpmath_mode;
using dnnl::memory;
using dnnl::primitive_attr;
using dnnl::reading;

TEST(Attributes, StartWithTheTextsDefaults) {
  const primitive_attr attr;
  EXPECT_EQ(attr.get_scratchpad_mode(), dnnl::scratchpad_mode::library);
  EXPECT_EQ(attr.get_fpmath_mode(), fpmath_mode::strict);
  EXPECT_EQ(attr.get_reading(), reading::spec);
  EXPECT_EQ(attr.get_scales_mask(DNNL_ARG_SRC), 0);
  EXPECT_EQ(attr.get_post_ops().len(), 0);
  float scale = -1, shift = -1;
  attr.get_rnn_data_qparams(scale, shift);
  EXPECT_EQ(scale, 1.f);
  EXPECT_EQ(shift, 0.f);
  int mask = -1;
  std::vector<float> scales;
  attr.get_rnn_weights_qparams(mask, scales);
  EXPECT_EQ(mask, 0);
  EXPECT_EQ(scales, std::vector<float>{1.f});
}

TEST(Attributes, AreReadBack) {
  primitive_attr attr;
  for (const auto mode :
       {fpmath_mode::bf16, fpmath_mode::f16, fpmath_mode::tf32, fpmath_mode::any, fpmath_mode::strict}) {
    attr.set_fpmath_mode(mode);
    EXPECT_EQ(attr.get_fpmath_mode(), mode);
  }
  fpmath_mode mode;
  bool apply_to_int = false;
  attr.set_fpmath_mode(fpmath_mode::bf16, true);
  attr.get_fpmath_mode(mode, apply_to_int);
  EXPECT_TRUE(apply_to_int);
  attr.set_deterministic(true);
  EXPECT_TRUE(attr.get_deterministic());
  for (const auto scratchpad : {dnnl::scratchpad_mode::user, dnnl::scratchpad_mode::library}) {
    attr.set_scratchpad_mode(scratchpad);
    EXPECT_EQ(attr.get_scratchpad_mode(), scratchpad);
  }
  attr.set_scales_mask(DNNL_ARG_SRC, 1);
  attr.set_scales_mask(DNNL_ARG_DST, 6);
  EXPECT_EQ(attr.get_scales_mask(DNNL_ARG_SRC), 1);
  EXPECT_EQ(attr.get_scales_mask(DNNL_ARG_DST), 6);
  attr.set_rnn_data_qparams(2.f, 0.5f);
  float scale = 0, shift = 0;
  attr.get_rnn_data_qparams(scale, shift);
  EXPECT_EQ(scale, 2.f);
  EXPECT_EQ(shift, 0.5f);
  attr.set_rnn_weights_qparams(24, {1.f, 2.f});
  attr.set_rnn_weights_projection_qparams(8, {3.f});
  attr.set_output_scales(2, {4.f, 5.f});
  int mask = 0;
  std::vector<float> scales;
  attr.get_rnn_weights_qparams(mask, scales);
  EXPECT_EQ(mask, 24);
  EXPECT_EQ(scales, (std::vector<float>{1.f, 2.f}));
  attr.get_rnn_weights_projection_qparams(mask, scales);
  EXPECT_EQ(mask, 8);
  EXPECT_EQ(scales, std::vector<float>{3.f});
  attr.get_output_scales(mask, scales);
  EXPECT_EQ(mask, 2);
  EXPECT_EQ(scales, (std::vector<float>{4.f, 5.f}));
}

TEST(Attributes, QuantizeTensorsAndArgumentsOfPostOpsOnly) {
  primitive_attr attr;
  for (const int arg : {DNNL_ARG_SRC_ITER, DNNL_ARG_WEIGHTS_3, DNNL_ARG_BIAS, DNNL_ARG_DST, DNNL_ARG_MULTIPLE_SRC + 5,
                        DNNL_ARG_ATTR_MULTIPLE_POST_OP(0) | DNNL_ARG_SRC_1,
                        DNNL_ARG_ATTR_MULTIPLE_POST_OP(31) | DNNL_ARG_SRC_1, DNNL_ARG_ATTR_POST_OP_DW | DNNL_ARG_DST}) {
    attr.set_scales_mask(arg, 3);
    EXPECT_EQ(attr.get_scales_mask(arg), 3);
    EXPECT_NO_THROW(attr.set_zero_points_mask(arg, 1));
  }
  for (const int arg : {DNNL_ARG_MEAN, DNNL_ARG_WORKSPACE, DNNL_ARG_SCRATCHPAD, 0, -1,
                        DNNL_ARG_ATTR_MULTIPLE_POST_OP(32) | DNNL_ARG_SRC_1}) {
    ExpectInvalid({std::to_string(arg).c_str()}, [&] { attr.set_scales_mask(arg, 0); });
    ExpectInvalid({std::to_string(arg).c_str()}, [&] { attr.set_zero_points_mask(arg, 0); });
  }
  ExpectInvalid({"-1"}, [&] { attr.set_scales_mask(DNNL_ARG_SRC, -1); });
}

// Measured with oneDNN 3.13.1.
TEST(Attributes, OfReadingOnednnQuantizeWhatOnednnDoes) {
  const int all[] = {DNNL_ARG_SRC,
                     DNNL_ARG_SRC_1,
                     DNNL_ARG_SRC_2,
                     DNNL_ARG_SRC_3,
                     DNNL_ARG_DST,
                     DNNL_ARG_DST_1,
                     DNNL_ARG_WEIGHTS,
                     DNNL_ARG_WEIGHTS_1,
                     DNNL_ARG_WEIGHTS_2,
                     DNNL_ARG_WEIGHTS_3,
                     DNNL_ARG_BIAS,
                     DNNL_ARG_MULTIPLE_SRC + 5,
                     DNNL_ARG_ATTR_POST_OP_DW | DNNL_ARG_WEIGHTS,
                     DNNL_ARG_ATTR_MULTIPLE_POST_OP(0) | DNNL_ARG_SRC_1};
  const std::set<int> zero_points = {DNNL_ARG_SRC,     DNNL_ARG_SRC_2,     DNNL_ARG_DST,
                                     DNNL_ARG_WEIGHTS, DNNL_ARG_WEIGHTS_1, DNNL_ARG_WEIGHTS_2};
  std::set<int> scales = zero_points;
  scales.insert({DNNL_ARG_SRC_1, DNNL_ARG_MULTIPLE_SRC + 5, DNNL_ARG_ATTR_POST_OP_DW | DNNL_ARG_WEIGHTS});
  primitive_attr attr;
  attr.set_reading(reading::onednn);
  const auto expect = [](const std::set<int>& taken, int arg, const auto& set) {
    if (taken.count(arg) != 0) {
      EXPECT_NO_THROW(set(arg)) << arg;
    } else {
      ExpectInvalid({std::to_string(arg).c_str(), "oneDNN"}, [&] { set(arg); });
    }
  };
  for (const int arg : all) {
    expect(scales, arg, [&](int its) { attr.set_scales_mask(its, 0); });
    expect(zero_points, arg, [&](int its) { attr.set_zero_points_mask(its, 0); });
  }
}

TEST(Attributes, CopyPostOps) {
  dnnl::post_ops ops;
  ops.append_sum(0.5f);
  primitive_attr attr;
  attr.set_post_ops(ops);
  ops.append_sum(0.25f);
  EXPECT_EQ(attr.get_post_ops().len(), 1);
  dnnl::post_ops copy = attr.get_post_ops();
  copy.append_sum(1.f);
  EXPECT_EQ(attr.get_post_ops().len(), 1);
}

// spec/attributes.txt; clients bind members.
TEST(Attributes, HaveTheDeclaredSignatures) {
  const dnnl::post_ops (primitive_attr::*get_post_ops)() const = &primitive_attr::get_post_ops;
  void (primitive_attr::*set_post_ops)(const dnnl::post_ops) = &primitive_attr::set_post_ops;
  static_assert(std::is_same<decltype(&primitive_attr::get_post_ops), decltype(get_post_ops)>::value, "");
  static_assert(std::is_same<decltype(&primitive_attr::set_post_ops), decltype(set_post_ops)>::value, "");
  void (primitive_attr::*set_fpmath_mode)(fpmath_mode, bool) = &primitive_attr::set_fpmath_mode;
  fpmath_mode (primitive_attr::*get_fpmath_mode)() const = &primitive_attr::get_fpmath_mode;
  int (primitive_attr::*get_scales_mask)(int) const = &primitive_attr::get_scales_mask;
  void (primitive_attr::*set_scales_mask)(int, int) = &primitive_attr::set_scales_mask;
  void (primitive_attr::*set_zero_points_mask)(int, int) = &primitive_attr::set_zero_points_mask;
  void (primitive_attr::*set_data_qparams)(float, float) = &primitive_attr::set_rnn_data_qparams;
  void (primitive_attr::*set_weights_qparams)(int, const std::vector<float>&) =
      &primitive_attr::set_rnn_weights_qparams;
  dnnl::scratchpad_mode (primitive_attr::*get_scratchpad_mode)() const = &primitive_attr::get_scratchpad_mode;
  void (primitive_attr::*set_scratchpad_mode)(dnnl::scratchpad_mode) = &primitive_attr::set_scratchpad_mode;

  primitive_attr attr;
  (attr.*set_fpmath_mode)(fpmath_mode::bf16, false);
  EXPECT_EQ((attr.*get_fpmath_mode)(), fpmath_mode::bf16);
  (attr.*set_fpmath_mode)(fpmath_mode::tf32, true);
  EXPECT_EQ((attr.*get_fpmath_mode)(), fpmath_mode::tf32);
  dnnl::post_ops ops;
  ops.append_sum();
  (attr.*set_post_ops)(ops);
  EXPECT_EQ((attr.*get_post_ops)().len(), 1);
  (attr.*set_scales_mask)(DNNL_ARG_SRC, 2);
  (attr.*set_zero_points_mask)(DNNL_ARG_SRC, 2);
  EXPECT_EQ((attr.*get_scales_mask)(DNNL_ARG_SRC), 2);
  (attr.*set_scratchpad_mode)(dnnl::scratchpad_mode::user);
  EXPECT_EQ((attr.*get_scratchpad_mode)(), dnnl::scratchpad_mode::user);
  (attr.*set_data_qparams)(2.f, 3.f);
  (attr.*set_weights_qparams)(0, {4.f});
}

TEST(Attributes, RefuseWhatNothingHereTakes) {
  primitive_attr attr;
  ExpectUnimplemented({"set_precomputed_reductions"}, [&] { attr.set_precomputed_reductions(DNNL_ARG_SRC, 0, {4}); });
  ExpectUnimplemented({"set_rounding_mode"},
                      [&] { attr.set_rounding_mode(DNNL_ARG_DST, dnnl::rounding_mode::stochastic); });
}

// A setter takes them, and the primitive descriptor refuses them, as in oneDNN.
TEST(Attributes, KeepParametersThatNoPrimitiveTakes) {
  using memory = dnnl::memory;
  using type = memory::data_type;
  const struct {
    void (*set)(primitive_attr*);
    const char* name;
  } kSetters[] = {
      {[](primitive_attr* a) {
         a->set_scales(DNNL_ARG_SRC, 1, {4, 1});
       },
       "scales"},
      {[](primitive_attr* a) { a->set_scales(DNNL_ARG_SRC, 1, {}, type::bf16); }, "scales"},
      {[](primitive_attr* a) { a->set_host_scale(DNNL_ARG_SRC); }, "scales"},
      {[](primitive_attr* a) {
         a->set_zero_points(DNNL_ARG_SRC, 1, {4, 1});
       },
       "zero points"},
      {[](primitive_attr* a) { a->set_zero_points(DNNL_ARG_SRC, 1, {}, type::s8); }, "zero points"},
      {[](primitive_attr* a) { a->set_host_zero_point(DNNL_ARG_SRC); }, "zero points"},
  };
  const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  const memory::desc src({8, 2}, type::s8, memory::format_tag::ab), dst({8, 2}, type::s8, memory::format_tag::ba);
  for (const auto& setter : kSetters) {
    primitive_attr attr;
    // The cache may have the descriptor of attributes without these parameters.
    attr.set_scales_mask(DNNL_ARG_SRC, 1);
    attr.set_zero_points_mask(DNNL_ARG_SRC, 1);
    ASSERT_NO_THROW(dnnl::reorder::primitive_desc(cpu, src, cpu, dst, attr));
    ASSERT_NO_THROW(setter.set(&attr));
    ExpectUnimplemented({setter.name, "groups"}, [&] { dnnl::reorder::primitive_desc(cpu, src, cpu, dst, attr); });
    attr.set_scales_mask(DNNL_ARG_SRC, 1);
    attr.set_zero_points_mask(DNNL_ARG_SRC, 1);
    EXPECT_NO_THROW(dnnl::reorder::primitive_desc(cpu, src, cpu, dst, attr));
  }
  ExpectInvalid({"mask"}, [&] { primitive_attr().set_scales(DNNL_ARG_SRC, -1, {4, 1}); });
}

TEST(PostOps, RefuseTheThirtyThirdAndWrongQuestions) {
  dnnl::post_ops ops;
  for (int i = 0; i < 32; ++i) ops.append_sum(static_cast<float>(i));
  ExpectInvalid({"32"}, [&] { ops.append_sum(); });
  EXPECT_EQ(ops.len(), 32);
  ExpectInvalid({"index"}, [&] { ops.kind(32); });
  ExpectInvalid({"index"}, [&] { ops.kind(-1); });
  float scale = 0;
  ExpectInvalid({"32"}, [&] { ops.get_params_sum(32, scale); });
  int mask = 0;
  ExpectInvalid({"sum", "prelu"}, [&] { ops.get_params_prelu(0, mask); });
}

TEST(Defaults, AreTakenWhenAttributesAreMade) {
  const primitive_attr before;
  EXPECT_EQ(dnnl::set_default_fpmath_mode(fpmath_mode::tf32), dnnl::status::success);
  EXPECT_EQ(dnnl::set_default_reading(reading::onednn), dnnl::status::success);
  const primitive_attr after;
  EXPECT_EQ(dnnl::get_default_fpmath_mode(), fpmath_mode::tf32);
  EXPECT_EQ(dnnl::get_default_reading(), reading::onednn);
  dnnl::set_default_fpmath_mode(fpmath_mode::strict);
  dnnl::set_default_reading(reading::spec);
  EXPECT_EQ(before.get_fpmath_mode(), fpmath_mode::strict);
  EXPECT_EQ(before.get_reading(), reading::spec);
  EXPECT_EQ(after.get_fpmath_mode(), fpmath_mode::tf32);
  EXPECT_EQ(after.get_reading(), reading::onednn);
  EXPECT_EQ(dnnl::set_default_fpmath_mode(static_cast<fpmath_mode>(77)), dnnl::status::invalid_arguments);
  EXPECT_EQ(dnnl::set_default_reading(static_cast<reading>(77)), dnnl::status::invalid_arguments);
}

// Each in a process of its own: a call would outlast the environment.
// Ends the process and calls no destructor of a static object: those of other tests create primitives.
void ExitWith(bool success) { std::_Exit(success ? 0 : 1); }

TEST(DefaultsDeathTest, ComeFromTheEnvironment) {
  EXPECT_EXIT(
      {
        SetVariable("ONEDNN_DEFAULT_FPMATH_MODE", "BF16");
        SetVariable("TANDEM_READING", "onednn");
        ExitWith(primitive_attr().get_fpmath_mode() == fpmath_mode::bf16 &&
                 primitive_attr().get_reading() == reading::onednn);
      },
      ::testing::ExitedWithCode(0), "");
  EXPECT_EXIT(
      {
        SetVariable("DNNL_DEFAULT_FPMATH_MODE", "any");
        ExitWith(dnnl::get_default_fpmath_mode() == fpmath_mode::any);
      },
      ::testing::ExitedWithCode(0), "");
  EXPECT_EXIT(
      {
        SetVariable("ONEDNN_DEFAULT_FPMATH_MODE", "quick");
        ExitWith(dnnl::get_default_fpmath_mode() == fpmath_mode::strict);
      },
      ::testing::ExitedWithCode(0), "");
}

TEST(DefaultsDeathTest, AnUnknownReadingIsAnError) {
  EXPECT_EXIT(
      {
        SetVariable("TANDEM_READING", "mine");
        try {
          primitive_attr attr;
        } catch (const dnnl::error& e) {
          const std::string message = e.message;
          ExitWith(e.status == dnnl_invalid_arguments && message.find("mine") != std::string::npos &&
                   message.find("spec or onednn") != std::string::npos);
        }
        ExitWith(false);
      },
      ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace testing
}  // namespace tandem
