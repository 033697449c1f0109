// The tests of the cache of primitives share these.
#ifndef TANDEM_API_TESTS_CACHE_CACHE_TESTING_H_
#define TANDEM_API_TESTS_CACHE_CACHE_TESTING_H_

#include <gtest/gtest.h>

#include "api/tests/rnn_client_testing.h"

namespace tandem {
namespace testing {

constexpr int kDefaultCapacity = 1024;

// Equal for descriptors that share their content, as those do of which one was found in the cache.
inline const void* ContentOf(const dnnl::primitive_desc_base& pd) {
  size_t size = 0;
  const uint8_t* bytes = nullptr;
  EXPECT_EQ(tandem_primitive_desc_get_cache_blob_id(pd.get(), &size, &bytes), dnnl_success);
  return bytes;
}

// Another problem for each number of rows.
inline dnnl::reorder::primitive_desc Reorder(dnnl::memory::dim rows) {
  using dnnl::memory;
  const memory::desc src({rows, 3}, memory::data_type::f32, memory::format_tag::ab);
  const memory::desc dst({rows, 3}, memory::data_type::f32, memory::format_tag::ba);
  return dnnl::reorder::primitive_desc(Cpu(), src, Cpu(), dst);
}

class PrimitiveCache : public ::testing::Test {
 protected:
  void SetUp() override { dnnl::set_primitive_cache_capacity(kDefaultCapacity); }
  void TearDown() override { dnnl::set_primitive_cache_capacity(before_); }

 private:
  const int before_ = dnnl::get_primitive_cache_capacity();
};

}  // namespace testing
}  // namespace tandem

#endif  // TANDEM_API_TESTS_CACHE_CACHE_TESTING_H_
