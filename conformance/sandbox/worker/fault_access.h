// Some processors do not tell a signal handler whether an access was a read or a write, but the fault's instruction does.
#ifndef TANDEM_CONFORMANCE_SANDBOX_WORKER_FAULT_ACCESS_H_
#define TANDEM_CONFORMANCE_SANDBOX_WORKER_FAULT_ACCESS_H_

#include <cstdint>

#include "conformance/sandbox/messages/task.h"

namespace tandem::conformance {

// Knows instructions of 64-bit Arm (A64). kUnknown is the answer for those that access no memory, and for SVE. Atomic
// operations read and write; they count as writes.
FaultAccess AccessOfA64(uint32_t instruction);

// Knows instructions of 64-bit RISC-V. The low 16 bits of a compressed instruction count. Vectors are kUnknown.
FaultAccess AccessOfRiscV(uint32_t instruction);

// Answers for the fault that a handler's third argument describes. It is kUnknown on processors that are not named here.
FaultAccess AccessOf(const void* context);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_SANDBOX_WORKER_FAULT_ACCESS_H_
