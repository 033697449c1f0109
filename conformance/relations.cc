// Relations between runs: T5 and T6 of tiers.h.
#include <cmath>
#include <functional>
#include <limits>

#include "conformance/step_problem.h"
#include "conformance/tiers.h"

namespace tandem::conformance {
namespace {

class Relations {
 public:
  Relations(const TierInput& in, Tier tier) : in_(in), p_(in.problem), tier_(tier) {}

  // Runs `problem` on `tensors`; false, with a row, if that ends badly. A refusal is no verdict: the relation is
  // between two runs, and one of them does not exist.
  bool Run(const RnnProblem& problem, const char* relation, TensorSet* tensors) {
    const RunResult run = in_.implementation(problem, tensors);
    if (run.status == RunStatus::kOk) return true;
    if (run.status != RunStatus::kNotSupported) {
      TensorReport row = Row(kDstLayer, relation);
      row.outcome.Worsen(run.status == RunStatus::kTimeout ? Verdict::kTimeout
                         : run.status == RunStatus::kCrash ? Verdict::kCrash
                                                           : Verdict::kFail);
      row.note += ": " + run.message;
      report_.Add(row);
    }
    return false;
  }

  // Elements of `t` for which `applies` must have the bits that `want` gives.
  void Expect(Tensor t, const char* relation, Verdict otherwise, const TensorBuffer& got,
              const std::function<double(size_t)>& want, const std::function<bool(const Location&)>& applies) {
    TensorReport row = Row(t, relation);
    for (size_t i = 0; i < got.size(); ++i) {
      const Location where = Locate(p_, t, i);
      if (!applies(where)) continue;
      ++row.stats.elements;
      const double x = got.Get(i), y = want(i);
      if (x == y || (std::isnan(x) && std::isnan(y))) continue;
      ++row.failures;
      row.outcome.Worsen(otherwise);
      if (row.has_departure && !Precedes(p_, where, row.first)) continue;
      row.has_departure = true;
      row.first = where;
      row.got = x;
      row.want = row.lo = row.hi = y;
    }
    if (row.stats.elements > 0) report_.Add(row);
  }

  void ExpectUnchanged(const char* relation, Verdict otherwise, const TensorSet& got,
                       const std::function<bool(Tensor, const Location&)>& applies) {
    for (const Tensor t : Outputs(p_)) {
      Expect(
          t, relation, otherwise, got[t], [&](size_t i) { return in_.outputs[t].Get(i); },
          [&](const Location& where) { return applies(t, where); });
    }
  }

  ProblemReport Take() { return std::move(report_); }
  const TierInput& in() const { return in_; }
  const RnnProblem& p() const { return p_; }

 private:
  TensorReport Row(Tensor t, const char* relation) const {
    TensorReport row;
    row.tensor = t;
    row.tier = tier_;
    row.note = relation;
    return row;
  }

