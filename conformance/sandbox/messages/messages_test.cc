#include "conformance/sandbox/messages/messages.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <cstdint>

namespace tandem::conformance {
namespace {

// The judge took it for the worker's end, no longer listened, and waited until the time limit.
TEST(Messages, AnEmptyMessageIsMalformedAndNoEnd) {
  auto [judge, worker] = SocketPair();
  ASSERT_EQ(send(worker.get(), nullptr, 0, MSG_NOSIGNAL), 0);
  ASSERT_TRUE(Send(worker.get(), uint64_t{7}));
  uint64_t message = 0;
  EXPECT_EQ(Receive(judge.get(), Wait::kNo, &message), Received::kMalformed);
  EXPECT_EQ(Receive(judge.get(), Wait::kNo, &message), Received::kMessage);
  EXPECT_EQ(message, 7u);
  EXPECT_EQ(Receive(judge.get(), Wait::kNo, &message), Received::kNothing);
  worker.Close();
  EXPECT_EQ(Receive(judge.get(), Wait::kNo, &message), Received::kClosed);
}

}  // namespace
}  // namespace tandem::conformance
