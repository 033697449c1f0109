/* A C99 program as for oneDNN 2: descriptors by value, operation descriptors, iterators. */
#define DNNL_VERSION_MAJOR 2
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "api/c/expect_testing.h"

static dnnl_engine_t engine;
static dnnl_stream_t stream;

static dnnl_memory_desc_t Desc(int ndims, const dnnl_dim_t* dims, dnnl_format_tag_t tag) {
  dnnl_memory_desc_t md;
  ExpectStatus(dnnl_memory_desc_init_by_tag(&md, ndims, dims, dnnl_f32, tag), dnnl_success, "init_by_tag");
  return md;
}

static dnnl_memory_t Memory(const dnnl_memory_desc_t* md, void* data) {
  dnnl_memory_t memory = NULL;
  ExpectStatus(dnnl_memory_create(&memory, md, engine, data), dnnl_success, "memory_create");
  return memory;
}

static void Descriptors(void) {
  const dnnl_dims_t dims = {2, 3, 4}, box = {2, 1, 2}, offsets = {0, 1, 2}, flat = {6, 4}, strides = {12, 4, 1};
  const int permutation[] = {1, 0, 2};
  const dnnl_memory_desc_t md = Desc(3, dims, dnnl_tnc);
  dnnl_memory_desc_t other;
  ExpectStatus(dnnl_memory_desc_init_by_strides(&other, 3, dims, dnnl_f32, strides), dnnl_success, "init_by_strides");
  Expect(dnnl_memory_desc_equal(&md, &other) == 1, "a tag and its strides are one layout");
  ExpectStatus(dnnl_memory_desc_init_submemory(&other, &md, box, offsets), dnnl_success, "init_submemory");
  Expect(other.offset0 == 6 && other.dims[1] == 1, "the box");
  ExpectStatus(dnnl_memory_desc_reshape(&other, &md, 2, flat), dnnl_success, "reshape");
  Expect(other.ndims == 2 && other.dims[0] == 6, "reshaped");
  ExpectStatus(dnnl_memory_desc_permute_axes(&other, &md, permutation), dnnl_success, "permute_axes");
  Expect(other.format_desc.blocking.strides[0] == 4, "permuted");
}

