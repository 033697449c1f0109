// `tandem check` runs these one after the other: each implementation with each target and number of threads.
#ifndef TANDEM_CONFORMANCE_CLI_RUNS_CHECK_RUNS_H_
#define TANDEM_CONFORMANCE_CLI_RUNS_CHECK_RUNS_H_

#include <string>
#include <vector>

#include "conformance/judge/campaign.h"

namespace tandem::conformance {

struct CheckRun {
  std::string implementation;         // a word for LoadPlugin()
  std::string target;                 // TANDEM_TARGET; empty: the environment's
  int threads = 0;                    // threads of an execution; 0: one to three, by the problem's seed
  std::vector<ProblemSpec> problems;  // problems of this run alone; empty: those of the whole command
};

// Returns all combinations in the order of the arguments: the number of threads changes fastest.
std::vector<CheckRun> EveryRun(const std::vector<std::string>& implementations, const std::vector<std::string>& targets,
                               const std::vector<int>& threads);

// Returns runs that repeat the complaints of a report: one for each implementation, target and number of threads that has a
// complaint. A problem that was shrunk comes as it was drawn, too. Known departures are no complaints.
std::vector<CheckRun> RunsOfComplaints(const std::vector<CampaignResult>& report);

// Returns the problems of all runs together.
std::vector<ProblemSpec> ProblemsOf(const std::vector<CheckRun>& runs);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_CLI_RUNS_CHECK_RUNS_H_
