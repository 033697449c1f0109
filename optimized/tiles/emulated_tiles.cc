#include "optimized/tiles/emulated_tiles.h"

#include <cmath>
#include <cstring>

#include "hwy/base.h"

namespace tandem {
namespace optimized {
namespace {

constexpr int kColumns = kMostTileBytes / 4;  // of sums, and of weights

struct Tile {
  alignas(64) unsigned char bytes[kMostTileRows][kMostTileBytes];
};
struct State {
  TileConfig config;
  Tile tile[kTiles];
  bool configured = false;
};
thread_local State state;

int RowsOf(int tile) { return state.config.rows[tile]; }
int BytesOf(int tile) { return state.config.row_bytes[tile]; }

template <class T>
T At(int tile, int row, int index) {
  T value;
  std::memcpy(&value, state.tile[tile].bytes[row] + index * sizeof value, sizeof value);
  return value;
}

// The instructions' own conditions.
void CheckProduct(int sum, int a, int b) {
  HWY_ASSERT(state.configured && sum != a && sum != b && a != b);
  HWY_ASSERT(RowsOf(sum) == RowsOf(a) && BytesOf(sum) == BytesOf(b) && BytesOf(a) == 4 * RowsOf(b));
  HWY_ASSERT(RowsOf(a) > 0 && RowsOf(b) > 0 && BytesOf(a) % 4 == 0 && BytesOf(b) % 4 == 0);
}

// Subnormal f32 count as zero, in and out, whatever the mode of the thread is. A result is subnormal if it still is when it is
// rounded to 24 bits.
float RoundResult(double exact) {
  constexpr double kLeast = 0x1.ffffffp-127;  // is rounded to 2^-126
  return static_cast<float>(std::fabs(exact) < kLeast ? exact * 0.0 : exact);
}
float ZeroIfSubnormal(float x) { return std::fabs(x) < 0x1p-126f ? x * 0.f : x; }

float WidenBf16(uint16_t bits) {
  const uint32_t wide = static_cast<uint32_t>(bits) << 16;
  float x;
  std::memcpy(&x, &wide, sizeof x);
  return ZeroIfSubnormal(x);
}

// The sum is rounded once. It is exact in f64, or one of both is less than half of the other's last place: so it is for a
// product of two bf16, which is exact itself, and an f32.
float Add(double x, float y) { return RoundResult(x + static_cast<double>(y)); }

}  // namespace

void EmulatedTiles::Configure(const TileConfig& config) {
  HWY_ASSERT(config.palette == 1 && config.start_row == 0);
  for (int tile = 0; tile < kTiles; ++tile) {
    HWY_ASSERT(config.rows[tile] <= kMostTileRows && config.row_bytes[tile] <= kMostTileBytes);
    HWY_ASSERT((config.rows[tile] == 0) == (config.row_bytes[tile] == 0));
  }
  state.config = config;
  std::memset(state.tile, 0, sizeof state.tile);
  state.configured = true;
}

void EmulatedTiles::Release() { state.configured = false; }

void EmulatedTiles::LoadTile(int tile, const void* from, int64_t stride) {
  HWY_ASSERT(state.configured && RowsOf(tile) > 0);
  std::memset(state.tile[tile].bytes, 0, sizeof state.tile[tile].bytes);
  for (int row = 0; row < RowsOf(tile); ++row) {
    std::memcpy(state.tile[tile].bytes[row], static_cast<const char*>(from) + row * stride,
                static_cast<size_t>(BytesOf(tile)));
  }
}

void EmulatedTiles::StoreTile(int tile, void* to, int64_t stride) {
  HWY_ASSERT(state.configured && RowsOf(tile) > 0);
  for (int row = 0; row < RowsOf(tile); ++row) {
    std::memcpy(static_cast<char*>(to) + row * stride, state.tile[tile].bytes[row], static_cast<size_t>(BytesOf(tile)));
  }
}

void EmulatedTiles::AddBf16Tiles(int sum, int a, int b) {
  CheckProduct(sum, a, b);
  float weights[kMostTileRows][2][kColumns];
  for (int pair = 0; pair < RowsOf(b); ++pair) {
    for (int i = 0; i < 2 * kColumns; ++i) weights[pair][i % 2][i / 2] = WidenBf16(At<uint16_t>(b, pair, i));
  }
  for (int row = 0; row < RowsOf(sum); ++row) {
    // The even and the odd products of each sum, apart.
    float halves[2][kColumns] = {};
    for (int k = 0; k < BytesOf(a) / 2; ++k) {
      const double x = WidenBf16(At<uint16_t>(a, row, k));
      const float* w = weights[k / 2][k % 2];
      float* half = halves[k % 2];
      for (int i = 0; i < kColumns; ++i) half[i] = Add(x * static_cast<double>(w[i]), half[i]);
    }
    for (int i = 0; i < BytesOf(sum) / 4; ++i) {
      const float products = Add(halves[0][i], halves[1][i]);
      const float result = Add(products, ZeroIfSubnormal(At<float>(sum, row, i)));
      std::memcpy(state.tile[sum].bytes[row] + 4 * i, &result, sizeof result);
    }
  }
}

void EmulatedTiles::AddByteTiles(int sum, int a, int b) {
  CheckProduct(sum, a, b);
  int32_t weights[kMostTileBytes][kColumns];
  for (int k = 0; k < BytesOf(a); ++k) {
    for (int i = 0; i < kColumns; ++i) weights[k][i] = At<int8_t>(b, k / 4, 4 * i + k % 4);
  }
  for (int row = 0; row < RowsOf(sum); ++row) {
    uint32_t sums[kColumns];  // modulo 2^32, as the processor's
    std::memcpy(sums, state.tile[sum].bytes[row], sizeof sums);
    for (int k = 0; k < BytesOf(a); ++k) {
      const int x = At<uint8_t>(a, row, k);
      for (int i = 0; i < kColumns; ++i) sums[i] += static_cast<uint32_t>(x * weights[k][i]);
    }
    std::memcpy(state.tile[sum].bytes[row], sums, static_cast<size_t>(BytesOf(sum)));
  }
}

}  // namespace optimized
}  // namespace tandem