static void Attributes(void) {
  dnnl_primitive_attr_t attr = NULL;
  dnnl_post_ops_t ops = NULL;
  const float scales[2] = {2, 4}, *got = NULL;
  const int32_t points[1] = {5}, *got_points = NULL;
  dnnl_dim_t count = 0;
  dnnl_alg_kind_t kind = dnnl_alg_kind_undef;
  dnnl_data_type_t type = dnnl_f32;
  float scale = 0, alpha = 0, beta = 0;
  int mask = 0, zero_point = 0;
  ExpectStatus(dnnl_primitive_attr_create(&attr), dnnl_success, "attr_create");
  ExpectStatus(dnnl_primitive_attr_set_output_scales(attr, 2, 1, scales), dnnl_success, "set_output_scales");
  ExpectStatus(dnnl_primitive_attr_get_output_scales(attr, &count, &mask, &got), dnnl_success, "get_output_scales");
  Expect(count == 2 && mask == 1 && got[1] == 4.f, "output scales");
  ExpectStatus(dnnl_primitive_attr_set_scales(attr, DNNL_ARG_SRC, 1, 0, scales), dnnl_success, "set_scales");
  ExpectStatus(dnnl_primitive_attr_get_scales(attr, DNNL_ARG_SRC, &count, &mask, &got), dnnl_success, "get_scales");
  Expect(count == 1 && mask == 0 && got[0] == 2.f, "scales");
  ExpectStatus(dnnl_primitive_attr_set_zero_points(attr, DNNL_ARG_SRC, 1, 0, points), dnnl_success, "set_zero_points");
  ExpectStatus(dnnl_primitive_attr_get_zero_points(attr, DNNL_ARG_SRC, &count, &mask, &got_points), dnnl_success,
               "get_zero_points");
  Expect(count == 1 && got_points[0] == 5, "zero points");
  ExpectStatus(dnnl_primitive_attr_set_scales(attr, DNNL_ARG_SRC, -1, 0, scales), dnnl_invalid_arguments, "-1 scales");
  ExpectStatus(dnnl_post_ops_create(&ops), dnnl_success, "post_ops_create");
  ExpectStatus(dnnl_post_ops_append_sum(ops, 0.5f), dnnl_success, "append_sum");
  ExpectStatus(dnnl_post_ops_append_sum_v2(ops, 0.25f, dnnl_u8), dnnl_success, "append_sum_v2");
  ExpectStatus(dnnl_post_ops_append_sum_v3(ops, 0.125f, 9, dnnl_s8), dnnl_success, "append_sum_v3");
  ExpectStatus(dnnl_post_ops_append_eltwise(ops, 3.f, dnnl_eltwise_tanh, 1.f, 2.f), dnnl_success, "append_eltwise");
  ExpectStatus(dnnl_post_ops_get_params_sum(ops, 0, &scale), dnnl_success, "get_params_sum");
  Expect(scale == 0.5f, "sum");
  ExpectStatus(dnnl_post_ops_get_params_sum_v2(ops, 1, &scale, &type), dnnl_success, "get_params_sum_v2");
  Expect(scale == 0.25f && type == dnnl_u8, "sum_v2");
  ExpectStatus(dnnl_post_ops_get_params_sum_v3(ops, 2, &scale, &zero_point, &type), dnnl_success, "sum_v3");
  Expect(scale == 0.125f && zero_point == 9 && type == dnnl_s8, "sum_v3");
  ExpectStatus(dnnl_post_ops_get_params_eltwise(ops, 3, &scale, &kind, &alpha, &beta), dnnl_success, "eltwise");
  Expect(scale == 3.f && kind == dnnl_eltwise_tanh && alpha == 1.f && beta == 2.f, "eltwise");
  dnnl_post_ops_destroy(ops);
  dnnl_primitive_attr_destroy(attr);
}

/* f32 {1, 2, 3} times an output scale of 2. */
static void Reorder(void) {
  const dnnl_dims_t dims = {3};
  const dnnl_memory_desc_t md = Desc(1, dims, dnnl_a);
  const float two = 2.f;
  float from[3] = {1, 2, 3}, to[3] = {0, 0, 0};
  dnnl_primitive_attr_t attr = NULL;
  dnnl_primitive_desc_t pd = NULL;
  dnnl_primitive_t primitive = NULL;
  dnnl_exec_arg_t args[2];
  dnnl_primitive_attr_create(&attr);
  dnnl_primitive_attr_set_output_scales(attr, 1, 0, &two);
  ExpectStatus(dnnl_reorder_primitive_desc_create(&pd, &md, engine, &md, engine, attr), dnnl_success, "reorder");
  ExpectStatus(dnnl_primitive_create(&primitive, pd), dnnl_success, "primitive_create");
  args[0].arg = DNNL_ARG_FROM;
  args[0].memory = Memory(&md, from);
  args[1].arg = DNNL_ARG_TO;
  args[1].memory = Memory(&md, NULL);
  ExpectStatus(dnnl_memory_set_data_handle_v2(args[1].memory, to, stream), dnnl_success, "set_data_handle_v2");
  ExpectStatus(dnnl_primitive_execute(primitive, stream, 2, args), dnnl_success, "execute");
  Expect(to[0] == 2.f && to[1] == 4.f && to[2] == 6.f, "twice the source");
  dnnl_memory_destroy(args[0].memory);
  dnnl_memory_destroy(args[1].memory);
  dnnl_primitive_destroy(primitive);
  dnnl_primitive_desc_destroy(pd);
  dnnl_primitive_attr_destroy(attr);
}

