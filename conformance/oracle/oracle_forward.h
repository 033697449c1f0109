// Runs the reference's stack with the values of a Bounded policy, teacher-forced on request, and keeps the states that
// the outputs are made from.
#ifndef TANDEM_CONFORMANCE_ORACLE_ORACLE_FORWARD_H_
#define TANDEM_CONFORMANCE_ORACLE_ORACLE_FORWARD_H_

#include <vector>

#include "conformance/oracle/bounded_int8.h"
#include "conformance/oracle/bounded_numerics.h"
#include "conformance/oracle/oracle.h"
#include "reference/stack/stack_input.h"

namespace tandem::conformance {

// States before they are stored.
struct ForwardStates {
  std::vector<std::vector<BoundedMat>> sequence;  // [d][t], last layer, each [dic, mb]
  std::vector<BoundedMat> final_h;                // [l * n_dir + d]; of rows without a step: nothing
  std::vector<BoundedMat> final_c;                // [l * n_dir + d]; empty matrices without LSTM
};

// The pointers under which the reference's views read a tensor set.
inline RnnBuffers BuffersOf(const TensorSet& tensors) {
  RnnBuffers buffers;
  for (int t = 0; t < kNumTensors; ++t) buffers.tensor[t] = const_cast<void*>(tensors.tensor[t].data());
  return buffers;
}

// dst_layer of an implementation, as the recurrent state of the last layer: seen for every t unless directions are
// summed.
class VisibleStates {
 public:
  VisibleStates(const RnnProblem& problem, const TensorSet* forced) : problem_(problem), forced_(forced) {}
  bool Sees(Dim layer) const {
    return forced_ != nullptr && layer == problem_.n_layer - 1 && problem_.direction != Direction::kBidirectionalSum;
  }
  double At(Dim time, Dim n, Dim dir, Dim unit) const {
    const Dim offset = problem_.direction == Direction::kBidirectionalConcat ? dir * problem_.dic : 0;
    const Dim index = (time * problem_.mb + n) * problem_.dlc + offset + unit;
    return (*forced_)[kDstLayer].Get(static_cast<size_t>(index));
  }

 private:
  const RnnProblem& problem_;
  const TensorSet* forced_;
};

// A recorder is called with every finished step; this one does nothing.
struct NoRecorder {
  template <class Input, class Result>
  void Record(const reference::StepIndex&, const Input&, const Result&) {}
};

template <class Num, class Recorder = NoRecorder>
class OracleHook {
 public:
  OracleHook(const Num& num, const reference::BoundProblem& bound, const TensorSet* forced, Recorder recorder = {})
      : num_(num),
        problem_(bound.problem),
        shape_(reference::ShapeOf(bound)),
        visible_(bound.problem, forced),
        recorder_(recorder) {
    states_.sequence.assign(static_cast<size_t>(shape_.n_dir),
                            std::vector<BoundedMat>(static_cast<size_t>(shape_.n_iter)));
    states_.final_h.assign(shape_.NumStacks(), BoundedMat(problem_.dic, shape_.mb));
    states_.final_c.assign(shape_.NumStacks(), BoundedMat(HasCellState(problem_.cell) ? shape_.dhc : 0, shape_.mb));
  }

  void BeforeStep(const reference::StepIndex& at, reference::CellInput<Num>* in) {
    for (BoundedMat* m : {&in->x, &in->h_prev, &in->c_prev, &in->a}) *m = num_.Own(*m);
    if (!visible_.Sees(at.layer)) return;
    const StepWalk walk = shape_.Walk(at.dir);
    const Dim step = walk.Step(at.time);
    for (Dim n = 0; n < in->h_prev.cols(); ++n) {
      if (walk.IsFirst(at.time, shape_.lengths.Of(n, shape_.n_iter)) || !shape_.lengths.IsLive(at.time, n)) continue;
      for (Dim j = 0; j < in->h_prev.rows(); ++j) {
        in->h_prev(j, n) = num_.Forced(visible_.At(walk.Time(step - 1), n, at.dir, j));
      }
    }
  }

  void AfterStep(const reference::StepIndex& at, const reference::CellInput<Num>& in,
                 reference::CellResult<Num>* result) {
    const BoundedMat& h = num_.state_before_store();
    result->h = num_.Recurrent(h);
    recorder_.Record(at, in, *result);
    if (at.layer == shape_.n_layer - 1) states_.sequence[at.dir][at.time] = h;
    const reference::Columns ending = shape_.EndingRows(at.dir, at.time);
    reference::CopyColumns(ending, h, &states_.final_h[shape_.At(at.layer, at.dir)]);
    if (!HasCellState(problem_.cell)) return;
    reference::CopyColumns(ending, num_.cell_before_store(), &states_.final_c[shape_.At(at.layer, at.dir)]);
  }

  ForwardStates TakeStates() { return std::move(states_); }

 private:
  const Num& num_;
  const RnnProblem& problem_;
  const reference::StackShape shape_;
  const VisibleStates visible_;
  Recorder recorder_;
  ForwardStates states_;
};

template <class Num>
ForwardStates RunForwardStates(const Num& num, const RnnProblem& problem, const TensorSet& inputs,
                               const TensorSet* forced) {
  const RnnBuffers buffers = BuffersOf(inputs);
  const reference::BoundProblem bound = {problem, buffers};
  OracleHook<Num> hook(num, bound, forced);
  reference::RunStack(num, reference::LoadStackInput(num, bound), &hook);
  return hook.TakeStates();
}

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_ORACLE_ORACLE_FORWARD_H_
