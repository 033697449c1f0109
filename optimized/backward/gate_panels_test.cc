#include "optimized/backward/gate_panels.h"

#include <gtest/gtest.h>

#include <vector>

namespace tandem {
namespace optimized {
namespace {

PackedLayout LayoutOf(Dim gates, Dim dhc, GatePasses passes) {
  const MemoryDesc md =
      MakeStrided({1, 1, 1, gates, dhc}, DataType::kF32, {gates * dhc, gates * dhc, gates * dhc, dhc, 1});
  return MakePackedLayout(md, PackedKind::kForward, DataType::kF32, passes);
}

template <class Visit>
void ForEveryLayout(const Visit& visit) {
  for (Dim dhc = 1; dhc <= 130; ++dhc) {
    for (const Dim gates : {1, 3, 4}) visit(LayoutOf(gates, dhc, GatePasses::kOne), dhc);
    visit(LayoutOf(3, dhc, GatePasses::kCandidateSecond), dhc);
  }
}

TEST(GatePanels, HaveEveryUnitOnceInTheUsersOrder) {
  ForEveryLayout([](const PackedLayout& layout, Dim dhc) {
    const GatePanels panels(layout, dhc, WholeBlocks::kInPlace);
    Dim next = 0;
    panels.ForEach([&](const GatePanel& panel) {
      Dim at = 0;
      panels.ForEachUnits(panel, [&](const PanelUnits& units) {
        EXPECT_EQ(units.gate * dhc + units.unit, next);
        EXPECT_EQ(units.at, at);
        EXPECT_EQ(units.unit / kBlock, (units.unit + units.n - 1) / kBlock);
        at += units.n;
        next += units.n;
      });
      EXPECT_EQ(at, panel.columns);
      EXPECT_LE(panel.columns, kPanelColumns);
    });
    EXPECT_EQ(next, layout.gates * dhc);
  });
}

TEST(GatePanels, HaveNoMorePiecesThanAPackedPanelTakes) {
  ForEveryLayout([](const PackedLayout& layout, Dim dhc) {
    const GatePanels panels(layout, dhc, WholeBlocks::kInPlace);
    panels.ForEach([&](const GatePanel& panel) {
      int pieces = 0;
      panels.ForEachUnits(panel, [&](const PanelUnits&) { ++pieces; });
      EXPECT_LE(pieces, kMaxPieces) << dhc;
    });
  });
}

// Sums of a panel end with a block, the next panel's begin behind it.
TEST(GatePanels, HavePositionsOneAfterTheOther) {
  ForEveryLayout([](const PackedLayout& layout, Dim dhc) {
    const GatePanels panels(layout, dhc, WholeBlocks::kInPlace);
    Dim next = 0;
    panels.ForEach([&](const GatePanel& panel) {
      EXPECT_EQ(panels.Position(panel), next);
      next += RoundUp(panel.columns, kBlock);
      panels.ForEachUnits(panel, [&](const PanelUnits& units) {
        if (units.unit > 0) return;
        EXPECT_EQ(panels.PositionOfGate(units.gate), panels.Position(panel) + units.at);
      });
    });
    EXPECT_EQ(panels.PaddedColumns(), next);
    EXPECT_LE(next, layout.columns);
  });
}

// The scratchpad has the sums of all columns, or of those behind the last whole block of each part.
TEST(GatePanels, HaveTheirSumsInScratchOneAfterTheOther) {
  ForEveryLayout([](const PackedLayout& layout, Dim dhc) {
    for (const WholeBlocks whole_blocks : {WholeBlocks::kInScratch, WholeBlocks::kInPlace}) {
      const GatePanels panels(layout, dhc, whole_blocks);
      Dim next = 0;
      panels.ForEach([&](const GatePanel& panel) {
        const GatePanel in_scratch = panels.InScratch(panel);
        EXPECT_EQ(in_scratch.part, panel.part);
        EXPECT_EQ(in_scratch.column + in_scratch.columns, panel.column + panel.columns);
        const bool in_place = whole_blocks == WholeBlocks::kInPlace;
        EXPECT_EQ(in_scratch.columns, in_place ? panel.columns % kBlock : panel.columns);
        if (in_scratch.columns == 0) return;
        EXPECT_EQ(panels.ScratchPosition(in_scratch), next);
        next += RoundUp(in_scratch.columns, kBlock);
      });
      EXPECT_EQ(panels.ScratchColumns(), next) << dhc;
    }
  });
}

}  // namespace
}  // namespace optimized
}  // namespace tandem
