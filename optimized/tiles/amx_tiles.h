// The tile instructions of Intel's AMX. No other file of the library has any. Strides are in bytes, from one row in memory to the
// next.
//
// Assembly, not intrinsics: those would need each function, and all that is inlined into it, compiled for AMX, and do not say
// that a tile is loaded from memory.
#ifndef TANDEM_OPTIMIZED_TILES_AMX_TILES_H_
#define TANDEM_OPTIMIZED_TILES_AMX_TILES_H_

#if defined(__x86_64__)

#include <cstdint>

#include "optimized/tiles/tile_config.h"

namespace tandem {
namespace optimized {

struct AmxTiles {
  // Sets all tiles to zero, too.
  static void Configure(const TileConfig& config) { asm volatile("ldtilecfg %0" : : "m"(config)); }
  static void Release() { asm volatile("tilerelease"); }

  template <int TILE>
  static void Load(const void* from, int64_t stride) {
    asm volatile("tileloadd (%0,%1,1), %%tmm%c2" : : "r"(from), "r"(stride), "n"(TILE) : "memory");
  }
  template <int TILE>
  static void Store(void* to, int64_t stride) {
    asm volatile("tilestored %%tmm%c2, (%0,%1,1)" : : "r"(to), "r"(stride), "n"(TILE) : "memory");
  }

  // SUM += A * B. A has rows of k, B has rows of groups of k: [k / group][column][k % group].
  template <int SUM, int A, int B>
  static void AddBf16() {
    asm volatile("tdpbf16ps %%tmm%c2, %%tmm%c1, %%tmm%c0" : : "n"(SUM), "n"(A), "n"(B));
  }
  // A of u8, B of s8.
  template <int SUM, int A, int B>
  static void AddBytes() {
    asm volatile("tdpbusd %%tmm%c2, %%tmm%c1, %%tmm%c0" : : "n"(SUM), "n"(A), "n"(B));
  }
};

}  // namespace optimized
}  // namespace tandem

#endif  // defined(__x86_64__)
#endif  // TANDEM_OPTIMIZED_TILES_AMX_TILES_H_
