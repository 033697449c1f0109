// An int8 client of oneDNN does this: it passes a zero point as shift, refused in reading spec and right in reading onednn; and
// it reorders all tensors of an LSTM with projection with the LSTM's own attribute object, of which each takes the parameters
// that are meant for it, or is refused. The behaviour of oneDNN was measured with libdnnl 2.6.3 and 3.13.1.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <tuple>
#include <vector>

#include "api/core/environment_testing.h"
#include "api/tests/expect_error_testing.h"
#include "api/tests/rnn_client_testing.h"

namespace tandem {
namespace testing {
namespace {

using dnnl::memory;
using tag = memory::format_tag;
using dt = memory::data_type;

constexpr memory::dim kChannels = 4;

// An LSTM with weights 0: c = 0 and h = 0. Returns the bytes of h.
std::vector<uint8_t> BytesOfZero() {
  dnnl::primitive_attr attr;
  attr.set_rnn_data_qparams(63.f, 128.f);
  const memory::desc layer({1, 1, kChannels}, dt::u8, tag::tnc), none;
  const memory::desc weights({1, 1, kChannels, 4, kChannels}, dt::s8, tag::any);
  const dnnl::lstm_forward::primitive_desc pd(Cpu(), dnnl::prop_kind::forward_inference,
                                              dnnl::rnn_direction::unidirectional_left2right, layer, none, none,
                                              weights, weights, none, layer, none, none, attr);
  std::vector<uint8_t> x(kChannels, 200), h(kChannels);
  const memory w(pd.weights_layer_desc(), Cpu());
  std::memset(w.get_data_handle(), 0, w.get_desc().get_size());
  dnnl::stream stream(Cpu());
  dnnl::lstm_forward(pd).execute(stream, {{DNNL_ARG_SRC_LAYER, memory(layer, Cpu(), x.data())},
                                          {DNNL_ARG_WEIGHTS_LAYER, w},
                                          {DNNL_ARG_WEIGHTS_ITER, w},
                                          {DNNL_ARG_DST_LAYER, memory(layer, Cpu(), h.data())}});
  return h;
}

TEST(Int8Parameters, AZeroPointAsShiftIsRefusedInReadingSpec) {
  ExpectInvalid({"scale is 63 and shift 128", "round(scale * (x + shift))", "8064", "[0, 255]",
                 "round(scale * x + shift)", "set_default_reading()", "TANDEM_READING", "--reading=onednn"},
                [] { BytesOfZero(); });
}

TEST(Int8Parameters, AZeroPointAsShiftIsTheByteOfZeroInReadingOnednn) {
  dnnl::set_default_reading(dnnl::reading::onednn);
  EXPECT_EQ(BytesOfZero(), std::vector<uint8_t>(kChannels, 128));
  dnnl::set_default_reading(dnnl::reading::spec);
}

using Values = std::vector<float>;

constexpr float kData = 2.f, kWeights = 5.f, kProjection = 10.f;
constexpr memory::dim kSteps = 2, kBatch = 3, kSlc = 4, kDhc = 6, kDic = 5;
const memory::dims kLayer = {kSteps, kBatch, kSlc}, kState = {1, 1, kBatch, kDic}, kIter = {1, 1, kDic, 4, kDhc},
                   kProjected = {1, 1, kDhc, kDic};

// -3 to 3, so that no byte is saturated, and less than 0 only where bytes can be.
Values Given(const memory::dims& dims, dt byte) {
  size_t count = 1;
  for (const memory::dim dim : dims) count *= static_cast<size_t>(dim);
  Values values(count);
  for (size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i % 7) - (byte == dt::s8 ? 3.f : 0.f);
  return values;
}

Values Scaled(Values values, float scale) {
  for (float& value : values) value *= scale;
  return values;
}

// Implementation and reading.
class OneAttributeObject : public ::testing::TestWithParam<std::tuple<const char*, dnnl::reading>> {
 protected:
  void SetUp() override {
    SetVariable("TANDEM_IMPL", std::get<0>(GetParam()));
    whole_.set_reading(std::get<1>(GetParam()));
    whole_.set_rnn_data_qparams(kData, 0.f);
    whole_.set_rnn_weights_qparams(0, {kWeights});
    whole_.set_rnn_weights_projection_qparams(0, {kProjection});
  }
  void TearDown() override { UnsetVariable("TANDEM_IMPL"); }
  bool IsOnednn() const { return std::get<1>(GetParam()) == dnnl::reading::onednn; }

