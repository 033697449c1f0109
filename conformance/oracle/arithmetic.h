// What the bounds assume of an implementation's f32 arithmetic.
#ifndef TANDEM_CONFORMANCE_ORACLE_ARITHMETIC_H_
#define TANDEM_CONFORMANCE_ORACLE_ARITHMETIC_H_

#include <algorithm>
#include <cmath>
#include <limits>

namespace tandem::conformance {

constexpr double kUnitF32 = 0x1p-24;  // the unit roundoff u
constexpr double kMaxF32 = 0x1.fffffep127;
constexpr double kMinNormalF32 = 0x1p-126;

// Each policy owns one, and its values point to it. The defaults are the widest bounds.
struct Arithmetic {
  // The largest error of a result below the normal range: 2^-126 where such results may be flushed to zero.
  double underflow = kMinNormalF32;
  // Profile::typical_growth.
  double typical_growth = std::numeric_limits<double>::infinity();

  // gamma_n = n u / (1 - n u), enlarged by 2^-16 of itself for what the oracle's own double arithmetic rounds; infinite
  // once n u reaches 1.
  double Gamma(double n) const {
    if (typical_growth < std::numeric_limits<double>::infinity()) n = std::min(n, typical_growth * std::sqrt(n));
    const double nu = n * kUnitF32;
    return nu < 1 ? nu / (1 - nu) * (1 + 0x1p-16) : std::numeric_limits<double>::infinity();
  }
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_ORACLE_ARITHMETIC_H_
