// Whether kernels ask their driver for what it owes them (optimized/kernels/contracts.h): if the environment had
// TANDEM_CHECK_CONTRACTS when the program started. `./tandem test` sets it (.bazelrc), so that the tests check the same code
// that users run.
#ifndef TANDEM_OPTIMIZED_MACHINE_CONTRACTS_CHECKED_H_
#define TANDEM_OPTIMIZED_MACHINE_CONTRACTS_CHECKED_H_

namespace tandem {
namespace optimized {

extern const bool contracts_are_checked;

// Where contracts are checked, Kernels::begin calls CountBegun(1), Kernels::end CountBegun(-1), and Kernels::run
// CheckBegun(), which ends the process if this thread has not begun. Elsewhere nobody calls them: a step of a small network
// has no time for it.
void CountBegun(int change);
void CheckBegun();

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_MACHINE_CONTRACTS_CHECKED_H_
