// A client of oneDNN that passes a zero point as shift: refused in reading spec, right in reading onednn.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

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

}  // namespace
}  // namespace testing
}  // namespace tandem
