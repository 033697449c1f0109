// These functions compare two reports, for those who judge each version of a library.
#ifndef TANDEM_CONFORMANCE_PAGES_COMPARE_H_
#define TANDEM_CONFORMANCE_PAGES_COMPARE_H_

#include <string>
#include <vector>

#include "conformance/judge/campaign.h"

namespace tandem::conformance {

struct Change {
  std::string subject;        // a problem, a profile, or the random problems of a group
  std::string before, after;  // "PASS"; empty: the report does not have it
  std::string replay;         // the line that runs the problem again; empty if it is none
};

// The comparison is about one implementation. A verdict gets worse from pass to VACUOUS to NOT_SUPPORTED to a complaint, and
// from FAIL to CRASH. A complaint that becomes a known departure is explained, and a pass that becomes one is no regression.
struct Comparison {
  std::string implementation, versions;  // "vendor", "1.0 -> 1.1"
  std::vector<Change> regressions, mended, explained, added, gone;
  std::vector<Change> slower;      // half as slow again, and by half a second: the judge's time is in it
  std::vector<std::string> notes;  // parts of the reports that could not be compared
};

// Compares implementations of the same name, in the order of `after`. Those that only one report has are a note of the first.
std::vector<Comparison> Compare(const std::vector<CampaignResult>& before, const std::vector<CampaignResult>& after);

// Returns the lists, with their lengths in the last line.
std::string ComparisonText(const Comparison& comparison);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_PAGES_COMPARE_H_
