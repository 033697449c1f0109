// The C functions of streams: the bits of one execution of all steps, and what they refuse.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "api/tests/client_targets_testing.h"
#include "api/tests/streams/stream_case_testing.h"

namespace tandem {
namespace testing {
namespace {

using dnnl::algorithm;
using dt = dnnl::memory::data_type;

TEST(RnnStream, HasTheBitsOfOneExecution) {
  for (const std::string& target : TargetsThatDiffer(TargetsOfThisMachine())) {
    SCOPED_TRACE(target);
    const ForcedTarget forced(target);
    for (const algorithm cell : kCells) {
      for (const dt type : {dt::f32, dt::bf16, dt::f16}) {
        for (const dnnl::memory::dim dhc : {1, 8, 20, 33, 64, 100}) {
          ExpectSameBits(CaseOf(cell, type, dhc, 1, 1));
        }
        const bool attends = cell == algorithm::vanilla_augru || cell == algorithm::lbr_augru;  // one layer only
        ExpectSameBits(CaseOf(cell, type, 17, attends ? 1 : 3, 1));
        ExpectSameBits(CaseOf(cell, type, 17, attends ? 1 : 2, 5));
      }
    }
  }
}

TEST(RnnStream, HasTheBitsOfPeepholesAndProjections) {
  for (const dnnl::memory::dim batch : {1, 4}) {
    for (const bool peephole : {false, true}) {
      for (const dnnl::memory::dim dic : {0, 7, 19}) {
        RnnCase rnn = CaseOf(algorithm::vanilla_lstm, dt::f32, 21, 1, batch);
        rnn.peephole = peephole;
        rnn.dic = dic;
        ExpectSameBits(rnn);
      }
    }
  }
}

TEST(RnnStream, HasTheBitsOfEachActivation) {
  for (const algorithm activation : {algorithm::eltwise_relu, algorithm::eltwise_tanh, algorithm::eltwise_logistic,
                                     algorithm::eltwise_elu, algorithm::eltwise_soft_relu}) {
    RnnCase rnn = CaseOf(algorithm::vanilla_rnn, dt::f32, 21, 2, 1);
    rnn.activation = activation;
    rnn.alpha = 0.25f;
    ExpectSameBits(rnn);
  }
}

// A plan packs plain weights once, and needs none of the client's memory then.
TEST(RnnStream, PacksPlainWeights) {
  RnnCase rnn = CaseOf(algorithm::vanilla_lstm, dt::f32, 21, 1, 1);
  rnn.layouts[DNNL_ARG_WEIGHTS_LAYER] =
      dnnl::memory::desc(rnn.Dims(DNNL_ARG_WEIGHTS_LAYER), dt::f32, dnnl::memory::format_tag::ldigo);
  rnn.layouts[DNNL_ARG_WEIGHTS_ITER] =
      dnnl::memory::desc(rnn.Dims(DNNL_ARG_WEIGHTS_ITER), dt::f32, dnnl::memory::format_tag::ldgoi);
  ExpectSameBits(rnn);
}

void ExpectRefused(dnnl_status_t status, const std::string& sentence) {
  EXPECT_EQ(status, dnnl_invalid_arguments);
  EXPECT_NE(std::string(tandem_last_error()).find(sentence), std::string::npos) << tandem_last_error();
}

void ExpectNoPlan(const RnnCase& rnn, dnnl::prop_kind prop, const std::string& sentence) {
  const dnnl::primitive_desc pd = Forward(rnn, prop);
  try {
    const StreamPlan plan(pd, FilledArguments(rnn, pd));
    ADD_FAILURE() << "was made, but should have said: " << sentence;
  } catch (const dnnl::error& error) {
    EXPECT_EQ(error.status, dnnl_invalid_arguments);
    EXPECT_NE(std::string(tandem_last_error()).find(sentence), std::string::npos) << tandem_last_error();
  }
}

TEST(RnnStream, RefusesWhatHasNoNextStep) {
  RnnCase rnn = CaseOf(algorithm::vanilla_gru, dt::f32, 5, 1, 1);
  ExpectNoPlan(rnn, dnnl::prop_kind::forward_training, "must be forward_inference");
  for (const auto direction : {dnnl::rnn_direction::unidirectional_right2left, dnnl::rnn_direction::bidirectional_sum,
                               dnnl::rnn_direction::bidirectional_concat}) {
    rnn.direction = direction;
    ExpectNoPlan(rnn, dnnl::prop_kind::forward_inference, "must be left2right");
  }
}

TEST(RnnStream, RefusesPlansThatDoNotFit) {
  const RnnCase rnn = CaseOf(algorithm::vanilla_gru, dt::f32, 5, 1, 1);
  const dnnl::primitive_desc pd = Forward(rnn, dnnl::prop_kind::forward_inference);
  const auto arguments = FilledArguments(rnn, pd);
  std::vector<dnnl_exec_arg_t> given;
  for (const auto& argument : arguments) given.push_back({argument.first, argument.second.get()});
  const int count = static_cast<int>(given.size());
  tandem_rnn_stream_plan_t plan = nullptr;
  const tandem_rnn_stream_layers_t layers[] = {{pd.get(), count, given.data()}, {pd.get(), count, given.data()}};
  ExpectRefused(tandem_rnn_stream_plan_create(&plan, 2, layers), "slc is 3, but the layer below has dlc 5");
  ExpectRefused(tandem_rnn_stream_plan_create(&plan, 0, layers), "has 0 primitive descriptors");
  ExpectRefused(tandem_rnn_stream_plan_create(nullptr, 1, layers), "plan");
  ExpectRefused(tandem_rnn_stream_plan_create(&plan, 1, nullptr), "layers");
  const tandem_rnn_stream_layers_t without = {pd.get(), 0, nullptr};
  ExpectRefused(tandem_rnn_stream_plan_create(&plan, 1, &without), "weights_layer");
  EXPECT_EQ(plan, nullptr);
}

TEST(RnnStream, RefusesStepsThatAreNone) {
  const RnnCase rnn = CaseOf(algorithm::vanilla_augru, dt::f32, 5, 1, 1);
  const dnnl::primitive_desc pd = Forward(rnn, dnnl::prop_kind::forward_inference);
  const StreamPlan plan(pd, FilledArguments(rnn, pd));
  tandem_rnn_stream_t none = nullptr;
  ExpectRefused(tandem_rnn_stream_create(&none, plan.get(), 0), "has 0 rows");
  const RnnStream stream(plan, 3);
  const float x[9] = {}, a[3] = {};
  float y[15];
  const dnnl_dim_t beyond[] = {3}, negative[] = {-1}, twice[] = {1, 2, 1};
  ExpectRefused(tandem_rnn_stream_step_rows(stream.get(), 1, beyond, x, a, y), "row 3 is none of the 3");
  ExpectRefused(tandem_rnn_stream_step_rows(stream.get(), 1, negative, x, a, y), "row -1 is none of the 3");
  ExpectRefused(tandem_rnn_stream_step_rows(stream.get(), 3, twice, x, a, y), "row 1 is named twice");
  ExpectRefused(tandem_rnn_stream_step_rows(stream.get(), 4, twice, x, a, y), "a step of 4 rows, but there are 3");
  ExpectRefused(tandem_rnn_stream_step_rows(stream.get(), 1, nullptr, x, a, y), "rows");
  ExpectRefused(tandem_rnn_stream_step(stream.get(), x, nullptr, y), "augru_attention is NULL");
  ExpectRefused(tandem_rnn_stream_step(stream.get(), nullptr, a, y), "src_layer is NULL");
  ExpectRefused(tandem_rnn_stream_step(stream.get(), x, a, nullptr), "dst_layer is NULL");
  ExpectRefused(tandem_rnn_stream_step(nullptr, x, a, y), "stream");
  ExpectRefused(tandem_rnn_stream_run(stream.get(), -1, x, a, y), "the number of steps is -1");
  ExpectRefused(tandem_rnn_stream_reset(stream.get(), 3), "row 3");
  ExpectRefused(tandem_rnn_stream_save(stream.get(), 0, nullptr, nullptr), "h");
  ExpectRefused(tandem_rnn_stream_load(stream.get(), 0, nullptr, nullptr), "h");
  EXPECT_EQ(tandem_rnn_stream_run(stream.get(), 0, nullptr, nullptr, nullptr), dnnl_success);
  EXPECT_EQ(tandem_rnn_stream_step_rows(stream.get(), 0, nullptr, nullptr, nullptr, nullptr), dnnl_success);
}

}  // namespace
}  // namespace testing
}  // namespace tandem
