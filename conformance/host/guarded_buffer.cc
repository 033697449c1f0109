#include "conformance/host/guarded_buffer.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <new>
#include <utility>

namespace tandem::conformance {
namespace {

constexpr uint8_t kCanary = 0xa5;

size_t PageSize() {
  static const size_t size = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

size_t WholePages(size_t bytes) { return (bytes + PageSize() - 1) / PageSize() * PageSize(); }

bool AllCanary(const uint8_t* begin, const uint8_t* end) {
  // The first byte is right and each byte equals the one before it.
  return begin == end || (*begin == kCanary && std::memcmp(begin, begin + 1, end - begin - 1) == 0);
}

}  // namespace

void GuardedSpan::Open(Access access) const {
  const size_t page = PageSize();
  if (pages_size <= 2 * page) return;
  const int protection = access == Access::kRead ? PROT_READ : PROT_READ | PROT_WRITE;
  if (mprotect(pages + page, pages_size - 2 * page, protection) != 0) throw std::bad_alloc();
}

bool GuardedSpan::CanaryHolds() const {
  if (!exists()) return true;
  return AllCanary(pages + PageSize(), data) && AllCanary(data + size, pages + pages_size - PageSize());
}

Side GuardedSpan::SideOf(const void* address) const {
  const auto* p = static_cast<const uint8_t*>(address);
  if (!exists() || p < pages || p >= pages + pages_size) return Side::kElsewhere;
  return p >= data + size ? Side::kAfter : p < data ? Side::kBefore : Side::kInside;
}

GuardedArena::GuardedArena(size_t capacity) : capacity_(WholePages(capacity)) {
  if (capacity_ == 0) return;
  void* mapping = mmap(nullptr, capacity_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) throw std::bad_alloc();
  base_ = static_cast<uint8_t*>(mapping);
}

GuardedArena::~GuardedArena() {
  if (base_ != nullptr) munmap(base_, capacity_);
}

void GuardedArena::Swap(GuardedArena* other) noexcept {
  std::swap(base_, other->base_);
  std::swap(capacity_, other->capacity_);
  std::swap(used_, other->used_);
  std::swap(closed_, other->closed_);
}

size_t GuardedArena::Needs(size_t bytes, size_t offset) { return WholePages(bytes + offset) + 2 * PageSize(); }

GuardedSpan GuardedArena::Add(size_t bytes, Placement placement, size_t offset) {
  const size_t page = PageSize();
  GuardedSpan span;
  span.pages_size = Needs(bytes, offset);
  span.size = bytes;
  if (span.pages_size > capacity_ - used_) throw std::bad_alloc();
  span.pages = base_ + used_;
  used_ += span.pages_size;
  if (closed_) span.Open(Access::kReadWrite);
  uint8_t* const begin = span.pages + page;
  uint8_t* const end = span.pages + span.pages_size - page;
  span.data = placement == Placement::kAtEnd ? end - bytes : begin + offset;
  std::memset(begin, kCanary, span.data - begin);
  std::memset(span.data + bytes, kCanary, end - (span.data + bytes));
  return span;
}

void GuardedArena::Close() {
  closed_ = true;
  if (base_ != nullptr && mprotect(base_, capacity_, PROT_NONE) != 0) throw std::bad_alloc();
}

}  // namespace tandem::conformance
