// Reorders between plain weights and this backend's packed ones, and from one packed layout to another.
#ifndef TANDEM_OPTIMIZED_WEIGHTS_REORDER_H_
#define TANDEM_OPTIMIZED_WEIGHTS_REORDER_H_

#include <memory>
#include <string>

#include "api/core/rnn/implementation.h"

namespace tandem {
namespace optimized {

// Serves plain f32, bf16, f16 -> packed f32, bf16, f16 and back, and plain f32, bf16, f16 or s8 -> packed s8 and back,
// with rnn_weights_qparams (5-D) or rnn_weights_projection_qparams (4-D); any plain strides. Packed f32, bf16, f16 go
// to any packed layout, forward's to backward's too; packed s8 are copied. Null with `why_not` for everything else;
// throws invalid_arguments where the dims of src and dst differ or the number of scales is wrong.
std::unique_ptr<const ReorderPlan> CreateReorder(const ReorderProblem& problem, std::string* why_not);

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_WEIGHTS_REORDER_H_
