// From a problem to the functions of its cell.
#ifndef TANDEM_REFERENCE_CELLS_CELL_DISPATCH_H_
#define TANDEM_REFERENCE_CELLS_CELL_DISPATCH_H_

#include <string>
#include <vector>

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

// One equation of a step (docs/equations.md). Where a cell calls one of its symbols differently, `name` is the
// equation's name for it and `called` the cell's: with projection, the h of [LSTM.6] is h^.
struct StepEquation {
  std::string id;
  std::string name;
  std::string called;
};

inline void AddEquations(const char* prefix, int first, int last, std::vector<StepEquation>* list) {
  for (int i = first; i <= last; ++i) list->push_back({prefix + std::to_string(i), "", ""});
}

// The equations that SelectCell's function evaluates, in its order.
inline std::vector<StepEquation> StepEquations(const RnnProblem& problem) {
  std::vector<StepEquation> list;
  if (HasCellState(problem.cell)) {
    AddEquations(problem.HasPeephole() ? "PEEP." : "LSTM.", 1, 6, &list);
    if (!problem.HasProjection()) return list;
    list.back().name = "h";
    list.back().called = "h^";
    AddEquations("PROJ.", 1, 1, &list);
  } else if (IsGruFamily(problem.cell)) {
    AddEquations(IsLinearBeforeReset(problem.cell) ? "LBR." : "GRU.", 1, HasAttention(problem.cell) ? 3 : 4, &list);
    if (HasAttention(problem.cell)) AddEquations("AUGRU.", 1, 2, &list);
  } else {
    AddEquations("RNN.", 1, 2, &list);
  }
  return list;
}

inline std::vector<StepEquation> LstmEquationsBackward(const RnnProblem& problem) {
  std::vector<StepEquation> list;
  if (problem.HasProjection()) AddEquations("PROJ.B", 1, 2, &list);
  const size_t first = list.size();
  AddEquations(problem.HasPeephole() ? "PEEP.B" : "LSTM.B", 1, 1, &list);
  AddEquations("LSTM.B", 2, 2, &list);
  for (size_t i = first; problem.HasProjection() && i < list.size(); ++i) list[i].name = "dh", list[i].called = "dh^";
  if (problem.HasPeephole()) AddEquations("PEEP.B", 2, 2, &list);
  AddEquations("LSTM.B", 3, 6, &list);
  if (problem.HasPeephole()) AddEquations("PEEP.B", 3, 3, &list);
  AddEquations("LSTM.B", 7, 11, &list);
  if (problem.HasPeephole()) AddEquations("PEEP.B", 4, 6, &list);
  return list;
}

inline std::vector<StepEquation> GruEquationsBackward(const RnnProblem& problem) {
  const bool spec = problem.attr.reading == Reading::kSpec;
  const bool attended = HasAttention(problem.cell), after = IsLinearBeforeReset(problem.cell);
  std::vector<StepEquation> list;
  if (attended) {
    AddEquations("AUGRU.B", spec ? 1 : 4, spec ? 3 : 6, &list);
  } else {
    AddEquations("GRU.B", 1, 1, &list);
  }
  AddEquations("GRU.B", 2, 2, &list);
  const size_t candidate = list.size() - 1;
  AddEquations(after ? "LBR.B" : "GRU.B", after ? 1 : 3, after ? 7 : 10, &list);
  if (!attended || !spec) return list;
  // The weight of the old state under attention.
  for (StepEquation* equation : {&list[candidate], &list.back()}) equation->name = "u", equation->called = "u~";
  return list;
}

// The equations that SelectCellBackward's function evaluates, in its order.
inline std::vector<StepEquation> StepEquationsBackward(const RnnProblem& problem) {
  if (HasCellState(problem.cell)) return LstmEquationsBackward(problem);
  if (IsGruFamily(problem.cell)) return GruEquationsBackward(problem);
  std::vector<StepEquation> list;
  AddEquations("RNN.B", 1, 6, &list);
  return list;
}

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_CELLS_CELL_DISPATCH_H_
