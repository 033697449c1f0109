// A formula with the numbers of one element put in, step by step: σ(0.5 + 0.25) = σ(0.75) = 0.679179.
#ifndef TANDEM_REFERENCE_TEACHING_BOOK_EXPLAIN_H_
#define TANDEM_REFERENCE_TEACHING_BOOK_EXPLAIN_H_

#include <string>
#include <vector>

#include "reference/teaching/table/evaluate.h"
#include "reference/teaching/table/notation.h"

namespace tandem {
namespace reference {

// An element of a formula's value: a channel and a row of the minibatch; for weights, output and input channel. A value
// with a single row or column has the same element for all.
struct ElementAt {
  Dim row = 0;
  Dim col = 0;
};

double ElementOf(const Mat<double>& value, ElementAt at);

// The digits that are shown: a number in all, or a number after the point with the last zeros left out.
enum class Digits { kSignificant, kDecimals };

struct NumberStyle {
  int digits = 6;
  Digits count = Digits::kSignificant;
  Notation notation = Notation::kText;
  // Matrix products and sums of at most so many terms are written out first; 0: each is one number.
  Dim most_terms = 0;
};

// "0.75", with a leading "-" in every notation.
std::string ShowNumber(double value, const NumberStyle& style);

struct Explanation {
  // The texts between the equals signs: the formula with numbers, then the function of its argument, then the result.
  std::vector<std::string> stages;
  double value = 0;
};

// `evaluator` has the values before the formula is applied.
Explanation Explain(const Evaluator& evaluator, const Formula& formula, ElementAt at, const NumberStyle& style);

// The parts of a formula's right side that are numbers of their own: symbols, matrix products and sums, each with its
// value at the element. In the order of the formula.
struct ExplainedPart {
  std::string text;
  double value = 0;
};
std::vector<ExplainedPart> PartsOf(const Evaluator& evaluator, const Formula& formula, ElementAt at);

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_TEACHING_BOOK_EXPLAIN_H_
