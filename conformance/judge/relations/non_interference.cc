// Outputs that do not depend on a region of the inputs keep their bits when it changes.
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "api/core/gates.h"
#include "api/core/rnn/step_walk.h"
#include "conformance/judge/relations/other_orders.h"
#include "conformance/problem/cell_functions.h"
#include "conformance/problem/row_lengths.h"
#include "conformance/problem/step_problem.h"

namespace tandem::conformance {
namespace {

using Predicate = std::function<bool(Tensor, const Location&)>;

// A region of the inputs, and the outputs that do not depend on it. All others do: every gate of their step, or its
// delta, sums over a part of the region, so that NaN there is NaN in each of them.
struct Region {
  Predicate changes, keeps;
  // Says whether a row of this number and length has a step that computes with the region.
  std::function<bool(Dim row, Dim length)> reaches = [](Dim, Dim length) { return length > 0; };
  bool has_states = true;  // which pass through a row without steps
};

// The same where rows end before n_iter: what a step does not compute is a constant or a state that passed through.
struct RegionOfRows : Region {
  RegionOfRows(const Region& given, const std::vector<Dim>& row_lengths) : Region(given), lengths(row_lengths) {
    for (size_t n = 0; n < lengths.size(); ++n) any = any || reaches(static_cast<Dim>(n), lengths[n]);
    const Predicate keeps_full = keeps;
    keeps = [this, keeps_full](Tensor t, const Location& at) {
      if (keeps_full(t, at)) return true;
      if (at.n < 0) return !any;
      return at.t >= LengthOf(at) || (!has_states && !reaches(at.n, LengthOf(at)));
    };
  }
  RegionOfRows(const RegionOfRows&) = delete;
  // False also for the states of a row that the region does not reach: they may be the changed ones.
  bool Arrives(Tensor t, const Location& at) const {
    return !keeps(t, at) && (at.n < 0 || reaches(at.n, LengthOf(at)));
  }
  Dim LengthOf(const Location& at) const { return lengths[static_cast<size_t>(at.n)]; }

