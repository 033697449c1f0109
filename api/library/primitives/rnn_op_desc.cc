#include "api/library/primitives/rnn_op_desc.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "api/core/error.h"
#include "api/core/names.h"
#include "api/library/guard.h"
#include "api/library/object.h"
#include "dnnl/abi.h"

namespace tandem {
namespace {

constexpr dnnl_memory_desc dnnl_rnn_desc_t::*kFields[] = {
    // api/schema: op_desc_fields
    &dnnl_rnn_desc_t::src_layer_desc,
    &dnnl_rnn_desc_t::src_iter_desc,
    &dnnl_rnn_desc_t::src_iter_c_desc,
    &dnnl_rnn_desc_t::augru_attention_desc,
    &dnnl_rnn_desc_t::weights_layer_desc,
    &dnnl_rnn_desc_t::weights_iter_desc,
    &dnnl_rnn_desc_t::weights_peephole_desc,
    &dnnl_rnn_desc_t::weights_projection_desc,
    &dnnl_rnn_desc_t::bias_desc,
    &dnnl_rnn_desc_t::dst_layer_desc,
    &dnnl_rnn_desc_t::dst_iter_desc,
    &dnnl_rnn_desc_t::dst_iter_c_desc,
    &dnnl_rnn_desc_t::diff_src_layer_desc,
    &dnnl_rnn_desc_t::diff_src_iter_desc,
    &dnnl_rnn_desc_t::diff_src_iter_c_desc,
    &dnnl_rnn_desc_t::diff_augru_attention_desc,
    &dnnl_rnn_desc_t::diff_weights_layer_desc,
    &dnnl_rnn_desc_t::diff_weights_iter_desc,
    &dnnl_rnn_desc_t::diff_weights_peephole_desc,
    &dnnl_rnn_desc_t::diff_weights_projection_desc,
    &dnnl_rnn_desc_t::diff_bias_desc,
    &dnnl_rnn_desc_t::diff_dst_layer_desc,
    &dnnl_rnn_desc_t::diff_dst_iter_desc,
    &dnnl_rnn_desc_t::diff_dst_iter_c_desc,
    // api/schema: end
};
static_assert(sizeof kFields / sizeof *kFields == kDescribedTensors.size(), "each has its descriptor");
static_assert(kDescribedTensors.back() + 1 == kDescribedTensors.size(), "a tensor is its index of kFields");

// The enumerator that descriptors name by `value`.
template <class Enum, class CEnum>
Enum Find(CEnum value, const std::string& what) {
  for (const Enum ours : AllOf<Enum>()) {
    if (ToC(ours) == value) return ours;
  }
  ThrowInvalid(what);
}

std::string NameOf(dnnl_prop_kind_t kind) { return NameOrNumber(tandem_prop_kind2str(kind), kind); }

// "eltwise_relu, eltwise_tanh or eltwise_logistic"
std::string ActivationNames() {
  std::string names;
  for (const Activation activation : kActivations) {
    names += activation == kActivations.front() ? "" : activation == kActivations.back() ? " or " : ", ";
    names += TraitsOf(activation).alg_name;
  }
  return names;
}

}  // namespace

RnnProblem ToProblem(const dnnl_rnn_desc_t& desc, const Attributes& attr) {
  RnnProblem problem;
  problem.cell =
      Find<Cell>(desc.cell_kind, "cell kind: is " + NameOrNumber(tandem_alg_kind2str(desc.cell_kind), desc.cell_kind) +
                                     ", which is no RNN cell");
  problem.propagation =
      Find<Propagation>(desc.prop_kind, "propagation kind: is " + NameOf(desc.prop_kind) +
                                            ", but must be forward_training, forward_inference or backward");
  problem.direction = Find<Direction>(
      desc.direction, "direction: is " + NameOrNumber(tandem_rnn_direction2str(desc.direction), desc.direction) +
                          ", but must be unidirectional_left2right, unidirectional_right2left, bidirectional_concat or "
                          "bidirectional_sum");
  if (HasActivation(problem.cell)) {
    problem.activation = Find<Activation>(
        desc.activation_kind, "activation: is " +
                                  NameOrNumber(tandem_alg_kind2str(desc.activation_kind), desc.activation_kind) +
                                  ", but must be " + ActivationNames());
    problem.alpha = desc.alpha;
    problem.beta = desc.beta;
  }
  problem.flags = desc.flags;
  for (const Tensor tensor : kDescribedTensors) problem.md[tensor] = desc.*kFields[tensor];
  problem.attr = attr;
  Validate(&problem);
  return problem;
}

dnnl_rnn_desc_t CopyOf(const dnnl_rnn_desc_t& desc, size_t size) {
  dnnl_rnn_desc_t copy = {};
  std::memcpy(&copy, &desc, std::min(size, sizeof copy));
  const char* const bytes = reinterpret_cast<const char*>(&desc);
  if (std::any_of(bytes + std::min(size, sizeof copy), bytes + size, [](char byte) { return byte != 0; })) {
    ThrowUnimplemented("operation descriptor: has a tensor that this library does not know");
  }
  return copy;
}

dnnl_rnn_desc_t ToOpDesc(const RnnProblem& problem) {
  dnnl_rnn_desc_t desc = {};
  desc.primitive_kind = dnnl_rnn;
  desc.prop_kind = ToC(problem.propagation);
  desc.cell_kind = ToC(problem.cell);
  desc.direction = ToC(problem.direction);
  desc.activation_kind = HasActivation(problem.cell) ? ToC(problem.activation) : dnnl_alg_kind_undef;
  desc.flags = problem.flags;
  desc.alpha = problem.alpha;
  desc.beta = problem.beta;
  for (const Tensor tensor : kDescribedTensors) desc.*kFields[tensor] = problem.md[tensor];
  return desc;
}

void Append(const dnnl_rnn_desc_t& desc, IdBuilder* id) {
  id->Add(desc.prop_kind).Add(desc.cell_kind).Add(desc.direction).Add(desc.activation_kind);
  id->Add(desc.flags).Add(desc.alpha).Add(desc.beta);
  for (const Tensor tensor : kDescribedTensors) id->Add(desc.*kFields[tensor]);
}

dnnl_prop_kind_t ToC(Propagation propagation) {
  switch (propagation) {
    case Propagation::kForwardInference:
      return dnnl_forward_inference;
    case Propagation::kForwardTraining:
      return dnnl_forward_training;
    case Propagation::kBackward:
      return dnnl_backward;
  }
  return dnnl_prop_kind_undef;
}

dnnl_rnn_direction_t ToC(Direction direction) {
  switch (direction) {
    case Direction::kLeft2Right:
      return dnnl_unidirectional_left2right;
    case Direction::kRight2Left:
      return dnnl_unidirectional_right2left;
    case Direction::kBidirectionalConcat:
      return dnnl_bidirectional_concat;
    case Direction::kBidirectionalSum:
      return dnnl_bidirectional_sum;
  }
  return dnnl_rnn_direction_undef;
}

dnnl_alg_kind_t ToC(Cell cell) { return TraitsOf(cell).alg_kind; }
dnnl_alg_kind_t ToC(Activation activation) { return TraitsOf(activation).alg_kind; }

}  // namespace tandem

