// The tiles and their contents. AMX has eight tiles of at most 16 rows of 64 bytes.
#ifndef TANDEM_OPTIMIZED_TILES_TILE_CONFIG_H_
#define TANDEM_OPTIMIZED_TILES_TILE_CONFIG_H_

#include <cstdint>

namespace tandem {
namespace optimized {

constexpr int kTiles = 8;
constexpr int kMostTileRows = 16;
constexpr int kMostTileBytes = 64;  // of a row

// The operand of LDTILECFG, byte for byte. (Intel's Software Developer's Manual, volume 1, chapter 18.)
struct TileConfig {
  uint8_t palette = 1;
  uint8_t start_row = 0;
  uint8_t reserved[14] = {};
  uint16_t row_bytes[16] = {};  // of tiles 0 to 7
  uint8_t rows[16] = {};

  void Set(int tile, int tile_rows, int tile_row_bytes) {
    rows[tile] = static_cast<uint8_t>(tile_rows);
    row_bytes[tile] = static_cast<uint16_t>(tile_row_bytes);
  }
};
static_assert(sizeof(TileConfig) == 64, "as the processor reads it");

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_TILES_TILE_CONFIG_H_
