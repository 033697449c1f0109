// What happens in the child process of runner.cc: the plugin's functions are called here and
// nowhere else.
#ifndef TANDEM_CONFORMANCE_CHILD_H_
#define TANDEM_CONFORMANCE_CHILD_H_

#include <array>
#include <string>
#include <vector>

#include "conformance/guarded_buffer.h"
#include "conformance/plugin_host.h"

namespace tandem::conformance {

// One run's memory, laid out before the fork and shared with the child.
struct Arena {
  Placement placement = Placement::kAtEnd;
  size_t misalign_elements = 0;
  uint8_t poison = 0;
  std::array<GuardedBuffer, kNumTensors> tensor;
  std::array<std::vector<uint8_t>, kNumTensors> placed;  // what the parent put there
  int threads = 0;                                       // for this run; 0: as many as the implementation likes
};

enum class ChildStage : int { kStarted, kAsking, kRunning, kChecking, kDone };
enum class ChildVerdict : int { kNone, kOk, kNotSupported, kFailed, kStray };

// Written by the child, read by the parent after its end.
struct ChildReport {
  ChildStage stage = ChildStage::kStarted;
  ChildVerdict verdict = ChildVerdict::kNone;
  int run = 0;  // which arena
  char message[1024] = {};
};

struct ChildTask {
  const Plugin* plugin = nullptr;
  // The problems to run in order on each arena: the one itself, or forward_training and backward.
  std::vector<RnnProblem> steps;
  unsigned free_layouts = 0;
  std::vector<Arena>* arenas = nullptr;
  ChildReport* report = nullptr;
  std::vector<std::string> environment;
};

// Does the task and ends the process.
[[noreturn]] void RunChild(const ChildTask& task);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_CHILD_H_
