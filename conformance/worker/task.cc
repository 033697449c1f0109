#include "conformance/worker/task.h"

namespace tandem::conformance {
namespace {

bool IsBelow(int32_t value, int32_t limit) { return value >= 0 && value < limit; }

}  // namespace

bool IsValid(const TaskReport& report, uint64_t task) {
  return report.task == task && IsBelow(report.stage, kNumTaskStages) && IsBelow(report.verdict, kNumTaskVerdicts) &&
         IsBelow(report.fault, kNumMemoryFaults) && IsBelow(report.span, kNumNamedSpans) &&
         IsBelow(report.access, kNumFaultAccesses) && IsBelow(report.side, kNumSides);
}

}  // namespace tandem::conformance
