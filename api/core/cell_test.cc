// The tables of cells and tensors against what the specification says of each.
#include "api/core/cell.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "api/core/gates.h"
#include "api/core/tensor.h"
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
  EXPECT_EQ(ExecArg(kAugruAttention), DNNL_ARG_AUGRU_ATTENTION);
  EXPECT_EQ(ExecArg(kBias), DNNL_ARG_BIAS);
  EXPECT_EQ(ExecArg(kDstIterC), DNNL_ARG_DST_ITER_C);
  EXPECT_EQ(ExecArg(kDiffSrcIter), DNNL_ARG_DIFF_SRC_ITER);
  EXPECT_EQ(ExecArg(kDiffAugruAttention), DNNL_ARG_DIFF_AUGRU_ATTENTION);
  EXPECT_EQ(ExecArg(kDiffWeightsLayer), DNNL_ARG_DIFF_WEIGHTS_LAYER);
  EXPECT_EQ(ExecArg(kDiffWeightsProjection), DNNL_ARG_DIFF_WEIGHTS_PROJECTION);
  EXPECT_EQ(ExecArg(kDiffBias), DNNL_ARG_DIFF_BIAS);
  EXPECT_EQ(ExecArg(kDiffDstLayer), DNNL_ARG_DIFF_DST_LAYER);
}

TEST(Tensors, ShareAxesAndRoleWithTheirGradients) {
  for (int i = 0; i < kNumForwardTensors; ++i) {
    const Tensor tensor = static_cast<Tensor>(i), diff = Diff(tensor);
    EXPECT_EQ(std::string("diff_") + ToString(tensor), ToString(diff));
    EXPECT_STREQ(AxesOf(tensor), AxesOf(diff));
    EXPECT_EQ(RoleOf(tensor), RoleOf(diff));
    EXPECT_EQ(WithoutDiff(diff), tensor);
  }
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
