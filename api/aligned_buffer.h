// A buffer that begins on a cache line.
#ifndef TANDEM_API_ALIGNED_BUFFER_H_
#define TANDEM_API_ALIGNED_BUFFER_H_

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

namespace tandem {

class AlignedBuffer {
 public:
  AlignedBuffer() = default;
  // Throws std::bad_alloc. No bytes: no buffer.
  explicit AlignedBuffer(size_t bytes) : data_(Allocate(bytes)) {}
  void* get() const { return data_.get(); }

 private:
  static constexpr size_t kAlignment = 64;
  // No address space is larger (five levels of pages, 57 bits); a sanitizer's allocator takes asking for an error.
  static constexpr size_t kMostBytes = size_t{1} << (sizeof(size_t) == 8 ? 57 : 31);

  struct Free {
    void operator()(void* data) const { std::free(data); }
  };

  static void* Allocate(size_t bytes) {
    if (bytes == 0) return nullptr;
    if (bytes > kMostBytes) throw std::bad_alloc();
    // aligned_alloc wants a multiple of the alignment.
    void* data = std::aligned_alloc(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment);
    if (data == nullptr) throw std::bad_alloc();
    return data;
  }

  std::unique_ptr<void, Free> data_;
};

}  // namespace tandem

#endif  // TANDEM_API_ALIGNED_BUFFER_H_
