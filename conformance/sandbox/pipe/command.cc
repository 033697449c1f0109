#include "conformance/sandbox/pipe/command.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace tandem::conformance {
namespace {

std::pair<OwnedFd, OwnedFd> Pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("cannot open a pipe");
  return {OwnedFd(ends[0]), OwnedFd(ends[1])};
}

}  // namespace

void Command::Start() {
  if (process_ >= 0) return;
  // Writing to a command that has ended is an error to be handled, not a signal.
  ::signal(SIGPIPE, SIG_IGN);
  auto [its_input, to] = Pipe();
  auto [from, its_output] = Pipe();
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, its_input.get(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, its_output.get(), STDOUT_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t all;
  sigfillset(&all);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  std::string line = line_;
  char shell[] = "/bin/sh", option[] = "-c";
  char* const argv[] = {shell, option, line.data(), nullptr};
  const int error = posix_spawn(&process_, shell, &files, &attributes, argv, environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) throw std::runtime_error(std::string("cannot start a shell: ") + std::strerror(error));
  to_ = std::move(to);
  from_ = std::move(from);
}

void Command::Stop() {
  if (process_ < 0) return;
  to_.Close();
  from_.Close();
  kill(process_, SIGKILL);
  while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  ForgetBytes();
}

void Command::ReportEnd() {
  // A command that ends before it reads its request may have written why.
  char bytes[256];
  const ssize_t count = HasBytes(0) ? read(from_.get(), bytes, sizeof bytes) : 0;
  if (count > 0) Remember(bytes, static_cast<size_t>(count));
  const std::string first_line = FirstLine();
  to_.Close();
  from_.Close();
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  ForgetBytes();
  // If a signal ends a command, its shell's exit status is 128 more than the signal. 255 is the status of some programs.
  const int shells = WEXITSTATUS(status) - 128;
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : shells > 0 && shells < NSIG ? shells : 0;
  throw CommandEnded(signal, WEXITSTATUS(status), first_line);
}

void Command::Write(const void* bytes, size_t size) {
  const char* next = static_cast<const char*>(bytes);
  for (size_t left = size; left > 0;) {
    const ssize_t count = write(to_.get(), next, left);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) ReportEnd();
    next += count;
    left -= static_cast<size_t>(count);
  }
}

size_t Command::Read(void* bytes, size_t most) {
  ssize_t count;
  do count = read(from_.get(), bytes, most);
  while (count < 0 && errno == EINTR);
  if (count <= 0) ReportEnd();
  return static_cast<size_t>(count);
}

bool Command::HasBytes(int milliseconds) {
  pollfd answer = {from_.get(), POLLIN, 0};
  return poll(&answer, 1, milliseconds) == 1;
}

}  // namespace tandem::conformance
