// A formula at one element, with its matrix products and sums written out: W x becomes 0.5 * 0.25 + 0.1 * 0.75.
#ifndef TANDEM_REFERENCE_TEACHING_BOOK_UNFOLD_H_
#define TANDEM_REFERENCE_TEACHING_BOOK_UNFOLD_H_

#include "reference/teaching/book/explain.h"

namespace tandem {
namespace reference {

// `e` with a number for every symbol, and a sum of terms for every matrix product and sum of at most style.most_terms
// terms. What has more terms is one number; a sum over the gates always has its gates.
Expression Unfolded(const Evaluator& evaluator, const Expression& e, ElementAt at, const NumberStyle& style);

// A function of all channels of a row: one number, which no element of its argument gives.
bool IsOverChannels(const Expression& e);

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_TEACHING_BOOK_UNFOLD_H_
