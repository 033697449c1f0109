// Whether an instruction reads or writes memory. Processors that do not tell a signal handler which access failed leave
// it to the instruction, which a fault names.
#ifndef TANDEM_CONFORMANCE_SANDBOX_WORKER_FAULT_ACCESS_H_
#define TANDEM_CONFORMANCE_SANDBOX_WORKER_FAULT_ACCESS_H_

#include <cstdint>

#include "conformance/sandbox/messages/task.h"

namespace tandem::conformance {

// Instructions of 64-bit Arm (A64): kUnknown for those that access no memory, and for SVE. Atomic operations read and
// write; they count as writes.
FaultAccess AccessOfA64(uint32_t instruction);

// The same for 64-bit RISC-V; of a compressed instruction, the low 16 bits count. Vectors are kUnknown.
FaultAccess AccessOfRiscV(uint32_t instruction);

// Of the fault that a handler's third argument describes. kUnknown on processors that are not named here.
FaultAccess AccessOf(const void* context);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_SANDBOX_WORKER_FAULT_ACCESS_H_
