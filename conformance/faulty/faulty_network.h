// All tensors of a problem as flat float arrays, read through strides that some bugs get wrong.
#ifndef TANDEM_CONFORMANCE_FAULTY_FAULTY_NETWORK_H_
#define TANDEM_CONFORMANCE_FAULTY_FAULTY_NETWORK_H_

#include <vector>

#include "api/core/rnn/step_walk.h"
#include "conformance/faulty/faulty_arithmetic.h"
#include "conformance/faulty/faulty_memory.h"
#include "conformance/faulty/tensor_view.h"

namespace tandem::conformance {

class FaultyNetwork {
 public:
  FaultyNetwork(const RnnProblem& problem, const FaultyArithmetic& math, const TensorViews& tensors,
                const FaultyScratch& scratch, CallMemory* memory);

  const RnnProblem& p;
  const FaultyArithmetic& math;
  const FaultyScratch& scratch;
  Floats src_layer;  // [t][n][slc]
  Floats src_iter;   // [l][d][n][sic], stored states
  Floats src_iter_c;
  Floats attention;  // [t][n]
  Floats w, u, peephole, projection, bias;
  Floats norm_gain, norm_offset;                               // [l][d][norm][dhc]
  Floats mask_layer, mask_iter, zoneout_iter, zoneout_iter_c;  // as the tensors; empty where absent
  std::vector<Dim> lengths;                                    // [n], steps of each row
  // How many threads there are, and how many share the rows.
  Dim threads = 1, sharing = 1;

  bool On(Mutation m) const { return math.On(m); }
  // Whether a row has a step of this layer and direction at time t.
  bool IsLive(Dim l, Dim d, Dim t, Dim n) const;
  // The first weight of one gate and unit, and the distance between the weights of its inputs.
  const float* W(Dim l, Dim d, Dim gate, Dim unit) const;
  const float* U(Dim l, Dim d, Dim gate, Dim unit) const;
  Dim WStride() const { return On(Mutation::kWeightsLayerTransposed) && p.slc == p.dhc ? 1 : p.n_gates * p.dhc; }
  Dim UStride() const { return On(Mutation::kWeightsIterTransposed) && p.sic == p.dhc ? 1 : p.n_gates * p.dhc; }
  const float* R(Dim l, Dim d, Dim unit) const;
  Dim RStride() const { return On(Mutation::kProjectionTransposed) && p.dic == p.dhc ? 1 : p.dic; }
  float B(Dim l, Dim d, Dim gate, Dim unit) const;
  float P(Dim l, Dim d, Dim gate, Dim unit) const;

 private:
  Floats Load(const TensorViews& tensors, Tensor t) const;
  Floats LoadSrcLayer(const TensorView& view) const;
  Floats LoadAttention(const TensorView& view) const;
  void LoadLengths(const TensorView& view, CallMemory* memory);
  Floats LoadWeightsIter(const TensorViews& tensors, CallMemory* memory) const;
  void LoadStates(const TensorViews& tensors, CallMemory* memory);
  void LoadMasks(const TensorViews& tensors, CallMemory* memory);
  Dim MapGate(Dim gate) const;
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_FAULTY_FAULTY_NETWORK_H_
