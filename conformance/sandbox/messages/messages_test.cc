#include "conformance/sandbox/messages/messages.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>

#include "conformance/sandbox/messages/guarded_arena.h"

namespace tandem::conformance {
namespace {

// The judge once took it for the worker's end, no longer listened, and waited until the time limit.
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

enum class Allowed { kNothing, kReading, kWriting };

// Tells what a process may do with a byte. The system reads and writes it: a refusal is an error code, not a signal.
Allowed AllowedAt(uint8_t* byte) {
  int ends[2];
  if (pipe(ends) != 0) return Allowed::kNothing;
  const bool reads = write(ends[1], byte, 1) == 1;
  const bool writes = reads && read(ends[0], byte, 1) == 1;
  for (const int end : ends) close(end);
  return writes ? Allowed::kWriting : reads ? Allowed::kReading : Allowed::kNothing;
}

TEST(GuardedArena, ShowsWhatItIsToldAndNoMore) {
  GuardedArena arena(GuardedArena::Needs(10, 0) + GuardedArena::Needs(20, 0));
  const GuardedSpan one = arena.Add(10, Placement::kAtEnd, 0), two = arena.Add(20, Placement::kAtStart, 0);
  uint8_t *const first = arena.GuardedData(one), *const second = arena.GuardedData(two);
  EXPECT_EQ(AllowedAt(first), Allowed::kNothing);
  arena.Show({{one, Access::kRead}});
  EXPECT_EQ(AllowedAt(first), Allowed::kReading);
  EXPECT_EQ(AllowedAt(second), Allowed::kNothing);
  arena.Show({{one, Access::kReadWrite}, {two, Access::kRead}});
  EXPECT_EQ(AllowedAt(first), Allowed::kWriting);
  EXPECT_EQ(AllowedAt(second), Allowed::kReading);
  // These bytes are in the guards.
  EXPECT_EQ(AllowedAt(first + 10), Allowed::kNothing);
  EXPECT_EQ(AllowedAt(second - 1), Allowed::kNothing);
  arena.Show({{two, Access::kRead}});
  EXPECT_EQ(AllowedAt(first), Allowed::kNothing);
  EXPECT_EQ(AllowedAt(second), Allowed::kReading);
  arena.Show({{one, Access::kRead}});
  EXPECT_EQ(AllowedAt(first), Allowed::kReading);
  EXPECT_EQ(AllowedAt(second), Allowed::kNothing);
}

TEST(GuardedArena, SeesThroughItsOpenMappingWhatWasWrittenThroughTheOther) {
  GuardedArena arena(GuardedArena::Needs(10, 0));
  const GuardedSpan span = arena.Add(10, Placement::kAtEnd, 0);
  std::memset(arena.Data(span), 1, span.size);
  arena.Show({{span, Access::kReadWrite}});
  EXPECT_EQ(arena.GuardedData(span)[9], 1);
  arena.GuardedData(span)[0] = 2;
  EXPECT_EQ(arena.Data(span)[0], 2);
  EXPECT_TRUE(arena.CanaryHolds(span));
  arena.GuardedData(span)[-1] = 2;
  EXPECT_FALSE(arena.CanaryHolds(span));
}

}  // namespace
}  // namespace tandem::conformance
