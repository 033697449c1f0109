#include "reference/teaching/trace/trace.h"

#include <cctype>
#include <utility>

#include "reference/numerics/numerics.h"
#include "reference/stack/stack_diff_io.h"
#include "reference/teaching/trace/trace_int8.h"
#include "reference/teaching/trace/trace_lines.h"
#include "reference/teaching/trace/trace_stack.h"

namespace tandem {
namespace reference {
namespace {

template <class N>
StoredValues StateStorage(const N& num, const RnnProblem& problem) {
  StoredValues storage = {[&num](double x) { return num.Widen(num.StoreState(Mat<double>::Constant(1, 1, x)))(0); },
                          ToString(problem.SrcType()), nullptr, nullptr};
  if (problem.IsInt8()) {
    storage.byte = [&problem](double stored) { return ByteOf(problem, Mat<double>::Constant(1, 1, stored))(0); };
    storage.admits = [&problem](double value, double stored) { return AdmitsByte(problem, value, stored); };
  }
  return storage;
}

template <class N>
StoredValues CellStorage(const N& num, const RnnProblem& problem) {
  return {[&num](double x) { return num.StoreCellState(Mat<double>::Constant(1, 1, x))(0); },
          ToString(CellStateType(problem)), nullptr, nullptr};
}

// Tells every step of forward as it is computed, and keeps what backward needs.
template <class N>
class ForwardTrace : public NoHook {
 public:
  ForwardTrace(const N& num, const StackInput<N>& in, StackTeller<N>* stack, LineTeller* teller)
      : num_(num), in_(in), stack_(stack), teller_(teller), lines_(ForwardStepLines(teller->problem())) {
    steps_.resize(in.shape.NumStacks() * static_cast<size_t>(in.shape.n_iter));
  }

  SavedStep<N>& Saved(const StepIndex& at) {
    return steps_[in_.shape.At(at.layer, at.dir) * static_cast<size_t>(in_.shape.n_iter) +
                  static_cast<size_t>(at.time)];
  }

  void AfterStep(const StepIndex& index, const CellInput<N>& in, CellResult<N>* result) {
    const RnnProblem& problem = teller_->problem();
    const bool first = in_.shape.Walk(index.dir).Step(index.time) == 0;
    if (first) TellParameters(index);
    teller_->SetStep(TracePhase::kForward, index, in_.shape.DeadRows(index.time));
    stack_->TellStepInputs(index, in);
    const StepMasks<N> masks = MasksAt(in_.masks, in_.shape, index);
    NamedValues inputs = InputValues(problem, num_, in);
    Merge(MaskValues(masks), &inputs);
    for (const auto& [name, value] : inputs) {
      teller_->TellInput(name, value);
      teller_->evaluator().values[name] = Mat<double>(value);
    }
    TellProducts(problem, num_, parameters_, in, teller_);
    NamedValues results = ResultValues(problem, num_, *result);
    Merge(MaskedInputValues(num_, masks, in), &results);
    for (const StepLine& line : lines_) {
      TellQuantizedOperand(problem, num_, line, teller_);
      // Zoneout mixes the stored state.
      if (line.id == "MASK.4") teller_->evaluator().values["c_cell"] = Mat<double>(results.at("c_cell"));
      teller_->TellStepLine(line, results);
    }
    TellQuantizedState(problem, num_, *result, teller_);
    Saved(index) = {in, *result};
    stack_->TellStep(index, in, *result);
  }

 private:
  void TellParameters(const StepIndex& index) {
    parameters_ = in_.parameters(index.layer, index.dir);
    teller_->SetStep(TracePhase::kParameters, index);
    for (const auto& [name, value] : ParameterValues(teller_->problem(), parameters_)) {
      teller_->evaluator().values[name] = Mat<double>(value);
      // The same for all rows of the minibatch.
      const bool is_norm = name.rfind("norm_", 0) == 0, is_column = is_norm || name[0] == 'B' || name[0] == 'P';
      // The numbers of functions stand in the problem's line, and are put into the formulas.
      if (is_norm || std::isupper(static_cast<unsigned char>(name[0])))
        teller_->TellInput(name, is_column ? Mat<double>(value.leftCols(1)) : value);
    }
    TellQuantizedParameters(teller_->problem(), parameters_, teller_);
  }

  const N& num_;
  const StackInput<N>& in_;
  StackTeller<N>* stack_;
  LineTeller* teller_;
  const std::vector<StepLine> lines_;
  CellParameters<N> parameters_;
  std::vector<SavedStep<N>> steps_;
};

using Training = StorageNumerics<double>;

// The tensor that has the gradient "dW_i".
Tensor TensorOf(const std::string& gradient) {
  for (const Tensor norm : {kDiffNormGain, kDiffNormOffset}) {
    if (gradient.rfind(ToString(norm), 0) == 0) return norm;
  }
  switch (gradient[1]) {
    case 'W':
      return kDiffWeightsLayer;
    case 'U':
      return kDiffWeightsIter;
    case 'B':
      return kDiffBias;
    case 'P':
      return kDiffWeightsPeephole;
    default:
      return kDiffWeightsProjection;
  }
}

// Tells every step of backward as it is computed.
class BackwardTrace {
 public:
  BackwardTrace(const Training& num, const BoundProblem& bound, StackDiffInput<Training>* in,
                StackTeller<Training>* stack, LineTeller* teller)
      : num_(num),
        bound_(bound),
        in_(*in),
        stack_(stack),
        teller_(teller),
        lines_(BackwardStepLines(teller->problem())) {
    in->weights_sink = [this](Dim layer, Dim dir, const ParameterGradients<Training>& grad) {
      TellGradients({layer, dir, 0}, grad);
    };
  }

