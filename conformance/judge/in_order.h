// Several threads do work items; one takes their results in the items' order.
#ifndef TANDEM_CONFORMANCE_JUDGE_IN_ORDER_H_
#define TANDEM_CONFORMANCE_JUDGE_IN_ORDER_H_

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <map>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace tandem::conformance {

enum class Continue { kYes, kNo };

// Calls work(k) for k in [0, count) on `threads` threads, and take(result) in the order of k in the calling thread, until it
// returns kNo. An exception of work(k) is thrown when k is next. `threads` does not change the calls of `take`.
template <class Result>
class InOrder {
 public:
  InOrder(int threads, uint64_t count) : threads_(threads), count_(count) {}

  template <class Work, class Take>
  void Run(const Work& work, const Take& take) {
    std::vector<std::thread> pool;
    std::exception_ptr error;
    try {
      Start(work, &pool);
      for (uint64_t k = 0; k < count_; ++k) {
        if (take(Await(k)) == Continue::kNo) break;
      }
    } catch (...) {
      error = std::current_exception();
    }
    Stop();
    for (std::thread& thread : pool) thread.join();
    if (error) std::rethrow_exception(error);
  }

 private:
  struct Slot {
    Result result;
    std::exception_ptr error;
  };
  // At most this many results wait to be taken, so memory stays bounded while one item takes long.
  static constexpr uint64_t kAhead = 64;

  // Starts fewer threads if the system gives no more.
  template <class Work>
  void Start(const Work& work, std::vector<std::thread>* pool) {
    for (int i = 0; i < threads_; ++i) {
      try {
        pool->emplace_back([&] { Produce(work); });
      } catch (const std::system_error&) {
        if (i == 0) throw std::runtime_error("the system gives no thread");
        return;
      }
    }
  }

  template <class Work>
  void Produce(const Work& work) {
    std::unique_lock<std::mutex> lock(mutex_);
    while (true) {
      changed_.wait(lock, [&] { return stop_ || next_ < taken_ + kAhead; });
      if (stop_ || next_ == count_) return;
      const uint64_t k = next_++;
      lock.unlock();
      Slot slot;
      try {
        slot.result = work(k);
      } catch (...) {
        slot.error = std::current_exception();
      }
      lock.lock();
      slots_.emplace(k, std::move(slot));
      changed_.notify_all();
    }
  }

  Result Await(uint64_t k) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return slots_.count(k) != 0; });
    Slot slot = std::move(slots_.at(k));
    slots_.erase(k);
    taken_ = k + 1;
    changed_.notify_all();
    if (slot.error) std::rethrow_exception(slot.error);
    return std::move(slot.result);
  }

  void Stop() {
    const std::lock_guard<std::mutex> lock(mutex_);
    stop_ = true;
    changed_.notify_all();
  }

  const int threads_;
  const uint64_t count_;
  std::mutex mutex_;
  std::condition_variable changed_;
  uint64_t next_ = 0, taken_ = 0;
  bool stop_ = false;
  std::map<uint64_t, Slot> slots_;
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_JUDGE_IN_ORDER_H_
