// The meaning of a reorder's attributes for its two tensors, and the rules that hold for every implementation of it.
#ifndef TANDEM_API_CORE_REORDER_REORDER_PROBLEM_H_
#define TANDEM_API_CORE_REORDER_REORDER_PROBLEM_H_

#include <cstdint>

#include "api/core/rnn/implementation.h"

namespace tandem {

// DNNL_ARG_SRC and DNNL_ARG_DST: the arguments whose scales and zero points a reorder takes.
constexpr int kReorderSrcArg = 1;
constexpr int kReorderDstArg = 17;

// One attribute object may serve an RNN and all its reorders, so a reorder must know which of the RNN parameters are
// meant for it. It is told by the types (a floating tensor on one side, u8 or s8 on the other), by the rank, and where 4-D
// s8 may be states (ldnc) or projection weights (ldio, ldoi), by the layout and the reading (docs/readings.md).
enum class RnnQparams {
  kNone,
  kData,        // rnn_data_qparams: 3-D and 4-D
  kWeights,     // rnn_weights_qparams: 5-D, s8
  kProjection,  // rnn_weights_projection_qparams: 4-D, s8
  kUnclear,     // kData or kProjection: refused
};
RnnQparams RnnQparamsOf(const ReorderProblem& problem);

// The source of the values of one quantization parameter.
enum class ParameterSource { kNone, kCreation, kExecution };
template <class T>
struct ReorderParameter {
  ParameterSource source = ParameterSource::kNone;
  int mask = 0;
  const T* values = nullptr;  // kCreation only; owned by the attributes
};
// The scales (v3: divide on dst, multiply on src) and zero points of `arg`, whichever generation set them. kExecution
// where the v2 generation gave its "runtime" placeholder.
ReorderParameter<float> ScalesOf(const Attributes& attr, int arg);
ReorderParameter<int32_t> ZeroPointsOf(const Attributes& attr, int arg);

// Product of the dims whose bit is set in `mask`: the number of values of a parameter.
Dim MaskedCount(const MemoryDesc& md, int mask);

// Checks all that the specification asks of a reorder. Throws invalid_arguments for dims that differ, `any`, zero
// descriptors, a dst that overlaps itself, masks with bits beyond the rank, vectors of the wrong length, scales that
// are 0 or not finite, and zero points on a floating tensor; unimplemented for runtime dims, parameters of other
// arguments and any post-op but one sum. Messages name src or dst and both values.
void Validate(const ReorderProblem& problem);

}  // namespace tandem

#endif  // TANDEM_API_CORE_REORDER_REORDER_PROBLEM_H_
