// What a lesson has, as JSON: everything about it that no changed number changes.
//
//   {"problem", "cell", "type", "backward", "T", "mb", "dhc", "size",
//    "data": {"scale", "shift"}, "weights_scale": [of each gate and channel],      of int8 only
//    "tensors": [{"number", "name", "type", "dims", "values"}],                    inputs, row-major
//    "outputs": [{"name", "dims"}],                                                as Lesson::Intervals() has them
//    "formulas": [{"id", "name", "about", "text", "mathml", "left"}],
//    "lines": [[formula, phase, t, layer, dir, rows, cols, begin, begin of stored values or -1]]}
#ifndef TANDEM_CONFORMANCE_LESSON_DESCRIPTION_H_
#define TANDEM_CONFORMANCE_LESSON_DESCRIPTION_H_

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "conformance/problem/problem_spec.h"
#include "conformance/problem/tensor_set.h"
#include "reference/teaching/trace/trace.h"

namespace tandem::conformance {

class DescriptionWriter {
 public:
  DescriptionWriter(const ProblemSpec& spec, const RnnProblem& problem, const TensorSet& tensors);
  // In the order of the trace.
  void AddLine(const reference::TracedLine& line);
  std::string Text();

 private:
  size_t NumberOfFormula(const reference::TracedLine& line);

  nlohmann::ordered_json json_;
  std::map<std::string, size_t> formulas_;
  size_t size_ = 0;  // of the array
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_LESSON_DESCRIPTION_H_
