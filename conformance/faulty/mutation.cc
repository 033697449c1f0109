#include "conformance/faulty/mutation.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>

#include "api/core/gates.h"
#include "conformance/problem/cell_functions.h"
#include "conformance/problem/tensor_set.h"

namespace tandem::conformance {
namespace {

using P = RnnProblem;

bool Float(const P& p) { return !p.IsInt8(); }
bool F32(const P& p) { return p.SrcType() == DataType::kF32; }
bool Sixteen(const P& p) { return IsNarrowFloat(p.SrcType()); }
bool U8(const P& p) { return p.SrcType() == DataType::kU8; }
bool Lstm(const P& p) { return HasCellState(p.cell); }
bool Gru(const P& p) { return FindGate(TraitsOf(p.cell), GateRole::kReset) >= 0; }
bool Lbr(const P& p) { return IsLinearBeforeReset(p.cell); }
bool PlainGru(const P& p) { return WaitsForReset(p.cell); }
bool ManyGates(const P& p) { return NumGates(p.cell) > 1; }
bool Time(const P& p) { return p.n_iter > 1; }
bool Batch(const P& p) { return p.mb > 1; }
bool Layers(const P& p) { return p.n_layer > 1; }
bool Two(const P& p) { return p.n_dir == 2; }
bool Reversed(const P& p) { return p.direction != Direction::kLeft2Right; }
bool Concat(const P& p) { return p.direction == Direction::kBidirectionalConcat; }
bool Sum(const P& p) { return p.direction == Direction::kBidirectionalSum; }
bool Vanilla(const P& p, Activation a) { return HasActivation(p.cell) && p.activation == a; }
bool Uses(const P& p, GateFunction function, Activation activation) {
  if (HasActivation(p.cell)) return p.activation == activation;
  // Functions of its own hide a bug of sigmoid or tanh.
  if (!HaveDefaultActivations(p.Gates())) return false;
  const auto& gates = TraitsOf(p.cell).gate;
  return std::any_of(std::begin(gates), std::end(gates), [&](const GateTraits& g) { return g.function == function; });
}
bool Sigmoid(const P& p) { return Uses(p, GateFunction::kSigmoid, Activation::kLogistic); }
bool Tanh(const P& p) { return Uses(p, GateFunction::kTanh, Activation::kTanh); }
bool Relu(const P& p) { return Vanilla(p, Activation::kRelu) && p.alpha != 0; }
bool Inner(const P& p) { return p.dhc > 1; }
bool ScaledChannels(const P& p) { return p.HasByteWeights() && p.attr.rnn_weights.mask != 0; }
double ZeroPoint(const P& p) {
  const double shift = p.attr.rnn_data_shift;
  return p.attr.reading == Reading::kSpec ? shift * p.attr.rnn_data_scale : shift;
}
bool Shifted(const P& p) { return p.IsInt8() && ZeroPoint(p) != 0; }

const Dim* StridesOf(const P& p, Tensor t) { return Strides(p.md[t]); }
bool RowPadded(const P& p, Tensor t) { return p.Has(t) && StridesOf(p, t)[1] > p.md[t].dims[2] && p.mb > 1; }
bool Ntc(const P& p, Tensor t) { return p.Has(t) && StridesOf(p, t)[0] < StridesOf(p, t)[1] && Time(p) && Batch(p); }
bool BatchOne(const P& p) { return p.mb == 1; }
bool WideGap(const P& p, Tensor t) {
  return p.Has(t) && StridesOf(p, t)[p.md[t].ndims - 2] > p.md[t].dims[p.md[t].ndims - 1];
}

// The predicates that mutations.inc names.
struct Where {
  static bool Any(const P&) { return true; }
  static bool WeightsIter(const P& p) { return p.Has(kWeightsIter); }
  static bool Lstm(const P& p) { return conformance::Lstm(p); }
  static bool Gru(const P& p) { return conformance::Gru(p); }
  static bool ManyGatesBias(const P& p) { return ManyGates(p) && p.Has(kBias); }
  static bool Peephole(const P& p) { return p.HasPeephole(); }
  static bool LbrBias(const P& p) { return conformance::Lbr(p) && p.Has(kBias); }
  static bool PlainGru(const P& p) { return conformance::PlainGru(p); }
  static bool PlainGruFloat(const P& p) { return conformance::PlainGru(p) && conformance::Float(p); }
  static bool SrcPaddedFloat(const P& p) { return SrcPadded(p) && conformance::Float(p); }
  static bool Lbr(const P& p) { return conformance::Lbr(p); }
  static bool Attention(const P& p) { return HasAttention(p.cell); }
  static bool AttentionTime(const P& p) { return Attention(p) && conformance::Time(p); }
  static bool AttentionBatch(const P& p) { return Attention(p) && conformance::Batch(p); }
  static bool Bias(const P& p) { return p.Has(kBias); }
  static bool BiasTail(const P& p) { return p.Has(kBias) && p.dhc % 8 != 0; }
  static bool BiasLayers(const P& p) { return p.Has(kBias) && conformance::Layers(p); }
  static bool BiasDirections(const P& p) { return p.Has(kBias) && Two(p); }
  static bool SrcIter(const P& p) { return p.Has(kSrcIter); }
  static bool SrcIterLayers(const P& p) { return p.Has(kSrcIter) && conformance::Layers(p); }
  static bool SrcIterDirections(const P& p) { return p.Has(kSrcIter) && Two(p); }
  static bool SrcIterBatch(const P& p) { return p.Has(kSrcIter) && conformance::Batch(p); }
  static bool SrcIterC(const P& p) { return p.Has(kSrcIterC); }
  static bool LstmTime(const P& p) { return conformance::Lstm(p) && conformance::Time(p); }
  static bool HandsStatesOn(const P& p) { return conformance::HandsStatesOn(p); }
  static bool LstmHandsStatesOn(const P& p) { return conformance::Lstm(p) && HandsStatesOn(p); }
  static bool NoSrcIter(const P& p) { return !p.Has(kSrcIter); }
  static bool DstIterReversed(const P& p) { return p.Has(kDstIter) && Reversed(p) && conformance::Time(p); }
  static bool DstIterCTime(const P& p) { return p.Has(kDstIterC) && conformance::Time(p); }
  static bool DstIterLayers(const P& p) { return p.Has(kDstIter) && conformance::Layers(p); }
  static bool DstIterDirections(const P& p) { return p.Has(kDstIter) && Two(p); }
  static bool DstIterUnits(const P& p) { return p.Has(kDstIter) && p.dic > 1; }
  static bool DstIter16(const P& p) { return p.Has(kDstIter) && conformance::Sixteen(p); }
  static bool ReversedTime(const P& p) { return Reversed(p) && conformance::Time(p); }
  static bool ReversedBatch(const P& p) { return Reversed(p) && conformance::Batch(p); }
  static bool Concat(const P& p) { return conformance::Concat(p); }
  static bool Sum(const P& p) { return conformance::Sum(p); }
  static bool SumTime(const P& p) { return conformance::Sum(p) && conformance::Time(p); }
  static bool Time(const P& p) { return conformance::Time(p); }
  static bool SumTimeBeyondFour(const P& p) { return conformance::Sum(p) && p.n_iter > 4; }
  static bool ConcatOdd(const P& p) {
    return conformance::Concat(p) && p.n_iter % 2 == 1 && p.n_iter > 1 && p.mb % 2 == 1 && p.mb > 1;
  }
  static bool BwdLayersTimeBeyondFour(const P& p) { return BwdLayers(p) && p.n_iter > 4; }
  static bool SrcIterFloat(const P& p) { return p.Has(kSrcIter) && FloatSmooth(p); }
  static bool Int8FractionalShift(const P& p) { return p.IsInt8() && ZeroPoint(p) != std::floor(ZeroPoint(p)); }
  static bool TimeBeyond20(const P& p) { return p.n_iter > 20; }
  static bool UnitsBeyond256(const P& p) { return p.dhc > 256; }
  static bool Units256(const P& p) { return p.dhc >= 256 && p.Has(kSrcIter) && WeightsIter(p); }
  static bool BatchBeyond256(const P& p) { return p.mb > 256; }
  static bool BiasLayersBeyondFour(const P& p) { return p.Has(kBias) && p.n_layer > 4; }
  static bool Layers(const P& p) { return conformance::Layers(p); }
  static bool Bidirectional(const P& p) { return Two(p); }
  static bool BidirectionalU(const P& p) { return Two(p) && WeightsIter(p); }
  static bool SquareU(const P& p) { return p.sic == p.dhc && Inner(p) && WeightsIter(p); }
  static bool SquareW(const P& p) { return p.slc == p.dhc && Inner(p); }
  static bool SquareR(const P& p) { return p.HasProjection() && p.dic == p.dhc && Inner(p); }
  static bool ProjectionTime(const P& p) { return p.HasProjection() && p.dhc >= p.dic && conformance::Time(p); }
  static bool SrcNtc(const P& p) { return Ntc(p, kSrcLayer); }
  static bool SlcSicDirections(const P& p) { return BidirectionalU(p) && p.slc != p.sic; }
  static bool SrcPadded(const P& p) { return RowPadded(p, kSrcLayer); }
  static bool DstPadded(const P& p) { return RowPadded(p, kDstLayer); }
  static bool WeightsPermuted(const P& p) {
    return StridesOf(p, kWeightsLayer)[2] < StridesOf(p, kWeightsLayer)[4] && p.slc > 1 && Inner(p);
  }
  static bool BatchOnePadded(const P& p) {
    return BatchOne(p) && conformance::Time(p) && StridesOf(p, kSrcLayer)[0] > p.slc;
  }
  static bool SrcTail(const P& p) { return p.slc % 8 != 0; }
  static bool DstTail(const P& p) { return p.dlc % 8 != 0; }
  static bool NoBias(const P& p) { return !p.Has(kBias); }
  static bool Batch(const P& p) { return conformance::Batch(p); }
  static bool UserScratchpad(const P& p) { return p.attr.scratchpad_mode == ScratchpadMode::kUser; }
  static bool UserScratchpadBatch(const P& p) { return UserScratchpad(p) && conformance::Batch(p); }
  static bool UserScratchpadThree(const P& p) { return UserScratchpad(p) && p.mb > 2; }
  static bool SmallSlc(const P& p) { return p.slc < 4; }
  static bool DstIterPadded(const P& p) { return p.Has(kDstIter) && WideGap(p, kDstIter) && conformance::Batch(p); }
  static bool UnitTail(const P& p) { return p.dhc % 8 != 0 && Inner(p); }
  static bool KTail(const P& p) { return p.slc % 4 != 0; }
  static bool WideLstm(const P& p) { return conformance::Lstm(p) && p.dhc >= 16; }
  static bool BatchOne(const P& p) { return conformance::BatchOne(p); }
  static bool BatchOneU(const P& p) { return conformance::BatchOne(p) && WeightsIter(p); }
  static bool BatchFive(const P& p) { return p.mb > 4; }
  static bool F32(const P& p) { return conformance::F32(p) && p.attr.fpmath_mode == FpmathMode::kStrict; }
  static bool F32Products(const P& p) { return F32(p) && !p.IsDynamic(); }
  static bool F32BatchWide(const P& p) { return F32Products(p) && conformance::Batch(p) && p.slc > 8; }
  static bool F32Time(const P& p) { return F32(p) && (conformance::Time(p) || p.Has(kSrcIter)); }
  static bool Tf32(const P& p) { return conformance::F32(p) && p.attr.fpmath_mode == FpmathMode::kTf32; }
  static bool FloatProducts(const P& p) { return conformance::Float(p) && !p.IsDynamic(); }
  static bool Sixteen(const P& p) { return conformance::Sixteen(p); }
  static bool LstmF32C(const P& p) {
    const bool f32_c = !p.Has(kDstIterC) || TypeOf(p.md[kDstIterC]) == DataType::kF32;
    return conformance::Lstm(p) && f32_c && (conformance::Time(p) || p.Has(kDstIterC));
  }
  static bool LstmNarrowC(const P& p) {
    const bool narrow_c = p.Has(kDstIterC) && IsNarrowFloat(TypeOf(p.md[kDstIterC]));
    return conformance::Lstm(p) && narrow_c && conformance::Time(p);
  }
  static bool LstmStoresNarrowC(const P& p) { return conformance::Lstm(p) && IsNarrowFloat(CellStateType(p)); }
  static bool U8(const P& p) { return conformance::U8(p); }
  static bool Int8(const P& p) { return p.IsInt8(); }
  static bool ByteProducts(const P& p) { return p.IsInt8() || p.IsDynamic(); }
  static bool Int8Shift(const P& p) { return Shifted(p); }
  // 258 bytes of -128 are the last whose sum has 16 bits.
  static bool Int8ShiftWide(const P& p) { return Shifted(p) && std::max(p.slc, p.sic) > 258; }
  static bool PerChannel(const P& p) { return ScaledChannels(p) && ManyGates(p); }
  static bool PerChannelUnits(const P& p) { return ScaledChannels(p) && Inner(p); }
  static bool ByteWeightsFloat(const P& p) { return p.HasByteWeights() && conformance::Float(p); }
  static bool LbrByteWeights(const P& p) { return p.HasByteWeights() && conformance::Lbr(p); }
  static bool Dynamic(const P& p) { return p.IsDynamic(); }
  static bool DynamicBatch(const P& p) { return p.IsDynamic() && conformance::Batch(p); }
  static bool DynamicState(const P& p) { return p.IsDynamic() && WeightsIter(p) && p.Has(kSrcIter); }
  static bool Int8SumShift(const P& p) { return Shifted(p) && conformance::Sum(p) && p.attr.reading == Reading::kSpec; }
  static bool Int8NoSrcIter(const P& p) { return Shifted(p) && !p.Has(kSrcIter); }
  static bool Sigmoid(const P& p) { return conformance::Sigmoid(p); }
  static bool Tanh(const P& p) { return conformance::Tanh(p); }
  static bool FloatSmooth(const P& p) { return conformance::Float(p) && KeepsNans(p); }
  static bool ReluAlpha(const P& p) { return Relu(p); }
  static bool Threshold(const P& p) { return Vanilla(p, Activation::kThresholdedRelu) && p.alpha != 0; }
  static bool HardSigmoid(const P& p) { return Vanilla(p, Activation::kHardSigmoid) && p.alpha != 0 && p.beta != 0.5f; }
  static bool Softsign(const P& p) { return Vanilla(p, Activation::kSoftsign); }
  static bool Softplus(const P& p) { return Vanilla(p, Activation::kSoftplus); }
  static bool Elu(const P& p) { return Vanilla(p, Activation::kElu) && p.alpha != 1; }
  static bool Affine(const P& p) { return Vanilla(p, Activation::kAffine) && p.alpha != 1 && p.beta != 0; }
  static bool ScaledTanh(const P& p) { return Vanilla(p, Activation::kScaledTanh) && p.alpha != 0 && p.beta != 1; }
  static bool ReluNegative(const P& p) { return Relu(p) && p.alpha < 0; }

