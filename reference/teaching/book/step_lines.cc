#include "reference/teaching/book/step_lines.h"

#include <stdexcept>

#include "reference/cells/cell_dispatch.h"
#include "reference/numerics/numerics.h"
#include "reference/teaching/book/gate_lines.h"
#include "reference/teaching/book/mask_lines.h"
#include "reference/teaching/book/norm_lines.h"

namespace tandem {
namespace reference {
namespace {

// One equation of a step. Where a cell calls one of its symbols differently, `name` is the equation's name for it and
// `called` the cell's: with projection, the h of [LSTM.6] is h^.
struct StepEquation {
  std::string id;
  std::string name;
  std::string called;
  std::string code;
};

template <class Function>
struct FunctionEquations {
  Function function;
  std::vector<StepEquation> equations;
};

using N = ExactNumerics<double>;

// Returns the equations in the margins of reference/cells (margin.awk).
const std::vector<FunctionEquations<CellFunction<N>>>& ForwardMargins() {
  static const auto* const margins = new std::vector<FunctionEquations<CellFunction<N>>>{
#include "reference/teaching/book/margins_forward.inc"
  };
  return *margins;
}
const std::vector<FunctionEquations<CellBackwardFunction<N>>>& BackwardMargins() {
  static const auto* const margins = new std::vector<FunctionEquations<CellBackwardFunction<N>>>{
#include "reference/teaching/book/margins_backward.inc"
  };
  return *margins;
}

// The equations that a cell's function evaluates, in its order.
template <class Function>
const std::vector<StepEquation>& EquationsOf(Function function,
                                             const std::vector<FunctionEquations<Function>>& margins) {
  for (const FunctionEquations<Function>& margin : margins) {
    if (margin.function == function) return margin.equations;
  }
  throw std::logic_error("a cell's function has no equation in its margin");
}

class LineList {
 public:
  LineList(const RnnProblem& problem, const EquationTable& table) : problem_(problem), table_(table) {}

  void Add(const StepEquation& step) {
    for (const EquationLine& line : FindEquation(step.id, table_).lines) {
      if (!Holds(line.when)) continue;
      const bool sums_over_gates = HasGateIndex(line.formula.right) && !HasGateIndex(line.formula.left);
      if (sums_over_gates || line.gates.empty()) {
        AddLine(step, line, "");
      } else {
        for (const std::string& gate : line.gates) AddLine(step, line, gate);
      }
    }
  }
  std::vector<StepLine> Take() { return std::move(lines_); }

 private:
  bool Holds(const std::string& when) const {
    if (when == "spec") return problem_.attr.reading == Reading::kSpec;
    if (when == "onednn") return problem_.attr.reading == Reading::kOnednn;
    return when.empty() || when == ToString(problem_.activation);
  }
  static bool HasGateIndex(const Expression& e) {
    bool found = false;
    ForEachSymbol(&e, [&](const Expression* symbol) {
      found = found || (symbol->name.size() > 2 && symbol->name.substr(symbol->name.size() - 2) == "_g");
    });
    return found;
  }
  void AddLine(const StepEquation& equation, const EquationLine& line, const std::string& gate) {
    StepLine step = {equation.id, line.formula, line.gates, equation.code};
    for (Expression* side : {&step.formula.left, &step.formula.right}) {
      if (!gate.empty()) *side = ForGate(std::move(*side), gate);
      *side = Renamed(std::move(*side), equation.name, equation.called);
    }
    lines_.push_back(std::move(step));
  }

  const RnnProblem& problem_;
  const EquationTable& table_;
  std::vector<StepLine> lines_;
};

std::vector<StepLine> LinesOf(const std::vector<StepEquation>& equations, const RnnProblem& problem,
                              const EquationTable& table) {
  LineList list(problem, table);
  for (const StepEquation& equation : equations) list.Add(equation);
  return WithGateFunctions(list.Take(), problem, table);
}

std::vector<StepLine> ForwardLinesOfCell(const RnnProblem& problem, const EquationTable& table) {
  return LinesOf(EquationsOf(SelectCell<N>(problem), ForwardMargins()), problem, table);
}

}  // namespace

std::vector<StepLine> ForwardStepLines(const RnnProblem& problem, const EquationTable& table) {
  return WithMasks(WithNorms(ForwardLinesOfCell(problem, table), problem, table), problem, table);
}

std::vector<StepLine> BackwardStepLines(const RnnProblem& problem, const EquationTable& table) {
  const std::vector<StepLine> lines =
      LinesOf(EquationsOf(SelectCellBackward<N>(problem), BackwardMargins()), problem, table);
  return WithMasksBackward(WithNormsBackward(lines, ForwardLinesOfCell(problem, table), problem, table), problem,
                           table);
}

}  // namespace reference
}  // namespace tandem
