// Every RNN function of the C API gives each of its many parameters the meaning that the C++ classes give it: all
// tensors have layouts of their own, and the descriptors of both are interchangeable.
#include <gtest/gtest.h>

#include "dnnl.hpp"

namespace {

using dnnl::memory;
using dnnl::primitive_desc_base;

constexpr auto kLeft2Right = dnnl::rnn_direction::unidirectional_left2right;
constexpr dnnl_rnn_direction_t kDirection = dnnl_unidirectional_left2right;
constexpr memory::dim T = 2, N = 3, kChannels = 4, kHidden = 5;

// Row-major but for rows that are `pad` elements longer than they must be.
memory::desc Padded(const memory::dims& dims, memory::dim pad) {
  memory::dims strides(dims.size(), 1);
  memory::dim pitch = dims.back() + pad;
  for (size_t i = dims.size() - 1; i-- > 0;) {
    strides[i] = pitch;
    pitch *= dims[i];
  }
  return memory::desc(dims, memory::data_type::f32, strides);
}

// A layer of `gates` gates; with `hidden` other than kChannels, the LSTM's projection leads from one to the other.
struct Tensors {
  Tensors(memory::dim gates, memory::dim bias_gates, memory::dim hidden, memory::dim first_pad)
      : src_layer(Padded({T, N, kChannels}, first_pad)),
        src_iter(Padded({1, 1, N, kChannels}, first_pad + 1)),
        src_iter_c(Padded({1, 1, N, hidden}, first_pad + 2)),
        attention(Padded({T, N, 1}, first_pad + 3)),
        weights_layer(Padded({1, 1, kChannels, gates, hidden}, first_pad + 4)),
        weights_iter(Padded({1, 1, kChannels, gates, hidden}, first_pad + 5)),
        peephole(Padded({1, 1, 3, hidden}, first_pad + 6)),
        projection(Padded({1, 1, hidden, kChannels}, first_pad + 7)),
        bias(Padded({1, 1, bias_gates, hidden}, first_pad + 8)),
        dst_layer(Padded({T, N, kChannels}, first_pad + 9)),
        dst_iter(Padded({1, 1, N, kChannels}, first_pad + 10)),
        dst_iter_c(Padded({1, 1, N, hidden}, first_pad + 11)) {}

  memory::desc src_layer, src_iter, src_iter_c, attention, weights_layer, weights_iter, peephole, projection, bias,
      dst_layer, dst_iter, dst_iter_c;
};

class RnnArguments : public ::testing::Test {
 protected:
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::primitive_attr attr;

  // `got` is `want`'s equal, and is ended.
  static void ExpectSame(dnnl_status_t status, dnnl_primitive_desc_t got, const primitive_desc_base& want) {
    ASSERT_EQ(status, dnnl_success) << tandem_last_error();
    EXPECT_EQ(primitive_desc_base(got).get_cache_blob_id(), want.get_cache_blob_id());
  }
  // The same for an operation descriptor.
  void ExpectSame(dnnl_status_t status, const dnnl_rnn_desc_t& op, const primitive_desc_base& want,
                  const primitive_desc_base& hint) {
    ASSERT_EQ(status, dnnl_success) << tandem_last_error();
    dnnl_primitive_desc_t got = nullptr;
    const dnnl_status_t made = dnnl_primitive_desc_create(&got, &op, attr.get(), engine.get(), hint.get(true));
    ExpectSame(made, got, want);
  }

