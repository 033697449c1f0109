/* The binary interface between the header-only C++ classes and the library. Every exported symbol
 * begins with tandem_: Tandem and a real libdnnl can be linked into one process, and neither
 * compiler nor standard library need match. From release 1.0 on, a function here keeps its name, its parameters and what it
 * does, until the number in the library's soname changes. Functions that can fail return a status;
 * tandem_last_error() then has the sentence. Valid C99. */
#ifndef DNNL_ABI_H
#define DNNL_ABI_H

#include "oneapi/dnnl/dnnl_format_tags.h"
#include "oneapi/dnnl/dnnl_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Why the last failing call of this thread failed. Valid until the thread's next call. */
DNNL_API const char* tandem_last_error(void);
/* Makes `sentence` the last error and returns `status`: for functions whose bodies are in headers. */
DNNL_API dnnl_status_t tandem_fail(dnnl_status_t status, const char* sentence);

/* The library reads its variables of the environment when the process first needs one, all of them at once, so that another
 * thread may change the environment later. After this call it reads them again, when it next needs one; what was made before
 * and what is fixed for a process (the verbose mode, the capacity of the cache, max_cpu_isa, threads) stays as it is. */
DNNL_API void tandem_read_environment_again(void);

/* Reference counting, common to all handles. A function that returns a handle gives one reference
 * to the caller. */
struct tandem_object;
DNNL_API void tandem_retain(struct tandem_object* object);
DNNL_API void tandem_release(struct tandem_object* object);

/* Engines and streams. */
DNNL_API size_t tandem_engine_get_count(dnnl_engine_kind_t kind);
DNNL_API dnnl_status_t tandem_engine_create(dnnl_engine_t* engine, dnnl_engine_kind_t kind, size_t index);
DNNL_API dnnl_status_t tandem_engine_get_kind(dnnl_engine_t engine, dnnl_engine_kind_t* kind);
DNNL_API dnnl_status_t tandem_stream_create(dnnl_stream_t* stream, dnnl_engine_t engine, unsigned flags);
DNNL_API dnnl_status_t tandem_stream_get_engine(const_dnnl_stream_t stream, dnnl_engine_t* engine);
DNNL_API dnnl_status_t tandem_stream_wait(dnnl_stream_t stream);
/* A client's thread pool: parallel_for() calls body(argument, i, n) for each i in [0, n), on any threads, at the same time or
 * not, and end(argument) when no call is left. It returns after that, or earlier if get_flags() has
 * TANDEM_THREADPOOL_ASYNCHRONOUS; if it cannot make the calls, it only calls end(). get_in_parallel(): whether the calling
 * thread is one of the pool's that has no others to use. No function throws. */
#define TANDEM_THREADPOOL_ASYNCHRONOUS 1u
typedef struct {
  void* pool;
  int (*get_num_threads)(void* pool);
  int (*get_in_parallel)(void* pool);
  uint64_t (*get_flags)(void* pool);
  void (*parallel_for)(void* pool, int n, void (*body)(void* argument, int i, int n), void (*end)(void* argument),
                       void* argument);
} tandem_threadpool_t;
/* A stream whose executions run on the pool, which must outlive it; NULL: on the library's threads. */
DNNL_API dnnl_status_t tandem_stream_create_on_threadpool(dnnl_stream_t* stream, dnnl_engine_t engine,
                                                          const tandem_threadpool_t* threadpool);
/* Its `pool`; NULL if it has none. */
DNNL_API dnnl_status_t tandem_stream_get_threadpool(const_dnnl_stream_t stream, void** pool);

/* Memory descriptors. A clone is on the heap, for clients that hold descriptors by pointer; NULL gives a zero
 * descriptor. */
DNNL_API dnnl_status_t tandem_memory_desc_clone(struct dnnl_memory_desc** md, const struct dnnl_memory_desc* from);
DNNL_API void tandem_memory_desc_destroy(struct dnnl_memory_desc* md);
DNNL_API dnnl_status_t tandem_memory_desc_init_by_tag(struct dnnl_memory_desc* md, int ndims, const dnnl_dim_t* dims,
                                                      dnnl_data_type_t type, dnnl_format_tag_t tag);