dnnl_status_t tandem_rnn_desc_init(dnnl_rnn_desc_t* desc, size_t size, const tandem_rnn_kind_t* kind, int count,
                                   const dnnl_memory_desc* const* tensors, const dnnl_memory_desc* const* diffs) {
  using namespace tandem;
  const dnnl_status_t status =
      tandem_rnn_prop_kind_check(kind->prop_kind, diffs == nullptr ? dnnl_forward : dnnl_backward);
  if (status != dnnl_success) return status;
  return Guard("rnn", [&] {
    NotNull(desc, "operation descriptor: pointer for the result");
    constexpr int kKnown = static_cast<int>(kDescribedForward.size());
    dnnl_rnn_desc_t result = {};
    result.primitive_kind = dnnl_rnn;
    result.prop_kind = kind->prop_kind;
    result.cell_kind = kind->cell_kind;
    result.direction = kind->direction;
    result.activation_kind = kind->activation_kind;
    result.flags = kind->flags;
    result.alpha = kind->alpha;
    result.beta = kind->beta;
    for (int i = 0; i < count; ++i) {
      const bool is_given = tensors[i] != nullptr, has_diff = diffs != nullptr && diffs[i] != nullptr;
      const Tensor tensor = i < kKnown ? kDescribedForward[static_cast<size_t>(i)] : kNoTensor;
      if ((is_given && tensor == kNoTensor) || (has_diff && (tensor == kNoTensor || !HasDiff(tensor)))) {
        ThrowUnimplemented("tensor " + std::to_string(i) + ": is given, but this library does not know it");
      }
      if (is_given) result.*kFields[tensor] = *tensors[i];
      if (has_diff) result.*kFields[Diff(tensor)] = *diffs[i];
    }
    ToProblem(result, Attributes());
    std::memcpy(desc, &result, std::min(size, sizeof result));
  });
}

dnnl_status_t tandem_rnn_prop_kind_check(dnnl_prop_kind_t kind, dnnl_prop_kind_t pass) {
  return tandem::Guard([&] {
    const bool is_backward = pass == dnnl_backward;
    if (is_backward ? kind == dnnl_backward : kind == dnnl_forward_training || kind == dnnl_forward_inference) return;
    tandem::ThrowInvalid("propagation kind: is " + tandem::NameOf(kind) + ", but " +
                         (is_backward ? "a backward primitive takes backward only"
                                      : "a forward primitive takes forward_training and forward_inference only"));
  });
}

dnnl_status_t tandem_rnn_desc_check(const dnnl_rnn_desc_t* desc, size_t size) {
  return tandem::Guard("rnn", [&] { tandem::ToProblem(tandem::CopyOf(*desc, size), tandem::Attributes()); });
}
