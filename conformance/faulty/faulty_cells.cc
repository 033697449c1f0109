#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <thread>

#include "api/core/gates.h"
#include "conformance/faulty/faulty_forward.h"
#include "conformance/faulty/faulty_gates.h"
#include "conformance/faulty/faulty_norm.h"
#include "conformance/faulty/faulty_rows.h"

namespace tandem::conformance {
namespace {

constexpr Dim kFirstGate = 0;  // whatever its role

// The pre-activations of one row of the minibatch.
class Row {
 public:
  Row(const FaultyNetwork& net, Dim l, Dim d, Dim t, Dim n, const FaultyStep& step)
      : net_(net), p_(net.p), l_(l), d_(d), step_(step), norms_(net, l, d) {
    x_ = step.x.data() + n * step.width;
    h_ = step.h_prev.data() + n * p_.sic;
    kept_ = step.h_kept.empty() ? h_ : step.h_kept.data() + n * p_.sic;
    const bool last = StepWalk(p_, d).Step(t) == p_.n_iter - 1;
    skip_layer_ = net.On(Mutation::kLastStepSkipsLayerGemm) && last && l > 0;
    if (!norms_.OfProducts()) return;
    layer_.resize(static_cast<size_t>(p_.n_gates * p_.dhc));
    iter_ = layer_;
    Normalize(0, NumFirstPassGates(p_.cell), h_);
  }

  // The products of `gates` gates from `first` on.
  void Normalize(Dim first, Dim gates, const float* h) {
    if (!norms_.OfProducts()) return;
    float *layer = layer_.data() + first * p_.dhc, *iter = iter_.data() + first * p_.dhc;
    const bool of_bias = net_.On(Mutation::kNormOfBias);
    for (Dim i = 0; i < gates * p_.dhc; ++i) {
      const Dim gate = first + i / p_.dhc, o = i % p_.dhc;
      layer[i] = static_cast<float>(Layer(gate, o)) + (of_bias ? B(gate, o) : 0);
      iter[i] = static_cast<float>(Iter(gate, o, h));
      if (!norms_.HasParts()) layer[i] += iter[i];
    }
    norms_.Normalize(norms_.PlaceOf(first, false), gates, layer);
    if (norms_.HasParts()) norms_.Normalize(norms_.PlaceOf(first, true), gates, iter);
    for (Dim i = 0; i < gates * p_.dhc; ++i) {
      const Dim gate = first + i / p_.dhc, o = i % p_.dhc;
      if (of_bias) layer[i] -= B(gate, o);
      if (!norms_.HasParts()) iter[i] = 0;
    }
  }
  const FaultyNorms& norms() const { return norms_; }

  double Layer(Dim gate, Dim o) const {
    if (skip_layer_ && gate == kFirstGate) return 0;
    if (!p_.IsDynamic()) return net_.math.Dot(step_.width, net_.W(l_, d_, gate, o), net_.WStride(), x_, 1);
    return FaultyBytes(net_.math, x_, Inputs(), InputRow())
        .Product(step_.width, net_.W(l_, d_, gate, o), net_.WStride());
  }
  double Iter(Dim gate, Dim o) const { return Iter(gate, o, h_); }
  double Iter(Dim gate, Dim o, const float* h) const {
    if (net_.On(Mutation::kBatchOneDropsU) && p_.mb == 1 && gate == p_.n_gates - 1) return 0;
    const Dim dropped = net_.On(Mutation::kKernelOf256DropsInput) && p_.dhc >= 256 ? 1 : 0;
    const float* weights = net_.U(l_, d_, gate, o);
    if (!p_.IsDynamic()) return net_.math.Dot(p_.sic - dropped, weights, net_.UStride(), h, 1);
    const OperandRows states = h == h_ ? OperandRows{step_.h_prev.data(), p_.sic, p_.mb} : OperandRows{h, p_.sic, 1};
    return FaultyBytes(net_.math, h, states, InputRow()).Product(p_.sic - dropped, weights, net_.UStride());
  }
  // Both products as a real number, and each of them.
  float Linear(Dim gate, Dim o) const {
    if (norms_.OfProducts()) return RealLayer(gate, o) + RealIter(gate, o);
    return Real(gate, o, Layer(gate, o), Iter(gate, o));
  }
  float Real(Dim gate, Dim o, double layer, double iter) const {
    if (!net_.math.int8()) return Scaled(gate, o, layer, 0) + Scaled(gate, o, iter, 0);
    return Scaled(gate, o, layer + iter, LayerWeights(gate, o) + IterWeights(gate, o));
  }
  float RealLayer(Dim gate, Dim o) const {
    if (norms_.OfProducts()) return layer_[static_cast<size_t>(gate * p_.dhc + o)];
    return Scaled(gate, o, Layer(gate, o), LayerWeights(gate, o));
  }
  float RealIter(Dim gate, Dim o) const {
    if (norms_.OfProducts()) return iter_[static_cast<size_t>(gate * p_.dhc + o)];
    if (net_.On(Mutation::kLbrScaleOnce)) return static_cast<float>(Iter(gate, o));
    return Scaled(gate, o, Iter(gate, o), IterWeights(gate, o));
  }
  float B(Dim gate, Dim o) const { return net_.B(l_, d_, gate, o); }
  float P(Dim gate, Dim o) const { return net_.P(l_, d_, gate, o); }
  float H(Dim o) const { return net_.math.Widen(h_[o]); }
  float StoredH(Dim o) const { return h_[o]; }
  // Where no mask is.
  float KeptH(Dim o) const { return net_.math.Widen(kept_[o]); }

