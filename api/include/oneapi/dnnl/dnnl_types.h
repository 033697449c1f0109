/* C-level types of the dnnl API: the memory descriptor, the RNN operation descriptor, opaque
 * handles. Numeric values are those of oneDNN, so that numbers stored by clients keep their
 * meaning. Valid C99 and C++11. */
#ifndef ONEAPI_DNNL_DNNL_TYPES_H
#define ONEAPI_DNNL_DNNL_TYPES_H

#include <stddef.h>
#include <stdint.h>

#include "oneapi/dnnl/dnnl_args.h"
#include "oneapi/dnnl/dnnl_config.h"
#include "oneapi/dnnl/dnnl_enums.h"
#include "oneapi/dnnl/dnnl_query.h"
#include "oneapi/dnnl/dnnl_version.h"

#define DNNL_MAX_NDIMS 12

/* Placeholders for values known at execution only. Every RNN and reorder refuses them with
 * dnnl_unimplemented. */
#define DNNL_RUNTIME_DIM_VAL INT64_MIN
#define DNNL_RUNTIME_S32_VAL INT32_MIN

#define DNNL_MEMORY_NONE (NULL)
#ifdef __cplusplus
#define DNNL_RUNTIME_SIZE_VAL (static_cast<size_t>(DNNL_RUNTIME_DIM_VAL))
#define DNNL_MEMORY_ALLOCATE (reinterpret_cast<void*>(static_cast<size_t>(-1)))
#else
#define DNNL_RUNTIME_SIZE_VAL ((size_t)DNNL_RUNTIME_DIM_VAL)
#define DNNL_MEMORY_ALLOCATE ((void*)(size_t)-1)
#endif

#define DNNL_JIT_PROFILE_NONE 0u
#define DNNL_JIT_PROFILE_VTUNE 1u
#define DNNL_JIT_PROFILE_LINUX_PERFMAP 2u
#define DNNL_JIT_PROFILE_LINUX_JITDUMP 4u
#define DNNL_JIT_PROFILE_LINUX_JITDUMP_USE_TSC 8u
#define DNNL_JIT_PROFILE_LINUX_PERF (DNNL_JIT_PROFILE_LINUX_JITDUMP | DNNL_JIT_PROFILE_LINUX_PERFMAP)

