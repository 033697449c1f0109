// Forward and backward of all cells as plain loops over Tracked numbers: what the training test compares with. Written
// from the equations, without the reference.
#ifndef TANDEM_OPTIMIZED_TESTS_TRAINING_MODEL_TESTING_H_
#define TANDEM_OPTIMIZED_TESTS_TRAINING_MODEL_TESTING_H_

#include <array>
#include <vector>

#include "api/core/rnn/rnn_problem.h"
#include "optimized/tests/tracked_testing.h"

namespace tandem {
namespace optimized {

using Vector = std::vector<Tracked>;

class TrainingModel {
 public:
  // A backward problem, and the values of its tensors, row-major. Absent ones are empty and count as zeros.
  TrainingModel(const RnnProblem& problem, std::array<std::vector<double>, kNumTensors> in)
      : p_(problem), in_(std::move(in)) {
    for (int tensor = 0; tensor < kNumTensors; ++tensor) {
      out[tensor].resize(p_.Has(static_cast<Tensor>(tensor)) ? NumElements(p_.md[tensor]) : 0);
    }
    steps_.resize(p_.n_layer * p_.n_dir * p_.n_iter * p_.mb);
  }

  void Run() {
    for (Dim d = 0; d < p_.n_dir; ++d) {
      for (Dim l = 0; l < p_.n_layer; ++l) {
        for (Dim s = 0; s < p_.n_iter; ++s) {
          for (Dim n = 0; n < p_.mb; ++n) Forward(l, d, Time(d, s), n);
        }
      }
    }
    for (Dim d = 0; d < p_.n_dir; ++d) {
      diff_sequence_.assign(p_.n_iter * p_.mb, Vector());
      for (Dim l = p_.n_layer - 1; l >= 0; --l) {
        for (Dim n = 0; n < p_.mb; ++n) BackwardSequence(l, d, n);
      }
      for (Dim i = 0; i < p_.n_iter * p_.mb; ++i) {
        for (Dim k = 0; k < p_.slc; ++k) {
          Tracked& to = out[kDiffSrcLayer][i * p_.slc + k];
          to = d == 0 ? diff_sequence_[i][k] : to + diff_sequence_[i][k];
        }
      }
    }
    FinishSums();
  }

  std::array<Vector, kNumTensors> out;  // every diff_* that backward writes, row-major

 private:
  struct Step {
    Vector x, h_prev, c_prev, gate[4], linear, c, h_hat, h;
    Tracked a;
  };

  Dim Time(Dim d, Dim s) const { return d == 1 || p_.direction == Direction::kRight2Left ? p_.n_iter - 1 - s : s; }
  Step& At(Dim l, Dim d, Dim t, Dim n) { return steps_[((l * p_.n_dir + d) * p_.n_iter + t) * p_.mb + n]; }
  Tracked In(Tensor tensor, Dim index) const { return Exactly(in_[tensor].empty() ? 0 : in_[tensor][index]); }
  Tracked Weight(Tensor tensor, Dim l, Dim d, Dim k, Dim g, Dim o) const {
    const Dim* dims = p_.md[tensor].dims;
    return In(tensor, (((l * dims[1] + d) * dims[2] + k) * dims[3] + g) * dims[4] + o);
  }
  Tracked Projection(Dim l, Dim d, Dim k, Dim o) const {
    return In(kWeightsProjection, ((l * p_.n_dir + d) * p_.dhc + k) * p_.dic + o);
  }
  Tracked PerUnit(Tensor tensor, Dim l, Dim d, Dim g, Dim gates, Dim o) const {
    return In(tensor, ((l * p_.n_dir + d) * gates + g) * p_.dhc + o);
  }
  Vector State(Tensor tensor, Dim l, Dim d, Dim n, Dim size) const {
    Vector v(size);
    for (Dim i = 0; i < size; ++i) v[i] = In(tensor, ((l * p_.n_dir + d) * p_.mb + n) * size + i);
    return v;
  }
  Tracked Store(Tracked x) const { return StoredAs(p_.SrcType(), x); }
  Vector Store(Vector v) const {
    for (Tracked& x : v) x = Store(x);
    return v;
  }
  bool Lbr() const { return IsLinearBeforeReset(p_.cell); }

