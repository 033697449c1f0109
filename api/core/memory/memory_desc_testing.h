// Random plain descriptors for RapidCheck properties.
#ifndef TANDEM_API_CORE_MEMORY_MEMORY_DESC_TESTING_H_
#define TANDEM_API_CORE_MEMORY_MEMORY_DESC_TESTING_H_

#include <rapidcheck.h>

#include <algorithm>
#include <numeric>

#include "api/core/memory/memory_desc.h"

namespace tandem {

inline Dims GenDims(int max_rank, Dim max_dim) {
  const int rank = *rc::gen::inRange(1, max_rank + 1);
  return *rc::gen::container<Dims>(rank, rc::gen::inRange<Dim>(1, max_dim + 1));
}

// A random order of 0 .. n-1.
inline std::vector<int> GenPermutation(int n) {
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  for (int i = n - 1; i > 0; --i) std::swap(order[i], order[*rc::gen::inRange(0, i + 1)]);
  return order;
}

// Any physical order, with gaps after each dim.
inline MemoryDesc GenStrided(const Dims& dims, DataType type) {
  Dims strides(dims.size());
  Dim next = 1;
  for (const int d : GenPermutation(static_cast<int>(dims.size()))) {
    strides[d] = next;
    next = next * dims[d] + *rc::gen::inRange<Dim>(0, 3);
  }
  return MakeStrided(dims, type, strides);
}

// Calls visit(index) for each index of `md` in row-major order.
template <class Visit>
void ForEachIndex(const MemoryDesc& md, Visit visit) {
  Dims index(md.ndims, 0);
  for (Dim n = NumElements(md); n > 0; --n) {
    visit(static_cast<const Dims&>(index));
    for (int d = md.ndims - 1; d >= 0 && ++index[d] == md.dims[d]; --d) index[d] = 0;
  }
}

}  // namespace tandem

#endif  // TANDEM_API_CORE_MEMORY_MEMORY_DESC_TESTING_H_
