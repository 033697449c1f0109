// docs/test_your_library.md calls this the pipe protocol: a problem as JSON, and its tensors as dense bytes.
#ifndef TANDEM_CONFORMANCE_SANDBOX_PIPE_PIPE_PROBLEM_H_
#define TANDEM_CONFORMANCE_SANDBOX_PIPE_PIPE_PROBLEM_H_

#include <cstdint>
#include <vector>

#include "conformance/plugin.h"
#include "conformance/sandbox/pipe/conversation.h"

namespace tandem::conformance {

// Returns the problem without its tensors' values.
Json ToJson(const tandem_problem& problem);

// This has dense row-major copies of a problem's tensors.
class DenseTensors {
 public:
  explicit DenseTensors(const tandem_problem& problem);

  // The order is that of ToJson().
  const std::vector<Bytes>& inputs() const { return inputs_; }
  const std::vector<Bytes>& outputs() const { return outputs_; }
  // Copies the outputs back to the problem's tensors.
  void CopyOut() const;

 private:
  const tandem_problem& problem_;
  std::vector<tandem_tensor> dense_;
  std::vector<std::vector<uint8_t>> bytes_;
  std::vector<Bytes> inputs_, outputs_;
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_SANDBOX_PIPE_PIPE_PROBLEM_H_
