// The interface between backward's driver (plain C++) and its kernels (compiled once per Highway target). The matrix
// products are those of kernels.h; this header has the operations between them.
#ifndef TANDEM_OPTIMIZED_KERNELS_BACKWARD_KERNELS_H_
#define TANDEM_OPTIMIZED_KERNELS_BACKWARD_KERNELS_H_

#include <cstdint>
#include <limits>

#include "api/core/types.h"
#include "optimized/kernels/kernels.h"
#include "optimized/weights/layout.h"

namespace tandem {
namespace optimized {

// Rows of f32, one for each minibatch row; null where absent.
template <class Float>
struct RowsOf {
  Float* base = nullptr;
  Dim row = 0;  // elements from one row to the next

  Float* At(Dim n) const { return base + n * row; }
  operator RowsOf<const Float>() const { return {base, row}; }
};
using ConstRows = RowsOf<const float>;
using Rows = RowsOf<float>;

// One time step of one layer and direction. Rows are padded to blocks unless said otherwise; what is read beyond
// `units` may be anything, what is written there is zero. Gates are in Column() order.
struct BackwardCellArgs {
  Cell cell = Cell::kLstm;
  ActivationFunction activation;
  const GateFunctions* gate_functions = nullptr;  // null: those of the specification
  Reading reading = Reading::kSpec;               // of the AUGRU gradient
  DataType rounding = DataType::kF32;             // of the gates' gradients
  Dim units = 0;
  Range rows;
  Range blocks = {0, std::numeric_limits<Dim>::max()};  // of units, of those that there are; with attention all

  // The gradient with respect to h: the sum of the two that are present. `from_above` may be the user's memory, exactly `units`
  // wide.
  ConstRows from_above;
  ConstRows from_next_step;

  ConstRows gates;                  // as forward saved them (workspace_layout.h)
  ConstRows h;                      // h_t: vanilla RNN
  ConstRows h_prev;                 // null: zeros. GRU and LBR-GRU
  ConstRows c;                      // LSTM
  ConstRows c_prev;                 // null: zeros
  ConstRows linear;                 // LBR
  const float* peephole = nullptr;  // [3][peephole_row], order i, f, o
  Dim peephole_row = 0;
  ConstRows attention;  // one element each

  Rows diff_c;           // LSTM: of c_t coming in, of c_{t-1} going out
  Rows diff_gates;       // by the pre-activations
  Rows diff_gates_iter;  // LBR: the same as weights_iter sees it, with diff_o * r for diff_o
  Rows diff_h_prev;      // GRU, LBR: the part that does not go through a gate
  Rows through_reset;    // GRU's second half: the gradient with respect to r * h_prev
  Rows saved_product;    // GRU's second half: r * h_prev; LSTM with projection: o * tanh(c)
  Rows diff_attention;   // one element each
};

// Columns of a panel of gate gradients, at most.
constexpr Dim kPanelColumns = kMaxPanelVectors * kBlock;
// Columns of a panel that lie side by side in a row of gate gradients, 16 at most: those from `from` on become those from
// `to` on. Sixteen are read, and the next piece overwrites those that are too many.
struct ColumnPiece {
  Dim from;
  Dim to;
};
// A panel has four gates at most, and the first and the last piece of each may be shorter than a block.
constexpr int kMaxPieces = kMaxPanelVectors + 2 * 4;

// `columns` columns of `count` rows of gate gradients, 64 at most, packed for the product of the weights' gradient: as
// weights of `type` (layout.h) with k = row, which zeros pad to a multiple of `padding`. Their sums are added to `sums`, row
// by row. Zeros follow up to a block.
struct PackGradientArgs {
  const float* rows = nullptr;
  Dim row = 0;
  Dim count = 0;
  Dim columns = 0;
  DataType type = DataType::kF32;  // of the packed elements: f32 or bf16
  void* packed = nullptr;
  float* sums = nullptr;  // null: not wanted
  ColumnPiece piece[kMaxPieces];
  int n_pieces = 0;
  Dim padding = 1;  // a multiple of the group of `type`
};

// sums[g][u] += sum over rows of diff_gates(g) * factor: the three peephole gradients. Blocks
// [blocks) of units; c_prev may be null (zeros).
struct PeepholeGradientArgs {
  ConstRows diff_gates;
  ConstRows c_prev;
  ConstRows c;
  Range rows;
  Range blocks;
  float* sums = nullptr;  // [3][sums_row]
  Dim sums_row = 0;
};

// to[i] = a[i] + b[i], rounded; `n` elements, then zeros up to a multiple of 16. b may be null.
struct AddRowsArgs {
  ConstRows a;
  ConstRows b;
  Rows to;
  Range rows;
  Dim n = 0;
  DataType rounding = DataType::kF32;
};

// Columns [first, first + n) of rows of f32 that bf16 holds exactly, as bf16. `n` is a multiple of 16.
struct NarrowRowsArgs {
  ConstRows from;
  uint16_t* to = nullptr;
  Dim to_row = 0;
  Range rows;
  Dim first = 0;
  Dim n = 0;
};

// Rows of up to 16 units of a sum, added to or assigned to rows of the user's f32 tensor, `n` <= 16 elements of each.
struct StoreBlockArgs {
  ConstRows from;
  Rows to;
  Dim rows = 0;
  Dim n = 0;
  DiffWeightsMode mode = DiffWeightsMode::kAccumulate;
};

// to[k][row] = from[row][k]
struct TransposeRowsArgs {
  ConstRows from;
  Rows to;
  Dim rows = 0;
  Range k;
};

struct BackwardKernels {
  void (*cell)(const BackwardCellArgs& args) = nullptr;
  // GRU and AUGRU, once the gradient with respect to r * h_prev is known.
  void (*reset_gate)(const BackwardCellArgs& args) = nullptr;
  void (*pack_gradient)(const PackGradientArgs& args) = nullptr;
  void (*peephole_gradient)(const PeepholeGradientArgs& args) = nullptr;
  void (*add_rows)(const AddRowsArgs& args) = nullptr;
  void (*narrow_rows)(const NarrowRowsArgs& args) = nullptr;
  void (*store_block)(const StoreBlockArgs& args) = nullptr;
  void (*transpose_rows)(const TransposeRowsArgs& args) = nullptr;
};

BackwardKernels BackwardKernelsFor(const Target& target);

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_KERNELS_BACKWARD_KERNELS_H_
