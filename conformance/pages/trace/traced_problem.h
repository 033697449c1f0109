// `tandem trace` shows a problem, its tensors, and a selected part of them.
#ifndef TANDEM_CONFORMANCE_PAGES_TRACE_TRACED_PROBLEM_H_
#define TANDEM_CONFORMANCE_PAGES_TRACE_TRACED_PROBLEM_H_

#include <optional>
#include <string>
#include <vector>

#include "conformance/problem/problem_spec.h"
#include "conformance/problem/tensor_set.h"
#include "reference/teaching/trace/trace.h"

namespace tandem::conformance {

// The loss of a backward problem depends on all outputs, or for each row and direction on the output of the last step.
enum class Loss { kEveryOutput, kLastOutput };

struct TracedProblem {
  ProblemSpec spec;
  RnnProblem problem;
  TensorSet tensors;
  std::string data_file;  // the file that the tensors come from; empty: the generator
  Loss loss = Loss::kEveryOutput;
};

// Fills the tensors as `check` does, and replaces those that the safetensors file has (src_layer, ..., or in.src_layer, ...).
// Throws std::runtime_error for other dims or an unknown name. `spec` has resolved dims.
TracedProblem LoadTracedProblem(const ProblemSpec& spec, const std::string& data_file);

// With kLastOutput the gradients that come in are 0 everywhere else, also those of dst_iter and dst_iter_c.
void SetLoss(Loss loss, TracedProblem* traced);

// Returns whether row `n` of the minibatch has no step at the line's time.
bool IsDead(const reference::TracedLine& line, Dim n);

// The selection says which lines and elements are shown.
struct TraceSelection {
  int64_t rows = 2;                        // rows of the minibatch
  int64_t units = 8;                       // channels
  std::optional<int64_t> step, unit, row;  // only this one

  bool Shows(const reference::TracedLine& line) const;
  // Returns the elements of a line's value.
  std::vector<reference::ElementAt> Elements(const reference::TracedLine& line) const;
};

// Returns "n=0 unit=3" for a gate, "unit=3 input=0" for a weight.
std::string ElementName(const reference::TracedLine& line, reference::ElementAt at);

// Returns "0.25", or "(0.25, 0.5)" for the pair (h, c), with "none" for a channel that one of them lacks.
std::string ValueText(const reference::TracedLine& line, reference::ElementAt at, const reference::NumberStyle& style);

// Returns "diff_weights_iter, gate i" for dU_i: the tensor that a weight, or its gradient, is part of. It is empty for others.
std::string TensorOf(const reference::TracedLine& line);

// Returns one line about the problem: cell, activation, types, direction, lengths of rows, loss.
std::string Summary(const TracedProblem& traced);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_PAGES_TRACE_TRACED_PROBLEM_H_
