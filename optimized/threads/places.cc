#include "optimized/threads/places.h"

#include <omp.h>

#include <algorithm>

namespace tandem {
namespace optimized {

std::vector<int> PlaceOf(int thread, int team) {
  const omp_proc_bind_t bind = omp_get_proc_bind();
  const int places = omp_get_num_places();
  if (bind == omp_proc_bind_false || places <= 0) return {};
  const int first = std::max(0, omp_get_place_num());
  const int stride = bind == omp_proc_bind_master ? 0 : bind == omp_proc_bind_spread ? std::max(1, places / team) : 1;
  const int place = (first + thread * stride) % places;
  std::vector<int> processors(static_cast<size_t>(omp_get_place_num_procs(place)));
  if (!processors.empty()) omp_get_place_proc_ids(place, processors.data());
  return processors;
}

}  // namespace optimized
}  // namespace tandem
