#include "conformance/host/child.h"

#include <dlfcn.h>
#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "conformance/problem/tensor_set.h"

namespace tandem::conformance {
namespace {

// Global, because a signal handler has no other way to them.
Mailbox* g_mailbox = nullptr;
GuardedSpan g_workspace;
GuardedSpan g_scratchpad;

FaultAccess AccessOf(void* context) {
#if defined(__x86_64__)
  // Bit 1 of the page fault's error code: the access was a write.
  const auto* uc = static_cast<const ucontext_t*>(context);
  return (uc->uc_mcontext.gregs[REG_ERR] & 2) ? FaultAccess::kWrite : FaultAccess::kRead;
#else
  (void)context;
  return FaultAccess::kUnknown;
#endif
}

void ReportFault(int index, const GuardedSpan& span, const void* address, FaultAccess access) {
  ChildReport* report = &g_mailbox->report;
  const Side side = span.SideOf(address);
  if (side == Side::kElsewhere) return;
  report->finding = side == Side::kInside ? Finding::kReadOnly : Finding::kGuardPage;
  report->span = index;
  report->access = access;
  report->side = side;
}

void OnFault(int signal, siginfo_t* info, void* context) {
  const RunMemory& memory = g_mailbox->task.run[g_mailbox->report.run];
  const FaultAccess access = AccessOf(context);
  for (int i = 0; i < kNumSpans; ++i) ReportFault(i, memory.span[i], info->si_addr, access);
  ReportFault(kWorkspace, g_workspace, info->si_addr, access);
  ReportFault(kScratchpad, g_scratchpad, info->si_addr, access);
  // The default action ends the process, so that the parent sees the signal.
  ::signal(signal, SIG_DFL);
  raise(signal);
}

void CatchFaults() {
  // The handler has a stack of its own, so that a stack overflow is reported too.
  static uint8_t stack[64 * 1024];
  stack_t alternate = {};
  alternate.ss_sp = stack;
  alternate.ss_size = sizeof stack;
  sigaltstack(&alternate, nullptr);
  struct sigaction action = {};
  action.sa_sigaction = OnFault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (int signal : {SIGSEGV, SIGBUS}) sigaction(signal, &action, nullptr);
}

// Limits OpenMP's threads. A runtime that is already loaded does not read its environment again and needs a call.
class ThreadLimit {
 public:
  explicit ThreadLimit(void* library) {
    void* const where = library != nullptr ? library : RTLD_DEFAULT;
    set_ = reinterpret_cast<void (*)(int)>(dlsym(where, "omp_set_num_threads"));
    const auto get = reinterpret_cast<int (*)()>(dlsym(where, "omp_get_max_threads"));
    const char* usual = getenv(kVariable);
    if (usual != nullptr) usual_ = usual;
    if (get != nullptr) usual_threads_ = get();
  }
  // 0: as many as at first.
  void Set(int threads) {
    if (threads == limit_) return;
    limit_ = threads;
    if (threads != 0) {
      setenv(kVariable, std::to_string(threads).c_str(), 1);
    } else if (usual_.empty()) {
      unsetenv(kVariable);
    } else {
      setenv(kVariable, usual_.c_str(), 1);
    }
    if (set_ != nullptr) set_(threads != 0 ? threads : usual_threads_);
  }

 private:
  static constexpr const char* kVariable = "OMP_NUM_THREADS";
  void (*set_)(int) = nullptr;
  int usual_threads_ = 1;
  std::string usual_;
  int limit_ = 0;
};

// The outputs of forward_training that backward reads. The parent cannot compare them: they have never been there.
class ForwardOutputs {
 public:
  explicit ForwardOutputs(const RunMemory& memory) : memory_(memory) {
    for (size_t i = 0; i < kKept.size(); ++i) {
      const GuardedSpan& span = memory.span[kKept[i]];
      span.Open(Access::kRead);
      if (span.exists()) before_[i].assign(span.data, span.data + span.size);
    }
  }
  // The first tensor that differs from what it was; kNumTensors: none does.
  Tensor Changed() const {
    for (size_t i = 0; i < kKept.size(); ++i) {
      const std::vector<uint8_t>& before = before_[i];
      if (before.empty()) continue;
      if (std::memcmp(before.data(), memory_.span[kKept[i]].data, before.size()) != 0) return kKept[i];
    }
    return kNumTensors;
  }

