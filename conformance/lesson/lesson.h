// A lesson is one problem whose numbers a reader changes: the trace of its equations in one array, whose places stay the same,
// a description of each number, and one equation with its numbers unfolded. The web page calls it (web/lesson).
#ifndef TANDEM_CONFORMANCE_LESSON_LESSON_H_
#define TANDEM_CONFORMANCE_LESSON_LESSON_H_

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/oracle/oracle.h"
#include "conformance/problem/problem_spec.h"
#include "conformance/problem/tensor_set.h"
#include "reference/teaching/trace/trace.h"

namespace tandem::conformance {

// A place is an element of one traced line: the line's number, and the place in its value. Line -1 is none.
struct LessonPlace {
  int64_t line = -1;
  reference::ElementAt at;
};

// Returns three numbers for each element of the outputs: the value of the equations, and the two ends of the accepted interval.
// The ends are NaN if the judge accepts everything, or accepts NaN alone.
std::vector<double> IntervalsOf(const OracleResult& oracle);

class Lesson {
 public:
  // Reads `words` as ParseProblem does. The tensors have the same values as in check and trace. Throws on a wrong problem.
  explicit Lesson(const std::string& words);
  Lesson(const Lesson&) = delete;
  Lesson& operator=(const Lesson&) = delete;

  // Returns the parts that no changed number changes, as JSON (description.h).
  const std::string& Description() const { return description_; }

  // Stores a value as the tensor's type holds it, and returns the stored value.
  double Set(Tensor tensor, size_t index, double value);

  // Runs the problem and returns the numbers of all lines, as AppendNumbers() orders them.
  const std::vector<double>& Run();
  // Chooses the element that the next Run() explains.
  void Select(const LessonPlace& place) { place_ = place; }
  // Returns the explanation of that element, as JSON (explanation.h).
  const std::string& Explanation() const { return explanation_; }

  // Returns the result of IntervalsOf() for the numbers that the lesson has now.
  const std::vector<double>& Intervals();

 private:
  ProblemSpec spec_;
  RnnProblem problem_;
  TensorSet tensors_;
  LessonPlace place_;
  std::string description_, explanation_;
  std::vector<double> values_, intervals_;
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_LESSON_LESSON_H_
