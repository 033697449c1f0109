// sequence_lengths against problems without them, which know nothing of lengths.
#include <map>
#include <vector>

#include "conformance/judge/relations/other_orders.h"
#include "conformance/problem/row_lengths.h"

namespace tandem::conformance {
namespace {

// The problem of so many rows and steps without sequence_lengths. Dense, but for tensors that have neither.
RnnProblem WithoutLengths(const RnnProblem& problem, Dim rows, Dim steps) {
  RnnProblem other = problem;
  other.attr.rnn_sequence_lengths = false;
  other.md[kSequenceLengths] = MemoryDesc{};
  for (const Tensor t : kTensors) {
    const MemoryDesc& md = problem.md[t];
    const int n = AxisOf(t, 'n'), time = AxisOf(t, 't');
    if (!other.Has(t) || n < 0) continue;
    Dims dims(md.dims, md.dims + md.ndims);
    dims[static_cast<size_t>(n)] = rows;
    if (time >= 0) dims[static_cast<size_t>(time)] = steps;
    other.md[t] = MakeDense(dims, TypeOf(md));
  }
  Validate(&other);
  return other;
}

std::map<Dim, std::vector<Dim>> RowsByLength(const RnnProblem& problem, const TensorSet& tensors) {
  std::map<Dim, std::vector<Dim>> rows;
  const std::vector<Dim> lengths = RowLengthsOf(problem, tensors);
  for (size_t n = 0; n < lengths.size(); ++n) {
    if (lengths[n] > 0) rows[lengths[n]].push_back(static_cast<Dim>(n));
  }
  return rows;
}

}  // namespace

void CheckFullLengths(RelationRun* run) {
  const RnnProblem& p = run->p();
  TensorSet inputs = run->in().inputs;
  FillBeyondLengths(p, 0.25, &inputs);
  inputs[kSequenceLengths].Fill([&p](size_t) { return static_cast<double>(p.n_iter); });
  const RnnProblem other = WithoutLengths(p, p.mb, p.n_iter);
  const auto identity = [](Tensor, Dim*) {};
  TensorSet full = inputs, none = Rearranged(other, inputs, identity);
  if (!run->Run(p, &full) || !run->Run(other, &none)) return;
  TensorSet all = inputs;
  TakeOutputs(p, none, identity, &all);
  run->JudgeAlternatives(inputs, full, all);
}

void CheckRowsByLength(RelationRun* run) {
  const RnnProblem& p = run->p();
  const TensorSet& outputs = run->in().outputs;
  const bool overwrite = p.diff_weights_mode() == DiffWeightsMode::kOverwrite;
  TensorSet all = run->in().inputs;
  // The run's own verdict judges the values that no step writes.
  for (const Tensor t : kTensors) {
    if (AxisOf(t, 'n') >= 0 && (IsOutput(p, t) || IsForwardOutput(t))) all[t] = outputs[t];
  }
  bool first = true;
  for (const auto& [length, rows] : RowsByLength(p, all)) {
    const RnnProblem part = WithoutLengths(p, static_cast<Dim>(rows.size()), length);
    const std::vector<Dim>& taken = rows;
    const auto map = [&taken](Tensor t, Dim* index) {
      const int axis = AxisOf(t, 'n');
      if (axis >= 0) index[axis] = taken[static_cast<size_t>(index[axis])];
    };
    TensorSet tensors = Rearranged(part, all, map);
    if (!run->Run(part, &tensors)) return;
    if (overwrite && !first) {
      for (const Tensor t : kDiffParameters) {
        for (size_t k = 0; k < tensors[t].size(); ++k) tensors[t].Set(k, tensors[t].Get(k) + all[t].Get(k));
      }
    }
    first = false;
    TakeOutputs(p, tensors, map, &all);
  }
  if (!first) run->JudgeAlternative(all);
}

}  // namespace tandem::conformance
