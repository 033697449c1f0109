/* A C99 program as for oneDNN 3, linked with the exported functions: descriptors by pointer, primitive descriptors made
 * directly. Every status is looked at. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/c/expect_testing.h"

static dnnl_engine_t engine;
static dnnl_stream_t stream;

static dnnl_memory_desc_t Desc(int ndims, const dnnl_dim_t* dims, dnnl_format_tag_t tag) {
  dnnl_memory_desc_t md = NULL;
  ExpectStatus(dnnl_memory_desc_create_with_tag(&md, ndims, dims, dnnl_f32, tag), dnnl_success, "create_with_tag");
  return md;
}

static dnnl_memory_t Memory(const_dnnl_memory_desc_t md, void* data) {
  dnnl_memory_t memory = NULL;
  ExpectStatus(dnnl_memory_create(&memory, md, engine, data), dnnl_success, "memory_create");
  return memory;
}

static void Descriptors(void) {
  const dnnl_dims_t dims = {2, 3, 4}, box = {2, 1, 2}, offsets = {0, 1, 2}, flat = {6, 4};
  const int permutation[] = {1, 0, 2};
  dnnl_memory_desc_t md = Desc(3, dims, dnnl_tnc), copy = NULL, sub = NULL, reshaped = NULL, permuted = NULL;
  const dnnl_dims_t* strides = NULL;
  dnnl_dim_t offset = 0;
  int ndims = 0;
  size_t size = 0;
  uint8_t* blob;
  ExpectStatus(dnnl_memory_desc_clone(&copy, md), dnnl_success, "clone");
  Expect(dnnl_memory_desc_equal(md, copy) == 1, "a clone is equal");
  Expect(dnnl_memory_desc_get_size(md) == 24 * sizeof(float), "get_size");
  Expect(dnnl_memory_desc_get_size_v2(md, 0) == 24 * sizeof(float) && dnnl_memory_desc_get_size_v2(md, 1) == 0,
         "get_size_v2");
  Expect(dnnl_data_type_size(dnnl_bf16) == 2, "data_type_size");
  ExpectStatus(dnnl_memory_desc_create_submemory(&sub, md, box, offsets), dnnl_success, "submemory");
  ExpectStatus(dnnl_memory_desc_query(sub, dnnl_query_submemory_offset_s64, &offset), dnnl_success, "query offset");
  Expect(offset == 6, "the box begins at element 6");
  ExpectStatus(dnnl_memory_desc_reshape(&reshaped, md, 2, flat), dnnl_success, "reshape");
  ExpectStatus(dnnl_memory_desc_query_v2(reshaped, dnnl_query_ndims_s32, 0, &ndims), dnnl_success, "query ndims");
  Expect(ndims == 2, "two dims after the reshape");
  ExpectStatus(dnnl_memory_desc_query_v2(reshaped, dnnl_query_ndims_s32, 1, &ndims), dnnl_invalid_arguments,
               "query of buffer 1");
  ExpectStatus(dnnl_memory_desc_permute_axes(&permuted, md, permutation), dnnl_success, "permute_axes");
  ExpectStatus(dnnl_memory_desc_query(permuted, dnnl_query_strides, &strides), dnnl_success, "query strides");
  Expect((*strides)[0] == 4 && (*strides)[1] == 12 && (*strides)[2] == 1, "strides are permuted");

  ExpectStatus(dnnl_memory_desc_get_blob(NULL, &size, md), dnnl_success, "size of the blob");
  blob = (uint8_t*)malloc(size);
  ExpectStatus(dnnl_memory_desc_get_blob(blob, &size, md), dnnl_success, "get_blob");
  ExpectStatus(dnnl_memory_desc_destroy(copy), dnnl_success, "destroy");
  ExpectStatus(dnnl_memory_desc_create_with_blob(&copy, blob), dnnl_success, "create_with_blob");
  Expect(dnnl_memory_desc_equal(md, copy) == 1, "a blob gives an equal descriptor");
  free(blob);

  dnnl_memory_desc_destroy(copy);
  ExpectStatus(dnnl_memory_desc_create_with_strides(&copy, 3, dims, dnnl_f32, NULL), dnnl_success, "dense strides");
  Expect(dnnl_memory_desc_equal(md, copy) == 1, "no strides are row-major ones");
  dnnl_memory_desc_destroy(md);
  dnnl_memory_desc_destroy(copy);
  dnnl_memory_desc_destroy(sub);
  dnnl_memory_desc_destroy(reshaped);
  dnnl_memory_desc_destroy(permuted);
  ExpectStatus(dnnl_memory_desc_destroy(NULL), dnnl_success, "destroy of nothing");
}

static void Memories(void) {
  const dnnl_dims_t dims = {4};
  dnnl_memory_desc_t md = Desc(1, dims, dnnl_a);
  float buffer[4] = {1, 2, 3, 4};
  void *handles[1], *data = NULL, *mapped = NULL;
  const_dnnl_memory_desc_t its = NULL;
  dnnl_engine_t its_engine = NULL;
  dnnl_memory_t memory = Memory(md, DNNL_MEMORY_ALLOCATE), second = NULL;
  handles[0] = buffer;
  ExpectStatus(dnnl_memory_create_v2(&second, md, engine, 1, handles), dnnl_success, "memory_create_v2");
  ExpectStatus(dnnl_memory_get_data_handle_v2(second, &data, 0), dnnl_success, "get_data_handle_v2");
  Expect(data == buffer, "the handle that was given");
  ExpectStatus(dnnl_memory_get_data_handle_v2(second, &data, 1), dnnl_invalid_arguments, "handle 1");
  ExpectStatus(dnnl_memory_set_data_handle_v2(second, NULL, 0), dnnl_success, "set_data_handle_v2");
  ExpectStatus(dnnl_memory_get_data_handle(second, &data), dnnl_success, "get_data_handle");
  Expect(data == NULL, "no buffer");
  ExpectStatus(dnnl_memory_map_data_v2(memory, &mapped, 0), dnnl_success, "map_data_v2");
  Expect(mapped != NULL, "allocated memory is mapped");
  ExpectStatus(dnnl_memory_unmap_data_v2(memory, mapped, 0), dnnl_success, "unmap_data_v2");
  ExpectStatus(dnnl_memory_unmap_data(memory, buffer), dnnl_invalid_arguments, "unmap of another pointer");
  ExpectStatus(dnnl_memory_get_memory_desc(memory, &its), dnnl_success, "get_memory_desc");
  Expect(dnnl_memory_desc_equal(md, its) == 1, "the memory's descriptor");
  ExpectStatus(dnnl_memory_get_engine(memory, &its_engine), dnnl_success, "get_engine");
  Expect(its_engine == engine, "the memory's engine, on loan");
  dnnl_memory_destroy(memory);
  dnnl_memory_destroy(second);
  dnnl_memory_desc_destroy(md);
}

static void Attributes(void) {
  dnnl_primitive_attr_t attr = NULL, copy = NULL;
  dnnl_post_ops_t ops = NULL;
  const_dnnl_post_ops_t view = NULL;
  dnnl_fpmath_mode_t mode = dnnl_fpmath_mode_strict;
  dnnl_scratchpad_mode_t scratchpad = dnnl_scratchpad_mode_library;
  dnnl_accumulation_mode_t accumulation = dnnl_accumulation_mode_strict;
  dnnl_rounding_mode_t rounding = dnnl_rounding_mode_stochastic;
  dnnl_data_type_t type = dnnl_f32;
  dnnl_alg_kind_t kind = dnnl_alg_kind_undef;
  const float scales[4] = {1, 2, 3, 4}, *got = NULL;
  float scale = 0, shift = 0, alpha = 0, beta = 0;
  int to_int = 0, deterministic = 0, mask = 0, zero_point = 0;
  dnnl_dim_t count = 0;
  ExpectStatus(dnnl_primitive_attr_create(&attr), dnnl_success, "attr_create");
  ExpectStatus(dnnl_primitive_attr_set_scratchpad_mode(attr, dnnl_scratchpad_mode_user), dnnl_success, "set mode");
  ExpectStatus(dnnl_primitive_attr_get_scratchpad_mode(attr, &scratchpad), dnnl_success, "get mode");
  Expect(scratchpad == dnnl_scratchpad_mode_user, "scratchpad mode");
  ExpectStatus(dnnl_primitive_attr_set_fpmath_mode_v2(attr, dnnl_fpmath_mode_bf16, 1), dnnl_success, "set fpmath");
  ExpectStatus(dnnl_primitive_attr_get_fpmath_mode_v2(attr, &mode, &to_int), dnnl_success, "get fpmath");
  Expect(mode == dnnl_fpmath_mode_bf16 && to_int == 1, "fpmath mode");
  ExpectStatus(dnnl_primitive_attr_set_accumulation_mode(attr, dnnl_accumulation_mode_any), dnnl_success, "set acc");
  ExpectStatus(dnnl_primitive_attr_get_accumulation_mode(attr, &accumulation), dnnl_success, "get acc");
  Expect(accumulation == dnnl_accumulation_mode_any, dnnl_accumulation_mode2str(accumulation));
  ExpectStatus(dnnl_primitive_attr_set_deterministic(attr, 1), dnnl_success, "set deterministic");
  ExpectStatus(dnnl_primitive_attr_get_deterministic(attr, &deterministic), dnnl_success, "get deterministic");
  Expect(deterministic == 1, "deterministic");
  ExpectStatus(dnnl_primitive_attr_get_rounding(attr, DNNL_ARG_DST, &rounding), dnnl_success, "get rounding");
  Expect(rounding == dnnl_rounding_mode_environment, dnnl_rounding_mode2str(rounding));
  ExpectStatus(dnnl_primitive_attr_set_rounding(attr, DNNL_ARG_DST, dnnl_rounding_mode_stochastic), dnnl_unimplemented,
               "stochastic rounding");

  ExpectStatus(dnnl_primitive_attr_set_rnn_data_qparams(attr, 64.f, 0.5f), dnnl_success, "set data qparams");
  ExpectStatus(dnnl_primitive_attr_get_rnn_data_qparams(attr, &scale, &shift), dnnl_success, "get data qparams");
  Expect(scale == 64.f && shift == 0.5f, "data qparams");
  ExpectStatus(dnnl_primitive_attr_set_rnn_weights_qparams(attr, 4, 24, scales), dnnl_success, "set weights qparams");
  ExpectStatus(dnnl_primitive_attr_get_rnn_weights_qparams(attr, &count, &mask, &got), dnnl_success, "get weights");
  Expect(count == 4 && mask == 24 && got[3] == 4.f, "weights qparams");
  ExpectStatus(dnnl_primitive_attr_set_rnn_weights_projection_qparams(attr, 2, 8, scales), dnnl_success, "set proj");
  ExpectStatus(dnnl_primitive_attr_get_rnn_weights_projection_qparams(attr, &count, &mask, &got), dnnl_success, "proj");
  Expect(count == 2 && mask == 8 && got[1] == 2.f, "projection qparams");
  ExpectStatus(dnnl_primitive_attr_set_rnn_weights_qparams(attr, 0, 0, scales), dnnl_invalid_arguments, "no scales");
  ExpectStatus(dnnl_primitive_attr_set_rnn_weights_qparams(attr, 1, 0, NULL), dnnl_invalid_arguments, "NULL scales");
  ExpectStatus(dnnl_primitive_attr_set_scales_mask(attr, DNNL_ARG_SRC, 1), dnnl_success, "scales mask");
  ExpectStatus(dnnl_primitive_attr_set_scales(attr, DNNL_ARG_DST, 1, 0, NULL, dnnl_f32), dnnl_success, "set_scales");
  ExpectStatus(dnnl_primitive_attr_set_scales(attr, DNNL_ARG_DST, 1, 0, NULL, dnnl_bf16), dnnl_success, "bf16");
  ExpectStatus(dnnl_primitive_attr_set_zero_points_mask(attr, DNNL_ARG_SRC, 0), dnnl_success, "zero points mask");
  ExpectStatus(dnnl_primitive_attr_set_zero_points(attr, DNNL_ARG_SRC, 0, 0, NULL, dnnl_s32), dnnl_success, "zp");

  ExpectStatus(dnnl_post_ops_create(&ops), dnnl_success, "post_ops_create");
  ExpectStatus(dnnl_post_ops_append_sum(ops, 2.f, 3, dnnl_s8), dnnl_success, "append_sum");
  ExpectStatus(dnnl_post_ops_append_eltwise(ops, dnnl_eltwise_relu, 0.25f, 0.5f), dnnl_success, "append_eltwise");
  ExpectStatus(dnnl_post_ops_append_prelu(ops, 7), dnnl_success, "append_prelu");
  ExpectStatus(dnnl_primitive_attr_set_post_ops(attr, ops), dnnl_success, "set_post_ops");
  ExpectStatus(dnnl_primitive_attr_clone(&copy, attr), dnnl_success, "attr_clone");
  dnnl_primitive_attr_destroy(attr);
  dnnl_post_ops_destroy(ops);
  ExpectStatus(dnnl_primitive_attr_get_post_ops(copy, &view), dnnl_success, "get_post_ops");
  Expect(dnnl_post_ops_len(view) == 3 && dnnl_post_ops_get_kind(view, 1) == dnnl_eltwise, "three entries");
  ExpectStatus(dnnl_post_ops_get_params_sum(view, 0, &scale, &zero_point, &type), dnnl_success, "get_params_sum");
  Expect(scale == 2.f && zero_point == 3 && type == dnnl_s8, "sum");
  ExpectStatus(dnnl_post_ops_get_params_eltwise(view, 1, &kind, &alpha, &beta), dnnl_success, "get_params_eltwise");
  Expect(kind == dnnl_eltwise_relu && alpha == 0.25f && beta == 0.5f, "eltwise");
  ExpectStatus(dnnl_post_ops_get_params_prelu(view, 2, &mask), dnnl_success, "get_params_prelu");
  Expect(mask == 7, "prelu");
  ExpectStatus(dnnl_post_ops_get_params_sum(view, 1, &scale, &zero_point, &type), dnnl_invalid_arguments, "not a sum");
  ExpectStatus(dnnl_post_ops_clone(&ops, view), dnnl_success, "post_ops_clone");
  Expect(dnnl_post_ops_len(ops) == 3, "a clone has the entries");
  dnnl_post_ops_destroy(ops);
  dnnl_primitive_attr_destroy(copy);
}

/* One LSTM step of one unit whose only weights are those of the candidate: i = f = o = 1/2, c = tanh(x) / 2. */
static void Lstm(void) {
  const dnnl_dims_t layer_dims = {1, 1, 1}, weights_dims = {1, 1, 1, 4, 1};
  dnnl_memory_desc_t layer = Desc(3, layer_dims, dnnl_tnc), weights = Desc(5, weights_dims, dnnl_ldigo);
  float x = 2.f, w[4] = {0, 0, 1, 0}, h = -1.f;
  dnnl_primitive_desc_t pd = NULL, second = NULL;
  const_dnnl_primitive_desc_t its = NULL;
  const_dnnl_primitive_attr_t attr = NULL;
  const_dnnl_memory_desc_t scratchpad;
  dnnl_primitive_t primitive = NULL, from_blob = NULL;
  dnnl_exec_arg_t args[4];
  const char *first_name = NULL, *name = NULL;
  dnnl_engine_t its_engine = NULL;
  dnnl_prop_kind_t prop_kind = dnnl_prop_kind_undef;
  uint8_t* blob;
  size_t size = 0;
  int i;
  ExpectStatus(dnnl_lstm_forward_primitive_desc_create(&pd, engine, dnnl_forward_inference,
                                                       dnnl_unidirectional_left2right, layer, NULL, NULL, weights,
                                                       weights, NULL, NULL, NULL, layer, NULL, NULL, 0, NULL),
               dnnl_success, "lstm_forward_primitive_desc_create");
  ExpectStatus(dnnl_primitive_desc_query(pd, dnnl_query_impl_info_str, 0, &first_name), dnnl_success, "impl_info");
  ExpectStatus(dnnl_primitive_desc_query(pd, dnnl_query_engine, 0, &its_engine), dnnl_success, "query engine");
  Expect(its_engine == engine, "the descriptor's engine");
  ExpectStatus(dnnl_primitive_desc_query(pd, dnnl_query_prop_kind, 0, &prop_kind), dnnl_success, "query prop_kind");
  Expect(prop_kind == dnnl_forward_inference, dnnl_prop_kind2str(prop_kind));
  Expect(dnnl_primitive_desc_query_s32(pd, dnnl_query_primitive_kind, 0) == dnnl_rnn, "query_s32");
  Expect(dnnl_memory_desc_equal(dnnl_primitive_desc_query_md(pd, dnnl_query_exec_arg_md, DNNL_ARG_DST_LAYER), layer),
         "query_md");
  Expect(dnnl_primitive_desc_query_md(pd, dnnl_query_engine, 0) == NULL, "an engine is no descriptor");
  scratchpad = dnnl_primitive_desc_query_md(pd, dnnl_query_scratchpad_md, 0);
  Expect(scratchpad != NULL && dnnl_memory_desc_get_size(scratchpad) == 0, "the library has its own scratchpad");
  ExpectStatus(dnnl_primitive_desc_get_attr(pd, &attr), dnnl_success, "get_attr");
  ExpectStatus(dnnl_primitive_create(&primitive, pd), dnnl_success, "primitive_create");
  ExpectStatus(dnnl_primitive_get_cache_blob(primitive, &size, NULL), dnnl_success, "size of the cache blob");
  blob = (uint8_t*)malloc(size);
  ExpectStatus(dnnl_primitive_get_cache_blob(primitive, &size, blob), dnnl_success, "cache blob");
  ExpectStatus(dnnl_primitive_create_from_cache_blob(&from_blob, pd, size, blob), dnnl_success, "from cache blob");
  free(blob);
  dnnl_primitive_destroy(from_blob);

  /* The descriptor moves on; the primitive made before, and a clone, do not. */
  ExpectStatus(dnnl_primitive_desc_clone(&second, pd), dnnl_success, "primitive_desc_clone");
  ExpectStatus(dnnl_primitive_desc_next_impl(pd), dnnl_success, "next_impl");
  dnnl_primitive_desc_query(pd, dnnl_query_impl_info_str, 0, &name);
  Expect(strcmp(name, first_name) != 0, "another implementation");
  ExpectStatus(dnnl_primitive_desc_next_impl(pd), dnnl_last_impl_reached, "next_impl after the last");
  dnnl_primitive_get_primitive_desc(primitive, &its);
  dnnl_primitive_desc_query(its, dnnl_query_impl_info_str, 0, &name);
  Expect(strcmp(name, first_name) == 0, "the primitive keeps its implementation");
  dnnl_primitive_desc_query(second, dnnl_query_impl_info_str, 0, &name);
  Expect(strcmp(name, first_name) == 0, "so does a clone");

  args[0].arg = DNNL_ARG_SRC_LAYER;
  args[0].memory = Memory(layer, &x);
  args[1].arg = DNNL_ARG_WEIGHTS_LAYER;
  args[1].memory = Memory(weights, w);
  args[2].arg = DNNL_ARG_WEIGHTS_ITER;
  args[2].memory = Memory(weights, w);
  args[3].arg = DNNL_ARG_DST_LAYER;
  args[3].memory = Memory(layer, &h);
  ExpectStatus(dnnl_primitive_execute(primitive, stream, 3, args), dnnl_invalid_arguments, "execute without dst_layer");
  Expect(strstr(tandem_last_error(), "dst_layer") != NULL, "the error names dst_layer");
  Expect(h == -1.f, "nothing is written");
  ExpectStatus(dnnl_primitive_execute(primitive, stream, 4, args), dnnl_success, "execute");
  ExpectStatus(dnnl_stream_wait(stream), dnnl_success, "wait");
  /* Activations within 4 ulp, three of them in a row. */
  Expect(fabs(h - 0.5 * tanh(0.5 * tanh(2.0))) < 12 * 0x1p-24, "h");
  for (i = 0; i < 4; ++i) dnnl_memory_destroy(args[i].memory);
  dnnl_primitive_destroy(primitive);
  dnnl_primitive_desc_destroy(pd);
  dnnl_primitive_desc_destroy(second);
  dnnl_memory_desc_destroy(layer);
  dnnl_memory_desc_destroy(weights);
}

