#include "api/core/cpu_isa.h"
#include "api/library/guard.h"
#include "dnnl/abi.h"

const dnnl_version_t* tandem_version() {
  static const dnnl_version_t kVersion = {DNNL_VERSION_MAJOR, DNNL_VERSION_MINOR, DNNL_VERSION_PATCH,
                                          DNNL_VERSION_HASH,  DNNL_CPU_RUNTIME,   DNNL_GPU_RUNTIME};
  return &kVersion;
}

// Clients ask in order to decide which data types are fast. Told from what the CPU has, in oneDNN's
// names; this library's own choice is in impl_info_str().
dnnl_cpu_isa_t tandem_get_effective_cpu_isa() {
  const dnnl_cpu_isa_t most = tandem::MaxCpuIsa(), its = tandem::IsaOf(tandem::ThisProcessorHas);
  return most == dnnl_cpu_isa_all ? its : static_cast<dnnl_cpu_isa_t>(its & most);
}

dnnl_status_t tandem_set_max_cpu_isa(dnnl_cpu_isa_t isa) {
  return tandem::Guard([&] { tandem::SetMaxCpuIsa(isa); });
}
