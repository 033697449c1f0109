// Forward propagation: what is decided at creation, and where things lie in the scratchpad.
#ifndef TANDEM_OPTIMIZED_FORWARD_FORWARD_H_
#define TANDEM_OPTIMIZED_FORWARD_FORWARD_H_

#include <algorithm>
#include <array>
#include <memory>
#include <string>

#include "api/core/rnn/implementation.h"
#include "api/core/rnn/stepper.h"
#include "optimized/forward/column_scales.h"
#include "optimized/forward/sorted_rows.h"
#include "optimized/forward/workspace_layout.h"
#include "optimized/kernels/kernels.h"
#include "optimized/rows/mask_kernels.h"
#include "optimized/rows/norm_kernels.h"
#include "optimized/threads/team_options.h"
#include "optimized/weights/layout.h"
#include "optimized/weights/packed_weights.h"
#include "optimized/weights/regions.h"

namespace tandem {
namespace optimized {

struct BarrierFlag;

// The parts of the scratchpad, beside packed weights. state: of type RnnForward::state. [D] and so on: its dims, outermost
// first.
struct ForwardScratch {
  Region<BarrierFlag> team_flags;   // [threads]
  Region<BarrierFlag> group_flags;  // [threads]
  TypedRegion init;                 // sums [L][D][columns]: what they start from; zeros, but for int8
  TypedRegion iter_init;            // int8: sums [L][D][columns]: what LBR's U h starts from
  Region<float> column_bias;        // [L][D][columns]
  Region<float> iter_bias;          // [L][D][columns]: the bias of LBR's U h
  TypedRegion projection_init;      // sums [L][D][projection columns]
  Region<float> projection_bias;    // s8 weights: [L][D][projection columns]
  Region<float> peephole;           // [L][D][3][units]
  TypedRegion staged;               // state [group][chunk][rows][x_row]: src_layer, where it can't be read in place
  Region<float> attention;          // [group][cell]: of sequence_lengths, as staged
  TypedRegion gx;                   // sums [group][chunk][rows][columns]: W x; of LBR W x + b
  TypedRegion states;               // state [D][L][slots][N][h_row]: h of a chunk
  TypedRegion initial;              // state [D][L][N][h_row]: h before the first step
  TypedRegion masked_h;             // state [thread][N][h_row]: h as U reads it, through mask_iter
  Region<float> c_before;           // [D][N][u_row]: zoneout_iter_c: c before a step
  TypedRegion unprojected;          // state [D][N][u_row]: h of LSTM before the projection
  Region<float> c;                  // [D][L][N][u_row]
  Region<float> norm_gain;          // [product][L][D][columns]: layer normalization
  Region<float> norm_offset;        // the same
  Region<float> cell_gain;          // [L][D][u_row]: of c
  Region<float> cell_offset;        // the same
  Region<float> sums;               // [D][N][columns]: what norms are of
  Region<float> update;             // [D][N][u_row]: u of GRU
  TypedRegion reset_h;              // state [D][N][u_row]: r * h of GRU
  Region<uint8_t> x_bytes;          // dynamic: [thread][cell][x_row or h_row]: A of W x,
  Region<uint8_t> h_bytes;          // [thread][N][h_row or u_row]: of U h and of the projection
  Region<QuantizedRow> x_scales;    // [thread][cell]
  Region<QuantizedRow> h_scales;    // [thread][N]
  SortedRows::Scratch sorted_rows;
};

// This says where h of the last layer is between two steps: in dst_layer if that can be, or always in the scratchpad, because
// the client's dst_layer is another one in each step of a stream.
enum class LastStates { kInDstLayer, kInScratchpad };

class RnnForward : public RnnPlan {
 public:
  // `problem` is validated and served (see CreateRnn), `any` not yet replaced.
  RnnForward(const RnnProblem& problem, const Target& target, const TeamOptions& team,
             LastStates last_states = LastStates::kInDstLayer);