/* h = x in each live step: rows of 2, 0 and 1 steps. */
static void ExpectNorms(dnnl_primitive_attr_t attr) {
  tandem_normalization_t kind = tandem_normalization_sum;
  tandem_normalization_scope_t scope = tandem_normalization_scope_row;
  tandem_cell_normalization_t cell = tandem_cell_normalization_state;
  float epsilon = 0.f;
  ExpectStatus(tandem_primitive_attr_get_rnn_layer_normalization(attr, &kind, &scope, &cell, &epsilon), dnnl_success,
               "get layer normalization");
  Expect(kind == tandem_normalization_none && scope == tandem_normalization_scope_gate &&
             cell == tandem_cell_normalization_none && epsilon == 1e-5f,
         "none by default");
  ExpectStatus(
      tandem_primitive_attr_set_rnn_layer_normalization(
          attr, tandem_normalization_parts, tandem_normalization_scope_row, tandem_cell_normalization_output, 0.25f),
      dnnl_success, "set layer normalization");
  ExpectStatus(tandem_primitive_attr_get_rnn_layer_normalization(attr, &kind, NULL, &cell, NULL), dnnl_success,
               "get two of four");
  Expect(kind == tandem_normalization_parts && cell == tandem_cell_normalization_output, "what was set");
  ExpectStatus(
      tandem_primitive_attr_set_rnn_layer_normalization(
          attr, tandem_normalization_none, tandem_normalization_scope_gate, tandem_cell_normalization_none, 1e-5f),
      dnnl_success, "take it back");
}

