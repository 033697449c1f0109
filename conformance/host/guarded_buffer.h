// Memory for tensors between pages that must not be accessed. A buffer ends exactly at its upper guard or begins
// exactly at its lower one; the rest of its pages is filled with a known byte, the canary.
#ifndef TANDEM_CONFORMANCE_HOST_GUARDED_BUFFER_H_
#define TANDEM_CONFORMANCE_HOST_GUARDED_BUFFER_H_

#include <cstddef>
#include <cstdint>

namespace tandem::conformance {

enum class Placement { kAtEnd, kAtStart };
enum class Access { kRead, kReadWrite };
// Where an address lies, seen from a buffer: in its lower guard, inside, in its upper guard, or in no page of it.
enum class Side { kBefore, kInside, kAfter, kElsewhere };

// One buffer and its two guards; the memory belongs to a GuardedArena. The struct is plain bytes, so that it can itself
// lie in shared memory.
struct GuardedSpan {
  uint8_t* pages = nullptr;  // the lower guard
  size_t pages_size = 0;     // of all pages, the guards included
  uint8_t* data = nullptr;
  size_t size = 0;

  bool exists() const { return pages != nullptr; }
  // Opens the pages between the guards. Throws std::bad_alloc if the system refuses.
  void Open(Access access) const;
  // False if a byte of the pages outside the buffer has changed.
  bool CanaryHolds() const;
  Side SideOf(const void* address) const;
};

// Spans side by side in one mapping, which is reused from execution to execution: mapping and unmapping each tensor
// took a third of a check. Shared with child processes forked later, at the same addresses.
class GuardedArena {
 public:
  GuardedArena() = default;
  // Throws std::bad_alloc.
  explicit GuardedArena(size_t capacity);
  ~GuardedArena();
  GuardedArena(GuardedArena&& other) noexcept { Swap(&other); }
  GuardedArena& operator=(GuardedArena&& other) noexcept {
    Swap(&other);
    return *this;
  }

  // The bytes that a span of `bytes` takes, with `offset` bytes between the lower guard and a buffer placed at the
  // start.
  static size_t Needs(size_t bytes, size_t offset);
  size_t capacity() const { return capacity_; }
  void Clear() { used_ = 0; }
  // The next span, its canary in place. Throws std::bad_alloc if it does not fit.
  GuardedSpan Add(size_t bytes, Placement placement, size_t offset);
  // From here on, this process may access only spans that are opened or added.
  void Close();

 private:
  void Swap(GuardedArena* other) noexcept;

  uint8_t* base_ = nullptr;
  size_t capacity_ = 0;
  size_t used_ = 0;
  bool closed_ = false;
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_HOST_GUARDED_BUFFER_H_
