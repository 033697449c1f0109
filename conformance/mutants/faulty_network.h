// All tensors of a problem as flat float arrays, read through strides that some bugs get wrong.
#ifndef TANDEM_CONFORMANCE_MUTANTS_FAULTY_NETWORK_H_
#define TANDEM_CONFORMANCE_MUTANTS_FAULTY_NETWORK_H_

#include <vector>

#include "conformance/mutants/faulty_arithmetic.h"
#include "conformance/tensor_set.h"

namespace tandem::conformance {

using Floats = std::vector<float>;

// What one call leaves behind for the next: only the bugs look at it.
struct CallMemory {
  long calls = 0;
  Floats last_h;
  Floats weights_iter;
};

class FaultyNetwork {
 public:
  FaultyNetwork(const RnnProblem& problem, const FaultyArithmetic& math, const TensorSet& tensors, CallMemory* memory);

  const RnnProblem& p;
  const FaultyArithmetic& math;
  Floats src_layer;  // [t][n][slc]
  Floats src_iter;   // [l][d][n][sic], stored states
  Floats src_iter_c;
  Floats attention;  // [t][n]
  Floats w, u, peephole, projection, bias;

  bool On(Mutation m) const { return math.On(m); }
  bool IsReversed(Dim d) const { return p.direction == Direction::kRight2Left || d == 1; }
  // The first of the weights of one gate and unit, and the distances between its inputs.
  const float* W(Dim l, Dim d, Dim gate, Dim unit) const;
  const float* U(Dim l, Dim d, Dim gate, Dim unit) const;
  Dim WStride() const { return On(Mutation::kWeightsLayerTransposed) && p.slc == p.dhc ? 1 : p.n_gates * p.dhc; }
  Dim UStride() const { return On(Mutation::kWeightsIterTransposed) && p.sic == p.dhc ? 1 : p.n_gates * p.dhc; }
  const float* R(Dim l, Dim d, Dim unit) const;
  Dim RStride() const { return On(Mutation::kProjectionTransposed) && p.dic == p.dhc ? 1 : p.dic; }
  float B(Dim l, Dim d, Dim gate, Dim unit) const;
  float P(Dim l, Dim d, Dim gate, Dim unit) const;

 private:
  Floats Load(const TensorSet& tensors, Tensor t) const;
  Floats LoadSrcLayer(const TensorSet& tensors) const;
  Floats LoadWeightsIter(const TensorSet& tensors, CallMemory* memory) const;
  void LoadStates(const TensorSet& tensors, const CallMemory& memory);
  Dim MapGate(Dim gate) const;
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_MUTANTS_FAULTY_NETWORK_H_
