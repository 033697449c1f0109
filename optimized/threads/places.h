// On which processors the threads of a team run, as OMP_PROC_BIND and OMP_PLACES say.
#ifndef TANDEM_OPTIMIZED_THREADS_PLACES_H_
#define TANDEM_OPTIMIZED_THREADS_PLACES_H_

#include <vector>

namespace tandem {
namespace optimized {

// The processors of thread `thread` of `team`, of which the calling thread is thread 0; none if it may run anywhere the
// calling thread may. Throws std::bad_alloc.
std::vector<int> PlaceOf(int thread, int team);

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_THREADS_PLACES_H_