  Tracked Dot(Tensor tensor, Dim l, Dim d, Dim g, Dim o, const Vector& v, Tracked start) const {
    TrackedSum sum;
    sum.Add(start);
    for (size_t k = 0; k < v.size(); ++k) sum.Add(v[k] * Weight(tensor, l, d, static_cast<Dim>(k), g, o));
    return sum.Get();
  }

  void Forward(Dim l, Dim d, Dim t, Dim n) {
    Step& s = At(l, d, t, n);
    const Dim dhc = p_.dhc;
    const Dim before = d == 1 || p_.direction == Direction::kRight2Left ? t + 1 : t - 1;
    const bool initial = before < 0 || before == p_.n_iter;
    if (l > 0) {
      s.x = At(l - 1, d, t, n).h;
    } else {
      for (Dim k = 0; k < p_.slc; ++k) s.x.push_back(In(kSrcLayer, (t * p_.mb + n) * p_.slc + k));
    }
    s.h_prev = initial ? State(kSrcIter, l, d, n, p_.sic) : At(l, d, before, n).h;
    s.c_prev = initial ? State(kSrcIterC, l, d, n, dhc) : At(l, d, before, n).c;
    s.a = In(kAugruAttention, t * p_.mb + n);
    for (Vector& g : s.gate) g.resize(dhc);
    s.linear.resize(dhc);
    s.c.resize(dhc);
    s.h_hat.resize(dhc);
    const auto input = [&](Dim g, Dim o) {
      return Dot(kWeightsLayer, l, d, g, o, s.x, PerUnit(kBias, l, d, g, p_.n_bias_gates, o));
    };
    const auto both = [&](Dim g, Dim o) { return Dot(kWeightsIter, l, d, g, o, s.h_prev, input(g, o)); };
    for (Dim o = 0; o < dhc; ++o) {
      if (p_.cell == Cell::kVanillaRnn) ForwardRnn(&s, o, both(0, o));
      if (p_.cell == Cell::kLstm) ForwardLstm(&s, l, d, o, both);
      if (IsGruFamily(p_.cell)) {
        s.gate[0][o] = Sigmoid(both(0, o));
        s.gate[1][o] = Sigmoid(both(1, o));
      }
    }
    if (IsGruFamily(p_.cell)) ForwardCandidate(&s, l, d, input);
    s.h = Store(s.h_hat);
    s.h_hat = s.h;
    if (p_.HasProjection()) {
      s.h.assign(p_.dic, Tracked());
      for (Dim o = 0; o < p_.dic; ++o) {
        TrackedSum sum;
        for (Dim k = 0; k < dhc; ++k) sum.Add(s.h_hat[k] * Projection(l, d, k, o));
        s.h[o] = Store(sum.Get());
      }
    }
  }

  void ForwardRnn(Step* s, Dim o, Tracked pre) {
    s->linear[o] = pre;
    const Tracked relu = pre.v > 0 ? pre : pre * Exactly(p_.alpha);
    s->h_hat[o] = p_.activation == Activation::kRelu   ? relu
                  : p_.activation == Activation::kTanh ? Tanh(pre)
                                                       : Sigmoid(pre);
  }

  template <class Pre>
  void ForwardLstm(Step* s, Dim l, Dim d, Dim o, const Pre& pre) {
    const auto peephole = [&](Dim g) { return PerUnit(kWeightsPeephole, l, d, g, 3, o); };
    const Tracked i = Sigmoid(pre(0, o) + peephole(0) * s->c_prev[o]);
    const Tracked f = Sigmoid(pre(1, o) + peephole(1) * s->c_prev[o]);
    const Tracked g = Tanh(pre(2, o));
    const Tracked c = f * s->c_prev[o] + i * g;
    const Tracked gate_o = Sigmoid(pre(3, o) + peephole(2) * c);
    s->gate[0][o] = i;
    s->gate[1][o] = f;
    s->gate[2][o] = g;
    s->gate[3][o] = gate_o;
    s->c[o] = c;
    s->h_hat[o] = gate_o * Tanh(c);
  }

