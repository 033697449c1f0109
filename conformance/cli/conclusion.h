// This is the last line of a run, and its exit code.
#ifndef TANDEM_CONFORMANCE_CLI_CONCLUSION_H_
#define TANDEM_CONFORMANCE_CLI_CONCLUSION_H_

#include <string>
#include <vector>

#include "conformance/judge/campaign.h"

namespace tandem::conformance {

// Prints the conclusion of a run on one or more implementations; `report` is the directory of its reports. With a
// profile the exit code is that of the profile alone.
int Conclude(const std::vector<CampaignResult>& results, const Profile* profile, const std::string& report);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_CLI_CONCLUSION_H_
