// What happens in the child process of an Executor. Only here are the plugin's functions called on tensors.
#ifndef TANDEM_CONFORMANCE_HOST_CHILD_H_
#define TANDEM_CONFORMANCE_HOST_CHILD_H_

#include <array>
#include <string>
#include <vector>

#include "conformance/host/finding.h"
#include "conformance/host/guarded_buffer.h"
#include "conformance/host/plugin_host.h"

namespace tandem::conformance {

// Two runs of everything: buffers against an upper guard page, then against a lower one.
constexpr int kNumRuns = 2;
// Index of a buffer: the tensors, then the arrays of quantization scales.
constexpr int kWeightsScales = kNumTensors, kProjectionScales = kNumTensors + 1, kNumSpans = kNumTensors + 2;
// Buffers that only the child has.
constexpr int kWorkspace = kNumSpans, kScratchpad = kNumSpans + 1;

// One run's memory, laid out by the parent.
struct RunMemory {
  Placement placement = Placement::kAtEnd;
  size_t misalign_elements = 0;
  uint8_t poison = 0;
  int threads = 0;  // for this run; 0: as many as the implementation likes
  std::array<GuardedSpan, kNumSpans> span;
};

// One problem as plugin.h states it.
struct ChildStep {
  tandem_problem problem = {};  // without data
  // Of the first element, in bytes.
  std::array<size_t, kNumTensors> offset{};
  uint32_t written = 0;  // 1 << Tensor: outputs; all else is read-only
};

// In shared memory: nothing in it owns anything.
struct ChildTask {
  // The problems to run in order on each run's memory: the one itself, or forward_training and backward.
  int num_steps = 0;
  std::array<ChildStep, 2> step;
  std::array<RunMemory, kNumRuns> run;
};

enum class ChildStage : int { kStarted, kAsking, kRunning, kChecking };
enum class ChildVerdict : int { kNone, kOk, kNotSupported, kFailed };
// From the page fault's error code; kUnknown where the processor gives none.
enum class FaultAccess : int { kRead, kWrite, kUnknown };

// Written by the child, read by the parent after the answer or the child's end.
struct ChildReport {
  ChildStage stage = ChildStage::kStarted;
  ChildVerdict verdict = ChildVerdict::kNone;
  int run = 0;
  // What happened to which buffer: a tensor, or one of the constants above. `access` and `side` belong to a fault.
  Finding finding = Finding::kNone;
  int span = 0;
  FaultAccess access = FaultAccess::kUnknown;
  Side side = Side::kElsewhere;
  char message[1024] = {};  // the plugin's
};

struct Mailbox {
  ChildTask task;
  ChildReport report;
};

struct ChildSetup {
  const Plugin* plugin = nullptr;
  Mailbox* mailbox = nullptr;
  std::array<GuardedArena, kNumRuns>* arenas = nullptr;
  std::vector<std::string> environment;
  int commands = -1, answers = -1;  // pipe ends
};

// For each byte read from `commands`: runs the mailbox's task and writes a byte to `answers`. Ends the process when the
// pipe is closed.
[[noreturn]] void ServeTasks(const ChildSetup& setup) noexcept;

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_HOST_CHILD_H_
