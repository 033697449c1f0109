// What an implementation may lack and still conform: the properties that a grade weighs, measured on one problem.
#ifndef TANDEM_CONFORMANCE_CAMPAIGN_QUALITY_H_
#define TANDEM_CONFORMANCE_CAMPAIGN_QUALITY_H_

#include <string>

#include "conformance/host/plugin_host.h"
#include "conformance/host/runner.h"
#include "conformance/relations/relations.h"

namespace tandem::conformance {

enum class Holds { kUnknown, kNo, kYes };

struct QualityReport {
  // Every element within the bounds of an implementation that is better than it must be: activations within 2 ulp, and
  // sums of n terms with rounding errors that partly cancel, 6 sqrt(n) u instead of n u.
  Holds strict_bounds = Holds::kUnknown;
  // Every element within the bounds without what the implementation's own description adds to them.
  Holds default_bounds = Holds::kUnknown;
  // A row of the batch has the same bits alone.
  Holds batch_invariance = Holds::kUnknown;
  // The same bits with 1, 2 and 3 threads, and with as many as the implementation likes.
  Holds thread_determinism = Holds::kUnknown;
  // Of the extra runs: a crash, a value outside its interval, the loss of what the implementation claims.
  Outcome outcome;
  std::string message;  // about the outcome
};

// `in` has passed; `run` is how its outputs came about. Runs the problem again with other numbers of threads, and one
// of its rows, `row` of the batch, alone; whatever has other bits is judged by the oracle too.
QualityReport MeasureQuality(const Plugin& plugin, const RunOptions& run, const CheckInput& in, Dim row);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_CAMPAIGN_QUALITY_H_
