// An input chooses the number of threads.
#ifndef TANDEM_FUZZ_THREADS_H_
#define TANDEM_FUZZ_THREADS_H_

#include <omp.h>

#include <cstddef>
#include <cstdint>

namespace tandem {
namespace fuzz {

// The library uses one thread, and two for one input in 16, by its last byte. The threads of a team wait for each other at
// barriers, which takes a hundred times as long if other processes keep the cores busy.
inline void ChooseThreads(const uint8_t* data, size_t size) {
  omp_set_num_threads(size > 0 && data[size - 1] % 16 == 15 ? 2 : 1);
}

}  // namespace fuzz
}  // namespace tandem

#endif  // TANDEM_FUZZ_THREADS_H_
