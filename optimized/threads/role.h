// Who does what: the share of one thread in an execution.
#ifndef TANDEM_OPTIMIZED_THREADS_ROLE_H_
#define TANDEM_OPTIMIZED_THREADS_ROLE_H_

#include <optional>

#include "optimized/machine/tuning.h"
#include "optimized/threads/range.h"

namespace tandem {
namespace optimized {

// One matrix product, W x or U h, as the model of its time sees it.
struct ProductShape {
  double weight_bytes = 0;
  double row_cycles = 0;  // for one row, at the speed of multiplication
};

// The numbers of parts into which the directions, the minibatch rows and the units are cut. Threads that share the units of a row
// wait for one another in every time step, the others never do. Results do not depend on the division, because every output is
// summed by one thread, in one order.
struct Division {
  int dirs = 1;
  int rows = 1;
  int units = 1;
  int threads() const { return dirs * rows * units; }
};

// The parts of an execution. `layer` is multiplied `chunk` time steps at a time, `iter` in every step.
struct WorkShape {
  Dim n_layer = 1;
  Dim n_dir = 1;
  Dim n_iter = 1;
  Dim chunk = 1;
  Dim mb = 1;
  Dim blocks = 1;             // of units
  int barriers_per_step = 1;  // between the threads that divide the units
  double l2_bytes = 0;        // of one core's L2 cache, as far as weights stay there
  ProductShape layer, iter;
  TeamTuning tuning;
  // If given, the work is cut into so many parts, as far as it and the team allow, even if that is slow.
  std::optional<Division> imposed;
};

// The threads of a team spin or sleep until their next region, as OMP_WAIT_POLICY says. This decides what starting a team costs.
enum class TeamStart { kSpinning, kSleeping };
TeamStart TeamStartFromEnvironment();

// The model of the time: cycles of the slowest thread, without the start of the team. Only to compare divisions.
double ModelCycles(const WorkShape& work, const Division& division);
// Returns the processor cycles that starting a team of several threads costs.
double StartCycles(TeamStart start, const TeamTuning& tuning = {});

// The fastest division that a team has threads for, and of all teams of up to `available` threads. Of several that are
// equally fast, the one with most directions: that costs nothing.
Division DivisionForTeam(const WorkShape& work, int team);
Division FastestDivision(const WorkShape& work, int available, TeamStart start);

// Work that one team shares from beginning to end, as backward does: steps divided by rows or units, and products that all
// threads divide.
struct TeamWork {
  WorkShape steps;  // of one direction; `layer` is no part of it
  double shared_cycles = 0;
  double barriers = 0;  // of the team
};

// The fastest number of threads up to `available`; DivisionForTeam() divides the steps among them.
int FastestTeam(const TeamWork& work, int available, TeamStart start);

struct Role {
  Range dirs;
  Range rows;
  int unit_index = 0;  // among the threads that share dirs and rows
  int unit_count = 1;
  int first_thread = 0;  // of those
  int group = 0;         // which dirs and rows: an index among all of these
  bool active = true;    // false: more threads than work
};

Role MakeRole(const WorkShape& work, const Division& division, int thread);

// A bound on the rows of all groups together, if none keeps more than `most` at a time, for teams of up to `threads`.
Dim MostGroupRows(const WorkShape& work, int threads, Dim most);

// [0, n) divided into `parts`; lengths differ by one at most.
inline Range Share(Dim n, int index, int parts) { return {n * index / parts, n * (index + 1) / parts}; }

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_THREADS_ROLE_H_
