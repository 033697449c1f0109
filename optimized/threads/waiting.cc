#include "optimized/threads/waiting.h"

namespace tandem {
namespace optimized {
namespace {

// Reach() has no fence between its store and its load, which would cost every barrier some ns. So it may miss a thread that
// falls asleep just then.
constexpr auto kLongestSleep = std::chrono::milliseconds(1);

}  // namespace

void Arrival::Sleep(uint32_t number) {
  sleepers_.fetch_add(1, std::memory_order_seq_cst);
  for (;;) {
    const uint32_t seen = reached_.load(std::memory_order_acquire);
    if (static_cast<int32_t>(seen - number) >= 0) break;
    os::SleepWhile(reached_, seen, kLongestSleep);
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
