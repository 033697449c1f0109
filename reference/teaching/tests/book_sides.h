// Evaluates both sides of an equation of the book on values that the reference has.
#ifndef TANDEM_REFERENCE_TEACHING_TESTS_BOOK_SIDES_H_
#define TANDEM_REFERENCE_TEACHING_TESTS_BOOK_SIDES_H_

#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "reference/teaching/book/step_lines.h"
#include "reference/teaching/book/step_values.h"
#include "reference/teaching/table/evaluate.h"

namespace tandem {
namespace reference {

inline Mat<double> StackedPair(const std::vector<Mat<double>>& parts) {
  if (parts.size() == 1) return parts[0];
  Mat<double> both(parts[0].rows() + parts[1].rows(), parts[0].cols());
  both << parts[0], parts[1];
  return both;
}

// Evaluates both sides of an equation on given values.
class Sides {
 public:
  Sides(const EquationTable& table, std::set<std::string>* seen) : table_(table), seen_(seen) {
    evaluator_.functions[""] = StackedPair;
  }
  Evaluator& evaluator() { return evaluator_; }
  const std::string& wrong() const { return wrong_; }

  void Compare(const std::string& id, const NamedValues& values, const std::string& when = "") {
    evaluator_.values = values;
    for (const EquationLine& line : FindEquation(id, table_).lines) {
      if (line.when != when) continue;
      seen_->insert(id);
      const Mat<double> left = evaluator_.Evaluate(line.formula.left), right = evaluator_.Evaluate(line.formula.right);
      const bool same_dims = left.rows() == right.rows() && left.cols() == right.cols();
      if (same_dims && ((left - right).abs() <= 1e-11 * (1 + left.abs())).all()) continue;
      std::ostringstream out;
      out << "[" << id << "]: the reference has\n" << left << "\nthe book\n" << right;
      if (wrong_.empty()) wrong_ = out.str();
    }
  }

 private:
  const EquationTable& table_;
  std::set<std::string>* seen_;
  Evaluator evaluator_;
  std::string wrong_;
};

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_TEACHING_TESTS_BOOK_SIDES_H_
