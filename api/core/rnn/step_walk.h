// How one direction walks through time: the only place that knows which time a step evaluates, and for which rows.
#ifndef TANDEM_API_CORE_RNN_STEP_WALK_H_
#define TANDEM_API_CORE_RNN_STEP_WALK_H_

#include "api/core/range.h"
#include "api/core/rnn/rnn_problem.h"

namespace tandem {

// A step is a place in the order in which forward propagation evaluates the cells of a layer, 0 the first; backward takes
// the steps from the last to the first. A time is an index of src_layer's outermost dim.
//
// Live rows are the first ones of the minibatch, so that a step works on one range of rows. Here all rows have n_iter
// steps. Were their lengths to differ, with the longest rows first, Live, Starting and Ending would say so, and nothing
// else: right2left rows then start at different steps, left2right rows end at different ones.
class StepWalk {
 public:
  StepWalk(Direction direction, Dim dir, Dim n_iter, Dim mb)
      : reversed_(IsReversed(direction, dir)), n_iter_(n_iter), mb_(mb) {}
  // Of direction `dir` of a validated problem.
  StepWalk(const RnnProblem& problem, Dim dir) : StepWalk(problem.direction, dir, problem.n_iter, problem.mb) {}

  Dim steps() const { return n_iter_; }

  Dim Time(Dim step) const { return reversed_ ? n_iter_ - 1 - step : step; }
  Dim Step(Dim time) const { return Time(time); }  // the reversal is its own inverse
  // Steps that follow one another evaluate times that do.
  Range Times(Range steps) const { return reversed_ ? Range{n_iter_ - steps.end, n_iter_ - steps.begin} : steps; }
  Range Steps(Range times) const { return Times(times); }

  // The rows that a step evaluates.
  Range Live(Dim /*step*/) const { return {0, mb_}; }
  // Of these, the rows that it is the first step of: they take src_iter, and backward leaves diff_src_iter.
  Range Starting(Dim step) const { return {step == 0 ? 0 : mb_, mb_}; }
  // The rows that it is the last step of: they leave dst_iter, and backward takes diff_dst_iter.
  Range Ending(Dim step) const { return {step == n_iter_ - 1 ? 0 : mb_, mb_}; }

 private:
  bool reversed_;
  Dim n_iter_;
  Dim mb_;
};

}  // namespace tandem

#endif  // TANDEM_API_CORE_RNN_STEP_WALK_H_
