#include "conformance/problem/rearranged.h"

#include <algorithm>
#include <array>

namespace tandem::conformance {
namespace {

// Calls use(index in `other`, index in `given`) for each element of `other`.
template <class Use>
void ForEachPair(Tensor t, const MemoryDesc& other, const MemoryDesc& given, const IndexMap& map, const Use& use) {
  const Tensor partner = WithoutDiff(t);
  std::array<Dim, DNNL_MAX_NDIMS> at{};
  const Dim count = NumElements(other);
  for (Dim i = 0; i < count; ++i) {
    std::array<Dim, DNNL_MAX_NDIMS> source = at;
    map(partner, source.data());
    size_t linear = 0;
    for (int d = 0; d < given.ndims; ++d) {
      linear = linear * static_cast<size_t>(given.dims[d]) + static_cast<size_t>(source[static_cast<size_t>(d)]);
    }
    use(static_cast<size_t>(i), linear);
    Advance(other, at.data());
  }
}

}  // namespace

TensorSet Rearranged(const RnnProblem& other, const TensorSet& tensors, const IndexMap& map) {
  TensorSet result(other);
  for (int i = 0; i < kNumTensors; ++i) {
    const Tensor t = static_cast<Tensor>(i);
    TensorBuffer& to = result[t];
    if (to.empty()) continue;
    ForEachPair(t, to.md(), tensors[t].md(), map,
                [&](size_t target, size_t source) { to.Set(target, tensors[t].Get(source)); });
  }
  return result;
}

void PutBack(Tensor t, const TensorBuffer& from, const IndexMap& map, TensorBuffer* to) {
  if (from.empty()) return;
  ForEachPair(t, from.md(), to->md(), map, [&](size_t target, size_t source) { to->Set(source, from.Get(target)); });
}

}  // namespace tandem::conformance
