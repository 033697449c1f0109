// An implementation that rounds each operation's result to bf16 conforms with narrow_operations, and not without.
#include <gtest/gtest.h>

#include <cmath>

#include "conformance/oracle/oracle.h"
#include "conformance/problem/generator.h"
#include "conformance/problem/problem_notation.h"
#include "conformance/problem/random/random_problem.h"
#include "conformance/tests/every_cell.h"
#include "conformance/tests/values_in.h"

namespace tandem::conformance {

// This is a number of bf16.
class Bf16 {
 public:
  Bf16() = default;
  Bf16(double value) : value_(RoundToType(value, DataType::kBf16)) {}
  explicit operator double() const { return value_; }

  friend Bf16 operator+(const Bf16& a, const Bf16& b) { return a.value_ + b.value_; }
  friend Bf16 operator-(const Bf16& a, const Bf16& b) { return a.value_ - b.value_; }
  friend Bf16 operator*(const Bf16& a, const Bf16& b) { return a.value_ * b.value_; }
  friend Bf16 operator/(const Bf16& a, const Bf16& b) { return a.value_ / b.value_; }
  friend Bf16 operator-(const Bf16& a) { return -a.value_; }
  Bf16& operator+=(const Bf16& b) { return *this = *this + b; }
  friend bool operator>(const Bf16& a, const Bf16& b) { return a.value_ > b.value_; }
  friend bool operator<(const Bf16& a, const Bf16& b) { return a.value_ < b.value_; }
  friend bool operator<=(const Bf16& a, const Bf16& b) { return a.value_ <= b.value_; }
  friend Bf16 abs(const Bf16& a) { return std::fabs(a.value_); }
  friend Bf16 exp(const Bf16& a) { return std::exp(a.value_); }
  friend Bf16 log(const Bf16& a) { return std::log(a.value_); }
  friend Bf16 sqrt(const Bf16& a) { return std::sqrt(a.value_); }
  friend Bf16 tanh(const Bf16& a) { return std::tanh(a.value_); }

 private:
  double value_ = 0;
};

}  // namespace tandem::conformance

namespace Eigen {
template <>
struct NumTraits<tandem::conformance::Bf16> : GenericNumTraits<double> {
  using Real = tandem::conformance::Bf16;
  using NonInteger = tandem::conformance::Bf16;
  using Nested = tandem::conformance::Bf16;
};
}  // namespace Eigen

namespace tandem::conformance {
namespace {

// This policy computes operator by operator, as frameworks do without a fused cell. A product of matrices sums in double.
class OperatorByOperator : public reference::ExactNumerics<Bf16> {
 public:
  using Base = reference::ExactNumerics<Bf16>;

  static Mat Times(const Mat& a, const Mat& b) {
    return reference::Product<double>(a.cast<double>(), b.cast<double>()).cast<Bf16>();
  }
  Sum Dot(const WeightMatrix& w, const Mat& stored) const { return Times(w, stored); }
  Sum DotTransposed(const WeightMatrix& w, const Mat& delta) const { return Times(reference::Transposed(w), delta); }
  void AddOuter(const Mat& delta, const Mat& x, WeightGradient* dw) const {
    *dw += Times(delta, reference::Transposed(x));
  }
  void AddColumns(const Mat& delta, Mat* db) const { *db += Times(delta, Mat::Constant(delta.cols(), 1, Bf16(1))); }
  Mat Sigmoid(const Sum& a) const {
    return a.unaryExpr([](const Bf16& x) { return Bf16(reference::SigmoidOf(static_cast<double>(x))); });
  }
};

ProblemSpec SmallProblem(Cell cell, Propagation propagation, uint64_t index) {
  ProblemScope scope;
  scope.cells = {cell};
  scope.configs = {Config::kBf16};
  scope.propagations = {propagation};
  scope.max_channels = 9;
  scope.max_steps = 3;
  ProblemSpec spec = RandomProblem(scope, 23, index);
  // Infinite numbers and NaN have no rounding.
  if (spec.data == DataKind::kSpecial) spec.data = DataKind::kDense;
  spec.mb = std::min<Dim>(spec.mb, 3);
  return spec;
}

struct Tally {
  size_t elements = 0, outside = 0;
};

// Counts elements outside [lo, hi]; `replay` is the line of the first.
Tally Compare(const OracleResult& oracle, Values<Bf16> values, std::string* replay) {
  Tally tally;
  for (const OracleTensor& tensor : oracle.outputs) {
    const std::vector<Bf16>& got = values[tensor.tensor];
    for (size_t i = 0; i < got.size(); ++i) {
      if (tensor.cls[i] != ElementClass::kFinite) continue;
      ++tally.elements;
      const double y = static_cast<double>(got[i]);
      if (y >= tensor.lo[i] && y <= tensor.hi[i]) continue;
      if (tally.outside++ == 0) *replay = std::string(ToString(tensor.tensor)) + "[" + std::to_string(i) + "]";
    }
  }
  return tally;
}

class NarrowOperations : public testing::TestWithParam<std::tuple<Cell, Propagation>> {};

TEST_P(NarrowOperations, AreWithinTheBoundsWhereTheyAreDeclared) {
  const auto [cell, propagation] = GetParam();
  OracleOptions options;
  options.declared.narrow_operations = 1u << static_cast<int>(cell);
  options.declared.narrow_gradients = true;
  Tally without;
  for (uint64_t i = 0; i < 100; ++i) {
    const ProblemSpec spec = SmallProblem(cell, propagation, i);
    const RnnProblem problem = ToRnnProblem(spec);
    TensorSet inputs(problem);
    FillInputs(spec, problem, &inputs);
    const Values<Bf16> values = ValuesIn(OperatorByOperator(), problem, inputs);
    std::string at;
    ASSERT_EQ(Compare(RunOracle(problem, inputs, options), values, &at).outside, 0u)
        << at << " replay: " << PrintProblem(spec);
    const Tally plain = Compare(RunOracle(problem, inputs), values, &at);
    without.elements += plain.elements;
    without.outside += plain.outside;
  }
  EXPECT_GT(without.elements, 1000u);
  EXPECT_GT(without.outside, without.elements / 20);
}

INSTANTIATE_TEST_SUITE_P(EveryCell, NarrowOperations, EveryCellBothWays(), CellAndWay);

}  // namespace
}  // namespace tandem::conformance
