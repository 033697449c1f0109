#include "conformance/sandbox/messages/guarded_arena.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>
#include <utility>

#include "conformance/sandbox/messages/messages.h"

namespace tandem::conformance {
namespace {

constexpr uint8_t kCanary = 0xa5;

size_t PageSize() {
  static const size_t size = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

size_t WholePages(size_t bytes) { return (bytes + PageSize() - 1) / PageSize() * PageSize(); }

bool AllCanary(const uint8_t* begin, const uint8_t* end) {
  // The first byte is right, and each byte equals the one before it.
  return begin == end || (*begin == kCanary && std::memcmp(begin, begin + 1, end - begin - 1) == 0);
}

// Makes memory that can be mapped twice. A plugin can neither shrink nor grow it.
OwnedFd MakeMemory(size_t capacity) {
  // Beyond this limit ftruncate() would send a signal.
  rlimit limit = {};
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < capacity) throw std::bad_alloc();
  OwnedFd fd(memfd_create("tandem_own", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!fd || ftruncate(fd.get(), static_cast<off_t>(capacity)) != 0 ||
      fcntl(fd.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    throw std::bad_alloc();
  }
  return fd;
}

bool SamePages(const ShownSpan& a, const ShownSpan& b) {
  return a.span.pages == b.span.pages && a.span.pages_size == b.span.pages_size;
}

auto Find(const ShownSpan& wanted, std::vector<ShownSpan>* in) {
  return std::find_if(in->begin(), in->end(), [&](const ShownSpan& other) { return SamePages(wanted, other); });
}

void Protect(uint8_t* begin, size_t size, int protection) {
  if (size != 0 && mprotect(begin, size, protection) != 0) throw std::bad_alloc();
}

}  // namespace

void GuardedArena::Unmap::operator()(uint8_t* begin) const { munmap(begin, size); }

GuardedArena::Mapping GuardedArena::Map(size_t capacity, int protection, int flags, int fd) {
  if (capacity == 0) return Mapping();
  void* const begin = mmap(nullptr, capacity, protection, flags | MAP_NORESERVE, fd, 0);
  if (begin == MAP_FAILED) throw std::bad_alloc();
  return Mapping(static_cast<uint8_t*>(begin), Unmap{capacity});
}

GuardedArena::GuardedArena(size_t capacity) : capacity_(WholePages(capacity)) {
  // The limit of a worker's memory (RLIMIT_DATA) counts private mappings only. This unused one stands for the memory.
  reserve_ = Map(capacity_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
  const OwnedFd fd = MakeMemory(capacity_);
  open_ = Map(capacity_, PROT_READ | PROT_WRITE, MAP_SHARED, fd.get());
  guarded_ = Map(capacity_, PROT_NONE, MAP_SHARED, fd.get());
}

GuardedArena GuardedArena::Open(int fd, size_t capacity) {
  GuardedArena arena;
  arena.capacity_ = WholePages(capacity);
  arena.open_ = Map(arena.capacity_, PROT_READ | PROT_WRITE, MAP_SHARED, fd);
  return arena;
}

GuardedArena GuardedArena::Guarded(int fd, size_t capacity) {
  GuardedArena arena;
  arena.capacity_ = WholePages(capacity);
  arena.guarded_ = Map(arena.capacity_, PROT_NONE, MAP_SHARED, fd);
  return arena;
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
  std::memset(open_.get() + span.pages, kCanary, span.data - span.pages);
  std::memset(open_.get() + span.data + bytes, kCanary, end + page - (span.data + bytes));
  return span;
}

bool GuardedArena::CanaryHolds(const GuardedSpan& span) const {
  if (!span.exists()) return true;
  const uint8_t* const data = Data(span);
  return AllCanary(open_.get() + span.pages, data) &&
         AllCanary(data + span.size, open_.get() + span.pages + span.pages_size);
}

Side GuardedArena::SideOf(const GuardedSpan& span, const void* address) const {
  const auto* p = static_cast<const uint8_t*>(address);
  const uint8_t* const pages = guarded_.get() + span.pages;
  const uint8_t* const data = guarded_.get() + span.data;
  if (!span.exists() || p < pages || p >= pages + span.pages_size) return Side::kElsewhere;
  return p >= data + span.size ? Side::kAfter : p < data ? Side::kBefore : Side::kInside;
}

void GuardedArena::Show(std::vector<ShownSpan> spans) {
  // Many calls show only buffers that are shown already, or more.
  const bool hides = std::any_of(shown_.begin(), shown_.end(),
                                 [&](const ShownSpan& shown) { return Find(shown, &spans) == spans.end(); });
  if (hides) {
    Protect(guarded_.get(), capacity_, PROT_NONE);
    shown_.clear();
  }
  for (const ShownSpan& span : spans) {
    const size_t guards = 2 * PageSize();
    if (span.span.pages_size <= guards) continue;
    auto shown = Find(span, &shown_);
    if (shown != shown_.end() && shown->access == span.access) continue;
    Protect(guarded_.get() + span.span.pages + PageSize(), span.span.pages_size - guards,
            span.access == Access::kRead ? PROT_READ : PROT_READ | PROT_WRITE);
    if (shown == shown_.end()) shown = shown_.insert(shown, span);
    shown->access = span.access;
  }
}

}  // namespace tandem::conformance
