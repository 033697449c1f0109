// Layers and directions for a plugin that has one of each.
#ifndef TANDEM_CONFORMANCE_SANDBOX_WORKER_COMPOSED_PLUGIN_H_
#define TANDEM_CONFORMANCE_SANDBOX_WORKER_COMPOSED_PLUGIN_H_

#include "conformance/plugin.h"

namespace tandem::conformance {

// A plugin that serves forward inference in f32, bf16 and f16 with any number of layers and in every direction by problems of
// one layer, left2right, on `plugin`: a layer reads what the one below it has written, right2left a sequence that is
// turned round; then both directions are put side by side, or, in f32, added. A problem of one layer, left2right, goes to
// `plugin` as it is. Valid until the process ends.
const tandem_plugin* ComposedPlugin(const tandem_plugin* plugin);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_SANDBOX_WORKER_COMPOSED_PLUGIN_H_
