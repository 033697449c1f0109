// Files of known departures: those of --known, of --write-known, and those that come with Tandem.
#ifndef TANDEM_CONFORMANCE_CLI_RUNS_KNOWN_FILES_H_
#define TANDEM_CONFORMANCE_CLI_RUNS_KNOWN_FILES_H_

#include <string>

#include "conformance/judge/campaign.h"

namespace tandem::conformance {

// The departures that are known of this implementation and version on its CPU. `given`: the value of --known, a file or
// "none"; empty: the file that comes with Tandem, if there is one.
KnownDepartures KnownOf(const Plugin& plugin, const std::string& given);

// Writes the file of --write-known: what the run complained about, after what was known before. Throws UsageError if it cannot
// be written.
void WriteKnown(const std::string& path, const std::string& given, const CampaignResult& result);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_CLI_RUNS_KNOWN_FILES_H_