 private:
  OperandRows Inputs() const { return {step_.x.data(), step_.width, p_.mb}; }
  OperandRows InputRow() const { return {x_, step_.width, 1}; }
  // `weights`: the sum of those in the product.
  float Scaled(Dim gate, Dim o, double product, double weights) const {
    if (!p_.HasByteWeights()) return static_cast<float>(product);
    if (!net_.math.int8()) {
      const double scale = WeightScale(gate, o);
      return static_cast<float>(net_.On(Mutation::kScaleMultiplies) ? product * scale : product / scale);
    }
    if (net_.On(Mutation::kCompensationMissing)) weights = 0;
    const double acc = product - net_.math.zero_point() * weights;
    return static_cast<float>(acc / (net_.math.scale() * WeightScale(gate, o)));
  }
  double LayerWeights(Dim gate, Dim o) const { return ColumnSum(net_.W(l_, d_, gate, o), net_.WStride(), step_.width); }
  double IterWeights(Dim gate, Dim o) const {
    if (net_.On(Mutation::kCompensationLayerOnly)) return 0;
    return ColumnSum(net_.U(l_, d_, gate, o), net_.UStride(), p_.sic);
  }
  double ColumnSum(const float* w, Dim stride, Dim n) const {
    double sum = 0;
    for (Dim k = 0; k < n; ++k) sum += w[k * stride];
    return net_.On(Mutation::kCompensationWraps) ? static_cast<int16_t>(static_cast<int32_t>(sum)) : sum;
  }
  double WeightScale(Dim gate, Dim o) const {
    const ScaleVector& scales = p_.attr.rnn_weights;
    if (net_.On(Mutation::kScaleIgnoresGate)) gate = 0;
    if (net_.On(Mutation::kScaleOfNeighbour)) o = std::max<Dim>(o - 1, 0);
    return scales.mask == 0 ? scales.values[0] : scales.values[static_cast<size_t>(gate * p_.dhc + o)];
  }

