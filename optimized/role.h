// Who does what: the share of one thread in an execution.
#ifndef TANDEM_OPTIMIZED_ROLE_H_
#define TANDEM_OPTIMIZED_ROLE_H_

#include "optimized/kernels.h"

namespace tandem {
namespace optimized {

struct WorkShape {
  Dim n_dir = 1;
  Dim mb = 1;
  Dim blocks = 1;  // of units
  // Multiply-adds of the whole execution, and of one direction between two barriers. By default, enough for any team.
  double total = 1e18;
  double per_barrier = 1e18;
};

// Of `available` threads, how many are worth waking for so much work.
int UsefulThreads(const WorkShape& work, int available);

// Directions, then minibatch rows, then units are divided: the first two need no meeting between time steps, the last a
// barrier at each. Results do not depend on the division, because every output is summed by one thread, in one order.
struct Role {
  Range dirs;
  Range rows;
  int unit_index = 0;  // among the threads that share dirs and rows
  int unit_count = 1;
  int first_thread = 0;  // of those
  bool active = true;    // false: more threads than work
};

Role MakeRole(const WorkShape& work, int thread, int team);

// [0, n) divided into `parts`; lengths differ by one at most.
inline Range Share(Dim n, int index, int parts) { return {n * index / parts, n * (index + 1) / parts}; }

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_ROLE_H_
