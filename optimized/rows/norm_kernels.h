// The interface between the drivers and the kernels of layer normalization (docs/layer_normalization.md). Rows are those of a
// minibatch. A problem without norms calls none of them.
#ifndef TANDEM_OPTIMIZED_ROWS_NORM_KERNELS_H_
#define TANDEM_OPTIMIZED_ROWS_NORM_KERNELS_H_

#include "api/core/attributes/layer_norm.h"
#include "optimized/kernels/backward_kernels.h"
#include "optimized/kernels/kernels.h"

namespace tandem {
namespace optimized {

// The sums of some gates, which lie as in a part of the packed weights (layout.h): the gates of a block of units side by side.
struct NormedSums {
  Dim gates = 0;
  Dim units = 0;
  NormScope scope = NormScope::kGate;
  float epsilon = 0.f;
};

// to = Norm(from) + addend + bias
struct NormRowsArgs {
  NormedSums sums;
  ConstRows from;
  Rows to;           // may be `from`
  ConstRows addend;  // null: zeros
  Rows kept;         // a copy of `from`; null: not wanted
  Range rows;
  const float* gain = nullptr;  // of each column, zeros beyond the units
  const float* offset = nullptr;
  const float* bias = nullptr;  // null: zeros
};

// An LSTM with a norm of c, from its pre-activations without bias.
struct NormCellArgs {
  const CellArgs* cell = nullptr;
  CellNorm norm = CellNorm::kState;
  float epsilon = 0.f;
  ConstRows sums;
  const float* bias = nullptr;
  const float* gain = nullptr;  // of each unit
  const float* offset = nullptr;
  DataType type = DataType::kF32;  // of h: f32 or bf16
  Range rows;
};

// Backward through NormRows: from the gradient `delta` of what is normalized to that of `sums`, rounded.
struct ThroughNormArgs {
  NormedSums sums;
  ConstRows v;  // as forward kept it
  ConstRows delta;
  Rows diff_v;  // zeros beyond the units
  Rows v_hat;   // standardized, for NormGradientArgs
  Range rows;
  const float* gain = nullptr;
  DataType rounding = DataType::kF32;
};

// Backward through an LSTM with a norm of c: as BackwardKernels::cell.
struct NormCellBackwardArgs {
  const BackwardCellArgs* cell = nullptr;
  CellNorm norm = CellNorm::kState;
  float epsilon = 0.f;
  const float* gain = nullptr;  // of each unit
  const float* offset = nullptr;
  Rows delta;  // the gradient of the normalized c
  Rows v_hat;
};

// gain[i] += delta[i] * v_hat[i] and offset[i] += delta[i] of all rows, for columns [first, first + n), multiples of 16.
struct NormGradientArgs {
  ConstRows delta;
  ConstRows v_hat;
  Range rows;
  Dim first = 0;
  Dim n = 0;
  float* gain = nullptr;
  float* offset = nullptr;
};

struct NormKernels {
  void (*norm_rows)(const NormRowsArgs& args) = nullptr;
  void (*norm_cell)(const NormCellArgs& args) = nullptr;
};
struct NormBackwardKernels {
  void (*through_norm)(const ThroughNormArgs& args) = nullptr;
  void (*norm_cell_backward)(const NormCellBackwardArgs& args) = nullptr;
  void (*norm_gradient)(const NormGradientArgs& args) = nullptr;
};

NormKernels NormKernelsFor(const Target& target);
NormBackwardKernels NormBackwardKernelsFor(const Target& target);

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_ROWS_NORM_KERNELS_H_
