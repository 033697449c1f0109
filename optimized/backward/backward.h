// Backward propagation: what is decided at creation, and where things lie in the scratchpad.
#ifndef TANDEM_OPTIMIZED_BACKWARD_BACKWARD_H_
#define TANDEM_OPTIMIZED_BACKWARD_BACKWARD_H_

#include <memory>
#include <string>

#include "api/core/rnn/implementation.h"
#include "optimized/forward/workspace_layout.h"
#include "optimized/kernels/backward_kernels.h"
#include "optimized/kernels/kernels.h"
#include "optimized/weights/layout.h"
#include "optimized/weights/packed_weights.h"

namespace tandem {
namespace optimized {

// Byte offsets from the scratchpad's first cache line; f32 unless said otherwise. R: rows (t, n) of a chunk. x_row,
// h_row, unit_row: slc, dic or sic, dhc rounded up to blocks.
struct BackwardScratch {
  size_t flags = 0;          // BarrierFlag [threads]
  size_t weights_layer = 0;  // packed here if given plain
  size_t weights_iter = 0;
  size_t weights_projection = 0;
  size_t zeros = 0;                    // [longest row]: what products start from
  size_t peephole = 0;                 // [3][unit_row]
  size_t attention = 0;                // [T][N]
  size_t diff_attention = 0;           // [T][N]
  size_t h_first = 0;                  // [N][h_row]: h and c before the first step
  size_t c_first = 0;                  // [N][unit_row]
  size_t from_above = 0;               // [R][h_row]: diff_dst_layer, where it can't be read in place
  size_t diff_gates = 0;               // [R][columns]
  size_t diff_gates_iter = 0;          // [R][columns], LBR
  size_t narrow_gates = 0;             // bf16 [R][columns]: diff_gates as products take it
  size_t narrow_gates_iter = 0;        // bf16 [R][columns], LBR
  size_t product = 0;                  // [R][unit_row]: GRU r * h_prev; LSTM before its projection
  size_t diff_projected = 0;           // [R][h_row]
  size_t diff_unprojected = 0;         // [N][unit_row]
  size_t diff_h = 0;                   // [N][h_row]: what a step sends to the one before
  size_t diff_c = 0;                   // [N][unit_row]
  size_t diff_h_direct = 0;            // [N][unit_row], GRU and LBR
  size_t through_reset = 0;            // [N][unit_row], GRU
  size_t diff_x = 0;                   // [T][N][x_row] of several layers, [R][x_row] of one: to the layer below
  size_t x_transposed = 0;             // [slc][R], bf16 where products take it
  size_t h_transposed = 0;             // [sic][R], likewise
  size_t product_transposed = 0;       // [dhc][R], likewise
  size_t diff_weights_layer = 0;       // [panel][slc][64]
  size_t diff_weights_iter = 0;        // [panel][sic][64]
  size_t diff_weights_projection = 0;  // [panel][dhc][64]
  size_t diff_bias = 0;                // [columns]
  size_t diff_bias_iter = 0;           // [columns], LBR
  size_t diff_peephole = 0;            // [3][unit_row]
  size_t panels = 0;  // [threads][rows, at most kRowBlock][64]: gates' gradients, packed; bf16 likewise
};

class RnnBackward : public RnnPlan {
 public:
  // `problem` is validated and served (see CreateBackward), `any` not yet replaced.
  RnnBackward(const RnnProblem& problem, int64_t target);

  std::string name() const override;
  void Execute(const RnnBuffers& buffers) const override;

 private:
  friend class BackwardRun;

  void ChooseLayouts();
  void PlanScratch();

  int64_t target_;
  Kernels kernels_;           // gradients times the stored weights
  Kernels gradient_kernels_;  // inputs times gradients
  bool narrow_ = false;       // both take bf16
  BackwardKernels backward_kernels_;
  Rounding rounding_ = Rounding::kNone;
  WorkspaceLayout workspace_;
  PackedWeights layer_, iter_, projection_;  // kTransposed
  PackedLayout columns_;                     // forward layout of the gates: Column() and parts

  int threads_ = 1;  // at most
  Dim chunk_ = 1;    // time steps between two products for the weights
  Dim x_row_ = 0, h_row_ = 0, unit_row_ = 0;
  BackwardScratch scratch_;
};

// Null with the reason in `why_not` for a problem that is not served.
std::unique_ptr<const RnnPlan> CreateBackward(const RnnProblem& problem, std::string* why_not);

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_BACKWARD_BACKWARD_H_
