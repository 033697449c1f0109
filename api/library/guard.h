// The border between exceptions and status codes: every function of the C level runs its body here.
#ifndef TANDEM_API_LIBRARY_GUARD_H_
#define TANDEM_API_LIBRARY_GUARD_H_

#include <exception>
#include <new>

#include "api/core/error.h"

namespace tandem {

// What tandem_last_error() will say in this thread.
void SetLastError(const char* message) noexcept;

// The status of the exception being handled, which becomes the last error.
dnnl_status_t StatusOfCurrentException() noexcept;

template <class Body>
dnnl_status_t Guard(Body&& body) noexcept {
  try {
    body();
    return dnnl_success;
  } catch (...) {
    return StatusOfCurrentException();
  }
}

}  // namespace tandem

#endif  // TANDEM_API_LIBRARY_GUARD_H_
