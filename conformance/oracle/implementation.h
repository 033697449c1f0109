// How the checks call what they judge: a function from inputs to outputs, whatever runs behind it (a backend in this
// process, a plugin in a child process, a mutant).
#ifndef TANDEM_CONFORMANCE_ORACLE_IMPLEMENTATION_H_
#define TANDEM_CONFORMANCE_ORACLE_IMPLEMENTATION_H_

#include <functional>
#include <string>

#include "api/core/rnn/rnn_problem.h"
#include "conformance/problem/base/outcome.h"
#include "conformance/problem/tensor_set.h"

namespace tandem::conformance {

// How a run ended.
enum class RunStatus { kOk, kNotSupported, kError, kTimeout, kCrash };

inline Verdict VerdictOf(RunStatus status) {
  switch (status) {
    case RunStatus::kOk:
      return Verdict::kPass;
    case RunStatus::kNotSupported:
      return Verdict::kNotSupported;
    case RunStatus::kTimeout:
      return Verdict::kTimeout;
    case RunStatus::kCrash:
      return Verdict::kCrash;
    case RunStatus::kError:
      break;
  }
  return Verdict::kFail;
}

struct RunResult {
  RunStatus status = RunStatus::kOk;
  std::string message;  // empty if kOk
};

// Runs `problem`. `tensors` holds the inputs and receives the outputs. For a backward problem the implementation first
// runs its own forward_training on the same inputs, leaves dst_layer, dst_iter and dst_iter_c in `tensors`, and then
// runs backward with that workspace.
using Implementation = std::function<RunResult(const RnnProblem& problem, TensorSet* tensors)>;

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_ORACLE_IMPLEMENTATION_H_
