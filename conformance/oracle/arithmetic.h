// What the bounds assume of an implementation's arithmetic: f32, or narrower where its description says so.
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
  // The largest relative error of one operation.
  double unit = kUnitF32;
  // Declaration::typical_growth.
  double typical_growth = std::numeric_limits<double>::infinity();

  // Whether an operation that gives `value` rounds nothing. A sum of Veltkamp's splitting keeps the digits of a type whose
  // unit roundoff is at most `unit`.
  bool Holds(double value) const {
    if (static_cast<double>(static_cast<float>(value)) != value) return false;
    const double split = value * (0x1p53 * unit + 1);
    return unit == kUnitF32 || split - (split - value) == value;
  }

  // gamma_n = n u / (1 - n u), enlarged by 2^-16 of itself for what the oracle's own double arithmetic rounds; infinite
  // once n u reaches 1.
  double Gamma(double n) const {
    if (typical_growth < std::numeric_limits<double>::infinity()) n = std::min(n, typical_growth * std::sqrt(n));
    const double nu = n * unit;
    return nu < 1 ? nu / (1 - nu) * (1 + 0x1p-16) : std::numeric_limits<double>::infinity();
  }
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_ORACLE_ARITHMETIC_H_
