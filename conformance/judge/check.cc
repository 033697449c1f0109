#include "conformance/judge/check.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <utility>

#include "conformance/judge/experiments.h"
#include "conformance/judge/few_rows.h"
#include "conformance/judge/relations/chained.h"
#include "conformance/judge/repetition.h"
#include "conformance/judge/verdict/check_bounds.h"
#include "conformance/problem/batch_rows.h"
#include "conformance/problem/generator.h"
#include "conformance/problem/problem_notation.h"
#include "conformance/problem/row_lengths.h"
#include "conformance/sandbox/interrupt.h"
#include "conformance/sandbox/runfiles.h"

namespace tandem::conformance {
namespace {

bool IsBackward(const ProblemSpec& spec) { return spec.propagation == Propagation::kBackward; }

// If not all rows of a backward problem are judged (few_rows.h), these are: the first, one in the middle and the last.
constexpr Dim kMostBackwardRows = 3;

Dim RowOf(uint64_t number, Dim mb) { return static_cast<Dim>(number % static_cast<uint64_t>(mb)); }

// Returns the rows of a backward problem that are judged, if not all are. The seed chooses a single one.
std::vector<Dim> ChosenRows(const ProblemSpec& spec, Dim count) {
  if (count == 1) return {RowOf(ExperimentsOf(spec.seed, {}).judged_row, spec.mb)};
  return count == 2 ? std::vector<Dim>{0, spec.mb - 1} : std::vector<Dim>{0, spec.mb / 2, spec.mb - 1};
}

// Measuring quality shall cost no more than checking a random problem.
constexpr double kMostMeasuredMacs = 4e6;
bool CanBeMeasured(const ProblemSpec& spec) { return spec.mb > 0 && CountOps(spec) / 2 <= kMostMeasuredMacs; }

// Judges the run itself by the bounds of the oracle.
void JudgeByBounds(const CheckInput& in, CheckedProblem* checked) {
  const RnnProblem& problem = in.problem;
  if (checked->rows_judged < problem.mb && problem.IsBackward()) {
    const std::vector<Dim> rows = ChosenRows(checked->spec, checked->rows_judged);
    checked->report = CheckFewRows({problem, in.inputs, in.outputs}, rows, in.declared);
  } else if (checked->rows_judged < problem.mb) {
    const RnnProblem few = WithRows(problem, checked->rows_judged);
    const TensorSet inputs = TakeRows(problem, few, in.inputs), outputs = TakeRows(problem, few, in.outputs);
    checked->report = CheckBounds({few, inputs, outputs}, in.declared);
  } else {
    checked->report = CheckBoundsOrSteps(in);
  }
}

// Adds the rows of a relation that do not hold; the others have no numbers to report.
void AddFailures(const ProblemReport& relation, CheckedProblem* checked) {
  for (const TensorReport& row : relation.rows) {
    if (row.outcome.verdict() != Verdict::kPass) checked->report.Add(row);
  }
  const std::vector<BitwiseResult>& bitwise = relation.bitwise;
  checked->report.bitwise.insert(checked->report.bitwise.end(), bitwise.begin(), bitwise.end());
}

// Judges one of the relations. States that are handed on have another turn, because few other relations show bugs of streams.
void JudgeRelations(const CheckInput& in, const Experiments& experiments, CheckedProblem* checked) {
  if (experiments.relation) AddFailures(CheckChosenRelation(in, experiments.relation_number), checked);
  if (experiments.handed_on && HandsStatesOn(in.problem)) {
    AddFailures(CheckRelation(in, Relation::kHandedOn, experiments.handed_on_number), checked);
  }
}

// Chooses the parameters that the run before a problem has otherwise: all of them for each second problem, else one, because a
// plugin may keep one parameter under the values of another.
std::vector<Tensor> OtherParameters(const RnnProblem& problem, uint64_t number) {
  std::vector<Tensor> present;
  for (Tensor t : {kWeightsLayer, kWeightsIter, kWeightsPeephole, kWeightsProjection, kBias, kNormGain, kNormOffset}) {
    if (problem.Has(t)) present.push_back(t);
  }
  if (number % 2 == 0) return present;
  return {present[number / 2 % present.size()]};
}

// Returns other weights and masks of the same shape, and the lengths of other rows.
TensorSet WithOtherWeights(const RnnProblem& problem, uint64_t number, TensorSet tensors) {
  if (problem.Has(kSequenceLengths)) {
    FillBeyondLengths(problem, 0.25, &tensors);  // because some of these numbers become data
    std::vector<double> lengths = tensors[kSequenceLengths].ToDoubles();
    std::reverse(lengths.begin(), lengths.end());
    tensors[kSequenceLengths].FromDoubles(lengths);
  }
  std::vector<Tensor> others = OtherParameters(problem, number);
  others.insert(others.end(), kMasks.begin(), kMasks.end());
  for (const Tensor t : others) {
    std::vector<double> values = tensors[t].ToDoubles();
    std::reverse(values.begin(), values.end());
    tensors[t].FromDoubles(values);
  }
  FillBeyondLengths(problem, std::nan(""), &tensors);
  return tensors;
}

// This is a problem that ran before another one in the same process.
struct WarmUp {
  uint64_t number;  // the experiment's
  TensorSet inputs, outputs;
  ExecutionReport execution;
};

// Runs the problem with other weights and another number of threads, and then as it is.
ExecutionReport ExecuteAfter(WarmUp* before, const Plugin& plugin, const RnnProblem& problem, RunOptions run,
                             TensorSet* tensors) {
  std::unique_ptr<Executor> own;
  if (run.executor == nullptr) {
    own = std::make_unique<Executor>(plugin, run.environment);
    run.executor = own.get();
  }
  before->inputs = before->outputs = WithOtherWeights(problem, before->number, *tensors);
  RunOptions other = run;
  for (int& threads : other.threads) threads = 1 + threads % 3;
  before->execution = RunIsolated(plugin, problem, other, &before->outputs);
  return RunIsolated(plugin, problem, run, tensors);
}

// Adds the host's findings in an execution. `which` names the execution if it is not the problem's own.
void Join(const ExecutionReport& execution, const std::string& which, CheckedProblem* checked) {
  if (execution.outcome.verdict() > checked->outcome.verdict()) {
    checked->finding = execution.finding;
    checked->message = which + execution.message;
  }
  checked->outcome.Join(execution.outcome);
}

// Judges the outputs of another execution than the one that is reported. Only failures are added.
void JudgeExecution(const Execution& executed, const std::string& which, const Declaration& declared,
                    CheckedProblem* checked) {
  const RnnProblem& problem = executed.problem;
  for (TensorReport row : CheckBounds(executed, declared).rows) {
    if (row.outcome.verdict() < Verdict::kFail) continue;
    row.note = which + (row.note.empty() ? "" : "; " + row.note);
    if (row.outcome.verdict() > checked->outcome.verdict()) checked->message = ToString(row, problem.cell);
    checked->outcome.Join(row.outcome);
    checked->report.Add(row);
  }
}

// Judges the outputs of the run before by the bounds, like any other.
void JudgeWarmUp(WarmUp before, const RnnProblem& problem, const Declaration& declared, CheckedProblem* checked) {
  const std::string which = "the run before it, with other weights";
  if (before.execution.outcome.verdict() > Verdict::kNotSupported) Join(before.execution, which + ": ", checked);
  if (before.execution.status != RunStatus::kOk || checked->rows_judged < problem.mb) return;
  if (problem.IsBackward()) TakeForwardOutputs(before.outputs, &before.inputs);
  JudgeExecution({problem, before.inputs, before.outputs}, which, declared, checked);
}

// Judges bounds, relations and quality of the outputs of an execution that ended well.
void JudgeOutputs(const Plugin& plugin, const RunOptions& run, const CheckOptions& options, const Execution& executed,
                  CheckedProblem* checked) {
  ExecutionReport worst;
  const Implementation again = AsImplementation(plugin, run, &worst);
  RunOptions given = run;
  given.free_layouts = 0;
  const Implementation in_given_layouts = AsImplementation(plugin, given, &worst);
  const RepeatedRun repeated = [&](const RnnProblem& problem, int executions, TensorSet* tensors) {
    RunOptions handing_on = run;
    handing_on.executions = executions;
    return AsImplementation(plugin, handing_on, &worst)(problem, tensors);
  };
  CheckInput in = {executed.problem, executed.inputs, executed.outputs, again, plugin.declared};
  in.in_given_layouts = &in_given_layouts;
  if (plugin.offsets != Offsets::kWide) in.repeated = &repeated;
  in.bounds = &checked->report;
  if (plugin.claims_batch_invariance) in.row_bits = RowBits::kOfTheRowAlone;
  JudgeByBounds(in, checked);
  const Experiments experiments = ExperimentsOf(checked->spec.seed, options);
  const Dim mb = executed.problem.mb;
  if (checked->steps_given == 0 && checked->rows_judged == mb) JudgeRelations(in, experiments, checked);
  checked->outcome.Join(checked->report.outcome);
  // A part or a variant of the problem may be refused; any other finding counts.
  if (worst.outcome.verdict() > Verdict::kNotSupported) {
    checked->outcome.Join(worst.outcome);
    if (checked->message.empty()) {
      checked->finding = worst.finding;
      checked->message = "a run of a relation: " + worst.message;
    }
  }
  if (checked->outcome.ok() && experiments.quality && CanBeMeasured(checked->spec)) {
    checked->quality = MeasureQuality(plugin, run, in, RowOf(experiments.quality_row, mb));
    checked->outcome.Join(checked->quality.outcome);
    if (!checked->outcome.ok()) {
      checked->finding = checked->quality.finding;
      checked->message = checked->quality.message;
      for (const TensorReport& row : checked->quality.failing_rows) checked->report.Add(row);
    }
  }
  // Every problem is also judged without the description's additions to the bounds.
  const bool added = checked->rows_judged == mb && Adds(plugin.declared, executed.problem);
  if (checked->outcome.ok() && added && checked->quality[Property::kDefaultBounds] == Holds::kUnknown) {
    checked->quality[Property::kDefaultBounds] = PassesByDefault(in);
  }
  if (!checked->report.outcome.ok() && checked->message.empty()) {
    const TensorReport* row = FirstRowWith(checked->report.outcome.verdict(), checked->report);
    if (row != nullptr) checked->message = ToString(*row, executed.problem.cell);
  }
}

// Judges other outputs than those of the execution that was judged: wrong beyond the bounds, or else not deterministic.
void JudgeOtherOutputs(const OtherOutputs& other, const std::string& which, const RnnProblem& problem,
                       const TensorSet& inputs, const Declaration& declared, CheckedProblem* checked) {
  if (checked->rows_judged == problem.mb) {
    JudgeExecution({problem, inputs, other.outputs}, which, declared, checked);
    if (!checked->outcome.ok()) return;
  }
  checked->finding = Finding::kOtherOutputs;
  checked->outcome.Worsen(VerdictOf(checked->finding));
  checked->message = Describe(checked->finding, which, other.difference);
}

// Judges repeated executions, after all that can fail with fewer calls.
void JudgeRepetition(const Plugin& plugin, const Repetition& repetition, const std::string& how,
                     const RnnProblem& problem, const TensorSet& inputs, CheckedProblem* checked) {
  const std::string number = repetition.executions == 1 ? "" : std::to_string(repetition.executions) + " ";
  const std::string which = "execution " + number + "of it " + how;
  if (repetition.last.outcome.verdict() > Verdict::kNotSupported) {
    Join(repetition.last, which + ": ", checked);
  } else if (repetition.other) {
    JudgeOtherOutputs(*repetition.other, which, problem, inputs, plugin.declared, checked);
  } else if (!repetition.growth.empty()) {
    checked->finding = Finding::kLeak;
    checked->outcome.Worsen(VerdictOf(checked->finding));
    checked->message = Describe(checked->finding, "run()", repetition.growth);
  }
}

void ExecuteElsewhere(const Plugin& plugin, const RunOptions& run, const CheckOptions& options,
                      const Execution& executed, CheckedProblem* checked) {
  for (const std::string& variable : options.same_bits) {
    if (!checked->outcome.ok()) return;
    const Repetition other = ExecuteWith(variable, plugin, run, executed);
    JudgeRepetition(plugin, other, "with " + variable, executed.problem, executed.inputs, checked);
  }
}

void ExecuteAgain(const Plugin& plugin, const RunOptions& run, const Experiments& experiments,
                  const RnnProblem& problem, const TensorSet& inputs, CheckedProblem* checked) {
  if (experiments.repeated) {
    checked->repeated = true;
    const Repetition repetition = Repeat(plugin, problem, run, inputs);
    JudgeRepetition(plugin, repetition, "in one process", problem, inputs, checked);
  }
  if (experiments.in_company && checked->outcome.ok() && plugin.calls == Calls::kFromManyThreads) {
    const Repetition repetition = RepeatInCompany(plugin, problem, run, inputs);
    JudgeRepetition(plugin, repetition, "while another thread executes it", problem, inputs, checked);
  }
}

}  // namespace

CheckOptions WithoutExperiments() {
  CheckOptions options;
  options.relations_every = options.warm_up_every = options.hand_on_every = options.quality_every =
      options.repeat_every = options.company_every = 0;
  return options;
}

bool CanBeRepeated(const ProblemSpec& spec) { return !spec.wide_offsets && CountOps(spec) / 2 <= kMostRepeatedMacs; }

Dim RowsToJudge(const ProblemSpec& spec, const CheckOptions& options) {
  if (spec.mb <= 1) return spec.mb;
  const double all = CountOps(spec) / 2, per_row = all / static_cast<double>(spec.mb);
  if (all <= options.oracle_macs) return spec.mb;
  const Dim most = IsBackward(spec) ? std::min(kMostBackwardRows, spec.mb) : spec.mb;
  return std::clamp<Dim>(static_cast<Dim>(options.oracle_macs / per_row), 1, most);
}

// Returns the steps with which the oracle's work on one row of the batch stays within options.oracle_macs.
Dim StepsToRun(const ProblemSpec& spec, const CheckOptions& options) {
  ProblemSpec cost = spec;
  cost.mb = 1;
  const double macs = CountOps(cost) / 2;
  if (macs <= options.oracle_macs || spec.t <= 1) return spec.t;
  return std::max<Dim>(1, static_cast<Dim>(static_cast<double>(spec.t) * options.oracle_macs / macs));
}

const char* ToString(Origin origin) {
  switch (origin) {
    case Origin::kGiven:
      return "given";
    case Origin::kRequired:
      return "required";
    case Origin::kTier:
      return "tier";
    case Origin::kRandom:
      return "random";
  }
  return "?";
}

std::vector<std::string> EnvironmentOf(const CheckOptions& options) {
  std::vector<std::string> environment = options.environment;
  if (!options.target.empty()) environment.push_back("TANDEM_TARGET=" + options.target);
  return environment;
}

RunOptions OptionsOfRun(const ProblemSpec& spec, const CheckOptions& options) {
  RunOptions run;
  run.timeout_seconds = options.timeout_seconds;
  run.free_layouts = FreeLayouts(spec);
  run.misalign = spec.misalign;
  run.environment = EnvironmentOf(options);
  run.executor = spec.wide_offsets ? nullptr : options.executor;
  const Experiments experiments = ExperimentsOf(spec.seed, options);
  run.threads.fill(options.threads != 0 ? options.threads : experiments.threads);
  run.interlude = experiments.interlude;
  return run;
}

const TensorReport* FirstRowWith(Verdict verdict, const ProblemReport& report) {
  const auto has_it = [&](const TensorReport& row) { return row.outcome.verdict() == verdict; };
  const auto found = std::find_if(report.rows.begin(), report.rows.end(), has_it);
  return found == report.rows.end() ? nullptr : &*found;
}

CheckedProblem CheckProblem(const Plugin& plugin, const ProblemSpec& spec, const CheckOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  CheckedProblem checked;
  checked.spec = spec;
  checked.implementation = plugin.word.empty() ? plugin.name : plugin.word;
  checked.target = options.target;
  checked.threads = options.threads;
  checked.same_bits = options.same_bits;
  ResolveDims(&checked.spec);
  const Dim steps = StepsToRun(checked.spec, options);
  if (steps != checked.spec.t) checked.steps_given = std::exchange(checked.spec.t, steps);
  checked.rows_judged = RowsToJudge(checked.spec, options);
  if (!plugin.Follows(checked.spec.reading)) {
    checked.spec.reading = plugin.Follows(Reading::kSpec) ? Reading::kSpec : Reading::kOnednn;
  }
  const RnnProblem problem = ToRnnProblem(checked.spec);
  TensorSet inputs(problem);
  FillInputs(checked.spec, problem, &inputs);
  if (problem.IsBackward() && checked.rows_judged < problem.mb) {
    KeepGradientsOf(problem, ChosenRows(checked.spec, checked.rows_judged), &inputs);
  }
  TensorSet outputs = inputs;
  const RunOptions run = OptionsOfRun(checked.spec, options);
  const Plugin target = checked.spec.wide_offsets ? WithWideOffsets(plugin) : plugin;
  const Experiments experiments = ExperimentsOf(spec.seed, options);
  const bool warm = experiments.warm_up;
  WarmUp before = {experiments.warm_up_number, {}, {}, {}};
  const ExecutionReport execution =
      warm ? ExecuteAfter(&before, target, problem, run, &outputs) : RunIsolated(target, problem, run, &outputs);
  Join(execution, "", &checked);
  StopIfInterrupted();
  if (execution.status == RunStatus::kOk) {
    if (problem.IsBackward()) TakeForwardOutputs(outputs, &inputs);
    JudgeOutputs(target, run, options, {problem, inputs, outputs}, &checked);
    ExecuteElsewhere(target, run, options, {problem, inputs, outputs}, &checked);
  } else if (execution.status == RunStatus::kNotSupported && plugin.claim == TableClaim::kWhole &&
             !problem.attr.rnn_layer_norm.given()) {  // norms are no part of the table
    checked.finding = Finding::kRefusal;
    checked.outcome.Worsen(VerdictOf(checked.finding));
    checked.message = Describe(checked.finding, checked.implementation, execution.message);
  }
  if (execution.status == RunStatus::kOk && checked.outcome.ok() && CanBeRepeated(checked.spec)) {
    ExecuteAgain(target, run, experiments, problem, inputs, &checked);
  }
  if (warm) JudgeWarmUp(std::move(before), problem, plugin.declared, &checked);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  checked.seconds = elapsed.count();
  return checked;
}

namespace {

// Returns the word in the form that a shell reads back.
std::string ShellWord(const std::string& word) {
  constexpr char kPlain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:=,+-@%";
  if (word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace

std::string ReplayLine(const CheckedProblem& checked) {
  const std::string target = checked.target.empty() ? "" : " --target=" + checked.target;
  const std::string threads = checked.threads == 0 ? "" : " --threads=" + std::to_string(checked.threads);
  std::string same_bits;
  for (const std::string& variable : checked.same_bits) same_bits += " --same-bits=" + ShellWord(variable);
  return CalledAs() + " check --impl=" + ShellWord(checked.implementation) + target + threads + same_bits + " " +
         PrintProblem(checked.spec);
}

}  // namespace tandem::conformance
