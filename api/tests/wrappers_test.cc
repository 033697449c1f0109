// Functions of the C++ classes that are one call of the C level: each calls the one of its name.
#include <gtest/gtest.h>

#include "api/tests/rnn_client_testing.h"

namespace tandem {
namespace testing {
namespace {

using dnnl::memory;

TEST(Wrappers, EnumeratorsAreThoseOfC) {
  EXPECT_EQ(convert_to_c(dnnl::accumulation_mode::any), dnnl_accumulation_mode_any);
  EXPECT_EQ(convert_to_c(dnnl::engine::kind::cpu), dnnl_cpu);
  EXPECT_EQ(convert_to_c(dnnl::rnn_flags::diff_weights_overwrite), dnnl_rnn_flags_diff_weights_overwrite);
  EXPECT_EQ(convert_to_c(dnnl::scratchpad_mode::user), dnnl_scratchpad_mode_user);
  EXPECT_EQ(convert_to_c(dnnl::stream::flags::in_order), dnnl_stream_in_order);
}

TEST(Wrappers, FlagsAreSetsOfBits) {
  using dnnl::rnn_flags;
  rnn_flags flags = rnn_flags::undef;
  flags |= rnn_flags::diff_weights_overwrite;
  EXPECT_EQ(flags, rnn_flags::diff_weights_overwrite);
  EXPECT_EQ(flags & rnn_flags::undef, rnn_flags::undef);
  EXPECT_EQ(flags ^ flags, rnn_flags::undef);
  flags &= rnn_flags::diff_weights_overwrite;
  EXPECT_EQ(flags | rnn_flags::undef, rnn_flags::diff_weights_overwrite);
  flags ^= rnn_flags::diff_weights_overwrite;
  EXPECT_EQ(flags, rnn_flags::undef);
}

TEST(Wrappers, WhatIsSetIsReadBack) {
  dnnl::primitive_attr attr;
  attr.set_accumulation_mode(dnnl::accumulation_mode::any);
  EXPECT_EQ(attr.get_accumulation_mode(), dnnl::accumulation_mode::any);
  dnnl::post_ops ops;
  ops.append_sum(0.5f, 0, memory::data_type::s8);
  float scale = 0;
  memory::data_type type = memory::data_type::undef;
  ops.get_params_sum(0, scale, type);
  EXPECT_EQ(scale, 0.5f);
  EXPECT_EQ(type, memory::data_type::s8);
  EXPECT_TRUE(memory::desc({2, 3}, memory::data_type::f32, memory::format_tag::ab).get_inner_idxs().empty());
  EXPECT_EQ(dnnl::version()->major, DNNL_VERSION_MAJOR);
}

TEST(Wrappers, BackwardAnswersEveryGradient) {
  const auto type = memory::data_type::f32;
  const memory::desc layer({2, 3, 4}, type, memory::format_tag::tnc), state({1, 1, 3, 4}, type, memory::dims()),
      cell({1, 1, 3, 5}, type, memory::dims()), weights({1, 1, 4, 4, 5}, type, memory::format_tag::any),
      diff_weights({1, 1, 4, 4, 5}, type, memory::dims()), peephole({1, 1, 3, 5}, type, memory::dims()),
      projection({1, 1, 5, 4}, type, memory::dims()), bias({1, 1, 4, 5}, type, memory::dims());
  const auto direction = dnnl::rnn_direction::unidirectional_left2right;
  const dnnl::lstm_forward::primitive_desc forward(Cpu(), dnnl::prop_kind::forward_training, direction, layer, state,
                                                   cell, weights, weights, peephole, projection, bias, layer, state,
                                                   cell);
  const dnnl::lstm_backward::primitive_desc pd(Cpu(), dnnl::prop_kind::backward, direction, layer, state, cell, weights,
                                               weights, peephole, projection, bias, layer, state, cell, layer, state,
                                               cell, diff_weights, diff_weights, peephole, projection, bias, layer,
                                               state, cell, forward);
  EXPECT_EQ(pd.diff_src_iter_desc(), state);
  EXPECT_EQ(pd.diff_src_iter_c_desc(), cell);
  EXPECT_EQ(pd.diff_weights_peephole_desc(), peephole);
  EXPECT_EQ(pd.diff_weights_projection_desc(), projection);
  EXPECT_EQ(pd.diff_dst_layer_desc(), layer);
  EXPECT_EQ(pd.diff_dst_iter_desc(), state);
  EXPECT_EQ(pd.diff_dst_iter_c_desc(), cell);
  EXPECT_EQ(pd.diff_dst_desc(1), state);
  EXPECT_EQ(pd.dst_desc(), layer);
  EXPECT_EQ(pd.weights_desc(), pd.weights_layer_desc());
  EXPECT_EQ(pd.get_beta(), 0.f);
}

TEST(Wrappers, ProductsAreThoseOfC) {
  const float a[] = {1, 2, 3, 4}, b[] = {5, 6, 7, 8}, want[] = {19, 22, 43, 50};
  float c[4] = {};
  EXPECT_EQ(dnnl::sgemm('N', 'N', 2, 2, 2, 1.f, a, 2, b, 2, 0.f, c, 2), dnnl::status::success);
  EXPECT_EQ(std::vector<float>(c, c + 4), std::vector<float>(want, want + 4));
  const uint8_t u[] = {1, 2, 3, 4};
  const int8_t s[] = {5, 6, 7, 8}, t[] = {1, 2, 3, 4};
  const int32_t offset = 0;
  int32_t d[4] = {};
  EXPECT_EQ(dnnl::gemm_u8s8s32('N', 'N', 'F', 2, 2, 2, 1.f, u, 2, 0, s, 2, 0, 0.f, d, 2, &offset),
            dnnl::status::success);
  EXPECT_EQ(std::vector<float>(d, d + 4), std::vector<float>(want, want + 4));
  EXPECT_EQ(dnnl::gemm_s8s8s32('N', 'N', 'F', 2, 2, 2, 1.f, t, 2, 0, s, 2, 0, 0.f, d, 2, &offset),
            dnnl::status::success);
  EXPECT_EQ(std::vector<float>(d, d + 4), std::vector<float>(want, want + 4));
}

}  // namespace
}  // namespace testing
}  // namespace tandem