/* strides == NULL: row-major. */
DNNL_API dnnl_status_t tandem_memory_desc_init_by_strides(struct dnnl_memory_desc* md, int ndims,
                                                          const dnnl_dim_t* dims, dnnl_data_type_t type,
                                                          const dnnl_dim_t* strides);
DNNL_API dnnl_status_t tandem_memory_desc_submemory(struct dnnl_memory_desc* md, const struct dnnl_memory_desc* parent,
                                                    int ndims, const dnnl_dim_t* dims, const dnnl_dim_t* offsets);
DNNL_API dnnl_status_t tandem_memory_desc_reshape(struct dnnl_memory_desc* md, const struct dnnl_memory_desc* from,
                                                  int ndims, const dnnl_dim_t* dims);
DNNL_API dnnl_status_t tandem_memory_desc_permute_axes(struct dnnl_memory_desc* md, const struct dnnl_memory_desc* from,
                                                       int ndims, const int* permutation);
/* `result` points to an int, a dnnl_dim_t, an enumerator or a const dnnl_dims_t*, as the query says; arrays belong to
 * `md`. invalid_arguments for what a descriptor does not have. */
DNNL_API dnnl_status_t tandem_memory_desc_query(const struct dnnl_memory_desc* md, dnnl_query_t what, void* result);
DNNL_API int tandem_memory_desc_equal(const struct dnnl_memory_desc* a, const struct dnnl_memory_desc* b);
DNNL_API size_t tandem_memory_desc_get_size(const struct dnnl_memory_desc* md);
DNNL_API size_t tandem_data_type_size(dnnl_data_type_t type);

/* Memory objects. `data` may be DNNL_MEMORY_NONE or DNNL_MEMORY_ALLOCATE. */
DNNL_API dnnl_status_t tandem_memory_create(dnnl_memory_t* memory, const struct dnnl_memory_desc* md,
                                            dnnl_engine_t engine, void* data);
DNNL_API dnnl_status_t tandem_memory_get_desc(const_dnnl_memory_t memory, const struct dnnl_memory_desc** md);
DNNL_API dnnl_status_t tandem_memory_get_engine(const_dnnl_memory_t memory, dnnl_engine_t* engine);
DNNL_API dnnl_status_t tandem_memory_get_data(const_dnnl_memory_t memory, void** data);
DNNL_API dnnl_status_t tandem_memory_set_data(dnnl_memory_t memory, void* data);

/* Post-ops. */
DNNL_API dnnl_status_t tandem_post_ops_create(dnnl_post_ops_t* ops);
DNNL_API int tandem_post_ops_len(const_dnnl_post_ops_t ops);
DNNL_API dnnl_primitive_kind_t tandem_post_ops_get_kind(const_dnnl_post_ops_t ops, int index);
/* One entry of any kind; fields that the kind does not have are ignored, and zero when read back.
 */
typedef struct {
  dnnl_primitive_kind_t kind;
  dnnl_alg_kind_t algorithm;
  dnnl_data_type_t type;
  dnnl_data_type_t weights_type;
  dnnl_data_type_t bias_type;
  int32_t zero_point;
  int mask;
  float scale;
  float alpha;
  float beta;
  dnnl_dim_t kernel;
  dnnl_dim_t stride;
  dnnl_dim_t padding;
  struct dnnl_memory_desc src1;
} tandem_post_op_t;
DNNL_API dnnl_status_t tandem_post_ops_append(dnnl_post_ops_t ops, const tandem_post_op_t* op);
/* Fails with invalid_arguments if the entry is not of `kind`. */
/* A view of the entry: valid until an entry is appended. */
DNNL_API dnnl_status_t tandem_post_ops_view(const_dnnl_post_ops_t ops, int index, dnnl_primitive_kind_t kind,
                                            const tandem_post_op_t** op);
