// One tensor of the caller's memory, as a plugin sees it: an address and strides, but not where the memory ends.
#ifndef TANDEM_CONFORMANCE_FAULTY_TENSOR_VIEW_H_
#define TANDEM_CONFORMANCE_FAULTY_TENSOR_VIEW_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "api/core/memory/memory_desc.h"
#include "conformance/faulty/mutation.h"
#include "conformance/problem/tensor_set.h"

namespace tandem::conformance {

class TensorView {
 public:
  TensorView() = default;
  TensorView(const MemoryDesc& md, void* data, Mutation mutation)
      : md_(md), data_(static_cast<uint8_t*>(data)), mutation_(mutation) {}

  const MemoryDesc& md() const { return md_; }
  DataType type() const { return TypeOf(md_); }
  bool empty() const { return md_.ndims == 0; }
  size_t size() const { return empty() ? 0 : static_cast<size_t>(NumElements(md_)); }
  uint8_t* data() const { return data_; }

  // In elements, of the row-major logical index.
  Dim Offset(size_t index) const {
    Dim offset = 0, rest = static_cast<Dim>(index);
    for (int d = md_.ndims - 1; d >= 0; --d) {
      offset += rest % md_.dims[d] * Strides(md_)[d];
      rest /= md_.dims[d];
    }
    return Wrapped(offset);
  }
  Dim Offset(const Dim* index) const { return Wrapped(OffsetAt(md_, index)); }
  double Get(size_t index) const { return At(Offset(index)); }
  void Set(size_t index, double value) const { SetAt(Offset(index), value); }

  // At any offset, in elements: it is not checked, because some bugs compute wrong ones.
  double At(Dim offset) const { return LoadElement(type(), data_ + offset * Width()); }
  void SetAt(Dim offset, double value) const { StoreElement(type(), value, data_ + offset * Width()); }

 private:
  Dim Width() const { return static_cast<Dim>(SizeOf(type())); }
  Dim Wrapped(Dim offset) const {
    return mutation_ == Mutation::kOffsetIn32Bits ? static_cast<int32_t>(offset) : offset;
  }

  MemoryDesc md_ = {};
  uint8_t* data_ = nullptr;
  Mutation mutation_ = Mutation::kNoBug;
};

using TensorViews = std::array<TensorView, kNumTensors>;

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_FAULTY_TENSOR_VIEW_H_
