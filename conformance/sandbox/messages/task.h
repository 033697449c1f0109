// The judge sends these messages to a worker process and gets these back. All of it is plain bytes: no pointers, no sizes that
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

// The memory is shared with a worker, which may only read the first and may write the second.
enum class ArenaKind { kInputs, kOutputs };
constexpr int kNumArenas = 2;

// Each task has two runs: buffers lie against an upper guard page, then against a lower one.
constexpr int kNumRuns = 2;
// The index of a buffer counts the tensors, then the arrays of quantization scales.
constexpr int kWeightsScales = kNumTensors, kProjectionScales = kNumTensors + 1, kNumSpans = kNumTensors + 2;
// The worker has three more buffers.
constexpr int kWorkspace = kNumSpans, kScratchpad = kNumSpans + 1, kText = kNumSpans + 2,
              kNumNamedSpans = kNumSpans + 3;

struct SharedSpan {
  ArenaKind arena = ArenaKind::kInputs;
  GuardedSpan span;
};

// This is one run's memory, laid out by the judge.
struct RunMemory {
  Placement placement = Placement::kAtEnd;
  uint64_t misalign_elements = 0;
  uint8_t poison = 0;
  int32_t threads = 0;  // for this run; 0: as many as the implementation likes
  std::array<SharedSpan, kNumSpans> span;
};

// This is one problem as plugin.h states it.
struct TaskStep {
  StatedProblem stated;  // without pointers
  // These are the bytes before the first element.
  std::array<uint64_t, kNumTensors> offset{};
  uint64_t written = 0;  // 1 << Tensor for each output; all else is read-only
};

enum class Offsets : int32_t { kAsGiven, kWide };
// kOtherForward runs forward_training on zeros between forward_training and backward, with other memory throughout.
enum class Interlude : int32_t { kNone, kOtherForward };
// With kOtherThread, another thread executes the problem on zeros while the second run runs.
enum class Company : int32_t { kAlone, kOtherThread };

struct Task {
  uint64_t number = 0;
  // These are the sizes of the arenas. A task that comes with a descriptor for each arena replaces the memory of the worker.
  std::array<uint64_t, kNumArenas> arena_bytes{};
  // These problems run in order on each run's memory: the one itself, or forward_training and backward.
  int32_t num_steps = 0;
  int32_t num_runs = kNumRuns;  // 0: supports() is only asked, for run[0]
  Offsets offsets = Offsets::kAsGiven;
  Interlude interlude = Interlude::kNone;
  Company company = Company::kAlone;
  // Each run of a task of one step executes it this often. An execution starts from the states that the one before has left,
  // where they are: src_iter and dst_iter, src_iter_c and dst_iter_c change places.
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
// The access is kUnknown if neither the processor nor the instruction tells it (fault_access.h).
enum class FaultAccess : int32_t { kRead, kWrite, kUnknown };
constexpr int kNumFaultAccesses = 3;

// The worker sends this before each call of the plugin, from the handler of a fault, and when a task is done. Every member is
// an int32_t and not yet an enumerator, because it may be anything.
struct TaskReport {
  uint64_t task = 0;
  int32_t stage = 0;    // TaskStage
  int32_t verdict = 0;  // TaskVerdict; kNone: the task is not done
  int32_t fault = 0;    // MemoryFault; the next is its buffer: a tensor, or one of the constants above
  int32_t span = 0;
  int32_t access = 0;  // FaultAccess, if there was a fault
  int32_t side = 0;    // Side, if there was a fault
  // The worker's heap has this size when the task is done; 0 if the C library does not count it.
  int64_t heap_bytes = 0;
  char message[1024] = {};  // the plugin's
};

// Returns the spans of the second, fourth, ... execution of a task.
inline RunMemory WithStatesExchanged(RunMemory memory) {
  std::swap(memory.span[kSrcIter], memory.span[kDstIter]);
  std::swap(memory.span[kSrcIterC], memory.span[kDstIterC]);
  return memory;
}

// --impl= begins with this if a command follows, not a file.
constexpr char kPipePrefix[] = "pipe:";
// This word before a path composes layers and directions of the plugin's (conformance/sandbox/worker/composed_plugin.h).
constexpr char kComposePrefix[] = "compose:";

// A worker is asked over the socket with this descriptor.
constexpr int kControlDescriptor = 3;

// A worker ends so if it can no longer reach the judge: the judge is gone, or the plugin has closed the socket.
constexpr int kExitNoConnection = 97;
// A worker ends so if it would send other messages than the judge that has started it understands.
constexpr int kExitOtherBuild = 96;

// Returns a text that stands for all messages of this file: their sizes, and the text of the headers that declare them (BUILD).
// A judge and a worker of different builds may differ in it.
std::string MessageFormat();

// Returns true if every member is one of its values and the report belongs to that task.
bool IsValid(const TaskReport& report, uint64_t task);

// This is the answer of describe(). Strings are not pointers here.
struct DescriptionReport {
  int32_t loaded = 0;                   // 0: `error` says why not
  int32_t is_plugin = 0;                // not 0 although not loaded: it answered, but against the protocol
  int32_t forks = 0;                    // not 0: the plugin has started no threads, so that copies of its process work
  tandem_description description = {};  // with null strings
  char name[128] = {};
  char version[256] = {};
  char cpu_isa[64] = {};
  char error[1024] = {};
};

// The judge asks this of a worker that has loaded its plugin.
enum class RequestKind : int32_t {
  kFork,   // + a socket for tasks, a descriptor for output: makes a copy of the process, which serves tasks there
  kServe,  // + the same: serves the tasks itself
  kEnd     // kills a copy and says how it ended
};
constexpr int kMostSettings = 8;
constexpr int kLongestSetting = 256;
struct Request {
  RequestKind kind = RequestKind::kFork;
  int32_t process = 0;                                    // the process of kEnd
  char environment[kMostSettings][kLongestSetting] = {};  // "NAME=VALUE", set before the first task
};
struct Reply {
  int32_t process = 0;  // the process of kFork, with a descriptor of it; 0: the system refused
  int32_t wait_status = 0;
  char left[64] = {};  // after kEnd the names of processes that would have outlived the copy
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_SANDBOX_MESSAGES_TASK_H_
