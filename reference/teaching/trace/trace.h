// Every equation of a problem with its values, in the order of computation: for a reader who follows the equations with
// numbers, and for finding the first step at which another implementation departs.
//
// The reference runs the problem; the book's formulas are evaluated beside it on what each step read. Where the
// reference has a value of its own (gates, states, gradients), that is the value which is shown, and the formula's is
// compared with it.
#ifndef TANDEM_REFERENCE_TEACHING_TRACE_TRACE_H_
#define TANDEM_REFERENCE_TEACHING_TRACE_TRACE_H_

#include <functional>
#include <string>

#include "api/core/rnn/implementation.h"
#include "reference/stack/stack.h"
#include "reference/teaching/book/explain.h"
#include "reference/teaching/book/step_lines.h"

namespace tandem {
namespace reference {

// kGradients: what the tensors of weights' gradients get when all steps are done.
enum class TracePhase { kParameters, kForward, kBackward, kGradients };

struct TracedLine {
  TracePhase phase = TracePhase::kForward;
  StepIndex step = {};    // the timestamp; of what belongs to a whole layer, the step at which it is known
  std::string id;         // "LSTM.4"; empty for an input: a weight, x, h'
  Formula formula;        // as the book has it, for this gate; of an input only `left`
  Formula evaluated;      // the same, with a value that forward has saved as one symbol
  std::string about;      // what a formula of int8 is applied to: "r * h'"; which of the values of a gradient it is
  Mat<double> value;      // of the left side; of the pair (h, c), h
  Mat<double> cell;       // of the pair (h, c), c: both are as they are stored; empty: the left side is no pair
  Mat<double> stored;     // what storage makes of it, as the real number that it stands for; empty: not stored
  std::string stored_as;  // "bf16", "u8"; empty: not stored, or without a change
  Mat<double> bytes;      // where stored_as is a byte: the byte of `stored`
  bool agrees = true;     // the formula's value is the reference's
  Columns dead;           // rows of the minibatch without a step at this time: their columns have no meaning
  const Evaluator* before = nullptr;  // the values that the formula reads; during the visit only

  // "i", "dW_c~", "W_i x".
  std::string Name() const { return Show(formula.left, Notation::kText); }
};

using TraceVisitor = std::function<void(const TracedLine&)>;

// Runs forward, and of a backward problem also backward, with the backend's arithmetic. `problem` has been validated
// and has plain layouts; nothing is written to `buffers`. Of a backward problem, dst_* are not read: they are computed.
void Trace(const RnnProblem& problem, const RnnBuffers& buffers, const TraceVisitor& visit);

// Says whether the rows of a line's value are channels and its columns rows of the minibatch. Otherwise it belongs to weights.
bool IsPerRow(const TracedLine& line);

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_TEACHING_TRACE_TRACE_H_
