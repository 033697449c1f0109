// The lines of a step whose gates have other functions than σ and tanh, a clip, or a coupled forget gate.
#ifndef TANDEM_REFERENCE_TEACHING_BOOK_GATE_LINES_H_
#define TANDEM_REFERENCE_TEACHING_BOOK_GATE_LINES_H_

#include <vector>

#include "reference/teaching/book/step_lines.h"

namespace tandem {
namespace reference {

// `lines` are those of the specification's gates. A gate becomes two lines:
//
//   [LSTM.1]  a_i = W_i x + U_i h' + B_i                  [LSTM.B4]  di = dc * c~
//   [RNN.2]   i = the function's formula of a_i           [RNN.B1]   Δ_i = di times the slope's formula at a_i
//
// With a clip [GATE.1] and [GATE.B1] stand between them. `alpha_recurrent` and `beta_recurrent` are the numbers of the function
// that i, f and o have; `_candidate` and `_output` those of the others. Throws std::invalid_argument for lines of another form.
std::vector<StepLine> WithGateFunctions(std::vector<StepLine> lines, const RnnProblem& problem,
                                        const EquationTable& table);

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_TEACHING_BOOK_GATE_LINES_H_
