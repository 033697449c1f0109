// The emulation against numbers worked out by hand and plain sums; where the machine has AMX, its instructions against the
// emulation.
#include "optimized/tiles/emulated_tiles.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "optimized/machine/target.h"
#include "optimized/tiles/amx_tiles.h"
#include "optimized/tiles/tile_thread.h"

namespace tandem {
namespace optimized {
namespace {

constexpr int kColumns = 16, kGroupBytes = 4, kFull = 16;

uint16_t Bf16(float x) {
  uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return static_cast<uint16_t>(bits >> 16);
}

// The bytes of a product of `rows` rows and `groups` groups of k.
struct Operands {
  Operands(int rows, int groups) : rows(rows), groups(groups), a(kFull * 64), weights(kFull * 64), sums(kFull * 64) {}
  template <class T>
  void Set(std::vector<char>* bytes, int row, int index, T value) {
    std::memcpy(bytes->data() + row * 64 + index * static_cast<int>(sizeof value), &value, sizeof value);
  }
  template <class T>
  T Get(const std::vector<char>& bytes, int row, int index) const {
    T value;
    std::memcpy(&value, bytes.data() + row * 64 + index * static_cast<int>(sizeof value), sizeof value);
    return value;
  }
  int rows, groups;
  std::vector<char> a, weights, sums;
};

enum class Type { kBf16, kBytes };

template <class TILES>
std::vector<char> Multiply(const Operands& x, Type type) {
  using Thread = TileThread<TILES>;
  std::vector<char> out(x.sums.size(), 77);
  Thread::Begin();
  Thread::Configure({x.rows, x.groups});
  TILES::template Load<ProductTiles::kSum>(x.sums.data(), 64);
  TILES::template Load<ProductTiles::kA>(x.a.data(), 64);
  TILES::template Load<ProductTiles::kWeights>(x.weights.data(), 64);
  if (type == Type::kBf16) {
    TILES::template AddBf16<ProductTiles::kSum, ProductTiles::kA, ProductTiles::kWeights>();
  } else {
    TILES::template AddBytes<ProductTiles::kSum, ProductTiles::kA, ProductTiles::kWeights>();
  }
  TILES::template Store<ProductTiles::kSum>(out.data(), 64);
  Thread::End();
  return out;
}

// The sum of one row and column: sum + all products.
float Bf16Sum(float sum, const std::vector<float>& a, const std::vector<float>& weights) {
  Operands x(1, static_cast<int>(a.size()) / 2);
  x.Set(&x.sums, 0, 3, sum);
  for (size_t k = 0; k < a.size(); ++k) {
    x.Set(&x.a, 0, static_cast<int>(k), Bf16(a[k]));
    x.Set(&x.weights, static_cast<int>(k) / 2, 2 * 3 + static_cast<int>(k) % 2, Bf16(weights[k]));
  }
  return x.Get<float>(Multiply<EmulatedTiles>(x, Type::kBf16), 0, 3);
}

TEST(EmulatedTiles, SumEvenAndOddProductsApartAndThenAddThemToTheSum) {
  EXPECT_EQ(Bf16Sum(4.f, {1, 2, 3, 4}, {5, 6, 7, 8}), 4.f + 5 + 12 + 21 + 32);
  // 2^24 + 1 is no f32. In one sum after the other each 1 would be lost; apart from 2^24, four of them are added.
  EXPECT_EQ(Bf16Sum(0x1p24f, {1, 1, 1, 1}, {1, 1, 1, 1}), 0x1p24f + 4);
  EXPECT_EQ(Bf16Sum(0.f, {0x1p12f, 1, 1, 1}, {0x1p12f, 1, 1, 1}), 0x1p24f + 2);
  EXPECT_EQ(Bf16Sum(0.f, {0x1p12f, 1, 0, 1}, {0x1p12f, 1, 0, 1}), 0x1p24f + 2);
  EXPECT_EQ(Bf16Sum(0.f, {0x1p12f, 0, 1, 0}, {0x1p12f, 0, 1, 0}), 0x1p24f);
}

TEST(EmulatedTiles, RoundEachProductWithItsSumOnce) {
  // (1 + 2^-7)^2 = 1 + 2^-6 + 2^-14 is not f32 once 2^10 is added, a tie that goes to the even neighbour.
  const float x = 1.0078125f;
  EXPECT_EQ(Bf16Sum(0.f, {0x1p5f, 0, x, 0}, {0x1p5f, 0, x, 0}), 1025.015625f);
  // The product exceeds f32, its sum does not.
  EXPECT_EQ(Bf16Sum(0.f, {-0x1p127f, 0, 0x1p64f, 0}, {1, 0, 0x1p64f, 0}), 0x1p127f);
}

TEST(EmulatedTiles, TakeSubnormalsForZero) {
  const float subnormal = 0x1p-130f, normal = 0x1p-126f;
  EXPECT_EQ(Bf16Sum(subnormal, {0, 0}, {0, 0}), 0.f);
  EXPECT_EQ(Bf16Sum(normal, {0, 0}, {0, 0}), normal);
  EXPECT_EQ(Bf16Sum(0.f, {subnormal, 0}, {0x1p100f, 0}), 0.f);
  EXPECT_EQ(Bf16Sum(0.f, {0x1p-100f, 0}, {0x1p-28f, 0}), 0.f);
  // A value that is lost in a product of its own is kept beside a larger sum.
  EXPECT_EQ(Bf16Sum(0.f, {0x1p-63f, 0, 0x1p-100f, 0}, {0x1p-60f, 0, 0x1p-28f, 0}), 0x1p-123f + 0x1p-128f);
  EXPECT_TRUE(std::signbit(Bf16Sum(-0.f, {-0x1p-100f, -0x1p-100f}, {0x1p-28f, 0x1p-28f})));
}

TEST(EmulatedTiles, KeepInfinitiesAndNan) {
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(Bf16Sum(0.f, {infinity, 1}, {1, 1}), infinity);
  EXPECT_TRUE(std::isnan(Bf16Sum(0.f, {infinity, infinity}, {1, -1})));
  EXPECT_TRUE(std::isnan(Bf16Sum(0.f, {infinity, 0}, {0, 0})));
}

Operands RandomOperands(int rows, int groups, uint32_t seed) {
  std::mt19937 random(seed);
  Operands x(rows, groups);
  for (std::vector<char>* bytes : {&x.a, &x.weights, &x.sums}) {
    for (char& byte : *bytes) byte = static_cast<char>(random());
  }
  return x;
}

TEST(EmulatedTiles, AreExactForBytesOfEachShape) {
  for (const int rows : {1, 7, 16}) {
    for (const int groups : {1, 5, 16}) {
      const Operands x = RandomOperands(rows, groups, static_cast<uint32_t>(17 * rows + groups));
      Operands expected = x;
      std::memset(expected.sums.data(), 77, expected.sums.size());
      for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < kColumns; ++column) {
          int64_t sum = x.Get<int32_t>(x.sums, row, column);
          for (int k = 0; k < kGroupBytes * groups; ++k) {
            sum += x.Get<uint8_t>(x.a, row, k) * x.Get<int8_t>(x.weights, k / 4, 4 * column + k % 4);
          }
          expected.Set(&expected.sums, row, column, static_cast<uint32_t>(sum));
        }
      }
      EXPECT_EQ(Multiply<EmulatedTiles>(x, Type::kBytes), expected.sums) << rows << " rows, " << groups << " groups";
    }
  }
}

TEST(TileThread, HasTheRowsOfBothHalves) {
  const TileConfig few = ProductTiles{5, 3}.Config(), many = ProductTiles{21, 16}.Config();
  for (const int tile : {0, 1, 2, 3, 4}) EXPECT_EQ(few.rows[tile], 5) << tile;
  EXPECT_EQ(few.row_bytes[4], 12);
  EXPECT_EQ(few.rows[6], 3);
  for (const int tile : {0, 1, 4}) EXPECT_EQ(many.rows[tile], 16) << tile;
  for (const int tile : {2, 3, 5}) EXPECT_EQ(many.rows[tile], 5) << tile;
  EXPECT_EQ(many.row_bytes[5], 64);
}

TEST(TileThreadDeathTest, ReleasesTilesWhenTheOutermostPairEnds) {
  using Thread = TileThread<EmulatedTiles>;
  const auto multiply = [] { EmulatedTiles::AddBytes<ProductTiles::kSum, ProductTiles::kA, ProductTiles::kWeights>(); };
  for (int time = 0; time < 2; ++time) {
    Thread::Begin();
    Thread::Begin();
    Thread::Configure({5, 3});
    Thread::End();
    multiply();
    Thread::End();
    EXPECT_DEATH(multiply(), "configured");
  }
}

TEST(EmulatedTilesDeathTest, RefuseWhatTheProcessorRefuses) {
  const auto add = [](const TileConfig& config) {
    EmulatedTiles::Configure(config);
    EmulatedTiles::AddBytes<0, 4, 6>();
  };
  TileConfig config = ProductTiles{5, 3}.Config();
  add(config);
  config.Set(6, 4, 64);
  EXPECT_DEATH(add(config), "RowsOf");
  config = ProductTiles{5, 3}.Config();
  config.Set(0, 4, 64);
  EXPECT_DEATH(add(config), "RowsOf");
  EmulatedTiles::Release();
  EXPECT_DEATH((EmulatedTiles::AddBytes<0, 4, 6>()), "configured");
}

#if defined(__x86_64__)
TEST(AmxTiles, HaveTheBitsOfTheEmulation) {
  bool has_amx = false;
  for (const Target& target : TargetsOfThisMachine()) has_amx |= target.Has(Feature::kAmx);
  if (!has_amx) GTEST_SKIP() << "this machine has no AMX";
  for (uint32_t seed = 0; seed < 200; ++seed) {
    const Operands x = RandomOperands(1 + static_cast<int>(seed % 16), 1 + static_cast<int>(seed / 16 % 16), seed);
    EXPECT_EQ(Multiply<AmxTiles>(x, Type::kBytes), Multiply<EmulatedTiles>(x, Type::kBytes)) << seed;
    const std::vector<char> amx = Multiply<AmxTiles>(x, Type::kBf16),
                            emulated = Multiply<EmulatedTiles>(x, Type::kBf16);
    for (int i = 0; i < x.rows * kColumns; ++i) {
      const auto value = x.Get<float>(amx, i / kColumns, i % kColumns);
      const auto want = x.Get<float>(emulated, i / kColumns, i % kColumns);
      EXPECT_TRUE(std::memcmp(&value, &want, sizeof value) == 0 || (std::isnan(value) && std::isnan(want)))
          << value << " for " << want << ", seed " << seed;
    }
  }
}
#endif

}  // namespace
}  // namespace optimized
}  // namespace tandem
