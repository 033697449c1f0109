// What the creator of a plan may decide about its threads. Tests do; the API takes the defaults.
#ifndef TANDEM_OPTIMIZED_THREADS_TEAM_OPTIONS_H_
#define TANDEM_OPTIMIZED_THREADS_TEAM_OPTIONS_H_

#include <optional>

#include "optimized/threads/role.h"
#include "optimized/threads/team_backoff.h"

namespace tandem {
namespace optimized {

struct TeamOptions {
  std::optional<Division> division;  // of forward's work, as WorkShape::imposed; backward takes as many threads
  TeamBackoff* backoff = ProcessBackoff();
};

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_THREADS_TEAM_OPTIONS_H_