static void SequenceLengths(void) {
  const dnnl_dims_t layer_dims = {2, 3, 1}, weights_dims = {1, 1, 1, 1, 1}, rows = {3};
  dnnl_memory_desc_t layer = Desc(3, layer_dims, dnnl_tnc), weights = Desc(5, weights_dims, dnnl_ldigo), lengths = NULL;
  float x[6] = {1, 2, 3, 4, 5, 6}, w = 1.f, u = 0.f, h[6] = {-1, -1, -1, -1, -1, -1};
  const float want[6] = {1, 0, 3, 4, 0, 0};
  int32_t steps[3] = {2, 0, 3};
  dnnl_primitive_attr_t attr = NULL;
  dnnl_primitive_desc_t pd = NULL;
  dnnl_primitive_t primitive = NULL;
  dnnl_exec_arg_t args[5];
  int value = -1, i;
  dnnl_primitive_attr_create(&attr);
  ExpectStatus(tandem_primitive_attr_get_rnn_sequence_lengths(attr, &value), dnnl_success, "get sequence lengths");
  Expect(value == 0, "no lengths by default");
  ExpectStatus(tandem_primitive_attr_get_rnn_sequence_lengths(attr, NULL), dnnl_invalid_arguments, "no pointer");
  ExpectStatus(tandem_primitive_attr_set_rnn_sequence_lengths(NULL, 1), dnnl_invalid_arguments, "no attributes");
  ExpectStatus(tandem_primitive_attr_set_rnn_sequence_lengths(attr, 1), dnnl_success, "set sequence lengths");
  ExpectStatus(tandem_primitive_attr_get_rnn_sequence_lengths(attr, &value), dnnl_success, "get sequence lengths");
  Expect(value == 1, "lengths that were asked for");
  ExpectStatus(tandem_primitive_attr_set_rnn_dynamic_quantization(attr, 1), dnnl_success, "set dynamic quantization");
  ExpectStatus(tandem_primitive_attr_get_rnn_dynamic_quantization(attr, &value), dnnl_success, "get it");
  Expect(value == 1, "dynamic quantization that was asked for");
  ExpectStatus(tandem_primitive_attr_set_rnn_dynamic_quantization(attr, 0), dnnl_success, "take it back");
  ExpectStatus(tandem_primitive_attr_get_rnn_dynamic_quantization(attr, &value), dnnl_success, "get it again");
  Expect(value == 0, "no dynamic quantization");
  ExpectNorms(attr);
  ExpectStatus(dnnl_memory_desc_create_with_tag(&lengths, 1, rows, dnnl_s32, dnnl_a), dnnl_success, "lengths");
  ExpectStatus(dnnl_vanilla_rnn_forward_primitive_desc_create(&pd, engine, dnnl_forward_inference, dnnl_eltwise_relu,
                                                              dnnl_unidirectional_left2right, layer, NULL, weights,
                                                              weights, NULL, layer, NULL, 0, 0.f, 0.f, attr),
               dnnl_success, "a vanilla RNN with lengths");
  Expect(dnnl_memory_desc_equal(dnnl_primitive_desc_query_md(pd, dnnl_query_exec_arg_md, TANDEM_ARG_SEQUENCE_LENGTHS),
                                lengths),
         "the descriptor of the lengths");
  ExpectStatus(dnnl_primitive_create(&primitive, pd), dnnl_success, "primitive_create");
  args[0].arg = DNNL_ARG_SRC_LAYER, args[0].memory = Memory(layer, x);
  args[1].arg = DNNL_ARG_WEIGHTS_LAYER, args[1].memory = Memory(weights, &w);
  args[2].arg = DNNL_ARG_WEIGHTS_ITER, args[2].memory = Memory(weights, &u);
  args[3].arg = DNNL_ARG_DST_LAYER, args[3].memory = Memory(layer, h);
  args[4].arg = TANDEM_ARG_SEQUENCE_LENGTHS, args[4].memory = Memory(lengths, steps);
  ExpectStatus(dnnl_primitive_execute(primitive, stream, 4, args), dnnl_invalid_arguments, "execute without lengths");
  Expect(strstr(tandem_last_error(), "sequence_lengths") != NULL, "the error names sequence_lengths");
  ExpectStatus(dnnl_primitive_execute(primitive, stream, 5, args), dnnl_invalid_arguments, "3 steps of 2");
  Expect(strstr(tandem_last_error(), "row 2 has length 3") != NULL, "the error names the row");
  for (i = 0; i < 6; ++i) Expect(h[i] == -1.f, "nothing is written");
  steps[2] = 1;
  ExpectStatus(dnnl_primitive_execute(primitive, stream, 5, args), dnnl_success, "execute");
  for (i = 0; i < 6; ++i) Expect(h[i] == want[i], "h of a live step, 0 behind it");
  for (i = 0; i < 5; ++i) dnnl_memory_destroy(args[i].memory);
  dnnl_primitive_destroy(primitive);
  dnnl_primitive_desc_destroy(pd);
  dnnl_primitive_attr_destroy(attr);
  dnnl_memory_desc_destroy(layer);
  dnnl_memory_desc_destroy(weights);
  dnnl_memory_desc_destroy(lengths);
}

