/* This is lstm_inference.cc in C99: an LSTM over eight steps. It prints the last h and c of the first channel. */
#include <stdio.h>
#include <stdlib.h>

#include "dnnl.h"

/* Ends the program with the library's sentence if `status` is a failure. */
static void Check(dnnl_status_t status) {
  if (status == dnnl_success) return;
  fprintf(stderr, "%s\n", tandem_last_error());
  exit(1);
}

static dnnl_memory_desc_t Desc(int ndims, const dnnl_dim_t* dims, dnnl_format_tag_t tag) {
  dnnl_memory_desc_t md;
  Check(dnnl_memory_desc_create_with_tag(&md, ndims, dims, dnnl_f32, tag));
  return md;
}

/* Returns an argument of dnnl_primitive_execute(), with a memory on `data`. */
static dnnl_exec_arg_t Arg(int arg, const_dnnl_memory_desc_t md, dnnl_engine_t engine, void* data) {
  dnnl_exec_arg_t result;
  result.arg = arg;
  Check(dnnl_memory_create(&result.memory, md, engine, data));
  return result;
}

static void Run(const_dnnl_primitive_desc_t pd, dnnl_stream_t stream, int nargs, const dnnl_exec_arg_t* args) {
  dnnl_primitive_t primitive;
  Check(dnnl_primitive_create(&primitive, pd));
  Check(dnnl_primitive_execute(primitive, stream, nargs, args));
  Check(dnnl_stream_wait(stream));
  Check(dnnl_primitive_destroy(primitive));
}

int main(void) {
  const dnnl_dims_t layer_dims = {8, 1, 4};         /* steps, batch, channels */
  const dnnl_dims_t state_dims = {1, 1, 1, 4};      /* layers, directions, batch, channels */
  const dnnl_dims_t weights_dims = {1, 1, 4, 4, 4}; /* layers, directions, inputs, gates, outputs */
  float x[8 * 4], w[4 * 4 * 4], h[4], c[4];
  dnnl_memory_desc_t layer = Desc(3, layer_dims, dnnl_tnc), state = Desc(4, state_dims, dnnl_ldnc);
  dnnl_memory_desc_t plain = Desc(5, weights_dims, dnnl_ldigo), any = Desc(5, weights_dims, dnnl_format_tag_any);
  dnnl_primitive_desc_t lstm, reorder;
  dnnl_exec_arg_t to_fast[2], args[6];
  const_dnnl_memory_desc_t fast;
  dnnl_engine_t cpu;
  dnnl_stream_t stream;
  const char* name;
  int i;
  for (i = 0; i < 8 * 4; ++i) x[i] = 1.f;
  for (i = 0; i < 4 * 4 * 4; ++i) w[i] = 0.1f;

  Check(dnnl_engine_create(&cpu, dnnl_cpu, 0));
  Check(dnnl_stream_create(&stream, cpu, dnnl_stream_default_flags));
  /* NULL is an absent tensor: zeros for the states before the first step and for the bias. */
  Check(dnnl_lstm_forward_primitive_desc_create(&lstm, cpu, dnnl_forward_inference, dnnl_unidirectional_left2right,
                                                layer, NULL, NULL, any, any, NULL, NULL, NULL, layer, state, state, 0,
                                                NULL));
  fast = dnnl_primitive_desc_query_md(lstm, dnnl_query_weights_md, 0);

  /* The weights are reordered once for many executions. */
  Check(dnnl_reorder_primitive_desc_create(&reorder, plain, cpu, fast, cpu, NULL));
  to_fast[0] = Arg(DNNL_ARG_FROM, plain, cpu, w);
  to_fast[1] = Arg(DNNL_ARG_TO, fast, cpu, DNNL_MEMORY_ALLOCATE);
  Run(reorder, stream, 2, to_fast);

  args[0] = Arg(DNNL_ARG_SRC_LAYER, layer, cpu, x);
  args[1] = to_fast[1];
  args[1].arg = DNNL_ARG_WEIGHTS_LAYER;
  args[2] = to_fast[1];
  args[2].arg = DNNL_ARG_WEIGHTS_ITER;
  args[3] = Arg(DNNL_ARG_DST_LAYER, layer, cpu, DNNL_MEMORY_ALLOCATE);
  args[4] = Arg(DNNL_ARG_DST_ITER, state, cpu, h);
  args[5] = Arg(DNNL_ARG_DST_ITER_C, state, cpu, c);
  Run(lstm, stream, 6, args);
  Check(dnnl_primitive_desc_query(lstm, dnnl_query_impl_info_str, 0, &name));
  printf("%s: h = %.5f, c = %.5f\n", name, h[0], c[0]);

  dnnl_memory_destroy(args[0].memory);
  for (i = 3; i < 6; ++i) dnnl_memory_destroy(args[i].memory);
  for (i = 0; i < 2; ++i) dnnl_memory_destroy(to_fast[i].memory);
  dnnl_primitive_desc_destroy(lstm);
  dnnl_primitive_desc_destroy(reorder);
  dnnl_memory_desc_destroy(layer);
  dnnl_memory_desc_destroy(state);
  dnnl_memory_desc_destroy(plain);
  dnnl_memory_desc_destroy(any);
  dnnl_stream_destroy(stream);
  dnnl_engine_destroy(cpu);
  return 0;
}
