// The oracle of layer normalization: accepts the reference and an LSTM of TorchScript's kind in plain double, sees one-pass
// variances, and its bounds stay narrow enough to tell.
#include "reference/numerics/layer_norm.h"

#include <gtest/gtest.h>

#include <cmath>

#include "conformance/judge/verdict/compare.h"
#include "conformance/judge/verdict/location.h"
#include "conformance/oracle/bounded_numerics.h"
#include "conformance/oracle/oracle.h"
#include "conformance/problem/generator.h"
#include "conformance/problem/problem_notation.h"
#include "conformance/problem/random/random_problem.h"
#include "conformance/tests/in_process.h"
#include "reference/backend.h"

namespace tandem::conformance {
namespace {

struct Case {
  explicit Case(const ProblemSpec& s) : spec(s), problem(ToRnnProblem(s)), inputs(problem), got(problem) {
    FillInputs(spec, problem, &inputs);
    got = inputs;
  }
  ProblemReport Judge() const {
    OracleOptions options;
    options.forced = &got;
    return CompareAll(problem, RunOracle(problem, inputs, options), got);
  }
  ProblemSpec spec;
  RnnProblem problem;
  TensorSet inputs, got;
};

TEST(NormOracle, AcceptsTheReference) {
  ProblemScope scope;
  scope.configs = {Config::kF32, Config::kBf16, Config::kF16f32};
  scope.norms_one_in = 1;
  size_t normalized = 0, elements = 0, vacuous = 0;
  for (uint64_t i = 0; i < 400; ++i) {
    Case c(RandomProblem(scope, 20261129, i));
    if (!c.spec.norm.given()) continue;
    ++normalized;
    EXPECT_EQ(InProcess(reference::CreateRnn)(c.problem, &c.got).status, RunStatus::kOk);
    for (const TensorReport& row : c.Judge().rows) {
      EXPECT_LT(row.outcome.verdict(), Verdict::kFail) << "replay: " << PrintProblem(c.spec) << "\n"
                                                       << ToString(row, c.problem.cell);
      elements += row.stats.elements;
      vacuous += row.stats.vacuous;
    }
  }
  std::printf("%zu problems with norms, %zu of %zu elements vacuous\n", normalized, vacuous, elements);
  EXPECT_GT(normalized, 150u);
  EXPECT_LT(vacuous, elements / 20);
}

using Numbers = std::vector<double>;

double Sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

// torch.nn.LayerNorm over all of v.
Numbers LayerNormOf(const Numbers& v, double epsilon, const TensorSet& in, Dim place, Dim channels) {
  double mean = 0, variance = 0;
  for (const double x : v) mean += x / static_cast<double>(v.size());
  for (const double x : v) variance += (x - mean) * (x - mean) / static_cast<double>(v.size());
  Numbers y;
  for (size_t i = 0; i < v.size(); ++i) {
    const size_t at = static_cast<size_t>(place * channels) + i;
    y.push_back((v[i] - mean) / std::sqrt(variance + epsilon) * in[kNormGain].Get(at) + in[kNormOffset].Get(at));
  }
  return y;
}

// W [inputs, gates of a layer and direction] of dims {1, 1, inputs, 4, channels}.
Numbers Product(const TensorBuffer& w, const Numbers& x, size_t wide) {
  Numbers y(wide, 0);
  for (size_t k = 0; k < x.size(); ++k) {
    for (size_t i = 0; i < wide; ++i) y[i] += w.Get(k * wide + i) * x[k];
  }
  return y;
}

// One layer, left2right. All states stay double between the steps.
void RunScriptedLstm(const RnnProblem& p, TensorSet* tensors) {
  const TensorSet& in = *tensors;
  const size_t dhc = static_cast<size_t>(p.dhc), wide = 4 * dhc;
  const double epsilon = p.attr.rnn_layer_norm.epsilon;
  const auto row = [&](Tensor t, size_t first, size_t count) {
    Numbers values;
    for (size_t i = 0; i < count; ++i) values.push_back(in[t].Get(first * count + i));
    return values;
  };
  for (size_t n = 0; n < static_cast<size_t>(p.mb); ++n) {
    Numbers h = row(kSrcIter, n, dhc), c = row(kSrcIterC, n, dhc);
    for (size_t t = 0; t < static_cast<size_t>(p.n_iter); ++t) {
      const size_t at = t * static_cast<size_t>(p.mb) + n;
      const Numbers x = row(kSrcLayer, at, static_cast<size_t>(p.slc));
      const Numbers of_x = LayerNormOf(Product(in[kWeightsLayer], x, wide), epsilon, in, 0, p.dhc);
      const Numbers of_h = LayerNormOf(Product(in[kWeightsIter], h, wide), epsilon, in, 4, p.dhc);
      const auto a = [&](size_t gate, size_t o) {
        const size_t i = gate * dhc + o;
        return of_x[i] + of_h[i] + in[kBias].Get(i);
      };
      for (size_t o = 0; o < dhc; ++o) c[o] = Sigmoid(a(1, o)) * c[o] + Sigmoid(a(0, o)) * std::tanh(a(2, o));
      c = LayerNormOf(c, epsilon, in, 8, p.dhc);
      for (size_t o = 0; o < dhc; ++o) {
        h[o] = Sigmoid(a(3, o)) * std::tanh(c[o]);
        (*tensors)[kDstLayer].Set(at * dhc + o, h[o]);
      }
    }
    for (size_t o = 0; o < dhc; ++o) {
      (*tensors)[kDstIter].Set(n * dhc + o, h[o]);
      (*tensors)[kDstIterC].Set(n * dhc + o, c[o]);
    }
  }
}

TEST(NormOracle, AcceptsTheScriptedLstmInDouble) {
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    ProblemSpec spec = ParseProblem("--alg=VANILLA_LSTM --norm=parts:row:state l1t4mb3slc7dhc9sic9");
    spec.seed = seed;
    Case c(spec);
    RunScriptedLstm(c.problem, &c.got);
    const ProblemReport report = c.Judge();
    for (const TensorReport& row : report.rows) {
      EXPECT_EQ(row.outcome.verdict(), Verdict::kPass) << seed << " " << ToString(row, c.problem.cell);
    }
    // The norm of TensorFlow's: of each gate.
    c.problem.attr.rnn_layer_norm.scope = NormScope::kGate;
    const ProblemReport other = c.Judge();
    EXPECT_EQ(other.rows[0].outcome.verdict(), Verdict::kFail) << seed;
  }
}

TEST(NormLocation, HasTheNumberOfTheNorm) {
  const RnnProblem p =
      ToRnnProblem(ParseProblem("--alg=VANILLA_LSTM --norm=parts:row:state --prop=BWD_DW l2t1mb1sic3"));
  EXPECT_EQ(ToString(Locate(p, kDiffNormGain, (9 + 8) * 3 + 1), p.cell), "l=1 d=0 norm=8 unit=1");
  EXPECT_EQ(ToString(Locate(p, kDiffBias, 4), p.cell), "l=0 d=0 gate=f unit=1");
}

// Of v with bounds, every choice of numbers within them gives a norm within the bounds of its own.
TEST(BoundedNorm, EnclosesTheNormsOfAllNumbersInside) {
  const RnnProblem problem = ToRnnProblem(ParseProblem("--norm=sum l1t1mb1sic4"));
  const BoundedNumerics num(problem, Declaration());
  const reference::ExactNumerics<double> exact;
  for (const double mean : {0., 1., 300.}) {
    for (const double error : {0., 1e-6, 1e-3}) {
      for (const double epsilon : {1e-5, 0.25}) {
        DoubleMat v(5, 1);
        v << 0.25, -0.5, 1, 0.125, -0.75;
        v += mean;
        BoundedMat bounded(5, 1);
        for (Dim i = 0; i < 5; ++i) bounded(i) = Bounded::WithError(v(i), error).In(&num.arithmetic());
        const BoundedMat found = reference::Normalize(num, bounded, epsilon).v_hat;
        for (int signs = 0; signs < 32; ++signs) {
          DoubleMat other = v;
          for (Dim i = 0; i < 5; ++i) other(i) += (signs >> i & 1) != 0 ? error : -error;
          const DoubleMat norm = reference::Normalize(exact, other, epsilon).v_hat;
          for (Dim i = 0; i < 5; ++i) {
            EXPECT_LE(std::fabs(norm(i) - found(i).value()), found(i).error()) << mean << " " << error << " " << i;
          }
        }
        // Not far more: error / root for the number, as much for the others, and their sum through the root.
        const double root = std::sqrt(0.4 + epsilon);
        const double rounding = 40 * kUnitF32 * (mean + 1);
        for (Dim i = 0; i < 5; ++i) EXPECT_LE(found(i).error(), 5 * (error + rounding) / root) << mean << " " << error;
      }
    }
  }
}

TEST(BoundedNorm, OneNumberIsItsMean) {
  const RnnProblem problem = ToRnnProblem(ParseProblem("--norm=sum l1t1mb1sic4"));
  const BoundedNumerics num(problem, Declaration());
  const BoundedMat one = BoundedMat::Constant(1, 1, Bounded::WithError(1e6, 1e3));
  const BoundedMat found = reference::Normalize(num, one, 1e-5).v_hat;
  EXPECT_EQ(found(0).value(), 0);
  EXPECT_LT(found(0).error(), 1e-30);
}

TEST(BoundedNorm, NoNumberIsBeyondTheRootOfTheirCount) {
  const RnnProblem problem = ToRnnProblem(ParseProblem("--norm=sum l1t1mb1sic4"));
  const BoundedNumerics num(problem, Declaration());
  BoundedMat v(4, 1);
  for (Dim i = 0; i < 4; ++i) v(i) = Bounded::WithError(static_cast<double>(i), 100);  // nothing is known
  const BoundedMat found = reference::Normalize(num, v, 1e-5).v_hat;
  for (Dim i = 0; i < 4; ++i) {
    EXPECT_TRUE(found(i).known());
    EXPECT_LT(found(i).hi(), 2 * std::fabs(found(i).value()) + 2.001);
  }
}

// A NaN, or an infinity, makes NaN of all that have a mean with it; an overflow makes nothing known.
TEST(BoundedNorm, OfNumbersThatAreNotFiniteAllAreNan) {
  const RnnProblem problem = ToRnnProblem(ParseProblem("--norm=sum l1t1mb1sic4"));
  const BoundedNumerics num(problem, Declaration());
  for (const double special : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    BoundedMat v = BoundedMat::Constant(3, 2, Bounded(1));
    v(1, 0) = Bounded(special);
    v(2, 1) = Bounded(2);
    const BoundedMat found = reference::Normalize(num, v, 1e-5).v_hat;
    for (Dim i = 0; i < 3; ++i) {
      EXPECT_TRUE(found(i, 0).is_nan());
      EXPECT_TRUE(std::isfinite(found(i, 1).value()) && found(i, 1).known());
    }
  }
  BoundedMat large = BoundedMat::Constant(3, 1, Bounded(1e30));
  large(0) = Bounded(-1e30);
  const BoundedMat found = reference::Normalize(num, large, 1e-5).v_hat;
  for (Dim i = 0; i < 3; ++i) EXPECT_FALSE(found(i).known()) << "the squares are beyond f32";
}

}  // namespace
}  // namespace tandem::conformance
