// What a worker process prints.
#ifndef TANDEM_CONFORMANCE_SANDBOX_CAPTURED_OUTPUT_H_
#define TANDEM_CONFORMANCE_SANDBOX_CAPTURED_OUTPUT_H_

#include <string>
#include <utility>

#include "conformance/sandbox/messages/messages.h"

namespace tandem::conformance {

// `text` with a space for each control character: what a plugin says cannot begin a line of a report.
std::string OneLine(const std::string& text);

// A pipe that a process has as its stdout and stderr. Of what is read from it, the end is kept.
class CapturedOutput {
 public:
  // Sets *write_end to the process's side. Throws std::runtime_error.
  explicit CapturedOutput(OwnedFd* write_end);

  int fd() const { return read_end_.get(); }
  // Reads what there is; never waits.
  void Drain();
  // "; it printed: ...", or empty if nothing was printed. Forgets it.
  std::string TakeNote();

 private:
  OwnedFd read_end_;
  std::string end_;
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_SANDBOX_CAPTURED_OUTPUT_H_
