#include "reference/tests/failing_allocator.h"

#include <errno.h>
#include <pthread.h>

#include <cstddef>
#include <cstdio>
#include <new>

// The linker's --wrap=NAME turns each call of NAME into one of __wrap_NAME, and __real_NAME is the C library's. It
// works for the object files of this program; the C++ library's own calls of operator new come to those below.
extern "C" {
void* __real_malloc(size_t bytes);
void* __real_calloc(size_t count, size_t bytes);
void* __real_realloc(void* old, size_t bytes);
void* __real_aligned_alloc(size_t alignment, size_t bytes);
void __real_free(void* memory);
int __real_pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*), void* argument);
int __wrap_pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*), void* argument);
void* __wrap_malloc(size_t bytes);
void* __wrap_calloc(size_t count, size_t bytes);
void* __wrap_realloc(void* old, size_t bytes);
void* __wrap_aligned_alloc(size_t alignment, size_t bytes);
void __wrap_free(void* memory);
}

namespace tandem {
namespace reference {
namespace {

constexpr int64_t kNever = -1;

int64_t live = 0;
int64_t until_failure = kNever;
Failing kind = Failing::kOne;
bool failed = false;

// Counts the allocations that have failed, for the test's last line.
struct Total {
  int64_t failures = 0;
  ~Total() { std::printf("%lld allocations failed\n", static_cast<long long>(failures)); }
} total;

bool FailsNow() {
  if (until_failure == kNever) return false;
  if (until_failure > 0) {
    --until_failure;
    return false;
  }
  if (kind == Failing::kOne) until_failure = kNever;
  failed = true;
  ++total.failures;
  return true;
}

void* Counted(void* memory) {
  if (memory != nullptr) ++live;
  return memory;
}

}  // namespace

AllocationFailure::AllocationFailure(int64_t which, Failing failing) {
  kind = failing;
  failed = false;
  until_failure = which;
}
AllocationFailure::~AllocationFailure() { until_failure = kNever; }
bool AllocationFailure::happened() const { return failed; }

int64_t LiveAllocations() { return live; }

}  // namespace reference
}  // namespace tandem

using tandem::reference::Counted;
using tandem::reference::FailsNow;

void* __wrap_malloc(size_t bytes) { return FailsNow() ? nullptr : Counted(__real_malloc(bytes)); }
void* __wrap_calloc(size_t count, size_t bytes) { return FailsNow() ? nullptr : Counted(__real_calloc(count, bytes)); }
void* __wrap_realloc(void* old, size_t bytes) {
  if (FailsNow()) return nullptr;
  void* memory = __real_realloc(old, bytes);
  return old == nullptr ? Counted(memory) : memory;
}
void* __wrap_aligned_alloc(size_t alignment, size_t bytes) {
  return FailsNow() ? nullptr : Counted(__real_aligned_alloc(alignment, bytes));
}
void __wrap_free(void* memory) {
  if (memory != nullptr) --tandem::reference::live;
  __real_free(memory);
}

int __wrap_pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*), void* argument) {
  return FailsNow() ? EAGAIN : __real_pthread_create(thread, attributes, start, argument);
}

void* operator new(size_t bytes) {
  void* memory = __wrap_malloc(bytes == 0 ? 1 : bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
// A sanitizer's own would not call the one above.
void* operator new(size_t bytes, const std::nothrow_t&) noexcept { return __wrap_malloc(bytes == 0 ? 1 : bytes); }
void operator delete(void* memory) noexcept { __wrap_free(memory); }
void operator delete(void* memory, size_t) noexcept { __wrap_free(memory); }
