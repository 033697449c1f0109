#include "conformance/sandbox/worker/task_runner.h"

#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <future>
#include <new>
#include <utility>
#include <vector>

#include "conformance/problem/tensor_set.h"
#include "conformance/sandbox/messages/messages.h"
#include "conformance/sandbox/messages/processes.h"
#include "conformance/sandbox/worker/companion.h"
#include "conformance/sandbox/worker/faults.h"
#include "conformance/sandbox/worker/process_state.h"
#include "conformance/sandbox/worker/thread_limit.h"
#include "conformance/sandbox/worker/thread_state.h"
#include "conformance/sandbox/worker/wide_offsets.h"
#include "conformance/sandbox/worker/zero_execution.h"

// This function is in a sanitizer's runtime, if there is one: glibc's mallinfo2() does not know its heap.
extern "C" size_t __sanitizer_get_current_allocated_bytes() __attribute__((weak));

namespace tandem::conformance {
namespace {

int64_t HeapBytes() {
  if (__sanitizer_get_current_allocated_bytes != nullptr) {
    return static_cast<int64_t>(__sanitizer_get_current_allocated_bytes());
  }
  const struct mallinfo2 heap = mallinfo2();
  return static_cast<int64_t>(heap.uordblks + heap.hblkhd);
}

// These are the outputs of forward_training that backward reads. The judge cannot compare them, because it has never seen them.
class ForwardOutputs {
 public:
  // The buffers must be shown.
  ForwardOutputs(const RunMemory& memory, const GuardedArena& outputs) : memory_(memory), outputs_(outputs) {
    for (size_t i = 0; i < kKept.size(); ++i) {
      const uint8_t* const data = DataOf(kKept[i]);
      if (data != nullptr) before_[i].assign(data, data + memory.span[kKept[i]].span.size);
    }
  }
  // Returns the first tensor that has changed; kNumTensors if none has.
  Tensor Changed() const {
    for (size_t i = 0; i < kKept.size(); ++i) {
      const std::vector<uint8_t>& before = before_[i];
      if (before.empty()) continue;
      if (std::memcmp(before.data(), DataOf(kKept[i]), before.size()) != 0) return kKept[i];
    }
    return kNumTensors;
  }

 private:
  const uint8_t* DataOf(Tensor t) const { return outputs_.GuardedData(memory_.span[t].span); }

  static constexpr auto kKept = kForwardOutputs;
  const RunMemory& memory_;
  const GuardedArena& outputs_;
  std::array<std::vector<uint8_t>, kKept.size()> before_;
};

class TaskRunner {
 public:
  TaskRunner(const LoadedPlugin& plugin, int socket)
      : given_(plugin.functions), knows_(plugin.knows), threads_(plugin.library) {
    context_.socket = socket;
    CatchFaults(&context_);
    process_ = ProcessState::Read();
  }

  // `descriptors` are those of new arenas, or there are none.
  TaskReport Run(const Task& task, const std::vector<OwnedFd>& descriptors) {
    context_.report = TaskReport();
    context_.report.task = task.number;
    context_.buffer = {};
    TaskVerdict verdict = TaskVerdict::kFailed;
    try {
      Map(task, descriptors);
      PlaceText();
      context_.buffer[kText] = {&text_memory_, text_};
      plugin_ = task.offsets == Offsets::kWide ? WithWideOffsets(given_) : given_;
      verdict = task.num_runs == 0 ? Ask(task, 0) : RunAll(task);
    } catch (const std::bad_alloc&) {
      std::snprintf(report()->message, sizeof report()->message,
                    "there is no memory for the workspace or the scratchpad that supports() asked for");
    }
    context_.report.heap_bytes = HeapBytes();
    if (verdict == TaskVerdict::kOk && LeavesProcess()) verdict = TaskVerdict::kFailed;
    changes_ = RestoreProcess();
    if (verdict == TaskVerdict::kOk && !changes_.empty()) verdict = CallerChanged();
    context_.report.verdict = static_cast<int32_t>(verdict);
    return context_.report;
  }

 private:
  TaskReport* report() { return &context_.report; }

  // The judge is told before each call: afterwards it may be too late.
  void Enter(TaskStage stage) {
    report()->stage = static_cast<int32_t>(stage);
    report()->message[0] = '\0';
    if (stage == TaskStage::kAsking || stage == TaskStage::kRunning) Send(context_.socket, *report());
  }

  // Calls the plugin, with a buffer between guards for its text.
  template <class Call>
  int32_t KeepText(const Call& call) {
    const uint8_t* const text = text_memory_.Data(text_);
    *text_memory_.Data(text_) = '\0';
    const ThreadState before = ThreadState::Read();
    const int32_t status = call(reinterpret_cast<char*>(text_memory_.GuardedData(text_)), text_.size);
    std::memcpy(report()->message, text, text_.size);
    report()->message[text_.size - 1] = '\0';
    changes_ = ThreadState::Read().ChangesSince(before);
    if (!changes_.empty()) before.Restore();
    return status;
  }

