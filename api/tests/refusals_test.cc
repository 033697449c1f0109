// The constructors of primitive descriptors refuse these whatever the cell: empty results instead of exceptions, wrong
// propagation kinds, hints of another problem, and attributes of other primitives.
#include <gtest/gtest.h>

#include <array>
#include <tuple>

#include "api/tests/expect_error_testing.h"
#include "api/tests/generations_testing.h"
#include "api/tests/rnn_client_testing.h"

namespace tandem {
namespace testing {
namespace {

using dnnl::algorithm;
using dnnl::memory;
using dnnl::primitive_attr;
using dnnl::prop_kind;
using tag = memory::format_tag;
using dt = memory::data_type;

const auto kDirection = dnnl::rnn_direction::unidirectional_left2right;

// `kCount` times a tensor that is wrong for every argument.
template <size_t kCount>
std::array<memory::desc, kCount> Wrong() {
  std::array<memory::desc, kCount> all;
  all.fill(memory::desc({2, 3}, dt::f32, tag::ab));
  return all;
}

template <class Forward, class Backward, size_t kCount>
struct CellOf {
  using ForwardPd = typename Forward::primitive_desc;
  using BackwardPd = typename Backward::primitive_desc;

  static void ExpectEmpty(const dnnl::engine& engine) {
    std::apply(
        [&](const auto&... mds) {
          EXPECT_FALSE(ForwardPd(engine, prop_kind::forward_training, kDirection, mds..., primitive_attr(), true));
          EXPECT_FALSE(ForwardPd(engine, prop_kind::backward, kDirection, mds..., primitive_attr(), true));
        },
        Wrong<kCount>());
    std::apply(
        [&](const auto&... mds) {
          EXPECT_FALSE(
              BackwardPd(engine, prop_kind::backward, kDirection, mds..., ForwardPd(), primitive_attr(), true));
          EXPECT_FALSE(
              BackwardPd(engine, prop_kind::forward_training, kDirection, mds..., ForwardPd(), primitive_attr(), true));
        },
        Wrong<2 * kCount>());
  }

