// Lists the formulas that one step of a problem's cell evaluates, in their order.
#ifndef TANDEM_REFERENCE_TEACHING_BOOK_STEP_LINES_H_
#define TANDEM_REFERENCE_TEACHING_BOOK_STEP_LINES_H_

#include <string>
#include <vector>

#include "api/core/rnn/rnn_problem.h"
#include "reference/teaching/table/equations.h"

namespace tandem {
namespace reference {

// One formula for one gate, in the problem's names: with projection, the h of [LSTM.6] is called h^.
struct StepLine {
  std::string id;
  Formula formula;
  std::vector<std::string> gates;  // that a sum over g runs over
  std::string code;                // the reference's statement for it, in the names of the cell's function
};

// `table` takes the place of Equations() in tests.
std::vector<StepLine> ForwardStepLines(const RnnProblem& problem, const EquationTable& table = Equations());
std::vector<StepLine> BackwardStepLines(const RnnProblem& problem, const EquationTable& table = Equations());

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_TEACHING_BOOK_STEP_LINES_H_
