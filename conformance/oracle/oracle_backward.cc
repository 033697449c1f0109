#include "conformance/oracle/oracle_backward.h"

#include <map>
#include <utility>

#include "conformance/oracle/oracle_forward.h"
#include "conformance/oracle/oracle_outputs.h"
#include "reference/cells/cell_dispatch.h"
#include "reference/stack/stack_diff_io.h"

namespace tandem::conformance {
namespace {

using Num = BoundedNumerics;
using SavedSteps = std::vector<reference::SavedStep<Num>>;

size_t StepSlot(const RnnProblem& p, const reference::StepIndex& at) {
  return static_cast<size_t>((at.layer * p.n_dir + at.dir) * p.n_iter + at.time);
}

// Keeps every step as backward sees it.
class StepRecorder {
 public:
  StepRecorder(const Num* num, const RnnProblem* problem, SavedSteps* steps, const reference::StackInput<Num>* stack)
      : num_(num), problem_(problem), steps_(steps), stack_(stack) {}

  void Record(const reference::StepIndex& at, const reference::CellInput<Num>& in,
              const reference::CellResult<Num>& result) {
    reference::SavedStep<Num>& step = (*steps_)[StepSlot(*problem_, at)];
    step.in = in;
    step.out = reference::Saved(*num_, result);
    // A slope may be that of h as it is stored, or before. Of a cell whose states are mixed with those before the step, backward
    // has h_cell and c_cell.
    const bool mixes_h = problem_->Has(kZoneoutIter), mixes_c = problem_->Has(kZoneoutIterC);
    if (HasActivation(problem_->cell) && !mixes_h) step.out.h = num_->StoreGate(num_->state_before_store());
    if (HasCellState(problem_->cell) && !mixes_c) step.out.c = num_->CellForBackward();
    if (problem_->HasProjection() && IsNarrowFloat(problem_->SrcType())) {
      const BoundedMat output = Output(at, mixes_c ? step.out.c_cell : step.out.c);
      step.out.h_hat = num_->ProjectedForBackward(step.out.h_hat, output * step.out.gate[LstmGate::kOutput]);
    }
  }

 private:
  // tanh(c_t), or that of its norm.
  BoundedMat Output(const reference::StepIndex& at, const BoundedMat& c) {
    const size_t index = stack_->shape.At(at.layer, at.dir);
    if (parameters_of_ != index) parameters_ = stack_->parameters(at.layer, at.dir);
    parameters_of_ = index;
    return reference::OutputOf(*num_, parameters_, reference::ShownCellState(*num_, parameters_, c));
  }

  const Num* num_;
  const RnnProblem* problem_;
  SavedSteps* steps_;
  const reference::StackInput<Num>* stack_;
  reference::CellParameters<Num> parameters_;  // of the layer and direction that is running, if they are needed
  size_t parameters_of_ = SIZE_MAX;
};

// Takes the saved output of each step from dst_layer where it is visible there.
void ForceSavedOutputs(const RnnProblem& p, const Num& num, const VisibleStates& visible, SavedSteps* steps) {
  const Dim layer = p.n_layer - 1;
  const bool as_stored = !HasActivation(p.cell) || !IsNarrowFloat(p.SrcType());
  if (!visible.Sees(layer) || !as_stored) return;
  for (Dim dir = 0; dir < p.n_dir; ++dir) {
    for (Dim t = 0; t < p.n_iter; ++t) {
      BoundedMat& h = (*steps)[StepSlot(p, {layer, dir, t})].out.h;
      for (Dim n = 0; n < h.cols(); ++n) {
        for (Dim j = 0; j < h.rows(); ++j) h(j, n) = num.Forced(visible.At(t, n, dir, j));
      }
    }
  }
}

// One builder for each output of a backward problem.
class Gradients {
 public:
  Gradients(const RnnProblem& problem, const TensorSet& inputs, const Declaration& declared)
      : problem_(problem), inputs_(inputs), declared_(declared) {
    for (const Tensor t : Outputs(problem)) builders_.emplace(t, OracleTensorBuilder(problem, declared, t));
  }

