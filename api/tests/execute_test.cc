// primitive::execute() refuses some arguments and takes others.
#include <gtest/gtest.h>

#include <cfenv>
#include <cstdint>
#include <thread>

#include "api/tests/client_targets_testing.h"
#include "api/tests/expect_error_testing.h"
#include "api/tests/rnn_client_testing.h"

namespace tandem {
namespace testing {
namespace {

using dnnl::memory;
using Arguments = std::unordered_map<int, memory>;

// An LSTM with every optional tensor of inference, in a layout that clients know.
class Execute : public OnEachTarget {
 protected:
  Execute() {
    rnn_.peephole = true;
    rnn_.steps = 2;
    rnn_.batch = 3;
    rnn_.slc = 4;
    rnn_.dhc = 5;
    rnn_.dic = 6;
    SetUpPrimitive();
  }

  void SetUpPrimitive() {
    pd_ = Forward(rnn_, dnnl::prop_kind::forward_inference);
    primitive_ = dnnl::primitive(pd_);
    arguments_.clear();
    for (const auto& list : {InputsOf(rnn_), OutputsOf(rnn_)}) {
      for (const int arg : list) {
        const memory zeros(MdOf(arg), Cpu());
        std::memset(zeros.get_data_handle(), 0, zeros.get_desc().get_size());
        arguments_.emplace(arg, zeros);
      }
    }
  }

  memory::desc MdOf(int arg) const { return pd_.query_md(dnnl::query::exec_arg_md, arg); }
  void Run() const { primitive_.execute(stream_, arguments_); }
  std::vector<int> AllArguments() const {
    std::vector<int> all = InputsOf(rnn_);
    for (const int arg : OutputsOf(rnn_)) all.push_back(arg);
    return all;
  }
  static std::string Index(int arg) { return "(argument " + std::to_string(arg) + ")"; }

