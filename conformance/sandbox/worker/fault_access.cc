#include "conformance/sandbox/worker/fault_access.h"

#include <ucontext.h>

#include <cstring>

namespace tandem::conformance {
namespace {

bool Matches(uint32_t instruction, uint32_t mask, uint32_t value) { return (instruction & mask) == value; }

FaultAccess ReadIf(bool reads) { return reads ? FaultAccess::kRead : FaultAccess::kWrite; }

// Returns the instruction at `address`, which may end with its page: RISC-V's are 2 or 4 bytes long.
[[maybe_unused]] uint32_t InstructionAt(uintptr_t address) {
  uint16_t half[2] = {};
  std::memcpy(half, reinterpret_cast<const void*>(address), sizeof half[0]);
  // On RISC-V these two bits tell the length.
  if ((half[0] & 3) == 3) std::memcpy(half + 1, reinterpret_cast<const void*>(address + 2), sizeof half[1]);
  return half[0] | static_cast<uint32_t>(half[1]) << 16;
}

}  // namespace

// The encodings come from the Arm Architecture Reference Manual, "Loads and Stores" of the A64 encoding index.
FaultAccess AccessOfA64(uint32_t instruction) {
  constexpr uint32_t kLoad = 1u << 22;
  // memset writes zeros with DC ZVA.
  if (Matches(instruction, 0xffffffe0, 0xd50b7420)) return FaultAccess::kWrite;
  if (!Matches(instruction, 0x0a000000, 0x08000000)) return FaultAccess::kUnknown;
  switch (instruction >> 28 & 3) {
    case 0: {  // exclusive, ordered, compare-and-swap; structures of vectors
      const bool vector = (instruction & 1u << 26) != 0;
      const bool swaps = !vector && (Matches(instruction, 0x00a00000, 0x00a00000) ||  // CAS
                                     Matches(instruction, 0x80a00000, 0x00200000));   // CASP
      return ReadIf(!swaps && (instruction & kLoad) != 0);
    }
    case 1:  // a literal beside the program
      return FaultAccess::kRead;
    case 2:  // pairs
      return ReadIf((instruction & kLoad) != 0);
    default: {  // one register
      if (Matches(instruction, 0x05200c00, 0x00200000)) {
        return ReadIf(Matches(instruction, 0x00fffc00, 0x00bfc000));  // LDAPR among the atomic operations
      }
      const bool vector = (instruction & 1u << 26) != 0;
      // The two bits say which load it is. In vectors the upper one is part of the size.
      return ReadIf((instruction & (vector ? kLoad : 3 * kLoad)) != 0);
    }
  }
}

// See the RISC-V Instruction Set Manual, volume I, "RV32/64G Instruction Set Listings" and "RVC Instruction Set Listings".
FaultAccess AccessOfRiscV(uint32_t instruction) {
  if ((instruction & 3) != 3) {
    // Compressed: quadrants 0 and 2 have three loads and three stores each, relative to a register and to the stack pointer.
    const uint32_t kind = instruction >> 13 & 7;
    if ((instruction & 3) == 1 || kind % 4 == 0) return FaultAccess::kUnknown;
    return ReadIf(kind < 4);
  }
  switch (instruction & 0x7f) {
    case 0x03:  // LOAD
    case 0x07:  // LOAD-FP
      return FaultAccess::kRead;
    case 0x23:  // STORE
    case 0x27:  // STORE-FP
      return FaultAccess::kWrite;
    case 0x2f:  // AMO: LR reads
      return ReadIf(instruction >> 27 == 2);
    default:
      return FaultAccess::kUnknown;
  }
}

FaultAccess AccessOf(const void* context) {
  const mcontext_t& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__) || defined(__i386__)
  // Bit 1 of the page fault's error code says that the access was a write.
  return ReadIf((machine.gregs[REG_ERR] & 2) == 0);
#elif defined(__aarch64__)
  // The kernel's own answer (ESR) stands in an optional record that emulators may leave out.
  uint32_t instruction;
  std::memcpy(&instruction, reinterpret_cast<const void*>(machine.pc), sizeof instruction);
  return AccessOfA64(instruction);
#elif defined(__riscv)
  return AccessOfRiscV(InstructionAt(machine.__gregs[REG_PC]));
#else
  static_cast<void>(machine);
  return FaultAccess::kUnknown;
#endif
}

}  // namespace tandem::conformance