  // What the tensor held before joins the sum, unless it is overwritten.
  void SetWeights(Dim layer, Dim dir, const reference::ParameterGradients<Num>& gradients) {
    const bool accumulate = problem_.diff_weights_mode() == DiffWeightsMode::kAccumulate;
    reference::ForEachGradient(problem_, layer, dir, gradients,
                               [&](const reference::GradientPlace& place, const BoundedMat& gradient) {
                                 OracleTensorBuilder& builder = builders_.at(place.tensor);
                                 // The order in which both lie in memory.
                                 for (Eigen::Index k = 0; k < gradient.cols(); ++k) {
                                   for (Eigen::Index j = 0; j < gradient.rows(); ++j) {
                                     const size_t index = IndexOf(place, j, k);
                                     Bounded sum = gradient(j, k);
                                     if (accumulate) sum += Bounded(inputs_[place.tensor].Get(index));
                                     Set(place.tensor, index, sum, &builder);
                                   }
                                 }
                               });
  }

  // [t] or [(l, d)] of [channels, mb], as the tensor's outermost, last and second last dims.
  void SetMatrices(Tensor tensor, const std::vector<BoundedMat>& matrices) {
    if (!problem_.Has(tensor)) return;
    OracleTensorBuilder& builder = builders_.at(tensor);
    size_t index = 0;
    for (const BoundedMat& m : matrices) {
      for (Eigen::Index n = 0; n < m.cols(); ++n) {
        for (Eigen::Index j = 0; j < m.rows(); ++j) Set(tensor, index++, m(j, n), &builder);
      }
    }
  }

  OracleResult Finish() {
    OracleResult result;
    for (auto& [tensor, builder] : builders_) result.outputs.push_back(builder.Finish());
    return result;
  }

 private:
  size_t IndexOf(const reference::GradientPlace& place, Dim row, Dim col) const {
    const MemoryDesc& md = problem_.md[place.tensor];
    Dim linear = 0;
    for (int d = 0; d < md.ndims; ++d) {
      const Dim at = d == place.row_dim ? row : d == place.col_dim ? col : place.index[d];
      linear = linear * md.dims[d] + at;
    }
    return static_cast<size_t>(linear);
  }

  void Set(Tensor tensor, size_t index, const Bounded& value, OracleTensorBuilder* builder) const {
    const Bounded result = declared_.narrow_gradients ? StoredOrNot(problem_.SrcType(), value.Closed()) : value;
    Admissible element = AdmissibleFloat(TypeOf(problem_.md[tensor]), result, declared_.subnormals);
    element.terms = value.magnitude();
    builder->Set(index, element);
  }

  const RnnProblem& problem_;
  const TensorSet& inputs_;
  const Declaration& declared_;
  std::map<Tensor, OracleTensorBuilder> builders_;
};

}  // namespace

OracleResult RunBackwardOracle(const RnnProblem& problem, const TensorSet& inputs, const OracleOptions& options) {
  const Num num(problem, options.declared);
  const RnnBuffers buffers = BuffersOf(inputs);
  const reference::BoundProblem bound = {problem, buffers};
  SavedSteps steps(static_cast<size_t>(problem.n_layer * problem.n_dir * problem.n_iter));
  const TensorSet* forced = options.forced;
  const reference::StackInput<Num> stack = reference::LoadStackInput(num, bound);
  OracleHook<Num, StepRecorder> forward(num, bound, forced, StepRecorder(&num, &problem, &steps, &stack));
  reference::RunStack(num, stack, &forward);
  ForceSavedOutputs(problem, num, VisibleStates(problem, forced), &steps);

  Gradients gradients(problem, inputs, options.declared);
  reference::StackDiffInput<Num> in = reference::LoadStackDiffInput(num, bound);
  for (auto* matrices : {&in.diff_dst_layer, &in.diff_dst_iter, &in.diff_dst_iter_c}) {
    for (BoundedMat& m : *matrices) m = num.ReadGradient(m);
  }
  in.saved = [&](const reference::StepIndex& at) { return steps[StepSlot(problem, at)]; };
  in.weights_sink = [&](Dim layer, Dim dir, const reference::ParameterGradients<Num>& g) {
    gradients.SetWeights(layer, dir, g);
  };
  const Num backward(problem, options.declared, Propagation::kBackward);
  const reference::StackDiffOutput<Num> out = reference::RunStackBackward(backward, in);
  gradients.SetMatrices(kDiffSrcLayer, out.diff_src_layer);
  gradients.SetMatrices(kDiffSrcIter, out.diff_src_iter);
  gradients.SetMatrices(kDiffSrcIterC, out.diff_src_iter_c);
  gradients.SetMatrices(kDiffAugruAttention, out.diff_augru_attention);
  return gradients.Finish();
}

}  // namespace tandem::conformance
