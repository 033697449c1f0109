// The cache of primitives: how many it keeps, which it drops, and for whom.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "api/core/environment_testing.h"
#include "api/tests/cache/cache_testing.h"
#include "api/tests/expect_error_testing.h"

namespace tandem {
namespace testing {
namespace {

using dnnl::memory;

TEST_F(PrimitiveCache, DropsWhatWasAskedForLongestAgo) {
  dnnl::set_primitive_cache_capacity(2);
  const auto first = Reorder(1), second = Reorder(2);
  EXPECT_EQ(ContentOf(Reorder(1)), ContentOf(first));
  const auto third = Reorder(3);
  EXPECT_EQ(ContentOf(Reorder(1)), ContentOf(first));
  EXPECT_EQ(ContentOf(Reorder(3)), ContentOf(third));
  EXPECT_NE(ContentOf(Reorder(2)), ContentOf(second));
  // Now the first is the oldest.
  EXPECT_EQ(ContentOf(Reorder(3)), ContentOf(third));
  dnnl::set_primitive_cache_capacity(1);
  EXPECT_EQ(ContentOf(Reorder(3)), ContentOf(third));
  EXPECT_NE(ContentOf(Reorder(1)), ContentOf(first));
}

TEST_F(PrimitiveCache, OfCapacityZeroIsEmptyAndOff) {
  const auto before = Reorder(1);
  dnnl::set_primitive_cache_capacity(0);
  const auto first = Reorder(1), second = Reorder(1);
  EXPECT_NE(ContentOf(first), ContentOf(before));
  EXPECT_NE(ContentOf(first), ContentOf(second));
  dnnl::set_primitive_cache_capacity(kDefaultCapacity);
  EXPECT_NE(ContentOf(Reorder(1)), ContentOf(before));
}

TEST_F(PrimitiveCache, HasTheCapacityThatWasSet) {
  dnnl::set_primitive_cache_capacity(7);
  EXPECT_EQ(dnnl::get_primitive_cache_capacity(), 7);
  ExpectInvalid({"primitive cache", "-1"}, [] { dnnl::set_primitive_cache_capacity(-1); });
  EXPECT_EQ(dnnl::get_primitive_cache_capacity(), 7);
  EXPECT_EQ(tandem_get_primitive_cache_capacity(nullptr), dnnl_invalid_arguments);
}

// Each in a process of its own: the environment is read once.
TEST(PrimitiveCacheDeathTest, HasTheCapacityOfTheEnvironment) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  struct {
    const char *onednn, *dnnl;
    int capacity;
  } const kCases[] = {{nullptr, nullptr, kDefaultCapacity},
                      {"7", "9", 7},
                      {nullptr, "9", 9},
                      {"", "9", 9},
                      {"0", "9", 0},
                      {"-3", nullptr, 0},
                      {"none", nullptr, 0}};
  for (const auto& c : kCases) {
    c.onednn == nullptr ? UnsetVariable("ONEDNN_PRIMITIVE_CACHE_CAPACITY")
                        : SetVariable("ONEDNN_PRIMITIVE_CACHE_CAPACITY", c.onednn);
    c.dnnl == nullptr ? UnsetVariable("DNNL_PRIMITIVE_CACHE_CAPACITY")
                      : SetVariable("DNNL_PRIMITIVE_CACHE_CAPACITY", c.dnnl);
    EXPECT_EXIT(std::exit(dnnl::get_primitive_cache_capacity() == c.capacity ? 0 : 1), ::testing::ExitedWithCode(0), "")
        << c.capacity;
  }
  UnsetVariable("ONEDNN_PRIMITIVE_CACHE_CAPACITY");
  UnsetVariable("DNNL_PRIMITIVE_CACHE_CAPACITY");
}

TEST_F(PrimitiveCache, GivesDescriptorsThatAreTheClientsOwn) {
  RnnCase gru;
  gru.cell = dnnl::algorithm::vanilla_gru;
  auto first = Forward(gru, dnnl::prop_kind::forward_inference);
  const auto second = Forward(gru, dnnl::prop_kind::forward_inference);
  ASSERT_EQ(ContentOf(first), ContentOf(second));
  const std::string name = second.impl_info_str();
  ASSERT_TRUE(first.next_impl());
  EXPECT_NE(first.impl_info_str(), name);
  EXPECT_EQ(second.impl_info_str(), name);
  EXPECT_EQ(Forward(gru, dnnl::prop_kind::forward_inference).impl_info_str(), name);
  // The engine is the one that was asked with.
  const dnnl::engine one(dnnl::engine::kind::cpu, 0), other(dnnl::engine::kind::cpu, 0);
  const memory::desc md({2}, memory::data_type::f32, memory::format_tag::a);
  const dnnl::reorder::primitive_desc on_one(one, md, one, md), on_other(other, md, other, md);
  EXPECT_EQ(ContentOf(on_one), ContentOf(on_other));
  EXPECT_EQ(on_one.get_engine().get(), one.get());
  EXPECT_EQ(on_other.get_engine().get(), other.get());
}

// Counts `word` in the lines that are printed when a primitive is created.
int CountInVerboseLines(const dnnl::reorder::primitive_desc& pd, const std::string& word) {
  dnnl::set_verbose(2);
  ::testing::internal::CaptureStdout();
  const dnnl::reorder unused(pd);
  dnnl::set_verbose(0);
  const std::string lines = ::testing::internal::GetCapturedStdout();
  int count = 0;
  for (size_t at = 0; (at = lines.find(word, at)) != std::string::npos; ++at) ++count;
  return count;
}

TEST_F(PrimitiveCache, SaysWhetherAPrimitiveWasFound) {
  const auto pd = Reorder(11);
  EXPECT_EQ(CountInVerboseLines(pd, ",create:cache_miss,cpu,reorder,"), 1);
  EXPECT_EQ(CountInVerboseLines(pd, ",create:cache_hit,cpu,reorder,"), 1);
  EXPECT_EQ(CountInVerboseLines(Reorder(11), ",create:cache_hit,cpu,reorder,"), 1);
  dnnl::set_primitive_cache_capacity(0);
  EXPECT_EQ(CountInVerboseLines(pd, ",create:cache_miss,cpu,reorder,"), 1);
  EXPECT_EQ(CountInVerboseLines(Reorder(11), ",create:cache_miss,cpu,reorder,"), 1);
}

TEST_F(PrimitiveCache, ServesThreadsAtOnce) {
  dnnl::set_primitive_cache_capacity(3);  // so that they drop each other's
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([thread] {
      for (int i = 0; i < 500; ++i) {
        const memory::dim rows = 1 + (i + thread) % 5;
        const auto pd = Reorder(rows);
        ASSERT_EQ(pd.src_desc().get_dims()[0], rows);
        if (i % 100 == 0) dnnl::set_primitive_cache_capacity(i % 200 == 0 ? 3 : 0);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(PrimitiveCache, ServesAChildOfForkWhileOthersUseIt) {
  std::atomic<bool> ends{false};
  std::thread other([&] {
    while (!ends) Reorder(1);
  });
  for (int i = 0; i < 20; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(20);
      const auto pd = Reorder(1);
      _exit(ContentOf(pd) == ContentOf(Reorder(1)) ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  ends = true;
  other.join();
}

// A static object of the client that ends after the cache, which begins later.
struct Late {
  ~Late() {
    const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
    const memory::desc md({2}, memory::data_type::f32, memory::format_tag::a);
    if (ContentOf(dnnl::reorder::primitive_desc(engine, md, engine, md)) == nullptr) std::abort();
  }
} const late;

}  // namespace
}  // namespace testing
}  // namespace tandem
