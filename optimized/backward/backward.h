// Backward propagation: what is decided at creation, and where things lie in the scratchpad.
#ifndef TANDEM_OPTIMIZED_BACKWARD_BACKWARD_H_
#define TANDEM_OPTIMIZED_BACKWARD_BACKWARD_H_

#include <memory>
#include <string>

#include "api/core/rnn/implementation.h"
#include "optimized/backward/gate_panels.h"
#include "optimized/forward/sorted_rows.h"
#include "optimized/forward/workspace_layout.h"
#include "optimized/kernels/backward_kernels.h"
#include "optimized/kernels/kernels.h"
#include "optimized/rows/mask_kernels.h"
#include "optimized/rows/norm_kernels.h"
#include "optimized/threads/role.h"
#include "optimized/threads/team_options.h"
#include "optimized/weights/layout.h"
#include "optimized/weights/packed_weights.h"
#include "optimized/weights/regions.h"

namespace tandem {
namespace optimized {

struct BarrierFlag;

// The parts of the scratchpad, beside packed weights. R: rows (t, n) of a chunk, with sequence_lengths the live ones without
// gaps. x_row, h_row, unit_row: slc, dic or sic, dhc rounded up to blocks. Operands of products are f32 or bf16 (`narrow_`).
struct BackwardScratch {
  Region<BarrierFlag> team_flags;         // [threads]
  Region<BarrierFlag> group_flags;        // [threads]
  Region<float> zeros;                    // [longest row]: what products start from
  Region<float> peephole;                 // [3][unit_row]
  Region<float> attention;                // [T][N]
  Region<float> diff_attention;           // [T][N]
  Region<float> h_first;                  // [N][h_row]: h and c before the first step
  Region<float> c_first;                  // [N][unit_row]
  Region<float> from_above;               // [R][h_row]: diff_dst_layer, where it can't be read in place
  Region<float> diff_gates;               // [R][columns]
  Region<float> diff_gates_iter;          // [R][columns], LBR
  Region<uint16_t> narrow_gates;          // bf16 [R][columns]: diff_gates as products take it
  Region<uint16_t> narrow_gates_iter;     // bf16 [R][columns], LBR
  Region<float> product;                  // [R][unit_row]: GRU r * h_prev; LSTM before its projection
  Region<float> diff_projected;           // [R][h_row]
  Region<float> diff_unprojected;         // [N][unit_row]
  Region<float> diff_h;                   // [N][h_row]: what a step sends to the one before
  Region<float> diff_c;                   // [N][unit_row]
  Region<float> diff_h_direct;            // [N][unit_row], GRU and LBR
  Region<float> through_reset;            // [N][unit_row], GRU
  Region<float> diff_x;                   // [T][N][x_row] of several layers, [R][x_row] of one: to the layer below
  Region<float> x_rows;                   // [R][x_row]: of sequence_lengths src_layer; x through mask_layer
  Region<float> h_rows;                   // [R][h_row]: h_prev through mask_iter
  Region<float> own_diff_h;               // [N][h_row]: zoneout_iter: the gradient of the cell's own h
  Region<float> past_diff_h;              // [N][h_row]: that of h_prev past the cell
  Region<float> past_diff_c;              // [N][unit_row]: zoneout_iter_c: that of c_prev past the cell
  Region<float> masked_reset;             // [N][unit_row]: GRU with mask_iter: that of h_prev through r * h_prev
  TypedRegion x_transposed;               // operand [slc][R]
  TypedRegion h_transposed;               // operand [sic][R]
  TypedRegion product_transposed;         // operand [dhc][R]
  Region<float> diff_weights_layer;       // [panel][slc][columns]: GatePanels::InScratch()
  Region<float> diff_weights_iter;        // the same with sic
  Region<float> diff_weights_projection;  // [panel][dhc][64]
  Region<float> diff_bias;                // GatePanels::Position()
  Region<float> diff_bias_iter;           // the same, LBR
  Region<float> diff_peephole;            // [3][unit_row]
  // Layer normalization. [product]: W x and U h', or their sum.
  Region<float> delta;             // [R][columns]: of pre-activations; diff_gates are of products then
  Region<float> delta_iter;        // [R][columns], LBR
  Region<float> v_hat;             // [product][R][columns]: standardized products
  Region<float> norm_gain;         // [product][columns]
  Region<float> diff_norm_gain;    // [product][columns]
  Region<float> diff_norm_offset;  // [product][columns]
  Region<float> cell_delta;        // [R][unit_row]: of c behind its norm
  Region<float> cell_v_hat;        // [R][unit_row]: standardized c
  Region<float> cell_gain;         // [unit_row]
  Region<float> cell_offset;       // [unit_row]
  Region<float> diff_cell_gain;    // [unit_row]
  Region<float> diff_cell_offset;  // [unit_row]
  SortedRows::Scratch sorted_rows;
  TypedRegion panels;  // operand [threads][product rows][64]: gates' gradients, packed
};

class RnnBackward : public RnnPlan {
 public:
  // `problem` is validated and served (see CreateBackward), `any` not yet replaced.
  RnnBackward(const RnnProblem& problem, const Target& target, const TeamOptions& team);

  std::string name() const override;
  void Execute(const RnnBuffers& buffers) const override;

 private:
  friend class BackwardRun;

  void ChooseLayouts();
  WholeBlocks PlaceOfSums() const;
  GatePanels Panels() const { return {columns_, problem_.dhc, whole_blocks_}; }
  void MeasureSteps();
  int UsefulThreads() const;
  void PlanScratch();
  void PlanNorms(Regions* regions);
  // weights_iter sees another gradient of the gates than weights_layer.
  bool DiffersForIter() const {
    return IsLinearBeforeReset(problem_.cell) || problem_.attr.rnn_layer_norm.kind == NormKind::kParts;
  }
  // Rows of a chunk at most: with lengths, those of its last time may be more than fill it.
  Dim ChunkRows() const { return (chunk_ + (ragged_ ? 1 : 0)) * problem_.mb; }

  Target target_;
  Tuning tuning_;
  Kernels kernels_;           // gradients times the stored weights
  Kernels gradient_kernels_;  // inputs times gradients
  bool narrow_ = false;       // both take bf16
  BackwardKernels backward_kernels_;
  MaskKernels mask_kernels_;
  NormBackwardKernels norm_kernels_;
  DataType rounding_ = DataType::kF32;
  WorkspaceLayout workspace_;
  PackedWeights layer_, iter_, projection_;  // kTransposed
  PackedLayout columns_;                     // forward layout of the gates: Column() and parts

  TeamBackoff* backoff_;
  WorkShape steps_;      // of one direction
  Division division_;    // of these
  int threads_ = 1;      // at most; no more than pay
  bool ragged_ = false;  // rows have lengths of their own
  Dim chunk_ = 1;        // time steps between two products for the weights
  Dim x_row_ = 0, h_row_ = 0, unit_row_ = 0;
  WholeBlocks whole_blocks_ = WholeBlocks::kInScratch;
  BackwardScratch scratch_;
};

// Null with the reason in `why_not` for a problem that is not served.
std::unique_ptr<const RnnPlan> CreateBackward(const RnnProblem& problem, const TeamOptions& team, std::string* why_not);

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_BACKWARD_BACKWARD_H_