DNNL_API dnnl_status_t tandem_post_ops_clone(dnnl_post_ops_t* ops, const_dnnl_post_ops_t from);
DNNL_API dnnl_status_t tandem_post_ops_get(const_dnnl_post_ops_t ops, int index, dnnl_primitive_kind_t kind,
                                           tandem_post_op_t* op);

/* Attributes. */
typedef enum {
  tandem_attr_scratchpad_mode,
  tandem_attr_fpmath_mode,
  tandem_attr_fpmath_applies_to_int,
  tandem_attr_reading,
  tandem_attr_accumulation_mode,
  tandem_attr_deterministic,
  tandem_attr_rnn_sequence_lengths,
  tandem_attr_rnn_dynamic_quantization,
  tandem_attr_rnn_input_forget,
  tandem_attr_rnn_masks,
} tandem_attr_field_t;
/* The places of a cell that have a function: set_rnn_activations() in dnnl/attr.hpp. */
typedef enum {
  tandem_gate_recurrent,
  tandem_gate_candidate,
  tandem_gate_output,
} tandem_gate_place_t;
typedef enum {
  tandem_qparams_weights,
  tandem_qparams_weights_projection,
  tandem_qparams_output_scales,
} tandem_qparams_t;
typedef enum {
  tandem_parameters_scales,
  tandem_parameters_zero_points,
} tandem_parameters_t;
DNNL_API dnnl_status_t tandem_attr_create(dnnl_primitive_attr_t* attr);
DNNL_API dnnl_status_t tandem_attr_clone(dnnl_primitive_attr_t* attr, const_dnnl_primitive_attr_t from);
DNNL_API dnnl_status_t tandem_attr_get(const_dnnl_primitive_attr_t attr, tandem_attr_field_t field, int* value);
DNNL_API dnnl_status_t tandem_attr_set(dnnl_primitive_attr_t attr, tandem_attr_field_t field, int value);
DNNL_API dnnl_status_t tandem_attr_get_scales_mask(const_dnnl_primitive_attr_t attr, int arg, int* mask);
DNNL_API dnnl_status_t tandem_attr_set_scales_mask(dnnl_primitive_attr_t attr, int arg, int mask);
DNNL_API dnnl_status_t tandem_attr_set_zero_points_mask(dnnl_primitive_attr_t attr, int arg, int mask);
/* Parameters that no primitive here takes, such as those in groups: creating one is unimplemented. `mask` is kept. */
DNNL_API dnnl_status_t tandem_attr_set_unserved(dnnl_primitive_attr_t attr, tandem_parameters_t which, int arg,
                                                int mask);
DNNL_API dnnl_status_t tandem_attr_set_scales(dnnl_primitive_attr_t attr, int arg, int mask, size_t count,
                                              const float* values);
DNNL_API dnnl_status_t tandem_attr_get_scales(const_dnnl_primitive_attr_t attr, int arg, int* mask, size_t* count,
                                              const float** values);
DNNL_API dnnl_status_t tandem_attr_set_zero_points(dnnl_primitive_attr_t attr, int arg, int mask, size_t count,
                                                   const int32_t* values);
DNNL_API dnnl_status_t tandem_attr_get_zero_points(const_dnnl_primitive_attr_t attr, int arg, int* mask, size_t* count,
                                                   const int32_t** values);
DNNL_API dnnl_status_t tandem_attr_set_rnn_data_qparams(dnnl_primitive_attr_t attr, float scale, float shift);
DNNL_API dnnl_status_t tandem_attr_get_rnn_data_qparams(const_dnnl_primitive_attr_t attr, float* scale, float* shift);
DNNL_API dnnl_status_t tandem_attr_set_rnn_activation(dnnl_primitive_attr_t attr, tandem_gate_place_t place,
                                                      dnnl_alg_kind_t algorithm, float alpha, float beta);
DNNL_API dnnl_status_t tandem_attr_get_rnn_activation(const_dnnl_primitive_attr_t attr, tandem_gate_place_t place,
                                                      dnnl_alg_kind_t* algorithm, float* alpha, float* beta);
