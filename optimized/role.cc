#include "optimized/role.h"

#include <algorithm>

namespace tandem {
namespace optimized {
namespace {

// Two full register tiles: with fewer rows, reading all weights in every thread costs more than a barrier per step.
constexpr Dim kRowsWorthAThread = 12;

}  // namespace

Role MakeRole(const WorkShape& work, int thread, int team) {
  Role role;
  const int dir_groups = static_cast<int>(std::min<Dim>(work.n_dir, team));
  const int per_dir = team / dir_groups;
  const int dir_group = thread / per_dir;
  const int index = thread % per_dir;
  const int row_parts = static_cast<int>(std::max<Dim>(1, std::min<Dim>(per_dir, work.mb / kRowsWorthAThread)));
  const int unit_parts = static_cast<int>(std::min<Dim>(per_dir / row_parts, work.blocks));
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
