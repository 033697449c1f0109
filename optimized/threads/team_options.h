// Options of a plan's threads. Tests set them; the API takes those of the environment.
#ifndef TANDEM_OPTIMIZED_THREADS_TEAM_OPTIONS_H_
#define TANDEM_OPTIMIZED_THREADS_TEAM_OPTIONS_H_

#include <optional>
#include <string>

#include "optimized/threads/role.h"
#include "optimized/threads/team_backoff.h"

namespace tandem {
namespace optimized {

struct TeamOptions {
  std::optional<Division> division;  // of forward's work, as WorkShape::imposed; backward takes as many threads
  TeamBackoff* backoff = ProcessBackoff();
};

// "1x2x1": directions, minibatch rows and units, each 1 to 1024. None if `word` is anything else.
std::optional<Division> ParseDivision(const std::string& word);

// TANDEM_DIVISION, for measurements: the division of forward's work, backward takes as many threads. Absent or empty:
// each plan chooses. Throws invalid_arguments if it is no division.
TeamOptions TeamOptionsFromEnvironment();

// Whose threads a team has: our own, or those of the client's OpenMP regions, where TANDEM_THREADS is "openmp".
enum class TeamThreads { kOwn, kOpenMp };
TeamThreads TeamThreadsFromEnvironment();

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_THREADS_TEAM_OPTIONS_H_
