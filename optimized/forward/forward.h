// Forward propagation: what is decided at creation, and where things lie in the scratchpad.
#ifndef TANDEM_OPTIMIZED_FORWARD_FORWARD_H_
#define TANDEM_OPTIMIZED_FORWARD_FORWARD_H_

#include <memory>
#include <string>

#include "api/core/rnn/implementation.h"
#include "optimized/forward/workspace_layout.h"
#include "optimized/kernels/kernels.h"
#include "optimized/threads/role.h"
#include "optimized/weights/layout.h"
#include "optimized/weights/packed_weights.h"

namespace tandem {
namespace optimized {

// Byte offsets from the scratchpad's first cache line. [D] and so on: outermost dims of what lies there.
struct ForwardScratch {
  size_t team_flags = 0;     // BarrierFlag [threads]
  size_t group_flags = 0;    // BarrierFlag [threads]
  size_t weights_layer = 0;  // packed here if given plain
  size_t weights_iter = 0;
  size_t weights_projection = 0;
  size_t bias = 0;              // accumulator type [L][D][columns]: what W x starts from
  size_t iter_bias = 0;         // f32 [L][D][columns]: what LBR's U h starts from
  size_t column_bias = 0;       // int8: f32 [L][D][columns]
  size_t column_scale = 0;      // int8: f32 [L][D][columns]
  size_t projection_init = 0;   // accumulator type [L][D][projection columns]
  size_t projection_bias = 0;   // int8: f32 [L][D][projection columns]
  size_t projection_scale = 0;  // int8: f32 [L][D][projection columns]
  size_t peephole = 0;          // f32 [L][D][3][units]
  size_t staged = 0;            // operand [group][chunk][rows][x_row]: src_layer, where it can't be read in place
  size_t gx = 0;                // accumulators [group][chunk][rows][columns]: W x + b
  size_t states = 0;            // operand [D][L][slots][N][h_row]: h of a chunk
  size_t initial = 0;           // operand [D][L][N][h_row]: h before the first step
  size_t unprojected = 0;       // operand [D][N][u_row]: h of LSTM before the projection
  size_t c = 0;                 // f32 [D][L][N][u_row]
  size_t update = 0;            // f32 [D][N][u_row]: u of GRU
  size_t reset_h = 0;           // operand [D][N][u_row]: r * h of GRU
};

class RnnForward : public RnnPlan {
 public:
  // `problem` is validated and served (see CreateRnn), `any` not yet replaced.
  RnnForward(const RnnProblem& problem, int64_t target);

  std::string name() const override;
  void Execute(const RnnBuffers& buffers) const override;

 private:
  friend class ForwardRun;

  void ChooseLayouts();
  void MeasureWork();
  void PlanScratch();

  int64_t target_;
  DataType storage_ = DataType::kF32;  // of packed weights
  Kernels kernels_;
  ConvertFunction convert_;
  DataQuantization quantization_;
  PackedWeights layer_, iter_, projection_;

  WorkShape work_;
  Division division_;
  int threads_ = 1;  // at most: the scratchpad has flags for so many
  Dim chunk_ = 1;    // time steps whose W x is computed at once,
  Dim rows_ = 1;     // for so many minibatch rows at most
  Dim slots_ = 1;    // time steps of h that are kept
  Dim x_row_ = 0;    // row sizes in elements
  Dim h_row_ = 0;
  Dim u_row_ = 0;
  bool staged_ = false;            // src_layer is copied before use
  bool direct_ = false;            // the last layer's h is kept in dst_layer itself
  bool initial_in_place_ = false;  // h before the first step is read from src_iter, unless outputs overlap it
  bool tails_ = false;             // rows of states have to be padded with zeros
  ForwardScratch scratch_;
  WorkspaceLayout workspace_;  // training
};

// Null where CreateRnn should say no; see there.
std::unique_ptr<const RnnPlan> CreateForward(const RnnProblem& problem, std::string* why_not);

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_FORWARD_FORWARD_H_
