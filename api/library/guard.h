// The border between exceptions and status codes: every function of the C level runs its body here.
#ifndef TANDEM_API_LIBRARY_GUARD_H_
#define TANDEM_API_LIBRARY_GUARD_H_

#include <exception>
#include <new>
#include <utility>

#include "api/core/error.h"

namespace tandem {

// Sets the text that tandem_last_error() returns in this thread.
void SetLastError(const char* message) noexcept;

// The status of the exception being handled, which becomes the last error and, if asked for, a verbose line.
dnnl_status_t StatusOfCurrentException(const char* primitive) noexcept;

// `primitive`: what `body` creates, "rnn" or "reorder"; "" for all other functions.
template <class Body>
dnnl_status_t Guard(const char* primitive, Body&& body) noexcept {
  try {
    body();
    return dnnl_success;
  } catch (...) {
    return StatusOfCurrentException(primitive);
  }
}

template <class Body>
dnnl_status_t Guard(Body&& body) noexcept {
  return Guard("", std::forward<Body>(body));
}

}  // namespace tandem

#endif  // TANDEM_API_LIBRARY_GUARD_H_