DNNL_API dnnl_status_t tandem_attr_set_rnn_clip(dnnl_primitive_attr_t attr, float clip);
DNNL_API dnnl_status_t tandem_attr_get_rnn_clip(const_dnnl_primitive_attr_t attr, float* clip);
DNNL_API dnnl_status_t tandem_attr_set_qparams(dnnl_primitive_attr_t attr, tandem_qparams_t which, int mask,
                                               size_t count, const float* values);
DNNL_API dnnl_status_t tandem_attr_get_qparams(const_dnnl_primitive_attr_t attr, tandem_qparams_t which, int* mask,
                                               size_t* count, const float** values);
DNNL_API dnnl_status_t tandem_attr_set_rnn_layer_normalization(dnnl_primitive_attr_t attr, tandem_normalization_t kind,
                                                               tandem_normalization_scope_t scope,
                                                               tandem_cell_normalization_t cell, float epsilon);
DNNL_API dnnl_status_t tandem_attr_get_rnn_layer_normalization(const_dnnl_primitive_attr_t attr,
                                                               tandem_normalization_t* kind,
                                                               tandem_normalization_scope_t* scope,
                                                               tandem_cell_normalization_t* cell, float* epsilon);
DNNL_API dnnl_status_t tandem_attr_set_post_ops(dnnl_primitive_attr_t attr, const_dnnl_post_ops_t ops);
DNNL_API dnnl_status_t tandem_attr_get_post_ops(const_dnnl_primitive_attr_t attr, dnnl_post_ops_t* ops);
/* Owned by the attributes, until other post-ops are set. */
DNNL_API dnnl_status_t tandem_attr_view_post_ops(const_dnnl_primitive_attr_t attr, const_dnnl_post_ops_t* ops);

/* Operation descriptors. `size` is the caller's sizeof(dnnl_rnn_desc_t), which grows when a tensor is added. `tensors` are `count`, in the order of dnnl_rnn_desc_t's members, NULL where one is absent;
 * `diffs` their gradients for backward, NULL as a whole for forward. Those after the last one that is given are absent;
 * unimplemented if one is given that this library does not know. */
typedef struct {
  dnnl_prop_kind_t prop_kind;
  dnnl_alg_kind_t cell_kind;
  dnnl_rnn_direction_t direction;
  dnnl_alg_kind_t activation_kind;
  unsigned flags;
  float alpha;
  float beta;
} tandem_rnn_kind_t;
DNNL_API dnnl_status_t tandem_rnn_desc_init(dnnl_rnn_desc_t* desc, size_t size, const tandem_rnn_kind_t* kind,
                                            int count, const struct dnnl_memory_desc* const* tensors,
                                            const struct dnnl_memory_desc* const* diffs);

/* Primitive descriptors. attr == NULL: default attributes. */
DNNL_API dnnl_status_t tandem_rnn_desc_check(const dnnl_rnn_desc_t* desc, size_t size);
/* Whether a forward class (pass == dnnl_forward) or a backward class (dnnl_backward) takes `kind`. */
DNNL_API dnnl_status_t tandem_rnn_prop_kind_check(dnnl_prop_kind_t kind, dnnl_prop_kind_t pass);
/* `size` is the caller's sizeof(dnnl_rnn_desc_t). */
DNNL_API dnnl_status_t tandem_rnn_primitive_desc_create_sized(dnnl_primitive_desc_t* pd, const dnnl_rnn_desc_t* desc,
                                                              size_t size, const_dnnl_primitive_attr_t attr,
                                                              dnnl_engine_t engine,
                                                              const_dnnl_primitive_desc_t hint_fwd_pd);
/* The same of a descriptor that ends with diff_dst_iter_c_desc, as in release 1.0, also when a later one has more. */
DNNL_API dnnl_status_t tandem_rnn_primitive_desc_create(dnnl_primitive_desc_t* pd, const dnnl_rnn_desc_t* desc,
                                                        const_dnnl_primitive_attr_t attr, dnnl_engine_t engine,
                                                        const_dnnl_primitive_desc_t hint_fwd_pd);