 private:
  static constexpr std::array<Tensor, 3> kKept = {kDstLayer, kDstIter, kDstIterC};
  const RunMemory& memory_;
  std::array<std::vector<uint8_t>, 3> before_;
};

// Runs the mailbox's task.
class TaskRunner {
 public:
  explicit TaskRunner(const ChildSetup& setup)
      : setup_(setup), plugin_(setup.plugin->functions), threads_(setup.plugin->library) {}

  ChildVerdict Run() {
    const ChildTask& task = setup_.mailbox->task;
    CloseArenas();
    uint64_t workspace_bytes = 0;
    std::array<uint64_t, 2> scratchpad_bytes{};
    for (int run = 0; run < kNumRuns; ++run) {
      const RunMemory& memory = task.run[run];
      report()->run = run;
      // The memory that a run needs may depend on its number of threads.
      const bool ask = run == 0 || memory.threads != task.run[run - 1].threads;
      if (ask) threads_.Set(memory.threads);
      for (int i = 0; ask && i < task.num_steps; ++i) {
        tandem_requirements needs = {};
        const ChildVerdict verdict = Ask(task.step[i], memory, &needs);
        if (verdict != ChildVerdict::kOk) return verdict;
        workspace_bytes = needs.workspace_bytes;
        scratchpad_bytes[i] = needs.scratchpad_bytes;
      }
      Reserve(workspace_bytes, std::max(scratchpad_bytes[0], scratchpad_bytes[1]), memory);
      g_workspace = Poisoned(workspace_bytes, memory);
      for (int i = 0; i < task.num_steps; ++i) {
        own_arena_.Close();
        g_workspace.Open(Access::kReadWrite);
        g_scratchpad = Poisoned(scratchpad_bytes[i], memory);
        const ChildVerdict verdict = i == 0 ? RunStep(task.step[i], memory) : RunBackward(task.step[i], memory);
        g_scratchpad = GuardedSpan();
        if (verdict != ChildVerdict::kOk) return verdict;
      }
      g_workspace = GuardedSpan();
    }
    return ChildVerdict::kOk;
  }

 private:
  ChildReport* report() { return &setup_.mailbox->report; }

  // Closes only the arenas that were opened: each call takes some microseconds.
  void CloseArenas() {
    for (int run = 0; run < kNumRuns; ++run) {
      if (open_[run]) (*setup_.arenas)[run].Close();
      open_[run] = false;
    }
  }

  ChildVerdict Ask(const ChildStep& step, const RunMemory& memory, tandem_requirements* needs) {
    report()->stage = ChildStage::kAsking;
    tandem_problem problem = WithScales(step.problem, memory);
    problem.threads = memory.threads;
    needs->size = sizeof *needs;
    const int32_t status = plugin_->supports(plugin_, &problem, needs, report()->message, sizeof report()->message);
    report()->message[sizeof report()->message - 1] = '\0';
    return status == tandem_ok              ? ChildVerdict::kOk
           : status == tandem_not_supported ? ChildVerdict::kNotSupported
                                            : ChildVerdict::kFailed;
  }

  tandem_problem WithScales(tandem_problem problem, const RunMemory& memory) {
    open_[&memory - setup_.mailbox->task.run.data()] = true;
    for (int span : {kWeightsScales, kProjectionScales}) {
      memory.span[span].Open(Access::kRead);
    }
    problem.weights_scales.values = reinterpret_cast<const float*>(memory.span[kWeightsScales].data);
    problem.projection_scales.values = reinterpret_cast<const float*>(memory.span[kProjectionScales].data);
    return problem;
  }

