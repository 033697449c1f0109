// The formulas of the equation book as trees: read from one line of text, and walked by everything that shows or
// evaluates them.
//
//   W_i x          a matrix product            a * b, a / b     elementwise
//   Δ_gᵀ, h²       transposed, squared         σ(a), tanh(a)    functions: no space before the parenthesis
//   Σ_n a * b      a sum over an index, of the whole product that follows
//   [a; b]         one above the other         (a, b)           a pair
//
// A name is a letter, marks (c~, h^, h', h→, h←), and a subscript: W_c~, h_{t,l-1}. `dy` is the gradient with respect to y.
#ifndef TANDEM_REFERENCE_TEACHING_TABLE_EXPRESSION_H_
#define TANDEM_REFERENCE_TEACHING_TABLE_EXPRESSION_H_

#include <map>
#include <string>
#include <vector>

namespace tandem {
namespace reference {

struct Expression {
  enum class Kind {
    kNumber,
    kSymbol,
    kAdd,
    kSubtract,
    kNegate,
    kMultiply,  // elementwise
    kDivide,
    kProduct,  // of matrices
    kTranspose,
    kSquare,
    kCall,     // name(args); a pair is a call of the name ""
    kSumOver,  // name is the index
    kConcat,
  };
  Kind kind = Kind::kNumber;
  std::string name;  // of a symbol, a function, an index; the digits of a number
  std::vector<Expression> args;
};

enum class Assignment { kEquals, kAddTo };

// left = right, or left += right.
struct Formula {
  Expression left;
  Assignment assignment = Assignment::kEquals;
  Expression right;
};

// Both throw std::invalid_argument with the text and the place that is not understood.
Expression ParseExpression(const std::string& text);
Formula ParseFormula(const std::string& text);

// Calls visit(expression) for every symbol of the tree.
template <class Tree, class Visit>
void ForEachSymbol(Tree* expression, const Visit& visit) {
  if (expression->kind == Expression::Kind::kSymbol) visit(expression);
  for (auto& arg : expression->args) ForEachSymbol(&arg, visit);
}

Expression Symbol(const std::string& name);
// A copy with an expression in place of each symbol that `by` names.
Expression Substituted(const Expression& expression, const std::map<std::string, Expression>& by);
// A copy in which every symbol `from` has the name `to`.
Expression Renamed(Expression expression, const std::string& from, const std::string& to);
// A copy in which the subscript g is `gate`: W_g becomes W_c~.
Expression ForGate(Expression expression, const std::string& gate);

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_TEACHING_TABLE_EXPRESSION_H_
