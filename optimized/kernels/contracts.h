// The duties of the driver towards the kernels. Each kernel begins with a Check(), which ends the process if the driver has
// broken one, where contracts are checked (contracts_checked.h).
#ifndef TANDEM_OPTIMIZED_KERNELS_CONTRACTS_H_
#define TANDEM_OPTIMIZED_KERNELS_CONTRACTS_H_

#include "hwy/base.h"
#include "optimized/kernels/backward_kernels.h"
#include "optimized/kernels/kernels.h"
#include "optimized/machine/contracts_checked.h"
#include "optimized/weights/element.h"

namespace tandem {
namespace optimized {

inline void CheckRange(const Range& range) { HWY_ASSERT(0 <= range.begin && range.begin <= range.end); }

// Rows up to `end`, each `width` elements long, `stride` apart. The stride of a single row means nothing.
inline void CheckRows(const void* base, Dim stride, Dim end, Dim width) {
  HWY_ASSERT(base != nullptr);
  HWY_ASSERT(end <= 1 || stride >= width);
}

// Gates of a block that an operation finds side by side.
inline Dim GatesOf(const TileArgs& tile) {
  switch (tile.op) {
    case TileOp::kStore:
      return tile.gates;
    case TileOp::kGates:
      return NumFirstPassGates(tile.cell->cell);
    case TileOp::kCandidate:
    case TileOp::kProjection:
      return 1;
  }
  return 0;
}

inline void CheckStates(const TileArgs& tile, const CellArgs& cell) {
  if (tile.op == TileOp::kProjection) return CheckRows(cell.h, cell.h_row, tile.rows.end, cell.units);
  const CellTraits& traits = TraitsOf(cell.cell);
  const Dim end = tile.rows.end, padded = tile.blocks.end * kBlock;
  const bool two_passes = WaitsForReset(traits.cell);
  const bool gives_h = tile.op == TileOp::kCandidate || !two_passes;
  if (gives_h) CheckRows(cell.h, cell.h_row, end, cell.units);
  if (gives_h && BlendsState(traits.cell) && cell.h_prev != nullptr) {
    HWY_ASSERT(end <= 1 || cell.h_prev_row == 0 || cell.h_prev_row >= cell.units);
  }
  if (HasCellState(traits.cell)) CheckRows(cell.lstm.c, cell.lstm.c_row, end, padded);
  if (!gives_h) CheckRows(cell.gru.reset_h, cell.gru.reset_h_row, end, cell.units);
  if (two_passes) CheckRows(cell.gru.update, cell.gru.update_row, end, padded);
}

inline void CheckCell(const TileArgs& tile, DataType operand) {
  const CellArgs& cell = *tile.cell;
  const Dim end = tile.rows.end, columns = tile.blocks.end * tile.gates * kBlock;
  HWY_ASSERT(CeilDiv(cell.units, kBlock) == tile.total_blocks);
  CheckStates(tile, cell);
  const bool linear_before_reset = tile.op == TileOp::kGates && IsLinearBeforeReset(cell.cell);
  if (linear_before_reset) CheckRows(cell.lbr.gx, cell.lbr.gx_row, end, columns);
  if (cell.lstm.peephole != nullptr)
    HWY_ASSERT(HasCellState(cell.cell) && cell.lstm.peephole_row >= tile.blocks.end * kBlock);
  if (cell.attention.base != nullptr) HWY_ASSERT(IsFloating(cell.attention.type));
  if (operand == DataType::kU8) {
    HWY_ASSERT(cell.int8.column_scale != nullptr && cell.int8.column_bias != nullptr);
    HWY_ASSERT(!linear_before_reset || cell.int8.iter_bias != nullptr);
    const DynamicArgs& dynamic = cell.dynamic;
    HWY_ASSERT(dynamic.h == nullptr || (dynamic.h_sums != nullptr && tile.input.k == 0));
    HWY_ASSERT(dynamic.h == nullptr || cell.lbr.gx == nullptr || (dynamic.x != nullptr && dynamic.x_sums != nullptr));
    HWY_ASSERT(cell.int8.quantization.lowest < cell.int8.quantization.highest);
  }
  const TrainingRows& training = cell.training;
  if (training.gates != nullptr) CheckRows(training.gates, training.gates_row, end, columns);
  if (training.linear != nullptr) CheckRows(training.linear, training.linear_row, end, tile.blocks.end * kBlock);
  HWY_ASSERT(training.linear == nullptr || (training.gates != nullptr && linear_before_reset));
}

inline void CheckProduct(const ProductArgs& product, Dim end, Dim group) {
  HWY_ASSERT(product.k >= 0 && product.k <= product.k_padded && product.k_padded % group == 0);
  if (product.k == 0) return;
  HWY_ASSERT(product.weights != nullptr && product.a != nullptr);
  // A user's tensor that is read in place may repeat one row.
  HWY_ASSERT(end <= 1 || product.a_row == 0 || product.a_row >= product.k);
}

// `operand` and `group` are those of the kernels that are called.
inline void Check(const TileArgs& tile, DataType operand, Dim group) {
  if (!ContractsAreChecked()) return;
  CheckRange(tile.rows);
  CheckRange(tile.blocks);
  HWY_ASSERT(tile.blocks.end <= tile.total_blocks);
  if (tile.rows.size() == 0 || tile.blocks.size() == 0) return;
  HWY_ASSERT(tile.segments >= 1);
  HWY_ASSERT(tile.gates >= 1 && tile.panel_blocks >= 1 && tile.gates * tile.panel_blocks <= kMaxPanelVectors);
  HWY_ASSERT(tile.op == TileOp::kStore || tile.cell != nullptr);
  HWY_ASSERT(tile.gates == GatesOf(tile));
  CheckProduct(tile.product, tile.rows.end, group);
  CheckProduct(tile.input, tile.rows.end, group);
  const bool has_input = tile.input.k > 0;
  HWY_ASSERT(!has_input || (tile.op != TileOp::kStore && tile.op != TileOp::kProjection));
  HWY_ASSERT(!has_input || !IsLinearBeforeReset(tile.cell->cell));
  HWY_ASSERT(!has_input || tile.rows.size() >= kLeastInputRows);
  const Dim columns = tile.blocks.end * tile.gates * kBlock;
  // A single row has no next one, whatever a client's stride says.
  const bool init_rows_are_apart = tile.rows.end <= 1 || tile.init_row == 0 || tile.init_row >= columns;
  HWY_ASSERT(tile.init != nullptr && init_rows_are_apart);
  HWY_ASSERT(tile.bias == nullptr || operand != DataType::kU8);
  if (tile.op == TileOp::kStore) {
    CheckRows(tile.out, tile.out_row, tile.rows.end, columns);
    HWY_ASSERT(tile.segments == 1 || tile.out_segment >= (tile.rows.end - 1) * tile.out_row + columns);
  } else {
    HWY_ASSERT(tile.segments == 1);
    CheckCell(tile, operand);
  }
}

inline void Check(const ConvertArgs& args) {
  if (!ContractsAreChecked()) return;
  HWY_ASSERT(args.n >= 0);
  HWY_ASSERT(args.n == 0 || (args.from != nullptr && args.to != nullptr));
  HWY_ASSERT(IsFloating(args.from_type) || IsByte(args.from_type));
  HWY_ASSERT(IsFloating(args.to_type) || IsByte(args.to_type));
  HWY_ASSERT(args.quantization.lowest < args.quantization.highest);
}

inline void CheckRows(const ConstRows& rows, Dim end, Dim width) { CheckRows(rows.base, rows.row, end, width); }

// Checks the rows that each cell needs beside the gates.
inline void CheckCellRows(const BackwardCellArgs& args, Dim padded) {
  const Dim end = args.rows.end;
  const CellTraits& traits = TraitsOf(args.cell);
  const bool keeps_pre = SlopeNeedsPreActivation(args.activation.kind) || args.gate_functions != nullptr;
  if (traits.has_activation && !keeps_pre) CheckRows(args.h, end, padded);
  if (HasCellState(traits.cell)) {
    CheckRows(args.c, end, padded);
    CheckRows(args.diff_c, end, padded);
    HWY_ASSERT(args.peephole == nullptr || args.peephole_row >= padded);
  }
  if (BlendsState(traits.cell)) {
    CheckRows(args.diff_h_prev, end, padded);
    HWY_ASSERT((args.attention.base != nullptr) == (args.diff_attention.base != nullptr));
  }
  if (traits.resets_iter_product) {
    CheckRows(args.linear, end, padded);
    CheckRows(args.diff_gates_iter, end, traits.gates * padded);
  }
}

inline void Check(const BackwardCellArgs& args) {
  if (!ContractsAreChecked()) return;
  CheckRange(args.rows);
  CheckRange(args.blocks);
  if (args.rows.size() == 0) return;
  HWY_ASSERT(args.attention.base == nullptr ||
             (args.blocks.begin == 0 && args.blocks.end >= CeilDiv(args.units, kBlock)));
  const Dim padded = RoundUp(args.units, kBlock);
  HWY_ASSERT(args.units > 0);
  CheckRows(args.gates, args.rows.end, NumGates(args.cell) * padded);
  CheckRows(args.diff_gates, args.rows.end, NumGates(args.cell) * padded);
  if (args.from_next_step.base != nullptr) CheckRows(args.from_next_step, args.rows.end, padded);
  CheckCellRows(args, padded);
}

// The second half of GRU.
inline void CheckReset(const BackwardCellArgs& args) {
  if (!ContractsAreChecked()) return;
  Check(args);
  HWY_ASSERT(WaitsForReset(args.cell));
  if (args.rows.size() == 0) return;
  CheckRows(args.through_reset, args.rows.end, RoundUp(args.units, kBlock));
  CheckRows(args.saved_product, args.rows.end, RoundUp(args.units, kBlock));
}

inline void Check(const PackGradientArgs& args) {
  if (!ContractsAreChecked()) return;
  HWY_ASSERT(args.count >= 0);
  HWY_ASSERT(args.columns >= 0 && args.columns <= kPanelColumns);
  HWY_ASSERT(args.n_pieces >= 0 && args.n_pieces <= kMaxPieces);
  HWY_ASSERT(args.type == DataType::kF32 || args.type == DataType::kBf16);
  HWY_ASSERT(args.padding % GroupOf(args.type) == 0);
  if (args.count == 0 || args.columns == 0) return;
  HWY_ASSERT(args.n_pieces > 0 && args.columns - args.piece[args.n_pieces - 1].to <= kBlock);
  for (int i = 0; i < args.n_pieces; ++i) {
    const Dim before = i == 0 ? 0 : args.piece[i - 1].to + 1, most = i == 0 ? 0 : args.piece[i - 1].to + kBlock;
    HWY_ASSERT(args.piece[i].to >= before && args.piece[i].to <= most && args.piece[i].to < args.columns);
    CheckRows(args.rows, args.row, args.count, args.piece[i].from + 1);
  }
  HWY_ASSERT(args.packed != nullptr);
}

inline void Check(const PeepholeGradientArgs& args) {
  if (!ContractsAreChecked()) return;
  CheckRange(args.rows);
  CheckRange(args.blocks);
  if (args.rows.size() == 0 || args.blocks.size() == 0) return;
  CheckRows(args.diff_gates, args.rows.end, NumGates(Cell::kLstm) * args.blocks.end * kBlock);
  CheckRows(args.c, args.rows.end, args.blocks.end * kBlock);
  CheckRows(args.sums, args.sums_row, TraitsOf(Cell::kLstm).peepholes, args.blocks.end * kBlock);
}

inline void Check(const AddRowsArgs& args) {
  if (!ContractsAreChecked()) return;
  CheckRange(args.rows);
  HWY_ASSERT(args.n >= 0);
  if (args.rows.size() > 0 && args.n > 0) CheckRows(args.to, args.rows.end, RoundUp(args.n, kBlock));
}

inline void Check(const NarrowRowsArgs& args) {
  if (!ContractsAreChecked()) return;
  CheckRange(args.rows);
  HWY_ASSERT(args.first >= 0 && args.first % kBlock == 0 && args.n >= 0 && args.n % kBlock == 0);
  if (args.rows.size() == 0 || args.n == 0) return;
  CheckRows(args.from, args.rows.end, args.first + args.n);
  CheckRows(args.to, args.to_row, args.rows.end, args.first + args.n);
}

inline void Check(const StoreBlockArgs& args) {
  if (!ContractsAreChecked()) return;
  HWY_ASSERT(args.rows >= 0 && args.n >= 0 && args.n <= kBlock);
  if (args.rows == 0 || args.n == 0) return;
  CheckRows(args.from, args.rows, args.n);
  CheckRows(args.to, args.rows, args.n);
}

inline void Check(const TransposeRowsArgs& args) {
  if (!ContractsAreChecked()) return;
  CheckRange(args.k);
  HWY_ASSERT(args.rows >= 0);
  if (args.rows == 0 || args.k.size() == 0) return;
  HWY_ASSERT(args.from.base != nullptr && (args.rows <= 1 || args.from.row == 0 || args.from.row >= args.k.end));
  CheckRows(args.to, args.k.end, args.rows);
}

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_KERNELS_CONTRACTS_H_
