#include <algorithm>
#include <cmath>

#include "api/core/gates.h"
#include "conformance/faulty/faulty_gates.h"
#include "conformance/faulty/faulty_masks.h"
#include "conformance/faulty/faulty_norm.h"

namespace tandem::conformance {
namespace {

class CellBackward {
 public:
  CellBackward(const FaultyNetwork& net, const FaultyStep& step, const FaultyArrival& in, const FaultySums& sums)
      : net_(net), p_(net.p), slopes_(net, step), step_(step), in_(in), sums_(sums), norms_(net, in.l, in.d) {
    const size_t units = static_cast<size_t>(p_.mb * p_.dhc);
    for (Floats& f : out_.gate) f.assign(units, 0);
    for (Floats* f : {&out_.hidden_bias, &out_.h_direct, &out_.c_prev, &out_.r_h}) f->assign(units, 0);
  }

  FaultyDelta Run() {
    for (Dim n = 0; n < p_.mb; ++n) {
      for (Dim o = 0; o < p_.dhc; ++o) {
        switch (p_.cell) {
          case Cell::kVanillaRnn:
            Vanilla(n * p_.dhc + o);
            break;
          case Cell::kLstm:
            if (o == 0) LstmRow(n);
            break;
          case Cell::kGru:
          case Cell::kLbrGru:
          case Cell::kAugru:
          case Cell::kLbrAugru:
            GruFirst(n, o);
            break;
        }
      }
    }
    out_.iter_gate = out_.gate;
    if (IsLinearBeforeReset(p_.cell)) LbrRest();
    out_.bias = out_.gate;
    if (WaitsForReset(p_.cell)) {
      GruRest();
    } else {
      ThroughNorms(0, p_.n_gates, step_.h_prev);
    }
    return std::move(out_);
  }

 private:
  bool On(Mutation m) const { return net_.On(m); }
  // A saved gate, as the workspace holds it.
  float Gate(Dim g, Dim i) const {
    const float y = step_.gate[static_cast<size_t>(g)][i];
    return On(Mutation::kGatesSavedInBf16) ? RoundBf16(y) : net_.math.Store(net_.math.state_type(), y);
  }
  float Delta(float x) const { return net_.math.Store(net_.math.state_type(), x); }
  // Of gate g, whose value is y.
  float RecurrentSlope(Dim g, Dim i, float y) const { return slopes_.Recurrent(g, i, SigmoidSlope(y)); }
  float CandidateSlope(Dim g, Dim i, float y) const { return slopes_.Candidate(g, i, TanhSlope(y)); }
  float SigmoidSlope(float y) const { return On(Mutation::kDerivativeOfInput) ? y : y * (1 - y); }
  float TanhSlope(float y) const {
    const float slope = 1 - y * y;
    return On(Mutation::kDerivativeTwice) ? slope * slope : slope;
  }

  void Vanilla(Dim i) {
    const float y = step_.h_hat[i];
    float slope = 0;
    const float clip = p_.Gates().clip;
    const float linear = clip == 0.f ? step_.linear[i] : std::min(std::max(step_.linear[i], -clip), clip);
    const bool beyond = linear != step_.linear[i] && !On(Mutation::kClipPassesGradient);
    switch (p_.activation) {
      case Activation::kRelu:
        slope = linear > 0 ? 1 : On(Mutation::kReluDerivativeIgnoresAlpha) ? 0 : p_.alpha;
        break;
      case Activation::kTanh:
        slope = TanhSlope(y);
        break;
      case Activation::kLogistic:
        slope = SigmoidSlope(y);
        break;
      case Activation::kThresholdedRelu:
      case Activation::kHardSigmoid:
      case Activation::kSoftsign:
      case Activation::kSoftplus:
      case Activation::kElu:
      case Activation::kAffine:
      case Activation::kScaledTanh:
        slope = net_.math.ActivationSlope(p_.Function(), linear);
        break;
    }
    out_.gate[VanillaGate::kOnly][i] = Delta(in_.h[i] * (beyond ? 0 : slope));
  }

