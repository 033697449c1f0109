#include "api/core/cpu_isa.h"
#include "api/library/guard.h"
#include "dnnl/abi.h"

const dnnl_version_t* tandem_version() {
  static const dnnl_version_t kVersion = {DNNL_VERSION_MAJOR, DNNL_VERSION_MINOR, DNNL_VERSION_PATCH,
                                          DNNL_VERSION_HASH,  DNNL_CPU_RUNTIME,   DNNL_GPU_RUNTIME};
  return &kVersion;
}

namespace {

dnnl_cpu_isa_t IsaOfThisMachine() {
#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
  if (avx512 && __builtin_cpu_supports("avx512bf16")) return dnnl_cpu_isa_avx512_core_bf16;
  if (avx512 && __builtin_cpu_supports("avx512vnni")) return dnnl_cpu_isa_avx512_core_vnni;
  if (avx512) return dnnl_cpu_isa_avx512_core;
  if (__builtin_cpu_supports("avx2")) return dnnl_cpu_isa_avx2;
  if (__builtin_cpu_supports("avx")) return dnnl_cpu_isa_avx;
  if (__builtin_cpu_supports("sse4.1")) return dnnl_cpu_isa_sse41;
#endif
  return dnnl_cpu_isa_default;
}

}  // namespace

// Clients ask in order to decide which data types are fast. Told from what the CPU has, in oneDNN's
// names; this library's own choice is in impl_info_str().
dnnl_cpu_isa_t tandem_get_effective_cpu_isa() {
  const dnnl_cpu_isa_t most = tandem::MaxCpuIsa(), its = IsaOfThisMachine();
  return most == dnnl_cpu_isa_all ? its : static_cast<dnnl_cpu_isa_t>(its & most);
}

dnnl_status_t tandem_set_max_cpu_isa(dnnl_cpu_isa_t isa) {
  return tandem::Guard([&] { tandem::SetMaxCpuIsa(isa); });
}
