#include "optimized/threads/client_pool.h"

#include <atomic>
#include <chrono>
#include <new>
#include <thread>

#include "api/core/float_environment.h"
#include "optimized/threads/waiting.h"

namespace tandem {
namespace optimized {
namespace {

// Waking a thread takes some 10 us.
constexpr uint64_t kLongestGathering = kStallTicks / 8;

// A team while it forms and works. Owned by the execution and by the pool, whose last calls may come later.
class Gathering {
 public:
  Gathering(int most, const TeamTask& task) : most_(static_cast<uint32_t>(most)), task_(task) {}

  // A thread's share of the work; nothing if the team is fixed already.
  void Join() {
    uint32_t index = members_.load(std::memory_order_relaxed);
    uint32_t next = 0;
    do {
      if ((index & kFixed) != 0) return;
      next = index + 1 == most_ ? most_ | kFixed : index + 1;
    } while (!members_.compare_exchange_weak(index, next, std::memory_order_acq_rel));
    const uint32_t team = AwaitTeam();
    {
      const FloatEnvironment environment(Subnormals::kZero);
      task_.run(task_.body, static_cast<int>(index), static_cast<int>(team));
    }
    if (ended_.fetch_add(1, std::memory_order_acq_rel) + 1 == team) os::WakeAll(&ended_);
  }
  // Returns when all members have done their share. After Join() of the calling thread.
  void AwaitEnd() {
    const uint32_t team = members_.load(std::memory_order_acquire) & ~kFixed;
    for (const uint64_t begin = Ticks();;) {
      const uint32_t ended = ended_.load(std::memory_order_acquire);
      if (ended == team) return;
      if (Ticks() - begin < kStallTicks) {
        Pause();
      } else {
        os::SleepWhile(ended_, ended, std::chrono::milliseconds(1));
      }
    }
  }
  static void Release(void* self) {
    auto* gathering = static_cast<Gathering*>(self);
    if (gathering->owners_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete gathering;
  }

 private:
  static constexpr uint32_t kFixed = uint32_t{1} << 31;
  static constexpr int kSpinsBetweenYields = 100;

  // Each member fixes the team when it has waited long enough, so that none depends on another that lost its core.
  uint32_t AwaitTeam() {
    const uint64_t begin = Ticks();
    for (int i = 1;; ++i) {
      const uint32_t members = members_.load(std::memory_order_acquire);
      if ((members & kFixed) != 0) return members & ~kFixed;
      if (Ticks() - begin > kLongestGathering) members_.fetch_or(kFixed, std::memory_order_acq_rel);
      Pause();
      if (i % kSpinsBetweenYields == 0) std::this_thread::yield();
    }
  }

  const uint32_t most_;
  const TeamTask task_;  // lives as long as the execution: only members use it
  std::atomic<uint32_t> members_{0}, ended_{0};
  std::atomic<int> owners_{2};
};

}  // namespace

void RunOnClientPool(const tandem_threadpool_t& pool, int threads, const TeamTask& task) {
  auto* const gathering = new (std::nothrow) Gathering(threads, task);
  if (gathering == nullptr) return task.run(task.body, 0, 1);
  const auto join = [](void* self, int, int) { static_cast<Gathering*>(self)->Join(); };
  // If the calls come after parallel_for() has returned, the calling thread is one of the team.
  const bool is_asynchronous = (pool.get_flags(pool.pool) & TANDEM_THREADPOOL_ASYNCHRONOUS) != 0;
  pool.parallel_for(pool.pool, is_asynchronous ? threads - 1 : threads, join, &Gathering::Release, gathering);
  gathering->Join();
  gathering->AwaitEnd();
  Gathering::Release(gathering);
}

}  // namespace optimized
}  // namespace tandem
