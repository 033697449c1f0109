// The value of a formula, in double, from the values of its symbols.
#ifndef TANDEM_REFERENCE_TEACHING_TABLE_EVALUATE_H_
#define TANDEM_REFERENCE_TEACHING_TABLE_EVALUATE_H_

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "reference/numerics/matrix.h"
#include "reference/teaching/table/expression.h"

namespace tandem {
namespace reference {

// Every value is a matrix, most of them [channels, mb]. Where an elementwise operation meets a single row or column
// (a bias, an attention), it is repeated.
struct Evaluator {
  using Value = Mat<double>;
  using Function = std::function<Value(const std::vector<Value>&)>;

  std::map<std::string, Value> values;
  // The gates that an equation's index g runs over.
  std::vector<std::string> gates;
  // Functions beside those of evaluate.cc: Cell, sat.
  std::map<std::string, Function> functions;
  // Rounds a stored operand of a matrix product, or a Δ that is summed over the minibatch. If it is null, nothing is rounded.
  std::function<double(double)> round_stored;
  // Dynamic quantization: the real numbers that a stored operand of a matrix product is multiplied as; null: itself.
  std::function<Value(const Value&)> quantize_rows;
  // Rounds both operands of a matrix product as an fpmath mode does. If it is null, nothing is rounded.
  std::function<double(double)> round_operand;

  // Throws std::invalid_argument where a symbol has no value or the dims of two operands do not fit.
  Value Evaluate(const Expression& expression) const;
  // The two matrices of a product as they are multiplied: stored and rounded.
  std::pair<Value, Value> OperandsOf(const Expression& product) const;
  // Returns the values that Σ_n, Σ_k and Σ_channels add up.
  Value SummandsOf(const Expression& sum) const;
  // Returns the value that the formula gives its left side, a symbol.
  Value ValueOf(const Formula& formula) const;
  // Gives the left side this value, and returns it.
  const Value& Apply(const Formula& formula);
};

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_TEACHING_TABLE_EVALUATE_H_