  // Of `gates` gates from `first` on, whose U multiplied `h`.
  void ThroughNorms(Dim first, Dim gates, const Floats& h) {
    if (!norms_.OfProducts()) return;
    for (Dim n = 0; n < p_.mb; ++n) {
      const float* row = h.data() + n * p_.sic;
      ThroughNorm(n, false, {first, gates, row}, &out_.gate);
      if (norms_.HasParts()) {
        ThroughNorm(n, true, {first, gates, row}, &out_.iter_gate);
      } else {
        for (size_t g = static_cast<size_t>(first); g < static_cast<size_t>(first + gates); ++g)
          out_.iter_gate[g] = out_.gate[g];
      }
    }
  }
  struct Products {
    Dim first, gates;
    const float* h;
  };
  void ThroughNorm(Dim n, bool iter, const Products& of, std::array<Floats, 4>* delta) {
    const Dim dhc = p_.dhc;
    const Floats v = FaultyProducts(net_, in_.l, in_.d, step_, n, iter, of.first, of.gates, of.h);
    Floats diff(v.size());
    const auto element = [&](Dim i) -> float& {
      return (*delta)[static_cast<size_t>(of.first + i / dhc)][n * dhc + i % dhc];
    };
    for (Dim i = 0; i < of.gates * dhc; ++i) diff[i] = element(i);
    norms_.Backward(norms_.PlaceOf(of.first, iter), of.gates, v.data(), diff.data(), sums_.norm_gain,
                    sums_.norm_offset);
    for (Dim i = 0; i < of.gates * dhc; ++i) element(i) = Delta(diff[i]);
  }

  // dc of row n passes the norm of c, which needs all units.
  void ThroughCellNorm(const Floats& c, Floats* dc) {
    if (On(Mutation::kNormCellGradientMissing)) return;
    norms_.Backward(norms_.PlaceOfCellState(), 1, c.data(), dc->data(), sums_.norm_gain, sums_.norm_offset);
  }

  void LstmRow(Dim n) {
    const Dim first = n * p_.dhc;
    const auto begin = [first](const Floats& f) { return f.begin() + first; };
    Floats shown(begin(step_.c), begin(step_.c) + p_.dhc);
    if (norms_.ShowsCellState()) norms_.Normalize(norms_.PlaceOfCellState(), 1, shown.data());
    Floats dc(static_cast<size_t>(p_.dhc)), tc = dc, raw = dc;
    for (Dim o = 0; o < p_.dhc; ++o) {
      const Dim i = first + o;
      tc[o] = slopes_.OutputOf(shown[o]);
      const float slope = On(Mutation::kCellGradientMissesTanh) ? 1 : slopes_.Output(shown[o], TanhSlope(tc[o]));
      dc[o] = in_.h[i] * Gate(LstmGate::kOutput, i) * slope;
      raw[o] = Gate(LstmGate::kForget, i) * step_.c_prev[i] + Gate(LstmGate::kInput, i) * Gate(LstmGate::kCandidate, i);
    }
    if (norms_.ShowsCellState()) ThroughCellNorm(Floats(begin(step_.c), begin(step_.c) + p_.dhc), &dc);
    for (Dim o = 0; o < p_.dhc; ++o) {
      dc[o] += in_.c[first + o];
      const float go = Gate(LstmGate::kOutput, first + o);
      const float delta_o = in_.h[first + o] * tc[o] * RecurrentSlope(LstmGate::kOutput, first + o, go);
      if (!On(Mutation::kPeepholeGradientMissesDc)) dc[o] += delta_o * net_.P(in_.l, in_.d, LstmPeephole::kOutput, o);
    }
    if (norms_.KeepsCellState()) ThroughCellNorm(raw, &dc);
    for (Dim o = 0; o < p_.dhc; ++o) Lstm(n, o, tc[o], dc[o]);
  }

