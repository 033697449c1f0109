// Names of enumerators, as they are written in code without their prefix.
#include "api/core/names.h"

#include <cstring>

#include "api/core/activation.h"
#include "api/core/cell.h"

namespace tandem {
namespace {

struct Entry {
  int value;
  const char* name;
};

template <size_t kSize>
const char* Find(const Entry (&entries)[kSize], int value) {
  for (const Entry& entry : entries) {
    if (entry.value == value) return entry.name;
  }
  return "unknown";
}

constexpr Entry kStatuses[] = {
    {dnnl_success, "success"},
    {dnnl_out_of_memory, "out_of_memory"},
    {dnnl_invalid_arguments, "invalid_arguments"},
    {dnnl_unimplemented, "unimplemented"},
    {dnnl_last_impl_reached, "last_impl_reached"},
    {dnnl_runtime_error, "runtime_error"},
    {dnnl_not_required, "not_required"},
    {dnnl_invalid_graph, "invalid_graph"},
    {dnnl_invalid_graph_op, "invalid_graph_op"},
    {dnnl_invalid_shape, "invalid_shape"},
    {dnnl_invalid_data_type, "invalid_data_type"},
};
constexpr Entry kDataTypeNames[] = {
    {dnnl_data_type_undef, "undef"},
    {dnnl_f16, "f16"},
    {dnnl_bf16, "bf16"},
    {dnnl_f32, "f32"},
    {dnnl_s32, "s32"},
    {dnnl_s8, "s8"},
    {dnnl_u8, "u8"},
    {dnnl_f64, "f64"},
    {dnnl_boolean, "boolean"},
    {dnnl_f8_e5m2, "f8_e5m2"},
    {dnnl_f8_e4m3, "f8_e4m3"},
    {dnnl_s4, "s4"},
    {dnnl_u4, "u4"},
    {dnnl_e8m0, "e8m0"},
    {dnnl_f4_e2m1, "f4_e2m1"},
    {dnnl_f4_e3m0, "f4_e3m0"},
    {dnnl_s64, "s64"},
};
constexpr Entry kFormatKinds[] = {
    {dnnl_format_kind_undef, "undef"},   {dnnl_format_kind_any, "any"},
    {dnnl_blocked, "blocked"},           {dnnl_format_kind_opaque, "opaque"},
    {dnnl_format_kind_wino, "wino"},     {dnnl_format_kind_rnn_packed, "rnn_packed"},
    {dnnl_format_kind_sparse, "sparse"}, {dnnl_format_kind_host_scalar, "host_scalar"},
};
constexpr Entry kPropKinds[] = {
    {dnnl_prop_kind_undef, "undef"},
    {dnnl_forward_training, "forward_training"},
    {dnnl_forward_inference, "forward_inference"},
    {dnnl_backward, "backward"},
    {dnnl_backward_data, "backward_data"},
    {dnnl_backward_weights, "backward_weights"},
    {dnnl_backward_bias, "backward_bias"},
};
constexpr Entry kPrimitiveKinds[] = {
    {dnnl_undefined_primitive, "undef"},
    {dnnl_reorder, "reorder"},
    {dnnl_shuffle, "shuffle"},
    {dnnl_concat, "concat"},
    {dnnl_sum, "sum"},
    {dnnl_convolution, "convolution"},
    {dnnl_deconvolution, "deconvolution"},
    {dnnl_eltwise, "eltwise"},
    {dnnl_lrn, "lrn"},
    {dnnl_batch_normalization, "batch_normalization"},
    {dnnl_inner_product, "inner_product"},
    {dnnl_rnn, "rnn"},
    {dnnl_gemm, "gemm"},
    {dnnl_binary, "binary"},
    {dnnl_matmul, "matmul"},
    {dnnl_resampling, "resampling"},
    {dnnl_pooling, "pooling"},
    {dnnl_reduction, "reduction"},
    {dnnl_prelu, "prelu"},
    {dnnl_softmax, "softmax"},
    {dnnl_layer_normalization, "layer_normalization"},
    {dnnl_group_normalization, "group_normalization"},
    {dnnl_logsoftmax, "logsoftmax"},
    {dnnl_pooling_v2, "pooling_v2"},
    {dnnl_softmax_v2, "softmax_v2"},
};
// Algorithms beside the cells and the activations of RNN. Clients have the names of the others only in code.
constexpr Entry kAlgorithms[] = {
    {dnnl_alg_kind_undef, "undef"},
    {dnnl_eltwise_abs, "eltwise_abs"},
};
constexpr Entry kRnnFlags[] = {
    {dnnl_rnn_flags_undef, "undef"},
    {dnnl_rnn_flags_diff_weights_overwrite, "diff_weights_overwrite"},
};
constexpr Entry kRnnDirections[] = {
    {dnnl_rnn_direction_undef, "undef"},
    {dnnl_unidirectional_left2right, "unidirectional_left2right"},
    {dnnl_unidirectional_right2left, "unidirectional_right2left"},
    {dnnl_bidirectional_concat, "bidirectional_concat"},
    {dnnl_bidirectional_sum, "bidirectional_sum"},
};
constexpr Entry kEngineKinds[] = {{dnnl_any_engine, "any"}, {dnnl_cpu, "cpu"}, {dnnl_gpu, "gpu"}};
constexpr Entry kFpmathModes[] = {
    {dnnl_fpmath_mode_strict, "strict"}, {dnnl_fpmath_mode_bf16, "bf16"}, {dnnl_fpmath_mode_f16, "f16"},
    {dnnl_fpmath_mode_any, "any"},       {dnnl_fpmath_mode_tf32, "tf32"},
};
constexpr Entry kAccumulationModes[] = {
    {dnnl_accumulation_mode_strict, "strict"}, {dnnl_accumulation_mode_relaxed, "relaxed"},
    {dnnl_accumulation_mode_any, "any"},       {dnnl_accumulation_mode_s32, "s32"},
    {dnnl_accumulation_mode_f32, "f32"},       {dnnl_accumulation_mode_f16, "f16"},
};
constexpr Entry kRoundingModes[] = {
    {dnnl_rounding_mode_environment, "environment"},
    {dnnl_rounding_mode_stochastic, "stochastic"},
};
constexpr Entry kScratchpadModes[] = {{dnnl_scratchpad_mode_library, "library"}, {dnnl_scratchpad_mode_user, "user"}};
constexpr Entry kCpuIsas[] = {
    {dnnl_cpu_isa_default, "cpu_isa_default"},
    {dnnl_cpu_isa_sse41, "cpu_isa_sse41"},
    {dnnl_cpu_isa_avx, "cpu_isa_avx"},
    {dnnl_cpu_isa_avx2, "cpu_isa_avx2"},
    {dnnl_cpu_isa_avx2_vnni, "cpu_isa_avx2_vnni"},
    {dnnl_cpu_isa_avx2_vnni_2, "cpu_isa_avx2_vnni_2"},
    {dnnl_cpu_isa_avx512_core, "cpu_isa_avx512_core"},
    {dnnl_cpu_isa_avx512_core_vnni, "cpu_isa_avx512_core_vnni"},
    {dnnl_cpu_isa_avx512_core_bf16, "cpu_isa_avx512_core_bf16"},
    {dnnl_cpu_isa_avx512_core_fp16, "cpu_isa_avx512_core_fp16"},
    {dnnl_cpu_isa_avx512_core_amx, "cpu_isa_avx512_core_amx"},
    {dnnl_cpu_isa_avx512_core_amx_fp16, "cpu_isa_avx512_core_amx_fp16"},
    {dnnl_cpu_isa_avx10_2, "cpu_isa_avx10_2"},
    {dnnl_cpu_isa_avx10_2_amx_2, "cpu_isa_avx10_2_amx_2"},
};
constexpr Entry kCpuIsaHints[] = {{dnnl_cpu_isa_no_hints, "no_hints"}, {dnnl_cpu_isa_prefer_ymm, "prefer_ymm"}};
constexpr Entry kRuntimes[] = {
    {DNNL_RUNTIME_NONE, "none"}, {DNNL_RUNTIME_SEQ, "sequential"},        {DNNL_RUNTIME_OMP, "OpenMP"},
    {DNNL_RUNTIME_TBB, "TBB"},   {DNNL_RUNTIME_THREADPOOL, "threadpool"}, {DNNL_RUNTIME_OCL, "OpenCL"},
    {DNNL_RUNTIME_SYCL, "SYCL"},
};
constexpr Entry kArguments[] = {
    {DNNL_ARG_SRC, "DNNL_ARG_SRC"},
    {DNNL_ARG_SRC_1, "DNNL_ARG_SRC_1"},
    {DNNL_ARG_SRC_2, "DNNL_ARG_SRC_2"},
    {DNNL_ARG_SRC_3, "DNNL_ARG_SRC_3"},
    {DNNL_ARG_DST, "DNNL_ARG_DST"},
    {DNNL_ARG_DST_1, "DNNL_ARG_DST_1"},
    {DNNL_ARG_DST_2, "DNNL_ARG_DST_2"},
    {DNNL_ARG_WEIGHTS, "DNNL_ARG_WEIGHTS"},
    {DNNL_ARG_WEIGHTS_1, "DNNL_ARG_WEIGHTS_1"},
    {DNNL_ARG_WEIGHTS_2, "DNNL_ARG_WEIGHTS_2"},
    {DNNL_ARG_WEIGHTS_3, "DNNL_ARG_WEIGHTS_3"},
    {DNNL_ARG_BIAS, "DNNL_ARG_BIAS"},
    {DNNL_ARG_MEAN, "DNNL_ARG_MEAN"},
    {DNNL_ARG_VARIANCE, "DNNL_ARG_VARIANCE"},
    {DNNL_ARG_WORKSPACE, "DNNL_ARG_WORKSPACE"},
    {DNNL_ARG_SCRATCHPAD, "DNNL_ARG_SCRATCHPAD"},
};
constexpr Entry kQueries[] = {
    {dnnl_query_undef, "undef"},
    {dnnl_query_engine, "engine"},
    {dnnl_query_primitive_kind, "primitive_kind"},
    {dnnl_query_num_of_inputs_s32, "num_of_inputs_s32"},
    {dnnl_query_num_of_outputs_s32, "num_of_outputs_s32"},
    {dnnl_query_time_estimate_f64, "time_estimate_f64"},
    {dnnl_query_memory_consumption_s64, "memory_consumption_s64"},
    {dnnl_query_scratchpad_engine, "scratchpad_engine"},
    {dnnl_query_impl_info_str, "impl_info_str"},
    {dnnl_query_reorder_src_engine, "reorder_src_engine"},
    {dnnl_query_reorder_dst_engine, "reorder_dst_engine"},
    {dnnl_query_prop_kind, "prop_kind"},
    {dnnl_query_cache_blob_id_size_s64, "cache_blob_id_size_s64"},
    {dnnl_query_cache_blob_id, "cache_blob_id"},
    {dnnl_query_strides, "strides"},
    {dnnl_query_dilations, "dilations"},
    {dnnl_query_padding_l, "padding_l"},
    {dnnl_query_padding_r, "padding_r"},
    {dnnl_query_epsilon_f32, "epsilon_f32"},
    {dnnl_query_flags, "flags"},
    {dnnl_query_alg_kind, "alg_kind"},
    {dnnl_query_alpha_f32, "alpha_f32"},
    {dnnl_query_beta_f32, "beta_f32"},
    {dnnl_query_axis_s32, "axis_s32"},
    {dnnl_query_local_size_s64, "local_size_s64"},
    {dnnl_query_k_f32, "k_f32"},
    {dnnl_query_p_f32, "p_f32"},
    {dnnl_query_factors, "factors"},
    {dnnl_query_cell_kind, "cell_kind"},
    {dnnl_query_direction, "direction"},
    {dnnl_query_activation_kind, "activation_kind"},
    {dnnl_query_kernel, "kernel"},
    {dnnl_query_group_size_s64, "group_size_s64"},
    {dnnl_query_op_d, "op_d"},
    {dnnl_query_convolution_d, "convolution_d"},
    {dnnl_query_deconvolution_d, "deconvolution_d"},
    {dnnl_query_shuffle_d, "shuffle_d"},
    {dnnl_query_eltwise_d, "eltwise_d"},
    {dnnl_query_softmax_d, "softmax_d"},
    {dnnl_query_pooling_d, "pooling_d"},
    {dnnl_query_lrn_d, "lrn_d"},
    {dnnl_query_batch_normalization_d, "batch_normalization_d"},
    {dnnl_query_inner_product_d, "inner_product_d"},
    {dnnl_query_rnn_d, "rnn_d"},
    {dnnl_query_gemm_d, "gemm_d"},
    {dnnl_query_binary_d, "binary_d"},
    {dnnl_query_logsoftmax_d, "logsoftmax_d"},
    {dnnl_query_matmul_d, "matmul_d"},
    {dnnl_query_resampling_d, "resampling_d"},
    {dnnl_query_pooling_v2_d, "pooling_v2_d"},
    {dnnl_query_reduction_d, "reduction_d"},
    {dnnl_query_prelu_d, "prelu_d"},
    {dnnl_query_softmax_v2_d, "softmax_v2_d"},
    {dnnl_query_layer_normalization_d, "layer_normalization_d"},
    {dnnl_query_src_md, "src_md"},
    {dnnl_query_diff_src_md, "diff_src_md"},
    {dnnl_query_weights_md, "weights_md"},
    {dnnl_query_diff_weights_md, "diff_weights_md"},
    {dnnl_query_dst_md, "dst_md"},
    {dnnl_query_diff_dst_md, "diff_dst_md"},
    {dnnl_query_workspace_md, "workspace_md"},
    {dnnl_query_scratchpad_md, "scratchpad_md"},
    {dnnl_query_exec_arg_md, "exec_arg_md"},
    {dnnl_query_ndims_s32, "ndims_s32"},
    {dnnl_query_dims, "dims"},
    {dnnl_query_data_type, "data_type"},
    {dnnl_query_submemory_offset_s64, "submemory_offset_s64"},
    {dnnl_query_padded_dims, "padded_dims"},
    {dnnl_query_padded_offsets, "padded_offsets"},
    {dnnl_query_format_kind, "format_kind"},
    {dnnl_query_inner_nblks_s32, "inner_nblks_s32"},
    {dnnl_query_inner_blks, "inner_blks"},
    {dnnl_query_inner_idxs, "inner_idxs"},
    {dnnl_query_sparse_encoding, "sparse_encoding"},
    {dnnl_query_nnz_s64, "nnz_s64"},
    {dnnl_query_num_handles_s32, "num_handles_s32"},
};

}  // namespace

std::string NameOrNumber(const char* name, int value) {
  return std::strcmp(name, "unknown") == 0 ? std::to_string(value) : name;
}

std::string ArgumentName(int arg) {
  const std::string number = " (" + std::to_string(arg) + ")";
  if (arg >= DNNL_ARG_ATTR_MULTIPLE_POST_OP_BASE) {
    const int post_op = arg / DNNL_ARG_ATTR_MULTIPLE_POST_OP_BASE - 1;
    const int its = arg % DNNL_ARG_ATTR_MULTIPLE_POST_OP_BASE;
    return "post-op " + std::to_string(post_op) + "'s " + NameOrNumber(Find(kArguments, its), its) + number;
  }
  if (arg >= DNNL_ARG_MULTIPLE_SRC && arg < DNNL_ARG_MULTIPLE_DST) {
    return "DNNL_ARG_MULTIPLE_SRC + " + std::to_string(arg - DNNL_ARG_MULTIPLE_SRC) + number;
  }
  const std::string name = NameOrNumber(Find(kArguments, arg), arg);
  return name == std::to_string(arg) ? name : name + number;
}

std::string QueryName(dnnl_query_t what) { return NameOrNumber(Find(kQueries, what), what); }

std::string MaskText(int mask) {
  std::string dims;
  int count = 0;
  for (int d = 0; d < DNNL_MAX_NDIMS; ++d) {
    if ((mask >> d & 1) == 0) continue;
    dims += (count++ == 0 ? "" : ", ") + std::to_string(d);
  }
  if (mask <= 0 || count == 0) return std::to_string(mask);
  return std::to_string(mask) + (count == 1 ? " (dim " : " (dims ") + dims + ")";
}

}  // namespace tandem

