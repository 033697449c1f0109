// The parts of a name in a formula: dh→_{t,l} is a differential, of h, with an arrow, with two subscripts.
#ifndef TANDEM_REFERENCE_TEACHING_TABLE_SYMBOL_H_
#define TANDEM_REFERENCE_TEACHING_TABLE_SYMBOL_H_

#include <string>

#include "reference/teaching/table/notation.h"

namespace tandem {
namespace reference {

struct SymbolParts {
  bool is_tensor = false;        // one of the specification's names: diff_dst_layer
  bool is_differential = false;  // dx: the gradient with respect to x
  std::string base;
  std::string mark;       // ~ ^ ' → ← or none
  bool is_prime = false;  // of t - 1
  std::string subscript;  // without braces
};

SymbolParts PartsOf(const std::string& name);
std::string ShowSymbol(const std::string& name, Notation notation);

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_TEACHING_TABLE_SYMBOL_H_