  template <class Forward, class Backward, class InitForward, class InitBackward, class MakeForward, class MakeBackward>
  void CheckGru(memory::dim bias_gates, InitForward init_forward, InitBackward init_backward, MakeForward make_forward,
                MakeBackward make_backward);
  template <class Forward, class Backward, class InitForward, class InitBackward, class MakeForward, class MakeBackward>
  void CheckAugru(memory::dim bias_gates, InitForward init_forward, InitBackward init_backward,
                  MakeForward make_forward, MakeBackward make_backward);
};

template <class Forward, class Backward, class InitForward, class InitBackward, class MakeForward, class MakeBackward>
void RnnArguments::CheckGru(memory::dim bias_gates, InitForward init_forward, InitBackward init_backward,
                            MakeForward make_forward, MakeBackward make_backward) {
  const Tensors f(3, bias_gates, kChannels, 0), d(3, bias_gates, kChannels, 20);
  const typename Forward::primitive_desc forward(engine, dnnl::prop_kind::forward_training, kLeft2Right, f.src_layer,
                                                 f.src_iter, f.weights_layer, f.weights_iter, f.bias, f.dst_layer,
                                                 f.dst_iter);
  const typename Backward::primitive_desc backward(engine, dnnl::prop_kind::backward, kLeft2Right, f.src_layer,
                                                   f.src_iter, f.weights_layer, f.weights_iter, f.bias, f.dst_layer,
                                                   f.dst_iter, d.src_layer, d.src_iter, d.weights_layer, d.weights_iter,
                                                   d.bias, d.dst_layer, d.dst_iter, forward);
  dnnl_rnn_desc_t op;
  dnnl_status_t status =
      init_forward(&op, dnnl_forward_training, kDirection, f.src_layer.get(), f.src_iter.get(), f.weights_layer.get(),
                   f.weights_iter.get(), f.bias.get(), f.dst_layer.get(), f.dst_iter.get(), 0);
  ExpectSame(status, op, forward, primitive_desc_base());
  status = init_backward(&op, dnnl_backward, kDirection, f.src_layer.get(), f.src_iter.get(), f.weights_layer.get(),
                         f.weights_iter.get(), f.bias.get(), f.dst_layer.get(), f.dst_iter.get(), d.src_layer.get(),
                         d.src_iter.get(), d.weights_layer.get(), d.weights_iter.get(), d.bias.get(), d.dst_layer.get(),
                         d.dst_iter.get(), 0);
  ExpectSame(status, op, backward, forward);
  dnnl_primitive_desc_t pd = nullptr;
  status = make_forward(&pd, engine.get(), dnnl_forward_training, kDirection, f.src_layer.get(), f.src_iter.get(),
                        f.weights_layer.get(), f.weights_iter.get(), f.bias.get(), f.dst_layer.get(), f.dst_iter.get(),
                        0, attr.get());
  ExpectSame(status, pd, forward);
  status = make_backward(&pd, engine.get(), dnnl_backward, kDirection, f.src_layer.get(), f.src_iter.get(),
                         f.weights_layer.get(), f.weights_iter.get(), f.bias.get(), f.dst_layer.get(), f.dst_iter.get(),
                         d.src_layer.get(), d.src_iter.get(), d.weights_layer.get(), d.weights_iter.get(), d.bias.get(),
                         d.dst_layer.get(), d.dst_iter.get(), 0, forward.get(), attr.get());
  ExpectSame(status, pd, backward);
}

template <class Forward, class Backward, class InitForward, class InitBackward, class MakeForward, class MakeBackward>
void RnnArguments::CheckAugru(memory::dim bias_gates, InitForward init_forward, InitBackward init_backward,
                              MakeForward make_forward, MakeBackward make_backward) {
  const Tensors f(3, bias_gates, kChannels, 0), d(3, bias_gates, kChannels, 20);
  const typename Forward::primitive_desc forward(engine, dnnl::prop_kind::forward_training, kLeft2Right, f.src_layer,
                                                 f.src_iter, f.attention, f.weights_layer, f.weights_iter, f.bias,
                                                 f.dst_layer, f.dst_iter);
  const typename Backward::primitive_desc backward(
      engine, dnnl::prop_kind::backward, kLeft2Right, f.src_layer, f.src_iter, f.attention, f.weights_layer,
      f.weights_iter, f.bias, f.dst_layer, f.dst_iter, d.src_layer, d.src_iter, d.attention, d.weights_layer,
      d.weights_iter, d.bias, d.dst_layer, d.dst_iter, forward);
  dnnl_rnn_desc_t op;
  dnnl_status_t status =
      init_forward(&op, dnnl_forward_training, kDirection, f.src_layer.get(), f.src_iter.get(), f.attention.get(),
                   f.weights_layer.get(), f.weights_iter.get(), f.bias.get(), f.dst_layer.get(), f.dst_iter.get(), 0);
  ExpectSame(status, op, forward, primitive_desc_base());
  status = init_backward(&op, dnnl_backward, kDirection, f.src_layer.get(), f.src_iter.get(), f.attention.get(),
                         f.weights_layer.get(), f.weights_iter.get(), f.bias.get(), f.dst_layer.get(), f.dst_iter.get(),
                         d.src_layer.get(), d.src_iter.get(), d.attention.get(), d.weights_layer.get(),
                         d.weights_iter.get(), d.bias.get(), d.dst_layer.get(), d.dst_iter.get(), 0);
  ExpectSame(status, op, backward, forward);
  dnnl_primitive_desc_t pd = nullptr;
  status = make_forward(&pd, engine.get(), dnnl_forward_training, kDirection, f.src_layer.get(), f.src_iter.get(),
                        f.attention.get(), f.weights_layer.get(), f.weights_iter.get(), f.bias.get(), f.dst_layer.get(),
                        f.dst_iter.get(), 0, attr.get());
  ExpectSame(status, pd, forward);
  status = make_backward(&pd, engine.get(), dnnl_backward, kDirection, f.src_layer.get(), f.src_iter.get(),
                         f.attention.get(), f.weights_layer.get(), f.weights_iter.get(), f.bias.get(),
                         f.dst_layer.get(), f.dst_iter.get(), d.src_layer.get(), d.src_iter.get(), d.attention.get(),
                         d.weights_layer.get(), d.weights_iter.get(), d.bias.get(), d.dst_layer.get(), d.dst_iter.get(),
                         0, forward.get(), attr.get());
  ExpectSame(status, pd, backward);
}

TEST_F(RnnArguments, Gru) {
  CheckGru<dnnl::gru_forward, dnnl::gru_backward>(3, dnnl_gru_forward_desc_init, dnnl_gru_backward_desc_init,
                                                  dnnl_gru_forward_primitive_desc_create,
                                                  dnnl_gru_backward_primitive_desc_create);
}
TEST_F(RnnArguments, LbrGru) {
  CheckGru<dnnl::lbr_gru_forward, dnnl::lbr_gru_backward>(
      4, dnnl_lbr_gru_forward_desc_init, dnnl_lbr_gru_backward_desc_init, dnnl_lbr_gru_forward_primitive_desc_create,
      dnnl_lbr_gru_backward_primitive_desc_create);
}
TEST_F(RnnArguments, Augru) {
  CheckAugru<dnnl::augru_forward, dnnl::augru_backward>(3, dnnl_augru_forward_desc_init, dnnl_augru_backward_desc_init,
                                                        dnnl_augru_forward_primitive_desc_create,
                                                        dnnl_augru_backward_primitive_desc_create);
}
TEST_F(RnnArguments, LbrAugru) {
  CheckAugru<dnnl::lbr_augru_forward, dnnl::lbr_augru_backward>(
      4, dnnl_lbr_augru_forward_desc_init, dnnl_lbr_augru_backward_desc_init,
      dnnl_lbr_augru_forward_primitive_desc_create, dnnl_lbr_augru_backward_primitive_desc_create);
}

TEST_F(RnnArguments, VanillaRnn) {
  const Tensors f(1, 1, kChannels, 0), d(1, 1, kChannels, 20);
  const auto relu = dnnl::algorithm::eltwise_relu;
  const dnnl::vanilla_rnn_forward::primitive_desc forward(engine, dnnl::prop_kind::forward_training, relu, kLeft2Right,
                                                          f.src_layer, f.src_iter, f.weights_layer, f.weights_iter,
                                                          f.bias, f.dst_layer, f.dst_iter, 0.25f, attr);
  const dnnl::vanilla_rnn_backward::primitive_desc backward(
      engine, dnnl::prop_kind::backward, relu, kLeft2Right, f.src_layer, f.src_iter, f.weights_layer, f.weights_iter,
      f.bias, f.dst_layer, f.dst_iter, d.src_layer, d.src_iter, d.weights_layer, d.weights_iter, d.bias, d.dst_layer,
      d.dst_iter, 0.25f, forward, attr);
  dnnl_rnn_desc_t op;
  dnnl_status_t status = dnnl_vanilla_rnn_forward_desc_init(
      &op, dnnl_forward_training, dnnl_eltwise_relu, kDirection, f.src_layer.get(), f.src_iter.get(),
      f.weights_layer.get(), f.weights_iter.get(), f.bias.get(), f.dst_layer.get(), f.dst_iter.get(), 0, 0.25f, 0.f);
  ExpectSame(status, op, forward, primitive_desc_base());
  status = dnnl_vanilla_rnn_backward_desc_init(
      &op, dnnl_backward, dnnl_eltwise_relu, kDirection, f.src_layer.get(), f.src_iter.get(), f.weights_layer.get(),
      f.weights_iter.get(), f.bias.get(), f.dst_layer.get(), f.dst_iter.get(), d.src_layer.get(), d.src_iter.get(),
      d.weights_layer.get(), d.weights_iter.get(), d.bias.get(), d.dst_layer.get(), d.dst_iter.get(), 0, 0.25f, 0.f);
  ExpectSame(status, op, backward, forward);
  dnnl_primitive_desc_t pd = nullptr;
  status = dnnl_vanilla_rnn_forward_primitive_desc_create(
      &pd, engine.get(), dnnl_forward_training, dnnl_eltwise_relu, kDirection, f.src_layer.get(), f.src_iter.get(),
      f.weights_layer.get(), f.weights_iter.get(), f.bias.get(), f.dst_layer.get(), f.dst_iter.get(), 0, 0.25f, 0.f,
      attr.get());
  ExpectSame(status, pd, forward);
  status = dnnl_vanilla_rnn_backward_primitive_desc_create(
      &pd, engine.get(), dnnl_backward, dnnl_eltwise_relu, kDirection, f.src_layer.get(), f.src_iter.get(),
      f.weights_layer.get(), f.weights_iter.get(), f.bias.get(), f.dst_layer.get(), f.dst_iter.get(), d.src_layer.get(),
      d.src_iter.get(), d.weights_layer.get(), d.weights_iter.get(), d.bias.get(), d.dst_layer.get(), d.dst_iter.get(),
      0, 0.25f, 0.f, forward.get(), attr.get());
  ExpectSame(status, pd, backward);
}

TEST_F(RnnArguments, LstmWithPeepholeAndProjection) {
  const Tensors f(4, 4, kHidden, 0), d(4, 4, kHidden, 20);
  const dnnl::lstm_forward::primitive_desc forward(
      engine, dnnl::prop_kind::forward_training, kLeft2Right, f.src_layer, f.src_iter, f.src_iter_c, f.weights_layer,
      f.weights_iter, f.peephole, f.projection, f.bias, f.dst_layer, f.dst_iter, f.dst_iter_c);
  const dnnl::lstm_backward::primitive_desc backward(
      engine, dnnl::prop_kind::backward, kLeft2Right, f.src_layer, f.src_iter, f.src_iter_c, f.weights_layer,
      f.weights_iter, f.peephole, f.projection, f.bias, f.dst_layer, f.dst_iter, f.dst_iter_c, d.src_layer, d.src_iter,
      d.src_iter_c, d.weights_layer, d.weights_iter, d.peephole, d.projection, d.bias, d.dst_layer, d.dst_iter,
      d.dst_iter_c, forward);
  dnnl_rnn_desc_t op;
  dnnl_status_t status = dnnl_lstm_forward_desc_init_v3(
      &op, dnnl_forward_training, kDirection, f.src_layer.get(), f.src_iter.get(), f.src_iter_c.get(),
      f.weights_layer.get(), f.weights_iter.get(), f.peephole.get(), f.projection.get(), f.bias.get(),
      f.dst_layer.get(), f.dst_iter.get(), f.dst_iter_c.get(), 0);
  ExpectSame(status, op, forward, primitive_desc_base());
  status = dnnl_lstm_backward_desc_init_v3(
      &op, dnnl_backward, kDirection, f.src_layer.get(), f.src_iter.get(), f.src_iter_c.get(), f.weights_layer.get(),
      f.weights_iter.get(), f.peephole.get(), f.projection.get(), f.bias.get(), f.dst_layer.get(), f.dst_iter.get(),
      f.dst_iter_c.get(), d.src_layer.get(), d.src_iter.get(), d.src_iter_c.get(), d.weights_layer.get(),
      d.weights_iter.get(), d.peephole.get(), d.projection.get(), d.bias.get(), d.dst_layer.get(), d.dst_iter.get(),
      d.dst_iter_c.get(), 0);
  ExpectSame(status, op, backward, forward);
  dnnl_primitive_desc_t pd = nullptr;
  status = dnnl_lstm_forward_primitive_desc_create(
      &pd, engine.get(), dnnl_forward_training, kDirection, f.src_layer.get(), f.src_iter.get(), f.src_iter_c.get(),
      f.weights_layer.get(), f.weights_iter.get(), f.peephole.get(), f.projection.get(), f.bias.get(),
      f.dst_layer.get(), f.dst_iter.get(), f.dst_iter_c.get(), 0, attr.get());
  ExpectSame(status, pd, forward);
  status = dnnl_lstm_backward_primitive_desc_create(
      &pd, engine.get(), dnnl_backward, kDirection, f.src_layer.get(), f.src_iter.get(), f.src_iter_c.get(),
      f.weights_layer.get(), f.weights_iter.get(), f.peephole.get(), f.projection.get(), f.bias.get(),
      f.dst_layer.get(), f.dst_iter.get(), f.dst_iter_c.get(), d.src_layer.get(), d.src_iter.get(), d.src_iter_c.get(),
      d.weights_layer.get(), d.weights_iter.get(), d.peephole.get(), d.projection.get(), d.bias.get(),
      d.dst_layer.get(), d.dst_iter.get(), d.dst_iter_c.get(), 0, forward.get(), attr.get());
  ExpectSame(status, pd, backward);
}

// The functions of generation 2 that leave out projection, or peephole and projection.
TEST_F(RnnArguments, LstmOfGeneration2) {
  const Tensors f(4, 4, kChannels, 0), d(4, 4, kChannels, 20);
  const memory::desc none;
  for (const bool has_peephole : {true, false}) {
    const memory::desc peephole = has_peephole ? f.peephole : none, diff_peephole = has_peephole ? d.peephole : none;
    const dnnl::lstm_forward::primitive_desc forward(
        engine, dnnl::prop_kind::forward_training, kLeft2Right, f.src_layer, f.src_iter, f.src_iter_c, f.weights_layer,
        f.weights_iter, peephole, f.bias, f.dst_layer, f.dst_iter, f.dst_iter_c);
    const dnnl::lstm_backward::primitive_desc backward(
        engine, dnnl::prop_kind::backward, kLeft2Right, f.src_layer, f.src_iter, f.src_iter_c, f.weights_layer,
        f.weights_iter, peephole, f.bias, f.dst_layer, f.dst_iter, f.dst_iter_c, d.src_layer, d.src_iter, d.src_iter_c,
        d.weights_layer, d.weights_iter, diff_peephole, d.bias, d.dst_layer, d.dst_iter, d.dst_iter_c, forward);
    dnnl_rnn_desc_t op;
    dnnl_status_t status =
        dnnl_lstm_forward_desc_init_v2(&op, dnnl_forward_training, kDirection, f.src_layer.get(), f.src_iter.get(),
                                       f.src_iter_c.get(), f.weights_layer.get(), f.weights_iter.get(), peephole.get(),
                                       f.bias.get(), f.dst_layer.get(), f.dst_iter.get(), f.dst_iter_c.get(), 0);
    ExpectSame(status, op, forward, primitive_desc_base());
    status = dnnl_lstm_backward_desc_init_v2(
        &op, dnnl_backward, kDirection, f.src_layer.get(), f.src_iter.get(), f.src_iter_c.get(), f.weights_layer.get(),
        f.weights_iter.get(), peephole.get(), f.bias.get(), f.dst_layer.get(), f.dst_iter.get(), f.dst_iter_c.get(),
        d.src_layer.get(), d.src_iter.get(), d.src_iter_c.get(), d.weights_layer.get(), d.weights_iter.get(),
        diff_peephole.get(), d.bias.get(), d.dst_layer.get(), d.dst_iter.get(), d.dst_iter_c.get(), 0);
    ExpectSame(status, op, backward, forward);
    if (has_peephole) continue;
    status = dnnl_lstm_forward_desc_init(&op, dnnl_forward_training, kDirection, f.src_layer.get(), f.src_iter.get(),
                                         f.src_iter_c.get(), f.weights_layer.get(), f.weights_iter.get(), f.bias.get(),
                                         f.dst_layer.get(), f.dst_iter.get(), f.dst_iter_c.get(), 0);
    ExpectSame(status, op, forward, primitive_desc_base());
    status = dnnl_lstm_backward_desc_init(
        &op, dnnl_backward, kDirection, f.src_layer.get(), f.src_iter.get(), f.src_iter_c.get(), f.weights_layer.get(),
        f.weights_iter.get(), f.bias.get(), f.dst_layer.get(), f.dst_iter.get(), f.dst_iter_c.get(), d.src_layer.get(),
        d.src_iter.get(), d.src_iter_c.get(), d.weights_layer.get(), d.weights_iter.get(), d.bias.get(),
        d.dst_layer.get(), d.dst_iter.get(), d.dst_iter_c.get(), 0);
    ExpectSame(status, op, backward, forward);
  }
}

// Flags reach the problem, and a wrong propagation kind is refused by name.
TEST_F(RnnArguments, FlagsAndPropagationKinds) {
  const Tensors f(3, 3, kChannels, 0), d(3, 3, kChannels, 20);
  dnnl_rnn_desc_t op;
  const auto backward = [&](dnnl_prop_kind_t prop_kind, unsigned flags) {
    return dnnl_gru_backward_desc_init(&op, prop_kind, kDirection, f.src_layer.get(), nullptr, f.weights_layer.get(),
                                       f.weights_iter.get(), nullptr, f.dst_layer.get(), nullptr, d.src_layer.get(),
                                       nullptr, d.weights_layer.get(), d.weights_iter.get(), nullptr, d.dst_layer.get(),
                                       nullptr, flags);
  };
  ASSERT_EQ(backward(dnnl_backward, dnnl_rnn_flags_diff_weights_overwrite), dnnl_success) << tandem_last_error();
  EXPECT_EQ(op.flags, unsigned{dnnl_rnn_flags_diff_weights_overwrite});
  EXPECT_EQ(backward(dnnl_forward_training, 0), dnnl_invalid_arguments);
  EXPECT_NE(std::string(tandem_last_error()).find("propagation kind: is forward_training"), std::string::npos)
      << tandem_last_error();
  EXPECT_EQ(
      dnnl_gru_forward_desc_init(&op, dnnl_backward, kDirection, f.src_layer.get(), nullptr, f.weights_layer.get(),
                                 f.weights_iter.get(), nullptr, f.dst_layer.get(), nullptr, 0),
      dnnl_invalid_arguments);
  EXPECT_NE(std::string(tandem_last_error()).find("propagation kind: is backward"), std::string::npos)
      << tandem_last_error();
}

// In C++ the functions whose generations differ in their parameters are overloads.
TEST_F(RnnArguments, BothGenerationsAreOverloads) {
  dnnl::post_ops ops;
  EXPECT_EQ(dnnl_post_ops_append_sum(ops.get(), 2.f), dnnl_success);
  EXPECT_EQ(dnnl_post_ops_append_sum(ops.get(), 3.f, 1, dnnl_s8), dnnl_success);
  float scale = 0.f;
  int32_t zero_point = 0;
  dnnl_data_type_t type = dnnl_data_type_undef;
  EXPECT_EQ(dnnl_post_ops_get_params_sum(ops.get(), 0, &scale), dnnl_success);
  EXPECT_EQ(scale, 2.f);
  EXPECT_EQ(dnnl_post_ops_get_params_sum(ops.get(), 1, &scale, &zero_point, &type), dnnl_success);
  EXPECT_EQ(zero_point, 1);
  const memory::desc md({2, 3}, memory::data_type::f32, memory::format_tag::ab);
  const dnnl_dim_t flat[] = {6};
  memory::desc by_value;
  struct dnnl_memory_desc* by_pointer = nullptr;
  EXPECT_EQ(dnnl_memory_desc_reshape(by_value.get(), md.get(), 1, flat), dnnl_success);
  EXPECT_EQ(dnnl_memory_desc_reshape(&by_pointer, md.get(), 1, flat), dnnl_success);
  EXPECT_EQ(dnnl_memory_desc_equal(by_value.get(), by_pointer), 1);
  dnnl_memory_desc_destroy(by_pointer);
}

}  // namespace
