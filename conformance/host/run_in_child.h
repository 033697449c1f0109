// Calls a function of foreign code in a forked child process; a crash or hang there is reported.
#ifndef TANDEM_CONFORMANCE_HOST_RUN_IN_CHILD_H_
#define TANDEM_CONFORMANCE_HOST_RUN_IN_CHILD_H_

#include <cstddef>
#include <functional>
#include <string>

#include "conformance/host/finding.h"

namespace tandem::conformance {

struct ChildAnswer {
  // kNone, or how the process ended before `body` returned: kSignal, kExit or kTimeLimit.
  Finding finding = Finding::kNone;
  bool returned_true = false;
  std::string text;  // what `body` wrote; without an answer: the signal's name or the limit in seconds
};

// Calls `body` with room for a text of `text_size` bytes. Nothing else of what it does reaches this process.
ChildAnswer RunInChild(const std::function<bool(char* text, size_t text_size)>& body, unsigned timeout_seconds = 60);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_HOST_RUN_IN_CHILD_H_
