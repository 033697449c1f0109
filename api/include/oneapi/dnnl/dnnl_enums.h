/* Enumerations of the C level. Where oneDNN's two generations named a value differently, both names
 * are here with one value. Every name that oneDNN 3 has too has its number there (api/c/enumerators_test.sh), so that a
 * program that was compiled with oneDNN's headers means the same. The element-wise and binary algorithms are names only. */
#ifndef ONEAPI_DNNL_DNNL_ENUMS_H
#define ONEAPI_DNNL_DNNL_ENUMS_H

#include <limits.h>

#include "oneapi/dnnl/dnnl_config.h"

typedef enum TANDEM_ENUM_BASE {
  dnnl_success = 0,
  dnnl_out_of_memory = 1,
  dnnl_invalid_arguments = 2,
  dnnl_unimplemented = 3,
  dnnl_last_impl_reached = 4,
  dnnl_iterator_ends = dnnl_last_impl_reached,
  dnnl_runtime_error = 5,
  dnnl_not_required = 6,
  dnnl_invalid_graph = 7,
  dnnl_invalid_graph_op = 8,
  dnnl_invalid_shape = 9,
  dnnl_invalid_data_type = 10,
} dnnl_status_t;

typedef enum TANDEM_ENUM_BASE {
  dnnl_data_type_undef = 0,
  dnnl_f16 = 1,
  dnnl_bf16 = 2,
  dnnl_f32 = 3,
  dnnl_s32 = 4,
  dnnl_s8 = 5,
  dnnl_u8 = 6,
  dnnl_f64 = 7,
  dnnl_boolean = 8,
  dnnl_f8_e5m2 = 9,
  dnnl_f8_e4m3 = 10,
  dnnl_s4 = 11,
  dnnl_u4 = 12,
  dnnl_e8m0 = 13,
  dnnl_f4_e2m1 = 14,
  dnnl_f4_e3m0 = 15,
  dnnl_s64 = 16,
  dnnl_data_type_max = 0x7fff,
} dnnl_data_type_t;

typedef enum TANDEM_ENUM_BASE {
  dnnl_format_kind_undef = 0,
  dnnl_format_kind_any = 1,
  dnnl_blocked = 2,
  dnnl_format_kind_opaque = 3,
  dnnl_format_kind_sparse = 4,
  dnnl_format_kind_host_scalar = 5,
  dnnl_format_kind_wino = 16, /* generation 2 only, as the next */
  dnnl_format_kind_rnn_packed = 17,
} dnnl_format_kind_t;

typedef enum TANDEM_ENUM_BASE { dnnl_any_engine = 0, dnnl_cpu = 1, dnnl_gpu = 2 } dnnl_engine_kind_t;

typedef enum TANDEM_ENUM_BASE {
  dnnl_stream_in_order = 1,
  dnnl_stream_out_of_order = 2,
  dnnl_stream_default_flags = dnnl_stream_in_order,
} dnnl_stream_flags_t;

typedef enum TANDEM_ENUM_BASE {
  dnnl_prop_kind_undef = 0,
  dnnl_forward_training = 64,
  dnnl_forward = dnnl_forward_training,
  dnnl_forward_inference = 96,
  dnnl_forward_scoring = dnnl_forward_inference,
  dnnl_backward = 128,
  dnnl_backward_data = 160,
  dnnl_backward_weights = 192,
  dnnl_backward_bias = 193,
} dnnl_prop_kind_t;

typedef enum TANDEM_ENUM_BASE {
  dnnl_undefined_primitive = 0,
  dnnl_reorder = 1,
  dnnl_shuffle,
  dnnl_concat,
  dnnl_sum,
  dnnl_convolution,
  dnnl_deconvolution,
  dnnl_eltwise,
  dnnl_lrn,
  dnnl_batch_normalization,
  dnnl_inner_product,
  dnnl_rnn = 11,
  dnnl_gemm,
  dnnl_binary,
  dnnl_matmul,
  dnnl_resampling,
  dnnl_pooling,
  dnnl_reduction,
  dnnl_prelu,
  dnnl_softmax,
  dnnl_layer_normalization,
  dnnl_group_normalization,
  dnnl_logsoftmax,
  dnnl_pooling_v2,
  dnnl_softmax_v2,
  dnnl_primitive_kind_max = 0x7fff,
} dnnl_primitive_kind_t;

