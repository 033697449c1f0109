// A cell with one channel and one row over several steps, forward and backward, from the equations of the book alone.
#ifndef TANDEM_REFERENCE_TEACHING_BOOK_TWO_STEPS_H_
#define TANDEM_REFERENCE_TEACHING_BOOK_TWO_STEPS_H_

#include <map>
#include <string>
#include <vector>

#include "reference/teaching/book/step_lines.h"
#include "reference/teaching/table/evaluate.h"
#include "reference/teaching/table/expression.h"

namespace tandem {
namespace reference {

// One evaluated line: an equation at a step, for one gate if it has an index g.
struct SequenceLine {
  std::string id;
  size_t step = 0;
  Formula formula;  // of scalars: no sums and no transposed matrices
  Evaluator before;
};

// Values of a symbol at each step; weights have one for all. x and a are inputs, h' and c' those of the first step, dh the
// gradient that the loss gives each step's h.
using SequenceInputs = std::map<std::string, std::vector<double>>;

class Sequence {
 public:
  // `cell` is a word such as RNN_TANH, LSTM_PEEPHOLE, LBR_GRU.
  Sequence(const std::string& cell, SequenceInputs inputs, size_t steps);

  // All lines of all steps: forward from the first, then backward from the last.
  const std::vector<SequenceLine>& lines() const { return lines_; }
  double ValueAt(size_t step, const std::string& name) const;  // of forward
  double Gradient(const std::string& name) const;              // of a weight, in total
  // dh' (or dc') that a step sends to the one before.
  double SentBack(size_t step, const std::string& name) const;
  // The sum of dh times h over the steps: the loss that the gradients are of.
  double Loss() const;

 private:
  void Run(const std::vector<StepLine>& step_lines, size_t step, Evaluator* values);
  void Forward(size_t steps);
  void Backward();

  RnnProblem problem_;
  SequenceInputs inputs_;
  std::vector<SequenceLine> lines_;
  std::vector<Evaluator> forward_, backward_;
};

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_TEACHING_BOOK_TWO_STEPS_H_