  // f32 in `real` to `byte`, whose values are `scale` times as large, and back.
  void ExpectScale(float scale, const memory::desc& real, const memory::desc& byte) const {
    const memory::dims dims = real.get_dims();
    const Values given = Given(dims, byte.get_data_type()), bytes = Scaled(given, scale);
    memory from = ToMemory(given, dims, real), there(byte, Cpu()), back(real, Cpu());
    dnnl::stream stream(Cpu());
    ASSERT_NO_THROW(dnnl::reorder(dnnl::reorder::primitive_desc(from, there, whole_)).execute(stream, from, there));
    EXPECT_EQ(ToValues(there), bytes);
    ASSERT_NO_THROW(dnnl::reorder(dnnl::reorder::primitive_desc(there, back, whole_)).execute(stream, there, back));
    EXPECT_EQ(ToValues(back), given);
  }
  void ExpectRefused(const memory::desc& real, const memory::desc& byte) const {
    const auto refuse = [&](const memory::desc& from, const memory::desc& to) {
      ExpectUnimplemented({"weights_projection", "rnn_data_qparams", "ldoi"},
                          [&] { dnnl::reorder::primitive_desc(Cpu(), from, Cpu(), to, whole_); });
    };
    refuse(real, byte);
    refuse(byte, real);
  }
  dnnl::lstm_forward::primitive_desc Lstm(dt byte, memory::dim dhc = kDhc, memory::dim dic = kDic) const {
    const auto weights = [](const memory::dims& dims) { return memory::desc(dims, dt::s8, tag::any); };
    const memory::desc layer(kLayer, byte, tag::tnc), state({1, 1, kBatch, dic}, byte, tag::ldnc);
    const memory::desc cell({1, 1, kBatch, dhc}, dt::f32, tag::ldnc);
    return {Cpu(),
            dnnl::prop_kind::forward_inference,
            dnnl::rnn_direction::unidirectional_left2right,
            layer,
            state,
            cell,
            weights({1, 1, kSlc, 4, dhc}),
            weights({1, 1, dic, 4, dhc}),
            memory::desc(),
            weights({1, 1, dhc, dic}),
            memory::desc({1, 1, 4, dhc}, dt::f32, tag::ldgo),
            memory::desc({kSteps, kBatch, dic}, byte, tag::tnc),
            state,
            cell,
            whole_};
  }

