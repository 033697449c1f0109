// Backward against automatic differentiation: the forward templates run over a scalar that carries its derivative by
// every input, so the expected gradient uses no equation of backward.
#include <gtest/gtest.h>

#include "Eigen/Core"
#include "reference/numerics/numerics.h"
#include "reference/stack/stack_diff_io.h"
#include "reference/tests/random_problem.h"
#include "unsupported/Eigen/AutoDiff"

namespace tandem {
namespace reference {
namespace {

using Dual = Eigen::AutoDiffScalar<Eigen::VectorXd>;
using DualNumerics = ExactNumerics<Dual>;
using Plain = ExactNumerics<double>;

constexpr double kRelative = 1e-9;
// Rounding noise where terms of size 1 cancel: 2^-53 times the few hundred terms of these sums.
constexpr double kNoise = 1e-13;

// Gives each input of the loss its own unit derivative, in the order in which Flatten() lists gradients.
class Seeder {
 public:
  explicit Seeder(Dim total) : total_(total) {}
  Dim count() const { return next_; }

  void Elements(Mat<Dual>* m) {
    for (Dim i = 0; i < m->size(); ++i) Seed(&(*m)(i), next_++);
  }
  // Bias and peephole: one input for all columns of a row.
  void Rows(Mat<Dual>* m) {
    for (Dim row = 0; row < m->rows(); ++row, ++next_) {
      for (Dim col = 0; col < m->cols(); ++col) Seed(&(*m)(row, col), next_);
    }
  }
  // Attention: one input for all rows of a column.
  void Columns(Mat<Dual>* m) {
    for (Dim col = 0; col < m->cols(); ++col, ++next_) {
      for (Dim row = 0; row < m->rows(); ++row) Seed(&(*m)(row, col), next_);
    }
  }

 private:
  void Seed(Dual* value, Dim index) const {
    if (index < total_) value->derivatives() = Eigen::VectorXd::Unit(total_, index);
  }

  Dim total_;
  Dim next_ = 0;
};

void SeedAll(StackInput<DualNumerics>* in, std::vector<CellParameters<DualNumerics>>* parameters, Seeder* seeder) {
  for (Mat<Dual>& m : in->src_layer) seeder->Elements(&m);
  for (Mat<Dual>& m : in->src_iter) seeder->Elements(&m);
  for (Mat<Dual>& m : in->src_iter_c) seeder->Elements(&m);
  for (Mat<Dual>& m : in->augru_attention) seeder->Columns(&m);
  for (CellParameters<DualNumerics>& p : *parameters) {
    for (Mat<Dual>& m : p.W) seeder->Elements(&m);
    for (Mat<Dual>& m : p.U) seeder->Elements(&m);
    for (Mat<Dual>& m : p.B) seeder->Rows(&m);
    for (Mat<Dual>& m : p.P) seeder->Rows(&m);
    for (Mat<Dual>& m : p.R) seeder->Elements(&m);
  }
}

// The sum of `outputs` weighted by `diffs`, which makes `diffs` the gradients that come in.
Dual Weighted(const std::vector<Mat<Dual>>& outputs, const std::vector<Mat<double>>& diffs) {
  Dual loss(0.0);
  for (size_t i = 0; i < diffs.size(); ++i) {
    for (Dim k = 0; k < diffs[i].size(); ++k) loss += outputs[i](k) * Dual(diffs[i](k));
  }
  return loss;
}

Eigen::VectorXd GradientByAutoDiff(const BoundProblem& bound) {
  const DualNumerics num;
  StackInput<DualNumerics> in = LoadStackInput(num, bound);
  std::vector<CellParameters<DualNumerics>> parameters;
  for (Dim layer = 0; layer < in.shape.n_layer; ++layer) {
    for (Dim dir = 0; dir < in.shape.n_dir; ++dir) {
      parameters.push_back(in.parameters(layer, dir));
    }
  }
  Seeder counter(0);
  SeedAll(&in, &parameters, &counter);
  Seeder seeder(counter.count());
  SeedAll(&in, &parameters, &seeder);
  const StackShape shape = in.shape;
  in.parameters = [&](Dim layer, Dim dir) { return parameters[shape.At(layer, dir)]; };
  const StackOutput<DualNumerics> out = RunStack(num, in);
  const Dual loss = Weighted(out.dst_layer, LoadSequence<Plain>(bound, kDiffDstLayer)) +
                    Weighted(out.dst_iter, LoadStates<Plain>(bound, kDiffDstIter)) +
                    Weighted(out.dst_iter_c, LoadStates<Plain>(bound, kDiffDstIterC));
  return loss.derivatives();
}

struct Recorder : NoHook {
  explicit Recorder(StackShape s) : shape(s), steps(s.NumStacks() * s.n_iter) {}
  SavedStep<Plain>& At(const StepIndex& i) { return steps[shape.At(i.layer, i.dir) * shape.n_iter + i.time]; }
  void AfterStep(const StepIndex& index, const CellInput<Plain>& in, CellResult<Plain>* out) { At(index) = {in, *out}; }
  StackShape shape;
  std::vector<SavedStep<Plain>> steps;
};

void Append(const std::vector<Mat<double>>& matrices, std::vector<double>* flat) {
  for (const Mat<double>& m : matrices) flat->insert(flat->end(), m.data(), m.data() + m.size());
}

std::vector<double> GradientByHand(const BoundProblem& bound) {
  const Plain num;
  const StackInput<Plain> in = LoadStackInput(num, bound);
  Recorder recorder(in.shape);
  RunStack(num, in, &recorder);
  StackDiffInput<Plain> diff = LoadStackDiffInput(num, bound);
  diff.saved = [&](const StepIndex& index) { return recorder.At(index); };
  std::vector<ParameterGradients<Plain>> weights(in.shape.NumStacks());
  diff.weights_sink = [&](Dim layer, Dim dir, const ParameterGradients<Plain>& grad) {
    weights[in.shape.At(layer, dir)] = grad;
  };
  const StackDiffOutput<Plain> out = RunStackBackward(num, diff);
  std::vector<double> flat;
  Append(out.diff_src_layer, &flat);
  if (bound.problem.Has(kSrcIter)) Append(out.diff_src_iter, &flat);
  if (bound.problem.Has(kSrcIterC)) Append(out.diff_src_iter_c, &flat);
  Append(out.diff_augru_attention, &flat);
  for (const ParameterGradients<Plain>& grad : weights) {
    for (const std::vector<Mat<double>>* part : {&grad.W, &grad.U, &grad.B, &grad.P, &grad.R}) {
      Append(*part, &flat);
    }
  }
  return flat;
}

void ExpectEqualGradients(TestCase* test, const std::string& description) {
  SCOPED_TRACE(description);
  const RnnBuffers buffers = test->Buffers();
  const BoundProblem bound = {test->problem, buffers};
  const Eigen::VectorXd expected = GradientByAutoDiff(bound);
  const std::vector<double> found = GradientByHand(bound);
  ASSERT_EQ(static_cast<Dim>(found.size()), expected.size());
  for (Dim i = 0; i < expected.size(); ++i) {
    const double error = std::abs(found[i] - expected[i]);
    ASSERT_LE(error, kRelative * std::abs(expected[i]) + kNoise)
        << "input " << i << " of " << expected.size() << ": by hand " << found[i] << ", by automatic differentiation "
        << expected[i];
  }
}

TEST(Backward, IsTheGradientOfForward) {
  ForEachRandomCase(Propagation::kBackward, DataType::kF32, 40, ExpectEqualGradients);
}

}  // namespace
}  // namespace reference
}  // namespace tandem
