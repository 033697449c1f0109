// Every value that the forward equations define, step by step, under its equation id: for a reader who follows the
// equations with numbers, and for finding the first step at which another implementation departs.
#ifndef TANDEM_REFERENCE_STACK_TRACE_H_
#define TANDEM_REFERENCE_STACK_TRACE_H_

#include <functional>
#include <string>

#include "api/core/rnn/implementation.h"
#include "reference/numerics/matrix.h"
#include "reference/stack/stack.h"

namespace tandem {
namespace reference {

struct TracedValue {
  StepIndex step;
  std::string equation;  // "LSTM.4", an id of docs/equations.md
  std::string name;      // what the equation defines: "c"
  Mat<double> value;     // [channels, mb], as the workspace or the next step would read it
};

// Runs forward with the backend's arithmetic and calls `visit` for each value, in the order of computation. `problem`
// has been validated and has plain layouts; nothing is written to `buffers`.
void TraceForward(const RnnProblem& problem, const RnnBuffers& buffers,
                  const std::function<void(const TracedValue&)>& visit);

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_STACK_TRACE_H_
