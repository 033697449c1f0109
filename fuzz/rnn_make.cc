#include <type_traits>
#include <utility>

#include "fuzz/rnn_case.h"

namespace tandem {
namespace fuzz {
namespace {

using Base = dnnl::rnn_primitive_desc_base;

// Every constructor takes these. `args` are those between the engine and the attributes, in the specification's order.
struct Common {
  Generation generation;
  const dnnl::primitive_attr& attr;
  bool allow_empty;
  dnnl::engine cpu = dnnl::engine(dnnl::engine::kind::cpu, 0);
};

template <class Op, class... Args>
Base Forward(const Common& common, const Args&... args) {
  using Pd = typename Op::primitive_desc;
  if (common.generation == Generation::kV2) {
    return Pd(typename Op::desc(args...), common.attr, common.cpu, common.allow_empty);
  }
  return Pd(common.cpu, args..., common.attr, common.allow_empty);
}

template <class Op, class ForwardOp, class... Args>
Base Backward(const Common& common, const Base& hint, const Args&... args) {
  using Pd = typename Op::primitive_desc;
  const typename ForwardOp::primitive_desc hint_pd(hint.get(true));
  if (common.generation == Generation::kV2) {
    return Pd(typename Op::desc(args...), common.attr, common.cpu, hint_pd, common.allow_empty);
  }
  return Pd(common.cpu, args..., hint_pd, common.attr, common.allow_empty);
}

template <class Op>
Base GruForward(const Common& common, const RnnCase& r) {
  return Forward<Op>(common, r.prop, r.direction, r.md[kSrcLayer], r.md[kSrcIter], r.md[kWeightsLayer],
                     r.md[kWeightsIter], r.md[kBias], r.md[kDstLayer], r.md[kDstIter]);
}

template <class Op>
Base AugruForward(const Common& common, const RnnCase& r) {
  return Forward<Op>(common, r.prop, r.direction, r.md[kSrcLayer], r.md[kSrcIter], r.md[kAugruAttention],
                     r.md[kWeightsLayer], r.md[kWeightsIter], r.md[kBias], r.md[kDstLayer], r.md[kDstIter]);
}

Base LstmForward(const Common& common, const RnnCase& r) {
  return Forward<dnnl::lstm_forward>(common, r.prop, r.direction, r.md[kSrcLayer], r.md[kSrcIter], r.md[kSrcIterC],
                                     r.md[kWeightsLayer], r.md[kWeightsIter], r.md[kWeightsPeephole],
                                     r.md[kWeightsProjection], r.md[kBias], r.md[kDstLayer], r.md[kDstIter],
                                     r.md[kDstIterC]);
}

// The generations put alpha in different places.
Base VanillaForward(const Common& common, const RnnCase& r) {
  using Op = dnnl::vanilla_rnn_forward;
  if (common.generation == Generation::kV2) {
    const Op::desc op(r.prop, r.activation, r.direction, r.md[kSrcLayer], r.md[kSrcIter], r.md[kWeightsLayer],
                      r.md[kWeightsIter], r.md[kBias], r.md[kDstLayer], r.md[kDstIter], dnnl::rnn_flags::undef, r.alpha,
                      r.beta);
    return Op::primitive_desc(op, common.attr, common.cpu, common.allow_empty);
  }
  return Op::primitive_desc(common.cpu, r.prop, r.activation, r.direction, r.md[kSrcLayer], r.md[kSrcIter],
                            r.md[kWeightsLayer], r.md[kWeightsIter], r.md[kBias], r.md[kDstLayer], r.md[kDstIter],
                            r.alpha, r.beta, common.attr, common.allow_empty);
}

template <class Op, class ForwardOp>
Base GruBackward(const Common& common, const Base& hint, const RnnCase& r) {
  return Backward<Op, ForwardOp>(common, hint, r.prop, r.direction, r.md[kSrcLayer], r.md[kSrcIter],
                                 r.md[kWeightsLayer], r.md[kWeightsIter], r.md[kBias], r.md[kDstLayer], r.md[kDstIter],
                                 r.md[kDiffSrcLayer], r.md[kDiffSrcIter], r.md[kDiffWeightsLayer],
                                 r.md[kDiffWeightsIter], r.md[kDiffBias], r.md[kDiffDstLayer], r.md[kDiffDstIter]);
}

template <class Op, class ForwardOp>
Base AugruBackward(const Common& common, const Base& hint, const RnnCase& r) {
  return Backward<Op, ForwardOp>(common, hint, r.prop, r.direction, r.md[kSrcLayer], r.md[kSrcIter],
                                 r.md[kAugruAttention], r.md[kWeightsLayer], r.md[kWeightsIter], r.md[kBias],
                                 r.md[kDstLayer], r.md[kDstIter], r.md[kDiffSrcLayer], r.md[kDiffSrcIter],
                                 r.md[kDiffAugruAttention], r.md[kDiffWeightsLayer], r.md[kDiffWeightsIter],
                                 r.md[kDiffBias], r.md[kDiffDstLayer], r.md[kDiffDstIter]);
}

Base LstmBackward(const Common& common, const Base& hint, const RnnCase& r) {
  return Backward<dnnl::lstm_backward, dnnl::lstm_forward>(
      common, hint, r.prop, r.direction, r.md[kSrcLayer], r.md[kSrcIter], r.md[kSrcIterC], r.md[kWeightsLayer],
      r.md[kWeightsIter], r.md[kWeightsPeephole], r.md[kWeightsProjection], r.md[kBias], r.md[kDstLayer],
      r.md[kDstIter], r.md[kDstIterC], r.md[kDiffSrcLayer], r.md[kDiffSrcIter], r.md[kDiffSrcIterC],
      r.md[kDiffWeightsLayer], r.md[kDiffWeightsIter], r.md[kDiffWeightsPeephole], r.md[kDiffWeightsProjection],
      r.md[kDiffBias], r.md[kDiffDstLayer], r.md[kDiffDstIter], r.md[kDiffDstIterC]);
}

Base VanillaBackward(const Common& common, const Base& hint, const RnnCase& r) {
  using Op = dnnl::vanilla_rnn_backward;
  const dnnl::vanilla_rnn_forward::primitive_desc hint_pd(hint.get(true));
  if (common.generation == Generation::kV2) {
    const Op::desc op(r.prop, r.activation, r.direction, r.md[kSrcLayer], r.md[kSrcIter], r.md[kWeightsLayer],
                      r.md[kWeightsIter], r.md[kBias], r.md[kDstLayer], r.md[kDstIter], r.md[kDiffSrcLayer],
                      r.md[kDiffSrcIter], r.md[kDiffWeightsLayer], r.md[kDiffWeightsIter], r.md[kDiffBias],
                      r.md[kDiffDstLayer], r.md[kDiffDstIter], dnnl::rnn_flags::undef, r.alpha, r.beta);
    return Op::primitive_desc(op, common.attr, common.cpu, hint_pd, common.allow_empty);
  }
  return Op::primitive_desc(common.cpu, r.prop, r.activation, r.direction, r.md[kSrcLayer], r.md[kSrcIter],
                            r.md[kWeightsLayer], r.md[kWeightsIter], r.md[kBias], r.md[kDstLayer], r.md[kDstIter],
                            r.md[kDiffSrcLayer], r.md[kDiffSrcIter], r.md[kDiffWeightsLayer], r.md[kDiffWeightsIter],
                            r.md[kDiffBias], r.md[kDiffDstLayer], r.md[kDiffDstIter], r.alpha, r.beta, hint_pd,
                            common.attr, common.allow_empty);
}

// A cell's classes follow from its tensors.
template <Cell kCell>
Base ForwardOf(const Common& common, const RnnCase& rnn) {
  constexpr auto kAlgorithm = static_cast<dnnl::algorithm>(TraitsOf(kCell).alg_kind);
  if constexpr (HasActivation(kCell))
    return VanillaForward(common, rnn);
  else if constexpr (HasCellState(kCell))
    return LstmForward(common, rnn);
  else if constexpr (HasAttention(kCell))
    return AugruForward<dnnl::detail::augru_forward_of<kAlgorithm>>(common, rnn);
  else
    return GruForward<dnnl::detail::gru_forward_of<kAlgorithm>>(common, rnn);
}

template <Cell kCell>
Base BackwardOf(const Common& common, const Base& hint, const RnnCase& rnn) {
  using namespace dnnl::detail;
  constexpr auto kAlgorithm = static_cast<dnnl::algorithm>(TraitsOf(kCell).alg_kind);
  if constexpr (HasActivation(kCell))
    return VanillaBackward(common, hint, rnn);
  else if constexpr (HasCellState(kCell))
    return LstmBackward(common, hint, rnn);
  else if constexpr (HasAttention(kCell))
    return AugruBackward<augru_backward_of<kAlgorithm>, augru_forward_of<kAlgorithm>>(common, hint, rnn);
  else
    return GruBackward<gru_backward_of<kAlgorithm>, gru_forward_of<kAlgorithm>>(common, hint, rnn);
}

// Calls visit(std::integral_constant<Cell, cell>()).
template <class Visit, size_t... kIndices>
Base VisitCell(Cell cell, const Visit& visit, std::index_sequence<kIndices...>) {
  Base made;
  const bool found =
      ((kCells[kIndices] == cell && (made = visit(std::integral_constant<Cell, kCells[kIndices]>()), true)) || ...);
  static_cast<void>(found);
  return made;
}

}  // namespace

Base MakeForward(const RnnCase& rnn, Generation generation, const dnnl::primitive_attr& attr, OnError on_error) {
  const Common common = {generation, attr, on_error == OnError::kGiveEmpty};
  const auto make = [&](auto cell) { return ForwardOf<cell()>(common, rnn); };
  return VisitCell(rnn.cell, make, std::make_index_sequence<kNumCells>());
}

Base MakeBackward(const RnnCase& rnn, Generation generation, const dnnl::primitive_attr& attr, const Base& hint,
                  OnError on_error) {
  const Common common = {generation, attr, on_error == OnError::kGiveEmpty};
  const auto make = [&](auto cell) { return BackwardOf<cell()>(common, hint, rnn); };
  return VisitCell(rnn.cell, make, std::make_index_sequence<kNumCells>());
}

}  // namespace fuzz
}  // namespace tandem
