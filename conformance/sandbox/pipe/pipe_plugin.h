// --impl=pipe:COMMAND is a plugin whose work another program does.
#ifndef TANDEM_CONFORMANCE_SANDBOX_PIPE_PIPE_PLUGIN_H_
#define TANDEM_CONFORMANCE_SANDBOX_PIPE_PIPE_PLUGIN_H_

#include <functional>
#include <memory>
#include <string>

#include "conformance/plugin.h"
#include "conformance/plugin_timing.h"
#include "conformance/sandbox/pipe/conversation.h"

namespace tandem::conformance {

// The end of the command leads to one of these.
enum class WhenCommandEnds {
  kEndProcess,  // this process ends in the same way
  kFail         // the function fails; the next one starts the command again
};

// The plugin's functions stay valid until the process ends. The first call in the process, or in a copy, starts the command.
const tandem_plugin* PipePlugin(const std::string& command, WhenCommandEnds when);
// Returns a plugin of another partner than a command; `connect` is called where the command would be started.
using Connect = std::function<std::unique_ptr<Conversation>()>;
const tandem_plugin* PipePlugin(const Connect& connect, WhenCommandEnds when);
// Returns the functions to time it: the command measures its own executions.
const tandem_timing* PipeTiming();

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_SANDBOX_PIPE_PIPE_PLUGIN_H_
