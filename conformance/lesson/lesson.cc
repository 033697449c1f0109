#include "conformance/lesson/lesson.h"

#include <limits>
#include <stdexcept>

#include "conformance/lesson/description.h"
#include "conformance/lesson/explanation.h"
#include "conformance/oracle/oracle_forward.h"
#include "conformance/problem/generator.h"
#include "conformance/problem/problem_notation.h"

namespace tandem::conformance {

using reference::TracedLine;

Lesson::Lesson(const std::string& words) : spec_(ParseProblem(words)) {
  ResolveDims(&spec_);
  problem_ = ToRnnProblem(spec_);
  tensors_ = TensorSet(problem_);
  FillInputs(spec_, problem_, &tensors_);
  DescriptionWriter writer(spec_, problem_, tensors_);
  reference::Trace(problem_, BuffersOf(tensors_), [&](const TracedLine& line) { writer.AddLine(line); });
  description_ = writer.Take().dump();
}

double Lesson::Set(Tensor tensor, size_t index, double value) {
  TensorBuffer& buffer = tensors_[tensor];
  if (index >= buffer.size() || !IsInput(problem_, tensor)) throw std::out_of_range("no such element of an input");
  buffer.Set(index, value);
  return buffer.Get(index);
}

const std::vector<double>& Lesson::Run() {
  values_.clear();
  explanation_.clear();
  int64_t number = 0;
  reference::Trace(problem_, BuffersOf(tensors_), [&](const TracedLine& line) {
    AppendNumbers(line, &values_);
    if (number++ == place_.line) explanation_ = ExplanationOf(line, place_.at).dump();
  });
  return values_;
}

const std::vector<double>& Lesson::Intervals() {
  intervals_ = IntervalsOf(RunOracle(problem_, tensors_));
  return intervals_;
}

std::vector<double> IntervalsOf(const OracleResult& oracle) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> intervals;
  for (const OracleTensor& tensor : oracle.outputs) {
    for (size_t i = 0; i < tensor.value.size(); ++i) {
      const bool has_ends = tensor.cls[i] == ElementClass::kFinite;
      intervals.push_back(tensor.value[i]);
      intervals.push_back(has_ends ? tensor.lo[i] : kNan);
      intervals.push_back(has_ends ? tensor.hi[i] : kNan);
    }
  }
  return intervals;
}

}  // namespace tandem::conformance
