#include "optimized/threads/role.h"

#include <strings.h>

#include <algorithm>
#include <cstdlib>

#include "api/core/environment.h"

namespace tandem {
namespace optimized {
namespace {

// `rows` rows of one product by one of `parts` parts of its blocks.
double Cycles(const WorkShape& work, const ProductShape& product, Dim rows, int parts) {
  const double blocks = static_cast<double>(std::max<Dim>(1, work.blocks));
  const double share = static_cast<double>(CeilDiv(work.blocks, parts)) / blocks;
  const double bytes = share * product.weight_bytes, in_l2 = std::min(bytes, work.l2_bytes);
  const double reading = in_l2 / work.tuning.l2_bytes_per_cycle + (bytes - in_l2) / work.tuning.l3_bytes_per_cycle;
  return reading +
         share * static_cast<double>(rows) * product.row_cycles * (parts > 1 ? work.tuning.divided_units : 1.);
}

// The fewest parts that are no larger than those of `most` parts: five blocks for four threads are cut into three.
int UsefulParts(Dim n, Dim most) {
  return static_cast<int>(EvenPart(n, most));  // with number and size of the parts exchanged
}

Division Clamped(const Division& wanted, const WorkShape& work, int team) {
  Division division;
  division.dirs = static_cast<int>(std::min<Dim>({work.n_dir, wanted.dirs, team}));
  const int per_dir = team / division.dirs;
  division.rows = static_cast<int>(std::min<Dim>({work.mb, wanted.rows, per_dir}));
  division.units = static_cast<int>(std::min<Dim>({work.blocks, wanted.units, per_dir / division.rows}));
  return division;
}

// The team of up to `available` threads with the fewest cycles, its start included.
template <class CyclesOfTeam>
int FastestOf(int available, double start_cycles, const CyclesOfTeam& cycles_of) {
  int best = 1;
  double best_cycles = cycles_of(1);
  // Powers of two and `available` only: trying each of 128 would take longer than a small execution.
  for (int power = 2; power < 2 * available; power *= 2) {
    const int team = std::min(power, available);
    const double cycles = start_cycles + cycles_of(team);
    if (cycles >= best_cycles) continue;
    best = team;
    best_cycles = cycles;
  }
  return best;
}

}  // namespace

double ModelCycles(const WorkShape& work, const Division& division) {
  const Dim rows = CeilDiv(work.mb, division.rows);
  const double barriers = division.units > 1 ? work.barriers_per_step * work.tuning.barrier : 0;
  const double steps = static_cast<double>(work.n_iter) * (Cycles(work, work.iter, rows, division.units) + barriers);
  const double chunks = static_cast<double>(CeilDiv(work.n_iter, std::max<Dim>(1, work.chunk)));
  const Dim slices = work.n_layer * CeilDiv(work.n_dir, division.dirs);
  const double layer = Cycles(work, work.layer, rows * work.chunk, division.units);
  return static_cast<double>(slices) * (steps + chunks * layer);
}

double StartCycles(TeamStart start, const TeamTuning& tuning) {
  return tuning.region + (start == TeamStart::kSleeping ? tuning.wake_sleepers : 0);
}

TeamStart TeamStartFromEnvironment() {
  const char* policy = ValueOf(Variable::kOmpWaitPolicy);
  const bool sleeping = policy != nullptr && strcasecmp(policy, "passive") == 0;
  return sleeping ? TeamStart::kSleeping : TeamStart::kSpinning;
}

Division DivisionForTeam(const WorkShape& work, int team) {
  if (work.imposed) return Clamped(*work.imposed, work, team);
  Division best;
  best.dirs = static_cast<int>(std::min<Dim>(work.n_dir, team));
  double best_cycles = ModelCycles(work, best);
  for (int dirs = best.dirs; dirs >= 1; --dirs) {
    const int per_dir = team / dirs;
    for (int rows = 1; rows <= std::min<Dim>(work.mb, per_dir); ++rows) {
      // Units as far as they go or not at all: a barrier costs the same for any number of parts.
      for (const int units : {1, UsefulParts(work.blocks, per_dir / rows)}) {
        const Division next = {dirs, rows, units};
        const double cycles = ModelCycles(work, next);
        if (cycles >= best_cycles) continue;
        best = next;
        best_cycles = cycles;
      }
    }
  }
  return best;
}

Division FastestDivision(const WorkShape& work, int available, TeamStart start) {
  if (work.imposed) return DivisionForTeam(work, available);
  const auto cycles = [&](int team) { return ModelCycles(work, DivisionForTeam(work, team)); };
  return DivisionForTeam(work, FastestOf(available, StartCycles(start, work.tuning), cycles));
}

int FastestTeam(const TeamWork& work, int available, TeamStart start) {
  const auto cycles = [&](int team) {
    const double steps = ModelCycles(work.steps, DivisionForTeam(work.steps, team));
    return steps + work.shared_cycles / team + (team > 1 ? work.barriers * work.steps.tuning.barrier : 0);
  };
  return FastestOf(available, StartCycles(start, work.steps.tuning), cycles);
}

// p parts have at most ceil(mb / p) rows each, so mb + p - 1 in all.
Dim MostGroupRows(const WorkShape& work, int threads, Dim most) {
  const Dim most_dirs = std::min<Dim>(work.n_dir, threads);
  Dim rows = 0;
  for (Dim dirs = 1; dirs <= most_dirs; ++dirs) {
    const Dim parts = std::max<Dim>(1, std::min(work.mb, threads / dirs));
    rows = std::max(rows, dirs * std::min(work.mb + parts - 1, parts * most));
  }
  return rows;
}

Role MakeRole(const WorkShape& work, const Division& division, int thread) {
  Role role;
  role.active = thread < division.threads();
  if (!role.active) return role;
  role.unit_index = thread % division.units;
  role.unit_count = division.units;
  role.first_thread = thread - role.unit_index;
  role.group = thread / division.units;
  role.dirs = Share(work.n_dir, role.group / division.rows, division.dirs);
  role.rows = Share(work.mb, role.group % division.rows, division.rows);
  return role;
}

}  // namespace optimized
}  // namespace tandem
