// The problems of a campaign, in batches: each is a list that one process runs one after the other.
#ifndef TANDEM_CONFORMANCE_JUDGE_BATCH_RUNNER_H_
#define TANDEM_CONFORMANCE_JUDGE_BATCH_RUNNER_H_

#include <array>
#include <chrono>
#include <vector>

#include "conformance/judge/campaign.h"
#include "conformance/sandbox/executor.h"

namespace tandem::conformance {

class Clock {
 public:
  double Seconds() const {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
    return elapsed.count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// The result of one problem of the list.
struct Item {
  CheckedProblem checked;
  bool softened = false;
};

// Only the problems' places in the list decide which ones go together, so that no result depends on the number of
// threads or of shards.
struct Batch {
  std::vector<Item> items;
  bool out_of_time = false;  // or the campaign was interrupted
};

// True for a failure. A refusal is none, nor is a bound that says nothing.
bool IsComplaint(const CheckedProblem& checked);

class BatchRunner {
 public:
  BatchRunner(const Plugin& plugin, const CampaignOptions& options, const Clock& clock);

  // Those of this shard.
  uint64_t NumBatches() const;
  // The problems that profiles require come first, 32 at a time; each given problem is a batch; then come the random
  // ones, 32 at a time. Batch `k` of this shard.
  Batch Run(uint64_t k) const;

  // How many problems the shard has, and about how many multiply-adds the judge spends on them.
  struct Plan {
    uint64_t problems = 0;
    double work = 0;
  };
  Plan PlanOf() const;
  // On the problem at this place of the list.
  double WorkOf(uint64_t position) const;

 private:
  struct Range {
    uint64_t first, end;  // places in the list
  };
  // Problems that follow each other in the list, `batch` of them together.
  struct Segment {
    uint64_t problems, batch;
    uint64_t NumBatches() const { return (problems + batch - 1) / batch; }
  };
  using Segments = std::array<Segment, 3>;
  Segments SegmentsOf() const;
  Range RangeOf(uint64_t k) const;
  bool IsRandom(uint64_t position) const;
  uint64_t NumRandom() const;
  ProblemSpec ProblemAt(uint64_t position) const;
  ProblemSpec DrawnProblem(uint64_t index) const;
  Item RunAt(uint64_t position, Executor* executor) const;
  CheckedProblem CheckSoftened(const ProblemSpec& spec, Executor* executor, bool* softened) const;
  CheckedProblem Check(const ProblemSpec& spec, Executor* executor) const;

  const Plugin& plugin_;
  const CampaignOptions& options_;
  const Clock& clock_;
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_JUDGE_BATCH_RUNNER_H_
