// This function writes a run's findings as a file of known departures.
#ifndef TANDEM_CONFORMANCE_PAGES_WRITE_KNOWN_H_
#define TANDEM_CONFORMANCE_PAGES_WRITE_KNOWN_H_

#include <string>

#include "conformance/judge/campaign.h"

namespace tandem::conformance {

// Returns lines in the notation of known_departures.h, one for each complaint of the run. A line explains this problem with
// this verdict, and no other one. `known` is the text of a file that the run already had, or empty; it is kept. Throws
// std::runtime_error if the implementation has a name or a version that the notation cannot have.
std::string KnownDeparturesText(const CampaignResult& result, const std::string& known);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_PAGES_WRITE_KNOWN_H_
