// Memory for one tensor between two pages that nobody may touch. The buffer ends exactly at the
// upper one or begins exactly at the lower one; what is left of its pages holds a canary.
#ifndef TANDEM_CONFORMANCE_GUARDED_BUFFER_H_
#define TANDEM_CONFORMANCE_GUARDED_BUFFER_H_

#include <cstddef>
#include <cstdint>

namespace tandem::conformance {

enum class Placement { kAtEnd, kAtStart };
enum class Access { kRead, kReadWrite };

class GuardedBuffer {
 public:
  GuardedBuffer() = default;
  // `offset` bytes lie between the lower guard and a buffer placed at the start. Shared with child
  // processes. Throws std::bad_alloc.
  GuardedBuffer(size_t bytes, Placement placement, size_t offset);
  ~GuardedBuffer();
  GuardedBuffer(GuardedBuffer&& other) noexcept;
  GuardedBuffer& operator=(GuardedBuffer&& other) noexcept;

  uint8_t* data() const { return data_; }
  size_t size() const { return size_; }
  void Protect(Access access) const;
  // False if a byte of the pages outside the buffer has changed.
  bool CanaryHolds() const;

  // Where a faulting address lies: "past the end of", "before the start of", "in", or null if it is
  // elsewhere.
  const char* Describe(const void* address) const;

 private:
  void Swap(GuardedBuffer* other) noexcept;

  uint8_t* mapping_ = nullptr;
  size_t mapping_size_ = 0;
  uint8_t* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_GUARDED_BUFFER_H_
