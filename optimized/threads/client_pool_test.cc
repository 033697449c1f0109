// Teams on a client's pool that makes more calls than it was asked for.
#include "optimized/threads/client_pool.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace tandem {
namespace optimized {
namespace {

// The pool's threads wait for a region and yield. Then each of them makes one call, all at the same time. With the calling
// thread's own share these are more calls than the team may have.
class EagerPool {
 public:
  explicit EagerPool(int calls) {
    for (int i = 0; i < calls; ++i) {
      threads_.emplace_back([this] {
        while (!begun_) sched_yield();
        body_(argument_, 0, 1);
        if (++ended_ == static_cast<int>(threads_.size())) end_(argument_);
      });
    }
  }
  ~EagerPool() {
    for (std::thread& thread : threads_) thread.join();
  }
  EagerPool(const EagerPool&) = delete;
  EagerPool& operator=(const EagerPool&) = delete;
  tandem_threadpool_t Get() {
    tandem_threadpool_t pool = {};
    pool.pool = this;
    pool.get_num_threads = [](void*) { return 3; };
    pool.get_in_parallel = [](void*) { return 0; };
    pool.get_flags = [](void*) { return uint64_t{TANDEM_THREADPOOL_ASYNCHRONOUS}; };
    pool.parallel_for = [](void* self, int, void (*body)(void*, int, int), void (*end)(void*), void* argument) {
      auto* const its = static_cast<EagerPool*>(self);
      its->body_ = body;
      its->end_ = end;
      its->argument_ = argument;
      its->begun_ = true;
    };
    return pool;
  }

 private:
  std::vector<std::thread> threads_;
  void (*body_)(void*, int, int) = nullptr;
  void (*end_)(void*) = nullptr;
  void* argument_ = nullptr;
  std::atomic<bool> begun_{false};
  std::atomic<int> ended_{0};
};

struct Seen {
  std::atomic<int> members{0}, largest_index{0}, largest_team{0};

  static void Run(const void* self, int thread, int team) {
    auto& seen = *static_cast<Seen*>(const_cast<void*>(self));
    ++seen.members;
    const auto raise = [](std::atomic<int>* most, int value) {
      for (int now = *most; value > now && !most->compare_exchange_weak(now, value);) {
      }
    };
    raise(&seen.largest_index, thread);
    raise(&seen.largest_team, team);
  }
};

// Threads of a larger team than a plan has memory for would write behind it.
TEST(ClientPool, MakesNoTeamLargerThanItIsAskedFor) {
  constexpr int kThreads = 3, kCalls = 6, kTeams = 200;
  int full = 0;
  for (int i = 0; i < kTeams; ++i) {
    Seen seen;
    {
      EagerPool pool(kCalls);
      RunOnClientPool(pool.Get(), kThreads, {&Seen::Run, &seen});
    }
    ASSERT_LE(seen.largest_team, kThreads);
    ASSERT_EQ(seen.members, seen.largest_team);
    ASSERT_EQ(seen.largest_index, seen.largest_team - 1);
    full += seen.largest_team == kThreads;
  }
  EXPECT_GT(full, 0) << "no team was full";
}

}  // namespace
}  // namespace optimized
}  // namespace tandem
