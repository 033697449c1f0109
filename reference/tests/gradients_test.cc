// Backward against automatic differentiation: the forward templates run over a scalar that carries its derivative by
// every input, so the expected gradient uses no equation of backward.
#include <gtest/gtest.h>

#include "reference/numerics/numerics.h"
#include "reference/stack/stack_diff_io.h"
#include "reference/teaching/book/step_values.h"
#include "reference/tests/random_problem.h"
#include "third_party/eigen.h"
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
    for (Mat<Dual>& m : p.norm_gain) seeder->Rows(&m);
    for (Mat<Dual>& m : p.norm_offset) seeder->Rows(&m);
  }
}

// The sum of `outputs` weighted by `diffs`, which makes `diffs` the gradients that come in.
Dual Weighted(const std::vector<Mat<Dual>>& outputs, const std::vector<Mat<double>>& diffs) {
  Dual loss(0.0);
  for (size_t i = 0; i < diffs.size(); ++i) {
    for (Dim k = 0; k < diffs[i].size(); ++k) {
      // As a Dual: an expression must have derivatives, and an output beyond a row's length has none.
      const Dual term = outputs[i](k) * Dual(diffs[i](k));
      loss += term;
    }
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
  // Of a problem whose rows are all without steps the loss is a constant.
  return loss.derivatives().size() == 0 ? Eigen::VectorXd::Zero(counter.count()).eval() : loss.derivatives();
}

struct Recorder : NoHook {
  explicit Recorder(StackShape s) : shape(s), steps(s.NumStacks() * s.n_iter) {}
  SavedStep<Plain>& At(const StepIndex& i) { return steps[shape.At(i.layer, i.dir) * shape.n_iter + i.time]; }
  void AfterStep(const StepIndex& index, const CellInput<Plain>& in, CellResult<Plain>* out) { At(index) = {in, *out}; }
  StackShape shape;
  std::vector<SavedStep<Plain>> steps;
};

// Gradients in the order in which Seeder meets their inputs, with their names in a failure.
struct FlatGradient {
  std::vector<double> values;
  std::vector<std::string> names;  // "dW_u[0,3] of l=0 d=1"

  void Append(const std::string& name, const Mat<double>& m, const std::string& where) {
    for (Dim col = 0; col < m.cols(); ++col) {
      for (Dim row = 0; row < m.rows(); ++row) {
        values.push_back(m(row, col));
        names.push_back(name + "[" + std::to_string(row) + "," + std::to_string(col) + "] of " + where);
      }
    }
  }
  void AppendSequence(const std::string& name, const std::vector<Mat<double>>& matrices) {
    for (size_t t = 0; t < matrices.size(); ++t) Append(name, matrices[t], "t=" + std::to_string(t));
  }
  void AppendStates(const std::string& name, const std::vector<Mat<double>>& matrices, Dim n_dir) {
    for (size_t i = 0; i < matrices.size(); ++i) Append(name, matrices[i], StackName(i, n_dir));
  }
  void AppendGates(const RnnProblem& problem, const ParameterGradients<Plain>& grad, const std::string& where) {
    const auto append = [&](const char* letter, const std::vector<Mat<double>>& gates, const auto& subscript) {
      for (size_t gate = 0; gate < gates.size(); ++gate) Append(letter + subscript(gate), gates[gate], where);
    };
    const auto of_gate = [&](size_t gate) { return GateSubscript(problem.cell, gate); };
    append("dW", grad.W, of_gate);
    append("dU", grad.U, of_gate);
    append("dB", grad.B, of_gate);
    append("dP", grad.P, [&](size_t place) { return PeepholeSubscript(problem.cell, place); });
    append("dR", grad.R, [](size_t) { return std::string(); });
    append("dg", grad.norm_gain, [](size_t norm) { return "_" + std::to_string(norm); });
    append("db", grad.norm_offset, [](size_t norm) { return "_" + std::to_string(norm); });
  }
  static std::string StackName(size_t index, Dim n_dir) {
    const Dim i = static_cast<Dim>(index);
    return "l=" + std::to_string(i / n_dir) + " d=" + std::to_string(i % n_dir);
  }
};

FlatGradient GradientByHand(const BoundProblem& bound) {
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
  FlatGradient flat;
  flat.AppendSequence("diff_src_layer", out.diff_src_layer);
  if (bound.problem.Has(kSrcIter)) flat.AppendStates("diff_src_iter", out.diff_src_iter, in.shape.n_dir);
  if (bound.problem.Has(kSrcIterC)) flat.AppendStates("diff_src_iter_c", out.diff_src_iter_c, in.shape.n_dir);
  flat.AppendSequence("diff_augru_attention", out.diff_augru_attention);
  for (size_t i = 0; i < weights.size(); ++i) {
    flat.AppendGates(bound.problem, weights[i], FlatGradient::StackName(i, in.shape.n_dir));
  }
  return flat;
}

void ExpectEqualGradients(TestCase* test, const std::string& description) {
  SCOPED_TRACE(description);
  const RnnBuffers buffers = test->Buffers();
  const BoundProblem bound = {test->problem, buffers};
  const Eigen::VectorXd expected = GradientByAutoDiff(bound);
  const FlatGradient found = GradientByHand(bound);
  ASSERT_EQ(static_cast<Dim>(found.values.size()), expected.size());
  for (Dim i = 0; i < expected.size(); ++i) {
    const double error = std::abs(found.values[i] - expected[i]);
    ASSERT_LE(error, kRelative * std::abs(expected[i]) + kNoise)
        << found.names[i] << ": by hand " << found.values[i] << ", by automatic differentiation " << expected[i];
  }
}

TEST(Backward, IsTheGradientOfForward) {
  ForEachRandomCase(Propagation::kBackward, DataType::kF32, 40, ExpectEqualGradients);
}

TEST(Backward, IsTheGradientOfForwardForEachFunctionOfGates) {
  ForEachRandomCase(Propagation::kBackward, DataType::kF32, 8, ExpectEqualGradients, GateVariants());
}

TEST(Backward, IsTheGradientOfForwardThroughNorms) {
  ForEachRandomCase(Propagation::kBackward, DataType::kF32, 8, ExpectEqualGradients, NormalizedVariants());
}

TEST(Backward, IsTheGradientOfForwardWithMasksAndLengths) {
  uint32_t number = 0;
  const auto check = [&](TestCase* given, const std::string& description) {
    TestCase test = WithMasks(*given, number++);
    ExpectEqualGradients(&test, description + ", number " + std::to_string(number - 1) + ", masks " +
                                    std::to_string(test.problem.attr.rnn_masks));
  };
  ForEachRandomCase(Propagation::kBackward, DataType::kF32, 16, check);
  ForEachRandomCase(Propagation::kBackward, DataType::kF32, 4, check, GateVariants());
  std::vector<Variant> normalized = NormalizedVariants();
  ForEachRandomCase(Propagation::kBackward, DataType::kF32, 4, check, normalized);
  for (Variant& variant : normalized) {
    variant.gates.clip = 0.75f;
    if (HasActivation(variant.cell)) continue;
    variant.gates.recurrent = {Activation::kHardSigmoid, 0.3f, 0.5f};
    variant.gates.candidate = {Activation::kSoftsign};
  }
  ForEachRandomCase(Propagation::kBackward, DataType::kF32, 4, check, normalized);
}

}  // namespace
}  // namespace reference
}  // namespace tandem
