#include "conformance/judge/campaign.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "api/core/error.h"
#include "conformance/judge/batch_runner.h"
#include "conformance/judge/coverage.h"
#include "conformance/judge/in_order.h"
#include "conformance/problem/generator.h"
#include "conformance/problem/network_shapes.h"
#include "conformance/problem/problem_notation.h"
#include "conformance/sandbox/interrupt.h"

namespace tandem::conformance {
namespace {

Dim NumWeights(const ProblemSpec& spec) {
  const RnnProblem problem = ToRnnProblem(spec);
  Dim weights = 0;
  for (const Tensor t : {kWeightsLayer, kWeightsIter}) weights += NumElements(problem.md[t]);
  return weights;
}

void Count(const CheckedProblem& checked, CampaignResult* result) {
  ++result->count[static_cast<int>(checked.outcome.verdict())];
  const CategoryKey key = {checked.spec.cell, checked.spec.propagation, checked.spec.config};
  result->categories[key].Add(checked);
  if (checked.origin == Origin::kRandom) {
    RandomTally& tally = result->random[key];
    ++tally.count[static_cast<int>(checked.outcome.verdict())];
    tally.seconds += checked.seconds;
  }
  Count(checked.spec, checked.outcome.verdict(),
        checked.origin == Origin::kRequired ? Requirement::kRequired : Requirement::kOther, &result->kinds);
  if (checked.outcome.verdict() == Verdict::kNotSupported) ++result->refusals[checked.message];
  if (checked.outcome.verdict() == Verdict::kVacuous) result->vacuous.push_back(checked);
  const bool judged =
      checked.outcome.verdict() != Verdict::kNotSupported && checked.outcome.verdict() != Verdict::kVacuous;
  if (judged) result->pairs.Add(checked.spec);
  result->shortened += checked.steps_given != 0;
}

// Counts a known departure. Returns false if it is none.
bool IsExplained(const KnownDepartures& known, const CheckedProblem& checked, CampaignResult* result) {
  const std::string id = known.Explain(checked);
  for (Explained& e : result->explained) {
    if (e.id != id) continue;
    if (e.count++ == 0) e.example = checked;
    e.positions.push_back(checked.position);
    return true;
  }
  return false;
}

bool IsNamed(const CheckedProblem& checked) {
  return checked.origin == Origin::kGiven || checked.origin == Origin::kTier;
}

// The search for a simpler problem stops after `attempts` runs, or when the time is up.
struct ShrinkLimit {
  int attempts = 0;
  std::function<bool()> out_of_time;
};

// Returns the simplest problem, by ShrinkCandidates, on which the verdict is still the same.
CheckedProblem Shrink(const Plugin& plugin, const CheckedProblem& failed, const CheckOptions& options,
                      const ShrinkLimit& limit) {
  CheckedProblem best = failed;
  int attempts = limit.attempts;
  for (bool improved = true; improved && attempts > 0;) {
    improved = false;
    for (const ProblemSpec& candidate : ShrinkCandidates(best.spec)) {
      if (attempts-- <= 0 || limit.out_of_time()) return best;
      CheckedProblem tried;
      try {
        tried = CheckProblem(plugin, candidate, options);
      } catch (const Error&) {
        continue;  // the problem is not valid
      } catch (const Interrupted&) {
        return best;
      }
      if (tried.outcome.verdict() == failed.outcome.verdict()) {
        best = tried;
        best.origin = failed.origin;
        best.position = failed.position;
        improved = true;
        break;
      }
    }
  }
  return best;
}

void Complain(const Plugin& plugin, const CampaignOptions& options, const std::function<bool()>& out_of_time,
              const CheckedProblem& checked, CampaignResult* result) {
  if (IsExplained(options.known, checked, result)) return;
  const Verdict verdict = checked.outcome.verdict();
  const bool shrink = Interruption() == 0 && !out_of_time() && checked.origin == Origin::kRandom &&
                      result->complaints.size() < kMostShrunk && verdict != Verdict::kTimeout &&
                      checked.finding != Finding::kLeak;
  if (shrink) result->unshrunk.push_back(checked);
  const ShrinkLimit limit = {options.shrink_attempts, out_of_time};
  result->complaints.push_back(shrink ? Shrink(plugin, checked, options.check, limit) : checked);
}

}  // namespace

CampaignOptions OptionsFor(Tier tier) {
  CampaignOptions options;
  options.origin = Origin::kTier;
  options.tier = ToString(tier);
  options.required = RequiredProblems(*FindProfile("whole table"));
  if (tier != Tier::kSmoke) {
    for (const CoverageQuestion& question : GradeQuestions()) options.problems.push_back(question.spec);
  }
  for (const ProblemSpec& spec : ActivationSweeps()) options.problems.push_back(spec);
  const bool all_shapes = tier == Tier::kFull || tier == Tier::kSoak;
  for (const ProblemSpec& spec : NetworkShapes()) {
    // Large networks are left out: eight shapes of 50 took a fifth of the time, and the oracle can afford few of their steps.
    const bool fits = all_shapes || NumWeights(spec) <= kMostWeights;
    (fits ? options.problems : options.left_out).push_back(spec);
  }
  // Small problems come first: a failure of theirs is easy to follow, and time may run out.
  std::stable_sort(options.problems.begin(), options.problems.end(),
                   [](const ProblemSpec& a, const ProblemSpec& b) { return CountOps(a) < CountOps(b); });
  switch (tier) {
    case Tier::kSmoke:
      options.random_problems = 200;
      options.seconds = 10;
      options.check.oracle_macs = 3e6;
      break;
    case Tier::kQuick:
      options.random_problems = 2000;
      options.check.oracle_macs = 2e7;
      break;
    case Tier::kFull:
      options.random_problems = 20000;
      options.check.oracle_macs = 2e8;
      break;
    case Tier::kSoak:
      options.random_problems = ~uint64_t{0} >> 1;
      options.seconds = 3600;
      options.check.oracle_macs = 2e8;
      break;
  }
  return options;
}

void DrawServedKinds(const Plugin& plugin, const std::function<void(size_t)>& asked, CampaignOptions* options) {
  Coverage coverage(plugin, asked);
  if (plugin.claim == TableClaim::kPartial) {
    options->kinds = coverage.Kinds();
    options->shapes = coverage.Shapes(options->kinds);
  }
  options->scope.lengths_one_in = 6;
  options->kinds_with_lengths = coverage.KindsWithLengths();
  options->scope.norms_one_in = 12;
  options->kinds_with_norms = coverage.KindsWithNorms();
  options->scope.masks_one_in = 6;
  options->kinds_with_masks = coverage.KindsWithMasks();
  options->scope.byte_weights_one_in = 4;
  options->kinds_with_byte_weights = coverage.KindsWithByteWeights();
  options->scope.other_activations = coverage.ServedActivations();
  options->scope.gates_one_in = 8;
  options->cells_with_gates = coverage.CellsWithGates();
}

uint64_t CampaignResult::NumExplained() const {
  uint64_t sum = 0;
  for (const Explained& e : explained) sum += e.count;
  return sum;
}

bool CampaignResult::departs_only_as_known() const {
  return complaints.empty() && Count(Verdict::kPass) + Count(Verdict::kQualityWarning) + NumExplained() > 0;
}

bool CampaignResult::partial() const {
  const bool given = std::any_of(vacuous.begin(), vacuous.end(),
                                 [](const CheckedProblem& checked) { return checked.origin == Origin::kGiven; });
  return !interrupted_by.empty() || hardly_tried != 0 || Count(Verdict::kNotSupported) != 0 || given ||
         100 * vacuous.size() > run;
}

const CheckedProblem& AsDrawn(const CampaignResult& result, const CheckedProblem& complaint) {
  const auto drawn = std::find_if(result.unshrunk.begin(), result.unshrunk.end(), [&](const CheckedProblem& checked) {
    return checked.position == complaint.position;
  });
  return drawn != result.unshrunk.end() ? *drawn : complaint;
}

CampaignResult RunCampaign(const Plugin& plugin, const CampaignOptions& options, const Progress& progress) {
  const Clock clock(options.now);
  CampaignResult result;
  result.implementation = plugin.name;
  result.version = plugin.version;
  result.cpu_isa = plugin.cpu_isa;
  result.claim = plugin.claim;
  result.adds = WhatItAdds(plugin.declared);
  result.seed = options.seed;
  result.tier = options.tier;
  result.after_complaint = options.after_complaint;
  for (const ProblemSpec& spec : options.left_out) result.left_out.push_back(spec.name);
  result.shard = options.shard;
  for (const std::string& id : options.known.Ids()) result.explained.push_back({id, 0, {}});
  const BatchRunner runner(plugin, options, clock);
  const BatchRunner::Plan plan = runner.PlanOf();
  result.planned = plan.problems;
  result.work_planned = plan.work;
  const auto take = [&](const Batch& batch) {
    result.too_long += batch.too_long;
    for (const Item& item : batch.items) {
      Count(item.checked, &result);
      result.softened += item.softened;
      result.work_done += runner.WorkOf(item.checked.position);
      if (IsNamed(item.checked)) result.named.push_back(item.checked);
      if (IsComplaint(item.checked)) {
        Complain(
            plugin, options, [&] { return runner.IsOutOfTime(); }, item.checked, &result);
      }
      ++result.run;
      if (options.each != nullptr) options.each(item.checked);
      progress(result);
      if (options.after_complaint == AfterComplaint::kStop && !result.complaints.empty()) return Continue::kNo;
    }
    // Another thread's batch, which began before the time was up, may have results, too.
    return batch.out_of_time && batch.items.empty() ? Continue::kNo : Continue::kYes;
  };
  const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  InOrder<Batch>(std::min(options.jobs > 0 ? options.jobs : cores, kMostJobs), runner.NumBatches())
      .Run([&](uint64_t k) { return runner.Run(k); }, take);
  if (options.shard.count == 1) {
    std::set<ServedKind> required;
    for (const ProblemSpec& spec : options.required) required.insert(KindOf(spec));
    result.hardly_tried = NumHardlyTried(required, result.kinds);
  }
  result.seconds = clock.Seconds();
  result.interrupted_by = NameOfSignal(Interruption());
  return result;
}

}  // namespace tandem::conformance
