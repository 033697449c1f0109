/* The C functions that C++ clients call beside the classes. Wrappers, for the reason given in
 * dnnl_debug.h. Valid C99. */
#ifndef ONEAPI_DNNL_DNNL_H
#define ONEAPI_DNNL_DNNL_H

#include "dnnl/abi.h"

static inline const dnnl_version_t* dnnl_version(void) { return tandem_version(); }

/* Row-major C = alpha * op(A) * op(B) + beta * C. */
static inline dnnl_status_t dnnl_sgemm(char transa, char transb, dnnl_dim_t M, dnnl_dim_t N, dnnl_dim_t K, float alpha,
                                       const float* A, dnnl_dim_t lda, const float* B, dnnl_dim_t ldb, float beta,
                                       float* C, dnnl_dim_t ldc) {
  return tandem_sgemm(transa, transb, M, N, K, alpha, A, lda, B, ldb, beta, C, ldc);
}
static inline dnnl_status_t dnnl_gemm_u8s8s32(char transa, char transb, char offsetc, dnnl_dim_t M, dnnl_dim_t N,
                                              dnnl_dim_t K, float alpha, const uint8_t* A, dnnl_dim_t lda, uint8_t ao,
                                              const int8_t* B, dnnl_dim_t ldb, int8_t bo, float beta, int32_t* C,
                                              dnnl_dim_t ldc, const int32_t* co) {
  return tandem_gemm_u8s8s32(transa, transb, offsetc, M, N, K, alpha, A, lda, ao, B, ldb, bo, beta, C, ldc, co);
}
static inline dnnl_status_t dnnl_gemm_s8s8s32(char transa, char transb, char offsetc, dnnl_dim_t M, dnnl_dim_t N,
                                              dnnl_dim_t K, float alpha, const int8_t* A, dnnl_dim_t lda, int8_t ao,
                                              const int8_t* B, dnnl_dim_t ldb, int8_t bo, float beta, int32_t* C,
                                              dnnl_dim_t ldc, const int32_t* co) {
  return tandem_gemm_s8s8s32(transa, transb, offsetc, M, N, K, alpha, A, lda, ao, B, ldb, bo, beta, C, ldc, co);
}

static inline size_t dnnl_engine_get_count(dnnl_engine_kind_t kind) { return tandem_engine_get_count(kind); }
static inline size_t dnnl_data_type_size(dnnl_data_type_t type) { return tandem_data_type_size(type); }
static inline size_t dnnl_memory_desc_get_size(const struct dnnl_memory_desc* md) {
  return tandem_memory_desc_get_size(md);
}
static inline int dnnl_memory_desc_equal(const struct dnnl_memory_desc* a, const struct dnnl_memory_desc* b) {
  return tandem_memory_desc_equal(a, b);
}
static inline dnnl_status_t dnnl_memory_create(dnnl_memory_t* memory, const struct dnnl_memory_desc* md,
                                               dnnl_engine_t engine, void* data) {
  return tandem_memory_create(memory, md, engine, data);
}
static inline dnnl_status_t dnnl_memory_get_memory_desc(const_dnnl_memory_t memory,
                                                        const struct dnnl_memory_desc** md) {
  return tandem_memory_get_desc(memory, md);
}
static inline dnnl_status_t dnnl_memory_get_data_handle(const_dnnl_memory_t memory, void** data) {
  return tandem_memory_get_data(memory, data);
}
static inline dnnl_status_t dnnl_memory_set_data_handle(dnnl_memory_t memory, void* data) {
  return tandem_memory_set_data(memory, data);
}
static inline dnnl_status_t dnnl_memory_destroy(dnnl_memory_t memory) {
  tandem_release((struct tandem_object*)memory);
  return dnnl_success;
}
static inline dnnl_status_t dnnl_primitive_attr_clone(dnnl_primitive_attr_t* attr, const_dnnl_primitive_attr_t from) {
  return tandem_attr_clone(attr, from);
}
static inline dnnl_status_t dnnl_primitive_attr_destroy(dnnl_primitive_attr_t attr) {
  tandem_release((struct tandem_object*)attr);
  return dnnl_success;
}
static inline dnnl_status_t dnnl_primitive_attr_set_fpmath_mode(dnnl_primitive_attr_t attr, dnnl_fpmath_mode_t mode) {
  return tandem_attr_set(attr, tandem_attr_fpmath_mode, (int)mode);
}
static inline dnnl_status_t dnnl_primitive_attr_set_scratchpad_mode(dnnl_primitive_attr_t attr,
                                                                    dnnl_scratchpad_mode_t mode) {
  return tandem_attr_set(attr, tandem_attr_scratchpad_mode, (int)mode);
}
static inline dnnl_status_t dnnl_primitive_attr_get_output_scales(const_dnnl_primitive_attr_t attr, dnnl_dim_t* count,
                                                                  int* mask, const float** scales) {
  size_t size = 0;
  const dnnl_status_t status = tandem_attr_get_qparams(attr, tandem_qparams_output_scales, mask, &size, scales);
  *count = (dnnl_dim_t)size;
  return status;
}

/* `result` points to an int, a dnnl_dim_t, an enumerator or a const dnnl_dims_t *, as the query says; arrays belong to
 * `md`. invalid_arguments for anything that a descriptor does not have. */
static inline dnnl_status_t dnnl_memory_desc_query(const struct dnnl_memory_desc* md, dnnl_query_t what, void* result) {
  const int is_blocked = md->format_kind == dnnl_blocked;
  switch ((int)what) {
    case dnnl_query_ndims_s32:
      *(int*)result = md->ndims;
      return dnnl_success;
    case dnnl_query_data_type:
      *(dnnl_data_type_t*)result = md->data_type;
      return dnnl_success;
    case dnnl_query_format_kind:
      *(dnnl_format_kind_t*)result = md->format_kind;
      return dnnl_success;
    case dnnl_query_submemory_offset_s64:
      *(dnnl_dim_t*)result = md->offset0;
      return dnnl_success;
    case dnnl_query_dims:
      *(const dnnl_dims_t**)result = &md->dims;
      return dnnl_success;
    case dnnl_query_padded_dims:
      *(const dnnl_dims_t**)result = &md->padded_dims;
      return dnnl_success;
    case dnnl_query_padded_offsets:
      *(const dnnl_dims_t**)result = &md->padded_offsets;
      return dnnl_success;
    case dnnl_query_num_handles_s32:
      *(int*)result = md->ndims == 0 ? 0 : 1;
      return dnnl_success;
    default:
      break;
  }
  if (!is_blocked) return dnnl_invalid_arguments;
  switch ((int)what) {
    case dnnl_query_strides:
      *(const dnnl_dims_t**)result = &md->format_desc.blocking.strides;
      return dnnl_success;
    case dnnl_query_inner_nblks_s32:
      *(int*)result = md->format_desc.blocking.inner_nblks;
      return dnnl_success;
    case dnnl_query_inner_blks:
      *(const dnnl_dims_t**)result = &md->format_desc.blocking.inner_blks;
      return dnnl_success;
    case dnnl_query_inner_idxs:
      *(const dnnl_dims_t**)result = &md->format_desc.blocking.inner_idxs;
      return dnnl_success;
    default:
      return dnnl_invalid_arguments;
  }
}

static inline dnnl_status_t dnnl_set_default_fpmath_mode(dnnl_fpmath_mode_t mode) {
  return tandem_set_default_fpmath_mode(mode);
}

#endif
