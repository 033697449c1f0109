// Bidirectional runs against two unidirectional ones, for every implementation, cell and type.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>

#include "api/core/float16.h"
#include "api/tests/client_targets_testing.h"
#include "api/tests/metamorphic/random_rnn_testing.h"

namespace tandem {
namespace testing {
namespace {

using dnnl::memory;
using dnnl::rnn_direction;

RandomOptions Only(rnn_direction direction) {
  RandomOptions options;
  options.cells = {dnnl::algorithm::vanilla_rnn, dnnl::algorithm::vanilla_lstm, dnnl::algorithm::vanilla_gru,
                   dnnl::algorithm::lbr_gru};
  options.directions = {direction};
  return options;
}

// The dim "direction" of every tensor that has one: (l, d, ...).
constexpr size_t kDirectionDim = 1;

bool HasDirections(int arg) { return arg != DNNL_ARG_SRC_LAYER && arg != DNNL_ARG_DST_LAYER; }

// Direction `index` of a bidirectional problem, run on its own.
Tensors RunOne(const RnnCase& both, const dnnl::primitive_desc& pd, const Tensors& inputs, size_t index) {
  RnnCase one = both;
  one.direction = index == 0 ? rnn_direction::unidirectional_left2right : rnn_direction::unidirectional_right2left;
  Tensors its_inputs = inputs;
  for (auto& tensor : its_inputs) {
    if (!HasDirections(tensor.first)) continue;
    tensor.second = Gather(tensor.second, both.Dims(tensor.first), kDirectionDim, {index});
  }
  return testing::Run(one, SameImplementation(pd, one, dnnl::prop_kind::forward_inference), its_inputs);
}

void ExpectStates(const RnnCase& both, const Tensors& got, const Tensors& one, size_t index) {
  for (const int arg : {DNNL_ARG_DST_ITER, DNNL_ARG_DST_ITER_C}) {
    if (got.count(arg) == 0) continue;
    ExpectEqual({{arg, Gather(got.at(arg), both.Dims(arg), kDirectionDim, {index})}}, {{arg, one.at(arg)}});
  }
}

class Direction : public OnEachTarget {};
INSTANTIATE_TEST_SUITE_P(Targets, Direction, ClientTargets(), NameOfTarget);

TEST_P(Direction, ConcatIsTheTwoUnidirectionalRunsSideBySide) {
  EXPECT_TRUE(rc::check([] {
    const RnnCase both = ArbitraryCase(Only(rnn_direction::bidirectional_concat));
    const Tensors inputs = RandomInputs(both);
    ForEachForward(both, [&](const dnnl::primitive_desc& pd) {
      const Tensors got = testing::Run(both, pd, inputs);
      const memory::dims dims = both.Dims(DNNL_ARG_DST_LAYER);
      const size_t half = dims[2] / 2;
      for (const size_t index : {0, 1}) {
        const Tensors one = RunOne(both, pd, inputs, index);
        const auto channels = Range(index * half, (index + 1) * half);
        ExpectEqual({{DNNL_ARG_DST_LAYER, Gather(got.at(DNNL_ARG_DST_LAYER), dims, 2, channels)}},
                    {{DNNL_ARG_DST_LAYER, one.at(DNNL_ARG_DST_LAYER)}});
        ExpectStates(both, got, one, index);
      }
    });
  }));
}

// Half a unit in the last place of numbers up to 2^e, as a multiple of 2^e.
double HalfUlp(memory::data_type type) {
  if (type == memory::data_type::bf16) return std::ldexp(1., -8);
  return std::ldexp(1., type == memory::data_type::f16 ? -11 : -24);
}

// The unidirectional runs show l and r rounded to l(1 + d1) and r(1 + d2); the sum may be made of
// the rounded or the exact addends and is rounded once: |s - (l + r)| <= u(|l| + |r|) + u|s|, u half
// an ulp. Numbers below the smallest normal one are off by at most half its ulp each instead.
double SumBound(memory::data_type type, double left, double right, double sum) {
  const double smallest = std::ldexp(1., type == memory::data_type::f16 ? -14 : -126);
  const auto term = [&](double x) { return HalfUlp(type) * std::max(std::fabs(x), smallest); };
  // The values seen are themselves off by a factor 1 + u: second order, covered by 1 + 4u.
  return (term(left) + term(right) + term(sum)) * (1 + 4 * HalfUlp(type));
}

TEST_P(Direction, SumIsTheSumOfTheTwoUnidirectionalRuns) {
  EXPECT_TRUE(rc::check([] {
    const RnnCase both = ArbitraryCase(Only(rnn_direction::bidirectional_sum));
    const Tensors inputs = RandomInputs(both);
    ForEachForward(both, [&](const dnnl::primitive_desc& pd) {
      const Tensors got = testing::Run(both, pd, inputs);
      const Tensors left = RunOne(both, pd, inputs, 0), right = RunOne(both, pd, inputs, 1);
      ExpectStates(both, got, left, 0);
      ExpectStates(both, got, right, 1);
      const auto& sums = got.at(DNNL_ARG_DST_LAYER);
      for (size_t i = 0; i < sums.size(); ++i) {
        const double l = left.at(DNNL_ARG_DST_LAYER)[i], r = right.at(DNNL_ARG_DST_LAYER)[i];
        RC_ASSERT(std::fabs(sums[i] - (l + r)) <= SumBound(both.type, l, r, sums[i]));
      }
    });
  }));
}

}  // namespace
}  // namespace testing
}  // namespace tandem
