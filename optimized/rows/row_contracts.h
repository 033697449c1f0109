// Checks the duties of the drivers towards the kernels of rows, as contracts.h does for the other kernels.
#ifndef TANDEM_OPTIMIZED_ROWS_ROW_CONTRACTS_H_
#define TANDEM_OPTIMIZED_ROWS_ROW_CONTRACTS_H_

#include "optimized/kernels/contracts.h"
#include "optimized/rows/mask_kernels.h"
#include "optimized/rows/norm_kernels.h"

namespace tandem {
namespace optimized {

// Rows of masks: those that are present are as long as `n` says.
inline void CheckOperands(const void* from, const void* to, DataType type, Dim n) {
  HWY_ASSERT(n >= 0 && (type == DataType::kF32 || type == DataType::kBf16));
  HWY_ASSERT(n == 0 || (from != nullptr && to != nullptr));
}

inline void Check(const MaskRowArgs& args) {
  if (!ContractsAreChecked()) return;
  CheckOperands(args.from, args.to, args.type, args.n);
  HWY_ASSERT(args.padded >= args.n && (args.n == 0 || args.mask != nullptr));
}

inline void Check(const MixRowArgs& args) {
  if (!ContractsAreChecked()) return;
  CheckOperands(args.before, args.state, args.type, args.n);
  HWY_ASSERT(args.before != args.state && (args.n == 0 || args.zoneout != nullptr));
}

inline void Check(const SplitRowArgs& args) {
  if (!ContractsAreChecked()) return;
  HWY_ASSERT(args.n >= 0 && args.of_cell != args.past);
  HWY_ASSERT(args.n == 0 || (args.next != nullptr && args.zoneout != nullptr));
}

inline void Check(const JoinRowArgs& args) {
  if (!ContractsAreChecked()) return;
  HWY_ASSERT(args.n >= 0 && (args.n == 0 || args.diff != nullptr));
}

inline void Check(const NormRowsArgs& args) {
  if (!ContractsAreChecked()) return;
  CheckRange(args.rows);
  HWY_ASSERT(args.sums.gates > 0 && args.sums.units > 0 && args.sums.epsilon > 0.f);
  if (args.rows.size() == 0) return;
  const Dim columns = args.sums.gates * RoundUp(args.sums.units, kBlock);
  for (const ConstRows& rows : {args.from, ConstRows(args.to)}) CheckRows(rows, args.rows.end, columns);
  HWY_ASSERT(args.gain != nullptr && args.offset != nullptr);
}

inline void Check(const NormCellArgs& args) {
  if (!ContractsAreChecked()) return;
  CheckRange(args.rows);
  HWY_ASSERT(args.cell != nullptr && HasCellState(args.cell->cell) && args.norm != CellNorm::kNone);
  HWY_ASSERT(args.epsilon > 0.f && (args.type == DataType::kF32 || args.type == DataType::kBf16));
  if (args.rows.size() == 0) return;
  const Dim padded = RoundUp(args.cell->units, kBlock);
  CheckRows(args.sums, args.rows.end, NumGates(args.cell->cell) * padded);
  CheckRows(args.cell->lstm.c, args.cell->lstm.c_row, args.rows.end, padded);
  CheckRows(args.cell->h, args.cell->h_row, args.rows.end, args.cell->units);
  HWY_ASSERT(args.gain != nullptr && args.offset != nullptr);
}

inline void Check(const ThroughNormArgs& args) {
  if (!ContractsAreChecked()) return;
  CheckRange(args.rows);
  HWY_ASSERT(args.sums.gates > 0 && args.sums.units > 0 && args.sums.epsilon > 0.f && args.gain != nullptr);
  if (args.rows.size() == 0) return;
  const Dim columns = args.sums.gates * RoundUp(args.sums.units, kBlock);
  for (const ConstRows& rows : {args.v, args.delta, ConstRows(args.diff_v), ConstRows(args.v_hat)}) {
    CheckRows(rows, args.rows.end, columns);
  }
  HWY_ASSERT(args.diff_v.base != args.delta.base && args.v_hat.base != args.v.base);
}

inline void Check(const NormCellBackwardArgs& args) {
  if (!ContractsAreChecked()) return;
  HWY_ASSERT(args.cell != nullptr && HasCellState(args.cell->cell) && args.norm != CellNorm::kNone);
  HWY_ASSERT(args.epsilon > 0.f && args.gain != nullptr && args.offset != nullptr);
  Check(*args.cell);
  for (const Rows& rows : {args.delta, args.v_hat})
    CheckRows(rows, args.cell->rows.end, RoundUp(args.cell->units, kBlock));
}

inline void Check(const NormGradientArgs& args) {
  if (!ContractsAreChecked()) return;
  CheckRange(args.rows);
  HWY_ASSERT(args.first % kBlock == 0 && args.n % kBlock == 0 && args.n >= 0);
  HWY_ASSERT(args.n == 0 || (args.gain != nullptr && args.offset != nullptr));
  if (args.rows.size() == 0) return;
  for (const ConstRows& rows : {args.delta, args.v_hat}) CheckRows(rows, args.rows.end, args.first + args.n);
}

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_ROWS_ROW_CONTRACTS_H_
