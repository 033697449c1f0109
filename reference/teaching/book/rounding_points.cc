// This file writes the points where the equations are rounded. It also shows how far an LSTM or GRU in 8 or 16 bits is from the
// one in real numbers, step by step: [INT8.1] for states, one scale for all weights or one for each channel.
#include "reference/teaching/book/rounding_points.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "reference/numerics/activations.h"
#include "reference/numerics/numerics.h"
#include "reference/numerics/rounding.h"
#include "reference/teaching/book/chapter.h"
#include "reference/teaching/book/explain.h"

namespace tandem {
namespace reference {
namespace {

bool Always(const RnnProblem&) { return true; }
bool OfLstm(const RnnProblem& p) { return HasCellState(p.cell); }
bool OfGates(const RnnProblem& p) { return !HasActivation(p.cell); }
bool OfGru(const RnnProblem& p) { return BlendsState(p.cell); }
bool OfResetState(const RnnProblem& p) { return BlendsState(p.cell) && !IsLinearBeforeReset(p.cell); }
bool OfProjection(const RnnProblem& p) { return p.HasProjection(); }
bool OfSum(const RnnProblem& p) { return p.direction == Direction::kBidirectionalSum; }
bool OfBackward(const RnnProblem& p) { return p.IsBackward(); }
bool OfAttention(const RnnProblem& p) { return p.Has(kAugruAttention); }
bool OfNorms(const RnnProblem& p) { return p.attr.rnn_layer_norm.given(); }
bool OfFpmath(const RnnProblem& p) { return EffectiveFpmathMode(p) != FpmathMode::kStrict; }

}  // namespace

const std::vector<RoundingPoint>& RoundingPoints() {
  static const std::vector<RoundingPoint>* const points = new std::vector<RoundingPoint>{
      {"{W_g x}, {U_g h'}", "[LSTM.1], [GRU.1], ...", "f32, summed in any order", "exact integers, then f32 [INT8.3]",
       "Dot", Always, "a product"},
      {"the whole pre-activation", "[LSTM.1], [GRU.1], ...",
       "f32; not rounded to the type of `src_layer` before the activation", "f32", "Term", Always, "one term of a sum"},
      {"bias, peephole weights, {P_f * c'}", "[LSTM.1], [PEEP.1], ...", "their own type, widened when added; f32",
       "f32", "Term", Always, "one term of a sum"},
      {"attention {a}", "[AUGRU.1]", "the type of `src_layer`; {1 - a} in f32", "not supported", "Value", OfAttention},
      {"gates", "[LSTM.1] to [LSTM.5], [GRU.1] to [GRU.3]", "f32 within the step", "f32", "Sigmoid", OfGates},
      {"{c}", "[LSTM.4], [PEEP.4]",
       "the type of `src_iter_c`, else of `dst_iter_c`, else f32 ([where neither is given](#the-type-of-c)), for the "
       "next step and backward; {tanh(c)} and {P_o * c} use it before",
       "f32", "StoreCellState", OfLstm},
      {"{h}", "[LSTM.6], [RNN.2], [GRU.4]", "the type of `src_layer`, before the next step or layer reads it",
       "a byte [INT8.1]", "StoreState", Always},
      {"{r * h'}", "[GRU.3], [GRU.B7]", "the type of `src_layer`, before the product with {U_o}", "a byte [INT8.1]",
       "StoreState", OfResetState},
      {"{h^}", "[PROJ.1]", "the type of `src_layer`, before the product with R; the projected h too",
       "a byte; so is the projected h", "StoreState", OfProjection},
      {"{h'} in {u * h' + (1 - u) * o}", "[GRU.4], [AUGRU.2]", "widened", "the real number of the byte [INT8.2]",
       "Widen", OfGru},
      {"{h→ + h←}", "[STACK.4]", "the type of `src_layer`: both have it already, their sum is rounded again",
       "[INT8.4], [INT8.5]", "LayerOutputSum", OfSum},
      {"gates and {U_o h' + B_u'} that backward reads", "[LSTM.B1], [GRU.B1], ...",
       "the type of `src_layer`, in the workspace", "no backward", "StoreGate", OfBackward},
      {"{Δ_g}, and {dh} before {Rᵀ}", "[LSTM.B7] to [LSTM.B11], [PROJ.B1], ...",
       "the type of `src_layer`, before products and sums over the minibatch; f32 in elementwise uses", "no backward",
       "StoreDelta", OfBackward},
      {"{v}, its mean, {s}, {v^} and {y} of a norm", "[NORM.1] to [NORM.4]", "f32", "not supported", "Centered",
       OfNorms},
      {"{dv} of a product behind its norm", "[NORM.B4]", "the type of `src_layer`, as {Δ_g} before it", "no backward",
       "StoreDelta", OfNorms},
      {"{dx}, {dh'}, {dc'}, sums over t and n", "[LSTM.B6] to [LSTM.B11], ...", "f32", "no backward", "AddOuter",
       OfBackward, "adds an outer product"},
      {"both operands of a product of f32 tensors", "[LSTM.1], ...", "bf16, f16 or tf32 under an fpmath mode",
       "not affected", "RoundOperand", OfFpmath},
  };
  return *points;
}

namespace {

constexpr Dim kChannels = 8;
constexpr int kSteps = 200;

// Numbers between -1 and 1 that are the same on every machine.
class Numbers {
 public:
  double Next() {
    state_ = state_ * 1664525u + 1013904223u;
    return static_cast<double>(state_ >> 8) / (1 << 23) - 1;
  }
  Mat<double> Matrix(Dim rows, Dim cols) {
    Mat<double> m(rows, cols);
    for (Dim j = 0; j < rows; ++j) {
      for (Dim k = 0; k < cols; ++k) m(j, k) = Next();
    }
    return m;
  }

