#include "conformance/runner.h"

#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <new>
#include <stdexcept>

#include "conformance/child.h"

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

Arena MakeArena(const std::vector<RnnProblem>& steps, const TensorSet& tensors, int run, int misalign) {
  Arena arena;
  arena.placement = run == 0 ? Placement::kAtEnd : Placement::kAtStart;
  arena.misalign_elements = misalign;
  arena.poison = kPoison[run];
  for (int i = 0; i < kNumTensors; ++i) {
    const TensorBuffer& source = tensors.tensor[i];
    const Tensor t = static_cast<Tensor>(i);
    if (source.md().ndims == 0) continue;
    TensorBuffer filled = source;
    if (IsRead(steps, t)) {
      filled.FillGaps(IsWritten(steps, t) ? arena.poison : kInputGap);
    } else {
      filled.FillBytes(arena.poison);
    }
    arena.tensor[i] = GuardedBuffer(filled.size_in_bytes(), arena.placement, misalign * SizeOf(source.type()));
    if (!filled.empty()) std::memcpy(arena.tensor[i].data(), filled.data(), filled.size_in_bytes());
    arena.placed[i] = filled.bytes();
  }
  return arena;
}

// Shared with the child.
class SharedReport {
 public:
  SharedReport() {
    void* memory = mmap(nullptr, sizeof(ChildReport), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    report_ = new (memory) ChildReport();
  }
  ~SharedReport() { munmap(report_, sizeof(ChildReport)); }
  SharedReport(const SharedReport&) = delete;
  SharedReport& operator=(const SharedReport&) = delete;
  ChildReport* get() { return report_; }

 private:
  ChildReport* report_;
};

struct ChildEnd {
  bool timed_out = false;
  int wait_status = 0;
};

// Forks; returns when the child has ended. The pipe's write end is the child's alone, so that its
// end wakes poll().
ChildEnd ForkAndWait(const ChildTask& task, double timeout_seconds) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("cannot open a pipe");
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot fork");
  if (child == 0) {
    close(ends[0]);
    RunChild(task);
  }
  close(ends[1]);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(timeout_seconds);
  pollfd wait_for = {ends[0], POLLIN, 0};
  int ready = 0;
  while (ready == 0) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) break;
    ready = poll(&wait_for, 1, static_cast<int>(std::min<int64_t>(left.count(), 1000000)));
    if (ready < 0 && errno == EINTR) ready = 0;
  }
  close(ends[0]);
  ChildEnd end;
  end.timed_out = ready == 0;
  if (end.timed_out) kill(child, SIGKILL);
  while (waitpid(child, &end.wait_status, 0) < 0 && errno == EINTR) {
  }
  return end;
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
  if (end.timed_out) {
    char text[64];
    std::snprintf(text, sizeof text, " did not return within %g s", timeout_seconds);
    set(RunStatus::kTimeout, Verdict::kTimeout, InWords(child.stage) + text);
  } else if (WIFSIGNALED(end.wait_status)) {
    const char* name = strsignal(WTERMSIG(end.wait_status));
    set(RunStatus::kCrash, Verdict::kCrash,
        InWords(child.stage) + ": " + (name != nullptr ? name : "signal") + (said.empty() ? "" : ": it " + said));
  } else if (child.stage != ChildStage::kDone) {
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

TensorBuffer Fetch(const MemoryDesc& md, const GuardedBuffer& memory) {
  TensorBuffer buffer(md);
  if (!buffer.empty()) std::memcpy(buffer.data(), memory.data(), memory.size());
  return buffer;
}

// Inputs are mapped read-only in the child; a write through another mapping or other protection leaves its trace here.
void JudgeInput(Tensor t, const std::vector<Arena>& arenas, ExecutionReport* report) {
  for (const Arena& arena : arenas) {
    const std::vector<uint8_t>& placed = arena.placed[t];
    const bool same = std::memcmp(arena.tensor[t].data(), placed.data(), placed.size()) == 0;
    if (same && arena.tensor[t].CanaryHolds()) continue;
    report->outcome.Worsen(Verdict::kFail);
    report->message = ToString(t) + (same ? std::string(": wrote outside the tensor") : ": an input was changed");
  }
}

// Two runs on the same inputs: every byte written, none beside the elements, and the same result.
void JudgeOutput(const std::vector<RnnProblem>& steps, Tensor t, const std::vector<Arena>& arenas, TensorBuffer* result,
                 ExecutionReport* report) {
  const auto note = [&](Verdict verdict, const std::string& message) {
    if (verdict > report->outcome.verdict()) report->message = ToString(t) + (": " + message);
    report->outcome.Worsen(verdict);
  };
  const MemoryDesc md = result->md();
  const TensorBuffer runs[2] = {Fetch(md, arenas[0].tensor[t]), Fetch(md, arenas[1].tensor[t])};
  for (int i = 0; i < 2; ++i) {
    if (!runs[i].GapsHold(kPoison[i])) note(Verdict::kFail, "wrote between the rows");
    if (!arenas[i].tensor[t].CanaryHolds()) note(Verdict::kFail, "wrote outside the tensor");
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
  *result = runs[0];
}

}  // namespace

RnnProblem ForwardOf(const RnnProblem& problem) {
  RnnProblem forward = problem;
  forward.propagation = Propagation::kForwardTraining;
  for (int i = kDiffSrcLayer; i < kNumTensors; ++i) forward.md[i] = MemoryDesc{};
  return forward;
}

ExecutionReport RunIsolated(const Plugin& plugin, const RnnProblem& problem, const RunOptions& options,
                            TensorSet* tensors) {
  ChildTask task;
  task.plugin = &plugin;
  if (problem.IsBackward()) task.steps.push_back(ForwardOf(problem));
  task.steps.push_back(problem);
  std::vector<Arena> arenas;
  for (int run = 0; run < 2; ++run) {
    arenas.push_back(MakeArena(task.steps, *tensors, run, options.misalign));
    arenas.back().threads = options.threads[run];
  }
  SharedReport shared;
  task.free_layouts = options.free_layouts;
  task.arenas = &arenas;
  task.report = shared.get();
  task.environment = options.environment;
  const ChildEnd end = ForkAndWait(task, options.timeout_seconds);
  ExecutionReport report = Diagnose(end, *shared.get(), options.timeout_seconds);
  if (report.status != RunStatus::kOk) return report;
  for (int i = 0; i < kNumTensors; ++i) {
    const Tensor t = static_cast<Tensor>(i);
    if (!problem.Has(t)) continue;
    if (IsWritten(task.steps, t)) {
      JudgeOutput(task.steps, t, arenas, &tensors->tensor[i], &report);
    } else {
      JudgeInput(t, arenas, &report);
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
