// The problems of a campaign are divided into batches. One process runs the problems of a batch one after the other.
#ifndef TANDEM_CONFORMANCE_JUDGE_BATCH_RUNNER_H_
#define TANDEM_CONFORMANCE_JUDGE_BATCH_RUNNER_H_

#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <utility>
#include <vector>

#include "conformance/judge/campaign.h"
#include "conformance/judge/pace/pace.h"
#include "conformance/problem/random/pairs_first.h"
#include "conformance/sandbox/executor.h"

namespace tandem::conformance {

// Returns seconds since it was made, by CampaignOptions::now or the system's steady clock.
class Clock {
 public:
  explicit Clock(std::function<double()> now) : now_(std::move(now)) {}
  double Seconds() const { return Now() - start_; }

 private:
  double Now() const {
    if (now_ != nullptr) return now_();
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }

  const std::function<double()> now_;
  const double start_ = Now();
};

// An item is the result of one problem of the list.
struct Item {
  CheckedProblem checked;
  bool softened = false;
};

// Only the places in the list decide which problems go together, so no result depends on the number of threads or shards.
struct Batch {
  std::vector<Item> items;
  uint64_t too_long = 0;     // problems that were not started, since they would have ended after the time
  bool out_of_time = false;  // ... or the campaign was interrupted
};

// Returns true for a failure. A refusal is none, nor is a bound that says nothing.
bool IsComplaint(const CheckedProblem& checked);

class BatchRunner {
 public:
  BatchRunner(const Plugin& plugin, const CampaignOptions& options, const Clock& clock);

  // Returns the number of this shard's batches.
  uint64_t NumBatches() const;
  // Runs batch `k` of this shard. Required problems come first, 32 at a time; then each given problem is a batch; then come
  // random ones, 32 at a time. If time is limited, random problems with every pair of features come before the given ones.
  Batch Run(uint64_t k) const;
  bool IsOutOfTime() const { return SecondsLeft() < 0; }

  // The plan says how many problems the shard has, and about how many multiply-adds the judge spends on them.
  struct Plan {
    uint64_t problems = 0;
    double work = 0;
  };
  Plan PlanOf() const;
  // Returns the judge's multiply-adds on the problem at this place of the list.
  double WorkOf(uint64_t position) const;

 private:
  struct Range {
    uint64_t first, end;  // places in the list
  };
  // A segment is a part of the list whose problems run in batches of `batch`.
  struct Segment {
    uint64_t problems, batch;
    Origin origin;
    uint64_t NumBatches() const { return (problems + batch - 1) / batch; }
  };
  using Segments = std::array<Segment, 4>;
  Segments SegmentsOf() const;
  // Returns how many of the whole list's first `batches` are this shard's.
  uint64_t Share(uint64_t batches) const;
  Range RangeOf(uint64_t k) const;
  Origin OriginOf(uint64_t position) const;
  PairsFirst OrderOfRandom() const;
  double OwnWork(const ProblemSpec& spec) const;
  // Returns the operations of the steps that are run.
  Parts OperationsOf(ProblemSpec spec) const;
  ProblemSpec ProblemAt(uint64_t position) const;
  ProblemSpec DrawnProblem(uint64_t index) const;
  double SecondsLeft() const;
  // `left` is in seconds.
  bool EndsTooLate(const ProblemSpec& spec, double left) const;
  // `spec` is the problem at `position`.
  Item RunTimed(uint64_t position, const ProblemSpec& spec, Executor* executor) const;
  Item RunOne(uint64_t position, const ProblemSpec& spec, Executor* executor) const;
  CheckedProblem CheckSoftened(const ProblemSpec& spec, Executor* executor, bool* softened) const;
  CheckedProblem Check(const ProblemSpec& spec, CheckOptions check, Executor* executor) const;

  const Plugin& plugin_;
  const CampaignOptions& options_;
  const Clock& clock_;
  const PairsFirst random_order_;  // the order of the first random problems; empty without a limit of time
  mutable Pace pace_;
  mutable std::atomic<bool> has_judged_{false};
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_JUDGE_BATCH_RUNNER_H_
