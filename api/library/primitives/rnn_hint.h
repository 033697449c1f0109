// The rules for backward's hint, the descriptor of its forward.
#ifndef TANDEM_API_LIBRARY_PRIMITIVES_RNN_HINT_H_
#define TANDEM_API_LIBRARY_PRIMITIVES_RNN_HINT_H_

#include "api/core/rnn/rnn_problem.h"

namespace tandem {

// Throws invalid_arguments, with both values, unless `hint` is a forward_training problem whose workspace `backward`
// can read: the same cell, direction, activation and alpha, and tensors of the same dims and data types. Layouts may
// differ, and so may whether dst_iter and dst_iter_c are there.
void CheckHint(const RnnProblem& backward, const RnnProblem& hint);

}  // namespace tandem

#endif  // TANDEM_API_LIBRARY_PRIMITIVES_RNN_HINT_H_
