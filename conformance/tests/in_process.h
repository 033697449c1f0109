// A backend of this process is used as an Implementation.
#ifndef TANDEM_CONFORMANCE_TESTS_IN_PROCESS_H_
#define TANDEM_CONFORMANCE_TESTS_IN_PROCESS_H_

#include "api/core/rnn/implementation.h"
#include "conformance/oracle/implementation.h"

namespace tandem::conformance {

// Returns an implementation of plans made by `factory`, on plain layouts.
Implementation InProcess(RnnFactory factory);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_TESTS_IN_PROCESS_H_
