// The interface between the drivers and the kernels of masks (docs/rnn_masks.md): one row of a minibatch in each call. A problem
// without masks calls none of them.
#ifndef TANDEM_OPTIMIZED_ROWS_MASK_KERNELS_H_
#define TANDEM_OPTIMIZED_ROWS_MASK_KERNELS_H_

#include "api/core/types.h"
#include "optimized/machine/target.h"

namespace tandem {
namespace optimized {

// to[i] = mask[i] * from[i], rounded; then zeros up to `padded` elements. `to` may be `from`.
struct MaskRowArgs {
  const void* from = nullptr;
  const float* mask = nullptr;
  void* to = nullptr;
  DataType type = DataType::kF32;      // of both rows: f32 or bf16
  DataType rounding = DataType::kF32;  // to which a product is rounded while it stays in f32
  Dim n = 0;
  Dim padded = 0;
};

// Zoneout: state[i] = z[i] * before[i] + (1 - z[i]) * state[i], rounded.
struct MixRowArgs {
  const void* before = nullptr;
  const float* zoneout = nullptr;
  void* state = nullptr;
  DataType type = DataType::kF32;  // of both states: f32 or bf16
  DataType rounding = DataType::kF32;
  Dim n = 0;
};

// Backward through zoneout: of the gradient d = above[i] + next[i] of a mixed state, of_cell[i] = (1 - z[i]) * d is that of the
// cell's own state, and past[i] = z[i] * d goes past the cell. `next` may be any of the results.
struct SplitRowArgs {
  const float* above = nullptr;  // null: zeros
  const float* next = nullptr;
  const float* zoneout = nullptr;
  float* of_cell = nullptr;
  float* past = nullptr;
  Dim n = 0;
};

// Backward: diff[i] = mask[i] * diff[i] + direct[i] + past[i]
struct JoinRowArgs {
  float* diff = nullptr;
  const float* mask = nullptr;    // null: ones
  const float* direct = nullptr;  // null: zeros
  const float* past = nullptr;    // null: zeros
  Dim n = 0;
};

struct MaskKernels {
  void (*mask)(const MaskRowArgs& args) = nullptr;
  void (*mix)(const MixRowArgs& args) = nullptr;
  void (*split)(const SplitRowArgs& args) = nullptr;
  void (*join)(const JoinRowArgs& args) = nullptr;
};

MaskKernels MaskKernelsFor(const Target& target);

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_ROWS_MASK_KERNELS_H_
