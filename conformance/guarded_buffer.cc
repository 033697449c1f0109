#include "conformance/guarded_buffer.h"

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

bool AllEqual(const uint8_t* begin, const uint8_t* end) {
  for (; begin != end; ++begin) {
    if (*begin != kCanary) return false;
  }
  return true;
}

}  // namespace

GuardedBuffer::GuardedBuffer(size_t bytes, Placement placement, size_t offset) : size_(bytes) {
  const size_t page = PageSize();
  const size_t inner = (bytes + offset + page - 1) / page * page;
  mapping_size_ = inner + 2 * page;
  void* mapping = mmap(nullptr, mapping_size_, PROT_NONE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED) throw std::bad_alloc();
  mapping_ = static_cast<uint8_t*>(mapping);
  Protect(Access::kReadWrite);
  data_ = placement == Placement::kAtEnd ? mapping_ + page + inner - bytes : mapping_ + page + offset;
  std::memset(mapping_ + page, kCanary, data_ - (mapping_ + page));
  std::memset(data_ + size_, kCanary, mapping_ + page + inner - (data_ + size_));
}

GuardedBuffer::~GuardedBuffer() {
  if (mapping_ != nullptr) munmap(mapping_, mapping_size_);
}

GuardedBuffer::GuardedBuffer(GuardedBuffer&& other) noexcept { Swap(&other); }
GuardedBuffer& GuardedBuffer::operator=(GuardedBuffer&& other) noexcept {
  Swap(&other);
  return *this;
}
void GuardedBuffer::Swap(GuardedBuffer* other) noexcept {
  std::swap(mapping_, other->mapping_);
  std::swap(mapping_size_, other->mapping_size_);
  std::swap(data_, other->data_);
  std::swap(size_, other->size_);
}

void GuardedBuffer::Protect(Access access) const {
  if (mapping_ == nullptr || mapping_size_ == 2 * PageSize()) return;
  const int protection = access == Access::kRead ? PROT_READ : PROT_READ | PROT_WRITE;
  if (mprotect(mapping_ + PageSize(), mapping_size_ - 2 * PageSize(), protection) != 0) {
    throw std::bad_alloc();
  }
}

bool GuardedBuffer::CanaryHolds() const {
  if (mapping_ == nullptr) return true;
  const uint8_t* begin = mapping_ + PageSize();
  const uint8_t* end = mapping_ + mapping_size_ - PageSize();
  return AllEqual(begin, data_) && AllEqual(data_ + size_, end);
}

const char* GuardedBuffer::Describe(const void* address) const {
  const auto* p = static_cast<const uint8_t*>(address);
  if (mapping_ == nullptr || p < mapping_ || p >= mapping_ + mapping_size_) return nullptr;
  return p >= data_ + size_ ? "past the end of" : p < data_ ? "before the start of" : "in";
}

}  // namespace tandem::conformance
