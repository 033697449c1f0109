#include "conformance/host/executor.h"

#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <new>
#include <stdexcept>
#include <utility>

namespace tandem::conformance {
namespace {

// Enough for nearly all random problems, so that the process is seldom started again.
constexpr size_t kUsualArena = size_t{4} << 20;

// One thread forks at a time, so that no child inherits the pipes that another thread is opening.
std::mutex& ForkMutex() {
  static std::mutex mutex;
  return mutex;
}

struct Pipe {
  Pipe() {
    if (pipe(end) != 0) throw std::runtime_error("cannot open a pipe");
  }
  int end[2];
};

void CloseFd(int* fd) {
  if (*fd >= 0) close(*fd);
  *fd = -1;
}

// Waits until one of the two is readable; false if the time is over before.
bool WaitFor(pollfd (&fds)[2], double timeout_seconds) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(timeout_seconds);
  while (true) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    const int ready = poll(fds, 2, static_cast<int>(std::min<int64_t>(left.count(), 1000000)));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) throw std::runtime_error("cannot wait for a child process");
  }
}

}  // namespace

Executor::Executor(const Plugin& plugin, std::vector<std::string> environment)
    : plugin_(plugin), environment_(std::move(environment)) {
  void* memory = mmap(nullptr, sizeof(Mailbox), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  mailbox_ = new (memory) Mailbox();
}

Executor::~Executor() {
  Stop();
  munmap(mailbox_, sizeof(Mailbox));
}

void Executor::Reserve(size_t bytes) {
  mailbox_->task = ChildTask();
  for (GuardedArena& arena : arenas_) {
    if (bytes > arena.capacity()) {
      // The process has only the memory that was mapped when it was forked.
      Stop();
      arena = GuardedArena(std::max(bytes, kUsualArena));
    }
    arena.Clear();
  }
}

void Executor::Start() {
  const std::lock_guard<std::mutex> lock(ForkMutex());
  const Pipe commands, answers;
  std::fflush(nullptr);
  const pid_t parent = getpid();
  child_ = fork();
  if (child_ < 0) throw std::runtime_error("cannot fork");
  if (child_ == 0) {
    close(commands.end[1]);
    close(answers.end[0]);
    // The child dies with its parent, also if that is killed.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(0);
    ServeTasks({&plugin_, mailbox_, &arenas_, environment_, commands.end[0], answers.end[1]});
  }
  close(commands.end[0]);
  close(answers.end[1]);
  commands_ = commands.end[1];
  answers_ = answers.end[0];
  // The end of the process is read from a pidfd, not from the pipe: processes forked for other threads hold that open.
  child_fd_ = static_cast<int>(syscall(SYS_pidfd_open, child_, 0));
  if (child_fd_ < 0) {
    Stop();
    throw std::runtime_error("cannot watch a child process (pidfd_open needs Linux 5.3)");
  }
  tasks_done_ = 0;
}

int Executor::Reap() {
  int status = 0;
  while (waitpid(child_, &status, 0) < 0 && errno == EINTR) {
  }
  child_ = -1;
  for (int* fd : {&child_fd_, &commands_, &answers_}) CloseFd(fd);
  return status;
}

void Executor::Stop() {
  if (child_ < 0) return;
  kill(child_, SIGKILL);
  Reap();
}

ChildEnd Executor::Run(double timeout_seconds) {
  mailbox_->report = ChildReport();
  if (child_ < 0) Start();
  ChildEnd end;
  const char command = 1;
  // If the process has just ended, nothing reads the command; child_fd_, a pidfd, is readable then.
  (void)!write(commands_, &command, 1);
  pollfd fds[2] = {{answers_, POLLIN, 0}, {child_fd_, POLLIN, 0}};
  end.timed_out = !WaitFor(fds, timeout_seconds);
  char answer = 0;
  end.answered = (fds[0].revents & POLLIN) != 0 && read(answers_, &answer, 1) == 1;
  if (end.answered) {
    ++tasks_done_;
    return end;
  }
  if (end.timed_out) kill(child_, SIGKILL);
  end.wait_status = Reap();
  return end;
}

}  // namespace tandem::conformance
