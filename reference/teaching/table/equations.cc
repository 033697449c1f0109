#include "reference/teaching/table/equations.h"

#include <sstream>
#include <stdexcept>

namespace tandem {
namespace reference {

EquationLine::EquationLine(const char* formula_text, const char* gates_text, const char* when_text)
    : formula(ParseFormula(formula_text)), when(when_text) {
  std::istringstream words(gates_text);
  for (std::string gate; words >> gate;) gates.push_back(gate);
}

const EquationTable& Equations() {
  static const EquationTable* const all = [] {
    auto* equations = new EquationTable;
    for (const auto part : {&VanillaAndLstmEquations, &LstmBackwardEquations, &GruEquations, &GateEquations,
                            &MaskEquations, &StackEquations, &Int8Equations, &NormEquations}) {
      for (Equation& equation : part()) equations->push_back(std::move(equation));
    }
    return equations;
  }();
  return *all;
}

const Equation& FindEquation(const std::string& id, const EquationTable& table) {
  for (const Equation& equation : table) {
    if (equation.id == id) return equation;
  }
  throw std::invalid_argument("no equation has the id " + id);
}

}  // namespace reference
}  // namespace tandem
