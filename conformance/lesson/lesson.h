// One problem that a reader changes while looking at it: the trace of its equations as numbers in one array, whose places stay
// the same, what each number is, and the numbers of one equation unfolded. The web page is a caller (web/lesson).
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

// An element of one traced line: the line's number, and the place in its value. Line -1 is none.
struct LessonPlace {
  int64_t line = -1;
  reference::ElementAt at;
};

// Three numbers for each element of the outputs: the value of the equations, and the two ends of the accepted interval. The ends
// are NaN where the judge accepts everything, or accepts NaN alone.
std::vector<double> IntervalsOf(const OracleResult& oracle);

class Lesson {
 public:
  // `words` as ParseProblem takes them. The tensors hold what check and trace give them. Throws on a wrong problem.
  explicit Lesson(const std::string& words);
  Lesson(const Lesson&) = delete;
  Lesson& operator=(const Lesson&) = delete;

  // The parts that no changed number changes, as JSON (description.h).
  const std::string& Description() const { return description_; }

  // Stores a value, as the tensor's type holds it, and returns what is there now.
  double Set(Tensor tensor, size_t index, double value);

  // Runs the problem and returns the numbers of all lines, as AppendNumbers() orders them.
  const std::vector<double>& Run();
  // The element that the next Run() explains.
  void Select(const LessonPlace& place) { place_ = place; }
  // The explanation of that element, as JSON (explanation.h).
  const std::string& Explanation() const { return explanation_; }

  // Returns what IntervalsOf() gives for the numbers that the lesson has now.
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
