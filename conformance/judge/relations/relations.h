// The checks beside the oracle's verdict on one run. Each runs the implementation again on changed inputs.
#ifndef TANDEM_CONFORMANCE_JUDGE_RELATIONS_RELATIONS_H_
#define TANDEM_CONFORMANCE_JUDGE_RELATIONS_RELATIONS_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "conformance/judge/verdict/verdict.h"
#include "conformance/oracle/declaration.h"
#include "conformance/oracle/implementation.h"

namespace tandem::conformance {

// An implementation claims this of the rows of a batch.
enum class RowBits {
  kFree,
  kOfTheRowAlone,  // whatever the other rows are, how many, and in which order
};

// Runs `problem` so many times in the same buffers, each time on the states that the one before has left; `tensors`
// receives the states that the last one started from, and its outputs.
using RepeatedRun = std::function<RunResult(const RnnProblem& problem, int executions, TensorSet* tensors)>;

// A run, and the implementation that can run it again. `outputs` are the implementation's for `inputs`; of a backward problem the
// inputs hold the dst_* that its own forward has written.
struct CheckInput {
  const RnnProblem& problem;
  const TensorSet& inputs;
  const TensorSet& outputs;
  const Implementation& implementation;
  Declaration declared;
  // The same implementation, but in the layouts of the problem where it could choose one (`any`). Null: there is none.
  const Implementation* in_given_layouts = nullptr;
  // Null: the states are handed on in copies.
  const RepeatedRun* repeated = nullptr;
  // The result of CheckBounds for the outputs, if there is one.
  const ProblemReport* bounds = nullptr;
  RowBits row_bits = RowBits::kFree;
};

// The relations that `problem` can be tried for: two runs of it, or a run and its parts.
//
// kChained: the implementation drives itself through its own visible states, each call a problem of one layer,
// direction and step, of one layer and direction, or of one direction, forward and (gradients handed back in reverse
// order, those of the weights adding up) backward. Steps and, forward, layers are judged as the problems they are, with
// nothing hidden; then the whole run must agree with what its parts gave. kHandedOn: three or four executions in one
// process, the states that one leaves being those that the next one starts from, in two pairs of buffers that take turns;
// the last one is judged on the states that it was given.
//
// kMetamorphic: another way to the same outputs. A right2left run is the left2right run of the flipped sequence; the
// batch in another order or in two halves; the units (and the channels of src_layer) in another order; other strides,
// padding and order of dims. With sequence_lengths: lengths of n_iter give what the problem without lengths gives, and the
// rows of each length, taken together and cut to it, are such a problem, too.
//
// Agreement in both: the same bits, or else each of the two results in the intervals that CheckBounds gives it, because
// rounding errors allow nothing stricter. Whether the bits are the same is kept for the grades.
//
// kMetamorphic, backward, without an oracle: -2 times the diff_dst gives -2 times every gradient exactly, as it
// commutes with every rounding (not in f16, where gradients underflow); zeros give zeros exactly; and <diff_dst, J d> =
// <gradient, d> where the outputs are an affine function of what d moves, so that J d is the difference of two forward
// runs and nothing is truncated. The bound is that of the elements in the two products.
//
// kNonInterference: outputs that cannot depend on a region of the inputs keep their bits when it changes, or is filled
// with NaN: other rows of the batch, steps on the other side, layers above (backward: below), the other direction.
// Outputs that depend on the region must change: NaN must arrive (relu may lose it), and if another value changes
// nothing, the oracle judges whether that is possible.
std::vector<Relation> RelationsOf(const RnnProblem& problem);
// `number` varies what is left open: which order, halves, layouts, region.
ProblemReport CheckRelation(const CheckInput& in, Relation relation, uint64_t number = 0);
// The relation of RelationsOf() that `number` chooses.
ProblemReport CheckChosenRelation(const CheckInput& in, uint64_t number);
// All of RelationsOf() that are of the kind, and for kNonInterference also kRepeat.
ProblemReport CheckRelationsOf(const CheckInput& in, CheckKind kind);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_JUDGE_RELATIONS_RELATIONS_H_
