#include "optimized/threads/team_backoff.h"

#include <strings.h>

#include <algorithm>
#include <cstdlib>

#include "api/core/environment.h"

namespace tandem {
namespace optimized {

constexpr TeamBackoff::Duration TeamBackoff::kStall, TeamBackoff::kFirstPause, TeamBackoff::kLongestPause,
    TeamBackoff::kSettled;

BackoffSwitch BackoffSwitchFromEnvironment() {
  const char* value = ValueOf(Variable::kTandemTeamBackoff);
  const bool off = value != nullptr && (strcasecmp(value, "off") == 0 || strcasecmp(value, "0") == 0);
  return off ? BackoffSwitch::kOff : BackoffSwitch::kOn;
}

int TeamBackoff::LimitInPause(int wanted) {
  if (now_().time_since_epoch() < end_.load(std::memory_order_relaxed)) {
    return std::min(wanted, limit_.load(std::memory_order_relaxed));
  }
  limit_.store(kNone, std::memory_order_release);
  return wanted;
}

void TeamBackoff::Stalled(int team) {
  // Several threads notice the same stall: only the first one's report counts.
  if (reporting_.test_and_set(std::memory_order_acquire)) return;
  const Duration now = now_().time_since_epoch();
  const Duration end = end_.load(std::memory_order_relaxed);
  const int limit = limit_.load(std::memory_order_relaxed);
  // In a pause, a team that is larger than the limit began before it.
  if (now >= end || (limit != kNone && team <= limit)) {
    stalls_.fetch_add(1, std::memory_order_relaxed);
    const Duration pause = pause_.load(std::memory_order_relaxed);
    const Duration next = now < end + kSettled ? std::clamp(2 * pause, kFirstPause, kLongestPause) : kFirstPause;
    pause_.store(next, std::memory_order_relaxed);
    end_.store(now + next, std::memory_order_relaxed);
    if (switch_ == BackoffSwitch::kOn) {
      limit_.store(std::max(1, team - std::max(1, team / 4)), std::memory_order_release);
    }
  }
  reporting_.clear(std::memory_order_release);
}

TeamBackoff* ProcessBackoff() {
  static TeamBackoff backoff(BackoffSwitchFromEnvironment());
  return &backoff;
}

}  // namespace optimized
}  // namespace tandem
