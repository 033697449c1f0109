// Tensors whose outermost slices lie 2^31 elements apart and more: an implementation that computes offsets in 32 bits
// shows. Address space is reserved, not memory: only the pages that hold elements ever exist.
#ifndef TANDEM_CONFORMANCE_HOST_WIDE_OFFSETS_H_
#define TANDEM_CONFORMANCE_HOST_WIDE_OFFSETS_H_

#include "conformance/host/plugin_host.h"

namespace tandem::conformance {

// A plugin that runs `plugin` on such copies of its caller's tensors. Its functions live as long as the process.
Plugin WithWideOffsets(const Plugin& plugin);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_HOST_WIDE_OFFSETS_H_
