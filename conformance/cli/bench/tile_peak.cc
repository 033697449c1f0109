#include "conformance/cli/bench/tile_peak.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <strings.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

namespace tandem::conformance {
namespace {

// This is the operand of LDTILECFG with eight full tiles (Intel's Software Developer's Manual, volume 1, chapter 18).
struct FullTiles {
  uint8_t palette = 1, start_row = 0, reserved[14] = {};
  uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};
static_assert(sizeof(FullTiles) == 64, "as the processor reads it");

// All tiles are zero, because the time of a product does not depend on values. Four sums hide the latency (52 cycles, of 16
// each). The turns are assembly: for intrinsics the file would have to be compiled for AMX.
template <class Turn>
void Run(long turns, const Turn& turn) {
  const FullTiles config;
  asm volatile("ldtilecfg %0" : : "m"(config));
  for (long i = 0; i < turns; ++i) turn();
  asm volatile("tilerelease");
}

}  // namespace

bool MultipliesWithTiles() {
  const char* name = std::getenv("TANDEM_TARGET");
  if (name != nullptr && *name != '\0' && strcasecmp(name, "AMX") != 0) return false;
  constexpr unsigned kBf16 = 1u << 22, kTile = 1u << 24, kInt8 = 1u << 25, kAll = kBf16 | kTile | kInt8;
  constexpr long kArchReqXcompPerm = 0x1023, kTileData = 18;
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) != 0 && (edx & kAll) == kAll &&
         syscall(SYS_arch_prctl, kArchReqXcompPerm, kTileData) == 0;
}

double MultiplyAddTilesBf16(long turns) {
  Run(turns, [] {
    asm volatile(
        "tdpbf16ps %tmm6, %tmm4, %tmm0\n\ttdpbf16ps %tmm6, %tmm5, %tmm1\n\t"
        "tdpbf16ps %tmm7, %tmm4, %tmm2\n\ttdpbf16ps %tmm7, %tmm5, %tmm3");
  });
  return static_cast<double>(turns) * 4 * 16 * 16 * 32;
}

double MultiplyAddTilesInt8(long turns) {
  Run(turns, [] {
    asm volatile(
        "tdpbusd %tmm6, %tmm4, %tmm0\n\ttdpbusd %tmm6, %tmm5, %tmm1\n\t"
        "tdpbusd %tmm7, %tmm4, %tmm2\n\ttdpbusd %tmm7, %tmm5, %tmm3");
  });
  return static_cast<double>(turns) * 4 * 16 * 16 * 64;
}

}  // namespace tandem::conformance
#else
namespace tandem::conformance {

bool MultipliesWithTiles() { return false; }
double MultiplyAddTilesBf16(long) { return 0; }
double MultiplyAddTilesInt8(long) { return 0; }

}  // namespace tandem::conformance
#endif
