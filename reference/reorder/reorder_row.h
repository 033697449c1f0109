// Rows of a reorder: a few elements along one dim, as f32 or as they are.
#ifndef TANDEM_REFERENCE_REORDER_REORDER_ROW_H_
#define TANDEM_REFERENCE_REORDER_REORDER_ROW_H_

#include "api/core/types.h"

namespace tandem {
namespace reference {

// Elements base[offset], base[offset + stride], ... of a tensor of `type`; the base may have any alignment that the
// type's own size gives.
struct Row {
  DataType type;
  const void* base;
  Dim offset;
  Dim stride;
};
struct MutableRow {
  DataType type;
  void* base;
  Dim offset;
  Dim stride;
};

// s32 beyond 2^24 is rounded to f32.
void LoadRow(const Row& row, Dim n, float* values);
// Rounds to nearest even; integers saturate first, and NaN becomes 0 in them.
void StoreRow(const MutableRow& row, Dim n, const float* values);
// Moves elements of equal types, all bits kept.
void CopyRow(const Row& src, const MutableRow& dst, Dim n);

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_REORDER_REORDER_ROW_H_
