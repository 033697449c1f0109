// Elements of every data type as double, which holds each of them exactly.
#ifndef TANDEM_CONFORMANCE_PROBLEM_BASE_ELEMENT_H_
#define TANDEM_CONFORMANCE_PROBLEM_BASE_ELEMENT_H_

#include "api/core/types.h"

namespace tandem::conformance {

// Half of the distance between neighbours, relative to the larger; of bytes relative to the range of the type.
double UnitRoundoff(DataType type);

// `value` as an element of `type` holds it: one rounding to nearest even; integers saturate, NaN becomes 0 there.
double RoundToType(double value, DataType type);
// The neighbours of a value that `type` represents exactly; infinities are the last ones.
double NextUp(double value, DataType type);
double NextDown(double value, DataType type);

// Reads and writes one element at `bytes`.
double LoadElement(DataType type, const void* bytes);
void StoreElement(DataType type, double value, void* bytes);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_PROBLEM_BASE_ELEMENT_H_
