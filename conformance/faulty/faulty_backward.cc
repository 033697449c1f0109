#include "conformance/faulty/faulty_backward.h"

#include <algorithm>

#include "conformance/faulty/faulty_masks.h"

namespace tandem::conformance {
namespace {

class Backward {
 public:
  Backward(const FaultyNetwork& net, const FaultyTrace& trace, const TensorViews& tensors)
      : net_(net), p_(net.p), trace_(trace), tensors_(tensors) {
    diff_w_.assign(net.w.size(), 0);
    diff_u_.assign(net.u.size(), 0);
    diff_p_.assign(net.peephole.size(), 0);
    diff_r_.assign(net.projection.size(), 0);
    diff_gain_.assign(net.norm_gain.size(), 0);
    diff_offset_.assign(net.norm_offset.size(), 0);
    diff_b_.assign(static_cast<size_t>(p_.n_layer * p_.n_dir * p_.n_bias_gates * p_.dhc), 0);
    diff_x_.assign(net.src_layer.size(), 0);
    diff_h0_.assign(net.src_iter.size(), 0);
    diff_c0_.assign(net.src_iter_c.size(), 0);
    diff_a_.assign(net.attention.size(), 0);
  }

  void Run() {
    for (Dim d = 0; d < p_.n_dir; ++d) {
      Floats sequence = ArrivingSequence(d);
      for (Dim l = p_.n_layer - 1; l >= 0; --l) sequence = Layer(l, d, std::move(sequence));
      if (d == 1 && On(Mutation::kDiffSrcOneDirection)) continue;
      for (size_t i = 0; i < diff_x_.size(); ++i) diff_x_[i] += sequence[i];
    }
    StoreAll();
  }

 private:
  bool On(Mutation m) const { return net_.On(m); }

  // diff_dst_layer's share of one direction, [t][n][dic].
  Floats ArrivingSequence(Dim d) const {
    const bool concat = p_.direction == Direction::kBidirectionalConcat;
    const StepWalk walk(p_, d);
    Floats sequence;
    for (Dim t = 0; t < p_.n_iter; ++t) {
      for (Dim n = 0; n < p_.mb; ++n) {
        if (!net_.IsLive(p_.n_layer - 1, d, t, n)) {
          sequence.resize(sequence.size() + static_cast<size_t>(p_.dic));
          continue;
        }
        for (Dim j = 0; j < p_.dic; ++j) {
          Dim time = t;
          if (On(Mutation::kRight2LeftGradientForwards)) time = walk.Step(t);
          Dim offset = concat && d == 1 && !On(Mutation::kRight2LeftTakesLeftHalf) ? p_.dic : 0;
          if (On(Mutation::kConcatOffsetFromSlc) && offset > 0) offset = std::min(p_.slc, p_.dic - 1);
          float diff = static_cast<float>(
              tensors_[kDiffDstLayer].Get(static_cast<size_t>((time * p_.mb + n) * p_.dlc + offset + j)));
          if (On(Mutation::kSumGradientHalved) && p_.direction == Direction::kBidirectionalSum) diff /= 2;
          const bool last = walk.Step(t) == p_.n_iter - 1;
          sequence.push_back(On(Mutation::kDiffDstLayerLastOnly) && !last ? 0 : diff);
        }
      }
    }
    return sequence;
  }

  Floats StateGradient(Tensor t, Dim l, Dim d, Dim width, bool ignored) const {
    Floats diff(static_cast<size_t>(p_.mb * width), 0);
    if (!p_.Has(t) || ignored) return diff;
    for (size_t i = 0; i < diff.size(); ++i) {
      diff[i] = static_cast<float>(tensors_[t].Get(static_cast<size_t>(l * p_.n_dir + d) * diff.size() + i));
    }
    return diff;
  }

