// The attribute rules of Validate(ReorderProblem).
#ifndef TANDEM_API_CORE_REORDER_REORDER_ATTRIBUTES_H_
#define TANDEM_API_CORE_REORDER_REORDER_ATTRIBUTES_H_

#include "api/core/rnn/implementation.h"

namespace tandem {

void CheckReorderAttributes(const ReorderProblem& problem);

}  // namespace tandem

#endif  // TANDEM_API_CORE_REORDER_REORDER_ATTRIBUTES_H_
