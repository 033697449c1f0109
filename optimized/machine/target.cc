#include "optimized/machine/target.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <vector>

#include "api/core/cpu_isa.h"
#include "api/core/environment.h"
#include "api/core/error.h"
#include "api/core/os/os.h"
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

bool HasAvxVnni() {
#if HWY_ARCH_X86
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __get_cpuid_count(7, 1, &eax, &ebx, &ecx, &edx) != 0 && (eax >> 4 & 1) != 0;
#else
  return false;
#endif
}

// Tiles, their bf16 and bytes, and the system's permission for this process and its threads.
bool MayUseAmx() {
#if HWY_ARCH_X86_64
  constexpr unsigned kNeeded = 1u << 22 | 1u << 24 | 1u << 25;  // AMX-BF16, AMX-TILE, AMX-INT8
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) == 0 || (edx & kNeeded) != kNeeded) return false;
  return os::MayUseTiles();
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
constexpr uint32_t Bit(Feature feature) { return static_cast<uint32_t>(feature); }
constexpr Extension kExtensions[] = {
    {"AMX", {HWY_AVX3_SPR, Bit(Feature::kAmx)}, &MayUseAmx},
    {"AVX2_VNNI", {HWY_AVX2, Bit(Feature::kAvxVnni)}, &HasAvxVnni},
};
// For tests, on each machine: what the first of these that it has extends. With AVX-512, one row is multiplied without tiles, as
// beside AMX. WebAssembly's module has no kernels for it: it is downloaded with each page.
constexpr Target kEmulations[] = {
    {HWY_AVX3_ZEN4, Bit(Feature::kAmxEmulated)},
    {HWY_STATIC_TARGET, Bit(Feature::kAmxEmulated)},
};
bool IsEmulation(const Target& target) { return target.Has(Feature::kAmxEmulated); }

// The least of oneDNN's instruction sets that has what the target uses, by the processors that brought it. Highway's SSE4
// has SSE4.2 and AES, too.
dnnl_cpu_isa_t NeededBy(const Target& target) {
#if HWY_ARCH_X86
  if (target.Has(Feature::kAmx)) return dnnl_cpu_isa_avx512_core_amx;
  if (target.highway == HWY_AVX3_SPR) return dnnl_cpu_isa_avx512_core_fp16;
  if (target.highway == HWY_AVX3_ZEN4) return dnnl_cpu_isa_avx512_core_bf16;
  if (target.highway == HWY_AVX3_DL) return dnnl_cpu_isa_avx512_core_vnni;
  if (target.highway == HWY_AVX3) return dnnl_cpu_isa_avx512_core;
  if (target.highway == HWY_AVX2) return target.features == 0 ? dnnl_cpu_isa_avx2 : dnnl_cpu_isa_avx2_vnni;
#endif
  static_cast<void>(target);
  return dnnl_cpu_isa_default;
}

std::vector<Target> FindTargets() {
  std::vector<Target> targets;
  for (const int64_t highway : hwy::SupportedAndGeneratedTargets()) {
    for (const Extension& extension : kExtensions) {
      if (extension.target.highway == highway && extension.runs_here()) targets.push_back(extension.target);
    }
    targets.push_back({highway, 0});
  }
  for (const Target& emulation : kEmulations) {
    if (HWY_ARCH_WASM) break;
    const auto extends = [&](const Target& target) { return target.highway == emulation.highway; };
    if (std::none_of(targets.begin(), targets.end(), extends)) continue;
    targets.push_back(emulation);
    break;
  }
  return targets;
}

// The best that the client allows, or the least of all.
Target DefaultTarget() {
  Target least;
  for (const Target& target : TargetsOfThisMachine()) {
    if (IsEmulation(target)) continue;
    if (IsAllowed(NeededBy(target))) return target;
    least = target;
  }
  return least;
}

}  // namespace

const char* TargetName(const Target& target) {
  if (IsEmulation(target)) return "AMX_EMULATED";
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

bool TargetsAreAsked() {
  const char* name = ValueOf(Variable::kTandemTarget);
  return name != nullptr && EqualIgnoringCase(name, "help");
}

Target TargetInForce() {
  const char* name = ValueOf(Variable::kTandemTarget);
  if (name == nullptr || *name == '\0') return DefaultTarget();
  std::string valid;
  for (const Target& target : TargetsOfThisMachine()) {
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
