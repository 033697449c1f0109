// Ranges cut rows, units and blocks into parts.
#ifndef TANDEM_OPTIMIZED_THREADS_RANGE_H_
#define TANDEM_OPTIMIZED_THREADS_RANGE_H_

#include "api/core/range.h"

namespace tandem {
namespace optimized {

inline constexpr Dim RoundUp(Dim value, Dim multiple) { return (value + multiple - 1) / multiple * multiple; }
inline constexpr Dim CeilDiv(Dim value, Dim divisor) { return (value + divisor - 1) / divisor; }
// The size of each of the fewest parts of n that have at most `most`: 50 by at most 24 are 17, 17 and 16, not 24, 24 and 2.
inline constexpr Dim EvenPart(Dim n, Dim most) { return n <= 0 ? 1 : CeilDiv(n, CeilDiv(n, most)); }

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_THREADS_RANGE_H_
