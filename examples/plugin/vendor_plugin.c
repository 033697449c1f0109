/* This is a complete plugin for Tandem's judge: somebody's own forward vanilla RNN in f32, one layer, one direction, any
 * layout. Build it and run it:
 *
 *   cc -std=c11 -O2 -shared -fPIC -I. -o vendor.so examples/plugin/vendor_plugin.c -lm
 *   ./tandem check --impl=./vendor.so
 *
 * With the installed package, type -I/usr/include/tandem in place of -I., and tandem in place of ./tandem. */
#include <math.h>
#include <stdio.h>

#include "conformance/plugin.h"

/* Returns the address of an element of `t`. The plugin works in any layout because it always goes through the strides. */
static float* At3(const tandem_tensor* t, int64_t a, int64_t b, int64_t c) {
  return (float*)t->data + a * t->strides[0] + b * t->strides[1] + c * t->strides[2];
}
static float* At4(const tandem_tensor* t, int64_t n, int64_t c) { /* for layer 0, direction 0 */
  return (float*)t->data + n * t->strides[2] + c * t->strides[3];
}
static float Weight(const tandem_tensor* t, int64_t in, int64_t out) { /* for the one gate */
  return ((const float*)t->data)[in * t->strides[2] + out * t->strides[4]];
}

static float Activate(const tandem_problem* p, float x) {
  switch (p->activation) {
    case tandem_relu:
      return x > 0 ? x : p->alpha * x;
    case tandem_tanh:
      return tanhf(x);
    case tandem_logistic:
      return 1.0f / (1.0f + expf(-x));
  }
  return NAN; /* the activation is of a later version: the judge reports it */
}

/* Computes h_t = act(W x_t + U h_prev + b) for one row of the batch. */
static void Step(const tandem_problem* p, int64_t t, int64_t n, int64_t t_prev) {
  const tandem_tensor* tensors = p->tensor;
  const tandem_tensor* src_iter = &tensors[tandem_src_iter];
  const tandem_tensor* bias = &tensors[tandem_bias];
  const tandem_tensor* dst = &tensors[tandem_dst_layer];
  for (int64_t o = 0; o < p->dhc; ++o) {
    float sum = bias->ndims ? ((const float*)bias->data)[o * bias->strides[3]] : 0.0f;
    for (int64_t i = 0; i < p->slc; ++i) {
      sum += *At3(&tensors[tandem_src_layer], t, n, i) * Weight(&tensors[tandem_weights_layer], i, o);
    }
    for (int64_t i = 0; i < p->sic; ++i) {
      const float h = t_prev >= 0 ? *At3(dst, t_prev, n, i) : (src_iter->ndims ? *At4(src_iter, n, i) : 0.0f);
      sum += h * Weight(&tensors[tandem_weights_iter], i, o);
    }
    *At3(dst, t, n, o) = Activate(p, sum);
  }
}

static const tandem_description* Describe(const tandem_plugin* self) {
  static const tandem_description description = {
      .size = sizeof description,
      .whole_table = 0, /* it serves a part; Supports() says which */
      .name = "vendor",
      .version = "1.0",
      .readings = 1 << tandem_spec_reading,
  };
  (void)self;
  return &description;
}

static int32_t Supports(const tandem_plugin* self, const tandem_problem* p, tandem_requirements* needs, char* reason,
                        size_t reason_size) {
  const char* lack = NULL;
  (void)self;
  if (p->cell != tandem_vanilla_rnn) lack = "only vanilla RNN";
  if (p->activation > tandem_logistic) lack = "only relu, tanh and logistic";
  if (p->propagation != tandem_forward_inference) lack = "only forward inference";
  if (p->n_layer != 1 || p->n_dir != 1) lack = "only one layer in one direction";
  if (p->tensor[tandem_src_layer].data_type != tandem_f32) lack = "only f32";
  if (p->tensor[tandem_weights_layer].data_type != tandem_f32) lack = "only f32 weights";
  needs->workspace_bytes = 0;
  needs->scratchpad_bytes = 0;
  if (lack == NULL) return tandem_ok;
  snprintf(reason, reason_size, "%s", lack);
  return tandem_not_supported;
}

static int32_t Run(const tandem_plugin* self, const tandem_problem* p, const tandem_plugin_memory* memory,
                   char* message, size_t message_size) {
  const tandem_tensor* dst_iter = &p->tensor[tandem_dst_iter];
  const int reversed = p->direction == tandem_right2left;
  (void)self, (void)memory, (void)message, (void)message_size;
  for (int64_t n = 0; n < p->mb; ++n) {
    int64_t previous = -1;
    for (int64_t k = 0; k < p->n_iter; ++k) {
      const int64_t t = reversed ? p->n_iter - 1 - k : k;
      Step(p, t, n, previous);
      previous = t;
    }
    for (int64_t o = 0; dst_iter->ndims && o < p->dhc; ++o) {
      *At4(dst_iter, n, o) = *At3(&p->tensor[tandem_dst_layer], previous, n, o);
    }
  }
  return tandem_ok;
}

const tandem_plugin* tandem_get_plugin(uint32_t host_abi) {
  static const tandem_plugin plugin = {sizeof plugin, TANDEM_PLUGIN_ABI, Describe, Supports, Run};
  return host_abi == TANDEM_PLUGIN_ABI ? &plugin : NULL;
}
