// The results of a campaign's shards become the result of the campaign.
#ifndef TANDEM_CONFORMANCE_JUDGE_MERGE_H_
#define TANDEM_CONFORMANCE_JUDGE_MERGE_H_

#include <vector>

#include "conformance/judge/campaign.h"

namespace tandem::conformance {

// `shards` are the parts of one campaign on one implementation, in any order. The result is that of the campaign in one
// piece; `seconds` is the sum. Throws std::runtime_error if they are of different campaigns.
CampaignResult Merge(const std::vector<CampaignResult>& shards);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_JUDGE_MERGE_H_
