#include "conformance/host/runner.h"

#include <sys/wait.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <utility>

namespace tandem::conformance {
namespace {

// NaN in every floating type, and an unlikely finite number: whoever reads them shows it.
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

std::string InWords(ChildStage stage) {
  return stage == ChildStage::kAsking ? "supports()" : stage == ChildStage::kRunning ? "run()" : "the host";
}

// How the child ended, unless all is well.
ExecutionReport Diagnose(const ChildEnd& end, const ChildReport& child, double timeout_seconds) {
  ExecutionReport report;
  const auto set = [&](RunStatus status, Verdict verdict, const std::string& message) {
    report.status = status;
    report.outcome.Worsen(verdict);
    report.message = message;
  };
  const std::string said(child.message, strnlen(child.message, sizeof child.message));
  if (end.answered && child.verdict == ChildVerdict::kOk) {
    return report;
  } else if (end.timed_out) {
    char text[64];
    std::snprintf(text, sizeof text, " did not return within %g s", timeout_seconds);
    set(RunStatus::kTimeout, Verdict::kTimeout, InWords(child.stage) + text);
  } else if (!end.answered && WIFSIGNALED(end.wait_status)) {
    const char* name = strsignal(WTERMSIG(end.wait_status));
    set(RunStatus::kCrash, Verdict::kCrash,
        InWords(child.stage) + ": " + (name != nullptr ? name : "signal") + (said.empty() ? "" : ": it " + said));
  } else if (!end.answered) {
    set(RunStatus::kCrash, Verdict::kCrash, InWords(child.stage) + " ended the process");
  } else if (child.verdict == ChildVerdict::kNotSupported) {
    set(RunStatus::kNotSupported, Verdict::kNotSupported, said);
  } else if (child.verdict == ChildVerdict::kStray) {
    set(RunStatus::kError, Verdict::kFail, said);
  } else if (child.verdict == ChildVerdict::kFailed) {
    set(RunStatus::kError, Verdict::kFail, said.empty() ? "run() failed without a message" : said);
  }
  return report;
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

// Inputs are mapped read-only in the child; a write through another mapping or other protection leaves its trace here.
void JudgeInput(Tensor t, const std::array<RunMemory, kNumRuns>& memory, const TensorBuffer& given,
                ExecutionReport* report) {
  TensorBuffer placed = given;
  placed.FillGaps(kInputGap);
  for (const RunMemory& run : memory) {
    const bool same = std::memcmp(run.span[t].data, placed.data(), placed.size_in_bytes()) == 0;
    if (same && run.span[t].CanaryHolds()) continue;
    report->outcome.Worsen(Verdict::kFail);
    report->message = ToString(t) + (same ? std::string(": wrote outside the tensor") : ": an input was changed");
  }
}

// Two runs on the same inputs: every byte written, none beside the elements, and the same result.
void JudgeOutput(const std::vector<RnnProblem>& steps, Tensor t, const std::array<RunMemory, kNumRuns>& memory,
                 TensorBuffer* result, ExecutionReport* report) {
  const auto note = [&](Verdict verdict, const std::string& message) {
    if (verdict > report->outcome.verdict()) report->message = ToString(t) + (": " + message);
    report->outcome.Worsen(verdict);
  };
  const MemoryDesc md = result->md();
  TensorBuffer runs[2] = {Fetch(md, memory[0].span[t]), Fetch(md, memory[1].span[t])};
  for (int i = 0; i < 2; ++i) {
    if (!runs[i].GapsHold(kPoison[i])) note(Verdict::kFail, "wrote between the rows");
    if (!memory[i].span[t].CanaryHolds()) note(Verdict::kFail, "wrote outside the tensor");
  }
  const bool filled_before = IsRead(steps, t);
  for (size_t i = 0; i < runs[0].size(); ++i) {
    if (std::memcmp(static_cast<const uint8_t*>(runs[0].data()) + runs[0].ByteOffset(i),
                    static_cast<const uint8_t*>(runs[1].data()) + runs[1].ByteOffset(i), SizeOf(TypeOf(md))) == 0) {
      continue;
    }
    const std::string where = "element " + std::to_string(i);
    if (!filled_before && HasPattern(runs[0], i, kPoison[0]) && HasPattern(runs[1], i, kPoison[1])) {
      note(Verdict::kFail, where + " was never written");
    } else if (!std::isnan(runs[0].Get(i)) || !std::isnan(runs[1].Get(i))) {
      char values[80];
      std::snprintf(values, sizeof values, " is %.9g, then %.9g", runs[0].Get(i), runs[1].Get(i));
      note(Verdict::kNondeterministic, where + values +
                                           " from the same inputs (other addresses, other garbage in outputs, "
                                           "workspace and scratchpad)");
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
  ExecutionReport report = Diagnose(end, executor->report(), options.timeout_seconds);
  if (report.status != RunStatus::kOk) return report;
  for (int i = 0; i < kNumTensors; ++i) {
    const Tensor t = static_cast<Tensor>(i);
    if (!problem.Has(t)) continue;
    if (IsWritten(steps, t)) {
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
