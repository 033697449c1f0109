// Reorder between plain tensors: layout, data type, quantization.
//
//   d   = scale_src * (src - zp_src) * output_scale + beta * (dst_old - zp_sum)
//   dst = convert(d / scale_dst + zp_dst)
//
// in f32; convert saturates, then rounds to nearest even. Equal types without attributes are copied bit for bit.
#ifndef TANDEM_REFERENCE_REORDER_REORDER_H_
#define TANDEM_REFERENCE_REORDER_REORDER_H_

#include <memory>
#include <string>

#include "api/core/rnn/implementation.h"

namespace tandem {
namespace reference {

// A ReorderFactory: any strides and offsets, all pairs of f32, bf16, f16, s32, s8, u8, every attribute that
// Validate(ReorderProblem) accepts. Throws what Validate throws; null for opaque tensors.
std::unique_ptr<const ReorderPlan> CreateReorder(const ReorderProblem& problem, std::string* why_not);

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_REORDER_REORDER_H_