/* One step of h = relu(w x), forward and backward: dx = w, dw = x for dh = 1. */
static void Training(void) {
  const dnnl_dims_t layer_dims = {1, 1, 1}, weights_dims = {1, 1, 1, 1, 1};
  const dnnl_memory_desc_t layer = Desc(3, layer_dims, dnnl_tnc), weights = Desc(5, weights_dims, dnnl_ldigo);
  float x = 3.f, w = 2.f, u = 0.f, h = 0.f, dx = 0.f, dw = 0.f, du = 0.f, dh = 1.f;
  dnnl_rnn_desc_t forward, backward;
  const dnnl_rnn_desc_t* of_pd = NULL;
  const_dnnl_op_desc_t op_of_pd = NULL;
  dnnl_primitive_desc_t pd = NULL, backward_pd = NULL, fetched = NULL;
  dnnl_primitive_desc_iterator_t iterator = NULL;
  dnnl_primitive_t primitive = NULL, gradient = NULL;
  const dnnl_memory_desc_t* workspace;
  const char *first = NULL, *second = NULL;
  dnnl_exec_arg_t args[9];
  int i;
  ExpectStatus(dnnl_vanilla_rnn_forward_desc_init(&forward, dnnl_forward_training, dnnl_eltwise_relu,
                                                  dnnl_unidirectional_left2right, &layer, NULL, &weights, &weights,
                                                  NULL, &layer, NULL, 0, 0.f, 0.f),
               dnnl_success, "vanilla_rnn_forward_desc_init");
  ExpectStatus(dnnl_vanilla_rnn_backward_desc_init(
                   &backward, dnnl_backward, dnnl_eltwise_relu, dnnl_unidirectional_left2right, &layer, NULL, &weights,
                   &weights, NULL, &layer, NULL, &layer, NULL, &weights, &weights, NULL, &layer, NULL, 0, 0.f, 0.f),
               dnnl_success, "vanilla_rnn_backward_desc_init");
  ExpectStatus(dnnl_primitive_desc_create(&pd, &forward, NULL, engine, NULL), dnnl_success, "primitive_desc_create");
  ExpectStatus(dnnl_primitive_desc_create(&backward_pd, &backward, NULL, engine, NULL), dnnl_invalid_arguments,
               "backward without a hint");
  ExpectStatus(dnnl_primitive_desc_create(&backward_pd, &backward, NULL, engine, pd), dnnl_success, "backward");

  ExpectStatus(dnnl_primitive_desc_iterator_create(&iterator, &forward, NULL, engine, NULL), dnnl_success, "iterator");
  fetched = dnnl_primitive_desc_iterator_fetch(iterator);
  dnnl_primitive_desc_query(fetched, dnnl_query_impl_info_str, 0, &first);
  ExpectStatus(dnnl_primitive_desc_iterator_next(iterator), dnnl_success, "next");
  dnnl_primitive_desc_query(fetched, dnnl_query_impl_info_str, 0, &second);
  Expect(strcmp(first, second) == 0, "what was fetched stays");
  dnnl_primitive_desc_destroy(fetched);
  ExpectStatus(dnnl_primitive_desc_iterator_next(iterator), dnnl_iterator_ends, "next after the last");
  ExpectStatus(dnnl_primitive_desc_iterator_destroy(iterator), dnnl_success, "iterator_destroy");

  ExpectStatus(dnnl_primitive_desc_query(pd, dnnl_query_rnn_d, 0, &of_pd), dnnl_success, "rnn_d");
  Expect(of_pd->prop_kind == dnnl_forward_training && of_pd->cell_kind == dnnl_vanilla_rnn &&
             of_pd->activation_kind == dnnl_eltwise_relu,
         "the operation descriptor comes back");
  Expect(dnnl_memory_desc_equal(&of_pd->weights_layer_desc, &weights) && of_pd->bias_desc.ndims == 0,
         "with its tensors");
  ExpectStatus(dnnl_primitive_desc_query(backward_pd, dnnl_query_op_d, 0, &op_of_pd), dnnl_success, "op_d");
  Expect(((const dnnl_rnn_desc_t*)op_of_pd)->prop_kind == dnnl_backward, "that of backward, too");

  ExpectStatus(dnnl_primitive_create(&primitive, pd), dnnl_success, "primitive_create");
  ExpectStatus(dnnl_primitive_create(&gradient, backward_pd), dnnl_success, "primitive_create, backward");
  workspace = dnnl_primitive_desc_query_md(pd, dnnl_query_workspace_md, 0);
  {
    const int index[9] = {DNNL_ARG_SRC_LAYER,          DNNL_ARG_WEIGHTS_LAYER,     DNNL_ARG_WEIGHTS_ITER,
                          DNNL_ARG_DST_LAYER,          DNNL_ARG_WORKSPACE,         DNNL_ARG_DIFF_SRC_LAYER,
                          DNNL_ARG_DIFF_WEIGHTS_LAYER, DNNL_ARG_DIFF_WEIGHTS_ITER, DNNL_ARG_DIFF_DST_LAYER};
    const dnnl_memory_desc_t* mds[9] = {&layer, &weights, &weights, &layer, workspace,
                                        &layer, &weights, &weights, &layer};
    void* data[9];
    data[0] = &x;
    data[1] = &w;
    data[2] = &u;
    data[3] = &h;
    data[4] = DNNL_MEMORY_ALLOCATE;
    data[5] = &dx;
    data[6] = &dw;
    data[7] = &du;
    data[8] = &dh;
    for (i = 0; i < 9; ++i) {
      args[i].arg = index[i];
      args[i].memory = Memory(mds[i], data[i]);
    }
  }
  ExpectStatus(dnnl_primitive_execute(primitive, stream, 5, args), dnnl_success, "execute");
  Expect(h == 6.f, "h = w x");
  ExpectStatus(dnnl_primitive_execute(gradient, stream, 9, args), dnnl_success, "execute, backward");
  Expect(dx == 2.f && dw == 3.f && du == 0.f, "the gradients");
  for (i = 0; i < 9; ++i) dnnl_memory_destroy(args[i].memory);
  dnnl_primitive_destroy(primitive);
  dnnl_primitive_destroy(gradient);
  dnnl_primitive_desc_destroy(pd);
  dnnl_primitive_desc_destroy(backward_pd);
}

