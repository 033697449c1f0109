/* Exercise 2: the plugin around lstm_step(): one layer, left2right, f32, any layout (conformance/plugin.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/plugin.h"
#include "docs/exercises/c_cell.h"

static float* At(const tandem_tensor* t, const int64_t* index) {
  int64_t offset = 0;
  for (int d = 0; d < t->ndims; ++d) offset += index[d] * t->strides[d];
  return (float*)t->data + offset;
}

/* A dense copy of a tensor, or zeros where it is absent. */
static float* Dense(const tandem_tensor* t, size_t count_if_absent) {
  size_t count = t->ndims == 0 ? count_if_absent : 1;
  for (int d = 0; d < t->ndims; ++d) count *= (size_t)t->dims[d];
  float* dense = calloc(count > 0 ? count : 1, sizeof *dense);
  for (size_t i = 0; t->ndims != 0 && dense != NULL && i < count; ++i) {
    int64_t index[TANDEM_MAX_NDIMS] = {0};
    size_t rest = i;
    for (int d = t->ndims - 1; d >= 0; --d) {
      index[d] = (int64_t)(rest % (size_t)t->dims[d]);
      rest /= (size_t)t->dims[d];
    }
    dense[i] = *At(t, index);
  }
  return dense;
}

/* The numbers of row n of a state {L, D, N, C}; does nothing where it is absent. */
static void StoreState(const tandem_tensor* t, int64_t n, const float* values, int64_t channels) {
  for (int64_t c = 0; t->ndims != 0 && c < channels; ++c) {
    const int64_t index[TANDEM_MAX_NDIMS] = {0, 0, n, c};
    *At(t, index) = values[c];
  }
}

static const tandem_description* Describe(const tandem_plugin* self) {
  static const tandem_description description = {
      .size = sizeof description, .name = "lstm", .version = "exercise", .readings = 1 << tandem_spec_reading};
  (void)self;
  return &description;
}

static int32_t Supports(const tandem_plugin* self, const tandem_problem* p, tandem_requirements* needs, char* reason,
                        size_t reason_size) {
  const char* lack = NULL;
  (void)self;
  if (p->cell != tandem_lstm) lack = "only LSTM";
  if (p->propagation != tandem_forward_inference) lack = "only forward inference";
  if (p->n_layer != 1 || p->direction != tandem_left2right) lack = "only one layer, left2right";
  if (p->tensor[tandem_src_layer].data_type != tandem_f32) lack = "only f32";
  if (p->tensor[tandem_weights_peephole].ndims || p->tensor[tandem_weights_projection].ndims) lack = "only plain LSTM";
  needs->workspace_bytes = needs->scratchpad_bytes = 0;
  if (lack == NULL) return tandem_ok;
  snprintf(reason, reason_size, "%s", lack);
  return tandem_not_supported;
}

/* Where lstm_step() writes the h of a step: into dst_layer itself if its channels lie side by side, so that a write past the
   end of the last row meets what guards the tensor. */
static float* PlaceOfH(const tandem_tensor* dst_layer, int64_t t, int64_t n, float* elsewhere) {
  const int64_t index[TANDEM_MAX_NDIMS] = {t, n, 0};
  return dst_layer->strides[2] == 1 ? At(dst_layer, index) : elsewhere;
}

static void RunRow(const tandem_problem* p, const struct lstm* cell, const float* src, float* states, int64_t n) {
  const size_t dhc = (size_t)p->dhc;
  const tandem_tensor* const dst_layer = &p->tensor[tandem_dst_layer];
  float *h = states, *c = h + dhc, *elsewhere = c + dhc, *next_c = elsewhere + dhc;
  for (int64_t t = 0; t < p->n_iter; ++t) {
    float* const next_h = PlaceOfH(dst_layer, t, n, elsewhere);
    lstm_step(cell, src + (t * p->mb + n) * p->slc, h, c, next_h, next_c);
    memcpy(h, next_h, dhc * sizeof *h);
    memcpy(c, next_c, dhc * sizeof *c);
    for (int64_t o = 0; o < p->dhc && next_h == elsewhere; ++o) {
      const int64_t index[TANDEM_MAX_NDIMS] = {t, n, o};
      *At(dst_layer, index) = h[o];
    }
  }
  StoreState(&p->tensor[tandem_dst_iter], n, h, p->dhc);
  StoreState(&p->tensor[tandem_dst_iter_c], n, c, p->dhc);
}

static int32_t Run(const tandem_plugin* self, const tandem_problem* p, const tandem_plugin_memory* memory,
                   char* message, size_t message_size) {
  const size_t dhc = (size_t)p->dhc, states = (size_t)p->mb * dhc;
  float* const src = Dense(&p->tensor[tandem_src_layer], 0);
  float* const W = Dense(&p->tensor[tandem_weights_layer], 0);
  float* const U = Dense(&p->tensor[tandem_weights_iter], 0);
  float* const B = Dense(&p->tensor[tandem_bias], 4 * dhc);
  float* const h0 = Dense(&p->tensor[tandem_src_iter], states);
  float* const c0 = Dense(&p->tensor[tandem_src_iter_c], states);
  float* const row = malloc(4 * dhc * sizeof *row);
  (void)self, (void)memory;
  const int enough = src && W && U && B && h0 && c0 && row;
  const struct lstm cell = {(int)p->slc, (int)p->dhc, W, U, B};
  for (int64_t n = 0; enough && n < p->mb; ++n) {
    memcpy(row, h0 + n * p->dhc, dhc * sizeof *row);
    memcpy(row + dhc, c0 + n * p->dhc, dhc * sizeof *row);
    RunRow(p, &cell, src, row, n);
  }
  free(src), free(W), free(U), free(B), free(h0), free(c0), free(row);
  if (enough) return tandem_ok;
  snprintf(message, message_size, "out of memory");
  return tandem_failed;
}

const tandem_plugin* tandem_get_plugin(uint32_t host_abi) {
  static const tandem_plugin plugin = {sizeof plugin, TANDEM_PLUGIN_ABI, Describe, Supports, Run};
  return host_abi == TANDEM_PLUGIN_ABI ? &plugin : NULL;
}