  std::string name() const override;
  void Execute(const RnnBuffers& buffers) const override;

  // Executions and streams read all that follows. They have a const plan, so that they cannot change it.
  bool Normalizes() const { return problem_.attr.rnn_layer_norm.given(); }
  // The columns of all layers and directions.
  Dim NormColumns() const { return problem_.n_layer * problem_.n_dir * layer.layout.columns; }
  // The length of a row of bytes of dynamic quantization.
  Dim XBytesRow() const { return std::max(x_row, h_row); }
  Dim HBytesRow() const { return std::max(h_row, u_row); }
  // Sums become pre-activations by the scales of the weights, with the bias, in the gate math.
  bool ScalesColumns() const { return storage == DataType::kS8; }
  // Null for an activation that the row functions have no code for.
  RowFunction RowFunctionFor(TileOp op) const {
    const bool is_called = HasActivation(problem_.cell) && !IsInlined(problem_.activation);
    return is_called || !problem_.HasDefaultGates() || Normalizes() ? nullptr : kernels.row_function(op, problem_.cell);
  }

  Target target;
  Tuning tuning;
  DataType storage = DataType::kF32;  // of packed weights
  Kernels kernels;
  ConvertFunction convert;
  QuantizeRowFunction quantize_row;
  MaskKernels mask_kernels;
  NormKernels norm_kernels;
  StateQuantization quantization;
  PackedWeights layer, iter, projection;
  ColumnScales gate_scales, projection_scales;  // s8 weights

  WorkShape work;
  Division division;
  WeightsIn weights_in = WeightsIn::kL2;
  // One row of a small layer: for the parts of weights_iter, and for a projection. Null: Kernels::run.
  RowFunction row_functions[2] = {};
  RowFunction row_projection = nullptr;
  TeamBackoff* backoff;
  int threads = 1;     // at most: the scratchpad has flags for so many
  Dim chunk = 1;       // time steps whose W x is computed at once,
  Dim rows = 1;        // for so many minibatch rows at most
  Dim input_rows = 1;  // minibatch rows at most where each step adds its W x
  Dim cells = 1;       // of these steps and rows at most
  Dim slots = 1;       // time steps of h that are kept
  Dim x_row = 0;       // row sizes in elements
  Dim h_row = 0;
  Dim u_row = 0;
  DataType state = DataType::kF32;  // of h, and of src_layer where it is staged
  Dim state_padding = 1;            // rows of these are padded with zeros to a multiple of it
  bool ragged = false;              // rows have lengths of their own
  bool staged = false;              // src_layer is copied before use
  bool masks_input = false;         // so is what each layer reads, through mask_layer
  bool direct = false;              // the last layer's h is kept in dst_layer itself
  bool copies_h = false;            // a row function writes dst_layer besides
  bool initial_in_place = false;    // h before the first step is read from src_iter, unless outputs overlap it
  std::array<size_t, kNumTensors> extents = {};  // bytes of src_iter and of the outputs that are compared for that
  bool packs = false;                            // weights arrive in a plain layout
  bool tails = false;                            // rows of states have to be padded with zeros
  ForwardScratch scratch;
  WorkspaceLayout workspace;  // training

 private:
  void ChooseLayouts(LastStates last_states);
  bool StepsByRow() const;
  void MeasureWork();
  Dim MostRaggedSteps() const;
  double ResidentL2Bytes() const;
  Dim RowsWithInput() const;
  WeightsIn PlaceOfWeights() const;
  bool SumsBytes() const { return kernels.operand == DataType::kU8; }
  void PlanScratch();
  void PlanBytes(Regions* regions);
};

// Null with the reason in `why_not` for a problem that is not served.
std::unique_ptr<const RnnPlan> CreateForward(const RnnProblem& problem, const TeamOptions& team, std::string* why_not);
// A StepperFactory.
std::unique_ptr<Stepper> CreateForwardStream(const RnnProblem& problem, const StepWeights& weights);

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_FORWARD_FORWARD_H_
