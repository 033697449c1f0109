// The targets on which the tests of a client run.
#ifndef TANDEM_API_TESTS_CLIENT_TARGETS_TESTING_H_
#define TANDEM_API_TESTS_CLIENT_TARGETS_TESTING_H_

#include <sstream>
#include <string>
#include <vector>

#include "api/core/targets_testing.h"
#include "api/tests/rnn_client_testing.h"

namespace tandem {
namespace testing {

// Returns them best first. The library lists them when it is asked for one that does not exist.
inline std::vector<std::string> TargetsOfThisMachine() {
  const ForcedTarget none("?");
  std::vector<std::string> targets;
  try {
    Forward(RnnCase(), dnnl::prop_kind::forward_inference);
  } catch (const dnnl::error& error) {
    const std::string message = error.what();
    std::istringstream names(message.substr(message.rfind(": ") + 1));
    for (std::string name; names >> name;) targets.push_back(name.substr(0, name.find(',')));
  }
  return targets;
}

// The parameters of a suite of clients' tests: INSTANTIATE_TEST_SUITE_P(Targets, Suite, ClientTargets(), NameOfTarget).
inline auto ClientTargets() { return ::testing::ValuesIn(TargetsThatDiffer(TargetsOfThisMachine())); }

}  // namespace testing
}  // namespace tandem

#endif  // TANDEM_API_TESTS_CLIENT_TARGETS_TESTING_H_
