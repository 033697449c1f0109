#include "optimized/threads/role.h"

#include <strings.h>

#include <algorithm>
#include <cstdlib>

namespace tandem {
namespace optimized {
namespace {

// Cycles of a Zen 4 core at 3.7 GHz, measured: a region whose threads spin takes 0.6-0.7 us, one whose threads sleep
// 9 us; a barrier of two threads that exchange 8 cache lines takes 0.1 us. Other cores differ by less than half of it
// (`tandem bench` prints a barrier), which decides differently only where both ways are about as fast.
constexpr double kRegion = 2600;
constexpr double kWakeSleepers = 33000;
constexpr double kBarrier = 500;
// Weights come from L2 or L3 at 28 bytes per cycle: 64 bytes in 2.3 cycles, one of which multiplying f32 takes anyway.
constexpr double kWeightBytesPerCycle = 53;
// Threads are never equally fast, and at each barrier all wait for the slowest.
constexpr double kUnevenness = 1.05;

// `rows` rows of one product by `share` of its columns. Of 1, 8 and 10 rows, 0.43, 0.87 and 0.89 of the speed of
// multiplication are reached.
double Cycles(const ProductShape& product, Dim rows, double share) {
  return share * (product.weight_bytes / kWeightBytesPerCycle + static_cast<double>(rows) * product.row_cycles);
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

double Cycles(const TeamWork& work, int team) {
  if (team == 1) return work.row_cycles + work.shared_cycles;
  return work.row_cycles / static_cast<double>(std::min<Dim>(team, work.mb)) + work.shared_cycles / team +
         work.barriers * kBarrier;
}

// The team of up to `available` threads with the fewest cycles, its start included.
template <class CyclesOfTeam>
int FastestOf(int available, TeamStart start, const CyclesOfTeam& cycles_of) {
  int best = 1;
  double best_cycles = cycles_of(1);
  // Powers of two and `available` only: trying each of 128 would take longer than a small execution.
  for (int power = 2; power < 2 * available; power *= 2) {
    const int team = std::min(power, available);
    const double cycles = StartCycles(start) + cycles_of(team);
    if (cycles >= best_cycles) continue;
    best = team;
    best_cycles = cycles;
  }
  return best;
}

}  // namespace

double ModelCycles(const WorkShape& work, const Division& division) {
  const Dim rows = CeilDiv(work.mb, division.rows);
  const double blocks = static_cast<double>(std::max<Dim>(1, work.blocks));
  const double most = static_cast<double>(CeilDiv(work.blocks, division.units));
  const double share = most / blocks * (division.units > 1 && work.n_iter > 1 ? kUnevenness : 1.);
  const double barriers = division.units > 1 ? work.barriers_per_step * kBarrier : 0;
  const double steps = static_cast<double>(work.n_iter) * (Cycles(work.iter, rows, share) + barriers);
  const double chunks = static_cast<double>(CeilDiv(work.n_iter, std::max<Dim>(1, work.chunk)));
  const Dim slices = work.n_layer * CeilDiv(work.n_dir, division.dirs);
  return static_cast<double>(slices) * (steps + chunks * Cycles(work.layer, rows * work.chunk, share));
}

double StartCycles(TeamStart start) { return kRegion + (start == TeamStart::kSleeping ? kWakeSleepers : 0); }

TeamStart TeamStartFromEnvironment() {
  const char* policy = std::getenv("OMP_WAIT_POLICY");
  const bool sleeping = policy != nullptr && strcasecmp(policy, "passive") == 0;
  return sleeping ? TeamStart::kSleeping : TeamStart::kSpinning;
}

Division DivisionForTeam(const WorkShape& work, int team) {
  if (work.imposed) return Clamped(*work.imposed, work, team);
  Division best;
  best.dirs = static_cast<int>(std::min<Dim>(work.n_dir, team));
  const Dim per_dir = team / best.dirs;
  for (Division next = best; next.rows <= std::min(work.mb, per_dir); ++next.rows) {
    // Units as far as they go or not at all: a barrier costs the same for any number of parts.
    for (const int units : {1, UsefulParts(work.blocks, per_dir / next.rows)}) {
      next.units = units;
      if (ModelCycles(work, next) < ModelCycles(work, best)) best = next;
    }
  }
  return best;
}

Division FastestDivision(const WorkShape& work, int available, TeamStart start) {
  if (work.imposed) return DivisionForTeam(work, available);
  const auto cycles = [&](int team) { return ModelCycles(work, DivisionForTeam(work, team)); };
  return DivisionForTeam(work, FastestOf(available, start, cycles));
}

int FastestTeam(const TeamWork& work, int available, TeamStart start) {
  return FastestOf(available, start, [&](int team) { return Cycles(work, team); });
}

// p parts have at most ceil(mb / p) rows each, so mb + p - 1 in all.
Dim MostGroupRows(const WorkShape& work, int threads, Dim most) {
  const Dim most_dirs = std::min<Dim>(work.n_dir, threads);
  Dim rows = 0;
  for (Dim dirs = work.imposed ? 1 : most_dirs; dirs <= most_dirs; ++dirs) {
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
