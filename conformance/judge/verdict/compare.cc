#include "conformance/judge/verdict/compare.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

namespace tandem::conformance {
namespace {

constexpr double kSmallestNormalF32 = std::numeric_limits<float>::min();

// Half of the distance from an element to its neighbour on one side. For the largest finite element the spacing below
// it is taken: rounding to infinity begins at half of that above it.
double HalfSpacing(double stored, DataType type, bool up) {
  const double next = up ? NextUp(stored, type) : NextDown(stored, type);
  if (std::isfinite(next)) return std::fabs(next - stored) / 2;
  return std::fabs(stored - (up ? NextDown(stored, type) : NextUp(stored, type))) / 2;
}

class TensorJudge {
 public:
  TensorJudge(const RnnProblem& problem, const OracleTensor& want, const CompareOptions& options)
      : problem_(problem), want_(want), options_(options) {
    report_.tensor = want.tensor;
    report_.kind = options.kind;
  }

  void Element(size_t i, double got) {
    ErrorStats& stats = report_.stats;
    ++stats.elements;
    switch (want_.cls[i]) {
      case ElementClass::kVacuous:
        ++stats.vacuous;
        return;
      case ElementClass::kNan:
        if (!std::isnan(got)) {
          report_.stats.ratio.Add(HUGE_VAL);
          Depart(i, got, NanVerdict());
        }
        return;
      case ElementClass::kFinite:
        break;
    }
    // Written so that NaN fails.
    if (!(got >= want_.lo[i] && got <= want_.hi[i])) {
      stats.ratio.Add(RatioOfFailure(i, got));
      return Depart(i, got, Verdict::kFail);
    }
    if (!std::isfinite(got) || !std::isfinite(want_.value[i])) return;
    const double value = want_.value[i];
    // The ratio is at most 1 for an element that passes, up to the rounding of these doubles and to the alternatives that widen
    // some intervals (either order of rounding in a sum of directions).
    const double ratio = std::min(1., ErrorRatio(want_.type, value, want_.bound[i], got));
    stats.ratio.Add(ratio);
    const double upwards = std::copysign(ratio, got - value);
    stats.sum_up += upwards;
    stats.sum_outward += std::copysign(1., value) * upwards;
    if (got == RoundToType(value, want_.type)) ++stats.correctly_rounded;
  }

  TensorReport Finish() {
    if (failures_.has_value()) report_.where = failures_->Pictures();
    const ErrorStats& stats = report_.stats;
    // A tensor is not tested if more than a tenth of its bounds say nothing.
    if (want_.vacuous_share > 0.1) {
      report_.outcome.Worsen(Verdict::kVacuous);
      report_.note = std::to_string(static_cast<int>(100 * want_.vacuous_share)) + " % of the bounds are too loose";
    }
    report_.stats.vacuous =
        std::max(stats.vacuous, static_cast<uint64_t>(want_.vacuous_share * static_cast<double>(stats.elements)));
    return std::move(report_);
  }

 private:
  Verdict NanVerdict() const { return options_.nan == NanPolicy::kIeee ? Verdict::kFail : Verdict::kQualityWarning; }

  // More than 1. A flush to zero that is not allowed explains a distance, but excuses nothing.
  double RatioOfFailure(size_t i, double got) const {
    if (!std::isfinite(got) || !std::isfinite(want_.value[i])) return HUGE_VAL;
    return std::max(std::nextafter(1., 2.), ErrorRatio(want_.type, want_.value[i], want_.bound[i], got));
  }

  void Depart(size_t i, double got, Verdict verdict) {
    report_.outcome.Worsen(verdict);
    ++report_.failures;
    if (!failures_.has_value()) failures_.emplace(problem_, want_.tensor);
    failures_->Add(i);
    const Location where = Locate(problem_, want_.tensor, i);
    // A lost NaN that is only a warning must not stand for a wrong value behind it.
    if (verdict < quoted_ || (verdict == quoted_ && !Precedes(problem_, where, report_.first))) return;
    quoted_ = verdict;
    report_.has_departure = true;
    report_.first = where;
    report_.got = got;
    report_.want = want_.value[i];
    report_.lo = want_.lo[i];
    report_.hi = want_.hi[i];
  }

  const RnnProblem& problem_;
  const OracleTensor& want_;
  const CompareOptions options_;
  TensorReport report_;
  Verdict quoted_ = Verdict::kPass;  // of report_.first
  std::optional<FailureCounter> failures_;
};

}  // namespace

double ErrorRatio(DataType type, double value, double bound, double got) {
  const double error = std::fabs(got - value);
  if (error == 0) return 0;
  const bool up = value > got;
  if (!IsFloating(type)) {
    const bool at_end = (up ? NextUp(got, type) : NextDown(got, type)) == got;
    return at_end ? 0 : error / (bound + 0.5);
  }
  // A subnormal may be flushed to zero.
  if (got == 0 && error - bound < kSmallestNormalF32) return 0;
  return error / (bound + HalfSpacing(got, type, up));
}

TensorReport Compare(const RnnProblem& problem, const OracleTensor& want, const TensorBuffer& got,
                     const CompareOptions& options) {
  TensorJudge judge(problem, want, options);
  for (size_t i = 0; i < got.size(); ++i) judge.Element(i, got.Get(i));
  return judge.Finish();
}

TensorReport Compare(const RnnProblem& problem, const OracleTensor& want, const MemoryDesc& md, const void* got,
                     const CompareOptions& options) {
  TensorJudge judge(problem, want, options);
  const Dim count = NumElements(md);
  const uint8_t* base = static_cast<const uint8_t*>(got);
  Dim index[DNNL_MAX_NDIMS] = {};
  for (Dim i = 0; i < count; ++i) {
    const size_t offset = static_cast<size_t>(OffsetAt(md, index)) * SizeOf(TypeOf(md));
    judge.Element(static_cast<size_t>(i), LoadElement(TypeOf(md), base + offset));
    Advance(md, index);
  }
  return judge.Finish();
}

ProblemReport CompareAll(const RnnProblem& problem, const OracleResult& want, const TensorSet& got,
                         const CompareOptions& options) {
  ProblemReport report;
  for (const OracleTensor& tensor : want.outputs) {
    report.Add(Compare(problem, tensor, got[tensor.tensor], options));
  }
  return report;
}

}  // namespace tandem::conformance