DNNL_API dnnl_status_t tandem_reorder_primitive_desc_create(dnnl_primitive_desc_t* pd,
                                                            const struct dnnl_memory_desc* src,
                                                            dnnl_engine_t src_engine,
                                                            const struct dnnl_memory_desc* dst,
                                                            dnnl_engine_t dst_engine, const_dnnl_primitive_attr_t attr);
/* Moves `pd` on to the next implementation; dnnl_last_impl_reached if there is none. Primitives made before keep theirs. */
DNNL_API dnnl_status_t tandem_primitive_desc_advance(dnnl_primitive_desc_t pd);
DNNL_API dnnl_status_t tandem_primitive_desc_clone(dnnl_primitive_desc_t* pd, const_dnnl_primitive_desc_t from);
/* What the C API asks in one function; `result` points to what the query says (dnnl_query.h), and what it is given
 * belongs to the descriptor. */
DNNL_API dnnl_status_t tandem_primitive_desc_query(const_dnnl_primitive_desc_t pd, dnnl_query_t what, int index,
                                                   void* result);
/* Owned by the descriptor. */
DNNL_API dnnl_status_t tandem_primitive_desc_view_attr(const_dnnl_primitive_desc_t pd,
                                                       const_dnnl_primitive_attr_t* attr);
DNNL_API dnnl_status_t tandem_primitive_desc_query_md(const_dnnl_primitive_desc_t pd, dnnl_query_t what, int index,
                                                      struct dnnl_memory_desc* md);
/* Integers of any width: _s64, _s32, kinds, flags. */
DNNL_API dnnl_status_t tandem_primitive_desc_query_int(const_dnnl_primitive_desc_t pd, dnnl_query_t what,
                                                       int64_t* value);
DNNL_API dnnl_status_t tandem_primitive_desc_query_f32(const_dnnl_primitive_desc_t pd, dnnl_query_t what, float* value);
DNNL_API dnnl_status_t tandem_primitive_desc_get_engine(const_dnnl_primitive_desc_t pd, dnnl_query_t what,
                                                        dnnl_engine_t* engine);
DNNL_API dnnl_status_t tandem_primitive_desc_get_attr(const_dnnl_primitive_desc_t pd, dnnl_primitive_attr_t* attr);
/* Owned by the descriptor. */
DNNL_API const char* tandem_primitive_desc_get_impl_info(const_dnnl_primitive_desc_t pd);
DNNL_API dnnl_status_t tandem_primitive_desc_get_cache_blob_id(const_dnnl_primitive_desc_t pd, size_t* size,
                                                               const uint8_t** bytes);

/* Primitives. cache_blob == NULL: none given, as opposed to an empty one. */
DNNL_API dnnl_status_t tandem_primitive_create(dnnl_primitive_t* primitive, const_dnnl_primitive_desc_t pd);
DNNL_API dnnl_status_t tandem_primitive_create_from_cache_blob(dnnl_primitive_t* primitive,
                                                               const_dnnl_primitive_desc_t pd, size_t size,
                                                               const uint8_t* cache_blob);
DNNL_API dnnl_status_t tandem_primitive_get_desc(const_dnnl_primitive_t primitive, const_dnnl_primitive_desc_t* pd);
DNNL_API dnnl_status_t tandem_primitive_execute(const_dnnl_primitive_t primitive, dnnl_stream_t stream, int nargs,
                                                const dnnl_exec_arg_t* args);

