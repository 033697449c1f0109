#include "optimized/threads/worker_pool.h"

#include <strings.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <mutex>
#include <new>

#include "api/core/environment.h"
#include "api/core/float_environment.h"
#include "api/core/os/os.h"
#include "optimized/threads/openmp.h"
#include "optimized/threads/waiting.h"

namespace tandem {
namespace optimized {
namespace {

// 32 KB are enough, but the thread-local storage of the client's libraries is taken from them, too.
constexpr size_t kStackBytes = size_t{1} << 20;
// A worker waits for the next execution for this long before it sleeps, about as long as one of GCC's OpenMP runtime. Waking it
// takes 9 us more.
constexpr uint64_t kSpinTicks = 4 * kStallTicks;
constexpr auto kPauseAfterFailure = std::chrono::milliseconds(100);
constexpr auto kForever = std::chrono::hours(24);

uint64_t SpinTicks(int team) {
  const char* policy = ValueOf(Variable::kOmpWaitPolicy);
  if (policy != nullptr && strcasecmp(policy, "active") == 0) return std::numeric_limits<uint64_t>::max();
  if (policy != nullptr && strcasecmp(policy, "passive") == 0) return 0;
  return team > Processors() ? 0 : kSpinTicks;
}

}  // namespace

class WorkerPool::Worker {
 public:
  explicit Worker(uint64_t spin_ticks) : spin_ticks_(spin_ticks) {}

  // False if the system gives no thread.
  bool Begin(const std::vector<int>& processors) {
    return thread_.Start(
        kStackBytes, processors, [](void* self) { static_cast<Worker*>(self)->Loop(); }, this);
  }
  void Start(const TeamTask& task, int thread, int team) {
    task_ = task;
    index_ = thread;
    team_ = team;
    // Either this thread sees that the worker sleeps, or the worker sees the number before it does.
    start_.store(++started_, std::memory_order_seq_cst);
    if (asleep_.load(std::memory_order_seq_cst)) os::WakeAll(&start_);
  }
  void Await() { done_.Await(started_); }
  void End() {
    Start({}, 0, 0);
    thread_.Join();
  }

 private:
  void Loop() {
    const FloatEnvironment environment(Subnormals::kZero);
    for (uint32_t number = 1;; ++number) {
      AwaitStart(number);
      if (task_.run == nullptr) return;
      task_.run(task_.body, index_, team_);
      done_.Reach(number);
    }
  }
  void AwaitStart(uint32_t number) {
    for (const uint64_t begin = Ticks(); Ticks() - begin < spin_ticks_;) {
      if (start_.load(std::memory_order_acquire) == number) return;
      Pause();
    }
    asleep_.store(true, std::memory_order_seq_cst);
    while (start_.load(std::memory_order_seq_cst) != number) os::SleepWhile(start_, number - 1, kForever);
    asleep_.store(false, std::memory_order_relaxed);
  }

  // The caller writes the first members at the start, the worker writes done_ at the end, and the last ones are the caller's
  // alone.
  alignas(64) std::atomic<uint32_t> start_{0};
  std::atomic<bool> asleep_{false};
  TeamTask task_;
  int index_ = 0, team_ = 0;
  const uint64_t spin_ticks_;
  Arrival done_;
  alignas(64) uint32_t started_ = 0;
  os::Thread thread_;
};

// All pools of the process: the workers of each end with its thread, and those of all with the library.
class PoolRegistry {
 public:
  // The calling thread's pool; a new one if it has none.
  static WorkerPool* PoolOfThisThread() {
    static const Lifetime lifetime;
    if (!is_open_.load(std::memory_order_acquire)) return nullptr;
    auto* pool = static_cast<WorkerPool*>(pointer_.Get());
    if (pool != nullptr && pool->process_ == Process()) return pool;
    delete pool;
    pool = new (std::nothrow) WorkerPool;
    if (pointer_.Set(pool)) return pool;
    delete pool;
    pointer_.Set(nullptr);
    return nullptr;
  }
  static void Add(WorkerPool* pool) {
    const std::lock_guard<std::mutex> lock(mutex_);
    pool->after_ = first_;
    if (first_ != nullptr) first_->before_ = pool;
    first_ = pool;
  }
  static void Remove(WorkerPool* pool) {
    const std::lock_guard<std::mutex> lock(mutex_);
    (pool->before_ == nullptr ? first_ : pool->before_->after_) = pool->after_;
    if (pool->after_ != nullptr) pool->after_->before_ = pool->before_;
  }
  // Counts the forks between the first process and this one: a child has none of its parent's workers.
  static uint32_t Process() { return process_.load(std::memory_order_relaxed); }

