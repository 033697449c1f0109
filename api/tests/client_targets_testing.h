// The targets on which the tests of a client run.
#ifndef TANDEM_API_TESTS_CLIENT_TARGETS_TESTING_H_
#define TANDEM_API_TESTS_CLIENT_TARGETS_TESTING_H_

#include <string>
#include <vector>

#include "api/core/targets_testing.h"
#include "api/tests/rnn_client_testing.h"

namespace tandem {
namespace testing {

inline std::vector<std::string> TargetsOfThisMachine() {
  const ForcedTarget none("?");
  try {
    Forward(RnnCase(), dnnl::prop_kind::forward_inference);
  } catch (const dnnl::error& error) {
    return TargetsNamedIn(error.what());
  }
  return {};
}

// The parameters of a suite of clients' tests: INSTANTIATE_TEST_SUITE_P(Targets, Suite, ClientTargets(), NameOfTarget).
inline auto ClientTargets() { return ::testing::ValuesIn(TargetsThatDiffer(TargetsOfThisMachine())); }

}  // namespace testing
}  // namespace tandem

#endif  // TANDEM_API_TESTS_CLIENT_TARGETS_TESTING_H_
