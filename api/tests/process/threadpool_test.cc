// Executions on a client's thread pool have the results of the library's own threads, bit for bit, whatever the pool does
// with its calls: all at once, some of them, one after the other, late, or none.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <dnnl_threadpool.hpp>
#include <functional>
#include <memory>
#include <stdexcept>
#include <thread>

#include "api/core/environment_testing.h"
#include "api/tests/rnn_client_testing.h"

namespace tandem {
namespace testing {
namespace {

using dnnl::algorithm;
using dnnl::prop_kind;
using dnnl::threadpool_interop::threadpool_iface;
using Call = std::function<void(int, int)>;

// Read once per process. A stall of a busy machine would leave an execution on one thread.
const ScopedVariable no_backoff("TANDEM_TEAM_BACKOFF", "off");

// Counts what is asked of it. Says that it has `promised` threads.
class Pool : public threadpool_iface {
 public:
  explicit Pool(int promised) : promised_(promised) {}
  int get_num_threads() const override { return promised_; }
  bool get_in_parallel() const override { return false; }
  uint64_t get_flags() const override { return 0; }
  void parallel_for(int n, const Call& call) override {
    ++regions;
    most_calls = std::max(most_calls.load(), n);
    Run(n, call);
  }
  std::atomic<int> regions{0}, most_calls{0};

 private:
  virtual void Run(int n, const Call& call) = 0;
  const int promised_;
};

class SerialPool : public Pool {
 public:
  using Pool::Pool;

 private:
  void Run(int n, const Call& call) override {
    for (int i = 0; i < n; ++i) call(i, n);
  }
};

// `threads` threads, which take calls until there is none left. The calling thread only waits.
class ThreadedPool : public Pool {
 public:
  ThreadedPool(int promised, int threads) : Pool(promised), threads_(threads) {}

 protected:
  void Run(int n, const Call& call) override {
    std::atomic<int> next{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < threads_; ++t) {
      threads.emplace_back([&] {
        for (int i = next++; i < n; i = next++) call(i, n);
      });
    }
    for (std::thread& thread : threads) thread.join();
  }

 private:
  const int threads_;
};

// Returns at once; a thread makes the calls afterwards, after some ms for each.
class LatePool : public Pool {
 public:
  explicit LatePool(int promised) : Pool(promised) {}
  ~LatePool() override {
    for (std::thread& thread : threads_) thread.join();
  }
  uint64_t get_flags() const override { return ASYNCHRONOUS; }

 private:
  void Run(int n, const Call& call) override {
    threads_.emplace_back([n, call] {
      for (int i = 0; i < n; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        call(i, n);
      }
    });
  }
  std::vector<std::thread> threads_;
};

// The pool does as it should: the calls go to threads, and parallel_for() does not wait for them.
class AsynchronousPool : public Pool {
 public:
  explicit AsynchronousPool(int promised) : Pool(promised) {}
  ~AsynchronousPool() override {
    for (std::thread& thread : threads_) thread.join();
  }
  uint64_t get_flags() const override { return ASYNCHRONOUS; }
  void wait() override {}

 private:
  void Run(int n, const Call& call) override {
    for (int i = 0; i < n; ++i) threads_.emplace_back([call, i, n] { call(i, n); });
  }
  std::vector<std::thread> threads_;
};

class RefusingPool : public Pool {
 public:
  using Pool::Pool;

 private:
  void Run(int, const Call&) override {}
};

class ThrowingPool : public ThreadedPool {
 public:
  ThrowingPool(int promised, int calls) : ThreadedPool(promised, promised), calls_(calls) {}

 private:
  void Run(int, const Call& call) override {
    ThreadedPool::Run(calls_, call);
    throw std::runtime_error("no thread is left");
  }
  const int calls_;
};

class BusyPool : public Pool {
 public:
  using Pool::Pool;
  bool get_in_parallel() const override { return true; }

