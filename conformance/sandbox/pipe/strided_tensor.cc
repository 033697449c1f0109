#include "conformance/sandbox/pipe/strided_tensor.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "conformance/problem/tensor_set.h"

namespace tandem::conformance {

bool IsWritten(const tandem_problem& problem, int tensor) {
  return IsWritten(static_cast<Propagation>(problem.propagation), static_cast<Tensor>(tensor));
}

bool IsRead(const tandem_problem& problem, int tensor) {
  const bool overwrites = (problem.flags & TANDEM_FLAG_DIFF_WEIGHTS_OVERWRITE) != 0;
  return IsRead(static_cast<Propagation>(problem.propagation),
                overwrites ? DiffWeightsMode::kOverwrite : DiffWeightsMode::kAccumulate, static_cast<Tensor>(tensor));
}

bool IsEmpty(const tandem_tensor& t) { return t.ndims == 0 || std::count(t.dims, t.dims + t.ndims, 0) != 0; }

size_t NumElements(const tandem_tensor& t) {
  size_t count = t.ndims == 0 ? 0 : 1;
  for (int i = 0; i < t.ndims; ++i) count *= static_cast<size_t>(t.dims[i]);
  return count;
}

void CopyElements(const tandem_tensor& from, const tandem_tensor& to) {
  const size_t width = SizeOf(static_cast<DataType>(from.data_type));
  int64_t index[TANDEM_MAX_NDIMS] = {};
  for (int axis = from.ndims - 1; axis >= 0;) {
    int64_t source = 0, target = 0;
    for (int i = 0; i < from.ndims; ++i) {
      source += index[i] * from.strides[i];
      target += index[i] * to.strides[i];
    }
    std::memcpy(static_cast<uint8_t*>(to.data) + target * static_cast<int64_t>(width),
                static_cast<const uint8_t*>(from.data) + source * static_cast<int64_t>(width), width);
    for (axis = from.ndims - 1; axis >= 0 && ++index[axis] == from.dims[axis]; --axis) index[axis] = 0;
  }
}

}  // namespace tandem::conformance