  RnnCase rnn_;
  dnnl::stream stream_{Cpu()};
  dnnl::primitive_desc pd_;
  dnnl::primitive primitive_;
  Arguments arguments_;
};
INSTANTIATE_TEST_SUITE_P(Targets, Execute, ClientTargets(), NameOfTarget);

// B_f = B_o = c = 1000: f = o = 1 and c = 1000 in every step, so that each of the 5 channels is tanh(1000) = 1. R is 1
// everywhere.
TEST_P(Execute, RunsWithEveryArgument) {
  const auto set = [this](int arg, const std::vector<float>& values) {
    arguments_[arg] = ToMemory(values, rnn_.Dims(arg), MdOf(arg));
  };
  std::vector<float> bias(4 * 5, 0.f);
  for (size_t unit = 0; unit < 5; ++unit) bias[5 + unit] = bias[15 + unit] = 1000.f;
  set(DNNL_ARG_BIAS, bias);
  set(DNNL_ARG_SRC_ITER_C, std::vector<float>(3 * 5, 1000.f));
  set(DNNL_ARG_WEIGHTS_PROJECTION, std::vector<float>(5 * 6, 1.f));
  Run();
  EXPECT_EQ(ToValues(arguments_.at(DNNL_ARG_DST_LAYER)), std::vector<float>(2 * 3 * 6, 5.f));
  EXPECT_EQ(ToValues(arguments_.at(DNNL_ARG_DST_ITER)), std::vector<float>(3 * 6, 5.f));
  EXPECT_EQ(ToValues(arguments_.at(DNNL_ARG_DST_ITER_C)), std::vector<float>(3 * 5, 1000.f));
}

TEST_P(Execute, NamesTheMissingArgument) {
  ASSERT_EQ(AllArguments().size(), 11u);
  const Arguments complete = arguments_;
  for (const int arg : AllArguments()) {
    arguments_ = complete;
    arguments_.erase(arg);
    ExpectInvalid({Index(arg).c_str(), "is missing"}, [&] { Run(); });
  }
}

TEST_P(Execute, TakesAnEmptyMemoryForMissing) {
  const Arguments complete = arguments_;
  for (const int arg : AllArguments()) {
    arguments_ = complete;
    arguments_[arg] = memory();
    ExpectInvalid({Index(arg).c_str(), "is missing"}, [&] { Run(); });
  }
}

TEST_P(Execute, RefusesAMemoryWithoutABuffer) {
  const Arguments complete = arguments_;
  for (const int arg : AllArguments()) {
    arguments_ = complete;
    arguments_[arg] = memory(MdOf(arg), Cpu(), DNNL_MEMORY_NONE);
    ExpectInvalid({Index(arg).c_str(), "data handle is null"}, [&] { Run(); });
  }
}

TEST_P(Execute, RefusesAMemoryThatIsTooSmallAndNamesBoth) {
  const Arguments complete = arguments_;
  for (const int arg : AllArguments()) {
    arguments_ = complete;
    arguments_[arg] = memory({{2, 1}, memory::data_type::f32, memory::format_tag::ab}, Cpu());
    const std::string want = DimsToText(MdOf(arg).get_dims());
    ExpectInvalid({Index(arg).c_str(), "{2, 1}", want.c_str()}, [&] { Run(); });
    arguments_[arg] = memory(memory::desc(), Cpu());
    ExpectInvalid({Index(arg).c_str(), "a zero descriptor", want.c_str()}, [&] { Run(); });
  }
}

TEST_P(Execute, TakesAMemoryOfAnyDimsThatIsLargeEnough) {
  const Arguments complete = arguments_;
  for (const int arg : AllArguments()) {
    if (MdOf(arg).get_format_kind() == memory::format_kind::opaque) continue;
    const memory::dim elements = static_cast<memory::dim>(MdOf(arg).get_size() / sizeof(float));
    arguments_ = complete;
    arguments_[arg] = memory({{elements, 1}, memory::data_type::f32, memory::format_tag::ba}, Cpu());
    EXPECT_NO_THROW(Run()) << Index(arg);
    arguments_[arg] = memory({{elements - 1, 1}, memory::data_type::f32, memory::format_tag::ba}, Cpu());
    ExpectInvalid({Index(arg).c_str(), "bytes are needed"}, [&] { Run(); });
  }
}

// The bytes in front of a window count.
TEST_P(Execute, CountsTheOffsetOfTheDescriptor) {
  const memory::dims dims = rnn_.Dims(DNNL_ARG_SRC_LAYER);
  const memory::desc parent({5, dims[1], dims[2]}, memory::data_type::f32, memory::format_tag::tnc);
  rnn_.layouts[DNNL_ARG_SRC_LAYER] = parent.submemory_desc(dims, {3, 0, 0});
  SetUpPrimitive();
  arguments_[DNNL_ARG_SRC_LAYER] = memory(parent, Cpu());
  EXPECT_NO_THROW(Run());
  const memory own({dims, memory::data_type::f32, memory::format_tag::tnc}, Cpu());
  arguments_[DNNL_ARG_SRC_LAYER] = own;
  ExpectInvalid({"src_layer", "offset 36", "holds 96 bytes", "240 bytes are needed"}, [&] { Run(); });
}

TEST_P(Execute, RefusesOpaqueForPlainPlainForOpaqueAndOtherPackings) {
  const Arguments complete = arguments_;
  const memory::desc packed = MdOf(DNNL_ARG_WEIGHTS_LAYER);
  ASSERT_EQ(packed.get_format_kind(), memory::format_kind::opaque);
  const memory::desc plain({1, 1, 64, 4, 64}, memory::data_type::f32, memory::format_tag::ldigo);
  arguments_[DNNL_ARG_WEIGHTS_LAYER] = memory(plain, Cpu());
  ExpectInvalid({"weights_layer", "{1, 1, 64, 4, 64} strides", "opaque"}, [&] { Run(); });
  arguments_ = complete;
  arguments_[DNNL_ARG_WEIGHTS_PEEPHOLE] = memory(packed, Cpu());
  ExpectInvalid({"weights_peephole", "only one of the layouts is opaque"}, [&] { Run(); });
  arguments_ = complete;
  std::swap(arguments_[DNNL_ARG_WEIGHTS_LAYER], arguments_[DNNL_ARG_WEIGHTS_ITER]);
  ExpectInvalid({"the opaque layouts differ"}, [&] { Run(); });
}

TEST_P(Execute, RefusesAMemoryOfAnotherDataType) {
  const memory::dims dims = rnn_.Dims(DNNL_ARG_SRC_ITER);
  arguments_[DNNL_ARG_SRC_ITER] = memory({dims, memory::data_type::bf16, memory::format_tag::ldnc}, Cpu());
  ExpectInvalid({"src_iter", "bf16", "f32", "data types differ"}, [&] { Run(); });
}

TEST_P(Execute, RefusesAMemorySmallerThanTheDescriptor) {
  memory::dims dims = rnn_.Dims(DNNL_ARG_DST_LAYER);
  --dims[0];
  arguments_[DNNL_ARG_DST_LAYER] = memory({dims, memory::data_type::f32, memory::format_tag::tnc}, Cpu());
  ExpectInvalid({"dst_layer", "{1, 3, 6}", "{2, 3, 6}"}, [&] { Run(); });
}

TEST_P(Execute, WritesNothingBeforeItRefuses) {
  float* dst = static_cast<float*>(arguments_.at(DNNL_ARG_DST_LAYER).get_data_handle());
  dst[0] = 42.f;
  arguments_.erase(DNNL_ARG_BIAS);
  ExpectInvalid({"bias"}, [&] { Run(); });
  EXPECT_EQ(dst[0], 42.f);
}

TEST_P(Execute, RefusesAnArgumentGivenTwice) {
  std::vector<dnnl_exec_arg_t> list;
  for (const auto& argument : arguments_) list.push_back({argument.first, argument.second.get()});
  list.push_back({DNNL_ARG_BIAS, arguments_.at(DNNL_ARG_BIAS).get()});
  ExpectInvalid({"bias", "given twice"}, [&] {
    dnnl::detail::check(
        tandem_primitive_execute(primitive_.get(), stream_.get(), static_cast<int>(list.size()), list.data()));
  });
}

TEST_P(Execute, RefusesEmptyObjects) {
  ExpectInvalid({"empty"}, [&] { dnnl::primitive().execute(stream_, arguments_); });
  ExpectInvalid({"empty"}, [&] { primitive_.execute(dnnl::stream(), arguments_); });
}

TEST_P(Execute, IgnoresWhatThePrimitiveDoesNotNeed) {
  const memory other({{1}, memory::data_type::f32, memory::format_tag::x}, Cpu());
  arguments_[DNNL_ARG_WORKSPACE] = memory(pd_.workspace_desc(), Cpu());
  arguments_[DNNL_ARG_SCRATCHPAD] = memory(pd_.scratchpad_desc(), Cpu());
  arguments_[DNNL_ARG_AUGRU_ATTENTION] = other;
  arguments_[DNNL_ARG_DIFF_BIAS] = memory();
  for (int arg = 1000; arg < 1100; ++arg) arguments_[arg] = other;
  EXPECT_NO_THROW(Run());
}

TEST_P(Execute, TakesEmptyMemoryWhereTheTensorIsAbsent) {
  rnn_.iter = false;
  rnn_.bias = false;
  rnn_.peephole = false;
  SetUpPrimitive();
  for (const int arg : {DNNL_ARG_SRC_ITER, DNNL_ARG_SRC_ITER_C, DNNL_ARG_BIAS, DNNL_ARG_WEIGHTS_PEEPHOLE,
                        DNNL_ARG_DST_ITER, DNNL_ARG_DST_ITER_C}) {
    arguments_[arg] = memory();
  }
  EXPECT_NO_THROW(Run());
}

class ExecuteTraining : public OnEachTarget {};
INSTANTIATE_TEST_SUITE_P(Targets, ExecuteTraining, ClientTargets(), NameOfTarget);

TEST_P(ExecuteTraining, NeedsTheWorkspaceInBothPasses) {
  dnnl::stream stream(Cpu());
  for (const auto cell : {dnnl::algorithm::vanilla_rnn, dnnl::algorithm::vanilla_lstm, dnnl::algorithm::lbr_gru}) {
    RnnCase rnn;
    rnn.cell = cell;
    for (const auto& forward : AllForward(rnn, dnnl::prop_kind::forward_training)) {
      SCOPED_TRACE(forward.impl_info_str());
      const auto backward = Backward(rnn, forward, dnnl::rnn_flags::undef);
      const memory workspace(forward.workspace_desc(), Cpu());
      for (const dnnl::primitive_desc& pd : {forward, backward}) {
        Arguments arguments = ZeroArguments(rnn, pd);
        ExpectInvalid({"workspace", "is missing"}, [&] { dnnl::primitive(pd).execute(stream, arguments); });
        arguments[DNNL_ARG_WORKSPACE] = workspace;
        EXPECT_NO_THROW(dnnl::primitive(pd).execute(stream, arguments));
      }
    }
    const auto inference = Forward(rnn, dnnl::prop_kind::forward_inference);
    EXPECT_TRUE(inference.query_md(dnnl::query::workspace_md).is_zero());
    ExpectInvalid({"forward_training"}, [&] { Backward(rnn, inference, dnnl::rnn_flags::undef); });
  }
}

// The other modes change the last bit of almost every sum.
TEST_P(Execute, RoundsToNearestInAnyModeOfTheCaller) {
  for (const int arg : {DNNL_ARG_WEIGHTS_LAYER, DNNL_ARG_WEIGHTS_ITER, DNNL_ARG_WEIGHTS_PROJECTION}) {
    rnn_.layouts[arg] = {rnn_.Dims(arg), memory::data_type::f32, memory::dims()};  // one for all implementations
  }
  SetUpPrimitive();
  for (const int arg : InputsOf(rnn_)) {
    float* values = static_cast<float*>(arguments_.at(arg).get_data_handle());
    for (size_t i = 0; i < MdOf(arg).get_size() / sizeof(float); ++i)
      values[i] = 0.1f + static_cast<float>(i % 7) / 9.f;
  }
  for (const auto& pd : AllForward(rnn_, dnnl::prop_kind::forward_inference)) {
    primitive_ = dnnl::primitive(pd);
    Run();
    const std::vector<float> nearest = ToValues(arguments_.at(DNNL_ARG_DST_LAYER));
    for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
      std::fesetround(mode);
      Run();
      const int after = std::fegetround();
      std::fesetround(FE_TONEAREST);
      EXPECT_EQ(after, mode);
      EXPECT_EQ(ToValues(arguments_.at(DNNL_ARG_DST_LAYER)), nearest) << pd.impl_info_str() << ", mode " << mode;
    }
  }
}

TEST_P(Execute, LeavesItsObjectsToLiveOnTheirOwn) {
  pd_ = dnnl::primitive_desc();
  stream_ = dnnl::stream(dnnl::engine(dnnl::engine::kind::cpu, 0));
  EXPECT_NO_THROW(Run());
}

// reorder: quantization arguments.
class ExecuteReorder : public OnEachTarget {
 protected:
  memory::desc f32_{{2, 3}, memory::data_type::f32, memory::format_tag::ab};
  memory::desc s8_{{2, 3}, memory::data_type::s8, memory::format_tag::ab};
  std::vector<float> from_ = {1, 2, 3, 4, 5, 6};
  std::vector<int8_t> to_ = std::vector<int8_t>(6);
  memory source_{f32_, Cpu(), from_.data()};
  memory target_{s8_, Cpu(), to_.data()};
  dnnl::stream stream_{Cpu()};

