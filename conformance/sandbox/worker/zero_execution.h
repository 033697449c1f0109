// The steps of a task are executed on zeros. Traces of this other execution must not reach the one that is judged.
#ifndef TANDEM_CONFORMANCE_SANDBOX_WORKER_ZERO_EXECUTION_H_
#define TANDEM_CONFORMANCE_SANDBOX_WORKER_ZERO_EXECUTION_H_

#include <array>
#include <cstdint>
#include <vector>

#include "conformance/sandbox/messages/task.h"

namespace tandem::conformance {

// supports() has asked for these numbers of bytes.
struct Needs {
  uint64_t workspace = 0;
  std::array<uint64_t, 2> scratchpad{};  // for each step
};

// A ZeroExecution has its own memory. Its rows have n_iter steps, or one step if those of the task have n_iter.
class ZeroExecution {
 public:
  // `stated` are the task's steps with scales, which are copied. `lengths` are those of the rows; null if there are none.
  ZeroExecution(const Task& task, const RunMemory& memory, const std::array<StatedProblem, 2>& stated,
                const int32_t* lengths, const Needs& needs);
  // Returns a tandem_status.
  int32_t Run(const tandem_plugin* plugin, int step, char* message, size_t message_size);

 private:
  std::array<StatedProblem, 2> stated_;
  std::array<std::vector<uint8_t>, kNumTensors> tensors_;
  std::array<std::vector<float>, 2> weights_scales_, projection_scales_;
  std::vector<uint8_t> workspace_;
  std::array<std::vector<uint8_t>, 2> scratchpad_;
  Needs needs_;
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_SANDBOX_WORKER_ZERO_EXECUTION_H_