  ChildVerdict RunStep(const ChildStep& step, const RunMemory& memory) {
    CloseArenas();
    tandem_problem problem = WithScales(step.problem, memory);
    problem.threads = memory.threads;
    for (int i = 0; i < kNumTensors; ++i) {
      if (problem.tensor[i].ndims == 0) continue;
      problem.tensor[i].data = memory.span[i].data + step.offset[i];
      memory.span[i].Open((step.written >> i & 1) != 0 ? Access::kReadWrite : Access::kRead);
    }
    tandem_plugin_memory own = {};
    own.size = sizeof own;
    own.workspace = g_workspace.size != 0 ? g_workspace.data : nullptr;
    own.workspace_bytes = g_workspace.size;
    own.scratchpad = g_scratchpad.size != 0 ? g_scratchpad.data : nullptr;
    own.scratchpad_bytes = g_scratchpad.size;
    report()->stage = ChildStage::kRunning;
    const int32_t status = plugin_->run(plugin_, &problem, &own, report()->message, sizeof report()->message);
    report()->message[sizeof report()->message - 1] = '\0';
    if (status != tandem_ok) return ChildVerdict::kFailed;
    report()->stage = ChildStage::kChecking;
    if (!g_workspace.CanaryHolds()) return Found(Finding::kCanary, kWorkspace);
    if (!g_scratchpad.CanaryHolds()) return Found(Finding::kCanary, kScratchpad);
    return ChildVerdict::kOk;
  }

  ChildVerdict RunBackward(const ChildStep& step, const RunMemory& memory) {
    const ForwardOutputs forward(memory);
    const ChildVerdict verdict = RunStep(step, memory);
    const Tensor changed = verdict == ChildVerdict::kOk ? forward.Changed() : kNumTensors;
    return changed == kNumTensors ? verdict : Found(Finding::kInputChanged, changed);
  }

  ChildVerdict Found(Finding finding, int span) {
    report()->finding = finding;
    report()->span = span;
    return ChildVerdict::kFailed;
  }

  // Reserves room for one workspace and for the scratchpad of each step.
  void Reserve(uint64_t workspace, uint64_t scratchpad, const RunMemory& memory) {
    const size_t offset = memory.misalign_elements;
    const size_t needed = GuardedArena::Needs(workspace, offset) + 2 * GuardedArena::Needs(scratchpad, offset);
    if (needed > own_arena_.capacity()) own_arena_ = GuardedArena(needed);
    own_arena_.Clear();
    own_arena_.Close();
  }

  GuardedSpan Poisoned(uint64_t bytes, const RunMemory& memory) {
    const GuardedSpan span = own_arena_.Add(bytes, memory.placement, memory.misalign_elements);
    std::memset(span.data, memory.poison, span.size);
    return span;
  }

  const ChildSetup& setup_;
  const tandem_plugin* plugin_;
  ThreadLimit threads_;
  GuardedArena own_arena_;
  std::array<bool, kNumRuns> open_ = {true, true};
};

bool ReadCommand(int commands) {
  char byte;
  ssize_t count;
  do count = read(commands, &byte, 1);
  while (count < 0 && errno == EINTR);
  return count == 1;
}

}  // namespace

void ServeTasks(const ChildSetup& setup) noexcept {
  g_mailbox = setup.mailbox;
  CatchFaults();
  for (const std::string& setting : setup.environment) {
    const size_t equals = setting.find('=');
    setenv(setting.substr(0, equals).c_str(), setting.substr(equals + 1).c_str(), 1);
  }
  TaskRunner runner(setup);
  while (ReadCommand(setup.commands)) {
    setup.mailbox->report.verdict = runner.Run();
    std::fflush(nullptr);
    const char done = 1;
    if (write(setup.answers, &done, 1) != 1) break;
  }
  _exit(0);
}

}  // namespace tandem::conformance
