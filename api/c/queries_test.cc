// Each query of the C API gives what the getter of the C++ classes gives, and a query that does not fit is refused.
#include <gtest/gtest.h>

#include "dnnl.hpp"

namespace {

using dnnl::memory;

constexpr memory::dim T = 2, N = 3, kChannels = 4;

memory::dims ToDims(const dnnl_dims_t* values, int ndims) { return memory::dims(*values, *values + ndims); }

template <class T>
T Get(const memory::desc& md, dnnl_query_t what) {
  T result{};
  EXPECT_EQ(dnnl_memory_desc_query(md.get(), what, &result), dnnl_success) << what << ": " << tandem_last_error();
  return result;
}

template <class T>
T Get(const dnnl::primitive_desc_base& pd, dnnl_query_t what, int index = 0) {
  T result{};
  EXPECT_EQ(dnnl_primitive_desc_query(pd.get(), what, index, &result), dnnl_success)
      << what << ": " << tandem_last_error();
  return result;
}

dnnl_status_t StatusOf(const dnnl::primitive_desc_base& pd, dnnl_query_t what) {
  double result;
  return dnnl_primitive_desc_query(pd.get(), what, 0, &result);
}

dnnl::engine Cpu() { return dnnl::engine(dnnl::engine::kind::cpu, 0); }

dnnl::vanilla_rnn_forward::primitive_desc LeakyRnn() {
  const memory::desc layer({T, N, kChannels}, memory::data_type::f32, memory::format_tag::tnc);
  const memory::desc weights({1, 1, kChannels, 1, kChannels}, memory::data_type::f32, memory::format_tag::any);
  const memory::desc none;
  return {Cpu(),
          dnnl::prop_kind::forward_training,
          dnnl::algorithm::eltwise_relu,
          dnnl::rnn_direction::unidirectional_right2left,
          layer,
          none,
          weights,
          weights,
          none,
          layer,
          none,
          0.25f};
}

dnnl::reorder::primitive_desc Transposition() {
  const memory::desc rows({2, 3}, memory::data_type::f32, memory::format_tag::ab);
  const memory::desc columns({2, 3}, memory::data_type::f32, memory::format_tag::ba);
  return dnnl::reorder::primitive_desc(Cpu(), rows, Cpu(), columns);
}

TEST(Queries, OfAMemoryDescriptor) {
  const memory::desc whole({4, 5, 6}, memory::data_type::bf16, memory::format_tag::acb);
  const memory::desc md = whole.submemory_desc({2, 3, 4}, {1, 0, 2});
  EXPECT_EQ(Get<int>(md, dnnl_query_ndims_s32), 3);
  EXPECT_EQ(ToDims(Get<const dnnl_dims_t*>(md, dnnl_query_dims), 3), md.get_dims());
  EXPECT_EQ(Get<dnnl_data_type_t>(md, dnnl_query_data_type), dnnl_bf16);
  EXPECT_EQ(Get<dnnl_format_kind_t>(md, dnnl_query_format_kind), dnnl_blocked);
  EXPECT_EQ(Get<dnnl_dim_t>(md, dnnl_query_submemory_offset_s64), md.get_submemory_offset());
  EXPECT_GT(md.get_submemory_offset(), 0);
  EXPECT_EQ(ToDims(Get<const dnnl_dims_t*>(md, dnnl_query_strides), 3), md.get_strides());
  EXPECT_EQ(ToDims(Get<const dnnl_dims_t*>(md, dnnl_query_padded_dims), 3), md.get_padded_dims());
  EXPECT_EQ(ToDims(Get<const dnnl_dims_t*>(md, dnnl_query_padded_offsets), 3), md.get_padded_offsets());
  EXPECT_EQ(Get<int>(md, dnnl_query_num_handles_s32), 1);
  EXPECT_EQ(Get<int>(memory::desc(), dnnl_query_num_handles_s32), 0);
  EXPECT_EQ(Get<int>(md, dnnl_query_inner_nblks_s32), 0);
  EXPECT_NE(Get<const dnnl_dims_t*>(md, dnnl_query_inner_blks), nullptr);
  EXPECT_NE(Get<const dnnl_dims_t*>(md, dnnl_query_inner_idxs), nullptr);
  const memory::desc open({2, 3}, memory::data_type::f32, memory::format_tag::any);
  const dnnl_dims_t* strides = nullptr;
  EXPECT_EQ(dnnl_memory_desc_query(open.get(), dnnl_query_strides, &strides), dnnl_invalid_arguments);
}

TEST(Queries, OfAPrimitiveDescriptor) {
  const auto pd = LeakyRnn();
  EXPECT_STREQ(Get<const char*>(pd, dnnl_query_impl_info_str), pd.impl_info_str());
  EXPECT_EQ(Get<dnnl_engine_t>(pd, dnnl_query_scratchpad_engine), Get<dnnl_engine_t>(pd, dnnl_query_engine));
  EXPECT_EQ(Get<int>(pd, dnnl_query_primitive_kind), dnnl_rnn);
  EXPECT_EQ(Get<int>(pd, dnnl_query_num_of_inputs_s32), 3);
  EXPECT_EQ(Get<int>(pd, dnnl_query_num_of_outputs_s32), 2);  // dst_layer and the workspace
  EXPECT_EQ(Get<int>(pd, dnnl_query_prop_kind), dnnl_forward_training);
  EXPECT_EQ(Get<int>(pd, dnnl_query_cell_kind), dnnl_vanilla_rnn);
  EXPECT_EQ(Get<int>(pd, dnnl_query_direction), dnnl_unidirectional_right2left);
  EXPECT_EQ(Get<int>(pd, dnnl_query_activation_kind), dnnl_eltwise_relu);
  EXPECT_EQ(Get<int>(pd, dnnl_query_flags), 0);
  EXPECT_EQ(Get<float>(pd, dnnl_query_alpha_f32), 0.25f);
  EXPECT_EQ(Get<float>(pd, dnnl_query_beta_f32), 0.f);
  EXPECT_EQ(Get<dnnl_dim_t>(pd, dnnl_query_memory_consumption_s64), pd.query_s64(dnnl::query::memory_consumption_s64));
  const std::vector<uint8_t> id = pd.get_cache_blob_id();
  const auto* const first = Get<const uint8_t*>(pd, dnnl_query_cache_blob_id);
  ASSERT_EQ(Get<dnnl_dim_t>(pd, dnnl_query_cache_blob_id_size_s64), static_cast<dnnl_dim_t>(id.size()));
  EXPECT_EQ(std::vector<uint8_t>(first, first + id.size()), id);
  EXPECT_EQ(Get<const dnnl_rnn_desc_t*>(pd, dnnl_query_op_d)->alpha, 0.25f);
  EXPECT_EQ(memory::desc(Get<const_dnnl_memory_desc_t>(pd, dnnl_query_weights_md, 1)), pd.weights_iter_desc());
  EXPECT_EQ(StatusOf(pd, dnnl_query_undef), dnnl_unimplemented);
}

TEST(Queries, OfAReorder) {
  const auto pd = Transposition();
  EXPECT_EQ(Get<int>(pd, dnnl_query_primitive_kind), dnnl_reorder);
  EXPECT_EQ(Get<dnnl_engine_t>(pd, dnnl_query_reorder_src_engine), Get<dnnl_engine_t>(pd, dnnl_query_engine));
  EXPECT_EQ(Get<int>(pd, dnnl_query_num_of_inputs_s32), 1);
  EXPECT_EQ(Get<int>(pd, dnnl_query_num_of_outputs_s32), 1);
  for (const dnnl_query_t of_an_rnn : {dnnl_query_cell_kind, dnnl_query_alpha_f32, dnnl_query_op_d}) {
    EXPECT_EQ(StatusOf(pd, of_an_rnn), dnnl_unimplemented) << of_an_rnn;
  }
  EXPECT_EQ(dnnl_primitive_desc_next_impl(pd.get()), dnnl_last_impl_reached);
}

}  // namespace
