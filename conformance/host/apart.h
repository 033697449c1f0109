// A question put to foreign code in a child process, so that what it does to itself does not end the run.
#ifndef TANDEM_CONFORMANCE_HOST_APART_H_
#define TANDEM_CONFORMANCE_HOST_APART_H_

#include <cstddef>
#include <functional>
#include <string>

#include "conformance/judgement/verdict.h"

namespace tandem::conformance {

struct ApartEnd {
  Outcome outcome;      // kPass, kCrash or kTimeout
  bool answer = false;  // what `body` returned
  std::string text;     // what it wrote; if it did not return, how the process ended
};

// Calls `body` with room for a text of `text_size` bytes. Nothing else of what it does reaches this process.
ApartEnd AskApart(const std::function<bool(char* text, size_t text_size)>& body, unsigned timeout_seconds = 60);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_HOST_APART_H_
