/* Exercise 2: the LSTM cell in C; c_cell.h says what is given. */
#include "docs/exercises/c_cell.h"

void lstm_step(const struct lstm* p, const float* x, const float* h_prev, const float* c_prev, float* h, float* c) {
  (void)x, (void)h_prev, (void)c_prev;
  for (int o = 0; o < p->dhc; ++o) h[o] = c[o] = 0; /* write the six equations here */
}