static void CacheOfPrimitives(void) {
  int capacity = -1;
  ExpectStatus(dnnl_set_primitive_cache_capacity(5), dnnl_success, "set_primitive_cache_capacity");
  ExpectStatus(dnnl_get_primitive_cache_capacity(&capacity), dnnl_success, "get_primitive_cache_capacity");
  Expect(capacity == 5, "the capacity that was set");
  ExpectStatus(dnnl_set_primitive_cache_capacity(-1), dnnl_invalid_arguments, "a negative capacity");
  ExpectStatus(dnnl_get_primitive_cache_capacity(NULL), dnnl_invalid_arguments, "no pointer for the capacity");
}

static void Refusals(void) {
  const dnnl_dims_t dims = {1, 1, 1}, wrong = {1, 1, 2}, negative = {1, -1, 1};
  dnnl_memory_desc_t md = NULL, layer = Desc(3, dims, dnnl_tnc), other = Desc(3, wrong, dnnl_tnc);
  dnnl_primitive_desc_t pd = NULL;
  dnnl_primitive_t primitive = NULL;
  dnnl_engine_t no_engine = NULL;
  dnnl_stream_t no_stream = NULL;
  dnnl_memory_t memory = NULL;
  void* data = NULL;
  ExpectStatus(dnnl_engine_create(&no_engine, dnnl_gpu, 0), dnnl_invalid_arguments, "a gpu");
  ExpectStatus(dnnl_engine_create(NULL, dnnl_cpu, 0), dnnl_invalid_arguments, "no pointer for the engine");
  ExpectStatus(dnnl_stream_create(&no_stream, NULL, 1), dnnl_invalid_arguments, "a stream without an engine");
  ExpectStatus(dnnl_memory_desc_create_with_tag(&md, 3, negative, dnnl_f32, dnnl_tnc), dnnl_invalid_arguments, "-1");
  ExpectStatus(dnnl_memory_desc_create_with_tag(&md, 3, NULL, dnnl_f32, dnnl_tnc), dnnl_invalid_arguments, "no dims");
  ExpectStatus(dnnl_memory_desc_create_with_tag(NULL, 3, dims, dnnl_f32, dnnl_tnc), dnnl_invalid_arguments, "no md");
  ExpectStatus(dnnl_memory_desc_create_submemory(&md, NULL, dims, dims), dnnl_invalid_arguments, "no parent");
  ExpectStatus(dnnl_memory_desc_query(NULL, dnnl_query_dims, &data), dnnl_invalid_arguments, "query of nothing");
  ExpectStatus(dnnl_memory_desc_query(layer, dnnl_query_impl_info_str, &data), dnnl_invalid_arguments, "impl of md");
  Expect(md == NULL, "nothing is given on failure");
  ExpectStatus(dnnl_memory_create(&memory, NULL, engine, NULL), dnnl_invalid_arguments, "memory of nothing");
  ExpectStatus(dnnl_memory_get_data_handle(NULL, &data), dnnl_invalid_arguments, "handle of no memory");
  ExpectStatus(dnnl_reorder_primitive_desc_create(&pd, layer, engine, other, engine, NULL), dnnl_invalid_arguments,
               "a reorder to other dims");
  ExpectStatus(dnnl_reorder_primitive_desc_create(&pd, NULL, engine, other, engine, NULL), dnnl_invalid_arguments,
               "a reorder from nothing");
  ExpectStatus(dnnl_gru_forward_primitive_desc_create(&pd, engine, dnnl_backward, dnnl_unidirectional_left2right, layer,
                                                      NULL, layer, layer, NULL, layer, NULL, 0, NULL),
               dnnl_invalid_arguments, "weights of rank 3");
  ExpectStatus(dnnl_primitive_create(&primitive, NULL), dnnl_invalid_arguments, "a primitive of nothing");
  ExpectStatus(dnnl_primitive_execute(NULL, stream, 0, NULL), dnnl_invalid_arguments, "execute nothing");
  ExpectStatus(dnnl_primitive_desc_next_impl(NULL), dnnl_invalid_arguments, "next of nothing");
  ExpectStatus(dnnl_primitive_attr_set_fpmath_mode(NULL, dnnl_fpmath_mode_any), dnnl_invalid_arguments, "no attr");
  ExpectStatus(dnnl_set_max_cpu_isa(dnnl_cpu_isa_avx2), dnnl_invalid_arguments, "max_cpu_isa after the first use");
  Expect(pd == NULL && primitive == NULL, "nothing is given on failure");
  dnnl_memory_desc_destroy(layer);
  dnnl_memory_desc_destroy(other);
}

