// The oracle's values and bounds are held to the same equations in 50 digits, free-running, forward and backward.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "conformance/oracle/oracle.h"
#include "conformance/problem/generator.h"
#include "conformance/problem/problem_notation.h"
#include "conformance/problem/random/random_problem.h"
#include "conformance/tests/every_cell.h"
#include "conformance/tests/mp_real.h"
#include "conformance/tests/values_in.h"

namespace tandem::conformance {
namespace {

using Num = reference::ExactNumerics<MpReal>;

ProblemSpec SmallProblem(Cell cell, Propagation propagation, uint64_t index) {
  ProblemScope scope;
  scope.cells = {cell};
  scope.configs = {Config::kF32};
  scope.propagations = {propagation};
  scope.max_channels = 7;
  scope.max_steps = 3;
  scope.norms_one_in = 4;
  ProblemSpec spec = RandomProblem(scope, 17, index);
  // NaN has no digits, and fpmath modes change the equations.
  if (spec.data == DataKind::kSpecial) spec.data = DataKind::kDense;
  spec.fpmath = FpmathMode::kStrict;
  spec.mb = std::min<Dim>(spec.mb, 3);
  return spec;
}

class FiftyDigits : public testing::TestWithParam<std::tuple<Cell, Propagation>> {};

TEST_P(FiftyDigits, LieWithinTheOraclesBound) {
  const auto [cell, propagation] = GetParam();
  double worst_double_error = 0;
  size_t elements = 0;
  for (uint64_t i = 0; i < 200; ++i) {
    const ProblemSpec spec = SmallProblem(cell, propagation, i);
    const RnnProblem problem = ToRnnProblem(spec);
    TensorSet inputs(problem);
    FillInputs(spec, problem, &inputs);
    const OracleResult oracle = RunOracle(problem, inputs);
    Values<MpReal> exact = ValuesIn(Num(), problem, inputs);
    ASSERT_EQ(exact.size(), oracle.outputs.size()) << PrintProblem(spec);
    for (const OracleTensor& tensor : oracle.outputs) {
      const std::vector<MpReal>& values = exact[tensor.tensor];
      ASSERT_EQ(values.size(), tensor.value.size()) << ToString(tensor.tensor);
      for (size_t k = 0; k < values.size(); ++k) {
        if (tensor.cls[k] != ElementClass::kFinite || !(tensor.bound[k] > 0)) continue;
        const double error = std::fabs(static_cast<double>(values[k] - MpReal(tensor.value[k])));
        ASSERT_LE(error, tensor.bound[k])
            << "replay: " << PrintProblem(spec) << " " << ToString(tensor.tensor) << "[" << k << "]";
        worst_double_error = std::max(worst_double_error, error / tensor.bound[k]);
        ++elements;
      }
    }
  }
  EXPECT_GT(elements, 1000u);
  // Gamma() is enlarged by 2^-16 of itself for the rounding errors of double, which must be smaller. Only relu's slope,
  // if the interval contains 0, may differ by the whole bound.
  if (cell != Cell::kVanillaRnn) {
    EXPECT_LT(worst_double_error, 0x1p-16);
  }
}

INSTANTIATE_TEST_SUITE_P(EveryCell, FiftyDigits, EveryCellBothWays(), CellAndWay);

}  // namespace
}  // namespace tandem::conformance
