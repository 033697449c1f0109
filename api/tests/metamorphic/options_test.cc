// Optional tensors with neutral values equal absent ones, for every implementation and type; all
// bit for bit, as adding 0 and multiplying by 1 are exact.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "api/tests/client_targets_testing.h"
#include "api/tests/metamorphic/random_rnn_testing.h"

namespace tandem {
namespace testing {
namespace {

using dnnl::algorithm;

RandomOptions Only(std::vector<algorithm> cells) {
  RandomOptions options;
  options.cells = std::move(cells);
  return options;
}

std::vector<float> Zeros(const RnnCase& rnn, int arg) { return std::vector<float>(CountOf(rnn.Dims(arg)), 0.f); }

// `with` on `inputs` equals `without` on those of the inputs that it has.
void ExpectSame(const RnnCase& with, const RnnCase& without, const Tensors& inputs) {
  Tensors fewer;
  for (const int arg : InputsOf(without)) fewer[arg] = inputs.at(arg);
  ForEachForward(with, [&](const dnnl::primitive_desc& pd) {
    const auto other = SameImplementation(pd, without, dnnl::prop_kind::forward_inference);
    const Tensors want = testing::Run(without, other, fewer);
    const Tensors got = testing::Run(with, pd, inputs);
    for (const auto& tensor : want) {
      ExpectEqual({{tensor.first, got.at(tensor.first)}}, {tensor});
    }
  });
}

class Options : public OnEachTarget {};
INSTANTIATE_TEST_SUITE_P(Targets, Options, ClientTargets(), NameOfTarget);

TEST_P(Options, ZeroPeepholeEqualsNone) {
  EXPECT_TRUE(rc::check([] {
    RnnCase with = ArbitraryCase(Only({algorithm::vanilla_lstm}));
    with.peephole = true;
    RnnCase without = with;
    without.peephole = false;
    Tensors inputs = RandomInputs(with);
    inputs[DNNL_ARG_WEIGHTS_PEEPHOLE] = Zeros(with, DNNL_ARG_WEIGHTS_PEEPHOLE);
    ExpectSame(with, without, inputs);
  }));
}

TEST_P(Options, IdentityProjectionEqualsNone) {
  EXPECT_TRUE(rc::check([] {
    RnnCase with = ArbitraryCase(Only({algorithm::vanilla_lstm}));
    with.dic = with.dhc;
    if (with.layers > 1) with.slc = with.dhc;
    RnnCase without = with;
    without.dic = 0;
    Tensors inputs = RandomInputs(with);
    auto& projection = inputs[DNNL_ARG_WEIGHTS_PROJECTION] = Zeros(with, DNNL_ARG_WEIGHTS_PROJECTION);
    // (l, d, dhc, dic): ones where the last two indices are equal.
    for (size_t i = 0; i < projection.size(); ++i) {
      if (i / with.dic % with.dhc == i % with.dic) projection[i] = 1.f;
    }
    ExpectSame(with, without, inputs);
  }));
}

TEST_P(Options, ZeroAttentionMakesAnAugruAGru) {
  EXPECT_TRUE(rc::check([] {
    const RnnCase with = ArbitraryCase(Only({algorithm::vanilla_augru, algorithm::lbr_augru}));
    RnnCase without = with;
    without.cell = with.cell == algorithm::vanilla_augru ? algorithm::vanilla_gru : algorithm::lbr_gru;
    Tensors inputs = RandomInputs(with);
    inputs[DNNL_ARG_AUGRU_ATTENTION] = Zeros(with, DNNL_ARG_AUGRU_ATTENTION);
    ExpectSame(with, without, inputs);
  }));
}

TEST_P(Options, AbsentBiasEqualsZeros) {
  EXPECT_TRUE(rc::check([] {
    RnnCase with = ArbitraryCase();
    with.bias = true;
    RnnCase without = with;
    without.bias = false;
    Tensors inputs = RandomInputs(with);
    inputs[DNNL_ARG_BIAS] = Zeros(with, DNNL_ARG_BIAS);
    ExpectSame(with, without, inputs);
  }));
}

TEST_P(Options, AbsentStatesEqualZeros) {
  EXPECT_TRUE(rc::check([] {
    RnnCase with = ArbitraryCase();
    with.iter = true;
    RnnCase without = with;
    without.iter = false;
    Tensors inputs = RandomInputs(with);
    inputs[DNNL_ARG_SRC_ITER] = Zeros(with, DNNL_ARG_SRC_ITER);
    if (with.IsLstm()) inputs[DNNL_ARG_SRC_ITER_C] = Zeros(with, DNNL_ARG_SRC_ITER_C);
    ExpectSame(with, without, inputs);
  }));
}

TEST_P(Options, TrainingGivesTheOutputsOfInference) {
  EXPECT_TRUE(rc::check([] {
    const RnnCase rnn = ArbitraryCase();
    const Tensors inputs = RandomInputs(rnn);
    const auto prop = dnnl::prop_kind::forward_training;
    ForEachForward(
        rnn,
        [&](const dnnl::primitive_desc& training) {
          const auto inference = SameImplementation(training, rnn, dnnl::prop_kind::forward_inference);
          std::unordered_map<int, dnnl::memory> arguments;
          for (const int arg : InputsOf(rnn)) {
            const auto md = training.query_md(dnnl::query::exec_arg_md, arg);
            arguments.emplace(arg, ToMemory(inputs.at(arg), rnn.Dims(arg), md));
          }
          for (const int arg : OutputsOf(rnn)) {
            arguments.emplace(arg, dnnl::memory(training.query_md(dnnl::query::exec_arg_md, arg), Cpu()));
          }
          arguments.emplace(DNNL_ARG_WORKSPACE, dnnl::memory(training.workspace_desc(), Cpu()));
          dnnl::stream stream(Cpu());
          dnnl::primitive(training).execute(stream, arguments);
          Tensors got;
          for (const int arg : OutputsOf(rnn)) got[arg] = ToValues(arguments.at(arg));
          ExpectEqual(got, testing::Run(rnn, inference, inputs));
        },
        prop);
  }));
}

}  // namespace
}  // namespace testing
}  // namespace tandem
