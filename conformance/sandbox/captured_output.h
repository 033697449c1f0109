// A worker process prints into this.
#ifndef TANDEM_CONFORMANCE_SANDBOX_CAPTURED_OUTPUT_H_
#define TANDEM_CONFORMANCE_SANDBOX_CAPTURED_OUTPUT_H_

#include <string>
#include <utility>

#include "conformance/sandbox/messages/messages.h"

namespace tandem::conformance {

// Returns `text` with a space for each control character, so that a plugin's text cannot begin a line of a report.
std::string OneLine(const std::string& text);

// A process has this pipe as its stdout and stderr. The end of what is read from it is kept.
class CapturedOutput {
 public:
  // Sets *write_end to the process's side. Throws std::runtime_error.
  explicit CapturedOutput(OwnedFd* write_end);

  int fd() const { return read_end_.get(); }
  // Reads the bytes that have come; never waits.
  void Drain();
  // Returns "; it printed: ...", or "" if nothing was printed, and forgets it.
  std::string TakeNote();

 private:
  OwnedFd read_end_;
  std::string end_;
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_SANDBOX_CAPTURED_OUTPUT_H_
