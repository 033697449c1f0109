#include "conformance/host/runner.h"

#include <sys/wait.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <utility>

namespace tandem::conformance {
namespace {

// NaN in every floating type, and an unlikely finite number: an implementation that reads them gives wrong or different
// results.
constexpr uint8_t kPoison[2] = {0xff, 0x5c};
// Between the rows of inputs: NaN.
constexpr uint8_t kInputGap = 0xff;

bool IsWritten(const std::vector<RnnProblem>& steps, Tensor t) {
  for (const RnnProblem& step : steps) {
    if (IsOutput(step, t)) return true;
  }
  return false;
}
bool IsRead(const std::vector<RnnProblem>& steps, Tensor t) {
  // What an earlier step writes is an input only of a later one.
  return IsInput(steps[0], t) || (steps.size() > 1 && IsInput(steps[1], t) && !IsOutput(steps[0], t));
}

RunMemory LayOut(const std::vector<RnnProblem>& steps, const TensorSet& tensors, int run, int misalign,
                 GuardedArena* arena) {
  RunMemory memory;
  memory.placement = run == 0 ? Placement::kAtEnd : Placement::kAtStart;
  memory.misalign_elements = misalign;
  memory.poison = kPoison[run];
  for (int i = 0; i < kNumTensors; ++i) {
    const TensorBuffer& source = tensors.tensor[i];
    const Tensor t = static_cast<Tensor>(i);
    if (source.md().ndims == 0) continue;
    const size_t bytes = source.size_in_bytes();
    memory.span[i] = arena->Add(bytes, memory.placement, misalign * SizeOf(source.type()));
    if (!IsRead(steps, t)) {
      std::memset(memory.span[i].data, memory.poison, bytes);
    } else if (bytes != 0) {
      std::memcpy(memory.span[i].data, source.data(), bytes);
      source.FillGaps(IsWritten(steps, t) ? memory.poison : kInputGap, memory.span[i].data);
    }
  }
  const Attributes& attr = steps.back().attr;
  for (const auto& [span, scales] :
       {std::pair{kWeightsScales, &attr.rnn_weights}, std::pair{kProjectionScales, &attr.rnn_weights_projection}}) {
    const size_t bytes = scales->values.size() * sizeof(float);
    memory.span[span] = arena->Add(bytes, memory.placement, 0);
    if (bytes != 0) std::memcpy(memory.span[span].data, scales->values.data(), bytes);
  }
  return memory;
}

size_t ArenaNeeds(const TensorSet& tensors, const Attributes& attr, int misalign) {
  size_t bytes = 0;
  for (const TensorBuffer& tensor : tensors.tensor) {
    if (tensor.md().ndims != 0) bytes += GuardedArena::Needs(tensor.size_in_bytes(), misalign * SizeOf(tensor.type()));
  }
  for (const ScaleVector* scales : {&attr.rnn_weights, &attr.rnn_weights_projection}) {
    bytes += GuardedArena::Needs(scales->values.size() * sizeof(float), 0);
  }
  return bytes;
}

void PrepareTask(const std::vector<RnnProblem>& steps, const RunOptions& options, const TensorSet& tensors,
                 Executor* executor) {
  executor->Reserve(ArenaNeeds(tensors, steps.back().attr, options.misalign));
  ChildTask& task = executor->task();
  task.num_steps = static_cast<int>(steps.size());
  for (size_t i = 0; i < steps.size(); ++i) {
    ChildStep& step = task.step[i];
    step.problem = ToPluginProblem(steps[i], options.free_layouts);
    for (int t = 0; t < kNumTensors; ++t) {
      const MemoryDesc& md = steps[i].md[t];
      if (!IsZero(md)) step.offset[t] = static_cast<size_t>(md.offset0) * SizeOf(TypeOf(md));
      if (IsOutput(steps[i], static_cast<Tensor>(t))) step.written |= 1u << t;
    }
  }
  for (int run = 0; run < kNumRuns; ++run) {
    task.run[run] = LayOut(steps, tensors, run, options.misalign, &executor->arena(run));
    task.run[run].threads = options.threads[run];
  }
}

// The function that was running.
std::string InWords(ChildStage stage) {
  switch (stage) {
    case ChildStage::kAsking:
      return "supports()";
    case ChildStage::kRunning:
      return "run()";
    case ChildStage::kStarted:
    case ChildStage::kChecking:
      break;
  }
  return "the host";
}

std::string SpanName(int span) {
  return span == kWeightsScales      ? "weights scales"
         : span == kProjectionScales ? "projection scales"
         : span == kWorkspace        ? "workspace"
         : span == kScratchpad       ? "scratchpad"
                                     : ToString(static_cast<Tensor>(span));
}

// "wrote past the end of dst_layer".
std::string FaultInWords(const ChildReport& child) {
  const char* access = child.access == FaultAccess::kWrite  ? "wrote "
                       : child.access == FaultAccess::kRead ? "read "
                                                            : "accessed memory ";
  const char* where = child.side == Side::kAfter    ? "past the end of "
                      : child.side == Side::kBefore ? "before the start of "
                                                    : "in the read-only ";
  return access + (where + SpanName(child.span));
}

ExecutionReport Found(RunStatus status, Finding finding, const std::string& where, const std::string& detail) {
  ExecutionReport report;
  report.status = status;
  report.finding = finding;
  report.outcome.Worsen(VerdictOf(finding));
  report.message = Describe(finding, where, detail);
  return report;
}

// The process ended before it had done the task.
ExecutionReport ReportOfCrash(int wait_status, const ChildReport& child) {
  const std::string function = InWords(child.stage);
  if (!WIFSIGNALED(wait_status)) return Found(RunStatus::kCrash, Finding::kExit, function, "");
  const char* name = strsignal(WTERMSIG(wait_status));
  const std::string signal = name != nullptr ? name : "signal";
  if (child.finding == Finding::kNone) return Found(RunStatus::kCrash, Finding::kSignal, function, signal);
  return Found(RunStatus::kCrash, child.finding, function + ": " + signal, FaultInWords(child));
}

// How the child ended, unless all is well.
ExecutionReport ReportOf(const ChildEnd& end, const ChildReport& child, double timeout_seconds) {
  if (end.timed_out) {
    char limit[32];
    std::snprintf(limit, sizeof limit, "%g", timeout_seconds);
    return Found(RunStatus::kTimeout, Finding::kTimeLimit, InWords(child.stage), limit);
  }
  if (!end.answered) return ReportOfCrash(end.wait_status, child);
  const std::string said(child.message, strnlen(child.message, sizeof child.message));
  switch (child.verdict) {
    case ChildVerdict::kNotSupported:
      return {RunStatus::kNotSupported, Outcome(Verdict::kNotSupported), Finding::kNone, said};
    case ChildVerdict::kFailed:
      if (child.finding != Finding::kNone) return Found(RunStatus::kError, child.finding, SpanName(child.span), "");
      return Found(RunStatus::kError, Finding::kRunFailed, InWords(child.stage),
                   said.empty() ? "without a message" : said);
    case ChildVerdict::kNone:
    case ChildVerdict::kOk:
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

TensorBuffer Fetch(const MemoryDesc& md, const GuardedSpan& memory) {
  TensorBuffer buffer(md);
  if (!buffer.empty()) std::memcpy(buffer.data(), memory.data, memory.size);
  return buffer;
}

// Keeps the worst finding; of several equally bad ones the first.
void Note(Finding finding, Tensor t, const std::string& detail, ExecutionReport* report) {
  const Verdict verdict = VerdictOf(finding);
  if (verdict > report->outcome.verdict()) {
    report->finding = finding;
    report->message = Describe(finding, ToString(t), detail);
  }
  report->outcome.Worsen(verdict);
}

// Inputs are mapped read-only in the child; a write through another mapping or other protection is seen here.
void JudgeInput(Tensor t, const std::array<RunMemory, kNumRuns>& memory, const TensorBuffer& given,
                ExecutionReport* report) {
  TensorBuffer placed = given;
  placed.FillGaps(kInputGap);
  for (const RunMemory& run : memory) {
    const bool same = std::memcmp(run.span[t].data, placed.data(), placed.size_in_bytes()) == 0;
    if (!same) Note(Finding::kInputChanged, t, "", report);
    if (!run.span[t].CanaryHolds()) Note(Finding::kCanary, t, "", report);
  }
}

// Two runs on the same inputs: every byte written, none beside the elements, and the same result.
void JudgeOutput(const std::vector<RnnProblem>& steps, Tensor t, const std::array<RunMemory, kNumRuns>& memory,
                 TensorBuffer* result, ExecutionReport* report) {
  const MemoryDesc md = result->md();
  TensorBuffer runs[2] = {Fetch(md, memory[0].span[t]), Fetch(md, memory[1].span[t])};
  for (int i = 0; i < 2; ++i) {
    if (!runs[i].GapsHold(kPoison[i])) Note(Finding::kGap, t, "", report);
    if (!memory[i].span[t].CanaryHolds()) Note(Finding::kCanary, t, "", report);
  }
  const bool filled_before = IsRead(steps, t);
  for (size_t i = 0; i < runs[0].size(); ++i) {
    if (std::memcmp(static_cast<const uint8_t*>(runs[0].data()) + runs[0].ByteOffset(i),
                    static_cast<const uint8_t*>(runs[1].data()) + runs[1].ByteOffset(i), SizeOf(TypeOf(md))) == 0) {
      continue;
    }
    if (!filled_before && HasPattern(runs[0], i, kPoison[0]) && HasPattern(runs[1], i, kPoison[1])) {
      Note(Finding::kUnwritten, t, std::to_string(i), report);
    } else if (!std::isnan(runs[0].Get(i)) || !std::isnan(runs[1].Get(i))) {
      char values[80];
      std::snprintf(values, sizeof values, "%zu is %.9g, then %.9g", i, runs[0].Get(i), runs[1].Get(i));
      Note(Finding::kTwoRuns, t, values, report);
    }
    break;
  }
  *result = std::move(runs[0]);
}

}  // namespace

ExecutionReport RunIsolated(const Plugin& plugin, const RnnProblem& problem, const RunOptions& options,
                            TensorSet* tensors) {
  if (options.executor == nullptr) {
    Executor own(plugin, options.environment);
    RunOptions there = options;
    there.executor = &own;
    return RunIsolated(plugin, problem, there, tensors);
  }
  Executor* const executor = options.executor;
  std::vector<RnnProblem> steps;
  if (problem.IsBackward()) steps.push_back(ForwardOf(problem));
  steps.push_back(problem);
  PrepareTask(steps, options, *tensors, executor);
  const ChildEnd end = executor->Run(options.timeout_seconds);
  ExecutionReport report = ReportOf(end, executor->report(), options.timeout_seconds);
  if (report.status != RunStatus::kOk) return report;
  for (int i = 0; i < kNumTensors; ++i) {
    const Tensor t = static_cast<Tensor>(i);
    if (!problem.Has(t)) continue;
    if (IsWritten(steps, t)) {
      if (options.second_outputs != nullptr) {
        options.second_outputs->tensor[i] = Fetch(tensors->tensor[i].md(), executor->task().run[1].span[t]);
      }
      JudgeOutput(steps, t, executor->task().run, &tensors->tensor[i], &report);
    } else {
      JudgeInput(t, executor->task().run, tensors->tensor[i], &report);
    }
  }
  return report;
}

Implementation AsImplementation(const Plugin& plugin, const RunOptions& options, ExecutionReport* worst) {
  return [plugin, options, worst](const RnnProblem& problem, TensorSet* tensors) {
    const ExecutionReport report = RunIsolated(plugin, problem, options, tensors);
    if (worst != nullptr && report.outcome.verdict() > worst->outcome.verdict()) *worst = report;
    return RunResult{report.status, report.message};
  };
}

}  // namespace tandem::conformance
