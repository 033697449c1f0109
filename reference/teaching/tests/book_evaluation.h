// The book's formulas, evaluated and held against what the cells and the stack computed.
#ifndef TANDEM_REFERENCE_TEACHING_TESTS_BOOK_EVALUATION_H_
#define TANDEM_REFERENCE_TEACHING_TESTS_BOOK_EVALUATION_H_

#include <set>
#include <string>

#include "reference/teaching/book/step_lines.h"
#include "reference/teaching/tests/recording.h"

namespace tandem {
namespace reference {

// The equations of `table` that a recording's problem uses.
std::set<std::string> CellEquationsOf(const RnnProblem& problem);
// Both return the first disagreement in words; empty if there is none. An id that was evaluated is added to *seen.
std::string CellDisagreement(const Recording& recording, const EquationTable& table, std::set<std::string>* seen);
std::string StackDisagreement(const Recording& recording, const EquationTable& table, std::set<std::string>* seen);
// INT8.*, on random numbers from `seed` that f32 holds exactly, with api/core/attributes/quantization.h and the
// reference's numerics.
std::string Int8Disagreement(const EquationTable& table, unsigned seed, std::set<std::string>* seen);
// NORM.*, on random numbers from `seed`.
std::string NormDisagreement(const EquationTable& table, unsigned seed, std::set<std::string>* seen);

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_TEACHING_TESTS_BOOK_EVALUATION_H_
