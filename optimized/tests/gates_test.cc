// Cells whose gates have other functions than the specification's. The judge holds them to the equations; here are the results
// that are known without equations.
#include "api/core/gates.h"

#include <cmath>
#include <string>

#include "api/core/rnn/rnn_problem_testing.h"
#include "gtest/gtest.h"
#include "optimized/tests/forward_testing.h"

namespace tandem {
namespace optimized {
namespace {

class Gates : public OnEachTarget {};
INSTANTIATE_TEST_SUITE_P(Targets, Gates, TargetsThatDifferHere(), NameOfTarget);

// A part of an infinite candidate is infinite: a random problem found NaN.
TEST_P(Gates, OfGruKeepAnInfiniteCandidate) {
  constexpr TestShape kOneStep = {1, 1, 5, 37, 37, 37, 37};
  for (const Cell cell : {Cell::kGru, Cell::kLbrGru}) {
    for (const DataType x : {DataType::kF32, DataType::kBf16, DataType::kF16}) {
      RnnProblem problem = MakeTestProblem(cell, Propagation::kForwardInference, Direction::kLeft2Right, x, kOneStep);
      problem.attr.rnn_gates.candidate = {Activation::kRelu};
      Validate(&problem);
      Tensors tensors = MakeTensors(problem, 3);
      for (Dim unit = 0; unit < problem.dhc; ++unit) {
        const size_t bias_of_candidate = static_cast<size_t>(GruGate::kCandidate * problem.dhc + unit);
        StoreElement(TypeOf(problem.md[kBias]), HUGE_VALF, bias_of_candidate, &tensors[kBias]);
      }
      RunForward(problem, WeightsForm::kPacked, &tensors);
      for (size_t i = 0; i < tensors[kDstLayer].size() / SizeOf(x); ++i) {
        ASSERT_EQ(LoadElement(x, tensors[kDstLayer], i), HUGE_VALF) << ToString(cell) << " " << ToString(x) << " " << i;
      }
    }
  }
}

}  // namespace
}  // namespace optimized
}  // namespace tandem
