// The table of equations: what every id stands for. docs/equations.md and docs/book/ are made from it, a trace prints
// it, and book_test.cc evaluates each formula and compares it with what the cells and the stack compute.
#ifndef TANDEM_REFERENCE_TEACHING_TABLE_EQUATIONS_H_
#define TANDEM_REFERENCE_TEACHING_TABLE_EQUATIONS_H_

#include <string>
#include <vector>

#include "reference/teaching/table/expression.h"

namespace tandem {
namespace reference {

// One formula of an equation. Most equations have one.
struct EquationLine {
  EquationLine(const char* formula_text, const char* gates_text = "", const char* when_text = "");

  Formula formula;
  std::vector<std::string> gates;  // that the index g stands for
  std::string when;                // the activation, reading or number of directions for which it holds; empty: always
};

struct Equation {
  std::string id;  // "LSTM.B2"
  std::vector<EquationLine> lines;
  std::string shape;       // of the left side: "[dhc, mb]"
  std::string place;       // the file that computes it, below reference/ or api/
  std::string derivation;  // why it is so: Markdown with formulas in {braces}
};

using EquationTable = std::vector<Equation>;

// In the order of the book.
const EquationTable& Equations();
// `table` takes the place of Equations() in tests. Throws std::invalid_argument for an unknown id.
const Equation& FindEquation(const std::string& id, const EquationTable& table = Equations());

// The parts of the table.
std::vector<Equation> VanillaAndLstmEquations();
std::vector<Equation> LstmBackwardEquations();
std::vector<Equation> GruEquations();
std::vector<Equation> GateEquations();
std::vector<Equation> MaskEquations();
std::vector<Equation> StackEquations();
std::vector<Equation> Int8Equations();
std::vector<Equation> NormEquations();

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_TEACHING_TABLE_EQUATIONS_H_
