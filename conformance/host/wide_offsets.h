// Tensors whose outermost slices lie at least 2^31 elements apart, to find implementations that compute offsets in 32
// bits. Address space is reserved, but memory is used only for the pages that hold elements.
#ifndef TANDEM_CONFORMANCE_HOST_WIDE_OFFSETS_H_
#define TANDEM_CONFORMANCE_HOST_WIDE_OFFSETS_H_

#include "conformance/host/plugin_host.h"

namespace tandem::conformance {

// A plugin that runs `plugin` on such copies of its caller's tensors. Its functions stay valid until the process ends.
Plugin WithWideOffsets(const Plugin& plugin);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_HOST_WIDE_OFFSETS_H_
