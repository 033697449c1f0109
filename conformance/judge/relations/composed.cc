#include "conformance/judge/relations/composed.h"

#include "api/core/rnn/step_walk.h"
#include "conformance/problem/row_lengths.h"

namespace tandem::conformance {

Composition::Composition(const CheckInput& in, Relation split)
    : in_(in), p_(in.problem), split_(split), tensors_(in.inputs) {
  // An int8 sum cannot be computed from its halves: it is left as the whole run gave it.
  if (!HasDstLayer()) tensors_[kDstLayer] = in.outputs[kDstLayer];
}

Dim Composition::CountParts(const RnnProblem& p, Relation split) {
  const Dim layers = split == Relation::kDirections ? 1 : p.n_layer;
  return p.n_dir * layers * (split == Relation::kSteps ? p.n_iter : 1);
}

RunResult Composition::Run(const std::function<void(const PartRun&)>& seen) {
  seen_ = seen;
  for (Dim d = 0; d < p_.n_dir; ++d) {
    kept_.clear();
    if (!Forward(d)) return result_;
    if (p_.IsBackward() && !Backward(d)) return result_;
  }
  return result_;
}

bool Composition::Forward(Dim dir) {
  Part part;
  part.dir = dir;
  part.single_step = split_ == Relation::kSteps;
  part.propagation = p_.IsBackward() ? Propagation::kForwardTraining : p_.propagation;
  Sequence sequence;
  for (Dim t = 0; t < p_.n_iter; ++t) sequence.push_back(ReadPart(in_.inputs[kSrcLayer], {{0, t}}));
  const Dim groups = split_ == Relation::kDirections ? 1 : p_.n_layer;
  const StepWalk walk(p_.direction, dir, part.single_step ? p_.n_iter : 1, p_.mb);
  for (Dim l = 0; l < groups; ++l) {
    part.layer = split_ == Relation::kDirections ? -1 : l;
    Carried carried;
    for (Dim s = 0; s < walk.steps(); ++s) {
      part.with_src_iter = s > 0 || p_.Has(kSrcIter);
      if (!ForwardPart(part, walk.Time(s), &sequence, &carried)) return false;
    }
    WritePart(carried.h, part.Stack(), &tensors_[kDstIter]);
    WritePart(carried.c, part.Stack(), &tensors_[kDstIterC]);
  }
  StoreSequence(dir, sequence);
  return true;
}

bool Composition::ForwardPart(const Part& part, Dim time, Sequence* sequence, Carried* carried) {
  const RnnProblem problem = PartProblem(p_, part);
  TensorSet tensors(problem);
  CopyParameters(p_, in_.inputs, part, &tensors);
  tensors[kSrcLayer].FromDoubles(AtTimes(*sequence, part, time));
  if (p_.Has(kAugruAttention)) {
    const std::vector<Fixed> times = part.single_step ? std::vector<Fixed>{{0, time}} : std::vector<Fixed>{};
    tensors[kAugruAttention].FromDoubles(ReadPart(in_.inputs[kAugruAttention], times));
  }
  CopyMasks(in_.inputs, part, time, &tensors);
  SetLengths(part, time, &tensors);
  if (!carried->h.empty()) tensors[kSrcIter].FromDoubles(carried->h);
  if (!carried->c.empty()) tensors[kSrcIterC].FromDoubles(carried->c);
  if (p_.IsBackward()) kept_.push_back({part, time, tensors});
  if (!RunPart(problem, part, time, &tensors)) return false;
  carried->h = tensors[kDstIter].ToDoubles();
  if (HasCellState(p_.cell)) carried->c = tensors[kDstIterC].ToDoubles();
  SetTimes(tensors[kDstLayer].ToDoubles(), part, time, sequence);
  return true;
}

// A row with a step at this time has one step, any other has none: its state passes through.
void Composition::SetLengths(const Part& part, Dim time, TensorSet* tensors) const {
  if (!p_.Has(kSequenceLengths)) return;
  const std::vector<Dim> lengths = RowLengthsOf(p_, in_.inputs);
  (*tensors)[kSequenceLengths].Fill([&](size_t n) {
    return static_cast<double>(!part.single_step ? lengths[n] : time < lengths[n] ? 1 : 0);
  });
}

bool Composition::Backward(Dim dir) {
  Sequence diff = DiffSequence(dir);
  Carried carried;
  for (size_t i = kept_.size(); i-- > 0;) {
    const Kept& kept = kept_[i];
    const bool last_in_time = i + 1 == kept_.size() || kept_[i + 1].part.layer != kept.part.layer;
    if (!BackwardPart(kept, last_in_time, &diff, &carried)) return false;
    const bool first_in_time = i == 0 || kept_[i - 1].part.layer != kept.part.layer;
    if (!first_in_time) continue;
    WritePart(carried.h, kept.part.Stack(), &tensors_[kDiffSrcIter]);
    WritePart(carried.c, kept.part.Stack(), &tensors_[kDiffSrcIterC]);
  }
  for (Dim t = 0; t < p_.n_iter; ++t) {
    std::vector<double>& step = diff[static_cast<size_t>(t)];
    if (dir > 0) {
      const std::vector<double> other = ReadPart(tensors_[kDiffSrcLayer], {{0, t}});
      for (size_t i = 0; i < step.size(); ++i) step[i] += other[i];
    }
    WritePart(step, {{0, t}}, &tensors_[kDiffSrcLayer]);
  }
  return true;
}

bool Composition::BackwardPart(const Kept& kept, bool last_in_time, Sequence* diff, Carried* carried) {
  Part part = kept.part;
  part.propagation = Propagation::kBackward;
  const RnnProblem problem = PartProblem(p_, part);
  TensorSet tensors(problem);
  // With the weights' gradients of the parts before, to which this part's are to be added.
  CopyParameters(p_, tensors_, part, &tensors);
  for (const Tensor t : {kSrcLayer, kSrcIter, kSrcIterC, kAugruAttention, kSequenceLengths}) {
    if (!tensors[t].empty()) tensors[t].FromDoubles(kept.inputs[t].ToDoubles());
  }
  CopyMasks(in_.inputs, part, kept.time, &tensors);
  tensors[kDiffDstLayer].FromDoubles(AtTimes(*diff, part, kept.time));
  if (last_in_time) {
    *carried = {ReadPart(in_.inputs[kDiffDstIter], part.Stack()), ReadPart(in_.inputs[kDiffDstIterC], part.Stack())};
  }
  if (!carried->h.empty()) tensors[kDiffDstIter].FromDoubles(carried->h);
  if (!carried->c.empty()) tensors[kDiffDstIterC].FromDoubles(carried->c);
  if (!RunPart(problem, part, kept.time, &tensors)) return false;
  carried->h = tensors[kDiffSrcIter].ToDoubles();
  carried->c = tensors[kDiffSrcIterC].ToDoubles();
  SetTimes(tensors[kDiffSrcLayer].ToDoubles(), part, kept.time, diff);
  AddWeightGradients(part, last_in_time, tensors);
  if (p_.Has(kAugruAttention)) {
    const std::vector<Fixed> times = part.single_step ? std::vector<Fixed>{{0, kept.time}} : std::vector<Fixed>{};
    WritePart(tensors[kDiffAugruAttention].ToDoubles(), times, &tensors_[kDiffAugruAttention]);
  }
  return true;
}

void Composition::AddWeightGradients(const Part& part, bool first, const TensorSet& tensors) {
  const bool add = p_.diff_weights_mode() == DiffWeightsMode::kOverwrite && !first;
  for (const Tensor t : kDiffParameters) {
    if (!p_.Has(t)) continue;
    std::vector<double> sum = tensors[t].ToDoubles();
    const std::vector<double> before = add ? ReadPart(tensors_[t], part.Stack()) : std::vector<double>();
    for (size_t k = 0; k < before.size(); ++k) sum[k] += before[k];
    WritePart(sum, part.Stack(), &tensors_[t]);
  }
}

bool Composition::RunPart(const RnnProblem& problem, const Part& part, Dim time, TensorSet* tensors) {
  TensorSet before = *tensors;
  result_ = in_.implementation(problem, tensors);
  if (result_.status != RunStatus::kOk) return false;
  if (problem.IsBackward()) TakeForwardOutputs(*tensors, &before);
  Location at;
  at.l = part.layer;
  at.d = part.dir;
  if (part.single_step) at.t = time;
  seen_({problem, before, *tensors, at});
  return true;
}

std::vector<double> Composition::AtTimes(const Sequence& sequence, const Part& part, Dim time) const {
  if (part.single_step) return sequence[static_cast<size_t>(time)];
  std::vector<double> all;
  for (const std::vector<double>& step : sequence) all.insert(all.end(), step.begin(), step.end());
  return all;
}

void Composition::SetTimes(const std::vector<double>& values, const Part& part, Dim time, Sequence* sequence) const {
  if (part.single_step) {
    (*sequence)[static_cast<size_t>(time)] = values;
    return;
  }
  const size_t width = values.size() / sequence->size();
  for (size_t t = 0; t < sequence->size(); ++t) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(t * width);
    (*sequence)[t].assign(begin, begin + static_cast<std::ptrdiff_t>(width));
  }
}

