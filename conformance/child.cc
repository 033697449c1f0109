#include "conformance/child.h"

#include <dlfcn.h>
#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "conformance/tensor_set.h"

namespace tandem::conformance {
namespace {

// For the signal handler, which gets no context of ours.
const ChildTask* g_task = nullptr;
const GuardedBuffer* g_workspace = nullptr;
const GuardedBuffer* g_scratchpad = nullptr;

const char* AccessKind(void* context) {
#if defined(__x86_64__)
  // Bit 1 of the page fault's error code: the access was a write.
  const auto* uc = static_cast<const ucontext_t*>(context);
  return (uc->uc_mcontext.gregs[REG_ERR] & 2) ? "wrote" : "read";
#else
  (void)context;
  return "touched memory";
#endif
}

void Report(const char* kind, const char* where, const char* what) {
  ChildReport* report = g_task->report;
  const bool input = std::strcmp(where, "in") == 0;
  std::snprintf(report->message, sizeof report->message, "%s %s %s%s", kind, where, input ? "the read-only " : "",
                what);
}

void OnFault(int signal, siginfo_t* info, void* context) {
  const Arena& arena = (*g_task->arenas)[g_task->report->run];
  const char* kind = AccessKind(context);
  for (int i = 0; i < kNumTensors; ++i) {
    const char* where = arena.tensor[i].Describe(info->si_addr);
    if (where != nullptr) Report(kind, where, ToString(static_cast<Tensor>(i)));
  }
  for (const GuardedBuffer* buffer : {g_workspace, g_scratchpad}) {
    const char* where = buffer != nullptr ? buffer->Describe(info->si_addr) : nullptr;
    if (where != nullptr) Report(kind, where, buffer == g_workspace ? "workspace" : "scratchpad");
  }
  // Back to the default action: the parent sees the signal itself.
  ::signal(signal, SIG_DFL);
  raise(signal);
}

void CatchFaults() {
  // A stack of its own, so that an overflow of the usual one is reported too.
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

[[noreturn]] void End(ChildVerdict verdict) {
  g_task->report->verdict = verdict;
  g_task->report->stage = ChildStage::kDone;
  std::fflush(nullptr);
  _exit(0);
}

tandem_requirements Ask(const RnnProblem& step) {
  ChildReport* report = g_task->report;
  report->stage = ChildStage::kAsking;
  const tandem_problem problem = ToPluginProblem(step, g_task->free_layouts);
  tandem_requirements needs = {};
  needs.size = sizeof needs;
  const tandem_plugin* plugin = g_task->plugin->functions;
  const int32_t status = plugin->supports(plugin, &problem, &needs, report->message, sizeof report->message);
  report->message[sizeof report->message - 1] = '\0';
  if (status == tandem_not_supported) End(ChildVerdict::kNotSupported);
  if (status != tandem_ok) End(ChildVerdict::kFailed);
  return needs;
}

void Stray(const char* what) {
  std::snprintf(g_task->report->message, sizeof g_task->report->message, "wrote outside %s", what);
  End(ChildVerdict::kStray);
}

// An OpenMP runtime that is loaded already does not read its environment again.
void LimitThreads(int threads) {
  if (threads == 0) return;
  setenv("OMP_NUM_THREADS", std::to_string(threads).c_str(), 1);
  void* library = g_task->plugin->library;
  void* set = dlsym(library != nullptr ? library : RTLD_DEFAULT, "omp_set_num_threads");
  if (set != nullptr) reinterpret_cast<void (*)(int)>(set)(threads);
}

// What the forward_training run left and backward reads: the parent has never seen it.
class ForwardOutputs {
 public:
  ForwardOutputs(const RnnProblem& step, const Arena& arena) : arena_(arena) {
    if (!step.IsBackward()) return;
    for (Tensor t : {kDstLayer, kDstIter, kDstIterC}) {
      const GuardedBuffer& buffer = arena.tensor[t];
      if (step.Has(t)) before_[t].assign(buffer.data(), buffer.data() + buffer.size());
    }
  }
  void ExpectUnchanged() const {
    for (Tensor t : {kDstLayer, kDstIter, kDstIterC}) {
      if (std::memcmp(before_[t].data(), arena_.tensor[t].data(), before_[t].size()) == 0) continue;
      std::snprintf(g_task->report->message, sizeof g_task->report->message, "%s: backward changed it", ToString(t));
      End(ChildVerdict::kStray);
    }
  }

 private:
  const Arena& arena_;
  std::array<std::vector<uint8_t>, kNumTensors> before_;
};

void RunStep(const RnnProblem& step, const Arena& arena, const GuardedBuffer& workspace,
             const GuardedBuffer& scratchpad) {
  ChildReport* report = g_task->report;
  tandem_problem problem = ToPluginProblem(step, g_task->free_layouts);
  problem.threads = arena.threads;
  const ForwardOutputs forward(step, arena);
  for (int i = 0; i < kNumTensors; ++i) {
    const Tensor t = static_cast<Tensor>(i);
    if (!step.Has(t)) continue;
    const size_t offset = static_cast<size_t>(step.md[i].offset0) * SizeOf(TypeOf(step.md[i]));
    problem.tensor[i].data = arena.tensor[i].data() + offset;
    arena.tensor[i].Protect(IsOutput(step, t) ? Access::kReadWrite : Access::kRead);
  }
  tandem_plugin_memory memory = {};
  memory.size = sizeof memory;
  memory.workspace = workspace.size() != 0 ? workspace.data() : nullptr;
  memory.workspace_bytes = workspace.size();
  memory.scratchpad = scratchpad.size() != 0 ? scratchpad.data() : nullptr;
  memory.scratchpad_bytes = scratchpad.size();
  report->stage = ChildStage::kRunning;
  const tandem_plugin* plugin = g_task->plugin->functions;
  const int32_t status = plugin->run(plugin, &problem, &memory, report->message, sizeof report->message);
  report->message[sizeof report->message - 1] = '\0';
  report->stage = ChildStage::kChecking;
  if (status != tandem_ok) End(ChildVerdict::kFailed);
  if (!workspace.CanaryHolds()) Stray("the workspace");
  if (!scratchpad.CanaryHolds()) Stray("the scratchpad");
  forward.ExpectUnchanged();
}

GuardedBuffer Poisoned(uint64_t bytes, const Arena& arena) {
  GuardedBuffer buffer(bytes, arena.placement, arena.misalign_elements);
  std::memset(buffer.data(), arena.poison, buffer.size());
  return buffer;
}

}  // namespace

void RunChild(const ChildTask& task) {
  g_task = &task;
  CatchFaults();
  for (const std::string& setting : task.environment) {
    const size_t equals = setting.find('=');
    setenv(setting.substr(0, equals).c_str(), setting.substr(equals + 1).c_str(), 1);
  }
  uint64_t workspace_bytes = 0;
  std::vector<uint64_t> scratchpad_bytes;
  for (const RnnProblem& step : task.steps) {
    const tandem_requirements needs = Ask(step);
    workspace_bytes = needs.workspace_bytes;
    scratchpad_bytes.push_back(needs.scratchpad_bytes);
  }
  for (size_t run = 0; run < task.arenas->size(); ++run) {
    const Arena& arena = (*task.arenas)[run];
    task.report->run = static_cast<int>(run);
    LimitThreads(arena.threads);
    const GuardedBuffer workspace = Poisoned(workspace_bytes, arena);
    g_workspace = &workspace;
    for (size_t i = 0; i < task.steps.size(); ++i) {
      const GuardedBuffer scratchpad = Poisoned(scratchpad_bytes[i], arena);
      g_scratchpad = &scratchpad;
      RunStep(task.steps[i], arena, workspace, scratchpad);
      g_scratchpad = nullptr;
    }
    g_workspace = nullptr;
  }
  End(ChildVerdict::kOk);
}

}  // namespace tandem::conformance
