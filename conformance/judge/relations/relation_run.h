// One relation under test: runs of the implementation, and the rows of the report that they give.
#ifndef TANDEM_CONFORMANCE_JUDGE_RELATIONS_RELATION_RUN_H_
#define TANDEM_CONFORMANCE_JUDGE_RELATIONS_RELATION_RUN_H_

#include <functional>

#include "conformance/judge/relations/relations.h"

namespace tandem::conformance {

class RelationRun {
 public:
  RelationRun(const CheckInput& in, Relation relation) : in_(in), p_(in.problem), relation_(relation) {}

  // Runs `problem` on `tensors`; false, with a row, if that ends badly. A refusal adds no row: the relation is between
  // two runs, and one of them does not exist.
  bool Run(const RnnProblem& problem, TensorSet* tensors) { return Ran(in_.implementation(problem, tensors)); }
  bool RunInGivenLayouts(const RnnProblem& problem, TensorSet* tensors);
  // Runs it as RepeatedRun does.
  bool RunOnStatesLeft(int executions, TensorSet* tensors);
  bool Ran(const RunResult& run);

  // Elements of `t` for which `applies` must have the value that `want` gives.
  struct Expectation {
    Verdict otherwise;
    const char* note = "";
    std::function<double(size_t)> want;
    std::function<bool(const Location&)> applies;
  };
  void Expect(Tensor t, const TensorBuffer& got, const Expectation& expectation);

  // Another way to the problem's outputs, in the problem's own order and layouts: the same bits, or both in their
  // intervals.
  void JudgeAlternative(const TensorSet& other) { JudgeAlternatives(in_.inputs, in_.outputs, other); }
  // Two ways to the outputs for `inputs`.
  void JudgeAlternatives(const TensorSet& inputs, const TensorSet& one, const TensorSet& other);
  // `got` against the oracle of the problem on `inputs`. A vacuous row counts as passed here.
  void JudgeByBounds(const TensorSet& inputs, const TensorSet& got, const char* note);

  void Add(TensorReport row);
  TensorReport Row(Tensor t, const char* note = "") const;
  ProblemReport Take() { return std::move(report_); }
  const CheckInput& in() const { return in_; }
  const RnnProblem& p() const { return p_; }

 private:
  const CheckInput& in_;
  const RnnProblem& p_;
  const Relation relation_;
  ProblemReport report_;
};

// Makes the states that a forward execution has left those that the next one starts from.
void HandOnStates(TensorSet* tensors);

bool SameValue(double x, double y);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_JUDGE_RELATIONS_RELATION_RUN_H_
