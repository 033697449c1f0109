// --impl=pipe:COMMAND: a plugin whose work another program does.
#ifndef TANDEM_CONFORMANCE_WORKER_PIPE_PLUGIN_H_
#define TANDEM_CONFORMANCE_WORKER_PIPE_PLUGIN_H_

#include <string>

#include "conformance/plugin.h"

namespace tandem::conformance {

// Its functions stay valid until the process ends. The first call, and the first one in a copy of the process, start
// the command.
const tandem_plugin* PipePlugin(const std::string& command);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_WORKER_PIPE_PLUGIN_H_
