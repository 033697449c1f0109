// The oracle's values and bounds against the same equations in 50 digits, free-running, forward and backward.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <vector>

#include "conformance/oracle/oracle.h"
#include "conformance/oracle/oracle_forward.h"
#include "conformance/problem/generator.h"
#include "conformance/problem/problem_notation.h"
#include "conformance/proofs/mp_real.h"
#include "reference/cells/cell_dispatch.h"
#include "reference/stack/stack_diff_io.h"

namespace tandem::conformance {
namespace {

using Num = reference::ExactNumerics<MpReal>;
using MpMat = Num::Mat;
using Values = std::map<Tensor, std::vector<MpReal>>;

// [t] or [(l, d)] of [channels, mb] as the tensors have them.
std::vector<MpReal> Flat(const std::vector<MpMat>& matrices) {
  std::vector<MpReal> flat;
  for (const MpMat& m : matrices) {
    for (Eigen::Index i = 0; i < m.size(); ++i) flat.push_back(m.data()[i]);
  }
  return flat;
}

Values Forward(const RnnProblem& problem, const reference::StackOutput<Num>& out) {
  Values values;
  values[kDstLayer] = Flat(out.dst_layer);
  if (problem.Has(kDstIter)) values[kDstIter] = Flat(out.dst_iter);
  if (problem.Has(kDstIterC)) values[kDstIterC] = Flat(out.dst_iter_c);
  return values;
}

struct Recorder : reference::NoHook {
  const RnnProblem& problem;
  std::vector<reference::SavedStep<Num>> steps;

  explicit Recorder(const RnnProblem& p) : problem(p) {
    steps.resize(static_cast<size_t>(p.n_layer * p.n_dir * p.n_iter));
  }
  reference::SavedStep<Num>& At(const reference::StepIndex& at) {
    return steps[static_cast<size_t>((at.layer * problem.n_dir + at.dir) * problem.n_iter + at.time)];
  }
  void AfterStep(const reference::StepIndex& at, const reference::CellInput<Num>& in,
                 reference::CellResult<Num>* result) {
    At(at) = {in, *result};
  }
};

size_t IndexOf(const MemoryDesc& md, const reference::GradientPlace& place, Dim row, Dim col) {
  Dim linear = 0;
  for (int d = 0; d < md.ndims; ++d) {
    linear = linear * md.dims[d] + (d == place.row_dim ? row : d == place.col_dim ? col : place.index[d]);
  }
  return static_cast<size_t>(linear);
}

Values Backward(const RnnProblem& problem, const reference::BoundProblem& bound, const TensorSet& inputs,
                const Num& num, Recorder* steps) {
  Values values;
  const bool accumulate = problem.diff_weights_mode() == DiffWeightsMode::kAccumulate;
  reference::StackDiffInput<Num> in = reference::LoadStackDiffInput(num, bound);
  in.saved = [&](const reference::StepIndex& at) { return steps->At(at); };
  in.weights_sink = [&](Dim layer, Dim dir, const reference::ParameterGradients<Num>& g) {
    reference::ForEachGradient(problem, layer, dir, g, [&](const reference::GradientPlace& place, const MpMat& m) {
      std::vector<MpReal>& flat = values[place.tensor];
      flat.resize(static_cast<size_t>(NumElements(problem.md[place.tensor])));
      for (Eigen::Index j = 0; j < m.rows(); ++j) {
        for (Eigen::Index k = 0; k < m.cols(); ++k) {
          const size_t i = IndexOf(problem.md[place.tensor], place, j, k);
          flat[i] = m(j, k) + MpReal(accumulate ? inputs[place.tensor].Get(i) : 0);
        }
      }
    });
  };
  const reference::StackDiffOutput<Num> out = reference::RunStackBackward(num, in);
  values[kDiffSrcLayer] = Flat(out.diff_src_layer);
  if (problem.Has(kDiffSrcIter)) values[kDiffSrcIter] = Flat(out.diff_src_iter);
  if (problem.Has(kDiffSrcIterC)) values[kDiffSrcIterC] = Flat(out.diff_src_iter_c);
  if (problem.Has(kDiffAugruAttention)) values[kDiffAugruAttention] = Flat(out.diff_augru_attention);
  return values;
}

Values InFiftyDigits(const RnnProblem& problem, const TensorSet& inputs) {
  const RnnBuffers buffers = BuffersOf(inputs);
  const reference::BoundProblem bound = {problem, buffers};
  const Num num;
  Recorder steps(problem);
  const reference::StackOutput<Num> out = reference::RunStack(num, reference::LoadStackInput(num, bound), &steps);
  return problem.IsBackward() ? Backward(problem, bound, inputs, num, &steps) : Forward(problem, out);
}

ProblemSpec SmallProblem(Cell cell, Propagation propagation, uint64_t index) {
  ProblemScope scope;
  scope.cells = {cell};
  scope.configs = {Config::kF32};
  scope.propagations = {propagation};
  scope.max_channels = 7;
  scope.max_steps = 3;
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
    Values exact = InFiftyDigits(problem, inputs);
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
  // where the interval contains 0, may differ by the whole bound.
  if (cell != Cell::kVanillaRnn) {
    EXPECT_LT(worst_double_error, 0x1p-16);
  }
}

std::string ParamName(const testing::TestParamInfo<std::tuple<Cell, Propagation>>& info) {
  const bool backward = std::get<1>(info.param) == Propagation::kBackward;
  return std::string(ToString(std::get<0>(info.param))) + (backward ? "_backward" : "_forward");
}

INSTANTIATE_TEST_SUITE_P(EveryCell, FiftyDigits,
                         testing::Combine(testing::Values(Cell::kVanillaRnn, Cell::kLstm, Cell::kGru, Cell::kLbrGru,
                                                          Cell::kAugru, Cell::kLbrAugru),
                                          testing::Values(Propagation::kForwardInference, Propagation::kBackward)),
                         ParamName);

}  // namespace
}  // namespace tandem::conformance
