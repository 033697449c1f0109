// A call to the library with invalid input may succeed, or throw dnnl::error with a status that blames the input and a message
// that says why. Anything else ends the process, which a fuzzer reports.
#ifndef TANDEM_FUZZ_OUTCOME_H_
#define TANDEM_FUZZ_OUTCOME_H_

#include <cstdio>
#include <cstdlib>
#include <exception>

#include "dnnl.hpp"

namespace tandem {
namespace fuzz {

[[noreturn]] inline void Fail(const char* what, const char* detail = "") {
  std::fprintf(stderr, "fuzz: %s %s\n", what, detail);
  std::abort();
}

inline void Require(bool holds, const char* claim) {
  if (!holds) Fail("does not hold:", claim);
}

// Returns the status of `call`, dnnl_success if it returned.
template <class Call>
dnnl_status_t Outcome(Call call) {
  try {
    call();
    return dnnl_success;
  } catch (const dnnl::error& error) {
    if (error.what() == nullptr || error.what()[0] == '\0') Fail("an error without a message");
    switch (static_cast<int>(error.status)) {  // one of C's enumerators, or any other number
      case dnnl_invalid_arguments:
      case dnnl_unimplemented:
      case dnnl_out_of_memory:
        return error.status;
      default:
        Fail("an error that does not blame the input:", error.what());
    }
  } catch (const std::exception& error) {
    Fail("an exception that is no dnnl::error:", error.what());
  }
}

}  // namespace fuzz
}  // namespace tandem

#endif  // TANDEM_FUZZ_OUTCOME_H_