  // [t][n][dic] in, [t][n][width of x] out.
  Floats Layer(Dim l, Dim d, Floats sequence) {
    const Dim width = l == 0 ? p_.slc : p_.dic;
    Floats diff_x(static_cast<size_t>(p_.n_iter * p_.mb * width), 0);
    Floats carried_h = StateGradient(kDiffDstIter, l, d, p_.dic, On(Mutation::kDiffDstIterIgnored));
    FaultyArrival in = {l,    d, 0, {}, StateGradient(kDiffDstIterC, l, d, p_.dhc, On(Mutation::kDiffDstIterCIgnored)),
                        false};
    if (On(Mutation::kDiffDstIterAtLastTime)) LoseShortRows(&carried_h);
    const StepWalk walk(p_, d);
    for (Dim s = walk.steps() - 1; s >= 0; --s) {
      in.t = walk.Time(s);
      const Floats before_h = carried_h, before_c = in.c;
      in.first_step = s == 0;
      const Dim first = in.t * p_.mb * p_.dic;
      for (size_t i = 0; i < carried_h.size(); ++i) carried_h[i] += sequence[static_cast<size_t>(first) + i];
      FaultyStep step = SavedStep(l, d, in.t);
      ForEachDeadRow(in, [&](Dim n) {
        if (On(Mutation::kDwSumsDeadSteps)) return;
        ClearRow(n, p_.mb, &step);
        std::fill_n(carried_h.begin() + n * p_.dic, p_.dic, 0.f);
        std::fill_n(in.c.begin() + n * p_.dhc, p_.dhc, 0.f);
      });
      const PassingGradients passing = TakePassingGradients(net_, in, &carried_h, &in.c);
      in.h = p_.HasProjection() ? Unproject(l, d, step, carried_h) : carried_h;
      const FaultyDelta delta = FaultyCellBackward(net_, step, in, {&diff_a_, &diff_p_, &diff_gain_, &diff_offset_});
      AddWeightGradients(in, step, delta, s);
      const bool lost = On(Mutation::kUpperLayerGradientEnds) && l > 0 && p_.n_iter > 4 && s == 0;
      float* diff_of_step = diff_x.data() + in.t * p_.mb * width;
      if (!lost) LayerProduct(in, delta, width, diff_of_step);
      MaskLayerGradient(net_, in, width, diff_of_step);
      carried_h = IterProduct(in, delta);
      in.c = delta.c_prev;
      AddPassingGradients(passing, &carried_h, &in.c);
      ForEachDeadRow(in, [&](Dim n) {
        std::fill_n(diff_x.begin() + (in.t * p_.mb + n) * width, width, 0.f);
        std::copy_n(before_h.begin() + n * p_.dic, p_.dic, carried_h.begin() + n * p_.sic);
        std::copy_n(before_c.begin() + n * p_.dhc, p_.dhc, in.c.begin() + n * p_.dhc);
      });
      if (On(Mutation::kBackwardEndsAfter20Steps) && s == p_.n_iter - 20) {
        std::fill(carried_h.begin(), carried_h.end(), 0.f);
        std::fill(in.c.begin(), in.c.end(), 0.f);
      }
    }
    std::copy(carried_h.begin(), carried_h.end(), diff_h0_.begin() + (l * p_.n_dir + d) * p_.mb * p_.sic);
    std::copy(in.c.begin(), in.c.end(), diff_c0_.begin() + (l * p_.n_dir + d) * p_.mb * p_.dhc);
    return diff_x;
  }

  // The gradient of a row's state passes by a step that the row does not have.
  template <class Visit>
  void ForEachDeadRow(const FaultyArrival& in, Visit visit) const {
    for (Dim n = 0; n < p_.mb; ++n) {
      if (!net_.IsLive(in.l, in.d, in.t, n)) visit(n);
    }
  }

  void LoseShortRows(Floats* diff) const {
    for (Dim n = 0; n < p_.mb; ++n) {
      if (net_.lengths[static_cast<size_t>(n)] < p_.n_iter) std::fill_n(diff->begin() + n * p_.dic, p_.dic, 0.f);
    }
  }

  FaultyStep SavedStep(Dim l, Dim d, Dim t) const {
    FaultyStep step = trace_.At(p_, l, d, t);
    if (On(Mutation::kWorkspaceLayerShift) && l > 0) step.gate = trace_.At(p_, 0, d, t).gate;
    if (p_.Has(kZoneoutIterC)) step.c = step.c_cell;
    if (On(Mutation::kUpperLayerOuterUsesSrc) && l > 0) {
      step.x.assign(net_.src_layer.begin() + t * p_.mb * p_.slc, net_.src_layer.begin() + (t + 1) * p_.mb * p_.slc);
    }
    return step;
  }

  // dR += h_hat dh^T; dh_hat = R dh.
  Floats Unproject(Dim l, Dim d, const FaultyStep& step, const Floats& diff_h) {
    Floats diff(static_cast<size_t>(p_.mb * p_.dhc), 0);
    const bool swapped = On(Mutation::kProjectionGradientUntransposed) && p_.dic == p_.dhc;
    const bool outer_h = On(Mutation::kProjectionOuterUsesH) && p_.dic == p_.dhc;
    const Dim first = (l * p_.n_dir + d) * p_.dhc * p_.dic;
    for (Dim n = 0; n < p_.mb; ++n) {
      for (Dim k = 0; k < p_.dhc; ++k) {
        for (Dim j = 0; j < p_.dic; ++j) {
          const Dim at = first + (swapped ? j * p_.dic + k : k * p_.dic + j);
          diff[n * p_.dhc + k] += net_.projection[at] * diff_h[n * p_.dic + j];
          const float h = (outer_h ? step.h : step.h_hat)[n * p_.dhc + k];
          diff_r_[first + k * p_.dic + j] += h * diff_h[n * p_.dic + j];
        }
      }
    }
    return diff;
  }

