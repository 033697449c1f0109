// Names of enumerators, as they are written in code without their prefix.
#include "api/core/cell.h"
#include "api/core/memory/format_tag.h"
#include "dnnl/abi.h"

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
// The algorithms of RNN, beside the cells; of others clients only have the names in code.
constexpr Entry kAlgorithms[] = {
    {dnnl_alg_kind_undef, "undef"},      {dnnl_eltwise_relu, "eltwise_relu"},
    {dnnl_eltwise_tanh, "eltwise_tanh"}, {dnnl_eltwise_logistic, "eltwise_logistic"},
    {dnnl_eltwise_elu, "eltwise_elu"},   {dnnl_eltwise_linear, "eltwise_linear"},
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
};
constexpr Entry kCpuIsaHints[] = {{dnnl_cpu_isa_no_hints, "no_hints"}, {dnnl_cpu_isa_prefer_ymm, "prefer_ymm"}};
constexpr Entry kRuntimes[] = {
    {DNNL_RUNTIME_NONE, "none"}, {DNNL_RUNTIME_SEQ, "sequential"},        {DNNL_RUNTIME_OMP, "OpenMP"},
    {DNNL_RUNTIME_TBB, "TBB"},   {DNNL_RUNTIME_THREADPOOL, "threadpool"}, {DNNL_RUNTIME_OCL, "OpenCL"},
    {DNNL_RUNTIME_SYCL, "SYCL"},
};

}  // namespace
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
  return Find(kAlgorithms, v);
}

const char* tandem_format_tag2str(dnnl_format_tag_t v) {
  if (v == dnnl_format_tag_undef) return "undef";
  if (v == dnnl_format_tag_any) return "any";
  const char* permutation = PermutationOf(v);
  return permutation == nullptr ? "unknown" : permutation;
}
