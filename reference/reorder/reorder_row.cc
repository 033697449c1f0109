#include "reference/reorder/reorder_row.h"

#include <cstring>

#include "api/core/attributes/element.h"

namespace tandem {
namespace reference {
namespace {

template <class T>
void Copy(const Row& src, const MutableRow& dst, Dim n) {
  const T* from = static_cast<const T*>(src.base) + src.offset;
  T* to = static_cast<T*>(dst.base) + dst.offset;
  if (src.stride == 1 && dst.stride == 1) {
    std::memmove(to, from, static_cast<size_t>(n) * sizeof(T));
    return;
  }
  // Not by assignment: it may quiet a signalling NaN.
  for (Dim i = 0; i < n; ++i) std::memcpy(to + i * dst.stride, from + i * src.stride, sizeof(T));
}

}  // namespace

void LoadRow(const Row& row, Dim n, float* values) {
  VisitElement(row.type, [&](auto element) {
    using Element = decltype(element);
    const auto* from = static_cast<const typename Element::Stored*>(row.base) + row.offset;
    for (Dim i = 0; i < n; ++i) values[i] = Element::Load(from[i * row.stride]);
  });
}

void StoreRow(const MutableRow& row, Dim n, const float* values) {
  VisitElement(row.type, [&](auto element) {
    using Element = decltype(element);
    auto* to = static_cast<typename Element::Stored*>(row.base) + row.offset;
    for (Dim i = 0; i < n; ++i) to[i * row.stride] = Element::Store(values[i]);
  });
}

void CopyRow(const Row& src, const MutableRow& dst, Dim n) {
  VisitElement(src.type, [&](auto element) { Copy<typename decltype(element)::Stored>(src, dst, n); });
}

}  // namespace reference
}  // namespace tandem
