// The seam between the driver (plain C++, compiled once) and the kernels (compiled once per Highway target and storage
// type). A plan picks its table once, at creation; every call does the work of one thread for at least one time step.
#ifndef TANDEM_OPTIMIZED_KERNELS_KERNELS_H_
#define TANDEM_OPTIMIZED_KERNELS_KERNELS_H_

#include <cstddef>
#include <cstdint>

#include "api/core/types.h"
#include "optimized/threads/range.h"
#include "optimized/weights/layout.h"

namespace tandem {
namespace optimized {

// What becomes of a tile of accumulators.
enum class TileOp {
  kStore,  // written to `out` as they are: W x + b, hoisted out of the recurrence
  kRnn,
  kLstm,
  kGruGates,      // u and r * h of GRU and AUGRU
  kGruCandidate,  // o and h of GRU and AUGRU
  kLbrGru,        // LBR-GRU and LBR-AUGRU
  kProjection,    // h of LSTM with projection
};

// The type a stored state is rounded to while it stays in f32 lanes.
enum class Rounding { kNone, kBf16, kF16 };
inline Rounding RoundingOf(DataType type) {
  if (type == DataType::kBf16) return Rounding::kBf16;
  return type == DataType::kF16 ? Rounding::kF16 : Rounding::kNone;
}

// Panels from first to last or back. Alternating the order from step to step finds the end of the last sweep still in
// the L2 cache when the weights are larger than it.
enum class Sweep { kForward, kBackward };

// Real value of a stored byte q: q / scale - shift (kSpec), (q - shift) / scale (kOnednn).
struct DataQuantization {
  float scale = 1.f;
  float shift = 0.f;
  Reading reading = Reading::kSpec;
  float lowest = 0.f;     // of the byte type: 0 or -128
  float highest = 255.f;  // 255 or 127
};

// Where forward_training leaves what backward needs (workspace_layout.h); all null in inference.
struct TrainingRows {
  float* gates = nullptr;  // activated, in the part's column order
  Dim gates_row = 0;
  float* linear = nullptr;  // LBR: U_o h + b_u'
  Dim linear_row = 0;
};

// The cell around the matrix product. Rows are minibatch rows; a `_row` is the distance between two, in elements.
// State pointers (h_prev, h, reset_h) are in the kernel's operand type.
struct CellArgs {
  Activation activation = Activation::kTanh;
  float alpha = 0.f;
  Dim units = 0;  // valid ones: nothing is stored beyond
  Rounding rounding = Rounding::kNone;
  Rounding c_rounding = Rounding::kNone;

  const void* h_prev = nullptr;  // null: zeros
  Dim h_prev_row = 0;
  void* h = nullptr;
  Dim h_row = 0;
  float* c = nullptr;  // in: c of the previous step; out: of this one
  Dim c_row = 0;

  const float* peephole = nullptr;  // [3][peephole_row], order i, f, o; null if absent
  Dim peephole_row = 0;
  const float* gx = nullptr;  // LBR: W x + b in column order
  Dim gx_row = 0;
  float* update = nullptr;  // GRU: u (AUGRU: (1 - a) u) from the gates to the candidate
  Dim update_row = 0;
  void* reset_h = nullptr;  // GRU: r * h
  Dim reset_h_row = 0;
  const void* attention = nullptr;  // null if absent
  DataType attention_type = DataType::kF32;
  Dim attention_row = 0;

  // int8: pre-activation = accumulator * column_scale + column_bias.
  const float* column_scale = nullptr;
  const float* column_bias = nullptr;
  DataQuantization quantization;

  TrainingRows training;
};

// Rows of A (in `segments` groups of `rows`, for the time steps of a chunk) times blocks [blocks) of one part.
struct TileArgs {
  TileOp op = TileOp::kStore;
  const void* weights = nullptr;  // the part
  Dim gates = 0;
  Dim panel_blocks = 0;
  Dim total_blocks = 0;
  Dim k = 0;  // 0: the accumulators keep their initial value
  Dim k_padded = 0;

  const void* a = nullptr;  // padded with zeros to a multiple of the storage's group
  Dim a_row = 0;
  Dim a_segment = 0;
  Dim segments = 1;
  Range rows;
  Range blocks;
  Sweep sweep = Sweep::kForward;

  // Accumulators before the product, in the part's column order, the same for every segment. Row 0 broadcasts one row.
  const void* init = nullptr;
  Dim init_row = 0;

  void* out = nullptr;  // kStore
  Dim out_row = 0;
  Dim out_segment = 0;

  const CellArgs* cell = nullptr;  // all others; needs segments == 1
};

// What a conversion does with what is already at its destination: kAdd is the second addend of bidirectional_sum.
enum class StoreMode { kAssign, kAdd };

// One contiguous run of elements from one type to another. Integral types use the quantization; with a signed one, u8
// means an operand, which is kept as byte + 128.
struct ConvertArgs {
  const void* from = nullptr;
  DataType from_type = DataType::kF32;
  void* to = nullptr;
  DataType to_type = DataType::kF32;
  Dim n = 0;
  StoreMode mode = StoreMode::kAssign;
  DataQuantization quantization;
};

// How weights become f32: in one or two instructions for a vector, or in so many that narrow ones save no time.
enum class Widening { kNone, kInstruction, kSoftware };

struct Kernels {
  DataType operand = DataType::kUndef;  // of A and of states: f32, bf16 or u8
  Dim group = 1;                        // A's rows are padded with zeros to a multiple of it
  void (*run)(const TileArgs& args) = nullptr;
  Widening widening = Widening::kNone;
};
using ConvertFunction = void (*)(const ConvertArgs& args);

// The kernels for weights stored as `storage` (f32, bf16, f16, s8), compiled for `target`.
Kernels KernelsFor(DataType storage, int64_t target);
Kernels KernelsF32(int64_t target);
Kernels KernelsBf16(int64_t target);
Kernels KernelsF16(int64_t target);
Kernels KernelsS8(int64_t target);
ConvertFunction ConvertFor(int64_t target);
// For bf16 weights with bf16 A, where the processor is faster at that than with A in f32; `run` is null elsewhere.
Kernels KernelsBf16Dot(int64_t target);

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_KERNELS_KERNELS_H_