void Composition::StoreSequence(Dim dir, const Sequence& sequence) {
  if (!HasDstLayer()) return;
  const bool concat = p_.direction == Direction::kBidirectionalConcat;
  TensorBuffer& dst = tensors_[kDstLayer];
  for (Dim t = 0; t < p_.n_iter; ++t) {
    for (Dim n = 0; n < p_.mb; ++n) {
      for (Dim c = 0; c < p_.dic; ++c) {
        const size_t at = static_cast<size_t>((t * p_.mb + n) * p_.dlc + (concat ? dir * p_.dic : 0) + c);
        const double h = sequence[static_cast<size_t>(t)][static_cast<size_t>(n * p_.dic + c)];
        dst.Set(at, dir > 0 && !concat ? dst.Get(at) + h : h);
      }
    }
  }
}

Composition::Sequence Composition::DiffSequence(Dim dir) const {
  const Dim first = p_.direction == Direction::kBidirectionalConcat ? dir * p_.dic : 0;
  Sequence diff(static_cast<size_t>(p_.n_iter));
  for (Dim t = 0; t < p_.n_iter; ++t) {
    for (Dim n = 0; n < p_.mb; ++n) {
      for (Dim c = 0; c < p_.dic; ++c) {
        const Dim at = (t * p_.mb + n) * p_.dlc + first + c;
        diff[static_cast<size_t>(t)].push_back(in_.inputs[kDiffDstLayer].Get(static_cast<size_t>(at)));
      }
    }
  }
  return diff;
}

}  // namespace tandem::conformance
