// Clients of oneDNN say with these which instructions computations may use.
#ifndef TANDEM_API_CORE_CPU_ISA_H_
#define TANDEM_API_CORE_CPU_ISA_H_

#include "oneapi/dnnl/dnnl_types.h"

namespace tandem {

// Says whether all that `needed` means is allowed: by SetMaxCpuIsa(), else by the environment (ONEDNN_MAX_CPU_ISA, else
// DNNL_MAX_CPU_ISA; a word that is no instruction set allows everything). The first call fixes the answer.
bool IsAllowed(dnnl_cpu_isa_t needed);
// The most that is allowed; dnnl_cpu_isa_default: everything. The first call fixes it, too.
dnnl_cpu_isa_t MaxCpuIsa();

// Throws invalid_arguments if it is no instruction set, or if the most that is allowed is fixed already.
void SetMaxCpuIsa(dnnl_cpu_isa_t isa);

// The largest instruction set of a processor, of which `has` tells the features by Linux's names in /proc/cpuinfo. AMX is not
// among them: Linux gives it to a process that asks.
dnnl_cpu_isa_t IsaOf(bool (*has)(const char* feature));
bool ThisProcessorHas(const char* feature);

}  // namespace tandem

#endif  // TANDEM_API_CORE_CPU_ISA_H_
