// The products of the kernels alone, on every target of the machine.
#include "optimized/kernels/kernels.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "hwy/targets.h"

namespace tandem {
namespace optimized {
namespace {

constexpr Dim kRows = 7, kBlocks = 5, kLong = 2500;

std::vector<float> Random(Dim count, uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(-1.f, 1.f);
  std::vector<float> values(static_cast<size_t>(count));
  for (float& value : values) value = uniform(random);
  return values;
}

// The plain product of a packed part of one gate whose panels are whole.
TileArgs Product(const std::vector<float>& a, const std::vector<float>& b, std::vector<float>* out) {
  TileArgs tile;
  tile.op = TileOp::kStore;
  tile.weights = b.data();
  tile.gates = 1;
  tile.panel_blocks = 1;
  tile.total_blocks = kBlocks;
  tile.k = tile.k_padded = kLong;
  tile.a = a.data();
  tile.a_row = kLong;
  tile.rows = {0, kRows};
  tile.blocks = {0, kBlocks};
  tile.init = out->data();
  tile.init_row = kBlocks * kBlock;
  tile.out = out->data();
  tile.out_row = kBlocks * kBlock;
  return tile;
}

// A long k is walked in pieces; each sum goes on where the piece before left it.
TEST(Product, OfALongKIsTheSumsOfItsPiecesBitForBit) {
  const auto a = Random(kRows * kLong, 1), b = Random(kLong * kBlocks * kBlock, 2);
  const auto init = Random(kRows * kBlocks * kBlock, 3);
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    const Kernels kernels = KernelsFor(DataType::kF32, target);
    std::vector<float> whole = init, pieces = init;
    kernels.run(Product(a, b, &whole));
    for (const Range k : {Range{0, 700}, Range{700, 1650}, Range{1650, kLong}}) {
      TileArgs piece = Product(a, b, &pieces);
      piece.k = k.size();
      piece.a = a.data() + k.begin;
      piece.weights = b.data() + k.begin * kBlock;
      kernels.run(piece);
    }
    EXPECT_EQ(std::memcmp(whole.data(), pieces.data(), whole.size() * sizeof(float)), 0) << hwy::TargetName(target);
  }
}

TEST(Product, StartsFromOneRowThatAllRowsShare) {
  const auto a = Random(kRows * kLong, 4), b = Random(kLong * kBlocks * kBlock, 5);
  const auto bias = Random(kBlocks * kBlock, 6);
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    std::vector<float> repeated, shared(kRows * kBlocks * kBlock);
    for (Dim row = 0; row < kRows; ++row) repeated.insert(repeated.end(), bias.begin(), bias.end());
    const Kernels kernels = KernelsFor(DataType::kF32, target);
    kernels.run(Product(a, b, &repeated));
    TileArgs tile = Product(a, b, &shared);
    tile.init = bias.data();
    tile.init_row = 0;
    kernels.run(tile);
    EXPECT_EQ(std::memcmp(repeated.data(), shared.data(), shared.size() * sizeof(float)), 0) << hwy::TargetName(target);
  }
}

}  // namespace
}  // namespace optimized
}  // namespace tandem
