// Backward's kernels, on every target of the machine.
#include "optimized/kernels/backward_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "optimized/machine/target.h"
#include "optimized/weights/element.h"
#include "optimized/weights/weights_packer.h"

namespace tandem {
namespace optimized {
namespace {

constexpr Dim kColumns = 48, kRow = 80;

// Integers that bf16 holds, so that packing rounds nothing and all sums are exact.
std::vector<float> Gradients(Dim count) {
  std::mt19937 random(1);
  std::uniform_int_distribution<int> uniform(-100, 100);
  std::vector<float> rows(static_cast<size_t>(count * kRow));
  for (float& value : rows) value = static_cast<float>(uniform(random));
  return rows;
}

// The first kColumns columns of `rows`, packed as weights of `type` are.
std::vector<char> PackedAsWeights(const std::vector<float>& rows, Dim count, DataType type) {
  const MemoryDesc md =
      MakeStrided({1, 1, count, 1, kColumns}, DataType::kF32, {count * kRow, count * kRow, kRow, kRow, 1});
  const PackedLayout layout = MakePackedLayout(md, PackedKind::kForward, type, GatePasses::kOne);
  std::vector<char> packed(static_cast<size_t>(layout.bytes));
  WeightsPacker(md, layout, type).Pack(rows.data(), packed.data());
  return packed;
}

// Packs the first kColumns columns of `rows`, without sums.
PackGradientArgs ArgsOf(const std::vector<float>& rows, Dim count, DataType type, void* packed) {
  PackGradientArgs args;
  args.rows = rows.data();
  args.row = kRow;
  args.count = count;
  args.columns = kColumns;
  for (Dim at = 0; at < kColumns; at += kBlock) args.piece[args.n_pieces++] = {at, at};
  args.type = type;
  args.padding = GroupOf(type);
  args.packed = packed;
  return args;
}

// bf16 is packed in pairs of rows: which half of a lane holds the first of them is the processor's byte order.
TEST(PackGradient, GivesTheBytesOfPackedWeights) {
  for (const Target& target : TargetsOfThisMachine()) {
    for (const DataType type : {DataType::kF32, DataType::kBf16}) {
      for (const Dim count : {1, 2, 7, 8}) {
        const std::vector<float> rows = Gradients(count);
        const std::vector<char> want = PackedAsWeights(rows, count, type);
        std::vector<char> got(want.size(), 1);
        BackwardKernelsFor(target).pack_gradient(ArgsOf(rows, count, type, got.data()));
        EXPECT_EQ(got, want) << TargetName(target) << ", " << ToString(type) << ", " << count << " rows";
      }
    }
  }
}

// Gradients are packed as weights are, with zeros for the rows that are missing.
TEST(PackGradient, PadsWithRowsOfZeros) {
  constexpr Dim kCount = 7, kPadding = 32;
  std::vector<float> rows = Gradients(kCount);
  rows.resize(kPadding * kRow);
  for (const Target& target : TargetsOfThisMachine()) {
    for (const DataType type : {DataType::kF32, DataType::kBf16}) {
      const std::vector<char> want = PackedAsWeights(rows, kPadding, type);
      std::vector<char> got(want.size(), 1);
      PackGradientArgs args = ArgsOf(rows, kCount, type, got.data());
      args.padding = kPadding;
      BackwardKernelsFor(target).pack_gradient(args);
      EXPECT_EQ(got, want) << TargetName(target) << ", " << ToString(type);
    }
  }
}

TEST(PackGradient, AddsEveryRowToTheSums) {
  constexpr Dim kCount = 7;
  const std::vector<float> rows = Gradients(kCount);
  std::vector<float> want(kColumns, 3.f);
  for (Dim row = 0; row < kCount; ++row) {
    for (Dim column = 0; column < kColumns; ++column) want[column] += rows[row * kRow + column];
  }
  for (const Target& target : TargetsOfThisMachine()) {
    for (const DataType type : {DataType::kF32, DataType::kBf16}) {
      std::vector<float> packed((kCount + 1) * kColumns), sums(kColumns, 3.f);
      PackGradientArgs args = ArgsOf(rows, kCount, type, packed.data());
      args.sums = sums.data();
      BackwardKernelsFor(target).pack_gradient(args);
      EXPECT_EQ(sums, want) << TargetName(target) << ", " << ToString(type);
    }
  }
}

// Two gates of 21 units, whose blocks alternate, and five units of a third.
TEST(PackGradient, PutsPiecesTogether) {
  constexpr Dim kCount = 7, kWidth = 47;
  const std::vector<ColumnPiece> pieces = {{0, 0}, {48, 16}, {16, 21}, {64, 37}, {35, 42}};
  const std::vector<float> apart = Gradients(kCount);
  std::vector<float> together(apart.size());
  for (Dim row = 0; row < kCount; ++row) {
    for (size_t i = 0; i < pieces.size(); ++i) {
      const Dim end = i + 1 < pieces.size() ? pieces[i + 1].to : kWidth;
      std::copy_n(apart.begin() + row * kRow + pieces[i].from, end - pieces[i].to,
                  together.begin() + row * kRow + pieces[i].to);
    }
  }
  for (const Target& target : TargetsOfThisMachine()) {
    for (const DataType type : {DataType::kF32, DataType::kBf16}) {
      std::vector<float> want((kCount + 1) * kColumns), got(want.size()), want_sums(kColumns), sums(kColumns);
      PackGradientArgs args = ArgsOf(together, kCount, type, want.data());
      args.columns = 3 * kBlock;
      args.sums = want_sums.data();
      BackwardKernelsFor(target).pack_gradient(args);
      args.rows = apart.data();
      args.columns = kWidth;
      args.packed = got.data();
      args.sums = sums.data();
      args.n_pieces = static_cast<int>(pieces.size());
      std::copy(pieces.begin(), pieces.end(), args.piece);
      BackwardKernelsFor(target).pack_gradient(args);
      EXPECT_EQ(got, want) << TargetName(target) << ", " << ToString(type);
      EXPECT_EQ(sums, want_sums) << TargetName(target) << ", " << ToString(type);
    }
  }
}

}  // namespace
}  // namespace optimized
}  // namespace tandem
