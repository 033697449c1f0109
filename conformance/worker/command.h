// A program of any language that is asked over its stdin and answers over its stdout.
#ifndef TANDEM_CONFORMANCE_WORKER_COMMAND_H_
#define TANDEM_CONFORMANCE_WORKER_COMMAND_H_

#include <sys/types.h>

#include <cstddef>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "conformance/worker/messages.h"

namespace tandem::conformance {

using Json = nlohmann::ordered_json;

// The command answered, but not as the protocol wants.
class ProtocolError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The command has ended.
class CommandEnded : public std::runtime_error {
 public:
  // A signal, or 0 and an exit status.
  CommandEnded(int signal, int status)
      : std::runtime_error(signal != 0 ? "the command was ended by signal " + std::to_string(signal)
                                       : "the command ended with exit status " + std::to_string(status)),
        signal_(signal) {}
  int signal() const { return signal_; }

 private:
  int signal_;
};

// Bytes to send or to receive after a line.
struct Bytes {
  void* data;
  size_t size;
};

class Command {
 public:
  // Run by /bin/sh. Started with the first request.
  explicit Command(std::string line) : line_(std::move(line)) {}
  ~Command() { Stop(); }
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  // Sends a line and `inputs`; returns the line that comes back. If its status is "ok", its "bytes" (none: 0) must be
  // those of `outputs`, which are then read. Throws ProtocolError and CommandEnded.
  Json Ask(const Json& request, const std::vector<Bytes>& inputs, const std::vector<Bytes>& outputs);
  void Stop();

 private:
  void Start();
  void Write(const void* bytes, size_t size);
  void Fill();  // reads more of the answer
  std::string ReadLine();
  void Read(void* bytes, size_t size);
  [[noreturn]] void ReportEnd();

  const std::string line_;
  pid_t process_ = -1;
  OwnedFd to_, from_;
  std::string read_;  // and not yet taken
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_WORKER_COMMAND_H_
