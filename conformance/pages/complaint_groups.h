// What complaints have in common: a decision list over the features of problems (pairs.h), and facts about the place of
// the first wrong element. One failure, one line.
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
  uint64_t failed = 0;  // of these
  // "N % 8 = 1, first wrong in the last row": true of all complaints of the group; empty: nothing is.
  std::string common;
  std::vector<size_t> complaints;  // indices into CampaignResult::complaints
};

// The largest first. A group without features comes last.
std::vector<ComplaintGroup> GroupComplaints(const CampaignResult& result);

// "38 complaints: gru, N > 1 (38 of 40 judged fail); all: N % 8 = 1, first wrong in the last row".
std::string ToString(const ComplaintGroup& group);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_PAGES_COMPLAINT_GROUPS_H_
