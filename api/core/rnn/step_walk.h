// One direction walks through time. This is the only place that knows which time a step evaluates, and for which rows.
#ifndef TANDEM_API_CORE_RNN_STEP_WALK_H_
#define TANDEM_API_CORE_RNN_STEP_WALK_H_

#include <algorithm>

#include "api/core/range.h"
#include "api/core/rnn/rnn_problem.h"

namespace tandem {

// A step is a place in the order in which forward propagation evaluates the cells of a layer, 0 the first; backward takes
// the steps from the last to the first. A time is an index of src_layer's outermost dim.
//
// A row of `length` steps evaluates times 0 to length - 1 in either direction: right2left rows start at different steps,
// left2right rows end at different ones. Live, Starting and Ending are for who keeps the longest rows first, so that a step
// works on one range of rows.
class StepWalk {
 public:
  // live[t]: how many rows have a step at time t, the first ones of the minibatch. Null: all have n_iter steps.
  StepWalk(Direction direction, Dim dir, Dim n_iter, Dim mb, const Dim* live = nullptr)
      : reversed_(IsReversed(direction, dir)), n_iter_(n_iter), mb_(mb), live_(live) {}
  // Walks through direction `dir` of a validated problem.
  StepWalk(const RnnProblem& problem, Dim dir, const Dim* live = nullptr)
      : StepWalk(problem.direction, dir, problem.n_iter, problem.mb, live) {}

  Dim steps() const { return n_iter_; }

  Dim Time(Dim step) const { return reversed_ ? n_iter_ - 1 - step : step; }
  Dim Step(Dim time) const { return Time(time); }  // the reversal is its own inverse
  // Steps that follow one another evaluate times that do.
  Range Times(Range steps) const { return reversed_ ? Range{n_iter_ - steps.end, n_iter_ - steps.begin} : steps; }
  Range Steps(Range times) const { return Times(times); }

  // The rows that a step evaluates.
  Range Live(Dim step) const { return {0, LiveRows(step)}; }
  // Returns the rows among these whose first step it is: they take src_iter, and backward leaves diff_src_iter.
  Range Starting(Dim step) const {
    return {std::min(step == 0 ? 0 : LiveRows(step - 1), LiveRows(step)), LiveRows(step)};
  }
  // The rows that it is the last step of: they leave dst_iter, and backward takes diff_dst_iter.
  Range Ending(Dim step) const {
    return {std::min(step == n_iter_ - 1 ? 0 : LiveRows(step + 1), LiveRows(step)), LiveRows(step)};
  }

  // Say whether a row of `length` steps has its first or last one at this time.
  bool IsFirst(Dim time, Dim length) const { return time == (reversed_ ? length - 1 : 0); }
  bool IsLast(Dim time, Dim length) const { return time == (reversed_ ? 0 : length - 1); }

 private:
  Dim LiveRows(Dim step) const { return live_ == nullptr ? mb_ : live_[Time(step)]; }

  bool reversed_;
  Dim n_iter_;
  Dim mb_;
  const Dim* live_;
};

}  // namespace tandem

#endif  // TANDEM_API_CORE_RNN_STEP_WALK_H_
