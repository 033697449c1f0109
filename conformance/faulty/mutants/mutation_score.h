// `tandem mutants`: the mutation table, its summary and the minimum detectable perturbation curve.
#ifndef TANDEM_CONFORMANCE_FAULTY_MUTANTS_MUTATION_SCORE_H_
#define TANDEM_CONFORMANCE_FAULTY_MUTANTS_MUTATION_SCORE_H_

#include <cstdint>
#include <functional>
#include <map>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "conformance/faulty/mutants/hunt.h"

namespace tandem::conformance {

struct MutationScoreOptions {
  uint64_t seed = 3;
  uint64_t limit = 1000;         // problems drawn for one bug before it counts as a survivor
  uint64_t curve_problems = 40;  // for each point of the detection curve; 0: no curve
  std::string group;             // part of a group's name; empty: all
  std::string mutation;          // part of a bug's name; empty: all
};

// Told by a long measurement, which may have drawn something on the terminal that it prints to.
struct MutationObserver {
  std::function<void(size_t done, size_t all)> at_step = [](size_t, size_t) {};  // a bug in a group, or a curve
  std::function<void()> before_print = [] {};
};

struct GroupScore {
  std::string group;
  uint64_t killed = 0, total = 0;
  uint64_t median_problems = 0, worst_problems = 0;
};

struct MutationScore {
  std::vector<Kill> kills;
  std::vector<GroupScore> groups;
  std::vector<DetectionPoint> curve;
  // Of docs/verdicts/method.md's catalogue: row -> names of the bugs that were caught, in any group.
  std::map<std::string, std::set<std::string>> rows;
  bool complete() const;  // every bug caught in every group
};

// Each bug with `part` in its name: its row, its name, what it does. One line each, or, if `columns` is not 0, lines of at
// most so many characters.
void PrintMutations(const std::string& part, int columns, std::ostream* out);

// Prints one line for each bug as it is caught (`out` may be null), then the summaries.
MutationScore MeasureMutationScore(const MutationScoreOptions& options, std::ostream* out,
                                   const MutationObserver& observer = {});

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_FAULTY_MUTANTS_MUTATION_SCORE_H_
