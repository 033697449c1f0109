// What holds for every reorder, whoever serves it.
#ifndef TANDEM_API_REORDER_PROBLEM_H_
#define TANDEM_API_REORDER_PROBLEM_H_

#include "api/core/implementation.h"

namespace tandem {

// Where a quantization parameter of src or dst comes from.
struct QuantizationArgument {
  int arg;                            // DNNL_ARG_SRC or DNNL_ARG_DST
  Dim count = 0;                      // how many values the mask asks for; 0: not set
  const void* at_creation = nullptr;  // values of the attribute, or null: they come with execute()
};

// Moves scales and zero points given with their values (the older generation) into the masks, so
// that a backend sees one form, and checks the problem. Throws invalid_arguments for descriptors
// that are `any`, of different dims or malformed, for masks and numbers of values that the dims do
// not have, and for zero points of floating types; unimplemented for runtime dims, for scales of
// other arguments and for post-ops other than one sum.
void NormalizeAndCheck(ReorderProblem* problem);

// After NormalizeAndCheck().
QuantizationArgument ScalesOf(const ReorderProblem& problem, int arg);
QuantizationArgument ZeroPointsOf(const ReorderProblem& problem, int arg);

}  // namespace tandem

#endif  // TANDEM_API_REORDER_PROBLEM_H_
