/* Names of enumerators, for log lines; "unknown" for a value that is none. */
#ifndef ONEAPI_DNNL_DNNL_DEBUG_H
#define ONEAPI_DNNL_DNNL_DEBUG_H

#include "dnnl/c/linkage.h"

#ifdef __cplusplus
extern "C" {
#endif

TANDEM_C_API const char* dnnl_status2str(dnnl_status_t v);
TANDEM_C_API const char* dnnl_dt2str(dnnl_data_type_t v);
TANDEM_C_API const char* dnnl_fmt_kind2str(dnnl_format_kind_t v);
TANDEM_C_API const char* dnnl_fmt_tag2str(dnnl_format_tag_t v);
TANDEM_C_API const char* dnnl_prop_kind2str(dnnl_prop_kind_t v);
TANDEM_C_API const char* dnnl_prim_kind2str(dnnl_primitive_kind_t v);
TANDEM_C_API const char* dnnl_alg_kind2str(dnnl_alg_kind_t v);
TANDEM_C_API const char* dnnl_rnn_flags2str(dnnl_rnn_flags_t v);
TANDEM_C_API const char* dnnl_rnn_direction2str(dnnl_rnn_direction_t v);
TANDEM_C_API const char* dnnl_engine_kind2str(dnnl_engine_kind_t v);
TANDEM_C_API const char* dnnl_fpmath_mode2str(dnnl_fpmath_mode_t v);
TANDEM_C_API const char* dnnl_accumulation_mode2str(dnnl_accumulation_mode_t v);
TANDEM_C_API const char* dnnl_rounding_mode2str(dnnl_rounding_mode_t v);
TANDEM_C_API const char* dnnl_scratchpad_mode2str(dnnl_scratchpad_mode_t v);
TANDEM_C_API const char* dnnl_cpu_isa2str(dnnl_cpu_isa_t v);
TANDEM_C_API const char* dnnl_cpu_isa_hints2str(dnnl_cpu_isa_hints_t v);
TANDEM_C_API const char* dnnl_runtime2str(unsigned v);

#ifdef __cplusplus
TANDEM_C_API const char* dnnl_status2str(dnnl_status_t v) { return tandem_status2str(v); }
TANDEM_C_API const char* dnnl_dt2str(dnnl_data_type_t v) { return tandem_data_type2str(v); }
TANDEM_C_API const char* dnnl_fmt_kind2str(dnnl_format_kind_t v) { return tandem_format_kind2str(v); }
TANDEM_C_API const char* dnnl_fmt_tag2str(dnnl_format_tag_t v) { return tandem_format_tag2str(v); }
TANDEM_C_API const char* dnnl_prop_kind2str(dnnl_prop_kind_t v) { return tandem_prop_kind2str(v); }
TANDEM_C_API const char* dnnl_prim_kind2str(dnnl_primitive_kind_t v) { return tandem_primitive_kind2str(v); }
TANDEM_C_API const char* dnnl_alg_kind2str(dnnl_alg_kind_t v) { return tandem_alg_kind2str(v); }
TANDEM_C_API const char* dnnl_rnn_flags2str(dnnl_rnn_flags_t v) { return tandem_rnn_flags2str(v); }
TANDEM_C_API const char* dnnl_rnn_direction2str(dnnl_rnn_direction_t v) { return tandem_rnn_direction2str(v); }
TANDEM_C_API const char* dnnl_engine_kind2str(dnnl_engine_kind_t v) { return tandem_engine_kind2str(v); }
TANDEM_C_API const char* dnnl_fpmath_mode2str(dnnl_fpmath_mode_t v) { return tandem_fpmath_mode2str(v); }
TANDEM_C_API const char* dnnl_accumulation_mode2str(dnnl_accumulation_mode_t v) {
  return tandem_accumulation_mode2str(v);
}
TANDEM_C_API const char* dnnl_rounding_mode2str(dnnl_rounding_mode_t v) { return tandem_rounding_mode2str(v); }
TANDEM_C_API const char* dnnl_scratchpad_mode2str(dnnl_scratchpad_mode_t v) { return tandem_scratchpad_mode2str(v); }
TANDEM_C_API const char* dnnl_cpu_isa2str(dnnl_cpu_isa_t v) { return tandem_cpu_isa2str(v); }
TANDEM_C_API const char* dnnl_cpu_isa_hints2str(dnnl_cpu_isa_hints_t v) { return tandem_cpu_isa_hints2str(v); }
TANDEM_C_API const char* dnnl_runtime2str(unsigned v) { return tandem_runtime2str(v); }

}  // extern "C"
#endif

#endif