  template <class Input>
  void ForwardCandidate(Step* s, Dim l, Dim d, const Input& input) {
    Vector reset = s->h_prev;
    for (Dim k = 0; k < p_.dhc; ++k) reset[k] = Store(s->gate[1][k] * s->h_prev[k]);
    for (Dim o = 0; o < p_.dhc; ++o) {
      if (Lbr()) {
        s->linear[o] = Dot(kWeightsIter, l, d, 2, o, s->h_prev, PerUnit(kBias, l, d, 3, 4, o));
        s->gate[2][o] = Tanh(input(2, o) + s->gate[1][o] * s->linear[o]);
      } else {
        s->gate[2][o] = Tanh(Dot(kWeightsIter, l, d, 2, o, reset, input(2, o)));
      }
      const Tracked u = HasAttention(p_.cell) ? (Exactly(1) - s->a) * s->gate[0][o] : s->gate[0][o];
      s->h_hat[o] = u * s->h_prev[o] + (Exactly(1) - u) * s->gate[2][o];
    }
  }

  // y - y^2 and 1 - y^2 with the error of y counted once, by the slopes 1 - 2 y and 2 y.
  static Tracked SigmoidSlope(Tracked y) {
    const double v = y.v - y.v * y.v;
    return Rounded(v, std::fabs(1 - 2 * y.v) * y.e + y.e * y.e + kRoundoff * y.v * y.v);
  }
  static Tracked TanhSlope(Tracked y) {
    const double v = 1 - y.v * y.v;
    return Rounded(v, 2 * std::fabs(y.v) * y.e + y.e * y.e + kRoundoff * y.v * y.v);
  }

  void BackwardSequence(Dim l, Dim d, Dim n) {
    Vector diff_h = State(kDiffDstIter, l, d, n, p_.dic), diff_c = State(kDiffDstIterC, l, d, n, p_.dhc);
    for (Dim s = p_.n_iter - 1; s >= 0; --s) {
      const Dim t = Time(d, s);
      Vector& sequence = diff_sequence_[t * p_.mb + n];
      for (Dim i = 0; i < p_.dic; ++i) {
        const bool concat = p_.direction == Direction::kBidirectionalConcat;
        const Dim at = (t * p_.mb + n) * p_.dlc + (concat ? d * p_.dic : 0) + i;
        diff_h[i] = diff_h[i] + (l == p_.n_layer - 1 ? In(kDiffDstLayer, at) : sequence[i]);
      }
      BackwardStep(l, d, t, n, &diff_h, &diff_c, &sequence);
    }
    Put(kDiffSrcIter, l, d, n, diff_h);
    Put(kDiffSrcIterC, l, d, n, diff_c);
  }

  void Put(Tensor tensor, Dim l, Dim d, Dim n, const Vector& v) {
    if (out[tensor].empty()) return;
    std::copy(v.begin(), v.end(), out[tensor].begin() + ((l * p_.n_dir + d) * p_.mb + n) * v.size());
  }

  void BackwardStep(Dim l, Dim d, Dim t, Dim n, Vector* diff_h, Vector* diff_c, Vector* diff_x) {
    const Step& s = At(l, d, t, n);
    if (p_.HasProjection()) {
      *diff_h = Store(*diff_h);
      Vector diff_hat(p_.dhc);
      for (Dim k = 0; k < p_.dhc; ++k) {
        TrackedSum sum;
        for (Dim o = 0; o < p_.dic; ++o) {
          sum.Add((*diff_h)[o] * Projection(l, d, k, o));
          Accumulate(kDiffWeightsProjection, ((l * p_.n_dir + d) * p_.dhc + k) * p_.dic + o, s.h_hat[k] * (*diff_h)[o]);
        }
        diff_hat[k] = sum.Get();
      }
      *diff_h = diff_hat;
    }
    std::array<Vector, 4> delta;  // by gate; LBR: [3] is that of u'
    for (Vector& v : delta) v.resize(p_.dhc);
    Vector direct(p_.sic);  // of h_prev, not through a gate
    if (p_.cell == Cell::kVanillaRnn) DeltaRnn(s, *diff_h, &delta);
    if (p_.cell == Cell::kLstm) DeltaLstm(s, l, d, *diff_h, diff_c, &delta);
    if (IsGruFamily(p_.cell)) DeltaGru(s, l, d, t * p_.mb + n, *diff_h, &delta, &direct);
    Outer(s, l, d, delta);
    *diff_x = Through(kWeightsLayer, l, d, p_.slc, delta, Vector(p_.slc));
    if (Lbr()) delta[2] = delta[3];
    if (IsGruFamily(p_.cell) && !Lbr()) delta[2].assign(p_.dhc, Tracked());  // went through r * h
    *diff_h = Through(kWeightsIter, l, d, p_.sic, delta, direct);
  }