 private:
  unsigned state_ = 1;
};

enum class States { kF32, kBf16, kBytes };
enum class Weights { kExact, kBf16, kPerChannel, kCommon };

struct Quantization {
  const char* name;
  States states;  // and inputs
  double scale, shift;
  Weights weights;
  Cell cell = Cell::kLstm;
};

double ToBf16(double x) { return RoundTo(DataType::kBf16, x); }

double Stored(double x, const Quantization& q) {
  switch (q.states) {
    case States::kF32:
      return x;
    case States::kBf16:
      return ToBf16(x);
    case States::kBytes:
      break;
  }
  const double byte = std::min(std::max(std::nearbyint(q.scale * x + q.shift), 0.0), 255.0);
  return (byte - q.shift) / q.scale;
}

// s8: the largest weight of a channel, or of all, is 127.
Mat<double> QuantizedWeights(const Mat<double>& weights, Weights kind) {
  if (kind == Weights::kExact) return weights;
  if (kind == Weights::kBf16) return weights.unaryExpr(&ToBf16);
  Mat<double> result = weights;
  const double largest = weights.abs().maxCoeff();
  for (Dim j = 0; j < weights.rows(); ++j) {
    const double w = 127 / (kind == Weights::kCommon ? largest : weights.row(j).abs().maxCoeff());
    result.row(j) = (weights.row(j) * w).unaryExpr([](double x) { return std::nearbyint(x); }) / w;
  }
  return result;
}

// A network runs with W and U side by side.
struct Network {
  Mat<double> weights, h = Mat<double>::Zero(kChannels, 1), c = h;
  Quantization stored;

  // W x + U h' of a gate.
  Mat<double> Sum(Dim gate, const Mat<double>& x, const Mat<double>& h_prev) const {
    Mat<double> inputs(2 * kChannels, 1);
    inputs << x, h_prev;
    return (weights.middleRows(gate * kChannels, kChannels).matrix() * inputs.matrix()).array();
  }
  Mat<double> Store(const Mat<double>& m) const {
    return m.unaryExpr([this](double x) { return Stored(x, stored); });
  }

