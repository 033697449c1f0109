#include "fuzz/heap.h"

#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<size_t> in_use{0}, peak{0};

void* Counted(void* data) {
  if (data == nullptr) return nullptr;
  const size_t now = in_use += malloc_usable_size(data);
  for (size_t most = peak; most < now && !peak.compare_exchange_weak(most, now);) continue;
  return data;
}

void* OrThrow(void* data) {
  if (data == nullptr) throw std::bad_alloc();
  return Counted(data);
}

void* Aligned(size_t bytes, std::align_val_t alignment) {
  const size_t unit = static_cast<size_t>(alignment);
  return std::aligned_alloc(unit, (bytes + unit - 1) / unit * unit);
}

void Release(void* data) {
  if (data != nullptr) in_use -= malloc_usable_size(data);
  std::free(data);
}

}  // namespace

// Each form has one operator; those of arrays call these.
void* operator new(size_t bytes) { return OrThrow(std::malloc(bytes)); }
void* operator new(size_t bytes, const std::nothrow_t&) noexcept { return Counted(std::malloc(bytes)); }
void* operator new(size_t bytes, std::align_val_t alignment) { return OrThrow(Aligned(bytes, alignment)); }
void operator delete(void* data) noexcept { Release(data); }
void operator delete(void* data, size_t) noexcept { Release(data); }
void operator delete(void* data, const std::nothrow_t&) noexcept { Release(data); }
void operator delete(void* data, std::align_val_t) noexcept { Release(data); }
void operator delete(void* data, size_t, std::align_val_t) noexcept { Release(data); }

namespace tandem::fuzz {

HeapPeak::HeapPeak() : before_(in_use) { peak = before_; }

size_t HeapPeak::bytes() const { return std::max<size_t>(peak, before_) - before_; }

}  // namespace tandem::fuzz
