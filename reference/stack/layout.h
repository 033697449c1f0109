// The plain layouts that the reference answers `any` with.
#ifndef TANDEM_REFERENCE_STACK_LAYOUT_H_
#define TANDEM_REFERENCE_STACK_LAYOUT_H_

#include <string>

#include "api/core/rnn/rnn_problem.h"

namespace tandem {
namespace reference {

// Replaces every `any` by the layout that the specification's section "Data Types and Layouts" of RNN names first: tnc,
// ldnc, ldgo; forward ldigo and ldio, backward ldgoi and ldoi; gradients of weights ldigo and ldio. But s8 weights of a
// projection are in ldoi: a reorder cannot tell ldio from a state. With one channel the two layouts are the same, and the
// descriptor has the bit kChosenForWeights. Returns false, with the reason, if a tensor has a layout that is not plain.
bool ResolveLayouts(RnnProblem* problem, std::string* why_not);

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_STACK_LAYOUT_H_