/* h = x in each live step: rows of 1 and 0 steps of one. */
static void SequenceLengths(void) {
  const dnnl_dims_t layer_dims = {1, 2, 1}, weights_dims = {1, 1, 1, 1, 1}, rows = {2};
  const dnnl_memory_desc_t layer = Desc(3, layer_dims, dnnl_tnc), weights = Desc(5, weights_dims, dnnl_ldigo);
  dnnl_memory_desc_t lengths;
  float x[2] = {3, 4}, w = 1.f, u = 0.f, h[2] = {-1, -1};
  int32_t steps[2] = {1, 0};
  dnnl_rnn_desc_t forward;
  dnnl_primitive_attr_t attr = NULL;
  dnnl_primitive_desc_t pd = NULL;
  dnnl_primitive_t primitive = NULL;
  dnnl_exec_arg_t args[5];
  int value = 0, i;
  dnnl_primitive_attr_create(&attr);
  ExpectStatus(tandem_primitive_attr_set_rnn_sequence_lengths(attr, 1), dnnl_success, "set sequence lengths");
  ExpectStatus(tandem_primitive_attr_get_rnn_sequence_lengths(attr, &value), dnnl_success, "get sequence lengths");
  Expect(value == 1, "lengths that were asked for");
  ExpectStatus(dnnl_memory_desc_init_by_tag(&lengths, 1, rows, dnnl_s32, dnnl_a), dnnl_success, "lengths");
  ExpectStatus(dnnl_vanilla_rnn_forward_desc_init(&forward, dnnl_forward_inference, dnnl_eltwise_relu,
                                                  dnnl_unidirectional_left2right, &layer, NULL, &weights, &weights,
                                                  NULL, &layer, NULL, 0, 0.f, 0.f),
               dnnl_success, "vanilla_rnn_forward_desc_init");
  ExpectStatus(dnnl_primitive_desc_create(&pd, &forward, attr, engine, NULL), dnnl_success, "primitive_desc_create");
  ExpectStatus(dnnl_primitive_create(&primitive, pd), dnnl_success, "primitive_create");
  args[0].arg = DNNL_ARG_SRC_LAYER, args[0].memory = Memory(&layer, x);
  args[1].arg = DNNL_ARG_WEIGHTS_LAYER, args[1].memory = Memory(&weights, &w);
  args[2].arg = DNNL_ARG_WEIGHTS_ITER, args[2].memory = Memory(&weights, &u);
  args[3].arg = DNNL_ARG_DST_LAYER, args[3].memory = Memory(&layer, h);
  args[4].arg = TANDEM_ARG_SEQUENCE_LENGTHS, args[4].memory = Memory(&lengths, steps);
  ExpectStatus(dnnl_primitive_execute(primitive, stream, 4, args), dnnl_invalid_arguments, "execute without lengths");
  Expect(h[0] == -1.f, "nothing is written");
  ExpectStatus(dnnl_primitive_execute(primitive, stream, 5, args), dnnl_success, "execute");
  Expect(h[0] == 3.f && h[1] == 0.f, "h of a live step, 0 behind it");
  for (i = 0; i < 5; ++i) dnnl_memory_destroy(args[i].memory);
  dnnl_primitive_destroy(primitive);
  dnnl_primitive_desc_destroy(pd);
  dnnl_primitive_attr_destroy(attr);
}