  void PlaceText() {
    constexpr size_t kBytes = sizeof TaskReport::message;
    if (text_.exists()) return;
    text_memory_ = GuardedArena(GuardedArena::Needs(kBytes, 0));
    text_ = text_memory_.Add(kBytes, Placement::kAtEnd, 0);
    text_memory_.Show({{text_, Access::kReadWrite}});
  }

  void Map(const Task& task, const std::vector<OwnedFd>& descriptors) {
    if (descriptors.size() != kNumArenas) return;
    for (int i = 0; i < kNumArenas; ++i) {
      shared_[i] = GuardedArena::Guarded(descriptors[i].get(), task.arena_bytes[i]);
    }
  }

  const GuardedArena& ArenaOf(const SharedSpan& span) const { return shared_[static_cast<size_t>(span.arena)]; }
  uint8_t* DataOf(const SharedSpan& span) const { return ArenaOf(span).GuardedData(span.span); }

  // From this call on, the plugin may access the scales and these tensors (1 << Tensor), and write those that the step writes.
  void ShowShared(const TaskStep& step, const RunMemory& memory, uint64_t tensors) {
    std::array<std::vector<ShownSpan>, kNumArenas> spans;
    for (int i = 0; i < kNumSpans; ++i) {
      const bool is_tensor = i < kNumTensors;
      if (!memory.span[i].span.exists() || (is_tensor && (tensors >> i & 1) == 0)) continue;
      const bool written = is_tensor && (step.written >> i & 1) != 0;
      spans[static_cast<size_t>(memory.span[i].arena)].push_back(
          {memory.span[i].span, written ? Access::kReadWrite : Access::kRead});
    }
    for (int i = 0; i < kNumArenas; ++i) shared_[i].Show(std::move(spans[i]));
  }
  static uint64_t TensorsOf(const TaskStep& step) {
    uint64_t tensors = 0;
    for (int i = 0; i < kNumTensors; ++i) tensors |= static_cast<uint64_t>(step.stated.tensor[i].ndims != 0) << i;
    return tensors;
  }

  // Calls supports() for each step. The memory that a run needs may depend on its number of threads.
  TaskVerdict Ask(const Task& task, int run) {
    threads_.Set(task.run[run].threads);
    needs_.scratchpad = {};
    for (int i = 0; i < task.num_steps; ++i) {
      tandem_requirements needs = {};
      const TaskVerdict verdict = Ask(task.step[i], task.run[run], &needs);
      if (verdict != TaskVerdict::kOk) return verdict;
      needs_.workspace = needs.workspace_bytes;
      needs_.scratchpad[i] = needs.scratchpad_bytes;
    }
    return TaskVerdict::kOk;
  }

  TaskVerdict RunAll(const Task& task) {
    for (int run = 0; run < task.num_runs; ++run) {
      const RunMemory& memory = task.run[run];
      if (run == 0 || memory.threads != task.run[run - 1].threads) {
        const TaskVerdict verdict = Ask(task, run);
        if (verdict != TaskVerdict::kOk) return verdict;
      }
      const bool accompanied = run > 0 && task.company == Company::kOtherThread;
      const TaskVerdict verdict = accompanied ? RunInCompany(task, memory) : RunOnce(task, memory);
      if (verdict != TaskVerdict::kOk) return verdict;
    }
    return TaskVerdict::kOk;
  }

  TaskVerdict RunOnce(const Task& task, const RunMemory& memory) {
    NameBuffers(memory);
    Reserve(memory);
    workspace_ = Poisoned(kWorkspace, needs_.workspace, memory);
    for (int i = 0; i < task.num_steps; ++i) {
      scratchpad_ = Poisoned(kScratchpad, needs_.scratchpad[i], memory);
      const TaskVerdict verdict = i == 0 ? RunStep(task.step[i], memory) : RunBackward(task.step[i], memory);
      if (verdict != TaskVerdict::kOk) return verdict;
      if (i == 0 && task.num_steps > 1 && task.interlude == Interlude::kOtherForward) {
        if (RunOtherForward(task, memory) != TaskVerdict::kOk) return TaskVerdict::kFailed;
      }
    }
    return RunOnStatesLeft(task, memory);
  }

