// The tables of cells and tensors against what the specification says of each.
#include "api/core/cell.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <string>

#include "api/core/gates.h"
#include "api/core/tensor.h"
#include "api/core/types.h"
#include "oneapi/dnnl/dnnl_types.h"

namespace tandem {
namespace {

TEST(Cells, HaveTheGatesOfTheSpecification) {
  const Dim gates[kNumCells] = {1, 4, 3, 3, 3, 3};
  const Dim bias_gates[kNumCells] = {1, 4, 3, 4, 3, 4};
  for (int i = 0; i < kNumCells; ++i) {
    EXPECT_EQ(NumGates(kCells[i]), gates[i]) << ToString(kCells[i]);
    EXPECT_EQ(NumBiasGates(kCells[i]), bias_gates[i]) << ToString(kCells[i]);
  }
}

// The letters of the first `count` gates.
std::string Gates(Cell cell, Dim count) {
  std::string gates;
  for (Dim gate = 0; gate < count; ++gate) gates += (gate == 0 ? "" : " ") + std::string(GateName(cell, gate));
  return gates;
}

TEST(Cells, OrderTheirGatesAsTheSpecification) {
  const auto weights = [](Cell cell) { return Gates(cell, NumGates(cell)); };
  const auto bias = [](Cell cell) { return Gates(cell, NumBiasGates(cell)); };
  EXPECT_EQ(weights(Cell::kLstm), "i f c~ o");
  EXPECT_EQ(bias(Cell::kLstm), "i f c~ o");
  for (const Cell cell : {Cell::kGru, Cell::kLbrGru, Cell::kAugru, Cell::kLbrAugru}) {
    EXPECT_EQ(weights(cell), "u r o") << ToString(cell);
    EXPECT_EQ(bias(cell), IsLinearBeforeReset(cell) ? "u r o u'" : "u r o") << ToString(cell);
  }
  std::string peepholes;
  for (Dim place = 0; place < TraitsOf(Cell::kLstm).peepholes; ++place) {
    peepholes += GateName(Cell::kLstm, GateOfPeephole(TraitsOf(Cell::kLstm), place));
  }
  EXPECT_EQ(peepholes, "ifo");
}

TEST(Cells, StateTheProductsOfTheirEquations) {
  for (const Cell cell : kCells) {
    const bool gru = cell == Cell::kGru || cell == Cell::kAugru;
    const bool lbr = cell == Cell::kLbrGru || cell == Cell::kLbrAugru;
    EXPECT_EQ(WaitsForReset(cell), gru) << ToString(cell);
    EXPECT_EQ(NumFirstPassGates(cell), gru ? 2 : NumGates(cell)) << ToString(cell);
    EXPECT_EQ(IsLinearBeforeReset(cell), lbr) << ToString(cell);
    EXPECT_EQ(BlendsState(cell), gru || lbr) << ToString(cell);
    EXPECT_EQ(HasCellState(cell), cell == Cell::kLstm) << ToString(cell);
    EXPECT_EQ(HasActivation(cell), cell == Cell::kVanillaRnn) << ToString(cell);
    EXPECT_EQ(TraitsOf(cell).peepholes, cell == Cell::kLstm ? 3 : 0) << ToString(cell);
  }
}

TEST(Cells, FindTheirGatesByRole) {
  const CellTraits &lstm = TraitsOf(Cell::kLstm), &gru = TraitsOf(Cell::kGru), &lbr_gru = TraitsOf(Cell::kLbrGru);
  EXPECT_EQ(FindGate(lstm, GateRole::kOutput), 3);
  EXPECT_EQ(FindPeephole(lstm, GateRole::kOutput), 2);
  EXPECT_EQ(FindPeephole(lstm, GateRole::kCandidate), -1);
  for (const Dim place : {0, 1, 2}) EXPECT_EQ(FindPeephole(lstm, lstm.gate[GateOfPeephole(lstm, place)].role), place);
  EXPECT_EQ(FindGate(gru, GateRole::kReset), 1);
  EXPECT_EQ(FindGate(gru, GateRole::kUPrime), -1);
  EXPECT_EQ(FindGate(lbr_gru, GateRole::kUPrime), 3);
}

TEST(Cells, NameEachGateOfTheBias) {
  for (const Cell cell : kCells) {
    const CellTraits& traits = TraitsOf(cell);
    for (Dim gate = 0; gate < kMostGates; ++gate) {
      EXPECT_EQ(traits.gate[gate].name != nullptr, gate < NumBiasGates(cell)) << traits.name << ", gate " << gate;
    }
  }
}

TEST(Tensors, HaveTheArgumentIndexOfTheirName) {
  EXPECT_EQ(ExecArg(kSrcLayer), DNNL_ARG_SRC_LAYER);
  EXPECT_EQ(ExecArg(kSrcIter), DNNL_ARG_SRC_ITER);
  EXPECT_EQ(ExecArg(kSrcIterC), DNNL_ARG_SRC_ITER_C);
  EXPECT_EQ(ExecArg(kAugruAttention), DNNL_ARG_AUGRU_ATTENTION);
  EXPECT_EQ(ExecArg(kWeightsLayer), DNNL_ARG_WEIGHTS_LAYER);
  EXPECT_EQ(ExecArg(kWeightsIter), DNNL_ARG_WEIGHTS_ITER);
  EXPECT_EQ(ExecArg(kWeightsPeephole), DNNL_ARG_WEIGHTS_PEEPHOLE);
  EXPECT_EQ(ExecArg(kWeightsProjection), DNNL_ARG_WEIGHTS_PROJECTION);
  EXPECT_EQ(ExecArg(kBias), DNNL_ARG_BIAS);
  EXPECT_EQ(ExecArg(kDstLayer), DNNL_ARG_DST_LAYER);
  EXPECT_EQ(ExecArg(kDstIter), DNNL_ARG_DST_ITER);
  EXPECT_EQ(ExecArg(kDstIterC), DNNL_ARG_DST_ITER_C);
  EXPECT_EQ(ExecArg(kDiffSrcLayer), DNNL_ARG_DIFF_SRC_LAYER);
  EXPECT_EQ(ExecArg(kDiffSrcIter), DNNL_ARG_DIFF_SRC_ITER);
  EXPECT_EQ(ExecArg(kDiffSrcIterC), DNNL_ARG_DIFF_SRC_ITER_C);
  EXPECT_EQ(ExecArg(kDiffAugruAttention), DNNL_ARG_DIFF_AUGRU_ATTENTION);
  EXPECT_EQ(ExecArg(kDiffWeightsLayer), DNNL_ARG_DIFF_WEIGHTS_LAYER);
  EXPECT_EQ(ExecArg(kDiffWeightsIter), DNNL_ARG_DIFF_WEIGHTS_ITER);
  EXPECT_EQ(ExecArg(kDiffWeightsPeephole), DNNL_ARG_DIFF_WEIGHTS_PEEPHOLE);
  EXPECT_EQ(ExecArg(kDiffWeightsProjection), DNNL_ARG_DIFF_WEIGHTS_PROJECTION);
  EXPECT_EQ(ExecArg(kDiffBias), DNNL_ARG_DIFF_BIAS);
  EXPECT_EQ(ExecArg(kDiffDstLayer), DNNL_ARG_DIFF_DST_LAYER);
  EXPECT_EQ(ExecArg(kDiffDstIter), DNNL_ARG_DIFF_DST_ITER);
  EXPECT_EQ(ExecArg(kDiffDstIterC), DNNL_ARG_DIFF_DST_ITER_C);
}

TEST(Tensors, ShareAxesAndRoleWithTheirGradients) {
  for (const Tensor tensor : kForwardTensors) {
    if (!HasDiff(tensor)) continue;
    const Tensor diff = Diff(tensor);
    EXPECT_EQ(std::string("diff_") + ToString(tensor), ToString(diff));
    EXPECT_STREQ(AxesOf(tensor), AxesOf(diff));
    EXPECT_EQ(RoleOf(tensor), RoleOf(diff));
    EXPECT_EQ(WithoutDiff(diff), tensor);
  }
}

TEST(Tensors, BelongToTheCellsThatHaveWhatTheyHold) {
  for (const Cell cell : kCells) {
    EXPECT_EQ(PresenceOf(kSrcLayer, cell), Presence::kRequired);
    EXPECT_EQ(PresenceOf(kBias, cell), Presence::kOptional);
    EXPECT_EQ(PresenceOf(kDiffSrcIterC, cell), HasCellState(cell) ? Presence::kOptional : Presence::kAbsent);
    EXPECT_EQ(PresenceOf(kAugruAttention, cell), HasAttention(cell) ? Presence::kRequired : Presence::kAbsent);
    EXPECT_EQ(PresenceOf(kWeightsIter, cell), HasIterProduct(cell) ? Presence::kRequired : Presence::kAbsent);
  }
}

TEST(Tensors, AreWrittenByOnePropagationOnly) {
  constexpr auto kInference = Propagation::kForwardInference, kBackward = Propagation::kBackward;
  constexpr auto kAdd = DiffWeightsMode::kAccumulate, kOverwrite = DiffWeightsMode::kOverwrite;
  EXPECT_TRUE(IsWritten(kInference, kDstIterC));
  EXPECT_TRUE(IsRead(kBackward, kAdd, kDstIterC));
  EXPECT_TRUE(IsRead(kInference, kAdd, kBias));
  EXPECT_FALSE(IsRead(kInference, kAdd, kDiffDstLayer));
  EXPECT_TRUE(IsRead(kBackward, kAdd, kDiffDstLayer));
  EXPECT_FALSE(IsWritten(kBackward, kDiffDstLayer));
  EXPECT_TRUE(IsWritten(kBackward, kDiffSrcIter));
  EXPECT_FALSE(IsRead(kBackward, kAdd, kDiffSrcIter));
  EXPECT_TRUE(IsRead(kBackward, kAdd, kDiffWeightsIter));
  EXPECT_FALSE(IsRead(kBackward, kOverwrite, kDiffWeightsIter));
  EXPECT_EQ(kForwardOutputs, (std::array<Tensor, 3>{kDstLayer, kDstIter, kDstIterC}));
  EXPECT_EQ(kDiffParameters,
            (std::array<Tensor, 7>{kDiffWeightsLayer, kDiffWeightsIter, kDiffWeightsPeephole, kDiffWeightsProjection,
                                   kDiffBias, kDiffNormGain, kDiffNormOffset}));
}

TEST(Tensors, FindTheirAxes) {
  EXPECT_STREQ(AxesOf(kWeightsLayer), "ldigo");
  EXPECT_EQ(AxisOf(kWeightsLayer, 'o'), 4);
  EXPECT_EQ(AxisOf(kSrcLayer, 'n'), 1);
  EXPECT_EQ(AxisOf(kDiffDstIterC, 'n'), 2);
  EXPECT_EQ(AxisOf(kBias, 'n'), -1);
  EXPECT_EQ(RankOf(kWeightsProjection), 4);
}

}  // namespace
}  // namespace tandem
