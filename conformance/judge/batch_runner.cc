#include "conformance/judge/batch_runner.h"

#include <algorithm>

#include "conformance/sandbox/interrupt.h"

namespace tandem::conformance {
namespace {

constexpr uint64_t kBatch = 32;

// What the judge spends on a problem besides the oracle's multiply-adds, in multiply-adds; and on a random problem on
// average. Measured on a tier of problems; only the estimate of the time left depends on them.
constexpr double kFixedWork = 5e5, kRandomWork = 1.5e6;

// Easier versions of a problem whose bound was vacuous. First all its features on contractive data; then one step; then
// one layer and few channels; then strict arithmetic; last the usual zero point and other random numbers, three times:
// the terms of a gradient that is a single element may cancel by chance, once in 79,000 problems twice in a row.
constexpr int kSofteningLevels = 7;

// A gradient that is a sum over 1,000 terms in 16 bits cancels to less than its bound, whatever the data: n terms of
// random signs leave sqrt(n), and the bound is n roundings. One more than a vector of 16 keeps a remainder.
constexpr Dim kFewChannels = 17;

ProblemSpec Soften(ProblemSpec spec, int level) {
  spec.gain = 0.05f;
  spec.data = DataKind::kDense;
  if (level >= 1) spec.t = 1;
  if (level >= 2) {
    spec.l = 1;
    if (spec.direction == Direction::kBidirectionalSum) spec.direction = Direction::kBidirectionalConcat;
    for (Dim* channels : {&spec.slc, &spec.sic, &spec.dhc, &spec.dic}) *channels = std::min(*channels, kFewChannels);
    if (spec.with_projection) spec.dhc = std::min<Dim>(spec.dhc, 8);
  }
  if (level >= 3) spec.fpmath = FpmathMode::kStrict;
  if (level >= 4) {
    spec.seed += static_cast<uint64_t>(level - 3);
    spec.zero_point = -1;
    spec.data_scale = 0;
  }
  return spec;
}

}  // namespace

bool IsComplaint(const CheckedProblem& checked) { return checked.outcome.verdict() > Verdict::kNotSupported; }

BatchRunner::BatchRunner(const Plugin& plugin, const CampaignOptions& options, const Clock& clock)
    : plugin_(plugin), options_(options), clock_(clock) {}

BatchRunner::Segments BatchRunner::SegmentsOf() const {
  const uint64_t required = options_.required.size(), given = options_.problems.size();
  return {Segment{required, kBatch}, Segment{given, 1}, Segment{options_.random_problems, kBatch}};
}

uint64_t BatchRunner::NumBatches() const {
  uint64_t all = 0;
  for (const Segment& segment : SegmentsOf()) all += segment.NumBatches();
  const Shard& shard = options_.shard;
  return all > shard.index ? (all - shard.index - 1) / shard.count + 1 : 0;
}

BatchRunner::Range BatchRunner::RangeOf(uint64_t k) const {
  uint64_t batch = options_.shard.index + k * options_.shard.count, start = 0;
  for (const Segment& segment : SegmentsOf()) {
    const uint64_t batches = segment.NumBatches();
    if (batch < batches) {
      const uint64_t first = batch * segment.batch;
      return {start + first, start + std::min(first + segment.batch, segment.problems)};
    }
    batch -= batches;
    start += segment.problems;
  }
  return {start, start};
}

bool BatchRunner::IsRandom(uint64_t position) const {
  return position >= options_.required.size() + options_.problems.size();
}

ProblemSpec BatchRunner::ProblemAt(uint64_t position) const {
  const uint64_t required = options_.required.size(), given = options_.problems.size();
  if (position < required) return options_.required[position];
  if (position < required + given) return options_.problems[position - required];
  return DrawnProblem(position - required - given);
}

// The first of many draws that is of a served kind. The draws are those of a run without kinds, so that an
// implementation that serves all sees the same problems as ever.
ProblemSpec BatchRunner::DrawnProblem(uint64_t index) const {
  constexpr uint64_t kDraws = 1024, kUnfiltered = 8;
  const auto draw_one = [this](uint64_t seed, uint64_t number) {
    ProblemSpec spec = RandomProblem(options_.scope, seed, number);
    if (options_.kinds_with_lengths.count(KindOf(spec)) == 0) spec.lengths = RowLengths::kNone;
    return spec;
  };
  const ProblemSpec first = draw_one(options_.seed, index);
  if (options_.kinds.empty() || index % kUnfiltered == 0 || options_.kinds.count(KindOf(first)) != 0) return first;
  for (uint64_t draw = 1; draw < kDraws; ++draw) {
    const ProblemSpec spec = draw_one(options_.seed + (draw << 40), index + draw);
    if (options_.kinds.count(KindOf(spec)) != 0) return spec;
  }
  return first;
}

// All but the last batch of random problems is full.
uint64_t BatchRunner::NumRandom() const {
  uint64_t listed = 0;
  const uint64_t batches = NumBatches();
  while (listed < batches && !IsRandom(RangeOf(listed).first)) ++listed;
  if (listed == batches) return 0;
  const Range last = RangeOf(batches - 1);
  return (batches - listed - 1) * kBatch + (last.end - last.first);
}

BatchRunner::Plan BatchRunner::PlanOf() const {
  Plan plan;
  plan.problems = NumRandom();
  plan.work = kRandomWork * static_cast<double>(plan.problems);
  for (uint64_t k = 0; k < NumBatches(); ++k) {
    const Range range = RangeOf(k);
    if (IsRandom(range.first)) break;
    for (uint64_t position = range.first; position < range.end; ++position) {
      ++plan.problems;
      plan.work += WorkOf(position);
    }
  }
  return plan;
}

double BatchRunner::WorkOf(uint64_t position) const {
  if (IsRandom(position)) return kRandomWork;
  return kFixedWork + std::min(CountOps(ProblemAt(position)) / 2, options_.check.oracle_macs);
}

Batch BatchRunner::Run(uint64_t k) const {
  Batch batch;
  Executor executor(plugin_, EnvironmentOf(options_.check));
  const Range range = RangeOf(k);
  for (uint64_t position = range.first; position < range.end; ++position) {
    batch.out_of_time = (options_.seconds > 0 && clock_.Seconds() > options_.seconds) || Interruption() != 0;
    if (batch.out_of_time) return batch;
    try {
      batch.items.push_back(RunAt(position, &executor));
    } catch (const Interrupted&) {
      batch.out_of_time = true;
      return batch;
    }
  }
  return batch;
}

// The problems that the judge has chosen are softened, and not those that a user asks for.
Item BatchRunner::RunAt(uint64_t position, Executor* executor) const {
  Item item;
  const ProblemSpec spec = ProblemAt(position);
  const bool required = position < options_.required.size();
  const Origin origin = IsRandom(position) ? Origin::kRandom : required ? Origin::kRequired : options_.origin;
  item.checked = origin == Origin::kGiven ? Check(spec, executor) : CheckSoftened(spec, executor, &item.softened);
  item.checked.origin = origin;
  item.checked.position = position;
  return item;
}

CheckedProblem BatchRunner::CheckSoftened(const ProblemSpec& spec, Executor* executor, bool* softened) const {
  CheckedProblem checked = Check(spec, executor);
  *softened = checked.outcome.verdict() == Verdict::kVacuous;
  for (int level = 0; level < kSofteningLevels && checked.outcome.verdict() == Verdict::kVacuous; ++level) {
    checked = Check(Soften(spec, level), executor);
  }
  return checked;
}

// A failing problem is checked again in a process for each execution, as its replay line does. If it passes there, an
// earlier problem has left some state behind, and the complaint stays.
CheckedProblem BatchRunner::Check(const ProblemSpec& spec, Executor* executor) const {
  CheckOptions check = options_.check;
  check.executor = executor;
  const bool first = executor->tasks_done() == 0;
  CheckedProblem checked = CheckProblem(plugin_, spec, check);
  if (!IsComplaint(checked)) return checked;
  check.executor = nullptr;
  CheckedProblem alone;
  try {
    alone = CheckProblem(plugin_, spec, check);
  } catch (const Interrupted&) {
    return checked;
  }
  if (IsComplaint(alone)) return alone;
  checked.message += first ? "; but not in every run" : "; but not in a process that ran no other problem before";
  return checked;
}

}  // namespace tandem::conformance
