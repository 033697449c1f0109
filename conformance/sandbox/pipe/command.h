// A command is a program of any language. It is asked over its stdin and answers over its stdout.
#ifndef TANDEM_CONFORMANCE_SANDBOX_PIPE_COMMAND_H_
#define TANDEM_CONFORMANCE_SANDBOX_PIPE_COMMAND_H_

#include <sys/types.h>

#include <stdexcept>
#include <string>
#include <utility>

#include "conformance/sandbox/messages/messages.h"
#include "conformance/sandbox/pipe/conversation.h"

namespace tandem::conformance {

// The command has ended.
class CommandEnded : public std::runtime_error {
 public:
  // The arguments are a signal, or 0 and an exit status, and the first line of its stdout.
  CommandEnded(int signal, int status, std::string first_line)
      : std::runtime_error(signal != 0 ? "the command was ended by signal " + std::to_string(signal)
                                       : "the command ended with exit status " + std::to_string(status)),
        signal_(signal),
        status_(status),
        first_line_(std::move(first_line)) {}
  int signal() const { return signal_; }
  // Returns true if the shell found no such program, or the program is not executable.
  bool never_started() const { return status_ == 126 || status_ == 127; }
  const std::string& first_line() const { return first_line_; }

 private:
  int signal_, status_;
  std::string first_line_;
};

class Command : public Conversation {
 public:
  // /bin/sh runs the line, from the first request on. Ask() throws CommandEnded when the command ends.
  explicit Command(std::string line) : line_(std::move(line)) {}
  ~Command() override { Command::Stop(); }

  void Stop() override;

 private:
  void Start() override;
  void Write(const void* bytes, size_t size) override;
  size_t Read(void* bytes, size_t most) override;
  void EndRequests() override { to_.Close(); }
  bool HasBytes(int milliseconds) override;
  [[noreturn]] void ReportEnd();

  const std::string line_;
  pid_t process_ = -1;
  OwnedFd to_, from_;
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_SANDBOX_PIPE_COMMAND_H_
