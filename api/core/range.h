// Half-open ranges: of rows, time steps, units.
#ifndef TANDEM_API_CORE_RANGE_H_
#define TANDEM_API_CORE_RANGE_H_

#include <algorithm>

#include "api/core/types.h"

namespace tandem {

struct Range {
  Dim begin = 0;
  Dim end = 0;
  Dim size() const { return end - begin; }
  bool empty() const { return end <= begin; }
};

// Returns the range that both have. It may be empty.
inline Range Intersection(Range a, Range b) {
  const Dim begin = std::max(a.begin, b.begin);
  return {begin, std::max(begin, std::min(a.end, b.end))};
}

}  // namespace tandem

#endif  // TANDEM_API_CORE_RANGE_H_
