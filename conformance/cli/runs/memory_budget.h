// These functions count the memory that a problem needs, before any of it is touched.
#ifndef TANDEM_CONFORMANCE_CLI_RUNS_MEMORY_BUDGET_H_
#define TANDEM_CONFORMANCE_CLI_RUNS_MEMORY_BUDGET_H_

#include <string>
#include <vector>

#include "conformance/cli/runs/cli11_classes.h"
#include "conformance/judge/check.h"

namespace tandem::conformance {

// Returns what the machine has left: MemAvailable, or less if a control group has a limit; infinite if that is unknown.
double AvailableBytes();

// Returns an upper limit of the bytes for the judge's tensors, for the memory that it shares with a worker, and for the numbers
// that `reference` and the oracle keep. A plugin may need more. Throws tandem::Error for a problem that is not valid.
double NeededBytes(const ProblemSpec& spec);
// Returns the limit when CheckOptions::oracle_macs shortens a long sequence and takes a part of a large batch.
double NeededBytes(const ProblemSpec& spec, const CheckOptions& options);

class MemoryBudget {
 public:
  // Adds the option --memory=SIZE, in bytes or with K, M, G or T.
  void AddOption(CLI::App* app);

  // Throws UsageError, with the bytes in words, if a problem needs more than there are.
  void Check(const ProblemSpec& spec, double needed) const;
  void Check(const std::vector<ProblemSpec>& specs) const;
  // Returns how many such problems fit at the same time, at least one.
  int Fitting(double needed, int wanted) const;

 private:
  double limit() const;
  std::string given_;
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_CLI_RUNS_MEMORY_BUDGET_H_
