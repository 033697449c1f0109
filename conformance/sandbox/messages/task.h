// What the judge sends to a worker process and what comes back. All of it is plain bytes: no pointers, no sizes that
// the other side must believe. The judge trusts nothing that a worker says (IsValid), because the plugin runs there.
#ifndef TANDEM_CONFORMANCE_SANDBOX_MESSAGES_TASK_H_
#define TANDEM_CONFORMANCE_SANDBOX_MESSAGES_TASK_H_

#include <array>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "conformance/problem/tensor_set.h"
#include "conformance/sandbox/messages/guarded_arena.h"
#include "conformance/stated_problem.h"

namespace tandem::conformance {

// Memory shared with a worker: what it may only read, and what it may write.
enum class ArenaKind { kInputs, kOutputs };
constexpr int kNumArenas = 2;

// Two runs of everything: buffers against an upper guard page, then against a lower one.
constexpr int kNumRuns = 2;
// Index of a buffer: the tensors, then the arrays of quantization scales.
constexpr int kWeightsScales = kNumTensors, kProjectionScales = kNumTensors + 1, kNumSpans = kNumTensors + 2;
// Buffers that only the worker has.
constexpr int kWorkspace = kNumSpans, kScratchpad = kNumSpans + 1, kText = kNumSpans + 2,
              kNumNamedSpans = kNumSpans + 3;

struct SharedSpan {
  ArenaKind arena = ArenaKind::kInputs;
  GuardedSpan span;
};

// One run's memory, laid out by the judge.
struct RunMemory {
  Placement placement = Placement::kAtEnd;
  uint64_t misalign_elements = 0;
  uint8_t poison = 0;
  int32_t threads = 0;  // for this run; 0: as many as the implementation likes
  std::array<SharedSpan, kNumSpans> span;
};

// One problem as plugin.h states it.
struct TaskStep {
  StatedProblem stated;  // without pointers
  // Of the first element, in bytes.
  std::array<uint64_t, kNumTensors> offset{};
  uint32_t written = 0;  // 1 << Tensor: outputs; all else is read-only
};

enum class Offsets : int32_t { kAsGiven, kWide };
// What runs between forward_training and backward: nothing, or forward_training on zeros, with other memory throughout.
enum class Interlude : int32_t { kNone, kOtherForward };
// With kOtherThread, another thread executes the problem on zeros while the second run runs.
enum class Company : int32_t { kAlone, kOtherThread };

struct Task {
  uint64_t number = 0;
  // Of each arena. A task that comes with descriptors, one for each arena, replaces the memory that the worker has.
  std::array<uint64_t, kNumArenas> arena_bytes{};
  // The problems to run in order on each run's memory: the one itself, or forward_training and backward.
  int32_t num_steps = 0;
  int32_t num_runs = kNumRuns;  // 0: supports() is only asked, for run[0]
  Offsets offsets = Offsets::kAsGiven;
  Interlude interlude = Interlude::kNone;
  Company company = Company::kAlone;
  // Of a task of one step: how often each run executes it. An execution starts from the states that the one before has
  // left, where they are: src_iter and dst_iter, src_iter_c and dst_iter_c change places.
  int32_t executions = 1;
  std::array<TaskStep, 2> step;
  std::array<RunMemory, kNumRuns> run;
};
static_assert(std::is_trivially_copyable_v<Task>);

enum class TaskStage : int32_t { kStarted, kAsking, kRunning, kChecking };
constexpr int kNumTaskStages = 4;
enum class TaskVerdict : int32_t { kNone, kOk, kNotSupported, kFailed };
constexpr int kNumTaskVerdicts = 4;
// A worker finds one of these. The message says more about the last two: the name of a process that has left the worker's
// group, and what a call has changed in its thread.
enum class MemoryFault : int32_t { kNone, kGuardPage, kReadOnly, kCanary, kInputChanged, kProcessLeft, kThreadChanged };
constexpr int kNumMemoryFaults = 7;
// kUnknown where neither the processor nor the instruction tells (fault_access.h).
enum class FaultAccess : int32_t { kRead, kWrite, kUnknown };
constexpr int kNumFaultAccesses = 3;

// Sent before each call of the plugin, from the handler of a fault, and when a task is done. Every member is an int32_t
// and not yet an enumerator, because it may be anything.
struct TaskReport {
  uint64_t task = 0;
  int32_t stage = 0;    // TaskStage
  int32_t verdict = 0;  // TaskVerdict; kNone: the task is not done
  int32_t fault = 0;    // MemoryFault, and to which buffer: a tensor, or one of the constants above
  int32_t span = 0;
  int32_t access = 0;  // FaultAccess, if there was a fault
  int32_t side = 0;    // Side, if there was a fault
  // That the worker's heap holds when the task is done; 0 where the C library does not count them.
  int64_t heap_bytes = 0;
  char message[1024] = {};  // the plugin's
};

// The spans of the second, fourth, ... execution of a task.
inline RunMemory WithStatesExchanged(RunMemory memory) {
  std::swap(memory.span[kSrcIter], memory.span[kDstIter]);
  std::swap(memory.span[kSrcIterC], memory.span[kDstIterC]);
  return memory;
}

// What --impl= begins with if a command follows, not a file.
constexpr char kPipePrefix[] = "pipe:";
// Before a path: layers and directions are composed of the plugin's (conformance/sandbox/worker/composed_plugin.h).
constexpr char kComposePrefix[] = "compose:";

// The descriptor of the socket over which a worker is asked.
constexpr int kControlDescriptor = 3;

// How a worker ends that can no longer reach the judge: the judge is gone, or the plugin has closed the socket.
constexpr int kExitNoConnection = 97;
// How a worker ends that would send other messages than the judge that has started it understands.
constexpr int kExitOtherBuild = 96;

// Stands for all messages of this file: their sizes, and the text of the headers that declare them (BUILD). A judge and a
// worker of different builds may differ in it.
std::string MessageFormat();

// True if every member is one of its values and the report belongs to that task.
bool IsValid(const TaskReport& report, uint64_t task);

// What describe() said. Strings are not pointers here.
struct DescriptionReport {
  int32_t loaded = 0;                   // else `error` says why not
  int32_t is_plugin = 0;                // not 0 although not loaded: it answered, but not as the protocol wants
  int32_t forks = 0;                    // not 0: the plugin has started no threads, so that copies of its process work
  tandem_description description = {};  // with null strings
  char name[128] = {};
  char version[256] = {};
  char cpu_isa[64] = {};
  char error[1024] = {};
};

// Asked of a worker that has loaded its plugin.
enum class RequestKind : int32_t {
  kFork,   // + a socket for tasks, a descriptor for output: makes a copy of the process, which serves tasks there
  kServe,  // + the same: serves the tasks itself
  kEnd     // kills a copy and says how it ended
};
constexpr int kMostSettings = 8;
constexpr int kLongestSetting = 256;
struct Request {
  RequestKind kind = RequestKind::kFork;
  int32_t process = 0;                                    // of kEnd
  char environment[kMostSettings][kLongestSetting] = {};  // "NAME=VALUE", set before the first task
};
struct Reply {
  int32_t process = 0;  // of kFork, with a descriptor of the process; 0: the system refused
  int32_t wait_status = 0;
  char left[64] = {};  // of kEnd: the names of processes that would have outlived the copy
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_SANDBOX_MESSAGES_TASK_H_
