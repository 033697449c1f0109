// The lines of a step with masks: dropout around what the cell reads, zoneout around what it gives (docs/rnn_masks.md).
#ifndef TANDEM_REFERENCE_TEACHING_BOOK_MASK_LINES_H_
#define TANDEM_REFERENCE_TEACHING_BOOK_MASK_LINES_H_

#include <vector>

#include "reference/teaching/book/step_lines.h"

namespace tandem {
namespace reference {

// `lines` are those of the cell. Where a mask is given, they read x_m for x, and U reads h'_m for h'; what they give is h_cell for
// h and c_cell for c. The lines of the masks stand around them.
std::vector<StepLine> WithMasks(std::vector<StepLine> lines, const RnnProblem& problem, const EquationTable& table);
// The same of backward: the gradients of these are dx_m, dh'_m, dh_cell and dc_cell.
std::vector<StepLine> WithMasksBackward(std::vector<StepLine> lines, const RnnProblem& problem,
                                        const EquationTable& table);

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_TEACHING_BOOK_MASK_LINES_H_
