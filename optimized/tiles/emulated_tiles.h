// The functions of AmxTiles in plain C++, on any processor: for bytes the same bits, for bf16 the operations that Intel's manual
// gives for TDPBF16PS, in its order. What the processor refuses (tiles whose shapes do not fit, tiles that were not
// configured) aborts.
#ifndef TANDEM_OPTIMIZED_TILES_EMULATED_TILES_H_
#define TANDEM_OPTIMIZED_TILES_EMULATED_TILES_H_

#include <cstdint>

#include "optimized/tiles/tile_config.h"

namespace tandem {
namespace optimized {

// Each thread has tiles of its own.
class EmulatedTiles {
 public:
  static void Configure(const TileConfig& config);
  static void Release();

  template <int TILE>
  static void Load(const void* from, int64_t stride) {
    LoadTile(TILE, from, stride);
  }
  template <int TILE>
  static void Store(void* to, int64_t stride) {
    StoreTile(TILE, to, stride);
  }
  template <int SUM, int A, int B>
  static void AddBf16() {
    AddBf16Tiles(SUM, A, B);
  }
  template <int SUM, int A, int B>
  static void AddBytes() {
    AddByteTiles(SUM, A, B);
  }

 private:
  static void LoadTile(int tile, const void* from, int64_t stride);
  static void StoreTile(int tile, void* to, int64_t stride);
  static void AddBf16Tiles(int sum, int a, int b);
  static void AddByteTiles(int sum, int a, int b);
};

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_TILES_EMULATED_TILES_H_
