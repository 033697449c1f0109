/* C-level types of the dnnl API: enums, the memory descriptor, opaque handles and execution argument indices.
 * Values are those of oneDNN, so that numbers stored by clients keep their meaning. Valid C99 and C++11. */
#ifndef ONEAPI_DNNL_DNNL_TYPES_H
#define ONEAPI_DNNL_DNNL_TYPES_H

#include <stddef.h>
#include <stdint.h>

#define DNNL_MAX_NDIMS 12
#define DNNL_RUNTIME_DIM_VAL INT64_MIN

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    dnnl_success = 0,
    dnnl_out_of_memory = 1,
    dnnl_invalid_arguments = 2,
    dnnl_unimplemented = 3,
    dnnl_last_impl_reached = 4,
    dnnl_iterator_ends = dnnl_last_impl_reached,
    dnnl_runtime_error = 5,
    dnnl_not_required = 6,
} dnnl_status_t;

typedef enum {
    dnnl_data_type_undef = 0,
    dnnl_f16 = 1,
    dnnl_bf16 = 2,
    dnnl_f32 = 3,
    dnnl_s32 = 4,
    dnnl_s8 = 5,
    dnnl_u8 = 6,
} dnnl_data_type_t;

typedef int64_t dnnl_dim_t;
typedef dnnl_dim_t dnnl_dims_t[DNNL_MAX_NDIMS];

typedef enum {
    dnnl_format_kind_undef = 0,
    dnnl_format_kind_any = 1,
    dnnl_blocked = 2,
    dnnl_format_kind_opaque = 3,
} dnnl_format_kind_t;

typedef struct {
    dnnl_dims_t strides;
    int inner_nblks;
    dnnl_dims_t inner_blks;
    dnnl_dims_t inner_idxs;
} dnnl_blocking_desc_t;

/* A layout that only the implementation that made it understands. */
typedef struct {
    uint32_t layout;    /* which layout, numbered by the implementation */
    uint32_t version;   /* changes whenever the meaning of the bytes changes */
    int64_t size;       /* bytes */
    int64_t params[8];  /* the layout's own parameters */
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

typedef enum { dnnl_rnn_flags_undef = 0, dnnl_rnn_flags_diff_weights_overwrite = 1 } dnnl_rnn_flags_t;
typedef enum { dnnl_undefined_primitive = 0, dnnl_reorder = 1, dnnl_rnn = 11 } dnnl_primitive_kind_t;
typedef enum { dnnl_alg_kind_undef = 0 } dnnl_alg_kind_t;

#ifdef __cplusplus
}
#endif

#endif
