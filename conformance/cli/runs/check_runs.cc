#include "conformance/cli/runs/check_runs.h"

#include <algorithm>
#include <tuple>

#include "conformance/problem/problem_notation.h"

namespace tandem::conformance {
namespace {

// Returns the run of `runs` for the complaint's implementation, which is added if there is none.
CheckRun& RunOf(const CheckedProblem& complaint, std::vector<CheckRun>* runs) {
  const auto key = [](const auto& x) { return std::tie(x.implementation, x.target, x.threads); };
  const auto found =
      std::find_if(runs->begin(), runs->end(), [&](const CheckRun& run) { return key(run) == key(complaint); });
  if (found != runs->end()) return *found;
  runs->push_back({complaint.implementation, complaint.target, complaint.threads, {}});
  return runs->back();
}

void AddOnce(const ProblemSpec& spec, std::vector<ProblemSpec>* problems) {
  const std::string line = PrintProblem(spec);
  const bool known = std::any_of(problems->begin(), problems->end(),
                                 [&](const ProblemSpec& other) { return PrintProblem(other) == line; });
  if (!known) problems->push_back(spec);
}

}  // namespace

std::vector<CheckRun> EveryRun(const std::vector<std::string>& implementations, const std::vector<std::string>& targets,
                               const std::vector<int>& threads) {
  std::vector<CheckRun> runs;
  for (const std::string& implementation : implementations) {
    for (const std::string& target : targets) {
      for (const int number : threads) runs.push_back({implementation, target, number, {}});
    }
  }
  return runs;
}

std::vector<CheckRun> RunsOfComplaints(const std::vector<CampaignResult>& report) {
  std::vector<CheckRun> runs;
  for (const CampaignResult& result : report) {
    for (const CheckedProblem& complaint : result.complaints) {
      std::vector<ProblemSpec>* problems = &RunOf(complaint, &runs).problems;
      AddOnce(complaint.spec, problems);
      AddOnce(AsDrawn(result, complaint).spec, problems);
    }
  }
  return runs;
}

std::vector<ProblemSpec> ProblemsOf(const std::vector<CheckRun>& runs) {
  std::vector<ProblemSpec> problems;
  for (const CheckRun& run : runs) problems.insert(problems.end(), run.problems.begin(), run.problems.end());
  return problems;
}

}  // namespace tandem::conformance
