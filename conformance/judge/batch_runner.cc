#include "conformance/judge/batch_runner.h"

#include <algorithm>
#include <limits>

#include "conformance/judge/coverage.h"
#include "conformance/problem/random/random_problem.h"
#include "conformance/sandbox/interrupt.h"

namespace tandem::conformance {
namespace {

constexpr uint64_t kBatch = 32;

// A user who gives at most this many problems wants to know all about each. In a long file that takes minutes.
constexpr size_t kFewProblems = 8;

// The first random problems, about those of a minute, are put into the order of their pairs.
constexpr uint64_t kOrdered = 2048;

// The judge spends kFixedWork multiply-adds on a problem besides those of the oracle. A random problem costs kRandomWork on
// average. They were measured on a tier of problems; only the estimate of the time left depends on them.
constexpr double kFixedWork = 5e5, kRandomWork = 1.5e6;

// A problem whose bound was vacuous is tried in easier versions. First it has all its features on contractive data; then one
// step; then one layer and few channels; then strict arithmetic. Last it has the usual zero point and other random numbers,
// three times: the terms of a gradient that is a single element may cancel by chance, once in 79,000 problems twice in a row.
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

// Returns the scope without cells and propagations of which no kind is served, so that fewer draws are in vain.
ProblemScope Narrowed(ProblemScope scope, const std::set<ServedKind>& kinds) {
  std::set<Cell> cells;
  std::set<Propagation> propagations;
  for (const ServedKind& kind : kinds) {
    cells.insert(kind.cell);
    propagations.insert(kind.propagation);
  }
  if (scope.cells.empty()) scope.cells.assign(cells.begin(), cells.end());
  if (scope.propagations.empty()) scope.propagations.assign(propagations.begin(), propagations.end());
  return scope;
}

}  // namespace

bool IsComplaint(const CheckedProblem& checked) { return checked.outcome.verdict() > Verdict::kNotSupported; }

BatchRunner::BatchRunner(const Plugin& plugin, const CampaignOptions& options, const Clock& clock)
    : plugin_(plugin), options_(options), clock_(clock), random_order_(OrderOfRandom()) {}

PairsFirst BatchRunner::OrderOfRandom() const {
  if (options_.seconds <= 0) return {};
  std::vector<ProblemSpec> drawn;
  std::vector<double> work;
  for (uint64_t i = 0; i < std::min(options_.random_problems, kOrdered); ++i) {
    drawn.push_back(DrawnProblem(i));
    work.push_back(OwnWork(drawn.back()));
  }
  return OrderByPairs(drawn, work);
}

BatchRunner::Segments BatchRunner::SegmentsOf() const {
  const uint64_t required = options_.required.size(), given = options_.problems.size();
  const uint64_t first = random_order_.first_round;
  return {Segment{required, kBatch, Origin::kRequired}, Segment{first, kBatch, Origin::kRandom},
          Segment{given, 1, options_.origin}, Segment{options_.random_problems - first, kBatch, Origin::kRandom}};
}

uint64_t BatchRunner::Share(uint64_t batches) const {
  const Shard& shard = options_.shard;
  return batches > shard.index ? (batches - shard.index - 1) / shard.count + 1 : 0;
}

uint64_t BatchRunner::NumBatches() const {
  uint64_t all = 0;
  for (const Segment& segment : SegmentsOf()) all += segment.NumBatches();
  return Share(all);
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

Origin BatchRunner::OriginOf(uint64_t position) const {
  for (const Segment& segment : SegmentsOf()) {
    if (position < segment.problems) return segment.origin;
    position -= segment.problems;
  }
  return Origin::kRandom;
}

ProblemSpec BatchRunner::ProblemAt(uint64_t position) const {
  const auto [required, first, given, rest] = SegmentsOf();
  if (position < required.problems) return options_.required[position];
  position -= required.problems;
  if (position < first.problems) return DrawnProblem(random_order_.order[position]);
  if (position < first.problems + given.problems) return options_.problems[position - first.problems];
  position -= given.problems;
  return DrawnProblem(position < random_order_.order.size() ? random_order_.order[position] : position);
}

// Returns the first of many draws that is of a served kind. The draws are those of a run without kinds, so that an
// implementation that serves all sees the same problems as ever.
ProblemSpec BatchRunner::DrawnProblem(uint64_t index) const {
  constexpr uint64_t kDraws = 1024, kUnfiltered = 8;
  const auto draw_one = [this](const ProblemScope& scope, uint64_t seed, uint64_t number) {
    ProblemSpec spec = RandomProblem(scope, seed, number);
    if (HasByteWeights(spec.config) && options_.kinds_with_byte_weights.count(KindOf(spec)) == 0) {
      ProblemScope without = scope;
      without.byte_weights_one_in = 0;
      spec = RandomProblem(without, seed, number);
    }
    if (!AreDefault(spec.gates) && options_.cells_with_gates.count(spec.cell) == 0) {
      ProblemScope without = scope;
      without.gates_one_in = 0;
      if (!HasByteWeights(spec.config)) without.byte_weights_one_in = 0;
      spec = RandomProblem(without, seed, number);
    }
    if (options_.kinds_with_lengths.count(KindOf(spec)) == 0) spec.lengths = RowLengths::kNone;
    if (spec.norm.given() && options_.kinds_with_norms.count(KindOf(spec)) == 0) {
      ProblemScope without = scope;
      without.norms_one_in = 0;
      const RowLengths lengths = spec.lengths;
      spec = RandomProblem(without, seed, number);
      spec.lengths = lengths;
    }
    if (options_.kinds_with_masks.count(KindOf(spec)) == 0) spec.masks = 0;
    return spec;
  };
  const auto is_served = [this](const ProblemSpec& spec) {
    return options_.kinds.count(KindOf(spec)) != 0 &&
           (options_.shapes.empty() || options_.shapes.count(ShapeOf(spec)) != 0);
  };
  const ProblemSpec first = draw_one(options_.scope, options_.seed, index);
  if (options_.kinds.empty() || index % kUnfiltered == 0 || is_served(first)) return first;
  const ProblemScope narrow = Narrowed(options_.scope, options_.kinds);
  for (uint64_t draw = 1; draw < kDraws; ++draw) {
    const ProblemSpec spec = draw_one(narrow, options_.seed + (draw << 40), index + draw);
    if (is_served(spec)) return spec;
  }
  return first;
}

BatchRunner::Plan BatchRunner::PlanOf() const {
  Plan plan;
  uint64_t batches = 0;
  for (const Segment& segment : SegmentsOf()) {
    const uint64_t first = Share(batches), end = Share(batches += segment.NumBatches());
    // All batches but the last are full.
    uint64_t problems = (end - first) * segment.batch;
    const Range last = end > first ? RangeOf(end - 1) : Range{0, 0};
    if (end > first) problems -= segment.batch - (last.end - last.first);
    plan.problems += problems;
    if (segment.origin == Origin::kRandom) {
      plan.work += kRandomWork * static_cast<double>(problems);
    } else {
      for (uint64_t k = first; k < end; ++k) {
        for (uint64_t position = RangeOf(k).first; position < RangeOf(k).end; ++position) plan.work += WorkOf(position);
      }
    }
  }
  return plan;
}

double BatchRunner::OwnWork(const ProblemSpec& spec) const {
  return kFixedWork + std::min(CountOps(spec) / 2, options_.check.oracle_macs);
}

double BatchRunner::WorkOf(uint64_t position) const {
  return OriginOf(position) == Origin::kRandom ? kRandomWork : OwnWork(ProblemAt(position));
}

Batch BatchRunner::Run(uint64_t k) const {
  Batch batch;
  Executor executor(plugin_, EnvironmentOf(options_.check));
  const Range range = RangeOf(k);
  for (uint64_t position = range.first; position < range.end; ++position) {
    const double left = SecondsLeft();
    // The first problem is judged, however short the time is.
    batch.out_of_time = (left < 0 && has_judged_) || Interruption() != 0;
    if (batch.out_of_time) return batch;
    const ProblemSpec spec = ProblemAt(position);
    if (EndsTooLate(spec, left)) {
      ++batch.too_long;
      continue;
    }
    try {
      batch.items.push_back(RunTimed(position, spec, &executor));
    } catch (const Interrupted&) {
      batch.out_of_time = true;
      return batch;
    }
  }
  return batch;
}

double BatchRunner::SecondsLeft() const {
  return options_.seconds > 0 ? options_.seconds - clock_.Seconds() : std::numeric_limits<double>::infinity();
}

bool BatchRunner::EndsTooLate(const ProblemSpec& spec, double left) const {
  return options_.seconds > 0 && pace_.IsKnown() && pace_.SecondsOf(OperationsOf(spec)) > left;
}

Parts BatchRunner::OperationsOf(ProblemSpec spec) const {
  spec.t = StepsToRun(spec, options_.check);
  return {OwnWork(spec), CountOps(spec)};
}

Item BatchRunner::RunTimed(uint64_t position, const ProblemSpec& spec, Executor* executor) const {
  if (options_.seconds <= 0) return RunOne(position, spec, executor);
  const Clock clock(nullptr);
  const double before = executor->seconds();
  Item item = RunOne(position, spec, executor);
  has_judged_ = true;
  // A hang lasts as long as --timeout. It does not tell how long other problems take.
  if (item.checked.outcome.verdict() == Verdict::kTimeout) return item;
  const double implementation = executor->seconds() - before;
  pace_.Add(OperationsOf(spec), {clock.Seconds() - implementation, implementation});
  return item;
}

// The problems that the judge has chosen are softened; those that a user asks for are not.
Item BatchRunner::RunOne(uint64_t position, const ProblemSpec& spec, Executor* executor) const {
  Item item;
  const Origin origin = OriginOf(position);
  if (origin == Origin::kGiven) {
    CheckOptions check = options_.check;
    if (options_.problems.size() <= kFewProblems) check.repeat_every = check.company_every = 1;
    item.checked = Check(spec, check, executor);
  } else {
    item.checked = CheckSoftened(spec, executor, &item.softened);
  }
  item.checked.origin = origin;
  item.checked.position = position;
  return item;
}

CheckedProblem BatchRunner::CheckSoftened(const ProblemSpec& spec, Executor* executor, bool* softened) const {
  CheckedProblem checked = Check(spec, options_.check, executor);
  *softened = checked.outcome.verdict() == Verdict::kVacuous;
  for (int level = 0; level < kSofteningLevels && checked.outcome.verdict() == Verdict::kVacuous; ++level) {
    checked = Check(Soften(spec, level), options_.check, executor);
  }
  return checked;
}

// A failing problem is checked again in a process for each execution, as its replay line does. If it passes there, an
// earlier problem has left some state behind, and the complaint stays.
CheckedProblem BatchRunner::Check(const ProblemSpec& spec, CheckOptions check, Executor* executor) const {
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
