// The tiles of one thread as products need them: configured when their shape changes, released when the thread's work ends.
#ifndef TANDEM_OPTIMIZED_TILES_TILE_THREAD_H_
#define TANDEM_OPTIMIZED_TILES_TILE_THREAD_H_

#include <algorithm>

#include "optimized/tiles/tile_config.h"

namespace tandem {
namespace optimized {

// The tiles of a product of up to 32 rows: four with sums, two with rows of A, two with weights. With at most 16 rows, all
// sums belong to the same rows; else tiles 0 and 1 to the first 16, 2 and 3 to the others.
struct ProductTiles {
  static constexpr int kSum = 0, kA = 4, kWeights = 6;
  static constexpr int kMostRows = 2 * kMostTileRows;

  int rows = 0;
  int groups = 0;  // of four bytes of k at a time, 16 at most

  bool operator!=(const ProductTiles& other) const { return rows != other.rows || groups != other.groups; }
  TileConfig Config() const {
    const int upper = std::min(rows, kMostTileRows), lower = rows > upper ? rows - upper : upper;
    TileConfig config;
    for (int i = 0; i < 4; ++i) config.Set(kSum + i, i < 2 ? upper : lower, kMostTileBytes);
    config.Set(kA, upper, 4 * groups);
    config.Set(kA + 1, lower, 4 * groups);
    for (int i = 0; i < 2; ++i) config.Set(kWeights + i, groups, kMostTileBytes);
    return config;
  }
};

// TILES: AmxTiles or EmulatedTiles. A configuration is kept while the shape stays the same: a new one costs the processor as
// much as several products, and empties all tiles.
template <class TILES>
class TileThread {
 public:
  // Pairs of them may lie within one another.
  static void Begin() { ++state_.begun; }
  static void End() {
    if (--state_.begun > 0) return;
    state_.tiles = {};
    TILES::Release();
  }
  static void Configure(const ProductTiles& tiles) {
    if (!(state_.tiles != tiles)) return;
    TILES::Configure(tiles.Config());
    state_.tiles = tiles;
  }

 private:
  struct State {
    int begun = 0;
    ProductTiles tiles;
  };
  static inline thread_local State state_;
};

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_TILES_TILE_THREAD_H_