  // The class is asked before the tensors are looked at, so that the kind is what the message is about.
  static void ExpectWrongKindsNamed() {
    const auto expect = [](const char* given, const auto& make) {
      ExpectInvalid({"propagation kind", given}, [&] { make(); });
    };
    std::apply(
        [&](const auto&... mds) {
          expect("is backward", [&] { typename Forward::desc(prop_kind::backward, kDirection, mds...); });
          expect("is backward", [&] { ForwardPd(Cpu(), prop_kind::backward, kDirection, mds...); });
        },
        Wrong<kCount>());
    std::apply(
        [&](const auto&... mds) {
          expect("is forward_training",
                 [&] { typename Backward::desc(prop_kind::forward_training, kDirection, mds...); });
          expect("is forward_inference",
                 [&] { typename Backward::desc(prop_kind::forward_inference, kDirection, mds...); });
          expect("is forward_training",
                 [&] { BackwardPd(Cpu(), prop_kind::forward_training, kDirection, mds..., ForwardPd()); });
        },
        Wrong<2 * kCount>());
  }
};

template <class Cell>
class EachCell : public ::testing::Test {};
using Cells = ::testing::Types<
    CellOf<dnnl::lstm_forward, dnnl::lstm_backward, 9>,   // plain
    CellOf<dnnl::lstm_forward, dnnl::lstm_backward, 10>,  // peephole
    CellOf<dnnl::lstm_forward, dnnl::lstm_backward, 11>,  // projection
    CellOf<dnnl::gru_forward, dnnl::gru_backward, 7>, CellOf<dnnl::lbr_gru_forward, dnnl::lbr_gru_backward, 7>,
    CellOf<dnnl::augru_forward, dnnl::augru_backward, 8>, CellOf<dnnl::lbr_augru_forward, dnnl::lbr_augru_backward, 8>>;
TYPED_TEST_SUITE(EachCell, Cells);

TYPED_TEST(EachCell, AllowEmptyNeverThrows) {
  TypeParam::ExpectEmpty(Cpu());
  TypeParam::ExpectEmpty(dnnl::engine());
}

TYPED_TEST(EachCell, ForwardRefusesBackwardAndBackwardForward) { TypeParam::ExpectWrongKindsNamed(); }

TEST(VanillaRnn, AllowEmptyNeverThrows) {
  using Forward = dnnl::vanilla_rnn_forward::primitive_desc;
  using Backward = dnnl::vanilla_rnn_backward::primitive_desc;
  const primitive_attr attr;
  const auto training = prop_kind::forward_training, backward = prop_kind::backward;
  const auto tanh = algorithm::eltwise_tanh, abs = algorithm::eltwise_abs;
  std::apply(
      [&](const auto&... mds) {
        EXPECT_FALSE(Forward(Cpu(), training, tanh, kDirection, mds..., attr, true));
        EXPECT_FALSE(Forward(Cpu(), backward, abs, kDirection, mds..., 0.5f, attr, true));
        ExpectInvalid({"propagation kind", "is backward"},
                      [&] { dnnl::vanilla_rnn_forward::desc(backward, tanh, kDirection, mds...); });
      },
      Wrong<7>());
  std::apply(
      [&](const auto&... mds) {
        EXPECT_FALSE(Backward(Cpu(), backward, tanh, kDirection, mds..., Forward(), attr, true));
        EXPECT_FALSE(Backward(Cpu(), training, abs, kDirection, mds..., 0.5f, Forward(), attr, true));
        ExpectInvalid({"propagation kind", "is forward_training"},
                      [&] { dnnl::vanilla_rnn_backward::desc(training, tanh, kDirection, mds...); });
      },
      Wrong<14>());
}

// Operation descriptors have no allow_empty; what is made of them has.
TEST(OperationDescriptors, AllowEmptyNeverThrows) {
  const memory::desc layer({2, 3, 4}, dt::f32, tag::tnc), weights({1, 1, 4, 3, 4}, dt::f32, tag::any), none;
  const dnnl::gru_forward::desc op(prop_kind::forward_inference, kDirection, layer, none, weights, weights, none, layer,
                                   none);
  primitive_attr refused;
  refused.set_scales_mask(DNNL_ARG_BIAS, 0);
  EXPECT_FALSE(dnnl::gru_forward::primitive_desc(op, refused, Cpu(), true));
  EXPECT_FALSE(dnnl::gru_forward::primitive_desc(op, dnnl::engine(), true));
  EXPECT_FALSE(dnnl::primitive_desc(op, refused, Cpu(), true));
  EXPECT_FALSE(dnnl::primitive_desc(op, dnnl::engine(), true));
}

TEST(Attributes, OfPostOpsAndBiasAreRefusedByThePrimitiveDescriptor) {
  const memory::desc layer({2, 3, 4}, dt::f32, tag::tnc), weights({1, 1, 4, 3, 4}, dt::f32, tag::any), none;
  for (const int arg : {DNNL_ARG_BIAS, DNNL_ARG_ATTR_MULTIPLE_POST_OP(0) | DNNL_ARG_SRC_1}) {
    primitive_attr scales, zero_points;
    scales.set_scales_mask(arg, 0);
    zero_points.set_zero_points_mask(arg, 0);
    for (const primitive_attr& attr : {scales, zero_points}) {
      ExpectUnimplemented({std::to_string(arg).c_str()}, [&] {
        dnnl::gru_forward::primitive_desc(Cpu(), prop_kind::forward_inference, kDirection, layer, none, weights,
                                          weights, none, layer, none, attr);
      });
      ExpectUnimplemented({std::to_string(arg).c_str()},
                          [&] { dnnl::reorder::primitive_desc(Cpu(), layer, Cpu(), layer, attr); });
    }
  }
}

// Backward of a vanilla RNN with one thing changed in its forward.
struct VanillaRnn {
  prop_kind prop = prop_kind::forward_training;
  algorithm activation = algorithm::eltwise_relu;
  dnnl::rnn_direction direction = kDirection;
  memory::dim steps = 2, batch = 3, channels = 4;
  float alpha = 0.5f, beta = 0.f;
  bool bias = true, dst_iter = true;

  memory::desc Layer() const { return {{steps, batch, channels}, dt::f32, tag::tnc}; }
  memory::desc State() const { return {{1, 1, batch, channels}, dt::f32, tag::ldnc}; }
  memory::desc DstState() const { return dst_iter ? State() : memory::desc(); }
  memory::desc Weights() const { return {{1, 1, channels, 1, channels}, dt::f32, tag::any}; }
  memory::desc Bias() const { return bias ? memory::desc({1, 1, 1, channels}, dt::f32, tag::ldgo) : memory::desc(); }
};

template <class Generation>
class Hint : public ::testing::Test {
 protected:
  static dnnl::vanilla_rnn_backward::primitive_desc BackwardAfter(const VanillaRnn& forward) {
    const VanillaRnn own;
    const dnnl::vanilla_rnn_forward::primitive_desc hint(
        Cpu(), forward.prop, forward.activation, forward.direction, forward.Layer(), forward.State(), forward.Weights(),
        forward.Weights(), forward.Bias(), forward.Layer(), forward.DstState(), forward.alpha, forward.beta);
    return Backward(Generation(), own, hint);
  }