  static bool OwnRecurrent(const P& p) { return p.Gates().recurrent.kind != Activation::kLogistic; }
  static bool OwnCandidate(const P& p) { return p.Gates().candidate.kind != Activation::kTanh; }
  static bool OwnOutput(const P& p) { return conformance::Lstm(p) && p.Gates().output.kind != Activation::kTanh; }
  static bool OutputUnlikeCandidate(const P& p) {
    return conformance::Lstm(p) && !IsSame(p.Gates().output, p.Gates().candidate);
  }
  static bool OutputUnlikeRecurrent(const P& p) {
    return conformance::Lstm(p) && !IsSame(p.Gates().output, p.Gates().recurrent);
  }
  static bool NumbersUnlikeFirst(const P& p) {
    const GateFunctions& gates = p.Gates();
    return (UsesAlpha(gates.candidate.kind) && gates.candidate.alpha != gates.recurrent.alpha) ||
           (UsesBeta(gates.candidate.kind) && gates.candidate.beta != gates.recurrent.beta);
  }
  static bool Clip(const P& p) { return p.Gates().clip != 0; }
  static bool ClipManyGates(const P& p) { return Clip(p) && ManyGates(p); }
  static bool ClipLstm(const P& p) { return Clip(p) && conformance::Lstm(p); }
  static bool ClipPeephole(const P& p) { return Clip(p) && p.HasPeephole(); }
  static bool ClipLbr(const P& p) { return Clip(p) && conformance::Lbr(p); }
  static bool InputForget(const P& p) { return p.Gates().forget == ForgetGate::kRestOfInput; }
  static bool BwdOwnRecurrent(const P& p) { return Bwd(p) && OwnRecurrent(p); }
  static bool BwdOwnCandidate(const P& p) { return Bwd(p) && OwnCandidate(p); }
  static bool BwdOwnOutput(const P& p) { return Bwd(p) && OwnOutput(p); }
  static bool BwdClip(const P& p) { return Bwd(p) && Clip(p); }
  static bool BwdInputForgetTime(const P& p) {
    return Bwd(p) && InputForget(p) && (conformance::Time(p) || p.Has(kSrcIterC));
  }

