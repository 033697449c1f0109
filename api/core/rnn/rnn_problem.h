// A validated RNN problem: what both backends and the harness's oracle are given.
#ifndef TANDEM_API_CORE_RNN_RNN_PROBLEM_H_
#define TANDEM_API_CORE_RNN_RNN_PROBLEM_H_

#include <array>
#include <cstdint>
#include <string>

#include "api/core/attributes/attributes.h"
#include "api/core/memory/memory_desc.h"
#include "api/core/types.h"

namespace tandem {

struct RnnProblem {
  Cell cell = Cell::kVanillaRnn;
  Propagation propagation = Propagation::kForwardInference;
  Direction direction = Direction::kLeft2Right;
  Activation activation = Activation::kTanh;  // vanilla RNN only
  float alpha = 0.f, beta = 0.f;              // of the activation
  unsigned flags = 0;                         // dnnl_rnn_flags_*
  std::array<MemoryDesc, kNumTensors> md{};   // absent tensors are zero descriptors
  Attributes attr;

  // Derived from md by Validate(), in the specification's letters.
  Dim n_layer = 0, n_dir = 0, n_iter = 0, mb = 0;
  Dim slc = 0, sic = 0, dhc = 0, dic = 0, dlc = 0;
  Dim n_gates = 0, n_bias_gates = 0;

  ActivationFunction Function() const { return {activation, alpha, beta}; }
  // The functions of the gates; those of the specification unless the attributes give others.
  const GateFunctions& Gates() const { return attr.rnn_gates; }
  bool HasDefaultGates() const { return AreDefault(attr.rnn_gates); }
  bool Has(Tensor tensor) const { return !IsZero(md[tensor]); }
  bool IsTraining() const { return propagation == Propagation::kForwardTraining; }
  bool IsBackward() const { return propagation == Propagation::kBackward; }
  bool HasPeephole() const { return Has(kWeightsPeephole); }
  bool HasProjection() const { return Has(kWeightsProjection); }
  // Data type of h and of the activations: src_layer's.
  DataType SrcType() const { return TypeOf(md[kSrcLayer]); }
  // True if the direction with index `dir` walks from the last time step to the first.
  bool IsReversed(Dim dir) const { return tandem::IsReversed(direction, dir); }
  bool IsInt8() const { return IsByte(SrcType()); }
  // Weights in s8, of floating or of 8-bit data: each stands for its byte divided by its channel's scale.
  bool HasByteWeights() const { return IsByte(TypeOf(md[kWeightsLayer])); }
  // f32 data and s8 weights: each row becomes bytes before it is multiplied.
  bool IsDynamic() const { return attr.rnn_dynamic_quantization; }
  DiffWeightsMode diff_weights_mode() const {
    return (flags & dnnl_rnn_flags_diff_weights_overwrite) ? DiffWeightsMode::kOverwrite : DiffWeightsMode::kAccumulate;
  }
};

// Fills the derived fields and checks every rule of the specification that does not depend on an implementation: ranks,
// dims, pairing of optional tensors, data types, directions, attributes. Throws tandem::Error: unimplemented for data
// types and attributes, invalid_arguments for the rest. Messages name the tensor and both disagreeing values.
void Validate(RnnProblem* problem);

// The forward_training problem whose outputs and workspace backward `problem` takes.
RnnProblem ForwardOf(const RnnProblem& problem);

// The types in which h and c are stored between executions: those of src_iter and dst_iter (src_iter_c and dst_iter_c),
// which agree; src_layer's (f32) where neither is given.
DataType IterStateType(const RnnProblem& problem);
DataType CellStateType(const RnnProblem& problem);

// The f32 down-conversions that the problem's attributes permit for the inputs of its matrix products: kStrict unless
// every tensor is f32 (integral computation and 16-bit storage ignore the mode).
FpmathMode EffectiveFpmathMode(const RnnProblem& problem);

}  // namespace tandem

#endif  // TANDEM_API_CORE_RNN_RNN_PROBLEM_H_
