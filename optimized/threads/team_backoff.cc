#include "optimized/threads/team_backoff.h"

#include <algorithm>

namespace tandem {
namespace optimized {

constexpr TeamBackoff::Duration TeamBackoff::kStall, TeamBackoff::kFirstPause, TeamBackoff::kLongestPause,
    TeamBackoff::kSettled;

int TeamBackoff::LimitInPause(int wanted) {
  if (now_().time_since_epoch() < end_.load(std::memory_order_relaxed)) {
    return std::min(wanted, limit_.load(std::memory_order_relaxed));
  }
  limit_.store(kNone, std::memory_order_release);
  return wanted;
}

void TeamBackoff::Stalled(int team) {
  // Several threads notice the same stall: the first of them speaks for all.
  if (reporting_.test_and_set(std::memory_order_acquire)) return;
  const Duration now = now_().time_since_epoch();
  const Duration end = end_.load(std::memory_order_relaxed);
  // A larger team than the limit began before the pause did.
  if (now >= end || team <= limit_.load(std::memory_order_relaxed)) {
    const Duration pause = pause_.load(std::memory_order_relaxed);
    const Duration next = now < end + kSettled ? std::clamp(2 * pause, kFirstPause, kLongestPause) : kFirstPause;
    pause_.store(next, std::memory_order_relaxed);
    end_.store(now + next, std::memory_order_relaxed);
    limit_.store(std::max(1, team - std::max(1, team / 4)), std::memory_order_release);
  }
  reporting_.clear(std::memory_order_release);
}

TeamBackoff* ProcessBackoff() {
  static TeamBackoff backoff;
  return &backoff;
}

}  // namespace optimized
}  // namespace tandem