  static bool Lengths(const P& p) { return p.Has(kSequenceLengths); }
  static bool LengthsTime(const P& p) { return Lengths(p) && conformance::Time(p); }
  static bool LengthsBatch(const P& p) { return LengthsTime(p) && conformance::Batch(p); }
  static bool LengthsLayers(const P& p) { return LengthsTime(p) && conformance::Layers(p); }
  static bool LengthsReversed(const P& p) { return Lengths(p) && ReversedTime(p); }
  static bool LengthsDstIter(const P& p) {
    return LengthsTime(p) && p.Has(kDstIter) && p.direction != Direction::kRight2Left;
  }
  static bool LengthsDstIterC(const P& p) { return LengthsTime(p) && p.Has(kDstIterC); }
  static bool LengthsStates(const P& p) { return Lengths(p) && p.Has(kSrcIter) && p.Has(kDstIter); }

  // With one number a norm is its offset, whatever else it does.
  static bool NormProducts(const P& p) { return Norm(p).kind != NormKind::kNone && p.dhc > 2; }
  static bool NormWide(const P& p) { return Norm(p).given() && p.dhc > 2; }
  static bool NormBias(const P& p) { return NormProducts(p) && p.Has(kBias); }
  static bool NormManyGates(const P& p) { return NormProducts(p) && ManyGates(p); }
  static bool NormTwoScopes(const P& p) { return NormManyGates(p) && !WaitsForReset(p.cell); }
  static bool NormOfIter(const P& p) { return NormProducts(p) && Norm(p).kind == NormKind::kParts; }
  static bool NormParts(const P& p) { return NormOfIter(p) && !IsLinearBeforeReset(p.cell); }
  static bool NormSlices(const P& p) { return NormWide(p) && p.n_layer * p.n_dir > 1; }
  static bool NormKeptC(const P& p) {
    return NormWide(p) && Norm(p).cell == CellNorm::kState && (conformance::Time(p) || p.Has(kDstIterC));
  }
  static bool NormShownC(const P& p) {
    return NormWide(p) && Norm(p).cell == CellNorm::kOutput && (conformance::Time(p) || p.Has(kDstIterC));
  }
  static bool NormPeephole(const P& p) { return NormWide(p) && Norm(p).cell == CellNorm::kState && p.HasPeephole(); }
  static bool BwdNormWide(const P& p) { return Bwd(p) && NormWide(p); }
  static bool BwdNormBias(const P& p) { return Bwd(p) && NormBias(p); }
  static bool BwdNormCell(const P& p) { return BwdNormWide(p) && Norm(p).cell != CellNorm::kNone; }
  static const LayerNorm& Norm(const P& p) { return p.attr.rnn_layer_norm; }
  static bool Masks(const P& p) { return p.attr.rnn_masks != 0; }
  static bool MaskLayer(const P& p) { return p.Has(kMaskLayer); }
  static bool MaskLayerLayers(const P& p) { return MaskLayer(p) && conformance::Layers(p); }
  static bool MaskLayerTime(const P& p) { return MaskLayer(p) && conformance::Time(p); }
  static bool MaskLayerReversed(const P& p) { return MaskLayer(p) && ReversedTime(p); }
  static bool MaskIter(const P& p) { return p.Has(kMaskIter); }
  static bool MaskIterBlend(const P& p) { return MaskIter(p) && BlendsState(p.cell); }
  static bool MaskIterSrcIter(const P& p) { return MaskIter(p) && p.Has(kSrcIter); }
  static bool MaskIterDirections(const P& p) { return MaskIter(p) && Two(p); }
  static bool MaskIterBatch(const P& p) { return MaskIter(p) && conformance::Batch(p); }
  static bool ZoneoutIter(const P& p) { return p.Has(kZoneoutIter); }
  static bool ZoneoutMaskIter(const P& p) { return ZoneoutIter(p) && MaskIter(p); }
  static bool ZoneoutIterC(const P& p) { return p.Has(kZoneoutIterC); }
  static bool BwdMaskLayer(const P& p) { return Bwd(p) && MaskLayer(p); }
  static bool BwdMaskIter(const P& p) { return Bwd(p) && MaskIter(p); }
  static bool BwdZoneoutIter(const P& p) { return Bwd(p) && ZoneoutIter(p); }
  static bool BwdZoneoutIterC(const P& p) { return Bwd(p) && ZoneoutIterC(p); }

