// This computes all outputs of a problem by the reference's equations over a policy of the test's own, free-running.
#ifndef TANDEM_CONFORMANCE_TESTS_VALUES_IN_H_
#define TANDEM_CONFORMANCE_TESTS_VALUES_IN_H_

#include <map>
#include <vector>

#include "conformance/oracle/oracle_forward.h"
#include "reference/cells/cell_dispatch.h"
#include "reference/stack/stack_diff_io.h"

namespace tandem::conformance {

template <class Real>
using Values = std::map<Tensor, std::vector<Real>>;

// Returns [t] or [(l, d)] of [channels, mb] as the tensors have them.
template <class Real>
std::vector<Real> Flat(const std::vector<reference::Mat<Real>>& matrices) {
  std::vector<Real> flat;
  for (const reference::Mat<Real>& m : matrices) {
    for (Eigen::Index i = 0; i < m.size(); ++i) flat.push_back(m.data()[i]);
  }
  return flat;
}

template <class Num>
Values<typename Num::Real> ForwardValues(const RnnProblem& problem, const reference::StackOutput<Num>& out) {
  Values<typename Num::Real> values;
  values[kDstLayer] = Flat(out.dst_layer);
  if (problem.Has(kDstIter)) values[kDstIter] = Flat(out.dst_iter);
  if (problem.Has(kDstIterC)) values[kDstIterC] = Flat(out.dst_iter_c);
  return values;
}

template <class Num>
struct StepRecorder : reference::NoHook {
  const RnnProblem& problem;
  std::vector<reference::SavedStep<Num>> steps;

  explicit StepRecorder(const RnnProblem& p) : problem(p) {
    steps.resize(static_cast<size_t>(p.n_layer * p.n_dir * p.n_iter));
  }
  reference::SavedStep<Num>& At(const reference::StepIndex& at) {
    return steps[static_cast<size_t>((at.layer * problem.n_dir + at.dir) * problem.n_iter + at.time)];
  }
  void AfterStep(const reference::StepIndex& at, const reference::CellInput<Num>& in,
                 reference::CellResult<Num>* result) {
    At(at) = {in, *result};
  }
};

inline size_t IndexOf(const MemoryDesc& md, const reference::GradientPlace& place, Dim row, Dim col) {
  Dim linear = 0;
  for (int d = 0; d < md.ndims; ++d) {
    linear = linear * md.dims[d] + (d == place.row_dim ? row : d == place.col_dim ? col : place.index[d]);
  }
  return static_cast<size_t>(linear);
}

template <class Num>
Values<typename Num::Real> BackwardValues(const RnnProblem& problem, const reference::BoundProblem& bound,
                                          const TensorSet& inputs, const Num& num, StepRecorder<Num>* steps) {
  using Real = typename Num::Real;
  Values<Real> values;
  const bool accumulate = problem.diff_weights_mode() == DiffWeightsMode::kAccumulate;
  reference::StackDiffInput<Num> in = reference::LoadStackDiffInput(num, bound);
  in.saved = [&](const reference::StepIndex& at) { return steps->At(at); };
  in.weights_sink = [&](Dim layer, Dim dir, const reference::ParameterGradients<Num>& g) {
    const auto add = [&](const reference::GradientPlace& place, const typename Num::Mat& m) {
      std::vector<Real>& flat = values[place.tensor];
      flat.resize(static_cast<size_t>(NumElements(problem.md[place.tensor])));
      for (Eigen::Index j = 0; j < m.rows(); ++j) {
        for (Eigen::Index k = 0; k < m.cols(); ++k) {
          const size_t i = IndexOf(problem.md[place.tensor], place, j, k);
          flat[i] = m(j, k) + Real(accumulate ? inputs[place.tensor].Get(i) : 0);
        }
      }
    };
    reference::ForEachGradient(problem, layer, dir, g, add);
  };
  const reference::StackDiffOutput<Num> out = reference::RunStackBackward(num, in);
  values[kDiffSrcLayer] = Flat(out.diff_src_layer);
  if (problem.Has(kDiffSrcIter)) values[kDiffSrcIter] = Flat(out.diff_src_iter);
  if (problem.Has(kDiffSrcIterC)) values[kDiffSrcIterC] = Flat(out.diff_src_iter_c);
  if (problem.Has(kDiffAugruAttention)) values[kDiffAugruAttention] = Flat(out.diff_augru_attention);
  return values;
}

template <class Num>
Values<typename Num::Real> ValuesIn(const Num& num, const RnnProblem& problem, const TensorSet& inputs) {
  const RnnBuffers buffers = BuffersOf(inputs);
  const reference::BoundProblem bound = {problem, buffers};
  StepRecorder<Num> steps(problem);
  const reference::StackOutput<Num> out = reference::RunStack(num, reference::LoadStackInput(num, bound), &steps);
  return problem.IsBackward() ? BackwardValues(problem, bound, inputs, num, &steps) : ForwardValues(problem, out);
}

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_TESTS_VALUES_IN_H_