  void AddTo(float* sum, float term) const {
    *sum += term;
    if (On(Mutation::kDwAccumulatesInBf16)) *sum = RoundBf16(*sum);
  }

  void AddWeightGradients(const FaultyArrival& in, const FaultyStep& step, const FaultyDelta& delta, Dim s) {
    const Dim row = p_.n_gates * p_.dhc, stack = in.l * p_.n_dir + in.d;
    const bool skip_w = (On(Mutation::kLayerGemmMissesLastStep) && s == p_.n_iter - 1) ||
                        (On(Mutation::kSecondDirectionDwMissing) && in.d == 1);
    const bool skip_u = !HasIterProduct(p_.cell) || (On(Mutation::kIterGemmMissesFirstStep) && in.first_step);
    const CellTraits& traits = TraitsOf(p_.cell);
    const float mean = On(Mutation::kGradientMean) ? 1.f / static_cast<float>(p_.mb) : 1.f;
    for (Dim n = 0; n < p_.mb; ++n) {
      for (Dim g = 0; g < p_.n_gates; ++g) {
        const Floats& h = traits.gate[g].iter == IterProduct::kResetState    ? delta.r_h
                          : On(Mutation::kOuterUsesNewH) && p_.dic == p_.sic ? step.h
                                                                             : step.h_prev;
        for (Dim o = 0; o < p_.dhc; ++o) {
          const float dg = delta.gate[static_cast<size_t>(g)][n * p_.dhc + o] * mean;
          const float du = delta.iter_gate[static_cast<size_t>(g)][n * p_.dhc + o] * mean;
          float* w = diff_w_.data() + stack * p_.slc * row + g * p_.dhc + o;
          float* u = diff_u_.data() + stack * p_.sic * row + g * p_.dhc + o;
          for (Dim k = 0; k < step.width && !skip_w; ++k) AddTo(w + k * row, dg * step.x[n * step.width + k]);
          for (Dim k = 0; k < p_.sic && !skip_u; ++k) AddTo(u + k * row, du * h[n * p_.sic + k]);
        }
      }
      AddBiasGradients(stack, n, s, delta, mean);
    }
  }

  void AddBiasGradients(Dim stack, Dim n, Dim s, const FaultyDelta& delta, float mean) {
    if (On(Mutation::kDiffBiasMissesLastRow) && n == p_.mb - 1 && n > 0) return;
    if (On(Mutation::kDiffBiasLastStepOnly) && s != p_.n_iter - 1) return;
    for (Dim g = 0; g < p_.n_bias_gates; ++g) {
      const bool hidden = TraitsOf(p_.cell).gate[g].role == GateRole::kUPrime;
      if (hidden && On(Mutation::kLbrHiddenBiasGradientMissing)) continue;
      const auto& of_gates = On(Mutation::kNormBiasGradientThroughNorm) ? delta.gate : delta.bias;
      const Floats& source = hidden ? delta.hidden_bias : of_gates[static_cast<size_t>(g)];
      for (Dim o = 0; o < p_.dhc; ++o)
        diff_b_[(stack * p_.n_bias_gates + g) * p_.dhc + o] += source[n * p_.dhc + o] * mean;
    }
  }

  void LayerProduct(const FaultyArrival& in, const FaultyDelta& delta, Dim width, float* diff_x) const {
    const Dim row = p_.n_gates * p_.dhc;
    const bool swapped = On(Mutation::kDxUntransposed) && width == p_.dhc;
    const Dim first_gate = On(Mutation::kGateZeroOverwritten) && p_.n_gates > 1 ? 1 : 0;
    const float* w = net_.w.data() + (in.l * p_.n_dir + in.d) * p_.slc * row;
    for (Dim n = 0; n < p_.mb; ++n) {
      for (Dim k = 0; k < width; ++k) {
        float sum = 0;
        for (Dim g = first_gate; g < p_.n_gates; ++g) {
          for (Dim o = 0; o < p_.dhc; ++o) {
            const Dim at = swapped ? o * row + g * p_.dhc + k : k * row + g * p_.dhc + o;
            sum += w[at] * delta.gate[static_cast<size_t>(g)][n * p_.dhc + o];
          }
        }
        diff_x[n * width + k] = sum;
      }
    }
  }