using namespace tandem;

const char* tandem_status2str(dnnl_status_t v) { return Find(kStatuses, v); }
const char* tandem_data_type2str(dnnl_data_type_t v) { return Find(kDataTypeNames, v); }
const char* tandem_format_kind2str(dnnl_format_kind_t v) { return Find(kFormatKinds, v); }
const char* tandem_prop_kind2str(dnnl_prop_kind_t v) { return Find(kPropKinds, v); }
const char* tandem_primitive_kind2str(dnnl_primitive_kind_t v) { return Find(kPrimitiveKinds, v); }
const char* tandem_rnn_flags2str(dnnl_rnn_flags_t v) { return Find(kRnnFlags, v); }
const char* tandem_rnn_direction2str(dnnl_rnn_direction_t v) { return Find(kRnnDirections, v); }
const char* tandem_engine_kind2str(dnnl_engine_kind_t v) { return Find(kEngineKinds, v); }
const char* tandem_fpmath_mode2str(dnnl_fpmath_mode_t v) { return Find(kFpmathModes, v); }
const char* tandem_accumulation_mode2str(dnnl_accumulation_mode_t v) { return Find(kAccumulationModes, v); }
const char* tandem_rounding_mode2str(dnnl_rounding_mode_t v) { return Find(kRoundingModes, v); }
const char* tandem_scratchpad_mode2str(dnnl_scratchpad_mode_t v) { return Find(kScratchpadModes, v); }
const char* tandem_cpu_isa2str(dnnl_cpu_isa_t v) { return Find(kCpuIsas, v); }
const char* tandem_cpu_isa_hints2str(dnnl_cpu_isa_hints_t v) { return Find(kCpuIsaHints, v); }
const char* tandem_runtime2str(unsigned v) { return Find(kRuntimes, static_cast<int>(v)); }

const char* tandem_alg_kind2str(dnnl_alg_kind_t v) {
  for (const CellTraits& cell : kCellTraits) {
    if (cell.alg_kind == v) return cell.alg_name;
  }
  for (const Activation activation : kActivations) {
    if (TraitsOf(activation).alg_kind == v) return TraitsOf(activation).alg_name;
  }
  return Find(kAlgorithms, v);
}
