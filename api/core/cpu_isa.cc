#include "api/core/cpu_isa.h"

#include <strings.h>

#include <atomic>
#include <cstdlib>
#include <string>

#include "api/core/error.h"

namespace tandem {
namespace {

// The words of the environment.
constexpr struct {
  const char* name;
  dnnl_cpu_isa_t isa;
} kCpuIsas[] = {
    {"DEFAULT", dnnl_cpu_isa_default},
    {"ALL", dnnl_cpu_isa_all},
    {"SSE41", dnnl_cpu_isa_sse41},
    {"AVX", dnnl_cpu_isa_avx},
    {"AVX2", dnnl_cpu_isa_avx2},
    {"AVX2_VNNI", dnnl_cpu_isa_avx2_vnni},
    {"AVX2_VNNI_2", dnnl_cpu_isa_avx2_vnni_2},
    {"AVX512_CORE", dnnl_cpu_isa_avx512_core},
    {"AVX512_CORE_VNNI", dnnl_cpu_isa_avx512_core_vnni},
    {"AVX512_CORE_BF16", dnnl_cpu_isa_avx512_core_bf16},
    {"AVX512_CORE_FP16", dnnl_cpu_isa_avx512_core_fp16},
    {"AVX10_1_512", dnnl_cpu_isa_avx10_1_512},
    {"AVX512_CORE_AMX", dnnl_cpu_isa_avx512_core_amx},
    {"AVX10_1_512_AMX", dnnl_cpu_isa_avx10_1_512_amx},
    {"AVX512_CORE_AMX_FP16", dnnl_cpu_isa_avx512_core_amx_fp16},
    {"AVX10_1_512_AMX_FP16", dnnl_cpu_isa_avx10_1_512_amx_fp16},
};

dnnl_cpu_isa_t FromEnvironment() {
  for (const char* variable : {"ONEDNN_MAX_CPU_ISA", "DNNL_MAX_CPU_ISA"}) {
    const char* word = secure_getenv(variable);
    if (word == nullptr || *word == '\0') continue;
    for (const auto& entry : kCpuIsas) {
      if (strcasecmp(word, entry.name) == 0) return entry.isa;
    }
    break;
  }
  return dnnl_cpu_isa_all;
}

constexpr int kUnset = -1, kFixed = 1 << 30;

// An instruction set, with kFixed from the first question on.
std::atomic<int> most{kUnset};

}  // namespace

dnnl_cpu_isa_t MaxCpuIsa() {
  int known = most.load(std::memory_order_relaxed);
  while (known == kUnset || (known & kFixed) == 0) {
    const int fixed = (known == kUnset ? static_cast<int>(FromEnvironment()) : known) | kFixed;
    if (most.compare_exchange_weak(known, fixed)) known = fixed;
  }
  return static_cast<dnnl_cpu_isa_t>(known & ~kFixed);
}

bool IsAllowed(dnnl_cpu_isa_t needed) {
  const dnnl_cpu_isa_t allowed = MaxCpuIsa();
  return allowed == dnnl_cpu_isa_all || (needed & ~allowed) == 0;
}

void SetMaxCpuIsa(dnnl_cpu_isa_t isa) {
  bool is_known = false;
  for (const auto& entry : kCpuIsas) is_known = is_known || entry.isa == isa;
  if (!is_known) ThrowInvalid("max_cpu_isa: is " + std::to_string(isa) + ", which is no instruction set");
  int known = most.load();
  do {
    if (known != kUnset && (known & kFixed) != 0) {
      ThrowInvalid("max_cpu_isa: can only be set before the first primitive descriptor is made");
    }
  } while (!most.compare_exchange_weak(known, isa));
}

}  // namespace tandem
