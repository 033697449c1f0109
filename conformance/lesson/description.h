// The description has the parts of a lesson that no changed number changes, as JSON:
//
//   {"problem", "cell", "type", "backward", "T", "mb", "dhc", "layers", "directions", "size",
//    "data": {"scale", "shift"}, "weights_scale": [a scale for each gate and channel],   int8 only
//    "tensors": [{"number", "name", "type", "dims", "values"}],                    inputs, row-major
//    "outputs": [{"name", "dims"}],                                                as IntervalsOf() has them
//    "rounding": [{"value", "equations", "kept", "member", "words"}],              HTML, but for the last two
//    "equations": {id: {"lines": [{"mathml", "when"}], "why", "place", "code"}},   "why" is HTML
//    "formulas": [{"id", "name", "about", "text", "mathml", "left", "perRow"}],
//    "lines": [[formula, phase, t, layer, dir, rows, cols, rows of the cell state, agrees, value, stored, cell state, bytes]]}
//
// The last five numbers of a line are the places of its numbers in the array that AppendNumbers() fills; -1 stands for none.
#ifndef TANDEM_CONFORMANCE_LESSON_DESCRIPTION_H_
#define TANDEM_CONFORMANCE_LESSON_DESCRIPTION_H_

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "conformance/problem/problem_spec.h"
#include "conformance/problem/tensor_set.h"
#include "reference/teaching/trace/trace.h"

namespace tandem::conformance {

// JSON has no infinities and no NaN: they become "inf", "-inf" and "nan".
nlohmann::ordered_json JsonNumber(double value);
nlohmann::ordered_json JsonNumbers(const std::vector<double>& values);

// Appends the numbers of a line: 1 if its formula agrees with the reference, else 0; then the value, the stored values,
// the cell state and the bytes, each column by column.
void AppendNumbers(const reference::TracedLine& line, std::vector<double>* numbers);

// Says whether the numbers of a line are in the array.
enum class LineNumbers { kAppended, kLeftOut };

class DescriptionWriter {
 public:
  DescriptionWriter(const ProblemSpec& spec, const RnnProblem& problem, const TensorSet& tensors);
  // Adds the next line in the order of the trace.
  void AddLine(const reference::TracedLine& line, LineNumbers numbers = LineNumbers::kAppended);
  nlohmann::ordered_json Take();

 private:
  size_t NumberOfFormula(const reference::TracedLine& line);
  void AddEquation(const std::string& id);

  nlohmann::ordered_json json_;
  std::map<std::string, size_t> formulas_;
  std::map<std::string, std::string> code_;  // the statements of the problem's cell, by the ids of their equations
  size_t size_ = 0;                          // the array's
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_LESSON_DESCRIPTION_H_
