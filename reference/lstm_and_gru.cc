// LSTM and GRU in plain double: to be read first. No template, no library; the tensors have the specification's shapes,
// with one layer, one direction and one row of the batch. The ids are those of docs/equations.md.
//
//   g++ reference/lstm_and_gru.cc -o lstm_and_gru && ./lstm_and_gru
//
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

// W x and U h of one gate, channel j.
double W(const Weights& w, int gate, int j, const double* x) {
  double sum = 0;
  for (int k = 0; k < kSlc; ++k) sum += w.layer[k][gate][j] * x[k];
  return sum;
}
double U(const Weights& w, int gate, int j, const double* h) {
  double sum = 0;
  for (int k = 0; k < kDhc; ++k) sum += w.iter[k][gate][j] * h[k];
  return sum;
}

// One step: h and c are h' and c' before, h_t and c_t after.
void Lstm(const Weights& w, const double* x, double* h, double* c) {
  double h_new[kDhc];
  for (int j = 0; j < kDhc; ++j) {
    const double i = Sigmoid(W(w, kI, j, x) + U(w, kI, j, h) + w.bias[kI][j]);          // [LSTM.1]
    const double f = Sigmoid(W(w, kF, j, x) + U(w, kF, j, h) + w.bias[kF][j]);          // [LSTM.2]
    const double c_tilde = std::tanh(W(w, kC, j, x) + U(w, kC, j, h) + w.bias[kC][j]);  // [LSTM.3]
    c[j] = f * c[j] + i * c_tilde;                                                      // [LSTM.4]
    const double o = Sigmoid(W(w, kO, j, x) + U(w, kO, j, h) + w.bias[kO][j]);          // [LSTM.5]
    h_new[j] = std::tanh(c[j]) * o;                                                     // [LSTM.6]
  }
  for (int j = 0; j < kDhc; ++j) h[j] = h_new[j];
}

void Gru(const Weights& w, const double* x, double* h) {
  double u[kDhc], r_h[kDhc];
  for (int j = 0; j < kDhc; ++j) {
    u[j] = Sigmoid(W(w, kUpdate, j, x) + U(w, kUpdate, j, h) + w.bias[kUpdate][j]);         // [GRU.1]
    const double r = Sigmoid(W(w, kReset, j, x) + U(w, kReset, j, h) + w.bias[kReset][j]);  // [GRU.2]
    r_h[j] = r * h[j];
  }
  for (int j = 0; j < kDhc; ++j) {
    const double o = std::tanh(W(w, kCandidate, j, x) + U(w, kCandidate, j, r_h) + w.bias[kCandidate][j]);  // [GRU.3]
    h[j] = u[j] * h[j] + (1 - u[j]) * o;                                                                    // [GRU.4]
  }
}

int main() {
  Weights w;
  int n = 0;  // the numbers of the example: eighths between -1 and 1
  const auto next = [&n] { return (7 * n++ % 17 - 8) / 8.; };
  for (auto& k : w.layer)
    for (auto& gate : k)
      for (double& weight : gate) weight = next();
  for (auto& k : w.iter)
    for (auto& gate : k)
      for (double& weight : gate) weight = next();
  for (auto& gate : w.bias)
    for (double& weight : gate) weight = next();
  double lstm_h[kDhc] = {}, lstm_c[kDhc] = {}, gru_h[kDhc] = {};
  for (int t = 0; t < kSteps; ++t) {
    const double x[kSlc] = {next(), next()};
    Lstm(w, x, lstm_h, lstm_c);
    Gru(w, x, gru_h);
    std::printf("%.12f %.12f %.12f %.12f\n", lstm_h[0], lstm_h[1], gru_h[0], gru_h[1]);
  }
}