  void BeforeStep(const StepIndex& index, const SavedStep<Training>& saved, CellDiffInput<Training>* diff) {
    saved_ = saved;
    diff_ = *diff;
    if (in_.shape.Walk(index.dir).Step(index.time) != in_.shape.n_iter - 1) return;
    const CellParameters<Training> parameters = in_.parameters(index.layer, index.dir);
    Merge(ParameterValues(teller_->problem(), parameters), &teller_->evaluator().values);
    NamedValues zeros = GradientValues(teller_->problem(), ZeroGradients(num_, in_, parameters));
    Merge(zeros, &teller_->evaluator().values);
  }

  void AfterStep(const StepIndex& index, CellDiffResult<Training>* result) {
    const RnnProblem& problem = teller_->problem();
    teller_->SetStep(TracePhase::kBackward, index, in_.shape.DeadRows(index.time));
    stack_->TellDiffInputs(index, diff_);
    NamedValues& values = teller_->evaluator().values;
    const StepMasks<Training> masks = MasksAt(in_.masks, in_.shape, index);
    Merge(InputValues(problem, num_, saved_.in), &values);
    Merge(MaskValues(masks), &values);
    Merge(ResultValues(problem, num_, saved_.out), &values);
    if (IsLinearBeforeReset(problem.cell)) values[kSavedLinear] = saved_.out.linear;
    for (const auto& [name, value] : DiffInputValues(problem, diff_)) {
      teller_->TellInput(name, value);
      values[name] = Mat<double>(value);
    }
    NamedValues results = DiffResultValues(problem, *result);
    Merge(MaskedInputValues(num_, masks, saved_.in), &results);
    for (size_t i = 0; i < lines_.size(); ++i) teller_->TellStepLine(lines_[i], IsLast(i) ? results : NamedValues());
    stack_->TellDiffStep(index, *result);
  }

 private:
  // Says whether no later line adds to the value of this one, as to dc'.
  bool IsLast(size_t i) const {
    for (size_t later = i + 1; later < lines_.size(); ++later) {
      if (lines_[later].formula.left.name == lines_[i].formula.left.name) return false;
    }
    return true;
  }

  // The totals over all steps, which TellStepLine had nothing to compare with, and what the tensors hold then.
  void TellGradients(const StepIndex& at, const ParameterGradients<Training>& grad) {
    const RnnProblem& problem = teller_->problem();
    const bool accumulate = problem.diff_weights_mode() == DiffWeightsMode::kAccumulate;
    ParameterGradients<Training> held = grad;
    ForEachGradient(problem, at.layer, at.dir, held, [&](const GradientPlace& place, Mat<double>& value) {
      value = bound_.View(place.tensor).Slice(place.index, place.row_dim, place.col_dim);
    });
    teller_->SetStep(TracePhase::kGradients, at);
    const NamedValues before = GradientValues(problem, held);
    for (const auto& [name, value] : GradientValues(problem, grad)) {
      teller_->TellTotal(name, value);
      if (!accumulate || !problem.Has(TensorOf(name))) continue;
      teller_->TellGradient(name, before.at(name), "the tensor held before");
      teller_->TellGradient(name, before.at(name) + value, "the tensor holds then");
    }
  }

  const Training& num_;
  const BoundProblem& bound_;
  const StackDiffInput<Training>& in_;
  StackTeller<Training>* stack_;
  LineTeller* teller_;
  const std::vector<StepLine> lines_;
  SavedStep<Training> saved_;
  CellDiffInput<Training> diff_;
};

template <class N>
void TraceBackward(const N&, const BoundProblem&, ForwardTrace<N>*, StackTeller<N>*, LineTeller*) {}

void TraceBackward(const Training& num, const BoundProblem& bound, ForwardTrace<Training>* forward,
                   StackTeller<Training>* stack, LineTeller* teller) {
  if (!bound.problem.IsBackward()) return;
  StackDiffInput<Training> in = LoadStackDiffInput(num, bound);
  in.saved = [&](const StepIndex& at) -> SavedStep<Training> {
    const SavedStep<Training>& step = forward->Saved(at);
    return {step.in, Saved(num, step.out)};
  };
  stack->TellDiffSequence(in);
  BackwardTrace hook(num, bound, &in, stack, teller);
  stack->TellDiffOutputs(RunStackBackward(num, in, &hook));
}

template <class N>
void Run(const BoundProblem& bound, const TraceVisitor& visit) {
  const N num(bound.problem);
  LineTeller teller(bound.problem, visit);
  teller.SetStateStorage(StateStorage(num, bound.problem));
  teller.SetCellStorage(CellStorage(num, bound.problem));
  const StackInput<N> in = LoadStackInput(num, bound);
  StackTeller<N> stack(num, in, &teller);
  ForwardTrace<N> forward(num, in, &stack, &teller);
  stack.TellOutputs(RunStack(num, in, &forward));
  TraceBackward(num, bound, &forward, &stack, &teller);
}

}  // namespace

void Trace(const RnnProblem& problem, const RnnBuffers& buffers, const TraceVisitor& visit) {
  const BoundProblem bound = {problem, buffers};
  if (problem.IsInt8()) return Run<QuantizedNumerics<double>>(bound, visit);
  if (problem.IsDynamic()) return Run<DynamicNumerics<double>>(bound, visit);
  Run<StorageNumerics<double>>(bound, visit);
}

bool IsPerRow(const TracedLine& line) {
  if (line.phase == TracePhase::kParameters || line.phase == TracePhase::kGradients) return false;
  return line.id.empty() || FindEquation(line.id).shape.find("mb") != std::string::npos ||
         FindEquation(line.id).shape[0] != '[';
}

}  // namespace reference
}  // namespace tandem
