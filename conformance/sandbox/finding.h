// The host finds these besides wrong values: how an execution ended, and what it did to memory.
#ifndef TANDEM_CONFORMANCE_SANDBOX_FINDING_H_
#define TANDEM_CONFORMANCE_SANDBOX_FINDING_H_

#include <string>

#include "conformance/problem/base/outcome.h"

namespace tandem::conformance {

enum class Finding {
  kNone,           // nothing, or wrong values: the rows of a report say which
  kRefusal,        // a refusal by an implementation that claims to serve the whole table
  kRunFailed,      // supports() or run() returned an error
  kSignal,         // the process died of a signal that no buffer explains
  kExit,           // the process ended itself
  kBadAnswer,      // the process sent something that is no answer, or none can come any more
  kTimeLimit,      // the function did not return in time
  kStopped,        // it stopped its process
  kGuardPage,      // an access before or after a buffer
  kReadOnly,       // an access to an input that its protection forbids
  kCanary,         // bytes before or after a buffer changed
  kGap,            // bytes between the rows of an output changed
  kInputChanged,   // bytes of an input changed
  kUnwritten,      // an element of an output was not written
  kProcessLeft,    // a process that it has started would outlive the judge's
  kThreadChanged,  // a call left something of its thread or process changed
  kTwoRuns,        // two runs on the same inputs differ
  kOtherOutputs,   // a later execution of the same problem gave other outputs
  kLeak,           // the process holds more and more with the calls
  kClaim,          // other bits than the description claims
};
constexpr Finding kLastFinding = Finding::kClaim;
constexpr int kNumFindings = static_cast<int>(kLastFinding) + 1;

// Returns "guard-page", ..., as in reports and in files of known departures.
const char* ToString(Finding finding);
// Sets *finding to the one of that name. Returns false if there is none.
bool FindingFromName(const std::string& name, Finding* finding);
// Returns kPass for kNone, else kFail or worse.
Verdict VerdictOf(Finding finding);
// Returns the sentence for a finding: `where` is a function or a tensor, `detail` is more information.
std::string Describe(Finding finding, const std::string& where, const std::string& detail = "");

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_SANDBOX_FINDING_H_
