// The stack's equations of a trace: how steps, layers and directions hang together.
#ifndef TANDEM_REFERENCE_TEACHING_TRACE_TRACE_STACK_H_
#define TANDEM_REFERENCE_TEACHING_TRACE_TRACE_STACK_H_

#include <string>
#include <utility>
#include <vector>

#include "reference/stack/stack_backward.h"
#include "reference/teaching/trace/trace_int8.h"
#include "reference/teaching/trace/trace_lines.h"

namespace tandem {
namespace reference {

template <class N>
class StackTeller {
 public:
  StackTeller(const N& num, const StackInput<N>& in, LineTeller* teller)
      : num_(num), in_(in), shape_(in.shape), teller_(teller), has_c_(HasCellState(teller->problem().cell)) {
    last_.resize(static_cast<size_t>(shape_.n_dir), std::vector<Mat<double>>(static_cast<size_t>(shape_.n_iter)));
    first_dx_ = last_;
  }

  // Shows the sources of a step's x, h' and c'.
  void TellStepInputs(const StepIndex& at, const CellInput<N>& in) {
    if (at.layer == 0) Tell("STACK.6", {{"src_layer_t", num_.Widen(in_.src_layer[at.time])}}, num_.Widen(in.x));
    if (StepOf(at) != 0) return;
    const size_t stack = shape_.At(at.layer, at.dir);
    if (!in_.src_iter.empty()) {
      const Mat<double> given = num_.Widen(num_.InitialState(in_.src_iter[stack]));
      Tell("STACK.7", {{"src_iter_l", given}}, num_.Widen(in.h_prev));
    }
    if (!in_.src_iter_c.empty()) Tell("STACK.8", {{"src_iter_c_l", in_.src_iter_c[stack]}}, in.c_prev);
  }

  // Shows the results of the step that go to the step after and the layer above.
  void TellStep(const StepIndex& at, const CellInput<N>& in, const CellResult<N>& result) {
    const Columns dead = shape_.DeadRows(at.time);
    Mat<double> h = num_.Widen(result.h), c = result.c;
    CopyColumns(dead, Mat<double>(num_.Widen(in.h_prev)), &h);  // a row without a step keeps its state
    CopyColumns(dead, Mat<double>(in.c_prev), &c);
    teller_->TellCall(has_c_ ? "STACK.2" : "STACK.1", h, has_c_ ? c : Mat<double>());
    if (at.layer == shape_.n_layer - 1) last_[at.dir][at.time] = Mat<double>(h);
    if (StepOf(at) != shape_.n_iter - 1) return;
    Tell("STACK.9", {{"h_{T-1,l}", h}}, h);
    if (has_c_) Tell("STACK.10", {{"c_{T-1,l}", c}}, c);
  }

  void TellOutputs(const StackOutput<N>& out) {
    for (Dim t = 0; t < shape_.n_iter; ++t) {
      teller_->SetStep(TracePhase::kForward, {shape_.n_layer - 1, 0, t}, shape_.DeadRows(t));
      if (shape_.n_dir == 1) {
        Tell("STACK.5", {{"h_{t,L-1}", last_[0][t]}}, last_[0][t]);
        continue;
      }
      const NamedValues both = {{"h→_{t,L-1}", last_[0][t]}, {"h←_{t,L-1}", last_[1][t]}};
      if (shape_.direction == Direction::kBidirectionalConcat) {
        Tell("STACK.3", both, ConcatChannels(last_[0][t], last_[1][t]));
      } else if (teller_->problem().IsInt8()) {
        TellQuantizedSum(t, out);
      } else {
        Tell("STACK.4", both, Mat<double>(), out.dst_layer[t]);
      }
    }
  }

  void TellDiffSequence(const StackDiffInput<N>& in) {
    diff_in_ = &in;
    for (Dim t = shape_.n_iter - 1; t >= 0; --t) {
      teller_->SetStep(TracePhase::kBackward, {shape_.n_layer - 1, 0, t}, shape_.DeadRows(t));
      const bool concat = shape_.direction == Direction::kBidirectionalConcat;
      Tell(concat ? "STACK.B1" : "STACK.B2", {{"diff_dst_layer_t", in.diff_dst_layer[t]}}, in.diff_dst_layer[t]);
    }
  }

