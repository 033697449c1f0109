#include "optimized/role.h"

#include <algorithm>

namespace tandem {
namespace optimized {
namespace {

// Two full register tiles: with fewer rows, reading all weights in every thread costs more than a barrier per step.
constexpr Dim kRowsWorthAThread = 12;

// Waking a thread costs 0.8 us, a barrier 0.14 us; one row of products runs at 7 multiply-adds per cycle, the speed of
// the L2 cache. Half of this work is then at least twice what sharing it costs.
constexpr double kTotalWorthAThread = 64e3;
constexpr double kStepWorthAThread = 8e3;

int Parts(double work, double worth, Dim most) {
  return static_cast<int>(std::max(1.0, std::min(static_cast<double>(most), work / worth)));
}

}  // namespace

int UsefulThreads(const WorkShape& work, int available) { return Parts(work.total, kTotalWorthAThread, available); }

Role MakeRole(const WorkShape& work, int thread, int team) {
  Role role;
  const int dir_groups = static_cast<int>(std::min<Dim>(work.n_dir, team));
  const int per_dir = team / dir_groups;
  const int dir_group = thread / per_dir;
  const int index = thread % per_dir;
  const int row_parts = static_cast<int>(std::max<Dim>(1, std::min<Dim>(per_dir, work.mb / kRowsWorthAThread)));
  const Dim most_parts = std::min<Dim>(per_dir / row_parts, work.blocks);
  const int unit_parts = Parts(work.per_barrier, kStepWorthAThread, most_parts);
  role.active = dir_group < dir_groups && index < row_parts * unit_parts;
  if (!role.active) return role;
  role.dirs = Share(work.n_dir, dir_group, dir_groups);
  role.rows = Share(work.mb, index / unit_parts, row_parts);
  role.unit_index = index % unit_parts;
  role.unit_count = unit_parts;
  role.first_thread = thread - role.unit_index;
  return role;
}

}  // namespace optimized
}  // namespace tandem
