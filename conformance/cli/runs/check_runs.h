// `tandem check` runs these one after the other: each implementation with each target and number of threads.
#ifndef TANDEM_CONFORMANCE_CLI_RUNS_CHECK_RUNS_H_
#define TANDEM_CONFORMANCE_CLI_RUNS_CHECK_RUNS_H_

#include <string>
#include <vector>

#include "conformance/judge/campaign.h"

namespace tandem::conformance {

struct CheckRun {
  std::string implementation;         // as LoadPlugin()
  std::string target;                 // TANDEM_TARGET; empty: as the environment has it
  int threads = 0;                    // of an execution; 0: one to three, by the problem's seed
  std::vector<ProblemSpec> problems;  // of this run alone; empty: those of the whole command
};

// All combinations, in the order of the arguments: the number of threads changes fastest.
std::vector<CheckRun> EveryRun(const std::vector<std::string>& implementations, const std::vector<std::string>& targets,
                               const std::vector<int>& threads);

// The complaints of a report, run again: a run for each implementation, target and number of threads that has one. A problem
// that was shrunk comes as it was drawn, too. Known departures are no complaints.
std::vector<CheckRun> RunsOfComplaints(const std::vector<CampaignResult>& report);

// The problems of all runs together.
std::vector<ProblemSpec> ProblemsOf(const std::vector<CheckRun>& runs);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_CLI_RUNS_CHECK_RUNS_H_