  void Run(const dnnl::primitive_attr& attr, Arguments arguments) {
    arguments[DNNL_ARG_FROM] = source_;
    arguments[DNNL_ARG_TO] = target_;
    dnnl::reorder({Cpu(), f32_, Cpu(), s8_, attr}).execute(stream_, arguments);
  }
};
INSTANTIATE_TEST_SUITE_P(Targets, ExecuteReorder, ClientTargets(), NameOfTarget);

TEST_P(ExecuteReorder, DividesByDestinationScalesOfEachColumn) {
  std::vector<float> scales = {0.5f, 1.f, 3.f};
  dnnl::primitive_attr attr;
  attr.set_scales_mask(DNNL_ARG_DST, 1 << 1);
  const memory scale_memory({{3}, memory::data_type::f32, memory::format_tag::x}, Cpu(), scales.data());
  Run(attr, {{DNNL_ARG_ATTR_SCALES | DNNL_ARG_DST, scale_memory}});
  EXPECT_EQ(to_, (std::vector<int8_t>{2, 2, 1, 8, 5, 2}));
}

// spec/attributes.txt, set_scales_mask(): "as an argument with index DNNL_ARG_ATTR_SCALES".
TEST_P(ExecuteReorder, TakesScalesAndZeroPointsWithoutTheTensorWhereOneTensorOnlyHasThem) {
  std::vector<float> half = {0.5f};
  std::vector<int32_t> three = {3};
  const memory scale({{1}, memory::data_type::f32, memory::format_tag::x}, Cpu(), half.data());
  const memory zero_point({{1}, memory::data_type::s32, memory::format_tag::x}, Cpu(), three.data());
  dnnl::primitive_attr attr;
  attr.set_scales_mask(DNNL_ARG_SRC, 0);
  Run(attr, {{DNNL_ARG_ATTR_SCALES, scale}});
  EXPECT_EQ(to_, (std::vector<int8_t>{0, 1, 2, 2, 2, 3}));
  attr.set_zero_points_mask(DNNL_ARG_DST, 0);
  Run(attr, {{DNNL_ARG_ATTR_SCALES, scale}, {DNNL_ARG_ATTR_ZERO_POINTS, zero_point}});
  EXPECT_EQ(to_, (std::vector<int8_t>{4, 4, 4, 5, 6, 6}));
  attr.set_scales_mask(DNNL_ARG_DST, 0);
  ExpectInvalid({"src scales", "4097", "is missing"}, [&] {
    Run(attr, {{DNNL_ARG_ATTR_SCALES, scale}, {DNNL_ARG_ATTR_ZERO_POINTS, zero_point}});
  });
}

TEST_P(ExecuteReorder, MultipliesByScalesGivenAtCreation) {
  dnnl::primitive_attr attr;
  attr.set_output_scales(1 << 0, {2.f, 10.f});
  Run(attr, {});
  EXPECT_EQ(to_, (std::vector<int8_t>{2, 4, 6, 40, 50, 60}));
}

TEST_P(ExecuteReorder, AddsZeroPoints) {
  std::vector<int32_t> zero_point = {-3};
  dnnl::primitive_attr attr;
  attr.set_zero_points_mask(DNNL_ARG_DST, 0);
  const memory zero_point_memory({{1}, memory::data_type::s32, memory::format_tag::x}, Cpu(), zero_point.data());
  Run(attr, {{DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_DST, zero_point_memory}});
  EXPECT_EQ(to_, (std::vector<int8_t>{-2, -1, 0, 1, 2, 3}));
}

TEST_P(ExecuteReorder, AddsAZeroPointOfEachRowAndRefusesFewer) {
  std::vector<int32_t> zero_points = {10, 20};
  dnnl::primitive_attr attr;
  attr.set_zero_points_mask(DNNL_ARG_DST, 1 << 0);
  const memory two({{2}, memory::data_type::s32, memory::format_tag::x}, Cpu(), zero_points.data());
  Run(attr, {{DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_DST, two}});
  EXPECT_EQ(to_, (std::vector<int8_t>{11, 12, 13, 24, 25, 26}));
  ExpectInvalid({"dst zero points", "is missing", "{2}"}, [&] { Run(attr, {}); });
  const memory one({{1}, memory::data_type::s32, memory::format_tag::x}, Cpu());
  ExpectInvalid({"dst zero points", "{1}", "{2}"}, [&] {
    Run(attr, {{DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_DST, one}});
  });
}

TEST_P(ExecuteReorder, RefusesMissingAndWronglySizedScales) {
  dnnl::primitive_attr attr;
  attr.set_scales_mask(DNNL_ARG_DST, 1 << 1);
  ExpectInvalid({"dst scales", "is missing", "{3}"}, [&] { Run(attr, {}); });
  const memory two({{2}, memory::data_type::f32, memory::format_tag::x}, Cpu());
  ExpectInvalid({"dst scales", "{2}", "{3}"}, [&] { Run(attr, {{DNNL_ARG_ATTR_SCALES | DNNL_ARG_DST, two}}); });
  const memory integers({{3}, memory::data_type::s32, memory::format_tag::x}, Cpu());
  ExpectInvalid({"dst scales", "s32", "f32"}, [&] { Run(attr, {{DNNL_ARG_ATTR_SCALES | DNNL_ARG_DST, integers}}); });
}

TEST_P(ExecuteReorder, RoundsToNearestInAnyModeOfTheCaller) {
  from_ = {0.25f, 0.5f, 0.75f, 1.25f, 1.5f, 1.75f};
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    std::fesetround(mode);
    Run(dnnl::primitive_attr(), {});
    std::fesetround(FE_TONEAREST);
    EXPECT_EQ(to_, (std::vector<int8_t>{0, 0, 1, 1, 2, 2})) << "mode " << mode;
  }
}

TEST_P(ExecuteReorder, AddsToTheDestinationWithASumPostOp) {
  for (size_t i = 0; i < to_.size(); ++i) to_[i] = static_cast<int8_t>(10 * i);
  dnnl::post_ops ops;
  ops.append_sum(0.5f);
  dnnl::primitive_attr attr;
  attr.set_post_ops(ops);
  Run(attr, {});
  EXPECT_EQ(to_, (std::vector<int8_t>{1, 7, 13, 19, 25, 31}));
}

}  // namespace
}  // namespace testing
}  // namespace tandem
