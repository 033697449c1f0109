// These functions measure the peak of Intel's AMX tiles on a processor that has them.
#ifndef TANDEM_CONFORMANCE_CLI_BENCH_TILE_PEAK_H_
#define TANDEM_CONFORMANCE_CLI_BENCH_TILE_PEAK_H_

namespace tandem::conformance {

// Returns whether this processor and Linux let this process multiply bf16 and bytes with tiles, and TANDEM_TARGET allows it.
bool MultipliesWithTiles();

// Multiply `turns` times four products of tiles of 16 x 64 bytes in registers. Return the multiply-adds done.
double MultiplyAddTilesBf16(long turns);
double MultiplyAddTilesInt8(long turns);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_CLI_BENCH_TILE_PEAK_H_
