// The lines of a step with layer normalization (docs/layer_normalization.md).
#ifndef TANDEM_REFERENCE_TEACHING_BOOK_NORM_LINES_H_
#define TANDEM_REFERENCE_TEACHING_BOOK_NORM_LINES_H_

#include <vector>

#include "reference/teaching/book/step_lines.h"

namespace tandem {
namespace reference {

// `lines` are those of the cell without norms. In them y_i stands for the norm of v_i = W_i x + U_i h'; where both products have
// norms of their own, v_i is W_i x, and v'_i is U_i h', with y'_i and s'_i. The norm of c has v_c and y_c. With the scope row a
// mean is over [v_i; v_f; ...]. The lines of [NORM.1] to [NORM.4] stand before those that read y.
std::vector<StepLine> WithNorms(const std::vector<StepLine>& lines, const RnnProblem& problem,
                                const EquationTable& table);
// The same of backward, which makes v^ and s of the products in `forward`, lines without norms, again. dv_i takes the place of Δ_i
// in the products.
std::vector<StepLine> WithNormsBackward(const std::vector<StepLine>& lines, const std::vector<StepLine>& forward,
                                        const RnnProblem& problem, const EquationTable& table);

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_TEACHING_BOOK_NORM_LINES_H_