  dnnl::primitive_attr whole_;
};

TEST_P(OneAttributeObject, ScalesLayersByTheDataInEveryLayout) {
  for (const dt byte : {dt::u8, dt::s8}) {
    for (const tag real : {tag::tnc, tag::ntc}) {
      for (const tag stored : {tag::tnc, tag::ntc}) {
        ExpectScale(kData, memory::desc(kLayer, dt::f32, real), memory::desc(kLayer, byte, stored));
      }
    }
  }
}

TEST_P(OneAttributeObject, ScalesWeightsByTheirsInEveryLayout) {
  for (const tag real : {tag::ldigo, tag::ldgoi}) {
    const memory::desc md(kIter, dt::f32, real);
    for (const tag stored : {tag::ldigo, tag::ldgoi}) ExpectScale(kWeights, md, memory::desc(kIter, dt::s8, stored));
    ExpectScale(kWeights, md, Lstm(dt::u8).weights_iter_desc());
  }
}

// The layouts that an implementation chooses are weights for every reading.
TEST_P(OneAttributeObject, ScalesAProjectionByItsOwnInTheLayoutThatTheLstmChooses) {
  for (const dt byte : {dt::u8, dt::s8}) {
    for (const tag real : {tag::ldio, tag::ldoi}) {
      ExpectScale(kProjection, memory::desc(kProjected, dt::f32, real), Lstm(byte).weights_projection_desc());
    }
  }
}

// The strides do not tell which layout a dim of 1 has.
TEST_P(OneAttributeObject, ScalesAProjectionOfOrToOneChannelByItsOwnInTheLayoutThatTheLstmChooses) {
  for (const memory::dims& channels : {memory::dims{1, kDic}, memory::dims{kDhc, 1}, memory::dims{1, 1}}) {
    const memory::desc real({1, 1, channels[0], channels[1]}, dt::f32, tag::ldio);
    for (const dt byte : {dt::u8, dt::s8}) {
      ExpectScale(kProjection, real, Lstm(byte, channels[0], channels[1]).weights_projection_desc());
    }
  }
}

TEST_P(OneAttributeObject, TakesAPlainTensorOfOneChannelForAStateOrRefusesIt) {
  for (const memory::dims& dims : {memory::dims{1, 1, 1, kDic}, memory::dims{1, 1, kDhc, 1}}) {
    for (const tag stored : {tag::ldio, tag::ldoi}) {
      const memory::desc real(dims, dt::f32, tag::ldio), byte(dims, dt::s8, stored);
      if (IsOnednn()) {
        ExpectScale(kData, real, byte);
      } else {
        ExpectRefused(real, byte);
      }
    }
  }
}

TEST_P(OneAttributeObject, ScalesAProjectionByItsOwnInLdoi) {
  for (const tag real : {tag::ldio, tag::ldoi}) {
    ExpectScale(kProjection, memory::desc(kProjected, dt::f32, real), memory::desc(kProjected, dt::s8, tag::ldoi));
  }
}

TEST_P(OneAttributeObject, ScalesAStateInU8ByTheData) {
  ExpectScale(kData, memory::desc(kState, dt::f32, tag::ldnc), memory::desc(kState, dt::u8, tag::ldnc));
}

// ldnc and ldio are one layout: oneDNN takes it for a state, with gaps between the rows or without them.
TEST_P(OneAttributeObject, ScalesAStateInS8ByTheDataOrRefusesIt) {
  const memory::desc state(kState, dt::f32, tag::ldnc);
  const memory::dims gaps = {kBatch * 8, kBatch * 8, 8, 1};
  for (const memory::desc& stored : {memory::desc(kState, dt::s8, tag::ldnc), memory::desc(kState, dt::s8, gaps)}) {
    if (IsOnednn()) {
      ExpectScale(kData, state, stored);
    } else {
      ExpectRefused(state, stored);
    }
  }
  // One row: strides tell nothing about a dim of 1.
  const memory::desc row({1, 1, 1, kDic}, dt::f32, tag::ldnc), byte_row({1, 1, 1, kDic}, dt::s8, {1, 1, 1, 1});
  if (IsOnednn()) {
    ExpectScale(kData, row, byte_row);
  } else {
    ExpectRefused(row, byte_row);
  }
}

TEST_P(OneAttributeObject, RefusesATransposedTensorThatBecomesAState) {
  ExpectRefused(memory::desc(kProjected, dt::f32, tag::ldoi), memory::desc(kProjected, dt::s8, tag::ldio));
}

// If the projection has no scales, nothing is unclear.
TEST_P(OneAttributeObject, ScalesAStateByTheDataWhereThereIsNoProjection) {
  dnnl::primitive_attr lstm;
  lstm.set_reading(std::get<1>(GetParam()));
  lstm.set_rnn_data_qparams(kData, 0.f);
  lstm.set_rnn_weights_qparams(0, {kWeights});
  whole_ = lstm;
  ExpectScale(kData, memory::desc(kState, dt::f32, tag::ldnc), memory::desc(kState, dt::s8, tag::ldnc));
}

// The scales of a projection alone. oneDNN takes none of them for a plain tensor: 1 2 3 stay 1 2 3.
TEST_P(OneAttributeObject, OfAProjectionAloneScalesItInLdioUnlessReadAsOnednn) {
  dnnl::primitive_attr projection;
  projection.set_reading(std::get<1>(GetParam()));
  projection.set_rnn_weights_projection_qparams(0, {kProjection});
  whole_ = projection;
  ExpectScale(IsOnednn() ? 1.f : kProjection, memory::desc(kProjected, dt::f32, tag::ldio),
              memory::desc(kProjected, dt::s8, tag::ldio));
}

INSTANTIATE_TEST_SUITE_P(Both, OneAttributeObject,
                         ::testing::Combine(::testing::Values("optimized", "reference"),
                                            ::testing::Values(dnnl::reading::spec, dnnl::reading::onednn)),
                         [](const auto& test) {
                           const bool onednn = std::get<1>(test.param) == dnnl::reading::onednn;
                           return std::string(std::get<0>(test.param)) + (onednn ? "_onednn" : "_spec");
                         });

}  // namespace
}  // namespace testing
}  // namespace tandem
