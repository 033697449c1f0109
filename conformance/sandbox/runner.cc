#include "conformance/sandbox/runner.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <utility>

namespace tandem::conformance {
namespace {

// These bytes are NaN in every floating type, and an unlikely number: an implementation that reads them gives other results.
constexpr uint8_t kPoison[2] = {0xff, 0x5c};
// NaN lies between the rows of inputs.
constexpr uint8_t kInputGap = 0xff;

// A run of a task executes this: the problem itself, or forward_training and backward. Or it executes the problem itself
// `executions` times, each time on the states that the one before has left.
struct Program {
  std::vector<RnnProblem> steps;
  int executions = 1;
};

bool IsWritten(const Program& program, Tensor t) {
  // States are handed on: the memory of the first states receives the next ones.
  if (program.executions > 1 && (t == kSrcIter || t == kSrcIterC)) return true;
  for (const RnnProblem& step : program.steps) {
    if (IsOutput(step, t)) return true;
  }
  return false;
}
bool IsRead(const Program& program, Tensor t) {
  const std::vector<RnnProblem>& steps = program.steps;
  // A tensor that an earlier step writes is an input only of a later one.
  return IsInput(steps[0], t) || (steps.size() > 1 && IsInput(steps[1], t) && !IsOutput(steps[0], t));
}

ArenaKind ArenaOf(const Program& program, Tensor t) {
  return IsWritten(program, t) ? ArenaKind::kOutputs : ArenaKind::kInputs;
}

RunMemory LayOut(const Program& program, const TensorSet& tensors, int run, int misalign, Executor* executor) {
  RunMemory memory;
  memory.placement = run == 0 ? Placement::kAtEnd : Placement::kAtStart;
  memory.misalign_elements = misalign;
  memory.poison = kPoison[run];
  for (int i = 0; i < kNumTensors; ++i) {
    const TensorBuffer& source = tensors.tensor[i];
    const Tensor t = static_cast<Tensor>(i);
    if (source.md().ndims == 0) continue;
    const size_t bytes = source.size_in_bytes();
    const ArenaKind kind = ArenaOf(program, t);
    GuardedArena& arena = executor->arena(kind);
    memory.span[i] = {kind, arena.Add(bytes, memory.placement, misalign * SizeOf(source.type()))};
    uint8_t* const data = arena.Data(memory.span[i].span);
    if (!IsRead(program, t)) {
      std::memset(data, memory.poison, bytes);
    } else if (bytes != 0) {
      std::memcpy(data, source.data(), bytes);
      source.FillGaps(kind == ArenaKind::kOutputs ? memory.poison : kInputGap, data);
    }
  }
  const Attributes& attr = program.steps.back().attr;
  GuardedArena& inputs = executor->arena(ArenaKind::kInputs);
  for (const auto& [span, scales] :
       {std::pair{kWeightsScales, &attr.rnn_weights}, std::pair{kProjectionScales, &attr.rnn_weights_projection}}) {
    const size_t bytes = scales->values.size() * sizeof(float);
    memory.span[span] = {ArenaKind::kInputs, inputs.Add(bytes, memory.placement, 0)};
    if (bytes != 0) std::memcpy(inputs.Data(memory.span[span].span), scales->values.data(), bytes);
  }
  return memory;
}

// Returns the bytes for both runs.
std::array<size_t, kNumArenas> ArenaNeeds(const Program& program, const TensorSet& tensors, int misalign) {
  std::array<size_t, kNumArenas> bytes = {};
  const auto add = [&](ArenaKind kind, size_t size, size_t offset) {
    bytes[static_cast<size_t>(kind)] += kNumRuns * GuardedArena::Needs(size, offset);
  };
  for (int i = 0; i < kNumTensors; ++i) {
    const TensorBuffer& tensor = tensors.tensor[i];
    if (tensor.md().ndims == 0) continue;
    add(ArenaOf(program, static_cast<Tensor>(i)), tensor.size_in_bytes(), misalign * SizeOf(tensor.type()));
  }
  const Attributes& attr = program.steps.back().attr;
  for (const ScaleVector* scales : {&attr.rnn_weights, &attr.rnn_weights_projection}) {
    add(ArenaKind::kInputs, scales->values.size() * sizeof(float), 0);
  }
  return bytes;
}

void PrepareTask(const Plugin& plugin, const Program& program, const RunOptions& options, const TensorSet& tensors,
                 Executor* executor) {
  const std::vector<RnnProblem>& steps = program.steps;
  executor->Reserve(ArenaNeeds(program, tensors, options.misalign));
  Task& task = executor->task();
  task.offsets = plugin.offsets;
  // Wide tensors lie in address space that is reserved for them alone.
  task.interlude = plugin.offsets == Offsets::kWide ? Interlude::kNone : options.interlude;
  task.company = options.company;
  task.num_steps = static_cast<int32_t>(steps.size());
  task.executions = program.executions;
  for (size_t i = 0; i < steps.size(); ++i) {
    TaskStep& step = task.step[i];
    step.stated = ToPluginProblem(steps[i], options.free_layouts);
    tandem_problem& problem = step.stated.problem;
    problem.weights_scales.values = problem.projection_scales.values = nullptr;
    for (int t = 0; t < kNumTensors; ++t) {
      const MemoryDesc& md = steps[i].md[t];
      if (!IsZero(md)) step.offset[t] = static_cast<size_t>(md.offset0) * SizeOf(TypeOf(md));
      if (IsOutput(steps[i], static_cast<Tensor>(t))) step.written |= uint64_t{1} << t;
    }
  }
  for (int run = 0; run < kNumRuns; ++run) {
    task.run[run] = LayOut(program, tensors, run, options.misalign, executor);
    task.run[run].threads = options.threads[run];
  }
}

// Names the function that was running.
std::string InWords(const TaskEnd& end) {
  switch (static_cast<TaskStage>(end.report.stage)) {
    case TaskStage::kAsking:
      return "supports()";
    case TaskStage::kRunning:
    case TaskStage::kChecking:
      return "run()";
    case TaskStage::kStarted:
      break;
  }
  return end.between_tasks ? "between two executions" : "before the first call";
}

std::string SpanName(int span) {
  return span == kWeightsScales      ? "weights scales"
         : span == kProjectionScales ? "projection scales"
         : span == kWorkspace        ? "workspace"
         : span == kScratchpad       ? "scratchpad"
         : span == kText             ? "the buffer for its text"
                                     : ToString(static_cast<Tensor>(span));
}

// Returns for example "wrote past the end of dst_layer".
std::string FaultInWords(const TaskReport& report) {
  const auto made = static_cast<FaultAccess>(report.access);
  const auto side = static_cast<Side>(report.side);
  const char* access = made == FaultAccess::kWrite  ? "wrote "
                       : made == FaultAccess::kRead ? "read "
                                                    : "accessed memory ";
  const char* where = side == Side::kAfter    ? "past the end of "
                      : side == Side::kBefore ? "before the start of "
                                              : "in the read-only ";
  return access + (where + SpanName(report.span));
}

Finding ToFinding(MemoryFault fault) {
  switch (fault) {
    case MemoryFault::kGuardPage:
      return Finding::kGuardPage;
    case MemoryFault::kReadOnly:
      return Finding::kReadOnly;
    case MemoryFault::kCanary:
      return Finding::kCanary;
    case MemoryFault::kInputChanged:
      return Finding::kInputChanged;
    case MemoryFault::kProcessLeft:
      return Finding::kProcessLeft;
    case MemoryFault::kThreadChanged:
      return Finding::kThreadChanged;
    case MemoryFault::kNone:
      break;
  }
  return Finding::kNone;
}

ExecutionReport Found(RunStatus status, Finding finding, const std::string& where, const std::string& detail) {
  ExecutionReport report;
  report.status = status;
  report.finding = finding;
  report.outcome.Worsen(VerdictOf(finding));
  report.message = Describe(finding, where, detail);
  return report;
}

// Reports that the worker did not answer.
ExecutionReport ReportOfEnd(const TaskEnd& end) {
  const std::string function = InWords(end);
  const Finding fault = ToFinding(static_cast<MemoryFault>(end.report.fault));
  ExecutionReport report =
      end.finding == Finding::kSignal && fault != Finding::kNone
          ? Found(RunStatus::kCrash, fault, function + ": " + end.detail, FaultInWords(end.report))
          : Found(VerdictOf(end.finding) == Verdict::kTimeout ? RunStatus::kTimeout : RunStatus::kCrash, end.finding,
                  function, end.detail);
  report.message += end.printed;
  return report;
}

// Reports how the task ended, unless all is well.
ExecutionReport ReportOf(const TaskEnd& end) {
  if (!end.answered) return ReportOfEnd(end);
  const std::string said = OneLine(end.report.message);
  switch (static_cast<TaskVerdict>(end.report.verdict)) {
    case TaskVerdict::kNotSupported:
      return {RunStatus::kNotSupported, Outcome(Verdict::kNotSupported), Finding::kNone,
              said.empty() ? "it gave no reason" : said};
    case TaskVerdict::kFailed: {
      const Finding fault = ToFinding(static_cast<MemoryFault>(end.report.fault));
      if (fault == Finding::kProcessLeft || fault == Finding::kThreadChanged) {
        return Found(RunStatus::kError, fault, InWords(end), said);
      }
      if (fault != Finding::kNone) return Found(RunStatus::kError, fault, SpanName(end.report.span), "");
      return Found(RunStatus::kError, Finding::kRunFailed, InWords(end), said.empty() ? "without a message" : said);
    }
    case TaskVerdict::kNone:
    case TaskVerdict::kOk:
      break;
  }
  return {};
}

bool HasPattern(const TensorBuffer& buffer, size_t index, uint8_t pattern) {
  const uint8_t* bytes = static_cast<const uint8_t*>(buffer.data()) + buffer.ByteOffset(index);
  for (size_t i = 0; i < SizeOf(buffer.type()); ++i) {
    if (bytes[i] != pattern) return false;
  }
  return true;
}

// Returns a copy, which the worker cannot change while it is judged.
TensorBuffer Fetch(const MemoryDesc& md, const SharedSpan& memory, Executor* executor) {
  TensorBuffer buffer(md);
  if (!buffer.empty()) std::memcpy(buffer.data(), executor->arena(memory.arena).Data(memory.span), memory.span.size);
  return buffer;
}

bool CanaryHolds(const SharedSpan& memory, Executor* executor) {
  return executor->arena(memory.arena).CanaryHolds(memory.span);
}

// Keeps the worst finding, and the first one of several that are equally bad.
void Note(Finding finding, Tensor t, const std::string& detail, ExecutionReport* report) {
  const Verdict verdict = VerdictOf(finding);
  if (verdict > report->outcome.verdict()) {
    report->finding = finding;
    report->message = Describe(finding, ToString(t), detail);
  }
  report->outcome.Worsen(verdict);
}

// The worker cannot write the memory of inputs. This checks that it still holds them.
void JudgeInput(Tensor t, Executor* executor, const TensorBuffer& given, ExecutionReport* report) {
  TensorBuffer placed = given;
  placed.FillGaps(kInputGap);
  for (const RunMemory& run : executor->task().run) {
    const SharedSpan& memory = run.span[t];
    const uint8_t* const data = executor->arena(memory.arena).Data(memory.span);
    const bool same = placed.empty() || std::memcmp(data, placed.data(), placed.size_in_bytes()) == 0;
    if (!same) Note(Finding::kInputChanged, t, "", report);
    if (!CanaryHolds(memory, executor)) Note(Finding::kCanary, t, "", report);
  }
}

enum class FilledBefore { kWithPoison, kWithInputs };

// Judges an element in which two runs have stored other bits. kNone means that it may differ.
Finding FindingOf(const TensorBuffer (&runs)[2], size_t i, FilledBefore before, OtherBits other_bits) {
  const bool has_poison = HasPattern(runs[0], i, kPoison[0]) && HasPattern(runs[1], i, kPoison[1]);
  if (before == FilledBefore::kWithPoison && has_poison) return Finding::kUnwritten;
  if (other_bits == OtherBits::kAllowed) return Finding::kNone;
  return std::isnan(runs[0].Get(i)) && std::isnan(runs[1].Get(i)) ? Finding::kNone : Finding::kTwoRuns;
}

// Notes the first element of each finding. Two NaNs are the same, whatever their bits are, and hide nothing behind them.
void JudgeElements(const TensorBuffer (&runs)[2], Tensor t, FilledBefore before, OtherBits other_bits,
                   ExecutionReport* report) {
  const size_t width = SizeOf(runs[0].type());
  const uint8_t* const bytes[2] = {static_cast<const uint8_t*>(runs[0].data()),
                                   static_cast<const uint8_t*>(runs[1].data())};
  for (size_t i = 0; i < runs[0].size(); ++i) {
    const size_t at = runs[0].ByteOffset(i);
    if (std::memcmp(bytes[0] + at, bytes[1] + at, width) == 0) continue;
    const Finding finding = FindingOf(runs, i, before, other_bits);
    if (VerdictOf(finding) <= report->outcome.verdict()) continue;
    char detail[80];
    if (finding == Finding::kUnwritten) {
      std::snprintf(detail, sizeof detail, "%zu", i);
    } else {
      std::snprintf(detail, sizeof detail, "%zu is %.9g, then %.9g", i, runs[0].Get(i), runs[1].Get(i));
    }
    Note(finding, t, detail, report);
  }
}

// Judges two runs on the same inputs. Every byte must be written, none beside the elements, and the results must be the same.
void JudgeOutput(const Program& program, Tensor t, const RunOptions& options, TensorBuffer* result,
                 ExecutionReport* report) {
  Executor* const executor = options.executor;
  const MemoryDesc md = result->md();
  const std::array<RunMemory, kNumRuns>& memory = executor->task().run;
  TensorBuffer runs[2] = {Fetch(md, memory[0].span[t], executor), Fetch(md, memory[1].span[t], executor)};
  for (int i = 0; i < 2; ++i) {
    if (!runs[i].GapsHold(kPoison[i])) Note(Finding::kGap, t, "", report);
    if (!CanaryHolds(memory[i].span[t], executor)) Note(Finding::kCanary, t, "", report);
  }
  const FilledBefore before = IsRead(program, t) ? FilledBefore::kWithInputs : FilledBefore::kWithPoison;
  JudgeElements(runs, t, before, options.other_bits, report);
  *result = std::move(runs[0]);
}

}  // namespace

ExecutionReport RunIsolated(const Plugin& plugin, const RnnProblem& problem, const RunOptions& options,
                            TensorSet* tensors) {
  if (options.executor == nullptr) {
    Executor own(plugin, options.environment, Executor::Process::kFresh);
    RunOptions there = options;
    there.executor = &own;
    return RunIsolated(plugin, problem, there, tensors);
  }
  Executor* const executor = options.executor;
  Program program;
  program.executions = options.executions;
  if (problem.IsBackward()) program.steps.push_back(ForwardOf(problem));
  program.steps.push_back(problem);
  PrepareTask(plugin, program, options, *tensors, executor);
  const TaskEnd end = executor->Run(options.timeout_seconds);
  ExecutionReport report = ReportOf(end);
  report.heap_bytes = end.report.heap_bytes;
  if (report.status != RunStatus::kOk) return report;
  if (program.executions % 2 == 0) {
    for (RunMemory& run : executor->task().run) run = WithStatesExchanged(run);
  }
  for (int i = 0; i < kNumTensors; ++i) {
    const Tensor t = static_cast<Tensor>(i);
    if (!problem.Has(t)) continue;
    if (IsWritten(program, t)) {
      if (options.second_outputs != nullptr) {
        options.second_outputs->tensor[i] = Fetch(tensors->tensor[i].md(), executor->task().run[1].span[t], executor);
      }
      JudgeOutput(program, t, options, &tensors->tensor[i], &report);
    } else {
      JudgeInput(t, executor, tensors->tensor[i], &report);
    }
  }
  return report;
}

ExecutionReport AskIsolated(const Plugin& plugin, const RnnProblem& problem, uint64_t free_layouts,
                            Executor* executor) {
  RunOptions options;
  options.free_layouts = free_layouts;
  PrepareTask(plugin, {{problem}}, options, TensorSet(problem), executor);
  executor->task().num_runs = 0;
  return ReportOf(executor->Run(options.timeout_seconds));
}

Implementation AsImplementation(const Plugin& plugin, const RunOptions& options, ExecutionReport* worst) {
  return [plugin, options, worst](const RnnProblem& problem, TensorSet* tensors) {
    const ExecutionReport report = RunIsolated(plugin, problem, options, tensors);
    if (worst != nullptr && report.outcome.verdict() > worst->outcome.verdict()) *worst = report;
    return RunResult{report.status, report.message};
  };
}

}  // namespace tandem::conformance
