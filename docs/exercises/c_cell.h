/* Exercise 2: what lstm_step() is given. All matrices are dense. */
#ifndef TANDEM_DOCS_EXERCISES_C_CELL_H_
#define TANDEM_DOCS_EXERCISES_C_CELL_H_

/* Gates of the LSTM, in the order of the weights. */
enum { kInput, kForget, kCandidate, kOutput };

struct lstm {
  int slc, dhc;   /* channels of x; of h and c */
  const float* W; /* [slc][4][dhc]: of channel i, gate g and unit o it is W[(i * 4 + g) * dhc + o] */
  const float* U; /* [dhc][4][dhc] */
  const float* B; /* [4][dhc] */
};

/* One step of one row of the minibatch, [LSTM.1] to [LSTM.6] of docs/equations.md: from x [slc], h_prev [dhc] and c_prev
 * [dhc] to h [dhc] and c [dhc]. h and c are other arrays than h_prev and c_prev. */
void lstm_step(const struct lstm* p, const float* x, const float* h_prev, const float* c_prev, float* h, float* c);

#endif
