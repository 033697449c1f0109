#include "conformance/worker/command.h"

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

constexpr size_t kLongestLine = size_t{1} << 20;

std::pair<OwnedFd, OwnedFd> Pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("cannot open a pipe");
  return {OwnedFd(ends[0]), OwnedFd(ends[1])};
}

// The start of what the command wrote, to be quoted.
std::string Quoted(const std::string& text) { return "\"" + text.substr(0, 80) + "\""; }

}  // namespace

void Command::Start() {
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
  read_.clear();
}

void Command::ReportEnd() {
  to_.Close();
  from_.Close();
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  // A shell's exit status of a command that died of a signal is 128 more than that.
  process_ = -1;
  read_.clear();
  throw CommandEnded(WIFSIGNALED(status) ? WTERMSIG(status) : std::max(WEXITSTATUS(status) - 128, 0),
                     WEXITSTATUS(status));
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

void Command::Fill() {
  char bytes[65536];
  ssize_t count;
  do count = read(from_.get(), bytes, sizeof bytes);
  while (count < 0 && errno == EINTR);
  if (count <= 0) ReportEnd();
  read_.append(bytes, static_cast<size_t>(count));
}

std::string Command::ReadLine() {
  size_t searched = 0;
  while (true) {
    const size_t end = read_.find('\n', searched);
    if (end != std::string::npos) {
      const std::string line = read_.substr(0, end);
      read_.erase(0, end + 1);
      return line;
    }
    if (read_.size() > kLongestLine) throw ProtocolError("the command's line does not end: " + Quoted(read_));
    searched = read_.size();
    Fill();
  }
}

void Command::Read(void* bytes, size_t size) {
  char* next = static_cast<char*>(bytes);
  while (size > 0) {
    if (read_.empty()) Fill();
    const size_t count = std::min(size, read_.size());
    std::memcpy(next, read_.data(), count);
    read_.erase(0, count);
    next += count;
    size -= count;
  }
}

Json Command::Ask(const Json& request, const std::vector<Bytes>& inputs, const std::vector<Bytes>& outputs) {
  if (process_ < 0) Start();
  pollfd unasked = {from_.get(), POLLIN, 0};
  if (!read_.empty() || (poll(&unasked, 1, 0) == 1 && (unasked.revents & POLLIN) != 0)) {
    if (read_.empty()) Fill();
    throw ProtocolError("the command wrote to its stdout without being asked: " + Quoted(read_));
  }
  const std::string line = request.dump() + "\n";
  Write(line.data(), line.size());
  for (const Bytes& bytes : inputs) Write(bytes.data, bytes.size);
  const std::string answer = ReadLine();
  Json reply = Json::parse(answer, nullptr, false);
  if (!reply.is_object()) {
    throw ProtocolError("the command's answer is no JSON object in one line: " + Quoted(answer) +
                        " (only answers belong on its stdout)");
  }
  if (outputs.empty() || reply.value("status", Json()) != "ok") return reply;
  size_t wanted = 0;
  for (const Bytes& bytes : outputs) wanted += bytes.size;
  if (reply.value("bytes", Json(0)) != wanted) {
    throw ProtocolError("the command announces " + reply.value("bytes", Json(0)).dump() + " bytes; the outputs have " +
                        std::to_string(wanted));
  }
  for (const Bytes& bytes : outputs) Read(bytes.data, bytes.size);
  return reply;
}

}  // namespace tandem::conformance