  Vector Through(Tensor weights, Dim l, Dim d, Dim size, const std::array<Vector, 4>& delta, const Vector& start) {
    Vector v(size);
    for (Dim k = 0; k < size; ++k) {
      TrackedSum sum;
      sum.Add(start[k]);
      for (Dim g = 0; g < p_.n_gates; ++g) {
        for (Dim o = 0; o < p_.dhc; ++o) sum.Add(delta[g][o] * Weight(weights, l, d, k, g, o));
      }
      v[k] = sum.Get();
    }
    return v;
  }

  void DeltaRnn(const Step& s, const Vector& diff_h, std::array<Vector, 4>* delta) {
    for (Dim o = 0; o < p_.dhc; ++o) {
      // Nearer to 0 than its error, a pre-activation may have had either sign.
      const bool either = std::fabs(s.linear[o].v) <= s.linear[o].e;
      const Tracked relu = {s.linear[o].v > 0 ? 1 : p_.alpha, either ? std::fabs(1 - p_.alpha) : 0};
      const Tracked y = s.h_hat[o];
      (*delta)[0][o] = Store(diff_h[o] * (p_.activation == Activation::kRelu   ? relu
                                          : p_.activation == Activation::kTanh ? TanhSlope(y)
                                                                               : SigmoidSlope(y)));
    }
  }

  void DeltaLstm(const Step& s, Dim l, Dim d, const Vector& diff_h, Vector* diff_c, std::array<Vector, 4>* delta) {
    for (Dim o = 0; o < p_.dhc; ++o) {
      const auto peephole = [&](Dim g) { return PerUnit(kWeightsPeephole, l, d, g, 3, o); };
      const Tracked i = s.gate[0][o], f = s.gate[1][o], g = s.gate[2][o], y = s.gate[3][o];
      const Tracked t = Tanh(s.c[o]);
      const Tracked delta_o = diff_h[o] * t * SigmoidSlope(y);
      const Tracked c = (*diff_c)[o] + diff_h[o] * y * TanhSlope(t) + delta_o * peephole(2);
      const Tracked delta_i = c * g * SigmoidSlope(i), delta_f = c * s.c_prev[o] * SigmoidSlope(f);
      (*diff_c)[o] = c * f + delta_i * peephole(0) + delta_f * peephole(1);
      (*delta)[0][o] = Store(delta_i);
      (*delta)[1][o] = Store(delta_f);
      (*delta)[2][o] = Store(c * i * TanhSlope(g));
      (*delta)[3][o] = Store(delta_o);
    }
  }

