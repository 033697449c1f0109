// Memory for tensors between pages that must not be accessed. A buffer ends exactly at its upper guard or begins
// exactly at its lower one; the rest of its pages is filled with a known byte, the canary. So are the guards: code that
// changes their protection can still not write there unseen.
#ifndef TANDEM_CONFORMANCE_SANDBOX_MESSAGES_GUARDED_ARENA_H_
#define TANDEM_CONFORMANCE_SANDBOX_MESSAGES_GUARDED_ARENA_H_

#include <cstddef>
#include <cstdint>

namespace tandem::conformance {

enum class Placement { kAtEnd, kAtStart };
enum class Access { kRead, kReadWrite };
// Where an address lies, seen from a buffer: in its lower guard, inside, in its upper guard, or in no page of it.
enum class Side { kBefore, kInside, kAfter, kElsewhere };
constexpr int kNumSides = 4;

// One buffer and its two guards, in bytes from the start of its arena. Two processes may have mapped that at different
// addresses.
struct GuardedSpan {
  size_t pages = 0;       // the lower guard
  size_t pages_size = 0;  // of all pages, the guards included; 0: there is no buffer
  size_t data = 0;
  size_t size = 0;

  bool exists() const { return pages_size != 0; }
};

// Spans side by side in one mapping, which is reused from execution to execution: mapping and unmapping each tensor
// took a third of a check.
class GuardedArena {
 public:
  // What a process may do with memory that it has from another process.
  enum class Mapping { kReadOnly, kReadWrite };

  GuardedArena() = default;
  // Memory of this process. Throws std::bad_alloc.
  explicit GuardedArena(size_t capacity);
  // The memory behind a descriptor, which is not kept. Throws std::bad_alloc.
  GuardedArena(int fd, size_t capacity, Mapping mapping);
  ~GuardedArena();
  GuardedArena(GuardedArena&& other) noexcept { Swap(&other); }
  GuardedArena& operator=(GuardedArena&& other) noexcept {
    Swap(&other);
    return *this;
  }

  // The bytes that a span of `bytes` takes, with `offset` bytes between the lower guard and a buffer placed at the
  // start. Throws std::bad_alloc if no arena can have so many.
  static size_t Needs(size_t bytes, size_t offset);
  size_t capacity() const { return capacity_; }
  void Clear() { used_ = 0; }
  // The next span, its canary in place. Throws std::bad_alloc if it does not fit.
  GuardedSpan Add(size_t bytes, Placement placement, size_t offset);

  // Null if there is no buffer.
  uint8_t* Data(const GuardedSpan& span) const { return span.exists() ? base_ + span.data : nullptr; }
  // False if a byte of the pages outside the buffer, guards included, has changed.
  bool CanaryHolds(const GuardedSpan& span) const;
  Side SideOf(const GuardedSpan& span, const void* address) const;

  // From here on, this process may access only spans that are opened or added.
  void Close();
  // Opens the pages between the guards. Throws std::bad_alloc if the system refuses.
  void Open(const GuardedSpan& span, Access access) const;

 private:
  void Swap(GuardedArena* other) noexcept;
  void Protect(size_t begin, size_t size, int protection) const;
  void ProtectGuards(const GuardedSpan& span, int protection) const;

  uint8_t* base_ = nullptr;
  size_t capacity_ = 0;
  size_t used_ = 0;
  bool closed_ = false;
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_SANDBOX_MESSAGES_GUARDED_ARENA_H_
