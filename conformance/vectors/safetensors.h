// The safetensors file format: a JSON header, then the bytes of the tensors.
#ifndef TANDEM_CONFORMANCE_VECTORS_SAFETENSORS_H_
#define TANDEM_CONFORMANCE_VECTORS_SAFETENSORS_H_

#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>

#include "conformance/problem/tensor_set.h"

namespace tandem::conformance {

// The key is the tensor's name. Tensors are dense and row-major.
using NamedTensors = std::map<std::string, TensorBuffer>;

// Throws std::runtime_error.
void WriteSafetensors(const std::string& path, const NamedTensors& tensors);
// Throws std::runtime_error if the file cannot be read or is not in the format. The header's offsets are not trusted.
NamedTensors ReadSafetensors(const std::string& path);
// Reads safetensors from a stream of `length` bytes. Throws as ReadSafetensors() does.
NamedTensors ParseSafetensors(std::istream* in, uint64_t length);

// Returns a tensor with the same values, dense and row-major.
TensorBuffer ToDense(const TensorBuffer& tensor);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_VECTORS_SAFETENSORS_H_
