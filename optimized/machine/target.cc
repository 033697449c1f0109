#include "optimized/machine/target.h"

#include <unistd.h>

#include <cctype>
#include <cstdlib>
#include <vector>

#include "api/core/error.h"
#include "hwy/targets.h"

#if HWY_ARCH_X86
#include <cpuid.h>
#endif

namespace tandem {
namespace optimized {
namespace {

bool EqualIgnoringCase(const char* a, const char* b) {
  for (; *a != '\0' && *b != '\0'; ++a, ++b) {
    if (std::toupper(static_cast<unsigned char>(*a)) != std::toupper(static_cast<unsigned char>(*b))) return false;
  }
  return *a == *b;
}

// AMD's family 1Ah multiplies 512 bits at once, Zen 4 two halves. (So do Zen 5 cores of notebooks, which are taken for the
// others: CPUID's bit for it, Fn8000_001A EAX[3], was 0 in a virtual machine on a server.)
bool FamilyIsOfZen5() {
#if HWY_ARCH_X86
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (__get_cpuid(1, &eax, &ebx, &ecx, &edx) == 0) return false;
  const unsigned family = (eax >> 8 & 0xf) + (eax >> 20 & 0xff);
  return family >= 0x1a;
#else
  return false;
#endif
}

bool HasAvxVnni() {
#if HWY_ARCH_X86
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __get_cpuid_count(7, 1, &eax, &ebx, &ecx, &edx) != 0 && (eax >> 4 & 1) != 0;
#else
  return false;
#endif
}

// A target that extends one of Highway's, and stands before it.
struct Extension {
  const char* name;
  Target target;
  bool (*runs_here)();
};
constexpr Extension kExtensions[] = {
    {"AVX2_VNNI", {HWY_AVX2, static_cast<uint32_t>(Feature::kAvxVnni)}, &HasAvxVnni},
};

std::vector<Target> FindTargets() {
  std::vector<Target> targets;
  for (const int64_t highway : hwy::SupportedAndGeneratedTargets()) {
    for (const Extension& extension : kExtensions) {
      if (extension.target.highway == highway && extension.runs_here()) targets.push_back(extension.target);
    }
    targets.push_back({highway, 0});
  }
  return targets;
}

}  // namespace

bool IsZen5OrLater() {
  static const bool is = FamilyIsOfZen5();
  return is;
}

int VectorsPerCycle(int64_t highway) { return highway != HWY_AVX3_ZEN4 || IsZen5OrLater() ? 2 : 1; }

size_t L2CacheBytes() {
  // Asked once: on x86, sysconf asks CPUID, which traps in a virtual machine.
  static const long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
  return bytes > 0 ? static_cast<size_t>(bytes) : size_t{512} << 10;
}

const char* TargetName(const Target& target) {
  for (const Extension& extension : kExtensions) {
    if (extension.target.highway == target.highway && extension.target.features == target.features) {
      return extension.name;
    }
  }
  return hwy::TargetName(target.highway);
}

const std::vector<Target>& TargetsOfThisMachine() {
  // Asked once: CPUID traps in a virtual machine, and the dozens that this needs took 0.1 ms per primitive descriptor.
  static const std::vector<Target> targets = FindTargets();
  return targets;
}

Target TargetInForce() {
  const std::vector<Target>& targets = TargetsOfThisMachine();
  const char* name = secure_getenv("TANDEM_TARGET");
  if (name == nullptr || *name == '\0') return targets.front();
  std::string valid;
  for (const Target& target : targets) {
    if (EqualIgnoringCase(name, TargetName(target))) return target;
    valid += valid.empty() ? "" : ", ";
    valid += TargetName(target);
  }
  ThrowInvalid("TANDEM_TARGET: '" + std::string(name) + "' is not among this machine's targets: " + valid);
}

std::string ImplementationName(const Target& target) {
  std::string name = "hwy:";
  for (const char* c = TargetName(target); *c != '\0'; ++c) {
    name += static_cast<char>(std::tolower(static_cast<unsigned char>(*c)));
  }
  return name;
}

}  // namespace optimized
}  // namespace tandem
