#include "api/core/cpu_isa.h"

#include <strings.h>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include <algorithm>
#include <atomic>
#include <cstring>
#include <initializer_list>
#include <string>

#include "api/core/environment.h"
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
    {"AVX10_2", dnnl_cpu_isa_avx10_2},
    {"AVX10_2_512", dnnl_cpu_isa_avx10_2_512},
    {"AVX10_2_AMX_2", dnnl_cpu_isa_avx10_2_amx_2},
    {"AVX10_2_512_AMX_2", dnnl_cpu_isa_avx10_2_512_amx_2},
};

dnnl_cpu_isa_t FromEnvironment() {
  for (const Variable variable : {Variable::kOnednnMaxCpuIsa, Variable::kDnnlMaxCpuIsa}) {
    const char* word = ValueOf(variable);
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

namespace {

#if defined(__x86_64__) || defined(__i386__)
// Asks the processor itself. The __builtin_cpu_supports() of clang 14 knows neither avx_vnni nor avx512_fp16.
bool HasByCpuid(unsigned subleaf, unsigned which, unsigned bit) {
  unsigned registers[4] = {};  // eax, ebx, ecx, edx
  return __get_cpuid_count(7, subleaf, &registers[0], &registers[1], &registers[2], &registers[3]) != 0 &&
         (registers[which] >> bit & 1) != 0;
}
#endif

}  // namespace

bool ThisProcessorHas(const char* feature) {
#if defined(__x86_64__) || defined(__i386__)
  const auto is = [feature](const char* name) { return std::strcmp(feature, name) == 0; };
  if (is("sse4_1")) return __builtin_cpu_supports("sse4.1") != 0;
  if (is("avx")) return __builtin_cpu_supports("avx") != 0;
  if (is("avx2")) return __builtin_cpu_supports("avx2") != 0;
  if (is("avx_vnni")) return HasByCpuid(1, 0, 4);
  if (is("avx512f")) return __builtin_cpu_supports("avx512f") != 0;
  if (is("avx512bw")) return __builtin_cpu_supports("avx512bw") != 0;
  if (is("avx512vl")) return __builtin_cpu_supports("avx512vl") != 0;
  if (is("avx512dq")) return __builtin_cpu_supports("avx512dq") != 0;
  if (is("avx512_vnni")) return __builtin_cpu_supports("avx512vnni") != 0;
  if (is("avx512_bf16")) return __builtin_cpu_supports("avx512bf16") != 0;
  if (is("avx512_fp16")) return HasByCpuid(0, 3, 23);
#else
  static_cast<void>(feature);
#endif
  return false;
}

dnnl_cpu_isa_t IsaOf(bool (*has)(const char*)) {
  const auto has_all = [has](std::initializer_list<const char*> features) {
    return std::all_of(features.begin(), features.end(), has);
  };
  if (has_all({"avx512f", "avx512bw", "avx512vl", "avx512dq"})) {
    if (!has("avx512_vnni")) return dnnl_cpu_isa_avx512_core;
    if (!has("avx512_bf16")) return dnnl_cpu_isa_avx512_core_vnni;
    return has("avx512_fp16") ? dnnl_cpu_isa_avx512_core_fp16 : dnnl_cpu_isa_avx512_core_bf16;
  }
  if (has("avx2")) return has("avx_vnni") ? dnnl_cpu_isa_avx2_vnni : dnnl_cpu_isa_avx2;
  if (has("avx")) return dnnl_cpu_isa_avx;
  return has("sse4_1") ? dnnl_cpu_isa_sse41 : dnnl_cpu_isa_default;
}

}  // namespace tandem
