/* This plugin for Tandem's judge is a forward LSTM in bf16, one layer, left to right, whose c stays in f32 from step to step,
 * as a kernel keeps it in registers. It declares that (wide_cell_state); else the judge holds it to a rounded c.
 *
 *   cc -std=c11 -O2 -shared -fPIC -I. -o lstm.so examples/plugin/lstm_bf16_plugin.c -lm
 *   ./tandem check --impl=./lstm.so                                                                */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/plugin.h"

#ifndef DECLARES_WIDE_CELL_STATE
#define DECLARES_WIDE_CELL_STATE 1
#endif

static float Widened(uint16_t half) {
  const uint32_t bits = (uint32_t)half << 16;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* Returns the nearest bf16, ties to even. */
static uint16_t Rounded(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  if (value != value) return 0x7fc0;
  return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/* Returns the element of `t` at these indices; 0 if the tensor is absent. */
static float Get(const tandem_tensor* t, const int64_t* index) {
  int64_t offset = 0;
  if (t->ndims == 0) return 0;
  for (int i = 0; i < t->ndims; ++i) offset += index[i] * t->strides[i];
  return t->data_type == tandem_f32 ? ((const float*)t->data)[offset] : Widened(((const uint16_t*)t->data)[offset]);
}
static void Set(const tandem_tensor* t, const int64_t* index, float value) {
  int64_t offset = 0;
  if (t->ndims == 0) return;
  for (int i = 0; i < t->ndims; ++i) offset += index[i] * t->strides[i];
  if (t->data_type == tandem_f32) {
    ((float*)t->data)[offset] = value;
  } else {
    ((uint16_t*)t->data)[offset] = Rounded(value);
  }
}

/* Returns W_g x + U_g h' + b_g of one unit. */
static float Gate(const tandem_problem* p, const float* h, int64_t t, int64_t n, int64_t gate, int64_t unit) {
  float sum = Get(&p->tensor[tandem_bias], (int64_t[]){0, 0, gate, unit});
  for (int64_t k = 0; k < p->slc; ++k) {
    sum += Get(&p->tensor[tandem_src_layer], (int64_t[]){t, n, k}) *
           Get(&p->tensor[tandem_weights_layer], (int64_t[]){0, 0, k, gate, unit});
  }
  for (int64_t k = 0; k < p->sic; ++k) {
    sum += h[k] * Get(&p->tensor[tandem_weights_iter], (int64_t[]){0, 0, k, gate, unit});
  }
  return sum;
}

static float Logistic(float x) { return 1.0f / (1.0f + expf(-x)); }

/* Computes one step of one row: h and c become the next ones; `next` has room for h. */
static void Step(const tandem_problem* p, int64_t t, int64_t n, float* h, float* c, float* next) {
  for (int64_t unit = 0; unit < p->dhc; ++unit) {
    const float i = Logistic(Gate(p, h, t, n, 0, unit)), f = Logistic(Gate(p, h, t, n, 1, unit));
    const float candidate = tanhf(Gate(p, h, t, n, 2, unit)), o = Logistic(Gate(p, h, t, n, 3, unit));
    c[unit] = f * c[unit] + i * candidate; /* c stays in f32 and is not rounded */
    next[unit] = Widened(Rounded(tanhf(c[unit]) * o));
    Set(&p->tensor[tandem_dst_layer], (int64_t[]){t, n, unit}, next[unit]);
  }
  memcpy(h, next, (size_t)p->dhc * sizeof *h);
}

static const tandem_description* Describe(const tandem_plugin* self) {
  static const tandem_description description = {.size = sizeof description,
                                                 .name = "lstm-bf16",
                                                 .version = "1.0",
                                                 .readings = 1 << tandem_spec_reading,
                                                 .wide_cell_state = DECLARES_WIDE_CELL_STATE};
  (void)self;
  return &description;
}

static int32_t Supports(const tandem_plugin* self, const tandem_problem* p, tandem_requirements* needs, char* reason,
                        size_t reason_size) {
  const tandem_tensor* t = p->tensor;
  const char* lack = NULL;
  (void)self;
  if (p->cell != tandem_lstm || t[tandem_weights_peephole].ndims || t[tandem_weights_projection].ndims)
    lack = "only LSTM without peephole and projection";
  if (p->propagation != tandem_forward_inference) lack = "only forward inference";
  if (p->n_layer != 1 || p->direction != tandem_left2right) lack = "only one layer, left to right";
  if (t[tandem_src_layer].data_type != tandem_bf16 || t[tandem_weights_layer].data_type != tandem_bf16)
    lack = "only bf16";
  if (p->tensor_count > tandem_sequence_lengths && t[tandem_sequence_lengths].ndims) lack = "no lengths of rows";
  needs->workspace_bytes = needs->scratchpad_bytes = 0;
  if (lack == NULL) return tandem_ok;
  snprintf(reason, reason_size, "%s", lack);
  return tandem_not_supported;
}

static int32_t Run(const tandem_plugin* self, const tandem_problem* p, const tandem_plugin_memory* memory,
                   char* message, size_t message_size) {
  const tandem_tensor* t = p->tensor;
  const int64_t channels =
      p->sic > p->dhc ? p->sic : p->dhc; /* one step may start from an h with more or fewer channels */
  float* const h = malloc((size_t)(channels + 2 * p->dhc) * sizeof *h);
  (void)self, (void)memory;
  if (h == NULL) {
    snprintf(message, message_size, "out of memory");
    return tandem_failed;
  }
  for (int64_t n = 0; n < p->mb; ++n) {
    float* const c = h + channels;
    for (int64_t k = 0; k < p->sic; ++k) h[k] = Get(&t[tandem_src_iter], (int64_t[]){0, 0, n, k});
    for (int64_t unit = 0; unit < p->dhc; ++unit) {
      c[unit] = Get(&t[tandem_src_iter_c], (int64_t[]){0, 0, n, unit});
    }
    for (int64_t step = 0; step < p->n_iter; ++step) Step(p, step, n, h, c, c + p->dhc);
    for (int64_t unit = 0; unit < p->dhc; ++unit) {
      Set(&t[tandem_dst_iter], (int64_t[]){0, 0, n, unit}, h[unit]);
      Set(&t[tandem_dst_iter_c], (int64_t[]){0, 0, n, unit}, c[unit]);
    }
  }
  free(h);
  return tandem_ok;
}

const tandem_plugin* tandem_get_plugin(uint32_t host_abi) {
  static const tandem_plugin plugin = {sizeof plugin, TANDEM_PLUGIN_ABI, Describe, Supports, Run};
  return host_abi == TANDEM_PLUGIN_ABI ? &plugin : NULL;
}
