// The library reads the environment once: a client may change it later, in any thread.
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>

#include "api/core/environment_testing.h"
#include "api/tests/rnn_client_testing.h"
#include "dnnl/abi.h"

namespace tandem {
namespace testing {
namespace {

std::string Implementation() { return Forward(RnnCase(), dnnl::prop_kind::forward_inference).impl_info_str(); }

TEST(Environment, IsReadAgainOnRequest) {
  const std::string usual = Implementation();
  SetWithoutReading("TANDEM_IMPL", "reference");
  EXPECT_EQ(Implementation(), usual);
  tandem_read_environment_again();
  EXPECT_EQ(Implementation().substr(0, 4), "ref:");
  UnsetWithoutReading("TANDEM_IMPL");
  EXPECT_EQ(Implementation().substr(0, 4), "ref:");
  tandem_read_environment_again();
  EXPECT_EQ(Implementation(), usual);
}

// setenv() moves the list of variables when one is added. Who reads the old list reads what is no memory any more.
TEST(Environment, MayGrowInAThreadWhileOthersMakeDescriptors) {
  constexpr int kVariables = 5000;
  Implementation();
  std::atomic<bool> has_ended{false};
  const auto make = [&] {
    while (!has_ended) Implementation();
  };
  std::thread makers[] = {std::thread(make), std::thread(make)};
  for (int i = 0; i < kVariables; ++i) SetWithoutReading(("TANDEM_TEST_" + std::to_string(i)).c_str(), "1");
  has_ended = true;
  for (std::thread& maker : makers) maker.join();
  for (int i = 0; i < kVariables; ++i) UnsetWithoutReading(("TANDEM_TEST_" + std::to_string(i)).c_str());
}

}  // namespace
}  // namespace testing
}  // namespace tandem
