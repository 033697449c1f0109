// Measures the harness's power: for every injected bug, which check catches it, after how many random problems.
#ifndef TANDEM_CONFORMANCE_MUTANTS_HUNT_H_
#define TANDEM_CONFORMANCE_MUTANTS_HUNT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/generator.h"
#include "conformance/implementation.h"
#include "conformance/mutants/mutation.h"
#include "conformance/oracle.h"

namespace tandem::conformance {

// A column of the mutation table: forward f32, bf16, f16, int8, backward f32, bf16, f16.
struct MutantGroup {
  const char* name;
  ProblemScope scope;
  bool backward;
};
const std::vector<MutantGroup>& MutantGroups();

// What catches a bug, in the order in which the checks run.
enum class KilledBy {
  kNone,
  kCrash,   // the run did not end well
  kInputs,  // an input was changed
  kGaps,    // a byte that belongs to no element was written
  kRepeat,  // a second run on the same inputs gave other bits
  kBounds,  // an element outside the oracle's interval
};
const char* ToString(KilledBy check);

// All checks on one problem. Another problem of the same shape runs before it, so that what one call leaves to the next
// shows. `detail` receives one line about the first thing wrong.
KilledBy CheckImplementation(const Implementation& implementation, const ProblemSpec& spec, const Profile& profile,
                             std::string* detail);

struct Kill {
  Mutation mutation = Mutation::kNoBug;
  const char* group = "";
  KilledBy check = KilledBy::kNone;
  uint64_t problems = 0;    // drawn until the kill, the last one included
  uint64_t applicable = 0;  // of these, able to show the bug
  std::string detail;
};

// Draws problems 0, 1, ... until the bug is caught or `limit` are drawn.
Kill Hunt(const MutationInfo& info, const MutantGroup& group, uint64_t seed, uint64_t limit);

// A bug that no problem of the group can show: its condition never holds there.
bool AppliesToGroup(const MutationInfo& info, const MutantGroup& group, uint64_t seed);

// Detection probability of weights that are all wrong by a factor 1 + d.
struct DetectionPoint {
  const char* group = "";
  double perturbation = 0;
  uint64_t problems = 0, detected = 0;
};
std::vector<DetectionPoint> DetectionCurve(const MutantGroup& group, uint64_t seed, uint64_t problems);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_MUTANTS_HUNT_H_
