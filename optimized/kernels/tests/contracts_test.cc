// The driver's duties. That the kernels ask for them is a test of kernels_test.cc.
#include "optimized/kernels/contracts.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

namespace tandem {
namespace optimized {
namespace {

// A product of 7 rows by 2 blocks, 16 long.
class ContractDeathTest : public testing::Test {
 protected:
  ContractDeathTest() : values_(1024) {
    tile_.product.weights = tile_.product.a = tile_.init = values_.data();
    tile_.out = values_.data();
    tile_.gates = tile_.panel_blocks = 1;
    tile_.total_blocks = 2;
    tile_.product.k = tile_.product.k_padded = tile_.product.a_row = 16;
    tile_.rows = {0, 7};
    tile_.blocks = {0, 2};
    tile_.out_row = 32;
    testing::FLAGS_gtest_death_test_style = std::getenv("TANDEM_EMULATOR") == nullptr ? "threadsafe" : "fast";
  }
  void CheckTile() const { Check(tile_, DataType::kF32, 1); }

  std::vector<float> values_;
  TileArgs tile_;
};

TEST_F(ContractDeathTest, AProductWithinItsBoundsPasses) { CheckTile(); }

TEST_F(ContractDeathTest, RangesAreOrderedAndInBounds) {
  tile_.blocks = {0, 3};
  EXPECT_DEATH_IF_SUPPORTED(CheckTile(), "total_blocks");
  tile_.blocks = {2, 1};
  EXPECT_DEATH_IF_SUPPORTED(CheckTile(), "range.begin <= range.end");
}

TEST_F(ContractDeathTest, RowsAreAsLongAsWhatIsReadOrWritten) {
  tile_.product.a_row = 15;
  EXPECT_DEATH_IF_SUPPORTED(CheckTile(), "a_row");
  tile_.product.a_row = 16;
  tile_.out_row = 31;
  EXPECT_DEATH_IF_SUPPORTED(CheckTile(), "stride >= width");
}

TEST_F(ContractDeathTest, OnlyGatesOfManyRowsAddTheirInput) {
  tile_.input = tile_.product;
  EXPECT_DEATH_IF_SUPPORTED(CheckTile(), "kStore");
  tile_.op = TileOp::kGates;
  CellArgs cell;
  cell.cell = Cell::kLbrGru;
  tile_.cell = &cell;
  tile_.gates = 3;
  EXPECT_DEATH_IF_SUPPORTED(CheckTile(), "IsLinearBeforeReset");
  cell.cell = Cell::kLstm;
  tile_.gates = 4;
  EXPECT_DEATH_IF_SUPPORTED(CheckTile(), "kLeastInputRows");
}

TEST_F(ContractDeathTest, PanelsFitTheRegisters) {
  tile_.panel_blocks = kMaxPanelVectors + 1;
  EXPECT_DEATH_IF_SUPPORTED(CheckTile(), "panel_blocks");
}

TEST_F(ContractDeathTest, WhatAnOperationNeedsIsThere) {
  tile_.init = nullptr;
  EXPECT_DEATH_IF_SUPPORTED(CheckTile(), "init");
  tile_.init = values_.data();
  tile_.op = TileOp::kGates;
  EXPECT_DEATH_IF_SUPPORTED(CheckTile(), "cell");
  CellArgs cell;
  cell.units = 30;
  cell.h = values_.data();
  cell.h_row = 32;
  tile_.cell = &cell;
  CheckTile();
  tile_.gates = 2;
  EXPECT_DEATH_IF_SUPPORTED(CheckTile(), "gates");
}

TEST_F(ContractDeathTest, KIsPaddedToAMultipleOfTheGroup) {
  tile_.product.k = tile_.product.k_padded = 15;
  EXPECT_DEATH_IF_SUPPORTED(Check(tile_, DataType::kU8, 4), "k_padded % group");
}

TEST_F(ContractDeathTest, ConversionsKnowTheirTypes) {
  ConvertArgs args;
  args.from = args.to = values_.data();
  args.n = 1;
  Check(args);
  args.from_type = DataType::kS32;
  EXPECT_DEATH_IF_SUPPORTED(Check(args), "from_type");
}

TEST_F(ContractDeathTest, BackwardsCellsHaveTheirRows) {
  BackwardCellArgs args;
  args.cell = Cell::kLstm;
  args.units = 16;
  args.rows = {0, 2};
  args.gates = {values_.data(), 64};
  args.diff_gates = {values_.data(), 64};
  args.c = {values_.data(), 16};
  EXPECT_DEATH_IF_SUPPORTED(Check(args), "base != nullptr");
  args.diff_c = {values_.data(), 16};
  Check(args);
  args.diff_gates.row = 63;
  EXPECT_DEATH_IF_SUPPORTED(Check(args), "stride >= width");
}

}  // namespace
}  // namespace optimized
}  // namespace tandem
