// What happens in the child process of an Executor: the plugin's functions are called here and nowhere else.
#ifndef TANDEM_CONFORMANCE_HOST_CHILD_H_
#define TANDEM_CONFORMANCE_HOST_CHILD_H_

#include <array>
#include <string>
#include <vector>

#include "conformance/host/guarded_buffer.h"
#include "conformance/host/plugin_host.h"

namespace tandem::conformance {

// Two runs of everything: buffers against an upper guard page, then against a lower one.
constexpr int kNumRuns = 2;
// The tensors, then what the quantization scales point to.
constexpr int kWeightsScales = kNumTensors, kProjectionScales = kNumTensors + 1, kNumSpans = kNumTensors + 2;
const char* SpanName(int span);

// One run's memory, laid out by the parent.
struct RunMemory {
  Placement placement = Placement::kAtEnd;
  size_t misalign_elements = 0;
  uint8_t poison = 0;
  int threads = 0;  // for this run; 0: as many as the implementation likes
  std::array<GuardedSpan, kNumSpans> span;
};

// One problem in the plugin's words.
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

enum class ChildStage : int { kStarted, kAsking, kRunning, kChecking, kDone };
enum class ChildVerdict : int { kNone, kOk, kNotSupported, kFailed, kStray };

// Written by the child, read by the parent after the answer or the child's end.
struct ChildReport {
  ChildStage stage = ChildStage::kStarted;
  ChildVerdict verdict = ChildVerdict::kNone;
  int run = 0;
  char message[1024] = {};
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

// Does the mailbox's task for each byte that `commands` gives and answers with a byte; ends the process when the pipe
// does.
[[noreturn]] void ServeTasks(const ChildSetup& setup) noexcept;

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_HOST_CHILD_H_
