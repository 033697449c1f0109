// The numbers that TANDEM_TUNING replaces decide about time alone: results keep their bits.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdlib>
#include <string>

#include "api/core/environment_testing.h"
#include "api/tests/client_targets_testing.h"
#include "api/tests/metamorphic/random_rnn_testing.h"

namespace tandem {
namespace testing {
namespace {

constexpr int kDiff = DNNL_ARG_DIFF_SRC_0 - DNNL_ARG_SRC_0;

// One number at its least or most, or in between.
std::string ArbitraryNumbers() {
  return *rc::gen::elementOf(std::vector<std::string>{
      "chunk_rows=1", "chunk_rows=3", "chunk_rows=65536", "most_input_k=0", "most_input_k=100000,input_k_per_row=65536",
      "panels_beside_rows=0", "panels_beside_rows=1024", "resident_l2=0", "resident_l2=16",
      "least_l3_bytes=0,most_l3_bytes=1073741824", "product_rows=8", "product_rows=24", "product_rows=65536",
      "region=0,barrier=0", "region=1e9", "barrier=1e9,region=0", "l2_bytes_per_cycle=0.01,region=0",
      "l3_bytes_per_cycle=1e4,divided_units=0.01,region=0"});
}

class Tuning : public OnEachTarget {};
INSTANTIATE_TEST_SUITE_P(Targets, Tuning, ClientTargets(), NameOfTarget);

TEST_P(Tuning, ChangesNoBitOfTrainingAndInference) {
  EXPECT_TRUE(rc::check([] {
    const RnnCase rnn = ArbitraryCase();
    Tensors inputs = RandomInputs(rnn);
    for (const int arg : OutputsOf(rnn)) inputs[arg + kDiff] = RandomValues(CountOf(rnn.Dims(arg)), 1.f);
    const std::string numbers = ArbitraryNumbers();
    RC_LOG() << numbers;
    ForEachForward(
        rnn,
        [&](const dnnl::primitive_desc& pd) {
          const Tensors want = Train(rnn, pd, inputs);
          const ScopedVariable tuned("TANDEM_TUNING", numbers);
          ExpectEqual(Train(rnn, SameImplementation(pd, rnn, dnnl::prop_kind::forward_training), inputs), want);
        },
        dnnl::prop_kind::forward_training);
  }));
}

}  // namespace
}  // namespace testing
}  // namespace tandem
