// Whether kernels ask their driver for what it owes them (optimized/kernels/contracts.h): if the environment had
// TANDEM_CHECK_CONTRACTS when the program started. `./tandem test` sets it (.bazelrc), so that the tests check the same code
// that users run.
#ifndef TANDEM_OPTIMIZED_MACHINE_CONTRACTS_CHECKED_H_
#define TANDEM_OPTIMIZED_MACHINE_CONTRACTS_CHECKED_H_

namespace tandem {
namespace optimized {

extern const bool contracts_are_checked;

// Kernels::begin less Kernels::end of this thread, where contracts are checked: CountBegun(1) and CountBegun(-1).
void CountBegun(int change);
// Ends the process unless this thread has begun.
void CheckBegun();

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_MACHINE_CONTRACTS_CHECKED_H_