#ifdef __cplusplus
extern "C" {
#endif

/* A NaN with a payload of its own, so that it can be told from a computed one. */
static const union {
  unsigned u;
  float f;
} DNNL_RUNTIME_F32_VAL_REP = {0x7fc000d0u};
#define DNNL_RUNTIME_F32_VAL (DNNL_RUNTIME_F32_VAL_REP.f)
static const int DNNL_RUNTIME_S32_VAL_REP = DNNL_RUNTIME_S32_VAL;

typedef int64_t dnnl_dim_t;
typedef dnnl_dim_t dnnl_dims_t[DNNL_MAX_NDIMS];

typedef struct {
  dnnl_dims_t strides;
  int inner_nblks;
  dnnl_dims_t inner_blks;
  dnnl_dims_t inner_idxs;
} dnnl_blocking_desc_t;

/* A layout that only the implementation that made it understands. */
typedef struct {
  uint32_t layout;   /* which layout, numbered by the implementation */
  uint32_t version;  /* changes whenever the meaning of the bytes changes */
  int64_t size;      /* bytes */
  int64_t params[8]; /* the layout's own parameters */
} dnnl_packed_desc_t;

typedef struct {
  uint64_t flags;
  int compensation_mask;
  float scale_adjust;
  int asymm_compensation_mask;
  char reserved[60];
} dnnl_memory_extra_desc_t;

struct dnnl_memory_desc {
  int ndims;
  dnnl_dims_t dims;
  dnnl_data_type_t data_type;
  dnnl_dims_t padded_dims;
  dnnl_dims_t padded_offsets;
  dnnl_dim_t offset0;
  dnnl_format_kind_t format_kind;
  union {
    dnnl_blocking_desc_t blocking;
    dnnl_packed_desc_t packed;
  } format_desc;
  dnnl_memory_extra_desc_t extra;
};

/* The one type that means different things in the two generations: a struct, or a pointer to one
 * (dnnl_version.h says which is chosen). */
#ifdef DNNL_C_API_V3
typedef struct dnnl_memory_desc* dnnl_memory_desc_t;
#else
typedef struct dnnl_memory_desc dnnl_memory_desc_t;
#endif
typedef const struct dnnl_memory_desc* const_dnnl_memory_desc_t;

/* What an RNN primitive is asked to compute. Tensors that the cell does not have, or that the
 * client leaves out, are zero descriptors. */
typedef struct {
  dnnl_primitive_kind_t primitive_kind;
  dnnl_prop_kind_t prop_kind;
  dnnl_alg_kind_t cell_kind;
  dnnl_rnn_direction_t direction;
  dnnl_alg_kind_t activation_kind;
  unsigned int flags;
  float alpha;
  float beta;
  struct dnnl_memory_desc src_layer_desc;
  struct dnnl_memory_desc src_iter_desc;
  struct dnnl_memory_desc src_iter_c_desc;
  struct dnnl_memory_desc augru_attention_desc;
  struct dnnl_memory_desc weights_layer_desc;
  struct dnnl_memory_desc weights_iter_desc;
  struct dnnl_memory_desc weights_peephole_desc;
  struct dnnl_memory_desc weights_projection_desc;
  struct dnnl_memory_desc bias_desc;
  struct dnnl_memory_desc dst_layer_desc;
  struct dnnl_memory_desc dst_iter_desc;
  struct dnnl_memory_desc dst_iter_c_desc;
  struct dnnl_memory_desc diff_src_layer_desc;
  struct dnnl_memory_desc diff_src_iter_desc;
  struct dnnl_memory_desc diff_src_iter_c_desc;
  struct dnnl_memory_desc diff_augru_attention_desc;
  struct dnnl_memory_desc diff_weights_layer_desc;
  struct dnnl_memory_desc diff_weights_iter_desc;
  struct dnnl_memory_desc diff_weights_peephole_desc;
  struct dnnl_memory_desc diff_weights_projection_desc;
  struct dnnl_memory_desc diff_bias_desc;
  struct dnnl_memory_desc diff_dst_layer_desc;
  struct dnnl_memory_desc diff_dst_iter_desc;
  struct dnnl_memory_desc diff_dst_iter_c_desc;
} dnnl_rnn_desc_t;

/* Handles. Their tags are oneDNN's, so that a client may declare them before. The library's own sources give the structs
 * other names: no type of a real libdnnl in the same process shares them. */
#ifdef TANDEM_LIBRARY
#define TANDEM_STRUCT(name) struct tandem_##name
#else
#define TANDEM_STRUCT(name) struct dnnl_##name
#endif
typedef TANDEM_STRUCT(engine) * dnnl_engine_t;
typedef TANDEM_STRUCT(stream) * dnnl_stream_t;
typedef TANDEM_STRUCT(memory) * dnnl_memory_t;
typedef TANDEM_STRUCT(primitive) * dnnl_primitive_t;
typedef TANDEM_STRUCT(primitive_desc) * dnnl_primitive_desc_t;
typedef TANDEM_STRUCT(primitive_attr) * dnnl_primitive_attr_t;
typedef TANDEM_STRUCT(post_ops) * dnnl_post_ops_t;
typedef const TANDEM_STRUCT(engine) * const_dnnl_engine_t;
typedef const TANDEM_STRUCT(stream) * const_dnnl_stream_t;
typedef const TANDEM_STRUCT(memory) * const_dnnl_memory_t;
typedef const TANDEM_STRUCT(primitive) * const_dnnl_primitive_t;
typedef const TANDEM_STRUCT(primitive_desc) * const_dnnl_primitive_desc_t;
typedef const TANDEM_STRUCT(primitive_attr) * const_dnnl_primitive_attr_t;
typedef const TANDEM_STRUCT(post_ops) * const_dnnl_post_ops_t;
#undef TANDEM_STRUCT
typedef void* dnnl_op_desc_t;
typedef const void* const_dnnl_op_desc_t;

typedef struct {
  int arg;
  dnnl_memory_t memory;
} dnnl_exec_arg_t;

typedef struct {
  int major;
  int minor;
  int patch;
  const char* hash;
  unsigned cpu_runtime;
  unsigned gpu_runtime;
} dnnl_version_t;

#ifdef __cplusplus
}
#endif

#endif
