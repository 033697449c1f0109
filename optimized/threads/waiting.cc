#include "optimized/threads/waiting.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <climits>

namespace tandem {
namespace optimized {
namespace {

static_assert(sizeof(std::atomic<uint32_t>) == sizeof(uint32_t), "the kernel reads the word itself");

// Reach() has no fence between its store and its load, which would cost every barrier some ns. So it may miss a thread that
// falls asleep just then.
constexpr auto kLongestSleep = std::chrono::milliseconds(1);

}  // namespace

void SleepWhile(const std::atomic<uint32_t>& word, uint32_t seen, std::chrono::nanoseconds longest) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(longest);
  const timespec time = {static_cast<time_t>(seconds.count()), static_cast<long>((longest - seconds).count())};
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, seen, &time, nullptr, 0);
}

void WakeAll(const std::atomic<uint32_t>* word) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
}

void Arrival::Sleep(uint32_t number) {
  sleepers_.fetch_add(1, std::memory_order_seq_cst);
  for (;;) {
    const uint32_t seen = reached_.load(std::memory_order_acquire);
    if (static_cast<int32_t>(seen - number) >= 0) break;
    SleepWhile(reached_, seen, kLongestSleep);
  }
  sleepers_.fetch_sub(1, std::memory_order_relaxed);
}

void Arrival::Await(uint32_t number) {
  if (SpinBriefly(number)) return;
  for (const uint64_t start = Ticks(); Ticks() - start < kStallTicks;) {
    if (HasReached(number)) return;
    Pause();
  }
  Sleep(number);
}

}  // namespace optimized
}  // namespace tandem