  void Lstm(Dim n, Dim o, float tc, float dc) {
    const Dim i = n * p_.dhc + o;
    const float gi = Gate(LstmGate::kInput, i), gf = Gate(LstmGate::kForget, i);
    const float gc = Gate(LstmGate::kCandidate, i), go = Gate(LstmGate::kOutput, i);
    const float c_prev = On(Mutation::kWorkspaceTimeShift) ? step_.c[i] : step_.c_prev[i];
    const float delta_o = in_.h[i] * tc * RecurrentSlope(LstmGate::kOutput, i, go);
    const bool coupled = p_.Gates().forget == ForgetGate::kRestOfInput;
    const bool f_has_gradient = !coupled || On(Mutation::kCoupledForgetHasGradient);
    const float through_f = coupled && !On(Mutation::kCoupledInputMissesForget) ? dc * c_prev : 0;
    const float delta_f = f_has_gradient ? dc * c_prev * RecurrentSlope(LstmGate::kForget, i, gf) : 0;
    const float delta_i = (dc * gc - through_f) * RecurrentSlope(LstmGate::kInput, i, gi);
    out_.c_prev[i] = On(Mutation::kCellGradientMissesF) ? dc : dc * gf;
    if (!On(Mutation::kPeepholeGradientMissesPrev)) {
      out_.c_prev[i] += delta_i * net_.P(in_.l, in_.d, LstmPeephole::kInput, o) +
                        delta_f * net_.P(in_.l, in_.d, LstmPeephole::kForget, o);
    }
    out_.gate[LstmGate::kInput][i] = Delta(delta_i);
    out_.gate[LstmGate::kForget][i] = Delta(delta_f);
    out_.gate[LstmGate::kCandidate][i] = Delta(dc * gi * CandidateSlope(LstmGate::kCandidate, i, gc));
    out_.gate[LstmGate::kOutput][i] = Delta(delta_o);
    if (!p_.HasPeephole()) return;
    const Dim stack = in_.l * p_.n_dir + in_.d;
    float* dp = sums_.peephole->data() + stack * TraitsOf(p_.cell).peepholes * p_.dhc + o;
    const float seen = On(Mutation::kPeepholeOuterOldC) ? step_.c_prev[i] : step_.c[i];
    dp[LstmPeephole::kInput * p_.dhc] += out_.gate[LstmGate::kInput][i] * step_.c_prev[i];
    dp[LstmPeephole::kForget * p_.dhc] += out_.gate[LstmGate::kForget][i] * step_.c_prev[i];
    dp[LstmPeephole::kOutput * p_.dhc] += out_.gate[LstmGate::kOutput][i] * seen;
  }

  // du and do, and the attention's gradient.
  void GruFirst(Dim n, Dim o) {
    const Dim i = n * p_.dhc + o;
    const bool attended = !net_.attention.empty();
    const bool onednn = p_.attr.reading == Reading::kOnednn;
    const float a = attended ? net_.attention[static_cast<size_t>(in_.t * p_.mb + n)] : 0;
    const float u = Gate(GruGate::kUpdate, i), oo = Gate(GruGate::kCandidate, i), dh = in_.h[i];
    const float h = step_.h_kept.empty() ? step_.h_prev[i] : step_.h_kept[i];
    const bool raw = attended && (onednn || On(Mutation::kAttentionGradientRawU));
    const float weight = raw ? u : (1 - a) * u;
    const float complement = On(Mutation::kUpdateComplementMissing) ? 1 : 1 - weight;
    candidate_.push_back(dh * complement * CandidateSlope(GruGate::kCandidate, i, oo));
    out_.gate[GruGate::kCandidate][i] = Delta(candidate_.back());
    const float through_u = dh * (h - oo);
    const float scale = On(Mutation::kAttentionGradientMissesScale) ? 1 : 1 - a;
    out_.gate[GruGate::kUpdate][i] = Delta(through_u * scale * RecurrentSlope(GruGate::kUpdate, i, u));
    if (!On(Mutation::kStateGradientMissesU)) out_.h_direct[i] = dh * weight;
    if (!attended) return;
    const bool extra = onednn || On(Mutation::kAttentionGradientExtraFactor);
    (*sums_.attention)[static_cast<size_t>(in_.t * p_.mb + n)] -= through_u * u * (extra ? u * (1 - u) : 1);
  }