  Floats IterProduct(const FaultyArrival& in, const FaultyDelta& delta) const {
    const Dim row = p_.n_gates * p_.dhc;
    Dim gates = HasIterProduct(p_.cell) ? NumFirstPassGates(p_.cell) : 0;
    if (On(Mutation::kDhMissesLastGate) && p_.n_gates > 1) --gates;
    const float* u = net_.u.data() + (in.l * p_.n_dir + in.d) * p_.sic * row;
    Floats diff(static_cast<size_t>(p_.mb * p_.sic), 0);
    for (Dim n = 0; n < p_.mb; ++n) {
      for (Dim k = 0; k < p_.sic; ++k) {
        float sum = 0;
        for (Dim g = 0; g < gates; ++g) {
          for (Dim o = 0; o < p_.dhc; ++o) {
            sum += u[k * row + g * p_.dhc + o] * delta.iter_gate[static_cast<size_t>(g)][n * p_.dhc + o];
          }
        }
        const float direct = BlendsState(p_.cell) ? delta.h_direct[n * p_.dhc + k] : 0;
        diff[n * p_.sic + k] = direct + MaskOfIterGradient(net_, in, n, k) * sum;
      }
    }
    return diff;
  }

  void StoreWeights(Tensor t, const Floats& gradient) {
    if (!p_.Has(t)) return;
    bool accumulate = p_.diff_weights_mode() == DiffWeightsMode::kAccumulate;
    if (On(Mutation::kOverwritesDiffWeights)) accumulate = false;
    if (On(Mutation::kAccumulatesDiffWeights)) accumulate = true;
    const TensorView& out = tensors_[t];
    for (size_t i = 0; i < gradient.size(); ++i) {
      const float before = accumulate ? static_cast<float>(out.Get(i)) : 0;
      out.Set(i, before + gradient[i]);
    }
  }

  void StoreAll() {
    StoreWeights(kDiffWeightsLayer, diff_w_);
    StoreWeights(kDiffWeightsIter, diff_u_);
    StoreWeights(kDiffWeightsPeephole, diff_p_);
    StoreWeights(kDiffWeightsProjection, diff_r_);
    StoreWeights(kDiffBias, diff_b_);
    StoreWeights(kDiffNormGain, diff_gain_);
    StoreWeights(kDiffNormOffset, diff_offset_);
    const auto store = [this](Tensor t, const Floats& values) {
      for (size_t i = 0; p_.Has(t) && i < values.size(); ++i) {
        float value = values[i];
        if (t == kDiffSrcLayer && On(Mutation::kDiffSrcBeyondLengthUnwritten) &&
            !net_.IsLive(0, 0, static_cast<Dim>(i) / p_.slc / p_.mb, static_cast<Dim>(i) / p_.slc % p_.mb)) {
          continue;
        }
        if (t == kDiffSrcLayer && On(Mutation::kAccumulatesDiffSrc)) value += static_cast<float>(tensors_[t].Get(i));
        if (t == kDiffSrcLayer && On(Mutation::kDiffSrcInBf16)) value = net_.math.Store(net_.math.state_type(), value);
        tensors_[t].Set(i, value);
      }
    };
    store(kDiffSrcLayer, diff_x_);
    store(kDiffAugruAttention, diff_a_);
    store(kDiffSrcIterC, diff_c0_);
    if (On(Mutation::kDiffSrcIterUnwritten) && p_.n_dir == 2) {
      const size_t half = static_cast<size_t>(p_.mb * p_.sic);
      for (size_t i = 0; i < diff_h0_.size(); ++i) {
        if (i / half % 2 == 0) tensors_[kDiffSrcIter].Set(i, diff_h0_[i]);
      }
      return;
    }
    store(kDiffSrcIter, diff_h0_);
  }

  const FaultyNetwork& net_;
  const RnnProblem& p_;
  const FaultyTrace& trace_;
  const TensorViews& tensors_;
  Floats diff_w_, diff_u_, diff_p_, diff_r_, diff_b_, diff_x_, diff_h0_, diff_c0_, diff_a_, diff_gain_, diff_offset_;
};

}  // namespace

void RunFaultyBackward(const FaultyNetwork& net, const FaultyTrace& trace, const TensorViews& tensors) {
  Backward(net, trace, tensors).Run();
}

}  // namespace tandem::conformance
