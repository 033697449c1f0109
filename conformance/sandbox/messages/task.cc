#include "conformance/sandbox/messages/task.h"

#include "conformance/sandbox/messages/declarations.h"

namespace tandem::conformance {
namespace {

bool IsBelow(int32_t value, int32_t limit) { return value >= 0 && value < limit; }

}  // namespace

std::string MessageFormat() {
  std::string format = kDeclarations;
  for (const size_t size :
       {sizeof(Task), sizeof(TaskReport), sizeof(DescriptionReport), sizeof(Request), sizeof(Reply)}) {
    format += "." + std::to_string(size);
  }
  return format;
}

bool IsValid(const TaskReport& report, uint64_t task) {
  return report.task == task && IsBelow(report.stage, kNumTaskStages) && IsBelow(report.verdict, kNumTaskVerdicts) &&
         IsBelow(report.fault, kNumMemoryFaults) && IsBelow(report.span, kNumNamedSpans) &&
         IsBelow(report.access, kNumFaultAccesses) && IsBelow(report.side, kNumSides);
}

}  // namespace tandem::conformance