  void Step(const Mat<double>& given) {
    const Mat<double> x = Store(given);
    if (stored.cell == Cell::kGru) {
      const Mat<double> u = SigmoidOf<double>(Sum(0, x, h)), r = SigmoidOf<double>(Sum(1, x, h));
      const Mat<double> o = TanhOf<double>(Sum(2, x, Store(r * h)));
      h = Store(u * h + (1 - u) * o);
      return;
    }
    const Mat<double> i = SigmoidOf<double>(Sum(0, x, h)), f = SigmoidOf<double>(Sum(1, x, h));
    c = f * c + i * TanhOf<double>(Sum(2, x, h));
    h = Store(SigmoidOf<double>(Sum(3, x, h)) * TanhOf<double>(c));
  }
};

// The largest error of h at each step.
std::vector<double> Errors(const Quantization& q) {
  Numbers numbers;
  Mat<double> weights = numbers.Matrix(NumGates(q.cell) * kChannels, 2 * kChannels);
  // Channels differ in size, as those of trained networks do: 1, 1/2, 1/4, 1/8.
  for (Dim j = 0; j < weights.rows(); ++j) weights.row(j) *= std::ldexp(1, -static_cast<int>(j % 4));
  Network exact, ours;
  exact.weights = weights;
  exact.stored = {"", States::kF32, 0, 0, Weights::kExact, q.cell};
  ours.weights = QuantizedWeights(weights, q.weights);
  ours.stored = q;
  std::vector<double> errors;
  for (int t = 0; t < kSteps; ++t) {
    const Mat<double> x = numbers.Matrix(kChannels, 1);
    exact.Step(x);
    ours.Step(x);
    errors.push_back((exact.h - ours.h).abs().maxCoeff());
  }
  return errors;
}

}  // namespace

std::string DriftTable() {
  const Quantization rows[] = {
      {"f32 states, s8 weights, a scale for each channel", States::kF32, 0, 0, Weights::kPerChannel},
      {"f32 states, s8 weights, one scale", States::kF32, 0, 0, Weights::kCommon},
      {"{s = 127}, {z = 128}: bytes from -1 to 1; exact weights", States::kBytes, 127, 128, Weights::kExact},
      {"the same, s8 weights, a scale for each channel", States::kBytes, 127, 128, Weights::kPerChannel},
      {"the same, s8 weights, one scale", States::kBytes, 127, 128, Weights::kCommon},
      {"{s = 16}, {z = 128}: bytes from -8 to 8; a scale for each channel", States::kBytes, 16, 128,
       Weights::kPerChannel},
      {"{s = 254}, {z = 128}: bytes from -0.5 to 0.5; a scale for each channel", States::kBytes, 254, 128,
       Weights::kPerChannel},
      {"bf16 states and weights", States::kBf16, 0, 0, Weights::kBf16},
      {"GRU, bf16 states and weights", States::kBf16, 0, 0, Weights::kBf16, Cell::kGru},
      {"GRU, {s = 127}, {z = 128}; a scale for each channel", States::kBytes, 127, 128, Weights::kPerChannel,
       Cell::kGru},
  };
  std::ostringstream out;
  out << "| what is stored | step 1 | step 10 | step 50 | step 200 | largest of 200 |\n|---|---|---|---|---|---|\n";
  for (const Quantization& row : rows) {
    const std::vector<double> errors = Errors(row);
    out << "| " << WithFormulas(row.name, Notation::kLatex) << " |";
    for (const double error : {errors[0], errors[9], errors[49], errors[199]})
      out << " " << ShowNumber(error, {2}) << " |";
    out << " " << ShowNumber(*std::max_element(errors.begin(), errors.end()), {2}) << " |\n";
  }
  return out.str();
}

}  // namespace reference
}  // namespace tandem