  std::vector<Dim> lengths;
  bool any = false;
};

bool IsGradientOfOutput(Tensor t) { return IsDiff(t) && RoleOf(t) == TensorRole::kResult; }

// True if step `t` of direction `d` comes before step `other` in the order of processing.
bool IsBefore(const RnnProblem& p, Dim d, Dim t, Dim other) {
  const StepWalk walk(p, d);
  return walk.Step(t) < walk.Step(other);
}

Region OtherRows(const RnnProblem& p, uint64_t number) {
  const Dim row = static_cast<Dim>(number % static_cast<uint64_t>(p.mb));
  Region region;
  region.changes = [row](Tensor t, const Location& at) { return !IsParameter(t) && at.n == row; };
  region.keeps = [row](Tensor, const Location& at) { return at.n >= 0 && at.n != row; };
  region.reaches = [row](Dim n, Dim length) { return n == row && length > 0; };
  return region;
}

// Forward an input reaches its own step and those that are processed later; backward the gradient of an output reaches
// its own step and those that forward processed earlier.
Region OtherSteps(const RnnProblem& p, uint64_t number) {
  const Dim time = static_cast<Dim>(number % static_cast<uint64_t>(p.n_iter));
  Region region;
  if (p.IsBackward()) {
    region.changes = [time](Tensor t, const Location& at) { return t == kDiffDstLayer && at.t == time; };
    region.keeps = [&p, time](Tensor, const Location& at) { return at.t >= 0 && IsBefore(p, 0, time, at.t); };
  } else {
    region.changes = [time](Tensor t, const Location& at) {
      return (t == kSrcLayer || t == kAugruAttention) && at.t == time;
    };
    region.keeps = [&p, time](Tensor, const Location& at) { return at.t >= 0 && IsBefore(p, at.d, at.t, time); };
  }
  region.reaches = [time](Dim, Dim length) { return length > time; };
  region.has_states = false;
  return region;
}

// Forward the uppermost layer reaches no layer below; backward what comes into the lowest layer reaches none above.
Region OtherLayers(const RnnProblem& p, uint64_t) {
  const Dim top = p.n_layer - 1;
  Region region;
  if (p.IsBackward()) {
    region.changes = [](Tensor t, const Location& at) {
      return (t == kDiffDstIter || t == kDiffDstIterC) && at.l == 0;
    };
    region.keeps = [](Tensor, const Location& at) { return at.l > 0; };
  } else {
    region.changes = [top](Tensor t, const Location& at) { return IsParameter(t) && at.l == top; };
    region.keeps = [top](Tensor t, const Location& at) { return t != kDstLayer && at.l < top; };
  }
  return region;
}

Region OtherDirection(const RnnProblem&, uint64_t number) {
  const Dim dir = static_cast<Dim>(number % 2);
  Region region;
  // dst_layer has a direction only where the two are concatenated.
  region.changes = [dir](Tensor, const Location& at) { return at.d == dir; };
  region.keeps = [dir](Tensor, const Location& at) { return at.d == 1 - dir; };
  return region;
}

bool AddsDirections(const RnnProblem& p) { return p.direction == Direction::kBidirectionalSum; }

// A relation of this file: whether `problem` has such a region, and which one `number` chooses.
struct Independence {
  Relation relation;
  bool (*applies)(const RnnProblem& p);
  Region (*region)(const RnnProblem& p, uint64_t number);
};
const Independence kIndependences[] = {
    {Relation::kOtherRows, [](const RnnProblem& p) { return p.mb > 1; }, OtherRows},
    {Relation::kOtherSteps,
     [](const RnnProblem& p) { return p.n_iter > 1 && (p.IsBackward() ? p.n_dir == 1 : !AddsDirections(p)); },
     OtherSteps},
    {Relation::kOtherLayers, [](const RnnProblem& p) { return p.n_layer > 1 && p.Has(kDstIter); }, OtherLayers},
    {Relation::kOtherDirection,
     [](const RnnProblem& p) { return p.n_dir > 1 && (p.IsBackward() || !AddsDirections(p) || p.Has(kDstIter)); },
     OtherDirection},
};

const Independence& Find(Relation relation) {
  for (const Independence& independence : kIndependences) {
    if (independence.relation == relation) return independence;
  }
  throw std::logic_error(std::string(ToString(relation)) + " is no relation between a region and outputs");
}

double Changed(const TensorBuffer& buffer, size_t i) {
  const double x = buffer.Get(i);
  if (IsByte(buffer.type())) return x > 64 ? x - 61 : x + 61;
  return std::isfinite(x) ? 1.5 - x : 0.25;
}

bool IsGiven(const RnnProblem& p, Tensor t) {
  return p.Has(t) && (t <= kBias || (p.IsBackward() && IsGradientOfOutput(t)));
}

// Bytes have no NaN: the weights of a layer may be all that the region has.
bool CanBeNan(const RelationRun& run, const Region& region) {
  const RnnProblem& p = run.p();
  for (const Tensor t : kTensors) {
    if (!IsGiven(p, t) || !IsFloating(TypeOf(p.md[t]))) continue;
    for (size_t k = 0; k < run.in().inputs[t].size(); ++k) {
      if (region.changes(t, Locate(p, t, k))) return true;
    }
  }
  return false;
}

TensorSet WithRegion(const RelationRun& run, const Region& region,
                     const std::function<double(const TensorBuffer&, size_t)>& value) {
  const RnnProblem& p = run.p();
  TensorSet tensors = run.in().inputs;
  for (const Tensor t : kTensors) {
    if (!IsGiven(p, t)) continue;
    for (size_t k = 0; k < tensors[t].size(); ++k) {
      if (region.changes(t, Locate(p, t, k))) tensors[t].Set(k, value(run.in().inputs[t], k));
    }
  }
  return tensors;
}

void ExpectKept(const RegionOfRows& region, const char* note, const TensorSet& got, RelationRun* run) {
  for (const Tensor t : Outputs(run->p())) {
    run->Expect(t, got[t],
                {Verdict::kFail, note, [&](size_t i) { return run->in().outputs[t].Get(i); },
                 [&](const Location& at) { return region.keeps(t, at); }});
  }
}

bool AnythingChanged(const RelationRun& run, const RegionOfRows& region, const TensorSet& got) {
  const RnnProblem& p = run.p();
  for (const Tensor t : Outputs(p)) {
    for (size_t i = 0; i < got[t].size(); ++i) {
      if (!region.keeps(t, Locate(p, t, i)) && !SameValue(got[t].Get(i), run.in().outputs[t].Get(i))) return true;
    }
  }
  return false;
}

void CheckValues(const RegionOfRows& region, RelationRun* run) {
  const TensorSet inputs = WithRegion(*run, region, Changed);
  TensorSet got = inputs;
  if (!run->Run(run->p(), &got)) return;
  ExpectKept(region, "another value", got, run);
  // Dead units and saturated gates may hide any change: the oracle judges whether they do.
  run->JudgeByBounds(inputs, got, AnythingChanged(*run, region, got) ? "another value" : "nothing else changed");
}

// The forget gate f = 1 - i has no gradient of its own. Only a norm over all gates gives its weights one.
bool MayBeZero(const RnnProblem& p, Tensor t, const Location& at) {
  if (p.Gates().forget != ForgetGate::kRestOfInput || !IsDiff(t) || at.gate < 0) return false;
  const bool of_norm = RoleOf(WithoutDiff(t)) == TensorRole::kNorm;
  return (of_norm ? (at.gate - p.n_bias_gates) % p.n_gates : at.gate) == LstmGate::kForget;
}

void CheckNan(const RegionOfRows& region, RelationRun* run) {
  const RnnProblem& p = run->p();
  TensorSet got = WithRegion(*run, region, [](const TensorBuffer&, size_t) { return std::nan(""); });
  if (!run->Run(p, &got)) return;
  ExpectKept(region, "NaN", got, run);
  if (!KeepsNans(p)) return;
  const Verdict otherwise = run->in().declared.nan == NanPolicy::kIeee ? Verdict::kFail : Verdict::kQualityWarning;
  for (const Tensor t : Outputs(p)) {
    run->Expect(t, got[t],
                {otherwise, "NaN must arrive", [](size_t) { return std::nan(""); },
                 [&](const Location& at) { return region.Arrives(t, at) && !MayBeZero(p, t, at); }});
  }
}

}  // namespace

bool HasIndependentOutputs(const RnnProblem& p, Relation relation) { return Find(relation).applies(p); }

void CheckRepeat(RelationRun* run) {
  TensorSet got = run->in().inputs;
  if (!run->Run(run->p(), &got)) return;
  for (const Tensor t : Outputs(run->p())) {
    run->Expect(t, got[t],
                {Verdict::kNondeterministic, "", [&](size_t i) { return run->in().outputs[t].Get(i); },
                 [](const Location&) { return true; }});
  }
}

void CheckIndependence(Relation relation, uint64_t number, RelationRun* run) {
  const RegionOfRows region(Find(relation).region(run->p(), number / 2), RowLengthsOf(run->p(), run->in().inputs));
  // States of bytes lose a NaN.
  if (number % 2 == 0 || run->p().IsInt8() || !CanBeNan(*run, region)) {
    CheckValues(region, run);
  } else {
    CheckNan(region, run);
  }
}

}  // namespace tandem::conformance
