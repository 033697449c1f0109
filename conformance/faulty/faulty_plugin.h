// The plugin interface of the mutated implementation.
#ifndef TANDEM_CONFORMANCE_FAULTY_FAULTY_PLUGIN_H_
#define TANDEM_CONFORMANCE_FAULTY_FAULTY_PLUGIN_H_

#include "conformance/faulty/mutation.h"
#include "conformance/plugin.h"

namespace tandem::conformance {

// Its functions with one bug. They stay valid until the process ends.
const tandem_plugin* FaultyPlugin(Mutation mutation);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_FAULTY_FAULTY_PLUGIN_H_
