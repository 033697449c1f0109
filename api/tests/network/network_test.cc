// Networks from files: what a file and a call may do. That the numbers are Python's: examples/network_test.py.
#include "tandem/network.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <limits>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "api/tests/network/network_file_testing.h"

namespace tandem {
namespace testing {
namespace {

void ExpectRefused(const std::string& path, const std::string& sentence) {
  try {
    network net(path);
    ADD_FAILURE() << "was read, but should have: " << sentence;
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find(sentence), std::string::npos) << error.what();
  }
}

TEST(Network, RefusesATensorOfAnotherRank) {
  const std::string cell = "\"cell\":\"gru\"";
  for (const std::string name : {"weights_layer", "weights_iter", "weights_peephole", "weights_projection", "bias"}) {
    for (const std::string shape : {"", "1", "1,1,1,1,1,1"}) {
      std::vector<Part> parts = {{"0.weights_layer", "1,1,1,3,1", 3}, {"0.weights_iter", "1,1,1,3,1", 3}};
      if (name == "weights_layer") parts.erase(parts.begin());
      if (name == "weights_iter") parts.pop_back();
      parts.push_back({"0." + name, shape, 1});
      ExpectRefused(Written(Header(cell, parts), 28), "0." + name + " has ");
    }
  }
}

TEST(Network, RefusesTensorsThatShareBytes) {
  const std::string one = ":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":";
  ExpectRefused(Written("{\"a\"" + one + "[0,16]},\"b\"" + one + "[0,16]}}", 16), "share bytes");
  ExpectRefused(Written("{\"a\"" + one + "[12,28]},\"b\"" + one + "[0,16]}}", 28), "share bytes");
  ExpectRefused(Written("{\"a\"" + one + "[0,16]},\"a\"" + one + "[16,32]}}", 32), "two tensors with the name a");
}

TEST(Network, RefusesWhatIsNoFile) {
  const std::string pipe = PathOf("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  ExpectRefused(pipe, "is no file");
  ExpectRefused("/dev/zero", "is no file");
  ExpectRefused(PathOf(""), "is no file");
}

TEST(Network, RefusesRowsThatXDoesNotHave) {
  network net(Gru(""));
  const Floats x = Ramp(4);
  for (const int64_t rows : {int64_t{0}, int64_t{-1}, int64_t{3}, std::numeric_limits<int64_t>::min(),
                             std::numeric_limits<int64_t>::max(), (int64_t{1} << 62) + 1}) {
    EXPECT_THROW(net.run(x, rows), std::invalid_argument) << rows;
  }
  EXPECT_THROW(net.run({}, 1), std::invalid_argument);
}

// A state of the first layer alone is none, either.
TEST(Network, RefusesAStateOfAnotherSize) {
  network net(Gru(""));
  for (const size_t size : {1, 3, 5, 7}) {
    state states;
    states.h = Ramp(size);
    EXPECT_THROW(net.run(Ramp(2), 1, &states), std::invalid_argument) << size;
  }
}

TEST(Network, TakesRowsFirstIfTheFileSaysSo) {
  const Floats x = Ramp(2 * 3 * 2);  // 2 rows of 3 steps
  Floats turned(x.size());
  for (size_t row = 0; row < 2; ++row) {
    for (size_t step = 0; step < 3; ++step) {
      for (size_t c = 0; c < 2; ++c) turned[(step * 2 + row) * 2 + c] = x[(row * 3 + step) * 2 + c];
    }
  }
  network steps_first(Gru(",\"batch_first\":\"False\"")), rows_first(Gru(",\"batch_first\":\"True\""));
  EXPECT_FALSE(steps_first.batch_first());
  EXPECT_TRUE(rows_first.batch_first());
  state first, second;
  const Floats want = steps_first.run(turned, 2, &first, {3, 1}), got = rows_first.run(x, 2, &second, {3, 1});
  for (size_t row = 0; row < 2; ++row) {
    for (size_t step = 0; step < 3; ++step) {
      for (size_t c = 0; c < 3; ++c) EXPECT_EQ(got[(row * 3 + step) * 3 + c], want[(step * 2 + row) * 3 + c]);
    }
  }
  EXPECT_EQ(first.h, second.h);
  ExpectRefused(Gru(",\"batch_first\":\"1\""), "has unknown 1");
}

// One network and copies of it in several threads, each with another x.
TEST(Network, IsRunByAnyNumberOfThreads) {
  network net(Gru(""));
  const size_t kThreads = 4;
  std::vector<Floats> inputs, want;
  for (size_t i = 0; i < kThreads; ++i) {
    inputs.push_back(Ramp(2 * 50));
    for (float& value : inputs[i]) value *= static_cast<float>(i + 1);
    want.push_back(net.run(inputs[i], 1));
  }
  const std::vector<network> copies(2, net);
  std::vector<size_t> wrong(kThreads, 0);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      for (int repeat = 0; repeat < 200; ++repeat) wrong[i] += copies[i % 2].run(inputs[i], 1) != want[i] ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<size_t>(kThreads, 0));
  EXPECT_EQ(net.run(inputs[0], 1), want[0]);
}

TEST(Network, SaysThatItWasMovedAway) {
  network net(Gru(""));
  const Floats x = Ramp(2), want = net.run(x, 1);
  network other(std::move(net));
  EXPECT_EQ(other.run(x, 1), want);
  EXPECT_THROW(net.run(x, 1), std::logic_error);  // NOLINT(bugprone-use-after-move)
  EXPECT_THROW(net.slc(), std::logic_error);
  EXPECT_THROW(net.dlc(), std::logic_error);
  EXPECT_THROW(net.state_rows(), std::logic_error);
  network copy(net);
  EXPECT_THROW(copy.run(x, 1), std::logic_error);
  net = other;
  EXPECT_EQ(net.run(x, 1), want);
  net = std::move(other);
  EXPECT_EQ(net.run(x, 1), want);
}

}  // namespace
}  // namespace testing
}  // namespace tandem
