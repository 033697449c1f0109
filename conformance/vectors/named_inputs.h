// This function reads a problem's tensors from a safetensors file, by the specification's names.
#ifndef TANDEM_CONFORMANCE_VECTORS_NAMED_INPUTS_H_
#define TANDEM_CONFORMANCE_VECTORS_NAMED_INPUTS_H_

#include <string>

#include "conformance/problem/tensor_set.h"

namespace tandem::conformance {

// Replaces the tensors that the file has, as src_layer, weights_iter, ... or in.src_layer, ... The tensors expect.NAME, lo.NAME
// and hi.NAME are no inputs. Throws std::runtime_error if a tensor's dims are not the problem's or a name is unknown.
void ReadInputs(const std::string& file, const RnnProblem& problem, TensorSet* tensors);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_VECTORS_NAMED_INPUTS_H_
