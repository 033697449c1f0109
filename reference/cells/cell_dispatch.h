// These functions lead from a problem to the functions of its cell.
#ifndef TANDEM_REFERENCE_CELLS_CELL_DISPATCH_H_
#define TANDEM_REFERENCE_CELLS_CELL_DISPATCH_H_

#include "api/core/error.h"
#include "api/core/rnn/rnn_problem.h"
#include "reference/cells/augru.h"
#include "reference/cells/augru_backward.h"
#include "reference/cells/gru.h"
#include "reference/cells/gru_backward.h"
#include "reference/cells/lbr_augru.h"
#include "reference/cells/lbr_augru_backward.h"
#include "reference/cells/lbr_gru.h"
#include "reference/cells/lbr_gru_backward.h"
#include "reference/cells/lstm.h"
#include "reference/cells/lstm_backward.h"
#include "reference/cells/normalized_cell.h"
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
      return &LbrAugruCell<N>;
  }
  ThrowNoSuchEnumerator("Cell", problem.cell);
}

// The cell as the stack calls it, with the norms that the problem asks for.
template <class N>
StackCell<N> CellOf(const RnnProblem& problem) {
  if constexpr (kNormalizes<N>) {
    if (problem.attr.rnn_layer_norm.kind != NormKind::kNone) {
      const auto cell = SelectCell<NormalizingNumerics<N>>(problem);
      return [cell](const N& num, const CellParameters<N>& p, const CellInput<N>& in) {
        return NormalizedCell(num, p, in, cell);
      };
    }
  }
  return SelectCell<N>(problem);
}

template <class N>
CellBackwardFunction<N> SelectLstmBackward(const RnnProblem& problem) {
  if (problem.HasPeephole()) {
    return problem.HasProjection() ? &LstmPeepholeProjectionBackward<N> : &LstmPeepholeBackward<N>;
  }
  return problem.HasProjection() ? &LstmProjectionBackward<N> : &LstmBackward<N>;
}

// The two readings (docs/readings.md) differ in the gradient of attention only.
template <class N>
CellBackwardFunction<N> SelectCellBackward(const RnnProblem& problem) {
  const bool is_spec = problem.attr.reading == Reading::kSpec;
  switch (problem.cell) {
    case Cell::kVanillaRnn:
      return &VanillaRnnBackward<N>;
    case Cell::kLstm:
      return SelectLstmBackward<N>(problem);
    case Cell::kGru:
      return &GruBackward<N>;
    case Cell::kLbrGru:
      return &LbrGruBackward<N>;
    case Cell::kAugru:
      return is_spec ? &AugruBackward<N> : &OnednnAugruBackward<N>;
    case Cell::kLbrAugru:
      return is_spec ? &LbrAugruBackward<N> : &OnednnLbrAugruBackward<N>;
  }
  ThrowNoSuchEnumerator("Cell", problem.cell);
}

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_CELLS_CELL_DISPATCH_H_
