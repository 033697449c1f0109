#include "conformance/sandbox/executor.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

#include "conformance/sandbox/deadline.h"

namespace tandem::conformance {
namespace {

// This size is enough for nearly all random problems, so memory is seldom mapped again.
constexpr size_t kUsualArena = size_t{4} << 20;
constexpr int kMostReports = 64;
// A worker needs milliseconds to report a task before it calls the plugin, and to end after it has closed its socket.
constexpr double kReceiptSeconds = 5, kEndSeconds = 5;

}  // namespace

Executor::Executor(const Plugin& plugin, const std::vector<std::string>& environment, Process process)
    : worker_(plugin.worker), environment_(plugin.environment), use_(process) {
  environment_.insert(environment_.end(), environment.begin(), environment.end());
}

Executor::~Executor() {
  if (process_ != nullptr && use_ == Process::kAny) worker_->GiveBack(environment_, std::move(process_));
}

Executor::SharedArena Executor::MakeShared(ArenaKind kind, size_t bytes) {
  SharedArena shared;
  shared.fd = OwnedFd(memfd_create("tandem", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  const int fd = shared.fd.get();
  // `ulimit -f` counts here, too.
  if (fd < 0 || ftruncate(fd, static_cast<off_t>(bytes)) != 0) {
    throw std::runtime_error("cannot share " + std::to_string(bytes) + " bytes with a worker: " + std::strerror(errno));
  }
  shared.arena = GuardedArena::Open(fd, bytes);
  // The worker can neither shrink nor grow the memory. Only this process has a mapping that may write to inputs.
  const int seals = F_SEAL_SHRINK | F_SEAL_GROW | (kind == ArenaKind::kInputs ? F_SEAL_FUTURE_WRITE : 0) | F_SEAL_SEAL;
  if (fcntl(fd, F_ADD_SEALS, seals) != 0) throw std::runtime_error("cannot seal memory (needs Linux 5.1)");
  return shared;
}

void Executor::Reserve(const std::array<size_t, kNumArenas>& bytes) {
  const uint64_t number = task_.number;
  task_ = Task();
  task_.number = number + 1;
  for (int i = 0; i < kNumArenas; ++i) {
    SharedArena& shared = shared_[i];
    if (bytes[i] > shared.arena.capacity()) {
      const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
      shared = MakeShared(static_cast<ArenaKind>(i), (std::max(bytes[i], kUsualArena) + page - 1) / page * page);
      process_has_arenas_ = false;
    }
    shared.arena.Clear();
    task_.arena_bytes[i] = shared.arena.capacity();
  }
}

bool Executor::SendTask() {
  std::vector<int> descriptors;
  if (!process_has_arenas_) {
    for (const SharedArena& shared : shared_) descriptors.push_back(shared.fd.get());
  }
  process_has_arenas_ = Send(process_->tasks(), task_, descriptors);
  return process_has_arenas_;
}

TaskEnd Executor::Run(double timeout_seconds) {
  const auto start = std::chrono::steady_clock::now();
  const TaskEnd end = RunTask(timeout_seconds);
  seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return end;
}

TaskEnd Executor::RunTask(double timeout_seconds) {
  TaskEnd end;
  end.report.task = task_.number;
  if (process_ == nullptr) {
    process_has_arenas_ = false;
    try {
      process_ = use_ == Process::kAny ? worker_->Take(environment_) : worker_->Start(environment_);
    } catch (const PluginFailure& failure) {
      end.finding = failure.finding();
      end.detail = failure.what();
      return end;
    }
  }
  end.between_tasks = tasks_done() > 0;
  if (SendTask()) {
    Await(timeout_seconds, &end);
  } else {
    Stop(&end);
  }
  end.between_tasks = end.between_tasks && end.report.stage == static_cast<int32_t>(TaskStage::kStarted);
  if (end.answered && process_ != nullptr) ++process_->tasks_done;
  return end;
}

void Executor::Await(double timeout_seconds, TaskEnd* end) {
  Awaited awaited = Awaited::kReceipt;
  Deadline deadline(std::min(timeout_seconds, kReceiptSeconds), process_->group());
  while (true) {
    const bool connected = awaited != Awaited::kEnd;
    std::vector<pollfd> fds = {{connected ? process_->tasks() : -1, POLLIN, 0},
                               {process_->process(), POLLIN, 0},
                               {process_->output().fd(), POLLIN, 0}};
    const bool in_time = deadline.WaitFor(&fds);
    if (process_->output().fd() >= 0 && fds[2].revents != 0) process_->output().Drain();
    // Messages that were sent before the process ended are read first.
    if (connected && fds[0].revents != 0) {
      const bool open = TakeReports(end);
      if (end->answered) return;
      if (end->finding != Finding::kNone) return Stop(end);
      if (!open || awaited == Awaited::kReceipt) {
        awaited = open ? Awaited::kAnswer : Awaited::kEnd;
        deadline = Deadline(open ? timeout_seconds : kEndSeconds, process_->group());
        continue;
      }
    }
    if (!in_time) {
      GiveUp(timeout_seconds, awaited, deadline.stopped(), end);
      return Stop(end);
    }
    if (fds[1].revents != 0) return Stop(end);
  }
}

void Executor::GiveUp(double timeout_seconds, Awaited awaited, bool stopped, TaskEnd* end) {
  end->finding = stopped ? Finding::kStopped : awaited == Awaited::kAnswer ? Finding::kTimeLimit : Finding::kBadAnswer;
  if (end->finding == Finding::kTimeLimit) {
    char limit[32];
    std::snprintf(limit, sizeof limit, "%g", timeout_seconds);
    end->detail = limit;
  } else if (end->finding == Finding::kBadAnswer) {
    end->detail = awaited == Awaited::kReceipt ? "the worker did not receive its task"
                                               : "it closed the worker's connection to the judge";
  }
}

bool Executor::TakeReports(TaskEnd* end) {
  // A worker that sends without end must not keep the judge from its clock.
  for (int i = 0; i < kMostReports; ++i) {
    TaskReport report;
    const Received received = Receive(process_->tasks(), Wait::kNo, &report);
    if (received == Received::kNothing) return true;
    if (received == Received::kClosed) return false;
    if (received == Received::kMalformed || !IsValid(report, task_.number)) {
      end->finding = Finding::kBadAnswer;
      end->detail = "a message came that no worker sends";
      return true;
    }
    report.message[sizeof report.message - 1] = '\0';
    end->report = report;
    end->answered = report.verdict != static_cast<int32_t>(TaskVerdict::kNone);
    if (end->answered) return true;
  }
  return true;
}

void Executor::Stop(TaskEnd* end) {
  if (end->finding == Finding::kNone) TakeReports(end);
  const int wait_status = process_->End();
  if (end->finding == Finding::kNone && !end->answered) end->finding = FindingOfEnd(wait_status, &end->detail);
  end->printed = process_->output().TakeNote();
  if (!process_->left().empty()) end->printed += "; it left a process in a group of its own: " + process_->left();
  process_ = nullptr;
}

}  // namespace tandem::conformance
