// These functions read the files of --known and those that come with Tandem, and write that of --write-known.
#ifndef TANDEM_CONFORMANCE_CLI_RUNS_KNOWN_FILES_H_
#define TANDEM_CONFORMANCE_CLI_RUNS_KNOWN_FILES_H_

#include <string>

#include "conformance/judge/campaign.h"

namespace tandem::conformance {

// Returns the known departures of this implementation and version on its CPU. `given` is the value of --known, a file or
// "none". If it is empty, the file that comes with Tandem counts, if there is one.
KnownDepartures KnownOf(const Plugin& plugin, const std::string& given);

// Writes the file of --write-known: the earlier known departures, then the run's complaints. Throws UsageError if it cannot.
void WriteKnown(const std::string& path, const std::string& given, const CampaignResult& result);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_CLI_RUNS_KNOWN_FILES_H_
