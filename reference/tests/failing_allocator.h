// An allocator that fails on demand, linked in place of malloc and operator new. It sees what the code under test
// allocates through either; Eigen uses malloc. A thread that it makes is an allocation, too. A program gets it by linking :failing_allocator.
#ifndef TANDEM_REFERENCE_TESTS_FAILING_ALLOCATOR_H_
#define TANDEM_REFERENCE_TESTS_FAILING_ALLOCATOR_H_

#include <cstdint>

namespace tandem {
namespace reference {

enum class Failing { kOne, kAllFromOneOn };

// While one lives, allocation number `which` (the first is 0) returns null or throws std::bad_alloc, and with
// kAllFromOneOn every later one, too. One at a time, in a program of one thread.
class AllocationFailure {
 public:
  AllocationFailure(int64_t which, Failing failing);
  ~AllocationFailure();
  AllocationFailure(const AllocationFailure&) = delete;
  AllocationFailure& operator=(const AllocationFailure&) = delete;

  // False if the code under test made no allocation with that number.
  bool happened() const;
};

// Allocations that have not been freed.
int64_t LiveAllocations();

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_TESTS_FAILING_ALLOCATOR_H_
