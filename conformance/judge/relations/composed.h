// The outputs of a problem from runs of its parts: steps, layers or directions, each a problem of its own whose inputs
// are what earlier parts put out. Each direction is a full stack of layers of its own.
#ifndef TANDEM_CONFORMANCE_JUDGE_RELATIONS_COMPOSED_H_
#define TANDEM_CONFORMANCE_JUDGE_RELATIONS_COMPOSED_H_

#include <functional>
#include <vector>

#include "conformance/judge/relations/relations.h"
#include "conformance/problem/step_problem.h"

namespace tandem::conformance {

// One part that has run.
struct PartRun {
  const RnnProblem& problem;
  const TensorSet& inputs;  // with the dst_* of its own forward, if the part is a backward problem
  const TensorSet& outputs;
  Location at;  // t, l and d that the part has one of
};

class Composition {
 public:
  // kSteps, kLayers or kDirections.
  Composition(const CheckInput& in, Relation split);

  // Runs the parts in order, backward ones after all of their direction's forward ones; `seen` gets each. The result of
  // the first that is not kOk, or kOk.
  RunResult Run(const std::function<void(const PartRun&)>& seen);

  // After Run(): the whole problem's outputs and, of a backward problem, dst_*.
  const TensorSet& tensors() const { return tensors_; }
  // False for an int8 sum: it cannot be computed from the bytes of its halves.
  bool HasDstLayer() const { return !(p_.IsInt8() && p_.direction == Direction::kBidirectionalSum); }
  static Dim CountParts(const RnnProblem& problem, Relation split);

 private:
  using Sequence = std::vector<std::vector<double>>;  // [t] of [n][channel]
  struct Kept {
    Part part;
    Dim time = 0;  // of a single step
    TensorSet inputs;
  };
  struct Carried {
    std::vector<double> h, c;
  };

  bool Forward(Dim dir);
  bool ForwardPart(const Part& part, Dim time, Sequence* sequence, Carried* carried);
  bool Backward(Dim dir);
  bool BackwardPart(const Kept& kept, bool last_in_time, Sequence* diff, Carried* carried);
  void SetLengths(const Part& part, Dim time, TensorSet* tensors) const;
  bool RunPart(const RnnProblem& problem, const Part& part, Dim time, TensorSet* tensors);

  std::vector<double> AtTimes(const Sequence& sequence, const Part& part, Dim time) const;
  void SetTimes(const std::vector<double>& values, const Part& part, Dim time, Sequence* sequence) const;
  void StoreSequence(Dim dir, const Sequence& sequence);
  Sequence DiffSequence(Dim dir) const;
  void AddWeightGradients(const Part& part, bool first, const TensorSet& tensors);

  const CheckInput& in_;
  const RnnProblem& p_;
  const Relation split_;
  TensorSet tensors_;
  std::vector<Kept> kept_;
  std::function<void(const PartRun&)> seen_;
  RunResult result_;
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_JUDGE_RELATIONS_COMPOSED_H_