  void LbrRest() {
    for (size_t i = 0; i < candidate_.size(); ++i) {
      const float r = Gate(GruGate::kReset, static_cast<Dim>(i));
      const float linear = net_.math.Store(net_.math.state_type(), step_.linear[i]);
      const float seen = On(Mutation::kLbrResetFromState) ? step_.h_prev[i] : linear;
      out_.gate[GruGate::kReset][i] = out_.iter_gate[GruGate::kReset][i] =
          Delta(candidate_[i] * seen * RecurrentSlope(GruGate::kReset, static_cast<Dim>(i), r));
      out_.hidden_bias[i] = Delta(candidate_[i] * r);
      out_.iter_gate[GruGate::kCandidate][i] =
          On(Mutation::kLbrOuterUsesDo) ? out_.gate[GruGate::kCandidate][i] : out_.hidden_bias[i];
      if (On(Mutation::kLbrHiddenBiasGradientUngated)) out_.hidden_bias[i] = out_.gate[GruGate::kCandidate][i];
    }
  }

  // s = U_o do, through the product r h.
  void GruRest() {
    ThroughNorms(GruGate::kCandidate, 1, ResetStates());
    for (Dim n = 0; n < p_.mb; ++n) {
      for (Dim k = 0; k < p_.sic; ++k) {
        const Dim i = n * p_.dhc + k;
        float s = 0;
        for (Dim o = 0; o < p_.dhc; ++o) {
          s += net_.U(in_.l, in_.d, GruGate::kCandidate, o)[k * net_.UStride()] *
               out_.iter_gate[GruGate::kCandidate][n * p_.dhc + o];
        }
        const float r = Gate(GruGate::kReset, i), h = step_.h_prev[i];
        out_.gate[GruGate::kReset][i] = out_.iter_gate[GruGate::kReset][i] =
            Delta(s * h * RecurrentSlope(GruGate::kReset, i, r));
        if (!On(Mutation::kStateGradientMissesReset)) out_.h_direct[i] += MaskOfIterGradient(net_, in_, n, k) * s * r;
        out_.r_h[i] = On(Mutation::kGruOuterUsesH) ? h : net_.math.StoreState(r * h);
      }
    }
    out_.bias[GruGate::kReset] = out_.gate[GruGate::kReset];
    ThroughNorms(GruGate::kUpdate, 2, step_.h_prev);
  }
  // r * h' as the product read it.
  Floats ResetStates() const {
    Floats r_h(step_.h_prev.size());
    for (Dim i = 0; norms_.OfProducts() && i < static_cast<Dim>(r_h.size()); ++i) {
      r_h[i] = net_.math.StoreState(Gate(GruGate::kReset, i) * step_.h_prev[i]);
    }
    return r_h;
  }

  const FaultyNetwork& net_;
  const RnnProblem& p_;
  const FaultySlopes slopes_;
  const FaultyStep& step_;
  const FaultyArrival& in_;
  const FaultySums sums_;
  const FaultyNorms norms_;
  Floats candidate_;  // do before it is stored
  FaultyDelta out_;
};

}  // namespace

FaultyDelta FaultyCellBackward(const FaultyNetwork& net, const FaultyStep& step, const FaultyArrival& in,
                               const FaultySums& sums) {
  return CellBackward(net, step, in, sums).Run();
}

}  // namespace tandem::conformance