  void DeltaGru(const Step& s, Dim l, Dim d, Dim row, const Vector& diff_h, std::array<Vector, 4>* delta,
                Vector* direct) {
    const Tracked keep = Exactly(1) - s.a;
    const bool attention = HasAttention(p_.cell), spec = p_.attr.reading == Reading::kSpec;
    TrackedSum diff_a;
    Vector delta_o(p_.dhc);
    for (Dim o = 0; o < p_.dhc; ++o) {
      const Tracked u = s.gate[0][o], y = s.gate[2][o];
      const Tracked weight = attention && spec ? keep * u : u;
      const Tracked blend = diff_h[o] * (s.h_prev[o] - y);
      const Tracked by_u = blend * SigmoidSlope(u);
      diff_a.Add(-(spec ? blend * u : by_u * u));
      (*delta)[0][o] = Store(attention ? by_u * keep : by_u);
      delta_o[o] = diff_h[o] * (Exactly(1) - weight) * TanhSlope(y);
      (*delta)[2][o] = Store(delta_o[o]);
      (*direct)[o] = diff_h[o] * weight;
    }
    if (!out[kDiffAugruAttention].empty()) out[kDiffAugruAttention][row] = diff_a.Get();
    for (Dim k = 0; k < p_.dhc; ++k) {
      const Tracked r = s.gate[1][k];
      if (Lbr()) {
        (*delta)[1][k] = Store(s.linear[k] * delta_o[k] * SigmoidSlope(r));
        (*delta)[3][k] = Store(delta_o[k] * r);
        continue;
      }
      TrackedSum sum;
      for (Dim o = 0; o < p_.dhc; ++o) sum.Add((*delta)[2][o] * Weight(kWeightsIter, l, d, k, 2, o));
      const Tracked through = sum.Get();
      (*delta)[1][k] = Store(through * s.h_prev[k] * SigmoidSlope(r));
      (*direct)[k] = (*direct)[k] + through * r;
    }
  }

  void Outer(const Step& s, Dim l, Dim d, const std::array<Vector, 4>& delta) {
    const Dim slice = l * p_.n_dir + d;
    for (Dim g = 0; g < p_.n_gates; ++g) {
      for (Dim o = 0; o < p_.dhc; ++o) {
        for (Dim k = 0; k < p_.slc; ++k) {
          Accumulate(kDiffWeightsLayer, ((slice * p_.slc + k) * p_.n_gates + g) * p_.dhc + o, s.x[k] * delta[g][o]);
        }
        for (Dim k = 0; k < p_.sic; ++k) {
          Tracked state = s.h_prev[k];
          if (g == 2 && IsGruFamily(p_.cell) && !Lbr()) state = Store(s.gate[1][k] * state);
          Accumulate(kDiffWeightsIter, ((slice * p_.sic + k) * p_.n_gates + g) * p_.dhc + o,
                     state * delta[g == 2 && Lbr() ? 3 : g][o]);
        }
      }
    }
    for (Dim o = 0; o < p_.dhc; ++o) {
      for (Dim g = 0; g < p_.n_bias_gates; ++g) {
        Accumulate(kDiffBias, (slice * p_.n_bias_gates + g) * p_.dhc + o, delta[g][o]);
      }
      if (!p_.HasPeephole()) continue;
      Accumulate(kDiffWeightsPeephole, (slice * 3 + 0) * p_.dhc + o, delta[0][o] * s.c_prev[o]);
      Accumulate(kDiffWeightsPeephole, (slice * 3 + 1) * p_.dhc + o, delta[1][o] * s.c_prev[o]);
      Accumulate(kDiffWeightsPeephole, (slice * 3 + 2) * p_.dhc + o, delta[3][o] * s.c[o]);
    }
  }

  void Accumulate(Tensor tensor, Dim index, Tracked x) {
    if (out[tensor].empty()) return;
    if (sums_[tensor].empty()) sums_[tensor].resize(out[tensor].size());
    sums_[tensor][index].Add(x);
  }

  void FinishSums() {
    for (int tensor = 0; tensor < kNumTensors; ++tensor) {
      for (size_t i = 0; i < sums_[tensor].size(); ++i) {
        if (p_.diff_weights_mode() == DiffWeightsMode::kAccumulate) sums_[tensor][i].Add(Exactly(in_[tensor][i]));
        out[tensor][i] = sums_[tensor][i].Get();
      }
    }
  }

  const RnnProblem& p_;
  std::array<std::vector<double>, kNumTensors> in_;
  std::vector<Step> steps_;
  std::vector<Vector> diff_sequence_;  // [t][n]: by the output of the layer below
  std::array<std::vector<TrackedSum>, kNumTensors> sums_;
};

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_TESTS_TRAINING_MODEL_TESTING_H_