typedef enum TANDEM_ENUM_BASE {
  dnnl_alg_kind_undef = 0,
  dnnl_convolution_direct = 0x1,
  dnnl_convolution_winograd = 0x2,
  dnnl_convolution_auto = 0x3,
  dnnl_deconvolution_direct = 0xa,
  dnnl_deconvolution_winograd = 0xb,
  dnnl_eltwise_relu = 0x20,
  dnnl_eltwise_tanh,
  dnnl_eltwise_elu,
  dnnl_eltwise_square,
  dnnl_eltwise_abs,
  dnnl_eltwise_sqrt,
  dnnl_eltwise_linear,
  dnnl_eltwise_soft_relu,
  dnnl_eltwise_hardsigmoid,
  dnnl_eltwise_logistic,
  dnnl_eltwise_exp,
  dnnl_eltwise_gelu_tanh,
  dnnl_eltwise_gelu = dnnl_eltwise_gelu_tanh,
  dnnl_eltwise_swish,
  dnnl_eltwise_log,
  dnnl_eltwise_clip,
  dnnl_eltwise_clip_v2,
  dnnl_eltwise_pow,
  dnnl_eltwise_gelu_erf,
  dnnl_eltwise_round,
  dnnl_eltwise_mish,
  dnnl_eltwise_hardswish,
  dnnl_eltwise_bounded_relu = 0xf0, /* generation 2 only, as the next two */
  dnnl_eltwise_soft_relu_v2,
  dnnl_eltwise_logsigmoid,
  dnnl_eltwise_relu_use_dst_for_bwd = 0x100,
  dnnl_eltwise_tanh_use_dst_for_bwd,
  dnnl_eltwise_elu_use_dst_for_bwd,
  dnnl_eltwise_sqrt_use_dst_for_bwd,
  dnnl_eltwise_logistic_use_dst_for_bwd,
  dnnl_eltwise_exp_use_dst_for_bwd,
  dnnl_eltwise_clip_v2_use_dst_for_bwd,
  dnnl_pooling_max = 0x1ff,
  dnnl_pooling_avg_include_padding = 0x2ff,
  dnnl_pooling_avg_exclude_padding = 0x3ff,
  dnnl_pooling_avg = dnnl_pooling_avg_exclude_padding,
  dnnl_lrn_across_channels = 0xaff,
  dnnl_lrn_within_channel = 0xbff,
  dnnl_vanilla_rnn = 0x1fff,
  dnnl_vanilla_lstm = 0x2fff,
  dnnl_vanilla_gru = 0x3fff,
  dnnl_lbr_gru = 0x4fff,
  dnnl_vanilla_augru = 0x5fff,
  dnnl_lbr_augru = 0x6fff,
  dnnl_eltwise_thresholded_relu = 0x7f0000, /* Tandem's own, as the next two */
  dnnl_eltwise_softsign,
  dnnl_eltwise_scaled_tanh,
  dnnl_binary_add = 0x1fff0,
  dnnl_binary_mul,
  dnnl_binary_max,
  dnnl_binary_min,
  dnnl_binary_div,
  dnnl_binary_sub,
  dnnl_binary_ge,
  dnnl_binary_gt,
  dnnl_binary_le,
  dnnl_binary_lt,
  dnnl_binary_eq,
  dnnl_binary_ne,
  dnnl_binary_select,
  dnnl_resampling_nearest = 0x2fff0,
  dnnl_resampling_linear,
  dnnl_reduction_max = 0x2fff2,
  dnnl_reduction_min,
  dnnl_reduction_sum,
  dnnl_reduction_mul,
  dnnl_reduction_mean,
  dnnl_reduction_norm_lp_max,
  dnnl_reduction_norm_lp_sum,
  dnnl_reduction_norm_lp_power_p_max,
  dnnl_reduction_norm_lp_power_p_sum,
  dnnl_softmax_accurate = 0x30000,
  dnnl_softmax_log,
} dnnl_alg_kind_t;

typedef enum TANDEM_ENUM_BASE {
  dnnl_normalization_flags_none = 0,
  dnnl_use_global_stats = 1,
  dnnl_use_scale = 2,
  dnnl_use_shift = 4,
  dnnl_fuse_norm_relu = 8,
  dnnl_fuse_norm_add_relu = 16,
  dnnl_use_scaleshift = 32, /* generation 2 only */
} dnnl_normalization_flags_t;

typedef enum TANDEM_ENUM_BASE {
  dnnl_rnn_flags_undef = 0,
  dnnl_rnn_flags_diff_weights_overwrite = 1,
} dnnl_rnn_flags_t;

/* Tandem's own: the masks that execute() gives an RNN (docs/rnn_masks.md), a sum of these. */
typedef enum TANDEM_ENUM_BASE {
  tandem_rnn_masks_none = 0,
  tandem_rnn_masks_layer = 1,
  tandem_rnn_masks_iter = 2,
  tandem_rnn_masks_zoneout_iter = 4,
  tandem_rnn_masks_zoneout_iter_c = 8,
} tandem_rnn_masks_t;

typedef enum TANDEM_ENUM_BASE {
  dnnl_rnn_direction_undef = 0,
  dnnl_unidirectional_left2right = 1,
  dnnl_unidirectional = dnnl_unidirectional_left2right,
  dnnl_unidirectional_right2left = 2,
  dnnl_bidirectional_concat = 3,
  dnnl_bidirectional_sum = 4,
} dnnl_rnn_direction_t;

