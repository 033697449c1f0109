// How an execution went. A verdict can only become worse: the type has no operation that improves it, so a later tensor
// cannot hide the failure of an earlier one.
#ifndef TANDEM_CONFORMANCE_PROBLEM_BASE_OUTCOME_H_
#define TANDEM_CONFORMANCE_PROBLEM_BASE_OUTCOME_H_

#include "api/core/enums.h"

namespace tandem::conformance {

// From best to worst.
enum class Verdict {
  kPass,
  kQualityWarning,  // within the bounds, but against what else it declares (NaN in fast math)
  kVacuous,         // the bound is too loose to say anything
  kNotSupported,    // the implementation declined, as it declares
  kFail,
  kNondeterministic,  // two runs on the same bytes differ
  kTimeout,
  kCrash,
};
constexpr const char* ToString(Verdict verdict) {
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
  return nullptr;
}
constexpr int kNumVerdicts = CountOf<Verdict>();

// The worst verdict so far; starts at kPass.
class Outcome {
 public:
  Outcome() = default;
  explicit Outcome(Verdict verdict) : verdict_(verdict) {}
  Verdict verdict() const { return verdict_; }
  bool ok() const { return verdict_ <= Verdict::kQualityWarning; }
  void Worsen(Verdict verdict) {
    if (verdict > verdict_) verdict_ = verdict;
  }
  void Join(const Outcome& other) { Worsen(other.verdict_); }

 private:
  Verdict verdict_ = Verdict::kPass;
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_PROBLEM_BASE_OUTCOME_H_
