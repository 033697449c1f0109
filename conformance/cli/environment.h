// These functions check what the command line and the environment say about Tandem's own implementations, before anything runs.
#ifndef TANDEM_CONFORMANCE_CLI_ENVIRONMENT_H_
#define TANDEM_CONFORMANCE_CLI_ENVIRONMENT_H_

#include <string>
#include <vector>

namespace tandem::conformance {

// Returns the names that TANDEM_TARGET may have on this machine: "AVX3_SPR, AVX2, SSE2".
std::string Targets();
// Says for each of them which target's code it runs: "AVX3_SPR runs AVX3 for f32, AVX3_ZEN4 for bf16, ...".
std::vector<std::string> CodeOfTargets();

// Throws UsageError, in the library's own words, if TANDEM_IMPL or another variable that the library reads has no valid value.
void CheckEnvironment();
// Throws UsageError, in the library's own words, if TANDEM_TARGET cannot be `target`.
void CheckTarget(const std::string& target);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_CLI_ENVIRONMENT_H_
