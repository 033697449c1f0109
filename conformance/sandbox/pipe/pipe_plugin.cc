#include "conformance/sandbox/pipe/pipe_plugin.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iterator>
#include <list>
#include <memory>
#include <utility>

#include "conformance/problem/tensor_set.h"
#include "conformance/sandbox/pipe/command.h"
#include "conformance/sandbox/pipe/pipe_problem.h"

namespace tandem::conformance {
namespace {

constexpr int kProtocol = 1;

// `base` is the first member, so that a pointer to it also points to the whole struct.
struct Pipe {
  tandem_plugin base;
  Connect connect;
  WhenCommandEnds when;
  mutable std::unique_ptr<Conversation> command;
  mutable pid_t owner = -1;  // the process that started the command: a copy must not talk to it
  mutable uint64_t last_workspace = 0;
  mutable tandem_description description = {};
  mutable std::string name, version, cpu_isa;
};

const Pipe& Of(const tandem_plugin* self) { return *reinterpret_cast<const Pipe*>(self); }

Conversation& CommandOf(const Pipe& pipe) {
  if (pipe.owner != getpid()) {
    pipe.command = pipe.connect();
    pipe.owner = getpid();
  }
  return *pipe.command;
}

// Returns the command's answer in `talk`.
template <class Talk>
Json AnswerOf(const Pipe& pipe, const Talk& talk) {
  try {
    return talk(&CommandOf(pipe));
  } catch (const CommandEnded& end) {
    const bool described = pipe.description.size != 0;
    if (pipe.when == WhenCommandEnds::kFail || (!described && end.signal() == 0)) throw;
    if (end.signal() != 0) {
      ::signal(end.signal(), SIG_DFL);
      raise(end.signal());
    }
    std::fprintf(stderr, "%s\n", end.what());
    _exit(1);
  }
}

Json Ask(const Pipe& pipe, const Json& request, const std::vector<Bytes>& inputs, const std::vector<Bytes>& outputs) {
  return AnswerOf(pipe, [&](Conversation* command) { return command->Ask(request, inputs, outputs); });
}

Json Request(const char* what) { return {{"tandem", kProtocol}, {"request", what}}; }

// Returns tandem_ok, or another status and the command's words.
int32_t StatusOf(const Json& reply, char* message, size_t message_size) {
  const std::string status = reply.value("status", "");
  if (status == "ok") return tandem_ok;
  if (status != "not_supported" && status != "failed") {
    throw ProtocolError("the command's status is none of ok, not_supported, failed: " + reply.dump().substr(0, 80));
  }
  std::snprintf(message, message_size, "%s", reply.value("message", "without a message").c_str());
  return status == "failed" ? tandem_failed : tandem_not_supported;
}

// Calls `body`; an exception becomes a message.
template <class Body>
int32_t Guarded(const Body& body, char* message, size_t message_size) {
  try {
    return body();
  } catch (const std::exception& error) {
    std::snprintf(message, message_size, "%s", error.what());
    return tandem_failed;
  }
}

// Returns 1 << tandem_cell for each cell that the member names.
int32_t CellsOf(const Json& reply, const char* member) {
  int32_t cells = 0;
  for (const std::string& name : reply.value(member, std::vector<std::string>())) {
    const auto* const found =
        std::find_if(std::begin(kCells), std::end(kCells), [&](Cell c) { return name == ToString(c); });
    if (found == std::end(kCells)) {
      throw ProtocolError("the command's description names in " + std::string(member) +
                          " a cell that there is not: " + name);
    }
    cells |= 1 << static_cast<int>(*found);
  }
  return cells;
}

void Fill(const Json& reply, const Pipe& pipe) {
  const auto flag = [&](const char* name) { return static_cast<int32_t>(reply.value(name, false)); };
  pipe.name = reply.value("name", "pipe");
  pipe.version = reply.value("version", "");
  pipe.cpu_isa = reply.value("cpu_isa", "");
  tandem_description* d = &pipe.description;
  *d = {};
  d->size = sizeof *d;
  // The flags are in the order of the tensors: a program that does not have one of these knows no later tensor.
  d->tensor_count = flag("sequence_lengths") == 0      ? int32_t{tandem_sequence_lengths}
                    : flag("layer_normalization") == 0 ? int32_t{tandem_norm_gain}
                    : flag("masks") == 0               ? int32_t{tandem_mask_layer}
                                                       : TANDEM_NUM_TENSORS;
  d->name = pipe.name.c_str();
  d->version = pipe.version.c_str();
  d->cpu_isa = pipe.cpu_isa.c_str();
  d->whole_table = flag("whole_table");
  d->wide_recurrence = flag("wide_recurrence");
  d->keeps_subnormals = flag("keeps_subnormals");
  d->fast_math_nan = flag("fast_math_nan");
  d->thread_deterministic = flag("thread_deterministic");
  d->batch_invariant = flag("batch_invariant");
  d->sigmoid_ulp = reply.value("sigmoid_ulp", 0.);
  d->tanh_ulp = reply.value("tanh_ulp", 0.);
  for (const std::string& reading : reply.value("readings", std::vector<std::string>{"spec"})) {
    d->readings |= 1 << (reading == "onednn" ? tandem_onednn_reading : tandem_spec_reading);
  }
  d->narrow_slopes = CellsOf(reply, "narrow_slopes");
  d->sigmoid_abs = reply.value("sigmoid_abs", 0.);
  d->tanh_abs = reply.value("tanh_abs", 0.);
  d->narrow_sums = CellsOf(reply, "narrow_sums");
  d->narrow_gradients = flag("narrow_gradients");
  d->narrow_operations = CellsOf(reply, "narrow_operations");
  d->wide_cell_state = flag("wide_cell_state");
  d->serves_gate_functions = flag("gates");
  // One question after the other goes through the pipe.
  d->one_call_at_a_time = 1;
}

const tandem_description* Describe(const tandem_plugin* self) {
  const Pipe& pipe = Of(self);
  const Json reply = AnswerOf(pipe, [](Conversation* command) { return command->AskFirst(Request("describe")); });
  pipe.command->Stop();
  try {
    Fill(reply, pipe);
  } catch (const Json::exception& error) {
    throw ProtocolError(std::string("the command's description is not understood: ") + error.what());
  }
  return &pipe.description;
}

int32_t Supports(const tandem_plugin* self, const tandem_problem* problem, tandem_requirements* needs, char* reason,
                 size_t reason_size) {
  return Guarded(
      [&] {
        // The workspace holds the number of the forward execution that filled it.
        needs->workspace_bytes = problem->propagation == tandem_forward_inference ? 0 : sizeof(uint64_t);
        needs->scratchpad_bytes = 0;
        Json request = Request("supports");
        request["problem"] = ToJson(*problem);
        return StatusOf(Ask(Of(self), request, {}, {}), reason, reason_size);
      },
      reason, reason_size);
}

// Says which forward execution a backward one belongs to.
void AddWorkspace(const Pipe& pipe, const tandem_problem& problem, const tandem_plugin_memory& memory, Json* request) {
  if (problem.propagation == tandem_forward_training) {
    (*request)["workspace"] = ++pipe.last_workspace;
    std::memcpy(memory.workspace, &pipe.last_workspace, sizeof pipe.last_workspace);
  } else if (problem.propagation == tandem_backward) {
    uint64_t number;
    std::memcpy(&number, memory.workspace, sizeof number);
    (*request)["workspace"] = number;
  }
}

int32_t Run(const tandem_plugin* self, const tandem_problem* problem, const tandem_plugin_memory* memory, char* message,
            size_t message_size) {
  const Pipe& pipe = Of(self);
  return Guarded(
      [&] {
        Json request = Request("run");
        request["problem"] = ToJson(*problem);
        AddWorkspace(pipe, *problem, *memory, &request);
        const DenseTensors tensors(*problem);
        const Json reply = Ask(pipe, request, tensors.inputs(), tensors.outputs());
        const int32_t status = StatusOf(reply, message, message_size);
        if (status == tandem_ok) tensors.CopyOut();
        return status;
      },
      message, message_size);
}

// The command has prepared this.
struct Prepared {
  const Pipe& pipe;
  uint64_t number;
  double seconds = 0;  // the seconds of the last execution
};

int32_t Prepare(const tandem_plugin* self, const tandem_problem* problem, const tandem_plugin_memory* memory,
                tandem_prepared* prepared, char* message, size_t message_size) {
  const Pipe& pipe = Of(self);
  static uint64_t last = 0;
  return Guarded(
      [&] {
        Json request = Request("prepare");
        request["prepared"] = ++last;
        request["problem"] = ToJson(*problem);
        AddWorkspace(pipe, *problem, *memory, &request);
        const Json reply = Ask(pipe, request, DenseTensors(*problem).inputs(), {});
        const int32_t status = StatusOf(reply, message, message_size);
        if (status != tandem_ok) return tandem_failed;
        prepared->create_seconds = reply.value("create_seconds", 0.);
        prepared->handle = new Prepared{pipe, last};
        return tandem_ok;
      },
      message, message_size);
}

// `what` is "execute" or "release".
Json AskPrepared(const char* what, const Prepared& prepared) {
  Json request = Request(what);
  request["prepared"] = prepared.number;
  return Ask(prepared.pipe, request, {}, {});
}

int32_t Execute(void* handle) {
  auto* const prepared = static_cast<Prepared*>(handle);
  char message[256];
  return Guarded(
      [&] {
        const Json reply = AskPrepared("execute", *prepared);
        prepared->seconds = reply.value("seconds", 0.);
        return StatusOf(reply, message, sizeof message) == tandem_ok && prepared->seconds > 0 ? tandem_ok
                                                                                              : tandem_failed;
      },
      message, sizeof message);
}

double LastSeconds(void* handle) { return static_cast<const Prepared*>(handle)->seconds; }

void Release(void* handle) {
  const std::unique_ptr<Prepared> prepared(static_cast<Prepared*>(handle));
  char message[256];
  Guarded([&] { return StatusOf(AskPrepared("release", *prepared), message, sizeof message); }, message,
          sizeof message);
}

}  // namespace

const tandem_timing* PipeTiming() {
  static const tandem_timing kTiming = {
      sizeof(tandem_timing), TANDEM_PLUGIN_ABI, Prepare, Execute, Release, LastSeconds};
  return &kTiming;
}

const tandem_plugin* PipePlugin(const std::string& command, WhenCommandEnds when) {
  return PipePlugin([command] { return std::make_unique<Command>(command); }, when);
}

const tandem_plugin* PipePlugin(const Connect& connect, WhenCommandEnds when) {
  // The pipes live as long as the process, as the functions of a shared library do.
  static std::list<Pipe>& pipes = *new std::list<Pipe>;
  Pipe& pipe = pipes.emplace_back();
  pipe.base = {sizeof(tandem_plugin), TANDEM_PLUGIN_ABI, Describe, Supports, Run};
  pipe.connect = connect;
  pipe.when = when;
  return &pipe.base;
}

}  // namespace tandem::conformance
