// LSTM and GRU in plain double: to be read first. The tensors have the specification's shapes, with one layer, one
// direction and one row of the batch; the ids are those of docs/equations.md.
//   g++ reference/lstm_and_gru.cc -o lstm_and_gru && ./lstm_and_gru
// prints h_t of each step, [channel 1, channel 2], of a small example (reference/tests/lstm_and_gru_test.cc).
#include <cmath>
#include <cstdio>

constexpr int kSteps = 3, kSlc = 2, kDhc = 2;  // channels of x and of h
enum LstmGate { kI, kF, kC, kO };
enum GruGate { kUpdate, kReset, kCandidate };
struct Weights {
  double layer[kSlc][4][kDhc], iter[kDhc][4][kDhc], bias[4][kDhc];
};

double Sigmoid(double a) { return 1 / (1 + std::exp(-a)); }

// W x + U h + b of one gate, channel j.
double Sum(const Weights& w, int gate, int j, const double* x, const double* h) {
  double sum = w.bias[gate][j];
  for (int k = 0; k < kSlc; ++k) sum += w.layer[k][gate][j] * x[k];
  for (int k = 0; k < kDhc; ++k) sum += w.iter[k][gate][j] * h[k];
  return sum;
}

// One step: h and c are those of before; h_new receives h_t, and c becomes c_t.
void Lstm(const Weights& w, const double* x, const double* h, double* c, double* h_new) {
  for (int j = 0; j < kDhc; ++j) {
    const double i = Sigmoid(Sum(w, kI, j, x, h));          // [LSTM.1]
    const double f = Sigmoid(Sum(w, kF, j, x, h));          // [LSTM.2]
    const double c_tilde = std::tanh(Sum(w, kC, j, x, h));  // [LSTM.3]
    c[j] = f * c[j] + i * c_tilde;                          // [LSTM.4]
    const double o = Sigmoid(Sum(w, kO, j, x, h));          // [LSTM.5]
    h_new[j] = std::tanh(c[j]) * o;                         // [LSTM.6]
  }
}

void Gru(const Weights& w, const double* x, const double* h, double* h_new) {
  double r_h[kDhc];
  for (int j = 0; j < kDhc; ++j) r_h[j] = Sigmoid(Sum(w, kReset, j, x, h)) * h[j];  // [GRU.2]
  for (int j = 0; j < kDhc; ++j) {
    const double u = Sigmoid(Sum(w, kUpdate, j, x, h));         // [GRU.1]
    const double o = std::tanh(Sum(w, kCandidate, j, x, r_h));  // [GRU.3]
    h_new[j] = u * h[j] + (1 - u) * o;                          // [GRU.4]
  }
}

int main() {
  Weights w;
  int n = 0;  // the numbers of the example: eighths between -1 and 1
  const auto next = [&n] { return (7 * n++ % 17 - 8) / 8.; };
  double* const numbers = &w.layer[0][0][0];  // weights and bias lie one behind the other
  for (unsigned k = 0; k < sizeof w / sizeof *numbers; ++k) numbers[k] = next();
  double lstm[kSteps + 1][kDhc] = {}, c[kDhc] = {}, gru[kSteps + 1][kDhc] = {};  // h of all steps, from h_{-1} on
  for (int t = 0; t < kSteps; ++t) {
    const double x[kSlc] = {next(), next()};
    Lstm(w, x, lstm[t], c, lstm[t + 1]);
    Gru(w, x, gru[t], gru[t + 1]);
    std::printf("%.12f %.12f %.12f %.12f\n", lstm[t + 1][0], lstm[t + 1][1], gru[t + 1][0], gru[t + 1][1]);
  }
}