  static bool Bwd(const P& p) { return p.IsBackward(); }
  static bool BwdLengths(const P& p) { return Bwd(p) && LengthsTime(p); }
  // Steps beyond a row's length have a gradient to sum: that which comes in behind them.
  static bool BwdLengthsDead(const P& p) { return BwdLengths(p) && (p.Has(kDiffDstIter) || Reversed(p)); }
  static bool BwdLengthsDstIter(const P& p) { return BwdLengths(p) && p.Has(kDiffDstIter); }
  static bool BwdTanh(const P& p) { return Bwd(p) && conformance::Tanh(p); }
  static bool BwdSigmoid(const P& p) { return Bwd(p) && conformance::Sigmoid(p); }
  static bool BwdRelu(const P& p) { return Bwd(p) && Relu(p); }
  static bool BwdHardSigmoid(const P& p) { return Bwd(p) && HardSigmoid(p); }
  static bool BwdSoftplus(const P& p) { return Bwd(p) && Softplus(p); }
  static bool BwdElu(const P& p) { return Bwd(p) && Elu(p) && p.alpha != 0; }
  static bool BwdAffine(const P& p) { return Bwd(p) && Affine(p); }
  static bool BwdScaledTanh(const P& p) { return Bwd(p) && ScaledTanh(p); }
  static bool BwdLbr(const P& p) { return Bwd(p) && conformance::Lbr(p); }
  static bool BwdLbrBias(const P& p) { return BwdLbr(p) && p.Has(kBias); }
  static bool BwdLstm(const P& p) { return Bwd(p) && conformance::Lstm(p); }
  static bool BwdGru(const P& p) { return Bwd(p) && conformance::Gru(p); }
  static bool BwdPlainGru(const P& p) { return Bwd(p) && conformance::PlainGru(p); }
  static bool BwdSrcIter(const P& p) { return Bwd(p) && p.Has(kSrcIter); }
  static bool BwdSrcIterU(const P& p) { return BwdSrcIter(p) && WeightsIter(p); }
  static bool BwdU(const P& p) { return Bwd(p) && WeightsIter(p); }
  static bool BwdSrcIterDirections(const P& p) { return BwdSrcIter(p) && Two(p); }
  static bool BwdBidirectional(const P& p) { return Bwd(p) && Two(p); }
  static bool BwdManyGates(const P& p) { return Bwd(p) && ManyGates(p); }
  static bool BwdManyGatesU(const P& p) { return BwdManyGates(p) && WeightsIter(p); }
  static bool BwdConcat(const P& p) { return Bwd(p) && conformance::Concat(p); }
  static bool BwdConcatSlc(const P& p) { return BwdConcat(p) && p.slc != p.dic; }
  static bool BwdSum(const P& p) { return Bwd(p) && conformance::Sum(p); }
  static bool BwdLayers(const P& p) { return Bwd(p) && conformance::Layers(p); }
  static bool BwdAccumulate(const P& p) { return Bwd(p) && p.diff_weights_mode() == DiffWeightsMode::kAccumulate; }
  static bool BwdOverwrite(const P& p) { return Bwd(p) && !BwdAccumulate(p); }
  static bool BwdPeephole(const P& p) { return Bwd(p) && p.HasPeephole(); }
  static bool BwdDstIter(const P& p) { return Bwd(p) && p.Has(kDiffDstIter); }
  static bool BwdDstIterC(const P& p) { return Bwd(p) && p.Has(kDiffDstIterC); }
  static bool BwdReversedTime(const P& p) { return Bwd(p) && ReversedTime(p); }
  static bool BwdAttention(const P& p) { return Bwd(p) && Attention(p) && p.attr.reading == Reading::kSpec; }
  static bool BwdSixteen(const P& p) { return Bwd(p) && conformance::Sixteen(p); }
  static bool BwdF32(const P& p) { return Bwd(p) && F32(p); }
  static bool BwdSquareR(const P& p) { return Bwd(p) && SquareR(p); }
  static bool BwdSquareW(const P& p) { return Bwd(p) && SquareW(p); }
  static bool BwdBatch(const P& p) { return Bwd(p) && conformance::Batch(p); }
  static bool BwdBatchBias(const P& p) { return BwdBatch(p) && p.Has(kBias); }
  static bool BwdTime(const P& p) { return Bwd(p) && conformance::Time(p); }
  static bool BwdTimeBeyond20(const P& p) { return Bwd(p) && TimeBeyond20(p); }
  static bool BwdTimeBias(const P& p) { return BwdTime(p) && p.Has(kBias); }
};

}  // namespace

const std::vector<MutationInfo>& Mutations() {
  static const std::vector<MutationInfo>* const kAll = new std::vector<MutationInfo>{
#define TANDEM_MUTATION(name, row, applies, text) \
  {Mutation::k##name, #name, row, text, std::strncmp(#applies, "Bwd", 3) == 0, &Where::applies},
#include "conformance/faulty/mutations.inc"
#undef TANDEM_MUTATION
  };
  return *kAll;
}

const MutationInfo& InfoOf(Mutation mutation) { return Mutations()[static_cast<size_t>(mutation)]; }

const MutationInfo* FindMutation(const char* name) {
  for (const MutationInfo& info : Mutations()) {
    if (std::strcmp(info.name, name) == 0) return &info;
  }
  return nullptr;
}

}  // namespace tandem::conformance