int Generation3InC(void);
int Generation3InC(void) {
  dnnl_engine_kind_t kind = dnnl_any_engine;
  dnnl_engine_t its = NULL;
  Expect(dnnl_engine_get_count(dnnl_cpu) == 1 && dnnl_engine_get_count(dnnl_gpu) == 0, "one engine");
  Expect(dnnl_engine_get_count((dnnl_engine_kind_t)55) == 0, "no engine of an unknown kind");
  ExpectStatus(dnnl_engine_create(&engine, dnnl_cpu, 0), dnnl_success, "engine_create");
  ExpectStatus(dnnl_engine_get_kind(engine, &kind), dnnl_success, "engine_get_kind");
  Expect(kind == dnnl_cpu, dnnl_engine_kind2str(kind));
  ExpectStatus(dnnl_stream_create(&stream, engine, dnnl_stream_default_flags), dnnl_success, "stream_create");
  ExpectStatus(dnnl_stream_get_engine(stream, &its), dnnl_success, "stream_get_engine");
  Expect(its == engine, "the stream's engine, on loan");
  Expect(dnnl_version()->major == 3, "version");
  Descriptors();
  Memories();
  Attributes();
  Lstm();
  SequenceLengths();
  CacheOfPrimitives();
  Refusals();
  dnnl_stream_destroy(stream);
  dnnl_engine_destroy(engine);
  if (failures == 0) printf("generation 3 in C: all as expected\n");
  return failures;
}
