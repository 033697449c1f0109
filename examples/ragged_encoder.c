/* This is an LSTM over a batch whose rows have different lengths, in C99. One execution computes the live cells only. The
 * program prints each row's last state. It fails if that is not in dst_layer at the row's last step, with zeros behind it. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "dnnl.h"

enum { kSteps = 6, kRows = 3, kChannels = 4, kArguments = 7 };

/* Ends the program with the library's sentence if `status` is a failure. */
static void Check(dnnl_status_t status) {
  if (status == dnnl_success) return;
  fprintf(stderr, "%s\n", tandem_last_error());
  exit(1);
}

static dnnl_memory_desc_t Desc(int ndims, const dnnl_dim_t* dims, dnnl_data_type_t type, dnnl_format_tag_t tag) {
  dnnl_memory_desc_t md;
  Check(dnnl_memory_desc_create_with_tag(&md, ndims, dims, type, tag));
  return md;
}

/* Returns an argument of dnnl_primitive_execute(), with a memory on `data`. */
static dnnl_exec_arg_t Arg(int arg, const_dnnl_memory_desc_t md, dnnl_engine_t engine, void* data) {
  dnnl_exec_arg_t result;
  result.arg = arg;
  Check(dnnl_memory_create(&result.memory, md, engine, data));
  return result;
}

int main(void) {
  const dnnl_dims_t layer_dims = {kSteps, kRows, kChannels}, state_dims = {1, 1, kRows, kChannels}, rows = {kRows};
  const dnnl_dims_t weights_dims = {1, 1, kChannels, 4, kChannels};
  int32_t lengths[kRows] = {4, 6, 1};
  float x[kSteps][kRows][kChannels], w[kChannels * 4 * kChannels], y[kSteps][kRows][kChannels], h[kRows][kChannels];
  float c[kRows][kChannels];
  dnnl_memory_desc_t layer = Desc(3, layer_dims, dnnl_f32, dnnl_tnc), state = Desc(4, state_dims, dnnl_f32, dnnl_ldnc);
  dnnl_memory_desc_t weights = Desc(5, weights_dims, dnnl_f32, dnnl_ldigo), row = Desc(1, rows, dnnl_s32, dnnl_a);
  dnnl_primitive_attr_t attr;
  dnnl_primitive_desc_t pd;
  dnnl_primitive_t lstm;
  dnnl_exec_arg_t args[kArguments];
  dnnl_engine_t cpu;
  dnnl_stream_t stream;
  int t, n, i, wrong = 0;
  for (i = 0; i < kChannels * 4 * kChannels; ++i) w[i] = 0.1f * (float)(i % 5 - 1);
  /* The steps behind the end of a row may have any numbers, because they are not read. */
  for (t = 0; t < kSteps; ++t) {
    for (n = 0; n < kRows; ++n) {
      for (i = 0; i < kChannels; ++i) x[t][n][i] = t < lengths[n] ? 0.2f * (float)(t + n + i) : NAN;
    }
  }

  Check(dnnl_engine_create(&cpu, dnnl_cpu, 0));
  Check(dnnl_stream_create(&stream, cpu, dnnl_stream_default_flags));
  Check(dnnl_primitive_attr_create(&attr));
  Check(tandem_primitive_attr_set_rnn_sequence_lengths(attr, 1));
  Check(dnnl_lstm_forward_primitive_desc_create(&pd, cpu, dnnl_forward_inference, dnnl_unidirectional_left2right, layer,
                                                NULL, NULL, weights, weights, NULL, NULL, NULL, layer, state, state, 0,
                                                attr));
  Check(dnnl_primitive_create(&lstm, pd));
  args[0] = Arg(DNNL_ARG_SRC_LAYER, layer, cpu, x);
  args[1] = Arg(DNNL_ARG_WEIGHTS_LAYER, weights, cpu, w);
  args[2] = Arg(DNNL_ARG_WEIGHTS_ITER, weights, cpu, w);
  args[3] = Arg(DNNL_ARG_DST_LAYER, layer, cpu, y);
  args[4] = Arg(DNNL_ARG_DST_ITER, state, cpu, h);
  args[5] = Arg(DNNL_ARG_DST_ITER_C, state, cpu, c);
  args[6] = Arg(TANDEM_ARG_SEQUENCE_LENGTHS, row, cpu, lengths);
  Check(dnnl_primitive_execute(lstm, stream, kArguments, args));
  Check(dnnl_stream_wait(stream));

  for (n = 0; n < kRows; ++n) {
    printf("row %d, %d steps: h = %.5f, c = %.5f\n", n, (int)lengths[n], h[n][0], c[n][0]);
    for (t = lengths[n] - 1; t < kSteps; ++t) {
      for (i = 0; i < kChannels; ++i) wrong += y[t][n][i] == (t < lengths[n] ? h[n][i] : 0.f) ? 0 : 1;
    }
  }
  for (i = 0; i < kArguments; ++i) dnnl_memory_destroy(args[i].memory);
  dnnl_primitive_destroy(lstm);
  dnnl_primitive_desc_destroy(pd);
  dnnl_primitive_attr_destroy(attr);
  dnnl_memory_desc_destroy(layer);
  dnnl_memory_desc_destroy(state);
  dnnl_memory_desc_destroy(weights);
  dnnl_memory_desc_destroy(row);
  dnnl_stream_destroy(stream);
  dnnl_engine_destroy(cpu);
  return wrong != 0;
}
