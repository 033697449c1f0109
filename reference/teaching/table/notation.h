// Formulas as plain text, as LaTeX for GitHub, and as MathML.
#ifndef TANDEM_REFERENCE_TEACHING_TABLE_NOTATION_H_
#define TANDEM_REFERENCE_TEACHING_TABLE_NOTATION_H_

#include <functional>
#include <string>

#include "reference/teaching/table/expression.h"

namespace tandem {
namespace reference {

enum class Notation { kText, kLatex, kMathml };

// Returns the text that replaces a part of a formula, such as the number that it has, or an empty one to leave the part as it is.
using Substitute = std::function<std::string(const Expression&)>;

std::string Show(const Expression& expression, Notation notation, const Substitute& substitute = nullptr);
// MathML: without the <math> element around it.
std::string Show(const Formula& formula, Notation notation);

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_TEACHING_TABLE_NOTATION_H_
