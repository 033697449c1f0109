// The mutated implementation as a shared library, like a vendor's. The environment variable TANDEM_MUTANT names the
// bug; without it there is no bug.
#include <cstdlib>

#include "conformance/faulty/faulty_plugin.h"

extern "C" const tandem_plugin* tandem_get_plugin(uint32_t host_abi) {
  using tandem::conformance::FindMutation;
  if (host_abi != TANDEM_PLUGIN_ABI) return nullptr;
  const char* name = std::getenv("TANDEM_MUTANT");
  const tandem::conformance::MutationInfo* info = FindMutation(name != nullptr ? name : "NoBug");
  return info != nullptr ? tandem::conformance::FaultyPlugin(info->mutation) : nullptr;
}