/* h = m x, with m of 2 and 0. */
static void Masks(void) {
  const dnnl_dims_t layer_dims = {1, 2, 1}, weights_dims = {1, 1, 1, 1, 1}, mask_dims = {1, 1, 1, 2, 1};
  const dnnl_memory_desc_t layer = Desc(3, layer_dims, dnnl_tnc), weights = Desc(5, weights_dims, dnnl_ldigo);
  const dnnl_memory_desc_t mask = Desc(5, mask_dims, dnnl_abcde);
  float x[2] = {3, 4}, w = 1.f, u = 0.f, h[2] = {-1, -1}, m[2] = {2, 0};
  dnnl_rnn_desc_t forward;
  dnnl_primitive_attr_t attr = NULL;
  dnnl_primitive_desc_t pd = NULL;
  dnnl_primitive_t primitive = NULL;
  dnnl_exec_arg_t args[5];
  int value = -1, i;
  dnnl_primitive_attr_create(&attr);
  ExpectStatus(tandem_primitive_attr_get_rnn_masks(attr, &value), dnnl_success, "get masks");
  Expect(value == tandem_rnn_masks_none, "no masks by default");
  ExpectStatus(tandem_primitive_attr_set_rnn_masks(attr, 16), dnnl_invalid_arguments, "no such mask");
  ExpectStatus(tandem_primitive_attr_set_rnn_masks(attr, tandem_rnn_masks_layer), dnnl_success, "set masks");
  ExpectStatus(tandem_primitive_attr_get_rnn_masks(attr, &value), dnnl_success, "get masks again");
  Expect(value == tandem_rnn_masks_layer, "the mask that was asked for");
  ExpectStatus(dnnl_vanilla_rnn_forward_desc_init(&forward, dnnl_forward_inference, dnnl_eltwise_relu,
                                                  dnnl_unidirectional_left2right, &layer, NULL, &weights, &weights,
                                                  NULL, &layer, NULL, 0, 0.f, 0.f),
               dnnl_success, "vanilla_rnn_forward_desc_init");
  ExpectStatus(dnnl_primitive_desc_create(&pd, &forward, attr, engine, NULL), dnnl_success, "primitive_desc_create");
  ExpectStatus(dnnl_primitive_create(&primitive, pd), dnnl_success, "primitive_create");
  args[0].arg = DNNL_ARG_SRC_LAYER, args[0].memory = Memory(&layer, x);
  args[1].arg = DNNL_ARG_WEIGHTS_LAYER, args[1].memory = Memory(&weights, &w);
  args[2].arg = DNNL_ARG_WEIGHTS_ITER, args[2].memory = Memory(&weights, &u);
  args[3].arg = DNNL_ARG_DST_LAYER, args[3].memory = Memory(&layer, h);
  args[4].arg = TANDEM_ARG_MASK_LAYER, args[4].memory = Memory(&mask, m);
  ExpectStatus(dnnl_primitive_execute(primitive, stream, 4, args), dnnl_invalid_arguments, "execute without masks");
  Expect(h[0] == -1.f, "nothing is written");
  ExpectStatus(dnnl_primitive_execute(primitive, stream, 5, args), dnnl_success, "execute");
  Expect(h[0] == 6.f && h[1] == 0.f, "h of masked inputs");
  for (i = 0; i < 5; ++i) dnnl_memory_destroy(args[i].memory);
  dnnl_primitive_destroy(primitive);
  dnnl_primitive_desc_destroy(pd);
  dnnl_primitive_attr_destroy(attr);
}

