// Each allocation of a creation fails once where the cache is on: the client gets its primitive or out_of_memory, and what
// the cache holds is given back.
#include <gtest/gtest.h>

#include "api/tests/cache/cache_testing.h"
#include "reference/tests/fail_each.h"

namespace tandem {
namespace testing {
namespace {

using reference::AllocationFailure;
using reference::LiveAllocations;

TEST_F(PrimitiveCache, IsAMissWhereThereIsNoMemoryForIt) {
  RnnCase rnn;
  const auto create = [&rnn] { return Forward(rnn, dnnl::prop_kind::forward_inference); };
  dnnl::set_primitive_cache_capacity(0);
  create();  // what is allocated once
  const int64_t live = LiveAllocations();
  for (const auto kind : reference::kKinds) {
    int misses = 0;
    bool happened = true;
    for (int64_t which = 0; happened; ++which) {
      dnnl::set_primitive_cache_capacity(kDefaultCapacity);
      bool is_created = false;
      {
        const AllocationFailure failure(which, kind);
        try {
          create();
          is_created = true;
        } catch (const std::bad_alloc&) {  // the wrapper classes' own
        } catch (const dnnl::error& e) {
          EXPECT_EQ(e.status, dnnl_out_of_memory) << which << e.message;
        }
        happened = failure.happened();
      }
      EXPECT_TRUE(is_created || happened) << which;
      misses += is_created && happened;
      {
        const auto first = create(), second = create();
        EXPECT_EQ(ContentOf(first), ContentOf(second)) << which;
      }
      dnnl::set_primitive_cache_capacity(0);
      EXPECT_EQ(LiveAllocations(), live) << which;
      if (HasFailure()) return;
    }
    // Allocations of the cache alone, after which the handle needs one more.
    EXPECT_EQ(misses > 0, kind == reference::Failing::kOne);
  }
}

}  // namespace
}  // namespace testing
}  // namespace tandem
