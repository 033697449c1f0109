#include "conformance/problem/base/outcome.h"

namespace tandem::conformance {

const char* ToString(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPass:
      return "PASS";
    case Verdict::kQualityWarning:
      return "QUALITY_WARNING";
    case Verdict::kVacuous:
      return "VACUOUS";
    case Verdict::kNotSupported:
      return "NOT_SUPPORTED";
    case Verdict::kFail:
      return "FAIL";
    case Verdict::kNondeterministic:
      return "NONDETERMINISTIC";
    case Verdict::kTimeout:
      return "TIMEOUT";
    case Verdict::kCrash:
      return "CRASH";
  }
  return "?";
}

}  // namespace tandem::conformance
