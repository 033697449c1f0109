// Enumerations outside of any class. Enumerators of both API generations; where they name one thing
// twice, both names have one value.
#ifndef DNNL_ENUMS_HPP
#define DNNL_ENUMS_HPP

#include "dnnl/abi.h"

namespace dnnl {
inline namespace tandem_v1 {

enum class prop_kind {
  undef = dnnl_prop_kind_undef,
  forward_training = dnnl_forward_training,
  forward = dnnl_forward,
  forward_inference = dnnl_forward_inference,
  forward_scoring = dnnl_forward_scoring,
  backward = dnnl_backward,
  backward_data = dnnl_backward_data,
  backward_weights = dnnl_backward_weights,
  backward_bias = dnnl_backward_bias,
};

// The reading of the text that holds where it and practice differ (docs/readings.md). Tandem's own.
enum class reading {
  spec = tandem_reading_spec,
  onednn = tandem_reading_onednn,
};

// Layer normalization of an RNN (docs/layer_normalization.md): which part of a pre-activation is normalized, over which
// channels, and whether LSTM's c_t is. Tandem's own.
enum class normalization {
  none = tandem_normalization_none,
  sum = tandem_normalization_sum,      // W x + U h'
  parts = tandem_normalization_parts,  // W x, and apart from it U h'
};
enum class normalization_scope {
  gate = tandem_normalization_scope_gate,  // the channels of each gate
  row = tandem_normalization_scope_row,    // those of all gates together
};
enum class cell_normalization {
  none = tandem_cell_normalization_none,
  output = tandem_cell_normalization_output,  // only the c_t of tanh(c_t)
  state = tandem_cell_normalization_state,    // also the c_t that the next step reads
};

enum class rnn_flags : unsigned {
  undef = dnnl_rnn_flags_undef,
  // Backward stores diff_weights_* and diff_bias instead of adding to what the buffers hold.
  diff_weights_overwrite = dnnl_rnn_flags_diff_weights_overwrite,
};

// The masks that execute() gives an RNN, for set_rnn_masks() (docs/rnn_masks.md). Tandem's own.
enum class rnn_masks : unsigned {
  none = tandem_rnn_masks_none,
  layer = tandem_rnn_masks_layer,
  iter = tandem_rnn_masks_iter,
  zoneout_iter = tandem_rnn_masks_zoneout_iter,
  zoneout_iter_c = tandem_rnn_masks_zoneout_iter_c,
};

enum class rnn_direction {
  undef = dnnl_rnn_direction_undef,
  unidirectional_left2right = dnnl_unidirectional_left2right,
  unidirectional = dnnl_unidirectional,
  unidirectional_right2left = dnnl_unidirectional_right2left,
  bidirectional_concat = dnnl_bidirectional_concat,
  bidirectional_sum = dnnl_bidirectional_sum,
  // The words of spec/rnn.txt.
  left2right = unidirectional_left2right,
  right2left = unidirectional_right2left,
};

enum class normalization_flags : unsigned {
  none = dnnl_normalization_flags_none,
  use_global_stats = dnnl_use_global_stats,
  use_scale_shift = dnnl_use_scaleshift,
  fuse_norm_relu = dnnl_fuse_norm_relu,
  use_scale = dnnl_use_scale,
  use_shift = dnnl_use_shift,
  fuse_norm_add_relu = dnnl_fuse_norm_add_relu,
};

enum class fpmath_mode {
  strict = dnnl_fpmath_mode_strict,
  bf16 = dnnl_fpmath_mode_bf16,
  f16 = dnnl_fpmath_mode_f16,
  any = dnnl_fpmath_mode_any,
  tf32 = dnnl_fpmath_mode_tf32,
};

enum class accumulation_mode {
  strict = dnnl_accumulation_mode_strict,
  relaxed = dnnl_accumulation_mode_relaxed,
  any = dnnl_accumulation_mode_any,
  s32 = dnnl_accumulation_mode_s32,
  f32 = dnnl_accumulation_mode_f32,
  f16 = dnnl_accumulation_mode_f16,
};

enum class rounding_mode {
  environment = dnnl_rounding_mode_environment,
  stochastic = dnnl_rounding_mode_stochastic,
};

enum class quantization_mode {
  undef = dnnl_quantization_mode_undef,
  static_sazp = dnnl_quantization_mode_static_sazp,
  dynamic_mx = dnnl_quantization_mode_dynamic_mx,
  dynamic_fp = dnnl_quantization_mode_dynamic_fp,
};

enum class scratchpad_mode {
  library = dnnl_scratchpad_mode_library,
  user = dnnl_scratchpad_mode_user,
};

enum class cpu_isa {
  isa_default = dnnl_cpu_isa_default,
  all = dnnl_cpu_isa_all,
  sse41 = dnnl_cpu_isa_sse41,
  avx = dnnl_cpu_isa_avx,
  avx2 = dnnl_cpu_isa_avx2,
  avx2_vnni = dnnl_cpu_isa_avx2_vnni,
  avx2_vnni_2 = dnnl_cpu_isa_avx2_vnni_2,
  avx512_mic = dnnl_cpu_isa_avx512_mic,
  avx512_mic_4ops = dnnl_cpu_isa_avx512_mic_4ops,
  avx512_core = dnnl_cpu_isa_avx512_core,
  avx512_core_vnni = dnnl_cpu_isa_avx512_core_vnni,
  avx512_core_bf16 = dnnl_cpu_isa_avx512_core_bf16,
  avx512_core_fp16 = dnnl_cpu_isa_avx512_core_fp16,
  avx512_core_amx = dnnl_cpu_isa_avx512_core_amx,
  avx512_core_amx_fp16 = dnnl_cpu_isa_avx512_core_amx_fp16,
  avx10_1_512 = dnnl_cpu_isa_avx10_1_512,
  avx10_1_512_amx = dnnl_cpu_isa_avx10_1_512_amx,
  avx10_1_512_amx_fp16 = dnnl_cpu_isa_avx10_1_512_amx_fp16,
  avx10_2 = dnnl_cpu_isa_avx10_2,
  avx10_2_512 = dnnl_cpu_isa_avx10_2_512,
  avx10_2_amx_2 = dnnl_cpu_isa_avx10_2_amx_2,
  avx10_2_512_amx_2 = dnnl_cpu_isa_avx10_2_512_amx_2,
};

enum class cpu_isa_hints {
  no_hints = dnnl_cpu_isa_no_hints,
  prefer_ymm = dnnl_cpu_isa_prefer_ymm,
};

namespace detail {

// Unscoped enumerations of the C level and the scoped ones share their values.
template <typename To, typename From>
constexpr To enum_cast(From value) {
  return static_cast<To>(static_cast<int>(value));
}

}  // namespace detail

inline dnnl_prop_kind_t convert_to_c(prop_kind value) { return detail::enum_cast<dnnl_prop_kind_t>(value); }
inline dnnl_rnn_flags_t convert_to_c(rnn_flags value) { return detail::enum_cast<dnnl_rnn_flags_t>(value); }
inline dnnl_rnn_direction_t convert_to_c(rnn_direction value) { return detail::enum_cast<dnnl_rnn_direction_t>(value); }
inline dnnl_normalization_flags_t convert_to_c(normalization_flags value) {
  return detail::enum_cast<dnnl_normalization_flags_t>(value);
}
inline dnnl_fpmath_mode_t convert_to_c(fpmath_mode value) { return detail::enum_cast<dnnl_fpmath_mode_t>(value); }
inline dnnl_accumulation_mode_t convert_to_c(accumulation_mode value) {
  return detail::enum_cast<dnnl_accumulation_mode_t>(value);
}
inline dnnl_rounding_mode_t convert_to_c(rounding_mode value) { return detail::enum_cast<dnnl_rounding_mode_t>(value); }
inline dnnl_quantization_mode_t convert_to_c(quantization_mode value) {
  return detail::enum_cast<dnnl_quantization_mode_t>(value);
}
inline dnnl_scratchpad_mode_t convert_to_c(scratchpad_mode value) {
  return detail::enum_cast<dnnl_scratchpad_mode_t>(value);
}
inline dnnl_cpu_isa_t convert_to_c(cpu_isa value) { return detail::enum_cast<dnnl_cpu_isa_t>(value); }
inline dnnl_cpu_isa_hints_t convert_to_c(cpu_isa_hints value) { return detail::enum_cast<dnnl_cpu_isa_hints_t>(value); }

// The operators of a bit mask: rnn_flags, rnn_masks, normalization_flags, stream::flags.
#define TANDEM_DEFINE_BITMASK_OPS(type)                                                  \
  inline type operator|(type a, type b) {                                                \
    return static_cast<type>(static_cast<unsigned>(a) | static_cast<unsigned>(b));       \
  }                                                                                      \
  inline type operator&(type a, type b) {                                                \
    return static_cast<type>(static_cast<unsigned>(a) & static_cast<unsigned>(b));       \
  }                                                                                      \
  inline type operator^(type a, type b) {                                                \
    return static_cast<type>(static_cast<unsigned>(a) ^ static_cast<unsigned>(b));       \
  }                                                                                      \
  inline type operator~(type a) { return static_cast<type>(~static_cast<unsigned>(a)); } \
  inline type& operator|=(type& a, type b) { return a = a | b; }                         \
  inline type& operator&=(type& a, type b) { return a = a & b; }                         \
  inline type& operator^=(type& a, type b) { return a = a ^ b; }

TANDEM_DEFINE_BITMASK_OPS(rnn_flags)
TANDEM_DEFINE_BITMASK_OPS(rnn_masks)
TANDEM_DEFINE_BITMASK_OPS(normalization_flags)

}  // namespace tandem_v1
}  // namespace dnnl

#endif
