// Backward's kernels, on every target of the machine.
#include "optimized/kernels/backward_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "optimized/kernels/target.h"
#include "optimized/weights/weights_packer.h"

namespace tandem {
namespace optimized {
namespace {

constexpr Dim kColumns = 48, kRow = 50;

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
  args.type = type;
  args.packed = packed;
  return args;
}

// bf16 is packed in pairs of rows: which half of a lane holds the first of them is the processor's byte order.
TEST(PackGradient, GivesTheBytesOfPackedWeights) {
  for (const int64_t target : TargetsOfThisMachine()) {
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

TEST(PackGradient, AddsEveryRowToTheSums) {
  constexpr Dim kCount = 7;
  const std::vector<float> rows = Gradients(kCount);
  std::vector<float> want(kColumns, 3.f);
  for (Dim row = 0; row < kCount; ++row) {
    for (Dim column = 0; column < kColumns; ++column) want[column] += rows[row * kRow + column];
  }
  for (const int64_t target : TargetsOfThisMachine()) {
    for (const DataType type : {DataType::kF32, DataType::kBf16}) {
      std::vector<float> packed((kCount + 1) * kColumns), sums(kColumns, 3.f);
      PackGradientArgs args = ArgsOf(rows, kCount, type, packed.data());
      args.sums = sums.data();
      BackwardKernelsFor(target).pack_gradient(args);
      EXPECT_EQ(sums, want) << TargetName(target) << ", " << ToString(type);
    }
  }
}

TEST(PackGradient, TakesBlocksThatLieApart) {
  constexpr Dim kCount = 7, kApart = 2 * kBlock;
  const std::vector<float> apart = Gradients(kCount);
  std::vector<float> near = apart;
  for (Dim row = 0; row < kCount; ++row) {
    std::copy_n(apart.begin() + row * kRow + kApart, kBlock, near.begin() + row * kRow + kBlock);
  }
  for (const int64_t target : TargetsOfThisMachine()) {
    for (const DataType type : {DataType::kF32, DataType::kBf16}) {
      std::vector<float> want((kCount + 1) * kColumns), got(want.size()), near_sums(kColumns), sums(kColumns);
      PackGradientArgs args = ArgsOf(near, kCount, type, want.data());
      args.columns = 2 * kBlock;
      args.sums = near_sums.data();
      BackwardKernelsFor(target).pack_gradient(args);
      args.rows = apart.data();
      args.packed = got.data();
      args.sums = sums.data();
      args.block = kApart;
      BackwardKernelsFor(target).pack_gradient(args);
      std::copy_n(sums.begin() + kApart, kBlock, sums.begin() + kBlock);
      std::fill_n(sums.begin() + kApart, kBlock, 0.f);
      EXPECT_EQ(got, want) << TargetName(target) << ", " << ToString(type);
      EXPECT_EQ(sums, near_sums) << TargetName(target) << ", " << ToString(type);
    }
  }
}

}  // namespace
}  // namespace optimized
}  // namespace tandem
