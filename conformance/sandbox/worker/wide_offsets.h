// The outermost slices of these tensors lie at least 2^31 elements apart, to find implementations that compute offsets in 32
// bits. Address space is reserved, but memory is used only for the pages that hold elements.
#ifndef TANDEM_CONFORMANCE_SANDBOX_WORKER_WIDE_OFFSETS_H_
#define TANDEM_CONFORMANCE_SANDBOX_WORKER_WIDE_OFFSETS_H_

#include "conformance/plugin.h"

namespace tandem::conformance {

// Returns a plugin that runs `plugin` on such copies of its caller's tensors. Its functions stay valid until the process ends.
const tandem_plugin* WithWideOffsets(const tandem_plugin* plugin);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_SANDBOX_WORKER_WIDE_OFFSETS_H_
