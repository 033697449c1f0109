#include "optimized/kernels/target.h"

#include <cctype>
#include <cstdlib>
#include <vector>

#include "api/core/error.h"
#include "hwy/targets.h"

namespace tandem {
namespace optimized {
namespace {

bool EqualIgnoringCase(const char* a, const char* b) {
  for (; *a != '\0' && *b != '\0'; ++a, ++b) {
    if (std::toupper(static_cast<unsigned char>(*a)) != std::toupper(static_cast<unsigned char>(*b))) return false;
  }
  return *a == *b;
}

}  // namespace

int64_t TargetInForce() {
  // Asked once: CPUID traps in a virtual machine, and the dozens that this needs took 0.1 ms per primitive descriptor.
  static const std::vector<int64_t> targets = hwy::SupportedAndGeneratedTargets();
  const char* name = std::getenv("TANDEM_TARGET");
  if (name == nullptr || *name == '\0') return targets.front();
  std::string valid;
  for (const int64_t target : targets) {
    if (EqualIgnoringCase(name, hwy::TargetName(target))) return target;
    valid += valid.empty() ? "" : ", ";
    valid += hwy::TargetName(target);
  }
  ThrowInvalid("TANDEM_TARGET: '" + std::string(name) + "' is not among this machine's targets: " + valid);
}

std::string ImplementationName(int64_t target) {
  std::string name = "hwy:";
  for (const char* c = hwy::TargetName(target); *c != '\0'; ++c) {
    name += static_cast<char>(std::tolower(static_cast<unsigned char>(*c)));
  }
  return name;
}

}  // namespace optimized
}  // namespace tandem