  // The run is in a new thread, to find a plugin that has prepared only the thread of its first call.
  TaskVerdict RunInCompany(const Task& task, const RunMemory& memory) {
    ZeroExecution zeros = OnZeros(task, memory);
    Companion companion(plugin_, &zeros, task.num_steps, threads_);
    const auto run = [&] {
      threads_.OfThisThread(memory.threads);
      return RunOnce(task, memory);
    };
    const TaskVerdict verdict = std::async(std::launch::async, run).get();
    const std::string& failure = companion.Stop();
    if (verdict != TaskVerdict::kOk || failure.empty()) return verdict;
    std::snprintf(report()->message, sizeof report()->message, "%s", failure.c_str());
    return TaskVerdict::kFailed;
  }

  // Makes the executions after the first one. Outputs hold the poison again before each.
  TaskVerdict RunOnStatesLeft(const Task& task, RunMemory memory) {
    for (int execution = 1; execution < task.executions; ++execution) {
      memory = WithStatesExchanged(memory);
      NameBuffers(memory);
      ShowShared(task.step[0], memory, TensorsOf(task.step[0]));
      for (const Tensor t : kForwardOutputs) {
        const SharedSpan& output = memory.span[t];
        if (output.span.exists()) std::memset(DataOf(output), memory.poison, output.span.size);
      }
      const TaskVerdict verdict = RunStep(task.step[0], memory);
      if (verdict != TaskVerdict::kOk) return verdict;
    }
    return TaskVerdict::kOk;
  }

  ZeroExecution OnZeros(const Task& task, const RunMemory& memory) {
    std::array<StatedProblem, 2> stated = {With(task.step[0].stated, memory), With(task.step[1].stated, memory)};
    ShowShared(task.step[0], memory, uint64_t{1} << kSequenceLengths);
    const bool has_lengths = task.step[0].stated.tensor[kSequenceLengths].ndims != 0;
    const uint8_t* const lengths =
        has_lengths ? DataOf(memory.span[kSequenceLengths]) + task.step[0].offset[kSequenceLengths] : nullptr;
    return ZeroExecution(task, memory, stated, reinterpret_cast<const int32_t*>(lengths), needs_);
  }

  // The plugin may keep something of this run. It must not reach the backward step, which has a workspace of its own.
  TaskVerdict RunOtherForward(const Task& task, const RunMemory& memory) {
    ZeroExecution zeros = OnZeros(task, memory);
    own_.Show({});
    Enter(TaskStage::kRunning);
    const int32_t status =
        KeepText([&](char* message, size_t message_size) { return zeros.Run(plugin_, 0, message, message_size); });
    return status == tandem_ok ? TaskVerdict::kOk : TaskVerdict::kFailed;
  }

  TaskVerdict Ask(const TaskStep& step, const RunMemory& memory, tandem_requirements* needs) {
    ShowShared(step, memory, 0);
    StatedProblem stated = With(step.stated, memory);
    if (const char* const lack = LackOf(knows_, stated)) {
      std::snprintf(report()->message, sizeof report()->message, "it has no %s", lack);
      return TaskVerdict::kNotSupported;
    }
    needs->size = sizeof *needs;
    Enter(TaskStage::kAsking);
    const int32_t status = KeepText([&](char* reason, size_t reason_size) {
      return plugin_->supports(plugin_, stated.get(), needs, reason, reason_size);
    });
    if (!text_memory_.CanaryHolds(text_)) return Found(MemoryFault::kCanary, kText);
    if (!changes_.empty()) return CallerChanged();
    return status == tandem_ok              ? TaskVerdict::kOk
           : status == tandem_not_supported ? TaskVerdict::kNotSupported
                                            : TaskVerdict::kFailed;
  }

  StatedProblem With(StatedProblem stated, const RunMemory& memory) {
    tandem_problem& problem = stated.problem;
    problem.threads = memory.threads;
    problem.weights_scales.values = reinterpret_cast<const float*>(DataOf(memory.span[kWeightsScales]));
    problem.projection_scales.values = reinterpret_cast<const float*>(DataOf(memory.span[kProjectionScales]));
    return stated;
  }

  TaskVerdict RunStep(const TaskStep& step, const RunMemory& memory) {
    ShowShared(step, memory, TensorsOf(step));
    own_.Show({{workspace_, Access::kReadWrite}, {scratchpad_, Access::kReadWrite}});
    StatedProblem stated = With(step.stated, memory);
    for (int i = 0; i < kNumTensors; ++i) {
      if (stated.tensor[i].ndims != 0) stated.tensor[i].data = DataOf(memory.span[i]) + step.offset[i];
    }
    tandem_plugin_memory own = {};
    own.size = sizeof own;
    own.workspace = workspace_.size != 0 ? own_.GuardedData(workspace_) : nullptr;
    own.workspace_bytes = workspace_.size;
    own.scratchpad = scratchpad_.size != 0 ? own_.GuardedData(scratchpad_) : nullptr;
    own.scratchpad_bytes = scratchpad_.size;
    Enter(TaskStage::kRunning);
    const int32_t status = KeepText([&](char* message, size_t message_size) {
      return plugin_->run(plugin_, stated.get(), &own, message, message_size);
    });
    if (status == tandem_not_supported && stated.tensor[tandem_sequence_lengths].ndims != 0) {
      return TaskVerdict::kNotSupported;  // the values of the lengths are refused
    }
    if (status != tandem_ok) return TaskVerdict::kFailed;
    if (!changes_.empty()) return CallerChanged();
    Enter(TaskStage::kChecking);
    if (!text_memory_.CanaryHolds(text_)) return Found(MemoryFault::kCanary, kText);
    if (!own_.CanaryHolds(workspace_)) return Found(MemoryFault::kCanary, kWorkspace);
    if (!own_.CanaryHolds(scratchpad_)) return Found(MemoryFault::kCanary, kScratchpad);
    return TaskVerdict::kOk;
  }

