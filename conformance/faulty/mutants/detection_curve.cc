// The minimum detectable perturbation: the smallest relative error of the weights that the oracle's bounds detect.
#include "conformance/faulty/faulty.h"
#include "conformance/faulty/mutants/hunt.h"
#include "conformance/judge/verdict/compare.h"
#include "conformance/oracle/oracle.h"
#include "conformance/problem/generator.h"
#include "conformance/problem/random/random_problem.h"

namespace tandem::conformance {
namespace {

// Computes outputs from weights multiplied by `factor`, and judges them as outputs for `inputs`.
bool IsDetected(const RnnProblem& problem, const TensorSet& inputs, double factor) {
  TensorSet got = inputs;
  for (const Tensor t : {kWeightsLayer, kWeightsIter}) {
    for (size_t i = 0; i < got[t].size(); ++i) got[t].Set(i, inputs[t].Get(i) * factor);
  }
  MakeFaulty(Mutation::kNoBug)(problem, &got);
  OracleOptions options;
  options.forced = &got;
  return CompareAll(problem, RunOracle(problem, inputs, options), got).outcome.verdict() >= Verdict::kFail;
}

}  // namespace

std::vector<DetectionPoint> DetectionCurve(const MutantGroup& group, uint64_t seed, uint64_t problems) {
  std::vector<DetectionPoint> curve;
  for (const double d : {1., 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7}) curve.push_back({group.name, d, problems, 0});
  for (uint64_t i = 0; i < problems; ++i) {
    const ProblemSpec spec = RandomProblem(group.scope, seed, i);
    const RnnProblem problem = ToRnnProblem(spec);
    TensorSet inputs(problem);
    FillInputs(spec, problem, &inputs);
    for (DetectionPoint& point : curve) point.detected += IsDetected(problem, inputs, 1 + point.perturbation);
  }
  return curve;
}

}  // namespace tandem::conformance