static void Refusals(void) {
  const dnnl_dims_t dims = {1, 1, 1};
  const dnnl_memory_desc_t layer = Desc(3, dims, dnnl_tnc);
  dnnl_rnn_desc_t desc, before;
  dnnl_primitive_desc_t pd = NULL;
  memset(&desc, 1, sizeof desc);
  memcpy(&before, &desc, sizeof desc);
  ExpectStatus(dnnl_lstm_forward_desc_init(&desc, dnnl_forward_inference, dnnl_unidirectional_left2right, &layer, NULL,
                                           NULL, &layer, &layer, NULL, &layer, NULL, NULL, 0),
               dnnl_invalid_arguments, "weights of rank 3");
  Expect(strstr(tandem_last_error(), "weights_layer") != NULL, "the error names weights_layer");
  Expect(memcmp(&desc, &before, sizeof desc) == 0, "the descriptor is unchanged");
  ExpectStatus(dnnl_lstm_forward_desc_init(NULL, dnnl_forward_inference, dnnl_unidirectional_left2right, &layer, NULL,
                                           NULL, &layer, &layer, NULL, &layer, NULL, NULL, 0),
               dnnl_invalid_arguments, "no descriptor");
  ExpectStatus(dnnl_primitive_desc_create(&pd, NULL, NULL, engine, NULL), dnnl_invalid_arguments, "no op_desc");
  ExpectStatus(dnnl_primitive_desc_iterator_next(NULL), dnnl_invalid_arguments, "no iterator");
  Expect(dnnl_primitive_desc_iterator_fetch(NULL) == NULL, "fetch of no iterator");
}

int Generation2InC(void);
int Generation2InC(void) {
  ExpectStatus(dnnl_engine_create(&engine, dnnl_cpu, 0), dnnl_success, "engine_create");
  ExpectStatus(dnnl_stream_create(&stream, engine, dnnl_stream_default_flags), dnnl_success, "stream_create");
  Descriptors();
  Attributes();
  Reorder();
  Training();
  SequenceLengths();
  Masks();
  Refusals();
  dnnl_stream_destroy(stream);
  dnnl_engine_destroy(engine);
  if (failures == 0) printf("generation 2 in C: all as expected\n");
  return failures;
}
