// A group has what its complaints have in common: features of their problems (pairs.h), from a decision list, and facts about
// the place of the first wrong element. One failure takes one line.
#ifndef TANDEM_CONFORMANCE_PAGES_COMPLAINT_GROUPS_H_
#define TANDEM_CONFORMANCE_PAGES_COMPLAINT_GROUPS_H_

#include <string>
#include <vector>

#include "conformance/judge/campaign.h"

namespace tandem::conformance {

struct ComplaintGroup {
  // "gru, N > 1": most judged problems with these features fail. Empty: no pair of features explains the group.
  std::string features;
  uint64_t judged = 0;  // problems with these features, those of other groups included
  uint64_t failed = 0;  // the failed ones of these
  // All complaints of the group have these facts, as "N % 8 = 1, first wrong in the last row". Empty: they share none.
  std::string common;
  std::vector<size_t> complaints;  // indices into CampaignResult::complaints
};

// Returns the groups, the largest first. A group without features comes last.
std::vector<ComplaintGroup> GroupComplaints(const CampaignResult& result);

// Returns for example "38 complaints: gru, N > 1 (38 of 40 judged fail); all: N % 8 = 1, first wrong in the last row".
std::string ToString(const ComplaintGroup& group);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_PAGES_COMPLAINT_GROUPS_H_
