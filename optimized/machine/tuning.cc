#include "optimized/machine/tuning.h"

#include "api/core/os/os.h"

#if HWY_ARCH_X86
#include <cpuid.h>
#endif

namespace tandem {
namespace optimized {
namespace {

// AMD's family 1Ah multiplies 512 bits at once, Zen 4 (19h) two halves. (So do Zen 5 cores of notebooks, which are taken
// for the others: CPUID's bit for it, Fn8000_001A EAX[3], was 0 in a virtual machine on a server.)
Processor ProcessorOfFamily() {
#if HWY_ARCH_X86
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (__get_cpuid(1, &eax, &ebx, &ecx, &edx) == 0) return Processor::kOther;
  const unsigned family = (eax >> 8 & 0xf) + (eax >> 20 & 0xff);
  if (family >= 0x1a) return Processor::kZen5OrLater;
  if (family == 0x19) return Processor::kZen4;
#endif
  return Processor::kOther;
}

}  // namespace

Processor ThisProcessor() {
  static const Processor processor = ProcessorOfFamily();
  return processor;
}

size_t L2CacheBytes() {
  // The system is asked once: on x86, Linux asks CPUID, which traps in a virtual machine.
  static const size_t bytes = os::L2CacheBytes();
  return bytes > 0 ? bytes : size_t{512} << 10;
}

}  // namespace optimized
}  // namespace tandem
