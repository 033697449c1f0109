// The points where a data type forces a value to be rounded.
#ifndef TANDEM_REFERENCE_TEACHING_BOOK_ROUNDING_POINTS_H_
#define TANDEM_REFERENCE_TEACHING_BOOK_ROUNDING_POINTS_H_

#include <string>
#include <vector>

#include "api/core/rnn/rnn_problem.h"

namespace tandem {
namespace reference {

struct RoundingPoint {
  std::string value;      // with formulas in {braces}
  std::string equations;  // the ids at which it happens
  std::string floating;   // kept as, in f32, bf16 and f16 problems
  std::string int8;
  std::string member;                          // of the arithmetic policy, reference/numerics/numerics.h
  bool (*applies)(const RnnProblem& problem);  // whether the problem has this value and rounds it
  std::string member_in_words = "";            // empty: its name says it
};

const std::vector<RoundingPoint>& RoundingPoints();

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_TEACHING_BOOK_ROUNDING_POINTS_H_
