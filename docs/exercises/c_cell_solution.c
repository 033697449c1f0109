/* Exercise 2, solved: the LSTM cell in C. */
#include <math.h>

#include "docs/exercises/c_cell.h"

static float sigmoid(float a) { return 1 / (1 + expf(-a)); }

/* W_g x + U_g h' + B_g of unit o. */
static float pre_activation(const struct lstm* p, const float* x, const float* h_prev, int g, int o) {
  float a = p->B[g * p->dhc + o];
  for (int i = 0; i < p->slc; ++i) a += p->W[(i * 4 + g) * p->dhc + o] * x[i];
  for (int i = 0; i < p->dhc; ++i) a += p->U[(i * 4 + g) * p->dhc + o] * h_prev[i];
  return a;
}

void lstm_step(const struct lstm* p, const float* x, const float* h_prev, const float* c_prev, float* h, float* c) {
  for (int o = 0; o < p->dhc; ++o) {
    const float in = sigmoid(pre_activation(p, x, h_prev, kInput, o));          /* [LSTM.1] */
    const float forget = sigmoid(pre_activation(p, x, h_prev, kForget, o));     /* [LSTM.2] */
    const float candidate = tanhf(pre_activation(p, x, h_prev, kCandidate, o)); /* [LSTM.3] */
    c[o] = forget * c_prev[o] + in * candidate;                                 /* [LSTM.4] */
    h[o] = tanhf(c[o]) * sigmoid(pre_activation(p, x, h_prev, kOutput, o));     /* [LSTM.5] [LSTM.6] */
  }
}
