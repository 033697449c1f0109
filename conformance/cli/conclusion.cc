#include "conformance/cli/conclusion.h"

#include <algorithm>

#include "conformance/cli/cli.h"
#include "conformance/cli/terminal.h"

namespace tandem::conformance {
namespace {

int ExitCodeOf(const CampaignResult& result) {
  if (!result.ok()) return result.departs_only_as_known() ? kExitKnownDepartures : kExitFails;
  return result.partial() ? kExitPartial : kExitConforms;
}

int ExitCodeOf(const CampaignResult& result, const Profile& profile) {
  const ProfileStatus status = StatusOf(profile, result.kinds);
  if (status.conforms()) return kExitConforms;
  // If there is no table, the implementation ended before the first problem.
  if (status.failed == 0 && !result.kinds.empty()) return kExitPartial;
  return result.departs_only_as_known() ? kExitKnownDepartures : kExitFails;
}

const char* InWords(int code) {
  switch (code) {
    case kExitConforms:
      return "all conform";
    case kExitPartial:
      return "nothing is wrong, but NOT everything was judged";
    case kExitKnownDepartures:
      return "NOT all conform, but every departure is a known one";
    default:
      return "NOT all conform";
  }
}

}  // namespace

int Conclude(const std::vector<CampaignResult>& results, const Profile* profile, const std::string& report) {
  // The order is from bad to good.
  constexpr int kOrder[] = {kExitFails, kExitKnownDepartures, kExitPartial, kExitConforms};
  std::vector<int> codes;
  for (const CampaignResult& result : results) {
    codes.push_back(profile != nullptr ? ExitCodeOf(result, *profile) : ExitCodeOf(result));
    if (profile == nullptr) continue;
    Print(result.implementation + " " + InWords({StatusOf(*profile, result.kinds)}) + "\n", stdout);
  }
  const bool interrupted = std::any_of(results.begin(), results.end(),
                                       [](const CampaignResult& result) { return !result.interrupted_by.empty(); });
  const int code = *std::find_first_of(std::begin(kOrder), std::end(kOrder), codes.begin(), codes.end());
  Print(std::string(interrupted ? "INTERRUPTED, the rest was not run: " : "") + InWords(code) + ": reports are in " +
            report + "/\n",
        stdout);
  return code;
}

}  // namespace tandem::conformance