  const FaultyNetwork& net_;
  const RnnProblem& p_;
  const Dim l_, d_;
  const FaultyStep& step_;
  const float* x_;
  const float* h_;
  const float* kept_;
  bool skip_layer_;
  const FaultyNorms norms_;
  Floats layer_, iter_;  // normalized products, [gate][dhc]
};

struct Unit {
  Dim n, o, at;  // at: index in [n][dhc]
};

void Vanilla(const FaultyNetwork& net, const Row& row, const Unit& i, FaultyStep* step) {
  const float linear = row.Linear(VanillaGate::kOnly, i.o) + row.B(VanillaGate::kOnly, i.o);
  step->linear[i.at] = linear;
  const float a = FaultyGates(net, step, i.at, i.o).Clipped(GatePlace::kCandidate, linear);
  float h = 0;
  switch (net.p.activation) {
    case Activation::kRelu:
      h = net.math.Relu(a, net.p.alpha, i.o);
      break;
    case Activation::kTanh:
      h = net.math.Tanh(a, i.o);
      break;
    case Activation::kLogistic:
      h = net.math.SigmoidIn(a, i.o);
      break;
    case Activation::kThresholdedRelu:
    case Activation::kHardSigmoid:
    case Activation::kSoftsign:
    case Activation::kSoftplus:
    case Activation::kElu:
    case Activation::kAffine:
    case Activation::kScaledTanh:
      h = net.math.Activate(net.p.Function(), a);
      break;
  }
  step->h_hat[i.at] = h;
}

// Without a peephole nothing is added: zero times an infinite c would be NaN.
float Peephole(const FaultyNetwork& net, const Row& row, Dim place, Dim o, float c) {
  return net.p.HasPeephole() ? row.P(place, o) * c : 0.f;
}

void LstmState(const FaultyNetwork& net, const Row& row, const Unit& i, FaultyStep* step) {
  const auto linear = [&](Dim gate) { return row.Linear(gate, i.o) + row.B(gate, i.o); };
  const auto peephole = [&](Dim place, float c) { return Peephole(net, row, place, i.o, c); };
  const FaultyGates gates(net, step, i.at, i.o);
  const float c_prev = step->c_prev[i.at];
  // What a peephole adds is clipped with the rest.
  const auto recurrent = [&](Dim gate, Dim place, float c) {
    const bool late = net.On(Mutation::kClipBeforePeephole);
    const float a = late ? gates.Clipped(GatePlace::kRecurrent, linear(gate)) : linear(gate);
    return a + peephole(place, c);
  };
  float gi = gates.Recurrent(LstmGate::kInput, recurrent(LstmGate::kInput, LstmPeephole::kInput, c_prev));
  const float extra = net.On(Mutation::kForgetBiasOne) ? 1 : 0;
  float gf = gates.Recurrent(LstmGate::kForget, recurrent(LstmGate::kForget, LstmPeephole::kForget, c_prev) + extra);
  const bool coupled = net.p.Gates().forget == ForgetGate::kRestOfInput && !net.On(Mutation::kInputForgetIgnored);
  if (coupled && net.On(Mutation::kInputOfForget)) {
    gi = 1 - gf;
  } else if (coupled || net.On(Mutation::kCoupledForget)) {
    gf = 1 - gi;
  }
  const float gc = gates.Candidate(LstmGate::kCandidate, linear(LstmGate::kCandidate));
  float c = gf * c_prev + gi * gc;
  if (net.On(Mutation::kCellClipped)) c = std::isnan(c) ? c : std::min(std::max(c, -3.f), 3.f);
  if (net.On(Mutation::kCellStateInBf16)) c = RoundBf16(c);
  step->gate[LstmGate::kInput][i.at] = gi, step->gate[LstmGate::kForget][i.at] = gf;
  step->gate[LstmGate::kCandidate][i.at] = gc;
  step->c_seen[i.at] = c;
}

// Of the c whose tanh is taken, and of the one that the peephole sees.
void LstmOutput(const FaultyNetwork& net, const Row& row, const Unit& i, float c, float peeped, FaultyStep* step) {
  const FaultyArithmetic& math = net.math;
  const FaultyGates gates(net, step, i.at, i.o);
  const float seen = net.On(Mutation::kPeepholeOldC) ? step->c_prev[i.at] : peeped;
  float linear = row.Linear(LstmGate::kOutput, i.o) + row.B(LstmGate::kOutput, i.o);
  if (net.On(Mutation::kClipBeforePeephole)) linear = gates.Clipped(GatePlace::kRecurrent, linear);
  const float go = gates.OutputGate(LstmGate::kOutput, linear + Peephole(net, row, LstmPeephole::kOutput, i.o, seen));
  step->gate[LstmGate::kOutput][i.at] = go;
  const float read = net.On(Mutation::kTanhOfStoredC) ? math.Store(CellStateType(net.p), c) : c;
  step->h_hat[i.at] = go * (net.On(Mutation::kOutputWithoutTanh) ? c : gates.OutputOf(read));
}

void LstmRow(const FaultyNetwork& net, const Row& row, Dim n, FaultyStep* step) {
  const Dim dhc = net.p.dhc, first = n * dhc;
  for (Dim o = 0; o < dhc; ++o) LstmState(net, row, {n, o, first + o}, step);
  float* c = step->c_seen.data() + first;
  const Floats raw(c, c + dhc);
  const FaultyNorms& norms = row.norms();
  if (norms.KeepsCellState()) norms.Normalize(norms.PlaceOfCellState(), 1, c);
  Floats shown(c, c + dhc);
  if (norms.ShowsCellState()) norms.Normalize(norms.PlaceOfCellState(), 1, shown.data());
  for (Dim o = 0; o < dhc; ++o) {
    const size_t at = static_cast<size_t>(o);
    const float peeped = net.On(Mutation::kNormPeepholeSeesRawC) ? raw[at] : c[at];
    LstmOutput(net, row, {n, o, first + o}, shown[at], peeped, step);
  }
}

// The weight of the old state: u after attention.
float Attended(const FaultyNetwork& net, Dim t, Dim n, float u) {
  if (net.attention.empty() || net.On(Mutation::kAttentionIgnored)) return u;
  if (net.On(Mutation::kAttentionOfFirstStep)) t = 0;
  if (net.On(Mutation::kAttentionOfFirstRow)) n = 0;
  const float a = net.attention[static_cast<size_t>(t * net.p.mb + n)];
  return net.On(Mutation::kAttentionNotComplemented) ? a * u : (1 - a) * u;
}

void Mix(const FaultyNetwork& net, const Row& row, Dim t, const Unit& i, FaultyStep* step) {
  float u = Attended(net, t, i.n, step->gate[GruGate::kUpdate][i.at]);
  if (net.On(Mutation::kUpdateGateComplemented)) u = 1 - u;
  step->h_hat[i.at] = u * row.KeptH(i.o) + (1 - u) * step->gate[GruGate::kCandidate][i.at];
}

void GruGates(const FaultyNetwork& net, const Row& row, const Unit& i, FaultyStep* step) {
  for (const Dim g : {GruGate::kUpdate, GruGate::kReset}) {
    step->gate[g][i.at] = FaultyGates(net, step, i.at, i.o).Recurrent(g, row.Linear(g, i.o) + row.B(g, i.o));
  }
}

// Reset before the linear layer. `r_h` is [sic] of stored states.
float GruCandidate(const FaultyNetwork& net, const Row& row, const Unit& i, const float* r_h, float extra,
                   FaultyStep* step) {
  constexpr Dim kGate = GruGate::kCandidate;
  const float linear = row.norms().OfProducts()
                           ? row.Linear(kGate, i.o)
                           : row.Real(kGate, i.o, row.Layer(kGate, i.o), row.Iter(kGate, i.o, r_h));
  return FaultyGates(net, step, i.at, i.o).Candidate(kGate, linear + row.B(kGate, i.o) + extra);
}

float LbrCandidate(const FaultyNetwork& net, const Row& row, const Unit& i, FaultyStep* step) {
  const float r = step->gate[GruGate::kReset][i.at], bias = row.B(GruGate::kCandidate, i.o);
  const float hidden_bias = IsLinearBeforeReset(net.p.cell) ? row.B(GruGate::kUPrime, i.o) : 0;
  const float product = row.RealIter(GruGate::kCandidate, i.o);
  const float linear = product + hidden_bias;
  step->linear[i.at] = net.On(Mutation::kLbrResetMissesBias) ? product : linear;  // what backward reads
  const float layer = row.RealLayer(GruGate::kCandidate, i.o);
  const FaultyGates gates(net, step, i.at, i.o);
  float sum = layer + r * linear + bias;
  if (net.On(Mutation::kLbrBiasOutsideReset)) sum = layer + r * product + hidden_bias + bias;
  if (net.On(Mutation::kLbrClipBeforeReset)) sum = layer + r * gates.Clipped(GatePlace::kCandidate, linear) + bias;
  return gates.Candidate(GruGate::kCandidate, sum);
}

void GruRow(const FaultyNetwork& net, Row& row, Dim t, Dim n, FaultyStep* step) {
  const RnnProblem& p = net.p;
  const bool lbr = IsLinearBeforeReset(p.cell);
  const bool after = (lbr && !net.On(Mutation::kLbrAsGru)) || (!lbr && net.On(Mutation::kGruAsLbr) && !p.IsInt8());
  Floats r_h(static_cast<size_t>(p.sic));
  for (Dim o = 0; o < p.dhc; ++o) {
    const Unit i = {n, o, n * p.dhc + o};
    GruGates(net, row, i, step);
    r_h[static_cast<size_t>(o)] = net.math.StoreState(step->gate[GruGate::kReset][i.at] * row.H(o));
  }
  if (WaitsForReset(p.cell)) row.Normalize(GruGate::kCandidate, 1, r_h.data());
  for (Dim o = 0; o < p.dhc; ++o) {
    const Unit i = {n, o, n * p.dhc + o};
    step->gate[GruGate::kCandidate][i.at] =
        after ? LbrCandidate(net, row, i, step)
              : GruCandidate(net, row, i, r_h.data(), lbr ? row.B(GruGate::kUPrime, o) : 0, step);
    Mix(net, row, t, i, step);
  }
}

// The vector tails that some kernels get wrong.
void SpoilTail(const FaultyNetwork& net, Dim n, FaultyStep* step) {
  const Dim dhc = net.p.dhc;
  if (dhc % 8 == 0 || dhc < 2) return;
  const Dim last = n * dhc + dhc - 1;
  if (net.On(Mutation::kTailLaneDuplicated)) step->h_hat[last] = step->h_hat[last - 1];
  if (net.On(Mutation::kTailLaneUnwritten)) step->h_hat[last] = 0;
}

void Project(const FaultyNetwork& net, Dim l, Dim d, Dim n, FaultyStep* step) {
  const RnnProblem& p = net.p;
  const ScaleVector& scales = p.attr.rnn_weights_projection;
  const float* h_hat = step->h_hat.data() + n * p.dhc;
  for (Dim j = 0; j < p.dic; ++j) {
    const OperandRows rows = {step->h_hat.data(), p.dhc, p.mb};
    double sum = p.IsDynamic() ? FaultyBytes(net.math, h_hat, rows, rows).Product(p.dhc, net.R(l, d, j), net.RStride())
                               : net.math.Dot(p.dhc, net.R(l, d, j), net.RStride(), h_hat, 1);
    if (p.HasByteWeights()) {
      const double scale = scales.mask == 0 ? scales.values[0] : scales.values[static_cast<size_t>(j)];
      double column = 0;
      for (Dim k = 0; k < p.dhc; ++k) column += net.R(l, d, j)[k * net.RStride()];
      sum = net.math.int8() ? (sum - net.math.zero_point() * column) / (net.math.scale() * scale) : sum / scale;
    }
    step->h[n * p.dic + j] = net.math.StoreState(static_cast<float>(sum));
  }
}

// One row of the batch: computes the cell, passes h through the scratchpad, stores.
void RunRow(const FaultyNetwork& net, Dim l, Dim d, Dim t, Dim n, FaultyStep* step) {
  const RnnProblem& p = net.p;
  Row row(net, l, d, t, n, *step);
  switch (p.cell) {
    case Cell::kVanillaRnn:
      for (Dim o = 0; o < p.dhc; ++o) Vanilla(net, row, {n, o, n * p.dhc + o}, step);
      break;
    case Cell::kLstm:
      LstmRow(net, row, n, step);
      break;
    case Cell::kGru:
    case Cell::kLbrGru:
    case Cell::kAugru:
    case Cell::kLbrAugru:
      GruRow(net, row, t, n, step);
      break;
  }
  SpoilTail(net, n, step);
  net.scratch.PassThrough(n, step->h_hat.data() + n * p.dhc);
  for (Dim o = 0; o < p.dhc; ++o) {
    float& h = step->h_hat[n * p.dhc + o];
    h = net.math.StoreState(h);
    const DataType c_type = net.On(Mutation::kCellStateUnrounded) ? DataType::kF32 : CellStateType(p);
    step->c[n * p.dhc + o] = net.math.Store(c_type, step->c_seen[n * p.dhc + o]);
    if (!p.HasProjection()) step->h[n * p.dhc + o] = h;
  }
  if (p.HasProjection()) Project(net, l, d, n, step);
}

// Even rows in one thread, odd rows in another. Both start at the same time, as the threads of a team do.
void RunRowsInTwoThreads(Dim rows, const std::function<void(Dim)>& run_row) {
  std::atomic<int> waiting{2};
  const auto work = [&](Dim first) {
    --waiting;
    while (waiting > 0) std::this_thread::yield();
    for (Dim n = first; n < rows; n += 2) run_row(n);
  };
  std::thread other(work, 1);
  work(0);
  other.join();
}

}  // namespace

void RunFaultyCell(const FaultyNetwork& net, Dim l, Dim d, Dim t, FaultyStep* step) {
  const RnnProblem& p = net.p;
  const size_t units = static_cast<size_t>(p.mb * p.dhc);
  for (auto* gates : {&step->gate, &step->pre}) {
    for (Floats& gate : *gates) gate.assign(units, 0);
  }
  for (Floats* f : {&step->linear, &step->h_hat, &step->c, &step->c_seen}) f->assign(units, 0);
  step->h.assign(static_cast<size_t>(p.mb * p.dic), 0);
  const auto run_row = [&](Dim n) { RunRow(net, l, d, t, n, step); };
  if (net.On(Mutation::kThreadsShareScratch)) return RunRowsInTwoThreads(p.mb, run_row);
  for (Dim n = 0; n < p.mb; ++n) {
    if (n % net.threads < net.sharing) run_row(n);
  }
}

}  // namespace tandem::conformance
