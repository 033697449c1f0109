// From a problem to the functions of its cell.
#ifndef TANDEM_REFERENCE_CELLS_CELL_DISPATCH_H_
#define TANDEM_REFERENCE_CELLS_CELL_DISPATCH_H_

#include "api/core/error.h"
#include "api/core/rnn/rnn_problem.h"
#include "reference/cells/augru_backward.h"
#include "reference/cells/cell.h"
#include "reference/cells/gru.h"
#include "reference/cells/lbr_gru_backward.h"
#include "reference/cells/lstm.h"
#include "reference/cells/lstm_backward.h"
#include "reference/cells/vanilla_rnn.h"
#include "reference/cells/vanilla_rnn_backward.h"

namespace tandem {
namespace reference {

template <class N>
CellFunction<N> SelectLstm(const RnnProblem& problem) {
  if (problem.HasPeephole()) return problem.HasProjection() ? &LstmPeepholeProjectionCell<N> : &LstmPeepholeCell<N>;
  return problem.HasProjection() ? &LstmProjectionCell<N> : &LstmCell<N>;
}

template <class N>
CellFunction<N> SelectCell(const RnnProblem& problem) {
  switch (problem.cell) {
    case Cell::kVanillaRnn:
      return &VanillaRnnCell<N>;
    case Cell::kLstm:
      return SelectLstm<N>(problem);
    case Cell::kGru:
      return &GruCell<N, Reset::kBeforeLinear, Attention::kNone>;
    case Cell::kLbrGru:
      return &GruCell<N, Reset::kAfterLinear, Attention::kNone>;
    case Cell::kAugru:
      return &GruCell<N, Reset::kBeforeLinear, Attention::kGiven>;
    case Cell::kLbrAugru:
      return &GruCell<N, Reset::kAfterLinear, Attention::kGiven>;
  }
  ThrowNoSuchEnumerator("Cell", problem.cell);
}

// Calls tell(id, name, value) for what the equations of a step define, in their order: the ids of docs/equations.md.
template <class N, class Tell>
void TellCell(const RnnProblem& problem, const CellInput<N>& in, const CellResult<N>& result, const Tell& tell) {
  switch (problem.cell) {
    case Cell::kVanillaRnn:
      return TellVanillaRnn(result, tell);
    case Cell::kLstm:
      return TellLstm(result, tell, problem.HasPeephole());
    case Cell::kGru:
      return TellGru(in, result, tell, Reset::kBeforeLinear, Attention::kNone);
    case Cell::kLbrGru:
      return TellGru(in, result, tell, Reset::kAfterLinear, Attention::kNone);
    case Cell::kAugru:
      return TellGru(in, result, tell, Reset::kBeforeLinear, Attention::kGiven);
    case Cell::kLbrAugru:
      return TellGru(in, result, tell, Reset::kAfterLinear, Attention::kGiven);
  }
  ThrowNoSuchEnumerator("Cell", problem.cell);
}

// The two readings (docs/readings.md) differ in the gradient of attention only.
template <class N>
CellBackwardFunction<N> SelectCellBackward(const RnnProblem& problem) {
  const bool is_spec = problem.attr.reading == Reading::kSpec;
  switch (problem.cell) {
    case Cell::kVanillaRnn:
      return &VanillaRnnBackward<N>;
    case Cell::kLstm:
      return problem.HasProjection() ? &LstmProjectionBackward<N> : &LstmBackward<N>;
    case Cell::kGru:
      return &GruBackward<N, &GruUpdateDiff<N>>;
    case Cell::kLbrGru:
      return &LbrGruBackward<N, &GruUpdateDiff<N>>;
    case Cell::kAugru:
      return is_spec ? &GruBackward<N, &AugruUpdateDiff<N>> : &GruBackward<N, &OnednnAugruUpdateDiff<N>>;
    case Cell::kLbrAugru:
      return is_spec ? &LbrGruBackward<N, &AugruUpdateDiff<N>> : &LbrGruBackward<N, &OnednnAugruUpdateDiff<N>>;
  }
  ThrowNoSuchEnumerator("Cell", problem.cell);
}

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_CELLS_CELL_DISPATCH_H_
