// From a problem to the functions of its cell: the only place that asks which cell it is.
#ifndef TANDEM_REFERENCE_CELL_DISPATCH_H_
#define TANDEM_REFERENCE_CELL_DISPATCH_H_

#include "api/core/rnn_problem.h"
#include "reference/augru.h"
#include "reference/cell.h"
#include "reference/gru.h"
#include "reference/lbr_gru.h"
#include "reference/lstm.h"
#include "reference/vanilla_rnn.h"

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

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_CELL_DISPATCH_H_
