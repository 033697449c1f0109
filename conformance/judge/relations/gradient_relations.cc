// Backward is linear in the gradients of the outputs: two consequences that hold exactly, whatever is rounded.
#include <algorithm>
#include <cmath>
#include <limits>

#include "conformance/judge/relations/other_orders.h"
#include "conformance/problem/cell_functions.h"

namespace tandem::conformance {
namespace {

// The inputs with the gradients of the outputs multiplied by `factor`, and on request also what gradients add to.
TensorSet WithScaledGradients(const RelationRun& run, double factor, bool scale_content) {
  TensorSet tensors = run.in().inputs;
  const auto scale = [&](Tensor t) {
    for (size_t i = 0; i < tensors[t].size(); ++i) tensors[t].Set(i, factor * tensors[t].Get(i));
  };
  for (const Tensor t : kForwardOutputs) scale(Diff(t));
  if (scale_content && run.p().diff_weights_mode() == DiffWeightsMode::kAccumulate) {
    for (const Tensor t : kDiffParameters) scale(t);
  }
  return tensors;
}

enum class InputKind { kParameters, kOperands };

// Returns the largest size of the inputs of this kind, infinity if one is no number.
double Largest(const RelationRun& run, InputKind kind) {
  double largest = 0;
  for (const Tensor t : kTensors) {
    if (IsDiff(t) || RoleOf(t) == TensorRole::kResult || IsParameter(t) != (kind == InputKind::kParameters)) continue;
    const TensorBuffer& buffer = run.in().inputs[t];
    for (size_t i = 0; i < buffer.size(); ++i) {
      const double size = std::fabs(buffer.Get(i));
      if (!(size <= largest)) largest = std::isnan(size) ? INFINITY : size;
    }
  }
  return largest;
}

// Says whether no value of forward can be infinite or NaN: 0 times infinity is NaN. Special data may overflow within a step whose
// results are finite again, as U h' of LBR-GRU where r is 0.
bool StaysFinite(const RelationRun& run) {
  const RnnProblem& p = run.p();
  if (!HasBoundedFunctions(p)) return false;
  const double operand = std::max(1., Largest(run, InputKind::kOperands));
  const double masked = p.attr.rnn_masks != 0 ? operand * operand : operand;
  // Each step may add 1 to c.
  const double product = (1 + Largest(run, InputKind::kParameters)) * (masked + static_cast<double>(p.n_iter));
  const double sum = product * static_cast<double>(p.slc + p.sic + p.dhc + 2);
  const double largest = p.attr.rnn_layer_norm.given() ? sum * sum : sum;  // a variance has squares
  return largest <= std::numeric_limits<float>::max();
}

}  // namespace

bool RoundingCommutesWithDoubling(const RnnProblem& p) {
  // The normal range of f16 ends at 2^-14.
  const FpmathMode mode = EffectiveFpmathMode(p);
  const bool has_range_of_f32 = TraitsOf(p.SrcType()).min_exponent == TraitsOf(DataType::kF32).min_exponent;
  return has_range_of_f32 && mode != FpmathMode::kF16 && mode != FpmathMode::kAny;
}

void CheckScaledGradient(RelationRun* run) {
  constexpr double kFactor = -2;
  // A term that underflows is not doubled exactly, and a large factor, which only special data have, makes that count.
  constexpr double kLargestFactor = 0x1p20;
  if (std::max(Largest(*run, InputKind::kParameters), Largest(*run, InputKind::kOperands)) > kLargestFactor) return;
  TensorSet tensors = WithScaledGradients(*run, kFactor, true);
  if (!run->Run(run->p(), &tensors)) return;
  const TensorSet& before = run->in().outputs;
  for (const Tensor t : Outputs(run->p())) {
    // No overflow, and no terms that underflowed.
    const auto safe = [&](const Location& at) {
      const double x = std::fabs(before[t].Get(at.index));
      return x < 0x1p100 && x > 0x1p-60;
    };
    run->Expect(t, tensors[t], {Verdict::kFail, "", [&](size_t i) { return kFactor * before[t].Get(i); }, safe});
  }
}

void CheckZeroGradient(RelationRun* run) {
  const RnnProblem& p = run->p();
  TensorSet tensors = WithScaledGradients(*run, 0, false);
  if (!run->Run(p, &tensors)) return;
  const TensorSet& inputs = run->in().inputs;
  const bool accumulate = p.diff_weights_mode() == DiffWeightsMode::kAccumulate;
  const bool finite = StaysFinite(*run);
  for (const Tensor t : Outputs(p)) {
    const bool kept = accumulate && IsDiffParameter(t);
    const auto want = [&](size_t i) { return kept ? inputs[t].Get(i) : 0; };
    const auto applies = [&](const Location& at) {
      const double x = want(at.index);
      const bool may_flush = x != 0 && std::fabs(x) < 0x1p-126;
      return !may_flush && (finite || !std::isnan(tensors[t].Get(at.index)));
    };
    run->Expect(t, tensors[t], {Verdict::kFail, "", want, applies});
  }
}

}  // namespace tandem::conformance