  void TellDiffInputs(const StepIndex& at, const CellDiffInput<N>& diff) {
    const size_t stack = shape_.At(at.layer, at.dir);
    const bool last = StepOf(at) == shape_.n_iter - 1;
    if (last && at.layer == shape_.n_layer - 1) above_ = SplitDirections(*diff_in_, at.dir);
    if (last) carried_ = InitialDiff(*diff_in_, stack);
    if (last && !diff_in_->diff_dst_iter.empty()) {
      Tell("STACK.B5", {{"diff_dst_iter_l", diff_in_->diff_dst_iter[stack]}}, carried_.diff_h);
    }
    if (last && !diff_in_->diff_dst_iter_c.empty()) {
      Tell("STACK.B6", {{"diff_dst_iter_c_l", diff_in_->diff_dst_iter_c[stack]}}, carried_.diff_c);
    }
    Tell("STACK.B3", {{"dx_{t,l+1}", above_[at.time]}, {"dh'_{t+1,l}", carried_.diff_h}}, diff.diff_h);
    if (has_c_) Tell("STACK.B7", {{"dc'_{t+1,l}", carried_.diff_c}}, diff.diff_c);
  }

  void TellDiffStep(const StepIndex& at, const CellDiffResult<N>& result) {
    const Columns dead = shape_.DeadRows(at.time);
    Mat<double> diff_h = result.diff_h_prev, diff_c = result.diff_c_prev;
    CopyColumns(dead, carried_.diff_h, &diff_h);
    CopyColumns(dead, carried_.diff_c, &diff_c);
    above_[at.time] = Mat<double>(result.diff_x);
    carried_.diff_h = std::move(diff_h);
    carried_.diff_c = std::move(diff_c);
    if (at.layer == 0) first_dx_[at.dir][at.time] = Mat<double>(result.diff_x);
    if (StepOf(at) != 0) return;
    Tell("STACK.B8", {{"dh'_{0,l}", carried_.diff_h}}, carried_.diff_h);
    if (has_c_) Tell("STACK.B9", {{"dc'_{0,l}", carried_.diff_c}}, carried_.diff_c);
  }

  void TellDiffOutputs(const StackDiffOutput<N>& out) {
    const bool two = shape_.n_dir == 2;
    const EquationLine& line = FindEquation("STACK.B4").lines[two ? 0 : 1];
    for (Dim t = shape_.n_iter - 1; t >= 0; --t) {
      teller_->SetStep(TracePhase::kBackward, {0, 0, t}, shape_.DeadRows(t));
      Evaluator evaluator;
      if (two) evaluator.values = {{"dx→_{t,0}", first_dx_[0][t]}, {"dx←_{t,0}", first_dx_[1][t]}};
      if (!two) evaluator.values = {{"dx_{t,0}", first_dx_[0][t]}};
      teller_->TellFormula("STACK.B4", line.formula, evaluator, out.diff_src_layer[t], {});
    }
  }

 private:
  Dim StepOf(const StepIndex& at) const { return shape_.Walk(at.dir).Step(at.time); }

  // `expected` is what the reference has, exactly; `stored` what it has after it is stored.
  void Tell(const std::string& id, const NamedValues& values, const Mat<double>& expected,
            const Mat<double>& stored = {}) {
    Evaluator evaluator;
    evaluator.values = values;
    teller_->TellFormula(id, FindEquation(id).lines[0].formula, evaluator, expected, stored);
  }

  // [INT8.4] or [INT8.5]: the bytes of both directions.
  void TellQuantizedSum(Dim t, const StackOutput<N>& out) {
    const RnnProblem& problem = teller_->problem();
    const DataQparams data = DataQparamsOf(problem.attr);
    Evaluator evaluator;
    AddQuantization(problem, &evaluator);
    evaluator.values["q_1"] = ByteOf(problem, last_[0][t]);
    evaluator.values["q_2"] = ByteOf(problem, last_[1][t]);
    const bool bytes = TypeOf(problem.md[kDstLayer]) != DataType::kF32;
    const std::string id = data.reading == Reading::kSpec ? "INT8.4" : "INT8.5";
    teller_->TellFormula(id, FindEquation(id).lines[0].formula, evaluator, bytes ? out.dst_layer[t] : Mat<double>(), {},
                         "dst_layer");
  }

  const N& num_;
  const StackInput<N>& in_;
  const StackShape shape_;
  LineTeller* teller_;
  const bool has_c_;
  std::vector<std::vector<Mat<double>>> last_, first_dx_;  // [d][t]
  const StackDiffInput<N>* diff_in_ = nullptr;
  std::vector<Mat<double>> above_;  // [t], of the direction that is running
  CellDiffInput<N> carried_;
};

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_TEACHING_TRACE_TRACE_STACK_H_