 private:
  void Run(int, const Call&) override {}
};

// One with rows, one with directions, one with a single row, whose threads divide the units and wait for each other in
// each step.
std::vector<RnnCase> Cases() {
  std::vector<RnnCase> cases;
  for (const auto cell : {algorithm::vanilla_lstm, algorithm::lbr_gru}) {
    for (const dnnl::memory::dim batch : {1, 5}) {
      RnnCase rnn;
      rnn.cell = cell;
      if (batch > 1) rnn.direction = dnnl::rnn_direction::bidirectional_concat;
      rnn.batch = batch;
      rnn.steps = 4;
      rnn.slc = 24;
      rnn.dhc = 112;
      cases.push_back(rnn);
    }
  }
  return cases;
}

Tensors InputsFor(const RnnCase& rnn) {
  Tensors inputs;
  constexpr int kDiff = DNNL_ARG_DIFF_SRC_0 - DNNL_ARG_SRC_0;
  const auto fill = [&](int arg) {
    size_t count = 1;
    for (const auto dim : rnn.Dims(arg)) count *= static_cast<size_t>(dim);
    for (size_t i = 0; i < count; ++i) inputs[arg].push_back(0.01f * static_cast<float>((i * 7 + arg) % 19) - 0.09f);
  };
  for (const int arg : InputsOf(rnn)) fill(arg), fill(arg + kDiff);
  for (const int arg : OutputsOf(rnn)) fill(arg + kDiff);
  return inputs;
}

Tensors InferAndTrain(const RnnCase& rnn) {
  const Tensors inputs = InputsFor(rnn);
  Tensors outputs = Train(rnn, Forward(rnn, prop_kind::forward_training), inputs);
  for (auto& [arg, values] : testing::Run(rnn, Forward(rnn, prop_kind::forward_inference), inputs)) {
    outputs[-arg] = std::move(values);
  }
  return outputs;
}

class Threadpool : public ::testing::Test {
 protected:
  void SetUp() override { dnnl::threadpool_interop::set_max_concurrency(8); }
  void TearDown() override {
    UnsetVariable("TANDEM_DIVISION");
    dnnl::threadpool_interop::set_max_concurrency(0);
  }
  // Executes everything on the pool, divided in three ways.
  template <class MakePool>
  void ExpectTheSameResults(const MakePool& make_pool) {
    for (RnnCase rnn : Cases()) {
      rnn.stream = {};
      SetVariable("TANDEM_DIVISION", "1x1x1");
      const Tensors want = InferAndTrain(rnn);
      for (const char* division : {"1x1x7", "1x3x2", "2x2x2"}) {
        SCOPED_TRACE(rnn.ToString() + " " + division);
        SetVariable("TANDEM_DIVISION", division);
        const auto pool = make_pool();
        rnn.stream = dnnl::threadpool_interop::make_stream(Cpu(), pool.get());
        EXPECT_EQ(InferAndTrain(rnn), want);
        const bool has_threads = pool->get_num_threads() > 1 && !pool->get_in_parallel();
        EXPECT_EQ(pool->regions > 0, has_threads);
        EXPECT_LE(pool->most_calls, pool->get_num_threads());
        rnn.stream = {};
      }
    }
  }
};

TEST_F(Threadpool, OfOneToSevenThreads) {
  for (const int threads : {1, 2, 4, 7}) {
    SCOPED_TRACE(threads);
    ExpectTheSameResults([threads] { return std::make_unique<ThreadedPool>(threads, threads); });
  }
}

TEST_F(Threadpool, WithFewerThreadsThanItSays) {
  ExpectTheSameResults([] { return std::make_unique<ThreadedPool>(7, 2); });
}

TEST_F(Threadpool, ThatIsSerial) {
  ExpectTheSameResults([] { return std::make_unique<SerialPool>(4); });
}

TEST_F(Threadpool, ThatReturnsBeforeItsCallsHaveEnded) {
  ExpectTheSameResults([] { return std::make_unique<AsynchronousPool>(3); });
}

TEST_F(Threadpool, ThatMakesItsCallsTooLate) {
  ExpectTheSameResults([] { return std::make_unique<LatePool>(4); });
}

TEST_F(Threadpool, ThatMakesNoCalls) {
  ExpectTheSameResults([] { return std::make_unique<RefusingPool>(4); });
}

TEST_F(Threadpool, ThatThrowsAfterNoneOrSomeCalls) {
  for (const int calls : {0, 1, 2}) {
    SCOPED_TRACE(calls);
    ExpectTheSameResults([calls] { return std::make_unique<ThrowingPool>(3, calls); });
  }
}

TEST_F(Threadpool, IsNotAskedInsideARegionOfItsOwn) {
  ExpectTheSameResults([] { return std::make_unique<BusyPool>(4); });
}

// A region of the client's, in each call of which an execution asks the same pool for threads.
TEST_F(Threadpool, ServesExecutionsInsideItsOwnCalls) {
  const RnnCase rnn = Cases()[0];
  SetVariable("TANDEM_DIVISION", "1x1x1");
  const Tensors want = InferAndTrain(rnn);
  SetVariable("TANDEM_DIVISION", "1x1x4");
  ThreadedPool pool(3, 3);
  std::atomic<int> equal{0};
  pool.parallel_for(3, [&](int, int) {
    dnnl::threadpool_interop::set_max_concurrency(8);
    RnnCase its = rnn;
    its.stream = dnnl::threadpool_interop::make_stream(Cpu(), &pool);
    equal += InferAndTrain(its) == want;
  });
  EXPECT_EQ(equal, 3);
}

TEST_F(Threadpool, BelongsToItsStream) {
  SerialPool pool(2);
  EXPECT_EQ(dnnl::threadpool_interop::get_threadpool(dnnl::threadpool_interop::make_stream(Cpu(), &pool)), &pool);
  EXPECT_EQ(dnnl::threadpool_interop::get_threadpool(dnnl::stream(Cpu())), nullptr);
  EXPECT_EQ(dnnl::threadpool_interop::get_threadpool(dnnl::threadpool_interop::make_stream(Cpu(), nullptr)), nullptr);
  dnnl_stream_t stream = nullptr;
  tandem_threadpool_t incomplete = dnnl::detail::threadpool_of(&pool);
  incomplete.parallel_for = nullptr;
  EXPECT_EQ(tandem_stream_create_on_threadpool(&stream, Cpu().get(), &incomplete), dnnl_invalid_arguments);
}

TEST_F(Threadpool, HasAMostConcurrencyForEachThread) {
  EXPECT_EQ(dnnl::threadpool_interop::get_max_concurrency(), 8);
  std::thread([] { EXPECT_EQ(dnnl::threadpool_interop::get_max_concurrency(), 0); }).join();
  EXPECT_EQ(dnnl::threadpool_interop::set_max_concurrency(-1), dnnl::status::invalid_arguments);
  EXPECT_EQ(dnnl::threadpool_interop::get_max_concurrency(), 8);
}

}  // namespace
}  // namespace testing
}  // namespace tandem