  const TierInput& in_;
  const RnnProblem& p_;
  const Tier tier_;
  ProblemReport report_;
};

// Another value of the same type for each element.
void Change(const std::vector<Fixed>& fixed, TensorBuffer* buffer) {
  if (buffer->empty()) return;
  for (const size_t i : IndicesOf(buffer->md(), fixed)) {
    const double x = buffer->Get(i);
    const bool integral = buffer->type() == DataType::kU8 || buffer->type() == DataType::kS8;
    buffer->Set(i, integral ? (x > 64 ? x - 61 : x + 61) : std::isfinite(x) ? 1.5 - x : 0.25);
  }
}

bool IsReversed(const RnnProblem& p, Dim d) { return p.direction == Direction::kRight2Left || d == 1; }

void CheckRows(Relations* r) {
  const RnnProblem& p = r->p();
  if (p.mb < 2) return;
  const Dim row = p.mb - 1;
  TensorSet tensors = r->in().inputs;
  Change({{1, row}}, &tensors[kSrcLayer]);
  Change({{2, row}}, &tensors[kSrcIter]);
  Change({{2, row}}, &tensors[kSrcIterC]);
  Change({{1, row}}, &tensors[kAugruAttention]);
  Change({{1, row}}, &tensors[kDiffDstLayer]);
  if (!r->Run(p, "another row of the batch changed", &tensors)) return;
  r->ExpectUnchanged("another row of the batch changed", Verdict::kFail, tensors,
                     [&](Tensor, const Location& at) { return at.n >= 0 && at.n != row; });
}

void CheckTime(Relations* r) {
  const RnnProblem& p = r->p();
  if (p.n_iter < 2 || p.IsBackward() || p.direction == Direction::kBidirectionalSum) return;
  const Dim time = p.n_iter / 2;
  TensorSet tensors = r->in().inputs;
  Change({{0, time}}, &tensors[kSrcLayer]);
  if (!r->Run(p, "a later step's input changed", &tensors)) return;
  r->ExpectUnchanged("a later step's input changed", Verdict::kFail, tensors, [&](Tensor t, const Location& at) {
    if (t != kDstLayer) return false;
    return IsReversed(p, at.d) ? at.t > time : at.t < time;
  });
}

void CheckLayers(Relations* r) {
  const RnnProblem& p = r->p();
  if (p.n_layer < 2 || p.IsBackward() || !p.Has(kDstIter)) return;
  const Dim top = p.n_layer - 1;
  TensorSet tensors = r->in().inputs;
  for (const Tensor t : {kWeightsLayer, kWeightsIter, kBias}) Change({{0, top}}, &tensors[t]);
  if (!r->Run(p, "an upper layer's weights changed", &tensors)) return;
  r->ExpectUnchanged("an upper layer's weights changed", Verdict::kFail, tensors,
                     [&](Tensor t, const Location& at) { return t != kDstLayer && at.l < top; });
}

void CheckDirections(Relations* r) {
  const RnnProblem& p = r->p();
  if (p.n_dir < 2 || p.IsBackward()) return;
  TensorSet tensors = r->in().inputs;
  for (const Tensor t : {kWeightsLayer, kWeightsIter, kBias, kSrcIter, kSrcIterC}) Change({{1, 1}}, &tensors[t]);
  if (!r->Run(p, "the other direction's weights changed", &tensors)) return;
  r->ExpectUnchanged("the other direction's weights changed", Verdict::kFail, tensors,
                     [&](Tensor t, const Location& at) {
                       return at.d == 0 && (t != kDstLayer || p.direction == Direction::kBidirectionalConcat);
                     });
}

void CheckRepeat(Relations* r) {
  TensorSet tensors = r->in().inputs;
  if (!r->Run(r->p(), "the same inputs again", &tensors)) return;
  r->ExpectUnchanged("the same inputs again", Verdict::kNondeterministic, tensors,
                     [](Tensor, const Location&) { return true; });
}

// right2left is left2right of the flipped sequence.
void CheckReversal(Relations* r) {
  const RnnProblem& p = r->p();
  if (p.n_dir != 1 || p.IsBackward() || HasAttention(p.cell)) return;
  RnnProblem other = p;
  other.direction = p.direction == Direction::kRight2Left ? Direction::kLeft2Right : Direction::kRight2Left;
  TensorSet tensors = r->in().inputs;
  const size_t width = static_cast<size_t>(p.mb * p.slc), out = static_cast<size_t>(p.mb * p.dlc);
  const size_t steps = static_cast<size_t>(p.n_iter);
  tensors[kSrcLayer].Fill(
      [&](size_t i) { return r->in().inputs[kSrcLayer].Get((steps - 1 - i / width) * width + i % width); });
  if (!r->Run(other, "the flipped sequence in the other direction", &tensors)) return;
  const TensorBuffer flipped = tensors[kDstLayer];
  tensors[kDstLayer].Fill([&](size_t i) { return flipped.Get((steps - 1 - i / out) * out + i % out); });
  r->ExpectUnchanged("the flipped sequence in the other direction", Verdict::kQualityWarning, tensors,
                     [](Tensor, const Location&) { return true; });
}

// Direction 0 of a concatenation alone.
void CheckHalves(Relations* r) {
  const RnnProblem& p = r->p();
  if (p.direction != Direction::kBidirectionalConcat || p.IsBackward()) return;
  const Part part = {-1, 0, false, p.Has(kSrcIter)};
  const RnnProblem half = PartProblem(p, part);
  TensorSet tensors(half);
  CopyParameters(p, r->in().inputs, part, &tensors);
  tensors[kSrcLayer].FromDoubles(r->in().inputs[kSrcLayer].ToDoubles());
  if (!r->Run(half, "left2right alone", &tensors)) return;
  const size_t dic = static_cast<size_t>(p.dic);
  r->Expect(
      kDstLayer, "left2right alone", Verdict::kQualityWarning, r->in().outputs[kDstLayer],
      [&](size_t i) { return tensors[kDstLayer].Get(i / (2 * dic) * dic + i % (2 * dic)); },
      [](const Location& at) { return at.d == 0; });
}

// Doubling is exact in every type, so it commutes with every rounding that does not underflow. In f16, whose normal
// range ends at 2^-14, gradients do underflow.
void CheckLinearity(Relations* r) {
  const RnnProblem& p = r->p();
  const FpmathMode mode = EffectiveFpmathMode(p);
  const bool f16 = p.SrcType() == DataType::kF16 || mode == FpmathMode::kF16 || mode == FpmathMode::kAny;
  if (!p.IsBackward() || f16) return;
  TensorSet tensors = r->in().inputs;
  const auto doubled = [&](Tensor t) {
    if (!p.Has(t)) return;
    for (size_t i = 0; i < tensors[t].size(); ++i) tensors[t].Set(i, 2 * tensors[t].Get(i));
  };
  for (const Tensor t : {kDiffDstLayer, kDiffDstIter, kDiffDstIterC}) doubled(t);
  if (p.diff_weights_mode() == DiffWeightsMode::kAccumulate) {
    for (int t = kDiffWeightsLayer; t <= kDiffBias; ++t) doubled(static_cast<Tensor>(t));
  }
  if (!r->Run(p, "twice diff_dst", &tensors)) return;
  for (const Tensor t : Outputs(p)) {
    const auto safe = [&](const Location& at) {
      const double x = std::fabs(r->in().outputs[t].Get(at.index));
      return x < 0x1p100 && x > 0x1p-60;
    };
    r->Expect(
        t, "twice diff_dst", Verdict::kFail, tensors[t], [&](size_t i) { return 2 * r->in().outputs[t].Get(i); }, safe);
  }
}

}  // namespace

ProblemReport CheckMetamorphic(const TierInput& in) {
  Relations relations(in, Tier::kMetamorphic);
  CheckReversal(&relations);
  CheckHalves(&relations);
  CheckLinearity(&relations);
  return relations.Take();
}

ProblemReport CheckNonInterference(const TierInput& in) {
  Relations relations(in, Tier::kNonInterference);
  CheckRepeat(&relations);
  CheckRows(&relations);
  CheckTime(&relations);
  CheckLayers(&relations);
  CheckDirections(&relations);
  return relations.Take();
}

}  // namespace tandem::conformance