typedef enum TANDEM_ENUM_BASE {
  dnnl_fpmath_mode_strict = 0,
  dnnl_fpmath_mode_bf16,
  dnnl_fpmath_mode_f16,
  dnnl_fpmath_mode_any,
  dnnl_fpmath_mode_tf32,
} dnnl_fpmath_mode_t;

typedef enum TANDEM_ENUM_BASE {
  dnnl_accumulation_mode_strict = 0,
  dnnl_accumulation_mode_relaxed,
  dnnl_accumulation_mode_any,
  dnnl_accumulation_mode_s32,
  dnnl_accumulation_mode_f32,
  dnnl_accumulation_mode_f16,
} dnnl_accumulation_mode_t;

typedef enum TANDEM_ENUM_BASE {
  dnnl_rounding_mode_environment = 0,
  dnnl_rounding_mode_stochastic,
} dnnl_rounding_mode_t;

typedef enum TANDEM_ENUM_BASE {
  dnnl_quantization_mode_undef = 0,
  dnnl_quantization_mode_static_sazp,
  dnnl_quantization_mode_dynamic_mx,
  dnnl_quantization_mode_dynamic_fp,
} dnnl_quantization_mode_t;

typedef enum TANDEM_ENUM_BASE {
  dnnl_scratchpad_mode_library = 0,
  dnnl_scratchpad_mode_user = 1,
} dnnl_scratchpad_mode_t;

typedef enum TANDEM_ENUM_BASE {
  dnnl_cpu_isa_default = 0x0,
  dnnl_cpu_isa_all = dnnl_cpu_isa_default,
  dnnl_cpu_isa_sse41 = 0x1,
  dnnl_cpu_isa_avx = 0x3,
  dnnl_cpu_isa_avx2 = 0x7,
  dnnl_cpu_isa_avx2_vnni = 0xf,
  dnnl_cpu_isa_avx2_vnni_2 = 0x1f,
  dnnl_cpu_isa_avx512_mic = 0x8007,
  dnnl_cpu_isa_avx512_mic_4ops = 0x18007,
  dnnl_cpu_isa_avx512_core = 0x27,
  dnnl_cpu_isa_avx512_core_vnni = 0x67,
  dnnl_cpu_isa_avx512_core_bf16 = 0xe7,
  dnnl_cpu_isa_avx512_core_fp16 = 0x1ef,
  dnnl_cpu_isa_avx512_core_amx = 0xfef,
  dnnl_cpu_isa_avx512_core_amx_fp16 = 0x1fef,
  dnnl_cpu_isa_avx10_1_512 = dnnl_cpu_isa_avx512_core_fp16,
  dnnl_cpu_isa_avx10_1_512_amx = dnnl_cpu_isa_avx512_core_amx,
  dnnl_cpu_isa_avx10_1_512_amx_fp16 = dnnl_cpu_isa_avx512_core_amx_fp16,
  dnnl_cpu_isa_avx10_2 = 0x201ff,
  dnnl_cpu_isa_avx10_2_512 = dnnl_cpu_isa_avx10_2,
  dnnl_cpu_isa_avx10_2_amx_2 = 0x22fff,
  dnnl_cpu_isa_avx10_2_512_amx_2 = dnnl_cpu_isa_avx10_2_amx_2,
} dnnl_cpu_isa_t;

typedef enum TANDEM_ENUM_BASE {
  dnnl_cpu_isa_no_hints = 0,
  dnnl_cpu_isa_prefer_ymm = 1,
} dnnl_cpu_isa_hints_t;

/* Global, as the other names of this level; `tandem` in the name keeps it apart from oneDNN's. */
typedef enum TANDEM_ENUM_BASE {
  tandem_reading_spec = 0,
  tandem_reading_onednn = 1,
} tandem_reading_t;

/* Layer normalization of an RNN, Tandem's own (docs/layer_normalization.md): what of W x + U h' is normalized, ... */
typedef enum TANDEM_ENUM_BASE {
  tandem_normalization_none = 0,
  tandem_normalization_sum = 1,   /* W x + U h' */
  tandem_normalization_parts = 2, /* W x, and apart from it U h' */
} tandem_normalization_t;
/* ... over which channels, ... */
typedef enum TANDEM_ENUM_BASE {
  tandem_normalization_scope_gate = 0, /* those of each gate */
  tandem_normalization_scope_row = 1,  /* those of all gates together */
} tandem_normalization_scope_t;
/* ... and whether LSTM's c_t is. */
typedef enum TANDEM_ENUM_BASE {
  tandem_cell_normalization_none = 0,
  tandem_cell_normalization_output = 1, /* only the c_t of tanh(c_t) */
  tandem_cell_normalization_state = 2,  /* also the c_t that the next step reads */
} tandem_cell_normalization_t;

#endif
