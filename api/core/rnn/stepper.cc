#include "api/core/rnn/stepper.h"

#include "api/core/error.h"
#include "api/core/memory/memory_desc.h"

namespace tandem {
namespace {

const void* Advance(const void* base, Dim elements, DataType type) {
  return base == nullptr ? nullptr : static_cast<const char*>(base) + static_cast<size_t>(elements) * SizeOf(type);
}

void CheckServed(const RnnProblem& problem) {
  if (problem.propagation != Propagation::kForwardInference) {
    ThrowInvalid(std::string("stream: the propagation is ") + ToString(problem.propagation) +
                 ", but must be forward_inference");
  }
  if (problem.direction != Direction::kLeft2Right) {
    ThrowInvalid(std::string("stream: the direction is ") + ToString(problem.direction) +
                 ", but must be left2right, because later steps are not known yet");
  }
  if (problem.Has(kSequenceLengths)) ThrowInvalid("stream: has sequence lengths, but each row is stepped on its own");
  if (problem.attr.rnn_masks != 0) ThrowInvalid("stream: has masks, but they are of whole sequences");
  if (problem.sic != problem.dic) {
    ThrowInvalid("stream: sic is " + std::to_string(problem.sic) + ", but must be dic, " + std::to_string(problem.dic) +
                 ", because each step reads the states of the one before");
  }
}

}  // namespace

SteppedRows Stepper::RowsOf(Dim step, const SteppedRows& all) const {
  SteppedRows one = all;
  one.src_layer = Advance(all.src_layer, step * problem_.slc, problem_.SrcType());
  one.augru_attention = Advance(all.augru_attention, step, problem_.SrcType());
  one.dst_layer = const_cast<void*>(Advance(all.dst_layer, step * problem_.dlc, TypeOf(problem_.md[kDstLayer])));
  return one;
}

RnnProblem OneStepOf(const RnnProblem& problem, Dim rows) {
  CheckServed(problem);
  RnnProblem step = problem;
  const DataType cell_state = CellStateType(problem);
  step.n_iter = 1;
  step.mb = rows;
  step.md[kSrcLayer] = MakeDense({1, rows, step.slc}, TypeOf(problem.md[kSrcLayer]));
  step.md[kDstLayer] = MakeDense({1, rows, step.dlc}, TypeOf(problem.md[kDstLayer]));
  if (step.Has(kAugruAttention)) {
    step.md[kAugruAttention] = MakeDense({1, rows, 1}, TypeOf(problem.md[kAugruAttention]));
  }
  step.md[kSrcIter] = step.md[kDstIter] = MakeDense({step.n_layer, 1, rows, step.dic}, DataType::kF32);
  if (HasCellState(step.cell)) {
    step.md[kSrcIterC] = step.md[kDstIterC] = MakeDense({step.n_layer, 1, rows, step.dhc}, cell_state);
  }
  return step;
}

}  // namespace tandem
