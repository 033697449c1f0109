// An arena is memory for tensors between pages that must not be accessed. A buffer ends exactly at its upper guard or begins
// exactly at its lower one. A known byte, the canary, fills the rest of its pages and the guards, so each write is seen.
#ifndef TANDEM_CONFORMANCE_SANDBOX_MESSAGES_GUARDED_ARENA_H_
#define TANDEM_CONFORMANCE_SANDBOX_MESSAGES_GUARDED_ARENA_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace tandem::conformance {

enum class Placement { kAtEnd, kAtStart };
enum class Access { kRead, kReadWrite };
// Seen from a buffer, an address lies in its lower guard, inside, in its upper guard, or in no page of it.
enum class Side { kBefore, kInside, kAfter, kElsewhere };
constexpr int kNumSides = 4;

// A buffer and its two guards, in bytes from the start of the arena, which two processes may map at different addresses.
struct GuardedSpan {
  size_t pages = 0;       // the lower guard
  size_t pages_size = 0;  // bytes of all pages, the guards included; 0: there is no buffer
  size_t data = 0;
  size_t size = 0;

  bool exists() const { return pages_size != 0; }
};

// A process may access this buffer.
struct ShownSpan {
  GuardedSpan span;
  Access access = Access::kRead;
};

// Spans lie side by side in one memory, which is reused from execution to execution: mapping and unmapping each tensor took a
// third of a check. A process has mapped this memory once or twice:
//  open      all of it may be accessed. Canaries are written and checked here, and the judge fills and reads here.
//  guarded   only buffers of Show() may be accessed. A plugin gets its addresses from here.
// The judge's process has the tensors open, the worker's process has them guarded. A worker has both mappings of its own memory
// (workspace, scratchpad, text): a changed protection of a page costs more than all else that a small check does. A plugin that
// found the open mapping could only write there what it may write anyway, or a canary, which would be seen.
class GuardedArena {
 public:
  GuardedArena() = default;
  // Makes memory of this process alone, with both mappings. Throws std::bad_alloc.
  explicit GuardedArena(size_t capacity);
  // Open() and Guarded() make one mapping of the memory behind a descriptor, which is not kept. Throw std::bad_alloc.
  static GuardedArena Open(int fd, size_t capacity);
  static GuardedArena Guarded(int fd, size_t capacity);

  // Returns the bytes that a span of `bytes` takes, with `offset` bytes between the lower guard and a buffer placed at the
  // start. Throws std::bad_alloc if no arena can have that many.
  static size_t Needs(size_t bytes, size_t offset);
  size_t capacity() const { return capacity_; }
  void Clear() { used_ = 0; }
  // Adds a span with its canary. Throws std::bad_alloc if it does not fit. Needs the open mapping.
  GuardedSpan Add(size_t bytes, Placement placement, size_t offset);

  // Return addresses in the open and in the guarded mapping; null if there is no buffer.
  uint8_t* Data(const GuardedSpan& span) const { return span.exists() ? open_.get() + span.data : nullptr; }
  uint8_t* GuardedData(const GuardedSpan& span) const { return span.exists() ? guarded_.get() + span.data : nullptr; }
  // Returns false if a byte of the pages outside the buffer, guards included, has changed. Needs the open mapping.
  bool CanaryHolds(const GuardedSpan& span) const;
  // Says where an address of the guarded mapping lies, as seen from the buffer.
  Side SideOf(const GuardedSpan& span, const void* address) const;

  // From this call on, only these buffers may be accessed in the guarded mapping. Throws std::bad_alloc if the system refuses.
  void Show(std::vector<ShownSpan> spans);

 private:
  struct Unmap {
    size_t size;
    void operator()(uint8_t* begin) const;
  };
  // The mapping is null if this process does not have it.
  using Mapping = std::unique_ptr<uint8_t, Unmap>;
  static Mapping Map(size_t capacity, int protection, int flags, int fd);

  Mapping open_, guarded_, reserve_;
  size_t capacity_ = 0;
  size_t used_ = 0;
  std::vector<ShownSpan> shown_;
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_SANDBOX_MESSAGES_GUARDED_ARENA_H_
