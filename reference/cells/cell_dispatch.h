// From a problem to the functions of its cell: the only place that asks which cell it is.
#ifndef TANDEM_REFERENCE_CELLS_CELL_DISPATCH_H_
#define TANDEM_REFERENCE_CELLS_CELL_DISPATCH_H_

#include "api/core/rnn/rnn_problem.h"
#include "reference/cells/augru.h"
#include "reference/cells/augru_backward.h"
#include "reference/cells/cell.h"
#include "reference/cells/gru.h"
#include "reference/cells/lbr_gru.h"
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
      return &GruCell<N>;
    case Cell::kLbrGru:
      return &LbrGruCell<N>;
    case Cell::kAugru:
      return &AugruCell<N>;
    case Cell::kLbrAugru:
      break;
  }
  return &LbrAugruCell<N>;
}

template <class N>
CellBackwardFunction<N> SelectLstmBackward(const RnnProblem& problem) {
  if (problem.HasPeephole()) {
    return problem.HasProjection() ? &ProjectionBackward<N, &LstmPeepholeBackward<N>> : &LstmPeepholeBackward<N>;
  }
  return problem.HasProjection() ? &ProjectionBackward<N, &LstmBackward<N>> : &LstmBackward<N>;
}

// Where the readings differ, and only there, the problem's reading decides.
template <class N>
CellBackwardFunction<N> SelectCellBackward(const RnnProblem& problem) {
  const bool is_spec = problem.attr.reading == Reading::kSpec;
  switch (problem.cell) {
    case Cell::kVanillaRnn:
      return &VanillaRnnBackward<N>;
    case Cell::kLstm:
      return SelectLstmBackward<N>(problem);
    case Cell::kGru:
      return &GruBackward<N, &GruUpdateDiff<N>>;
    case Cell::kLbrGru:
      return &LbrGruBackward<N, &GruUpdateDiff<N>>;
    case Cell::kAugru:
      return is_spec ? &GruBackward<N, &AugruUpdateDiff<N>> : &GruBackward<N, &OnednnAugruUpdateDiff<N>>;
    case Cell::kLbrAugru:
      break;
  }
  return is_spec ? &LbrGruBackward<N, &AugruUpdateDiff<N>> : &LbrGruBackward<N, &OnednnAugruUpdateDiff<N>>;
}

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_CELLS_CELL_DISPATCH_H_
