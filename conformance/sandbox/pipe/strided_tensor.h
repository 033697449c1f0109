// These functions handle tensors as plugin.h states them, for wrappers around plugins.
#ifndef TANDEM_CONFORMANCE_SANDBOX_PIPE_STRIDED_TENSOR_H_
#define TANDEM_CONFORMANCE_SANDBOX_PIPE_STRIDED_TENSOR_H_

#include <cstddef>

#include "conformance/plugin.h"

namespace tandem::conformance {

// Returns true if run() writes the tensor.
bool IsWritten(const tandem_problem& problem, int tensor);
// Returns true if run() reads the tensor. Gradients that are added to what is there are read and written.
bool IsRead(const tandem_problem& problem, int tensor);
// Returns true if the tensor is absent or has no elements.
bool IsEmpty(const tandem_tensor& t);
size_t NumElements(const tandem_tensor& t);

// Copies the elements of a tensor to one of the same dims and data type.
void CopyElements(const tandem_tensor& from, const tandem_tensor& to);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_SANDBOX_PIPE_STRIDED_TENSOR_H_