 private:
  static dnnl::vanilla_rnn_backward::primitive_desc Backward(Generation2, const VanillaRnn& own,
                                                             const dnnl::vanilla_rnn_forward::primitive_desc& hint) {
    const dnnl::vanilla_rnn_backward::desc op(
        prop_kind::backward, own.activation, own.direction, own.Layer(), own.State(), own.Weights(), own.Weights(),
        own.Bias(), own.Layer(), own.State(), own.Layer(), own.State(), own.Weights(), own.Weights(), own.Bias(),
        own.Layer(), own.State(), dnnl::rnn_flags::undef, own.alpha, own.beta);
    return {op, Cpu(), hint};
  }
  static dnnl::vanilla_rnn_backward::primitive_desc Backward(Generation3, const VanillaRnn& own,
                                                             const dnnl::vanilla_rnn_forward::primitive_desc& hint) {
    return {Cpu(),         prop_kind::backward, own.activation, own.direction, own.Layer(), own.State(), own.Weights(),
            own.Weights(), own.Bias(),          own.Layer(),    own.State(),   own.Layer(), own.State(), own.Weights(),
            own.Weights(), own.Bias(),          own.Layer(),    own.State(),   own.alpha,   own.beta,    hint};
  }
};
TYPED_TEST_SUITE(Hint, Generations);

TYPED_TEST(Hint, OfAnotherProblemIsRefused) {
  const auto refused = [&](std::initializer_list<const char*> words, const VanillaRnn& forward) {
    ExpectInvalid(words, [&] { this->BackwardAfter(forward); });
  };
  EXPECT_NO_THROW(this->BackwardAfter(VanillaRnn()));
  VanillaRnn other;
  other.prop = prop_kind::forward_inference;
  refused({"hint_fwd_pd", "propagation kind", "forward_inference", "forward_training"}, other);
  other = VanillaRnn();
  other.batch = 5;
  refused({"hint_fwd_pd", "src_layer", "{2, 5, 4}", "{2, 3, 4}"}, other);
  other = VanillaRnn();
  other.alpha = 0.25f;
  refused({"hint_fwd_pd", "alpha", "0.25", "0.5"}, other);
  other = VanillaRnn();
  other.beta = 0.25f;
  refused({"hint_fwd_pd", "beta", "0.25", "0"}, other);
  other = VanillaRnn();
  other.activation = algorithm::eltwise_tanh;
  refused({"hint_fwd_pd", "activation", "eltwise_tanh", "eltwise_relu"}, other);
  other = VanillaRnn();
  other.direction = dnnl::rnn_direction::unidirectional_right2left;
  refused({"hint_fwd_pd", "direction", "right2left", "left2right"}, other);
  other = VanillaRnn();
  other.bias = false;
  refused({"hint_fwd_pd", "bias", "absent", "{1, 1, 1, 4}"}, other);
  other = VanillaRnn();
  other.dst_iter = false;
  EXPECT_NO_THROW(this->BackwardAfter(other));
}

TEST(HintOfTheCLevel, OfAnotherKindIsRefused) {
  RnnCase gru, lstm;
  gru.cell = algorithm::vanilla_gru;
  gru.slc = gru.dhc = lstm.slc = lstm.dhc = 3;
  const auto none = dnnl::rnn_flags::undef;
  const auto forward = Forward(gru, prop_kind::forward_training);
  ExpectInvalid({"hint_fwd_pd", "cell kind", "gru", "lstm"}, [&] { Backward(lstm, forward, none); });
  ExpectInvalid({"hint_fwd_pd", "propagation kind", "is backward"},
                [&] { Backward(gru, Backward(gru, forward, none), none); });
  const memory::desc layer({2, 3, 4}, dt::f32, tag::tnc);
  const dnnl::reorder::primitive_desc reorder(Cpu(), layer, Cpu(), layer);
  ExpectInvalid({"hint_fwd_pd", "is of reorder"},
                [&] { Backward(gru, dnnl::primitive_desc(reorder.get(), true), none); });
}

}  // namespace
}  // namespace testing
}  // namespace tandem
