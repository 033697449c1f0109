// Plans of streams: stacks, packed weights of each type and mode, what the client may take back, and what they refuse.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "api/tests/client_targets_testing.h"
#include "api/tests/streams/stream_case_testing.h"

namespace tandem {
namespace testing {
namespace {

using dnnl::algorithm;
using dt = dnnl::memory::data_type;
using tag = dnnl::memory::format_tag;

void UsePlainWeights(RnnCase* rnn, dt type) {
  rnn->layouts[DNNL_ARG_WEIGHTS_LAYER] = dnnl::memory::desc(rnn->Dims(DNNL_ARG_WEIGHTS_LAYER), type, tag::ldigo);
  rnn->layouts[DNNL_ARG_WEIGHTS_ITER] = dnnl::memory::desc(rnn->Dims(DNNL_ARG_WEIGHTS_ITER), type, tag::ldgoi);
  if (rnn->dic == 0) return;
  // A reorder cannot tell bytes in ldio from a state.
  rnn->layouts[DNNL_ARG_WEIGHTS_PROJECTION] =
      dnnl::memory::desc(rnn->Dims(DNNL_ARG_WEIGHTS_PROJECTION), type, type == dt::s8 ? tag::ldoi : tag::ldio);
}

void UseOpenWeights(RnnCase* rnn, dt type) {
  for (const int arg : {DNNL_ARG_WEIGHTS_LAYER, DNNL_ARG_WEIGHTS_ITER, DNNL_ARG_WEIGHTS_PROJECTION}) {
    if (rnn->Dims(arg).empty()) continue;
    rnn->layouts[arg] = dnnl::memory::desc(rnn->Dims(arg), type, tag::any);
  }
}

// One row and several, plain weights and those of the layout that the primitive descriptor chooses.
void ExpectSameBitsOfWeights(RnnCase rnn, dt weights, const dnnl::primitive_attr& attr) {
  for (const std::string& target : TargetsThatDiffer(TargetsOfThisMachine())) {
    SCOPED_TRACE(target);
    const ForcedTarget forced(target);
    for (const dnnl::memory::dim batch : {1, 3}) {
      rnn.batch = batch;
      rnn.layouts.clear();
      UsePlainWeights(&rnn, weights);
      ExpectSameBits(rnn, attr);
      rnn.layouts.clear();
      UseOpenWeights(&rnn, weights);
      ExpectSameBits(rnn, attr);
    }
  }
}

TEST(RnnStreamPlan, PacksWeightsOfEachCellAndType) {
  for (const algorithm cell : {algorithm::vanilla_rnn, algorithm::vanilla_lstm, algorithm::vanilla_gru,
                               algorithm::lbr_gru, algorithm::vanilla_augru, algorithm::lbr_augru}) {
    for (const dt type : {dt::f32, dt::bf16, dt::f16}) ExpectSameBitsOfWeights(CaseOf(cell, type, 20, 1, 1), type, {});
  }
  RnnCase rnn = CaseOf(algorithm::vanilla_lstm, dt::f32, 20, 1, 1);
  rnn.dic = 7;
  rnn.peephole = true;
  ExpectSameBitsOfWeights(rnn, dt::f32, {});
}

TEST(RnnStreamPlan, HasTheBitsOfEachFpmathMode) {
  for (const dnnl::fpmath_mode mode :
       {dnnl::fpmath_mode::bf16, dnnl::fpmath_mode::f16, dnnl::fpmath_mode::tf32, dnnl::fpmath_mode::any}) {
    dnnl::primitive_attr attr;
    attr.set_fpmath_mode(mode);
    for (const algorithm cell : {algorithm::vanilla_lstm, algorithm::lbr_gru}) {
      ExpectSameBitsOfWeights(CaseOf(cell, dt::f32, 33, 1, 1), dt::f32, attr);
    }
  }
}

// Weights of bytes, the rest in f32.
dnnl::primitive_attr ScaledWeights(bool projection) {
  dnnl::primitive_attr attr;
  attr.set_rnn_weights_qparams(0, {100.f});
  if (projection) attr.set_rnn_weights_projection_qparams(0, {90.f});
  return attr;
}

TEST(RnnStreamPlan, HasTheBitsOfWeightsInBytes) {
  for (const algorithm cell :
       {algorithm::vanilla_rnn, algorithm::vanilla_lstm, algorithm::vanilla_gru, algorithm::lbr_gru}) {
    dnnl::primitive_attr attr = ScaledWeights(false);
    ExpectSameBitsOfWeights(CaseOf(cell, dt::f32, 20, 1, 1), dt::s8, attr);
    attr.set_rnn_dynamic_quantization(true);
    ExpectSameBitsOfWeights(CaseOf(cell, dt::f32, 20, 1, 1), dt::s8, attr);
  }
  RnnCase rnn = CaseOf(algorithm::vanilla_lstm, dt::f32, 20, 1, 1);
  rnn.dic = 7;
  dnnl::primitive_attr attr = ScaledWeights(true);
  ExpectSameBitsOfWeights(rnn, dt::s8, attr);
  attr.set_rnn_dynamic_quantization(true);
  ExpectSameBitsOfWeights(rnn, dt::s8, attr);
}

TEST(RnnStreamPlan, HasTheBitsOfBytes) {
  for (const dnnl::memory::dim dic : {0, 7}) {
    for (const bool iter : {true, false}) {
      RnnCase rnn = CaseOf(algorithm::vanilla_lstm, dt::u8, 20, 1, 1);
      rnn.dic = dic;
      rnn.iter = iter;
      dnnl::primitive_attr attr = ScaledWeights(dic > 0);
      attr.set_rnn_data_qparams(200.f, 120.f);
      attr.set_reading(dnnl::reading::onednn);
      ExpectSameBitsOfWeights(rnn, dt::s8, attr);
    }
  }
}

TEST(RnnStreamPlan, SaysTheTypesOfInputsAndOutputs) {
  RnnCase rnn = CaseOf(algorithm::vanilla_lstm, dt::u8, 20, 1, 2);
  dnnl::primitive_attr attr = ScaledWeights(false);
  attr.set_rnn_data_qparams(200.f, 120.f);
  attr.set_reading(dnnl::reading::onednn);
  UseOpenWeights(&rnn, dt::s8);
  rnn.layouts[DNNL_ARG_DST_LAYER] = dnnl::memory::desc(rnn.Dims(DNNL_ARG_DST_LAYER), dt::f32, tag::tnc);
  ExpectSameBits(rnn, attr);
  rnn = WithDenseSteps(rnn);
  const dnnl::primitive_desc pd = Forward(rnn, dnnl::prop_kind::forward_inference, attr.get());
  const tandem_rnn_stream_sizes_t sizes = StreamPlan(pd, FilledArguments(rnn, pd, attr)).Sizes();
  EXPECT_EQ(sizes.src_type, dnnl_u8);
  EXPECT_EQ(sizes.dst_type, dnnl_f32);
}

// Subnormal numbers count as zero in a step, as they do in an execution.
TEST(RnnStreamPlan, SubnormalNumbersCountAsZero) {
  for (const dnnl::memory::dim batch : {1, 2}) {
    RnnCase rnn = CaseOf(algorithm::vanilla_rnn, dt::f32, 20, 1, batch);
    rnn.activation = algorithm::eltwise_relu;
    rnn.bias = rnn.iter = false;
    rnn = WithDenseSteps(rnn);
    const dnnl::primitive_desc pd = Forward(rnn, dnnl::prop_kind::forward_inference);
    Arguments arguments = FilledArguments(rnn, pd);
    auto* x = static_cast<float*>(arguments.at(DNNL_ARG_SRC_LAYER).get_data_handle());
    for (dnnl::memory::dim i = 0; i < rnn.steps * batch * rnn.slc; ++i) x[i] = 1e-39f;
    const std::vector<char> zeros(static_cast<size_t>(rnn.steps * batch * rnn.dhc) * sizeof(float), 0);
    EXPECT_EQ(ByExecution(rnn, pd, arguments).y, zeros);
    const StreamPlan plan(pd, arguments);
    EXPECT_EQ(ByStream(rnn, plan, arguments).y, zeros);
    RnnStream stream(plan, batch);
    std::vector<char> y(zeros.size(), 1);
    EXPECT_EQ(tandem_rnn_stream_run(stream.get(), rnn.steps * batch, x, nullptr, y.data()), dnnl_success);
    EXPECT_EQ(y, zeros);
  }
}

// The steps of a stream of `plan`, by single steps, by a block, and as a row of a group.
void ExpectSameSteps(const StreamPlan& plan, const StreamPlan& other, const std::vector<float>& x, size_t steps) {
  const auto dlc = static_cast<size_t>(plan.Sizes().dlc), slc = x.size() / steps;
  RnnStream stream(plan, 1), by_block(other, 1), group(other, 3);
  std::vector<float> want(steps * dlc), got(want);
  for (size_t t = 0; t < steps; ++t) {
    ASSERT_EQ(tandem_rnn_stream_step(stream.get(), &x[t * slc], nullptr, &want[t * dlc]), dnnl_success);
    const dnnl_dim_t row = 2;
    ASSERT_EQ(tandem_rnn_stream_step_rows(group.get(), 1, &row, &x[t * slc], nullptr, &got[t * dlc]), dnnl_success);
  }
  EXPECT_EQ(got, want);
  EXPECT_TRUE(group.Save(2) == stream.Save(0));
  got.assign(got.size(), 0.f);
  ASSERT_EQ(tandem_rnn_stream_run(by_block.get(), static_cast<dnnl_dim_t>(steps), x.data(), nullptr, got.data()),
            dnnl_success);
  EXPECT_EQ(got, want);
  EXPECT_TRUE(by_block.Save(0) == stream.Save(0));
}

std::vector<float> Inputs(size_t size) {
  std::vector<float> x(size);
  for (size_t i = 0; i < size; ++i) x[i] = static_cast<float>(i * 31 % 67) / 67.f - 0.5f;
  return x;
}

// The arguments of layer `layer` alone.
Arguments OfLayer(const RnnCase& whole, const RnnCase& one, dnnl::memory::dim layer, const Arguments& arguments,
                  const dnnl::primitive_desc& pd) {
  Arguments its = ZeroArguments(one, pd);
  for (const int arg : {DNNL_ARG_WEIGHTS_LAYER, DNNL_ARG_WEIGHTS_ITER, DNNL_ARG_BIAS}) {
    const std::vector<float> values = ToValues(arguments.at(arg));
    const size_t size = values.size() / static_cast<size_t>(whole.layers);
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(size) * layer;
    its[arg] = ToMemory({begin, begin + static_cast<std::ptrdiff_t>(size)}, one.Dims(arg), its.at(arg).get_desc());
  }
  return its;
}

TEST(RnnStreamPlan, AStackOfTwoHasTheBitsOfTwoLayers) {
  for (const algorithm cell : {algorithm::vanilla_lstm, algorithm::vanilla_gru, algorithm::lbr_gru}) {
    const RnnCase two = CaseOf(cell, dt::f32, 19, 2, 1);
    RnnCase one = two;
    one.layers = 1;
    const auto whole = AllForward(two, dnnl::prop_kind::forward_inference);
    const auto single = AllForward(one, dnnl::prop_kind::forward_inference);
    ASSERT_EQ(whole.size(), single.size());
    for (size_t i = 0; i < whole.size(); ++i) {
      SCOPED_TRACE(two.ToString() + " by " + whole[i].impl_info_str());
      const Arguments arguments = FilledArguments(two, whole[i]);
      const StreamPlan plan(whole[i], arguments);
      const StreamPlan stack({{single[i], OfLayer(two, one, 0, arguments, single[i])},
                              {single[i], OfLayer(two, one, 1, arguments, single[i])}});
      EXPECT_EQ(stack.Sizes().h, plan.Sizes().h);
      EXPECT_EQ(stack.Sizes().c, plan.Sizes().c);
      ExpectSameSteps(plan, stack, Inputs(5 * 19), 5);
    }
  }
}

// The attention is that of any descriptor that has it.
TEST(RnnStreamPlan, AStackTakesTheAttentionOfAnUpperLayer) {
  for (const algorithm cell : {algorithm::vanilla_augru, algorithm::lbr_augru}) {
    const RnnCase lower = CaseOf(algorithm::vanilla_gru, dt::f32, 20, 1, 1);
    RnnCase upper = CaseOf(cell, dt::f32, 6, 1, 1);
    upper.slc = 20;
    const dnnl::primitive_desc pds[] = {Forward(lower, dnnl::prop_kind::forward_inference),
                                        Forward(upper, dnnl::prop_kind::forward_inference)};
    const Arguments below = FilledArguments(lower, pds[0]), above = FilledArguments(upper, pds[1]);
    const StreamPlan stack({{pds[0], below}, {pds[1], above}}), first(pds[0], below), second(pds[1], above);
    RnnStream whole(stack, 2), block(stack, 1), one(first, 1), two(second, 1);
    const std::vector<float> x = Inputs(9), attention = {0.25f, -0.5f, 0.75f};
    std::vector<float> y(18), h(20), want(18);
    for (size_t t = 0; t < 3; ++t) {
      ASSERT_EQ(tandem_rnn_stream_step(whole.get(), &x[3 * t], &attention[t], &y[6 * t]), dnnl_success);
      ASSERT_EQ(tandem_rnn_stream_step(one.get(), &x[3 * t], nullptr, h.data()), dnnl_success);
      ASSERT_EQ(tandem_rnn_stream_step(two.get(), h.data(), &attention[t], &want[6 * t]), dnnl_success);
    }
    EXPECT_EQ(y, want);
    y.assign(18, 0.f);
    ASSERT_EQ(tandem_rnn_stream_run(block.get(), 3, x.data(), attention.data(), y.data()), dnnl_success);
    EXPECT_EQ(y, want);
    EXPECT_EQ(tandem_rnn_stream_step(whole.get(), x.data(), nullptr, y.data()), dnnl_invalid_arguments);
  }
}

// After the plan is made, the client overwrites its plain weights and releases every memory; then the plan goes, too.
TEST(RnnStreamPlan, StreamsGoOnWithoutTheClientsObjects) {
  for (const bool plain : {true, false}) {
    RnnCase rnn = CaseOf(algorithm::vanilla_lstm, dt::f32, 21, 1, 1);
    if (plain) UsePlainWeights(&rnn, dt::f32);
    dnnl::primitive_desc pd = Forward(rnn, dnnl::prop_kind::forward_inference);
    Arguments arguments = FilledArguments(rnn, pd);
    const std::vector<float> x = Inputs(18);
    std::vector<float> want(6 * 21), got(want);
    auto plan = std::make_unique<StreamPlan>(pd, arguments);
    RnnStream stream(*plan, 1);
    ASSERT_EQ(tandem_rnn_stream_run(stream.get(), 6, x.data(), nullptr, want.data()), dnnl_success);
    if (plain) {
      for (const int arg : {DNNL_ARG_WEIGHTS_LAYER, DNNL_ARG_WEIGHTS_ITER}) {
        std::memset(arguments.at(arg).get_data_handle(), 0x7f, arguments.at(arg).get_desc().get_size());
      }
    }
    const bool optimized = std::string(pd.impl_info_str()).find("reference") == std::string::npos;
    std::vector<dnnl::memory> others;  // where those of the client were
    for (const int arg : {DNNL_ARG_WEIGHTS_LAYER, DNNL_ARG_WEIGHTS_ITER, DNNL_ARG_BIAS}) {
      const dnnl::memory::desc md = arguments.at(arg).get_desc();
      arguments.erase(arg);
      others.emplace_back(md, Cpu());
      std::memset(others.back().get_data_handle(), 0x3f, md.get_size());
    }
    arguments.clear();
    pd.reset(nullptr);
    RnnStream later(*plan, 2);
    plan.reset();
    if (plain && !optimized) continue;  // reads plain weights where they are
    ASSERT_EQ(tandem_rnn_stream_run(later.get(), 6, x.data(), nullptr, got.data()), dnnl_success);
    EXPECT_EQ(got, want);
    EXPECT_EQ(tandem_rnn_stream_reset(stream.get(), 0), dnnl_success);
    ASSERT_EQ(tandem_rnn_stream_run(stream.get(), 6, x.data(), nullptr, got.data()), dnnl_success);
    EXPECT_EQ(got, want);
  }
}

void ExpectNoPlan(const std::vector<tandem_rnn_stream_layers_t>& layers, const std::string& sentence) {
  tandem_rnn_stream_plan_t plan = nullptr;
  EXPECT_EQ(tandem_rnn_stream_plan_create(&plan, static_cast<int>(layers.size()), layers.data()),
            dnnl_invalid_arguments);
  EXPECT_EQ(plan, nullptr);
  EXPECT_NE(std::string(tandem_last_error()).find(sentence), std::string::npos) << tandem_last_error();
}

std::vector<dnnl_exec_arg_t> Given(const Arguments& arguments) {
  std::vector<dnnl_exec_arg_t> given;
  for (const auto& argument : arguments) given.push_back({argument.first, argument.second.get()});
  return given;
}

TEST(RnnStreamPlan, RefusesWhatIsNoStackOfRnns) {
  const RnnCase rnn = CaseOf(algorithm::vanilla_gru, dt::f32, 5, 1, 1);
  const dnnl::primitive_desc pd = Forward(rnn, dnnl::prop_kind::forward_inference);
  const Arguments arguments = FilledArguments(rnn, pd);
  const std::vector<dnnl_exec_arg_t> given = Given(arguments);
  const int count = static_cast<int>(given.size());
  const dnnl::memory tensor(DenseFloats({2, 3}), Cpu());
  const dnnl::reorder::primitive_desc reorder(tensor, tensor);
  ExpectNoPlan({{reorder.get(), count, given.data()}}, "is of a reorder, but must be of an RNN");
  ExpectNoPlan({{nullptr, count, given.data()}}, "primitive descriptor: is empty");
  ExpectNoPlan({{pd.get(), count, nullptr}}, "arguments");
  ExpectNoPlan({{pd.get(), count, given.data()}, {nullptr, 0, nullptr}}, "primitive descriptor: is empty");
  tandem_rnn_stream_sizes_t sizes;
  EXPECT_EQ(tandem_rnn_stream_plan_get_sizes(nullptr, &sizes), dnnl_invalid_arguments);
  const StreamPlan plan(pd, arguments);
  EXPECT_EQ(tandem_rnn_stream_plan_get_sizes(plan.get(), nullptr), dnnl_invalid_arguments);
  tandem_rnn_stream_t stream = nullptr;
  EXPECT_EQ(tandem_rnn_stream_create(&stream, nullptr, 1), dnnl_invalid_arguments);
  EXPECT_EQ(tandem_rnn_stream_create(nullptr, plan.get(), 1), dnnl_invalid_arguments);
  EXPECT_EQ(tandem_rnn_stream_create(&stream, plan.get(), -1), dnnl_invalid_arguments);
  EXPECT_EQ(stream, nullptr);
  EXPECT_EQ(tandem_rnn_stream_plan_destroy(nullptr), dnnl_success);
  EXPECT_EQ(tandem_rnn_stream_destroy(nullptr), dnnl_success);
}

TEST(RnnStreamPlan, RefusesLayersOfTwoTypes) {
  const RnnCase below = CaseOf(algorithm::vanilla_gru, dt::f32, 5, 1, 1);
  RnnCase above = CaseOf(algorithm::vanilla_gru, dt::bf16, 5, 1, 1);
  above.slc = 5;
  const dnnl::primitive_desc low = Forward(below, dnnl::prop_kind::forward_inference);
  const dnnl::primitive_desc high = Forward(above, dnnl::prop_kind::forward_inference);
  const Arguments low_arguments = FilledArguments(below, low), high_arguments = FilledArguments(above, high);
  const auto of_low = Given(low_arguments), of_high = Given(high_arguments);
  ExpectNoPlan({{low.get(), static_cast<int>(of_low.size()), of_low.data()},
                {high.get(), static_cast<int>(of_high.size()), of_high.data()}},
               "src_layer is bf16, but dst_layer of the layer below is f32");
}

}  // namespace
}  // namespace testing
}  // namespace tandem
