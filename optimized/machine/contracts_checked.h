// Kernels ask their driver for the conditions of optimized/kernels/contracts.h if the environment has TANDEM_CHECK_CONTRACTS.
// `./tandem test` sets it (.bazelrc), so that the tests check the same code that users run.
#ifndef TANDEM_OPTIMIZED_MACHINE_CONTRACTS_CHECKED_H_
#define TANDEM_OPTIMIZED_MACHINE_CONTRACTS_CHECKED_H_

#include <atomic>

namespace tandem {
namespace optimized {

// False once the environment was asked and said no: a step of a small network has no time for more than this load.
extern std::atomic<bool> contracts_may_be_checked;
bool EnvironmentAsksForContracts();

inline bool ContractsAreChecked() {
  return contracts_may_be_checked.load(std::memory_order_relaxed) && EnvironmentAsksForContracts();
}

// If contracts are checked, Kernels::begin calls CountBegun(1), Kernels::end CountBegun(-1), and Kernels::run CheckBegun(), which
// ends the process if this thread has not begun. Otherwise nobody calls them.
void CountBegun(int change);
void CheckBegun();

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_MACHINE_CONTRACTS_CHECKED_H_
