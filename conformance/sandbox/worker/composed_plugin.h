// Layers and directions are composed for a plugin that has one of each.
#ifndef TANDEM_CONFORMANCE_SANDBOX_WORKER_COMPOSED_PLUGIN_H_
#define TANDEM_CONFORMANCE_SANDBOX_WORKER_COMPOSED_PLUGIN_H_

#include "conformance/plugin.h"

namespace tandem::conformance {

// Returns a plugin that serves forward inference in f32, bf16 and f16 with any number of layers and in every direction. It asks
// `plugin` for problems of one layer, left2right. A layer reads the result of the one below it; right2left reads a sequence
// that is turned round. Then both directions are put side by side, or, in f32, added. A problem of one layer, left2right, goes
// to `plugin` as it is. The plugin is valid until the process ends.
const tandem_plugin* ComposedPlugin(const tandem_plugin* plugin);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_SANDBOX_WORKER_COMPOSED_PLUGIN_H_