/* The whole process. */
DNNL_API const dnnl_version_t* tandem_version(void);
/* Which lines are printed (docs/verbose.md): 0 none, 1 executions, 2 creations too; another level is invalid. */
DNNL_API dnnl_status_t tandem_set_verbose(int level);
/* The most primitives that are kept to be found again; 0: none. A negative one is invalid. */
DNNL_API dnnl_status_t tandem_get_primitive_cache_capacity(int* capacity);
DNNL_API dnnl_status_t tandem_set_primitive_cache_capacity(int capacity);
DNNL_API dnnl_status_t tandem_set_default_fpmath_mode(dnnl_fpmath_mode_t mode);
DNNL_API dnnl_fpmath_mode_t tandem_get_default_fpmath_mode(void);
DNNL_API dnnl_status_t tandem_set_default_reading(tandem_reading_t reading);
DNNL_API dnnl_status_t tandem_get_default_reading(tandem_reading_t* reading);
DNNL_API dnnl_cpu_isa_t tandem_get_effective_cpu_isa(void);
/* The most that computations may use; invalid once a primitive descriptor was made. TANDEM_TARGET is obeyed before it. */
DNNL_API dnnl_status_t tandem_set_max_cpu_isa(dnnl_cpu_isa_t isa);
/* The most threads that primitives made by the calling thread are planned for; 0, as at first: those of OpenMP. */
DNNL_API dnnl_status_t tandem_set_max_concurrency(int threads);
DNNL_API int tandem_get_max_concurrency(void);

/* C = alpha * op(A) * op(B) + beta * C, row-major. 'n' or 't' says whether a matrix is stored
 * transposed. */
DNNL_API dnnl_status_t tandem_sgemm(char transa, char transb, dnnl_dim_t M, dnnl_dim_t N, dnnl_dim_t K, float alpha,
                                    const float* A, dnnl_dim_t lda, const float* B, dnnl_dim_t ldb, float beta,
                                    float* C, dnnl_dim_t ldc);
/* C = alpha * (op(A) - ao) * (op(B) - bo) + beta * C + co. offsetc: 'F' one co, 'C' one for each
 * row, 'R' one for each column of C. */
DNNL_API dnnl_status_t tandem_gemm_u8s8s32(char transa, char transb, char offsetc, dnnl_dim_t M, dnnl_dim_t N,
                                           dnnl_dim_t K, float alpha, const uint8_t* A, dnnl_dim_t lda, uint8_t ao,
                                           const int8_t* B, dnnl_dim_t ldb, int8_t bo, float beta, int32_t* C,
                                           dnnl_dim_t ldc, const int32_t* co);
DNNL_API dnnl_status_t tandem_gemm_s8s8s32(char transa, char transb, char offsetc, dnnl_dim_t M, dnnl_dim_t N,
                                           dnnl_dim_t K, float alpha, const int8_t* A, dnnl_dim_t lda, int8_t ao,
                                           const int8_t* B, dnnl_dim_t ldb, int8_t bo, float beta, int32_t* C,
                                           dnnl_dim_t ldc, const int32_t* co);

/* Names of enumerators, for messages. "unknown" for a value that is none. */
DNNL_API const char* tandem_status2str(dnnl_status_t value);
DNNL_API const char* tandem_data_type2str(dnnl_data_type_t value);
DNNL_API const char* tandem_format_kind2str(dnnl_format_kind_t value);
DNNL_API const char* tandem_format_tag2str(dnnl_format_tag_t value);
DNNL_API const char* tandem_prop_kind2str(dnnl_prop_kind_t value);
DNNL_API const char* tandem_primitive_kind2str(dnnl_primitive_kind_t value);
DNNL_API const char* tandem_alg_kind2str(dnnl_alg_kind_t value);
DNNL_API const char* tandem_rnn_flags2str(dnnl_rnn_flags_t value);
DNNL_API const char* tandem_rnn_direction2str(dnnl_rnn_direction_t value);
DNNL_API const char* tandem_engine_kind2str(dnnl_engine_kind_t value);
DNNL_API const char* tandem_fpmath_mode2str(dnnl_fpmath_mode_t value);
DNNL_API const char* tandem_accumulation_mode2str(dnnl_accumulation_mode_t value);
DNNL_API const char* tandem_rounding_mode2str(dnnl_rounding_mode_t value);
DNNL_API const char* tandem_scratchpad_mode2str(dnnl_scratchpad_mode_t value);
DNNL_API const char* tandem_cpu_isa2str(dnnl_cpu_isa_t value);
DNNL_API const char* tandem_cpu_isa_hints2str(dnnl_cpu_isa_hints_t value);
DNNL_API const char* tandem_runtime2str(unsigned value);

#ifdef __cplusplus
}
#endif

#endif
