// The specification's rules for an RNN problem, grouped by what they are about. Validate() calls them in order, so that
// the first broken rule is reported. All throw tandem::Error with a message that names the tensor and both values.
#ifndef TANDEM_API_CORE_RNN_RNN_CHECKS_H_
#define TANDEM_API_CORE_RNN_RNN_CHECKS_H_

#include "api/core/rnn/rnn_problem.h"

namespace tandem {

// Enumerator ranges, and descriptors that no Make function could have made.
void CheckEnumerators(const RnnProblem& problem);
void CheckDescriptors(const RnnProblem& problem);
// Required tensors, tensors that the cell or propagation kind does not have, and optional ones that come in pairs.
void CheckPresence(const RnnProblem& problem);
// AUGRU and LBR-AUGRU: left2right, one layer.
void CheckAttentionCell(const RnnProblem& problem);
// Runtime dims and strides. Throws unimplemented.
void CheckKnown(const RnnProblem& problem);
// The data type table: the specification's section "Data Types" of RNN, and what oneDNN v3 adds to it. Throws
// unimplemented.
void CheckTypes(const RnnProblem& problem);
// Fills the derived letters (slc, dhc, ...) and checks every dim against them.
void DeriveAndCheckDims(RnnProblem* problem);
// The size of an axis, from the letters that are derived.
Dim DimOf(const RnnProblem& problem, AxisSize axis);
// Written tensors must not overlap themselves; only weights may be opaque.
void CheckLayouts(const RnnProblem& problem);
void CheckAttributes(const RnnProblem& problem);
// Functions of gates that the attributes give.
void CheckGates(const RnnProblem& problem);
// Cells, types and numbers that layer normalization has a definition for. Throws unimplemented, invalid_arguments for numbers.
void CheckLayerNorm(const RnnProblem& problem);

}  // namespace tandem

#endif  // TANDEM_API_CORE_RNN_RNN_CHECKS_H_