  TaskVerdict RunBackward(const TaskStep& step, const RunMemory& memory) {
    ShowShared(step, memory, TensorsOf(step));
    const ForwardOutputs forward(memory, shared_[static_cast<size_t>(ArenaKind::kOutputs)]);
    const TaskVerdict verdict = RunStep(step, memory);
    const Tensor changed = verdict == TaskVerdict::kOk ? forward.Changed() : kNumTensors;
    return changed == kNumTensors ? verdict : Found(MemoryFault::kInputChanged, changed);
  }

  TaskVerdict Found(MemoryFault fault, int span) {
    report()->fault = static_cast<int32_t>(fault);
    report()->span = span;
    return TaskVerdict::kFailed;
  }

  TaskVerdict CallerChanged() {
    std::snprintf(report()->message, sizeof report()->message, "%s", changes_.c_str());
    return Found(MemoryFault::kThreadChanged, 0);
  }

  // Restores the state that the calls have changed, and names it: the verdict about the next task must not depend on it.
  std::string RestoreProcess() const {
    std::string changes = ProcessState::Read().ChangesSince(process_);
    if (!changes.empty()) process_.Restore();
    return changes;
  }

  // Processes of this one's group end with it, and a plugin may keep them until then.
  bool LeavesProcess() {
    siginfo_t child;
    if (waitid(P_ALL, 0, &child, WEXITED | WNOHANG | WNOWAIT) != 0 && errno == ECHILD) return false;
    const std::string names = KillAll([] { return Outside(getpgrp(), Descendants(getpid())); });
    if (names.empty()) return false;
    report()->fault = static_cast<int32_t>(MemoryFault::kProcessLeft);
    std::snprintf(report()->message, sizeof report()->message, "%s", names.c_str());
    return true;
  }

  void NameBuffers(const RunMemory& memory) {
    for (int i = 0; i < kNumSpans; ++i) context_.buffer[i] = {&ArenaOf(memory.span[i]), memory.span[i].span};
  }

  // Reserves room for one workspace and for the scratchpad of each step.
  void Reserve(const RunMemory& memory) {
    const size_t offset = memory.misalign_elements;
    const uint64_t scratchpad = std::max(needs_.scratchpad[0], needs_.scratchpad[1]);
    const size_t needed = GuardedArena::Needs(needs_.workspace, offset) + 2 * GuardedArena::Needs(scratchpad, offset);
    if (needed > own_.capacity()) own_ = GuardedArena(needed);
    own_.Clear();
  }

  GuardedSpan Poisoned(int index, uint64_t bytes, const RunMemory& memory) {
    const GuardedSpan span = own_.Add(bytes, memory.placement, memory.misalign_elements);
    context_.buffer[index] = {&own_, span};
    std::memset(own_.Data(span), memory.poison, span.size);
    return span;
  }

  const tandem_plugin* const given_;
  const Known knows_;
  const tandem_plugin* plugin_ = nullptr;
  ThreadLimit threads_;
  FaultContext context_;
  std::array<GuardedArena, kNumArenas> shared_;
  GuardedArena own_, text_memory_;
  Needs needs_;
  std::string changes_;   // changes that the last call has left in its thread, or the task in its process
  ProcessState process_;  // the state before the first task
  GuardedSpan workspace_, scratchpad_, text_;
};

}  // namespace

void ServeTasks(const LoadedPlugin& plugin, int socket) noexcept {
  TaskRunner runner(plugin, socket);
  Task task;
  std::vector<OwnedFd> descriptors;
  while (Receive(socket, Wait::kYes, &task, &descriptors) == Received::kMessage) {
    const TaskReport report = runner.Run(task, descriptors);
    descriptors.clear();
    std::fflush(nullptr);
    if (!Send(socket, report)) break;
  }
  // exit() would run the destructors of foreign libraries, which may crash.
  _exit(kExitNoConnection);
}

}  // namespace tandem::conformance
