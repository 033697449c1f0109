#include "conformance/sandbox/messages/guarded_arena.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <limits>
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

uint8_t* Map(size_t capacity, int protection, int flags, int fd) {
  if (capacity == 0) return nullptr;
  void* mapping = mmap(nullptr, capacity, protection, flags | MAP_NORESERVE, fd, 0);
  if (mapping == MAP_FAILED) throw std::bad_alloc();
  return static_cast<uint8_t*>(mapping);
}

}  // namespace

GuardedArena::GuardedArena(size_t capacity)
    : base_(Map(WholePages(capacity), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1)),
      capacity_(WholePages(capacity)) {}

GuardedArena::GuardedArena(int fd, size_t capacity, Mapping mapping)
    : base_(Map(WholePages(capacity), mapping == Mapping::kReadOnly ? PROT_READ : PROT_READ | PROT_WRITE, MAP_SHARED,
                fd)),
      capacity_(WholePages(capacity)) {}

GuardedArena::~GuardedArena() {
  if (base_ != nullptr) munmap(base_, capacity_);
}

void GuardedArena::Swap(GuardedArena* other) noexcept {
  std::swap(base_, other->base_);
  std::swap(capacity_, other->capacity_);
  std::swap(used_, other->used_);
  std::swap(closed_, other->closed_);
}

size_t GuardedArena::Needs(size_t bytes, size_t offset) {
  constexpr size_t kMost = std::numeric_limits<size_t>::max() / 4;
  if (bytes > kMost || offset > kMost) throw std::bad_alloc();
  return WholePages(bytes + offset) + 2 * PageSize();
}

GuardedSpan GuardedArena::Add(size_t bytes, Placement placement, size_t offset) {
  const size_t page = PageSize();
  GuardedSpan span;
  span.pages_size = Needs(bytes, offset);
  span.size = bytes;
  if (span.pages_size > capacity_ - used_) throw std::bad_alloc();
  span.pages = used_;
  used_ += span.pages_size;
  const size_t begin = span.pages + page;
  const size_t end = span.pages + span.pages_size - page;
  span.data = placement == Placement::kAtEnd ? end - bytes : begin + offset;
  if (closed_) Protect(span.pages, span.pages_size, PROT_READ | PROT_WRITE);
  std::memset(base_ + span.pages, kCanary, span.data - span.pages);
  std::memset(base_ + span.data + bytes, kCanary, end + page - (span.data + bytes));
  if (closed_) ProtectGuards(span, PROT_NONE);
  return span;
}

bool GuardedArena::CanaryHolds(const GuardedSpan& span) const {
  if (!span.exists()) return true;
  const uint8_t* const data = base_ + span.data;
  if (closed_) ProtectGuards(span, PROT_READ);
  const bool holds =
      AllCanary(base_ + span.pages, data) && AllCanary(data + span.size, base_ + span.pages + span.pages_size);
  if (closed_) ProtectGuards(span, PROT_NONE);
  return holds;
}

Side GuardedArena::SideOf(const GuardedSpan& span, const void* address) const {
  const auto* p = static_cast<const uint8_t*>(address);
  const uint8_t* const pages = base_ + span.pages;
  const uint8_t* const data = base_ + span.data;
  if (!span.exists() || p < pages || p >= pages + span.pages_size) return Side::kElsewhere;
  return p >= data + span.size ? Side::kAfter : p < data ? Side::kBefore : Side::kInside;
}

void GuardedArena::Protect(size_t begin, size_t size, int protection) const {
  if (size != 0 && mprotect(base_ + begin, size, protection) != 0) throw std::bad_alloc();
}

void GuardedArena::ProtectGuards(const GuardedSpan& span, int protection) const {
  const size_t page = PageSize();
  Protect(span.pages, page, protection);
  Protect(span.pages + span.pages_size - page, page, protection);
}

void GuardedArena::Close() {
  closed_ = true;
  Protect(0, capacity_, PROT_NONE);
}

void GuardedArena::Open(const GuardedSpan& span, Access access) const {
  const size_t page = PageSize();
  if (span.pages_size <= 2 * page) return;
  Protect(span.pages + page, span.pages_size - 2 * page, access == Access::kRead ? PROT_READ : PROT_READ | PROT_WRITE);
}

}  // namespace tandem::conformance
