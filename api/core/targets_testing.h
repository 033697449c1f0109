// Helps to test code that depends on the processor: each case runs once for each target whose code differs, also as on a
// machine that has AVX2 only.
//
//   class Time : public OnEachTarget {};
//   INSTANTIATE_TEST_SUITE_P(Targets, Time, ::testing::ValuesIn(TargetsThatDiffer(TargetsOfThisMachine())), NameOfTarget);
//   TEST_P(Time, IsShort) { ... }
//
// The name of a case ends with its target: Targets/Time.IsShort/AVX2.
#ifndef TANDEM_API_CORE_TARGETS_TESTING_H_
#define TANDEM_API_CORE_TARGETS_TESTING_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "api/core/environment_testing.h"

namespace tandem {

// TANDEM_TARGET is `name` while this object lives.
class ForcedTarget {
 public:
  explicit ForcedTarget(const std::string& name) : variable_("TANDEM_TARGET", name) {}

 private:
  const ScopedVariable variable_;
};

// The targets that the library names, best first, when it refuses a TANDEM_TARGET that it does not know.
inline std::vector<std::string> TargetsNamedIn(const std::string& refusal) {
  std::vector<std::string> targets;
  std::istringstream names(refusal.substr(refusal.rfind(": ") + 1));
  for (std::string name; names >> name;) targets.push_back(name.substr(0, name.find(',')));
  return targets;
}

// kYes adds the target that has AMX's tiles in plain C++. Every x86 machine can run it.
enum class EmulatedTiles { kNo, kYes };

// Chooses three of a machine's targets, which `all` has best first: the best one, AVX2, and one without FMA (SSE4, or SSE2
// in builds of few targets). Other architectures have no AVX2 and no SSE: there the best one stands alone.
inline std::vector<std::string> TargetsThatDiffer(const std::vector<std::string>& all,
                                                  EmulatedTiles tiles = EmulatedTiles::kNo) {
  std::vector<std::string> chosen;
  if (!all.empty()) chosen.push_back(all.front());
  const auto choose_first_of = [&](const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      if (std::find(all.begin(), all.end(), name) == all.end()) continue;
      if (std::find(chosen.begin(), chosen.end(), name) == chosen.end()) chosen.push_back(name);
      return;
    }
  };
  choose_first_of({"AVX2"});
  choose_first_of({"SSE4", "SSE2"});
  if (tiles == EmulatedTiles::kYes) choose_first_of({"AMX_EMULATED"});
  return chosen;
}

// The target of a case is in force from before its fixture's members are made until after they are destroyed.
class OnEachTarget : public ::testing::TestWithParam<std::string> {
 private:
  const ForcedTarget forced_{GetParam()};
};

inline std::string NameOfTarget(const ::testing::TestParamInfo<std::string>& info) { return info.param; }

}  // namespace tandem

#endif  // TANDEM_API_CORE_TARGETS_TESTING_H_
