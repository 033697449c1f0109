// Runs code with each of its allocations failing in turn.
#ifndef TANDEM_REFERENCE_TESTS_FAIL_EACH_H_
#define TANDEM_REFERENCE_TESTS_FAIL_EACH_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <new>

#include "reference/tests/failing_allocator.h"

namespace tandem {
namespace reference {

constexpr Failing kKinds[] = {Failing::kOne, Failing::kAllFromOneOn};

// Calls `body` with its first allocation failing, then its second, ..., until none fails. Each time it must throw
// std::bad_alloc and leave nothing behind. Returns how many allocations it has.
template <class Body>
int64_t FailEach(Failing kind, const Body& body) {
  for (int64_t which = 0;; ++which) {
    const int64_t live = LiveAllocations();
    bool out_of_memory = false;
    bool happened = false;
    {
      const AllocationFailure failure(which, kind);
      try {
        body();
      } catch (const std::bad_alloc&) {
        out_of_memory = true;
      }
      happened = failure.happened();
    }
    const int64_t lost = LiveAllocations() - live;
    EXPECT_EQ(lost, 0) << "allocation " << which;
    EXPECT_EQ(out_of_memory, happened) << "allocation " << which;
    if (!happened || ::testing::Test::HasFailure()) return which;
  }
}

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_TESTS_FAIL_EACH_H_