 private:
  struct Lifetime {
    Lifetime() {
      const bool ok = pointer_.Open([](void* pool) { delete static_cast<WorkerPool*>(pool); }) &&
                      os::OnFork([] { mutex_.lock(); }, [] { mutex_.unlock(); }, &InChild);
      is_open_.store(ok, std::memory_order_release);
    }
    // The code of workers that wait is about to go away, or the process. A thread that executes just now keeps its own.
    ~Lifetime() {
      if (!is_open_.exchange(false)) return;
      const std::lock_guard<std::mutex> lock(mutex_);
      for (WorkerPool* pool = first_; pool != nullptr; pool = pool->after_) {
        if (pool->Enter(WorkerPool::kStopped)) pool->Stop();
      }
      pointer_.Close();
    }
  };
  static void InChild() {
    process_.fetch_add(1, std::memory_order_relaxed);
    first_ = nullptr;
    mutex_.unlock();
  }

  static std::atomic<bool> is_open_;
  static std::atomic<uint32_t> process_;
  static std::mutex mutex_;
  static WorkerPool* first_;
  static os::ThreadPointer pointer_;
};

std::atomic<bool> PoolRegistry::is_open_{false};
std::atomic<uint32_t> PoolRegistry::process_{0};
std::mutex PoolRegistry::mutex_;
WorkerPool* PoolRegistry::first_ = nullptr;
os::ThreadPointer PoolRegistry::pointer_;

WorkerPool* WorkerPool::OfThisThread() { return PoolRegistry::PoolOfThisThread(); }

WorkerPool::WorkerPool() : process_(PoolRegistry::Process()) { PoolRegistry::Add(this); }

WorkerPool::~WorkerPool() {
  if (process_ != PoolRegistry::Process()) return;
  PoolRegistry::Remove(this);
  if (Enter(kStopped)) Stop();
}

bool WorkerPool::Enter(State state) {
  State idle = kIdle;
  return state_.compare_exchange_strong(idle, state, std::memory_order_acq_rel);
}

void WorkerPool::Stop() {
  for (const auto& worker : workers_) worker->End();
  workers_.clear();
}

// Makes workers until there are so many; returns how many of them there are.
int WorkerPool::Grow(int workers) {
  const auto size = [this] { return static_cast<int>(workers_.size()); };
  if (size() >= workers) return workers;
  if (next_attempt_ != std::chrono::steady_clock::time_point() && std::chrono::steady_clock::now() < next_attempt_) {
    return size();
  }
  try {
    const int team = workers + 1;
    const uint64_t spin_ticks = SpinTicks(team);
    workers_.reserve(static_cast<size_t>(workers));
    while (size() < workers) {
      auto worker = std::make_unique<Worker>(spin_ticks);
      if (!worker->Begin(PlaceOf(size() + 1, team))) throw std::bad_alloc();
      workers_.push_back(std::move(worker));
    }
  } catch (const std::bad_alloc&) {
    next_attempt_ = std::chrono::steady_clock::now() + kPauseAfterFailure;
  }
  return size();
}

void WorkerPool::Run(int threads, const TeamTask& task) {
  if (!Enter(kRunning)) return task.run(task.body, 0, 1);
  const int workers = Grow(threads - 1);
  for (int i = 0; i < workers; ++i) workers_[static_cast<size_t>(i)]->Start(task, i + 1, workers + 1);
  task.run(task.body, 0, workers + 1);
  for (int i = 0; i < workers; ++i) workers_[static_cast<size_t>(i)]->Await();
  state_.store(kIdle, std::memory_order_release);
}

}  // namespace optimized
}  // namespace tandem
