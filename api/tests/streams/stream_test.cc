// tandem::stream and tandem::stream_group: the bits of network::run(), states, copies and moves.
#include "tandem/stream.hpp"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "api/tests/network/network_file_testing.h"

namespace tandem {
namespace testing {
namespace {

static_assert(noexcept(std::declval<stream&>().step(nullptr, nullptr)), "for threads that must not throw");
static_assert(noexcept(std::declval<stream&>().run(nullptr, 0, nullptr)), "for threads that must not throw");

constexpr int64_t kSteps = 9;

// x of so many steps of the network of Gru(): 2 inputs, 3 units.
Floats StepsOf(const Floats& x, stream* voice) {
  Floats y(x.size() / 2 * 3);
  for (size_t i = 0; i < x.size() / 2; ++i) EXPECT_TRUE(voice->step(&x[2 * i], &y[3 * i]));
  return y;
}

TEST(Stream, StepsAndBlocksHaveTheBitsOfAWholeRun) {
  const network net(Gru(""));
  const Floats x = Ramp(2 * kSteps);
  state last;
  const Floats want = net.run(x, 1, &last);
  stream voice(net);
  EXPECT_EQ(StepsOf(x, &voice), want);
  EXPECT_EQ(voice.save().h, last.h);
  voice.reset();
  Floats y(want.size());
  EXPECT_TRUE(voice.run(x.data(), 4, y.data()));
  EXPECT_TRUE(voice.run(x.data() + 8, kSteps - 4, y.data() + 12));
  EXPECT_EQ(y, want);
}

TEST(Stream, GoesOnFromTheStatesThatAreLoaded) {
  const network net(Gru(""));
  const Floats x = Ramp(2 * kSteps);
  stream voice(net);
  StepsOf(x, &voice);
  const state saved = voice.save();
  const Floats want = StepsOf(x, &voice);
  voice.load(saved);
  EXPECT_EQ(StepsOf(x, &voice), want);
  voice.load(state());  // zeros
  stream fresh(net);
  EXPECT_EQ(StepsOf(x, &voice), StepsOf(x, &fresh));
  state wrong;
  wrong.h = Ramp(5);
  EXPECT_THROW(voice.load(wrong), std::invalid_argument);
}

TEST(Stream, ACopyHasTheStatesAndItsOwnBuffers) {
  const network net(Gru(""));
  const Floats x = Ramp(2 * kSteps);
  stream voice(net);
  StepsOf(x, &voice);
  stream copy(voice);
  const Floats want = StepsOf(x, &voice);
  EXPECT_EQ(StepsOf(x, &copy), want);
  stream assigned(net);
  assigned = copy;
  EXPECT_EQ(StepsOf(x, &assigned), StepsOf(x, &voice));
}

TEST(Stream, DoesNothingAfterAMove) {
  const network net(Gru(""));
  const Floats x = Ramp(2 * kSteps);
  stream voice(net), fresh(net);
  stream moved(std::move(voice));
  Floats y = {7, 7, 7};
  EXPECT_FALSE(voice.step(x.data(), y.data()));  // NOLINT(bugprone-use-after-move)
  EXPECT_FALSE(voice.run(x.data(), 1, y.data()));
  EXPECT_EQ(y, Floats({7, 7, 7}));
  EXPECT_THROW(stream{voice}, std::logic_error);
  EXPECT_EQ(StepsOf(x, &moved), StepsOf(x, &fresh));
  voice = std::move(moved);
  EXPECT_EQ(StepsOf(x, &voice), StepsOf(x, &fresh));
  EXPECT_FALSE(voice.step(nullptr, y.data()));
  EXPECT_FALSE(voice.step(x.data(), nullptr));
}

TEST(Stream, SharesANetworkWithOtherThreads) {
  const network net(Gru(""));
  const Floats x = Ramp(2 * kSteps), want = net.run(x, 1);
  constexpr size_t kThreads = 4;
  std::vector<size_t> wrong(kThreads, 0);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      for (int repeat = 0; repeat < 200; ++repeat) {
        stream voice(net);
        wrong[i] += StepsOf(x, &voice) != want || net.run(x, 1) != want ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<size_t>(kThreads, 0));
}

TEST(Stream, LivesLongerThanItsNetwork) {
  const Floats x = Ramp(2 * kSteps);
  std::unique_ptr<network> net(new network(Gru("")));
  const Floats want = net->run(x, 1);
  stream voice(*net);
  net.reset();
  EXPECT_EQ(StepsOf(x, &voice), want);
}

// Rows come and go: each goes on where it was.
TEST(StreamGroup, StepsTheRowsThatAreNamed) {
  const network net(Gru(""));
  stream_group desk(net, 4);
  std::vector<stream> alone(4, stream(net));
  const std::vector<std::vector<int64_t>> calls = {{0}, {3, 1}, {0, 1, 2, 3}, {2}, {3, 2, 1, 0}, {1, 3}, {}, {0, 2}};
  size_t at = 0;
  for (const std::vector<int64_t>& rows : calls) {
    Floats x = Ramp(2 * rows.size() + at), y(3 * rows.size()), one(3);
    x.erase(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(at++));
    ASSERT_TRUE(desk.step(rows, x.data(), y.data()) || rows.empty());
    for (size_t i = 0; i < rows.size(); ++i) {
      alone[static_cast<size_t>(rows[i])].step(&x[2 * i], one.data());
      EXPECT_EQ(Floats(&y[3 * i], &y[3 * i] + 3), one) << "row " << rows[i] << " of call " << at;
    }
  }
  for (int64_t row = 0; row < 4; ++row) EXPECT_EQ(desk.save(row).h, alone[static_cast<size_t>(row)].save().h);
  desk.reset(2);
  EXPECT_EQ(desk.save(2).h, Floats(6, 0.f));
  desk.load(2, alone[1].save());
  EXPECT_EQ(desk.save(2).h, alone[1].save().h);
}

TEST(StreamGroup, RefusesRowsThatAreNone) {
  const network net(Gru(""));
  stream_group desk(net, 2);
  const Floats x = Ramp(6);
  Floats y(9, 7.f);
  for (const std::vector<int64_t>& rows : std::vector<std::vector<int64_t>>{{2}, {-1}, {1, 1}, {0, 1, 0}}) {
    EXPECT_FALSE(desk.step(rows, x.data(), y.data()));
  }
  EXPECT_EQ(y, Floats(9, 7.f));
  EXPECT_THROW(desk.reset(2), std::invalid_argument);
  EXPECT_THROW(stream_group(net, 0), std::invalid_argument);
}

TEST(Stream, RefusesANetworkThatReadsBackwards) {
  for (const std::string direction : {"right2left"}) {
    const network net(Gru(",\"direction\":\"" + direction + "\""));
    EXPECT_THROW(stream{net}, std::invalid_argument);
  }
}

}  // namespace
}  // namespace testing
}  // namespace tandem
