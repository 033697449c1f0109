// One problem that a reader changes while looking at it: the trace of its equations as numbers in one array, whose places stay
// the same, what each number is, and the numbers of one equation unfolded. The web page is a caller (web/lesson).
#ifndef TANDEM_CONFORMANCE_LESSON_LESSON_H_
#define TANDEM_CONFORMANCE_LESSON_LESSON_H_

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/problem/problem_spec.h"
#include "conformance/problem/tensor_set.h"
#include "reference/teaching/trace/trace.h"

namespace tandem::conformance {

// An element of one traced line: the line's number, and the place in its value. Line -1 is none.
struct LessonPlace {
  int64_t line = -1;
  reference::ElementAt at;
};

class Lesson {
 public:
  // `words` as ParseProblem takes them. The tensors hold what check and trace give them. Throws on a wrong problem, and of one
  // with sequence_lengths.
  explicit Lesson(const std::string& words);
  Lesson(const Lesson&) = delete;
  Lesson& operator=(const Lesson&) = delete;

  // What the lesson has, as JSON: the problem, its tensors with their dims and values, its formulas as text and MathML, and of
  // each line which formula it is, its step, its dims and where its numbers begin in Run()'s array. See description.cc.
  const std::string& Description() const { return description_; }

  // Stores a value, as the tensor's type holds it, and returns what is there now.
  double Set(Tensor tensor, size_t index, double value);

  // Runs the problem. The values of all lines, each column by column, and behind each the stored values of a line that has some.
  const std::vector<double>& Run();
  // The element that the next Run() explains.
  void Select(const LessonPlace& place) { place_ = place; }
  // Of that element, as JSON: {"value", "stages": [MathML], "parts": [{"name", "value", "terms": [[a, b], ...]}]}. A part that
  // is a matrix product has its terms.
  const std::string& Explanation() const { return explanation_; }

  // Of each element of the outputs the value of the equations and the ends of what the judge accepts; NaN where it accepts
  // everything. In the order of the description's "outputs".
  const std::vector<double>& Intervals();

 private:
  void Describe();
  void Keep(const reference::TracedLine& line);
  void Explain(const reference::TracedLine& line);

  ProblemSpec spec_;
  RnnProblem problem_;
  TensorSet tensors_;
  LessonPlace place_;
  std::string description_, explanation_;
  std::vector<double> values_, intervals_;
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_LESSON_LESSON_H_
