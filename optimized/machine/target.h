// The Highway target that runs: the best that this machine supports, or the one that TANDEM_TARGET names.
#ifndef TANDEM_OPTIMIZED_MACHINE_TARGET_H_
#define TANDEM_OPTIMIZED_MACHINE_TARGET_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tandem {
namespace optimized {

// Instructions for which Highway has no target of its own.
enum class Feature : uint32_t {
  kAvxVnni = 1,      // VNNI without AVX-512: Intel's processors since 2021, Zen 5
  kAmx = 2,          // tiles of bf16 and bytes: Intel's servers since 2023
  kAmxEmulated = 4,  // the same in plain C++, for tests
};

// Kernels are chosen by these: the Highway target that compiled them, and the features that they may use besides.
struct Target {
  int64_t highway = 0;    // HWY_AVX2, ...
  uint32_t features = 0;  // of Feature
  bool Has(Feature feature) const { return (features & static_cast<uint32_t>(feature)) != 0; }
};

// "AVX2", "AVX2_VNNI"
const char* TargetName(const Target& target);
// Lists the targets that were compiled and can run here, best first.
const std::vector<Target>& TargetsOfThisMachine();

// Returns the target that TANDEM_TARGET names (api/core/environment.h), else the best that is allowed. Throws invalid_arguments,
// listing the valid names, for a name that is unknown or that this machine or this build cannot run.
Target TargetInForce();
// True if TANDEM_TARGET is "help": the client asks which targets there are.
bool TargetsAreAsked();
// "hwy:avx3_zen4"
std::string ImplementationName(const Target& target);

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_MACHINE_TARGET_H_
