#include "conformance/compare.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace tandem::conformance {
namespace {

// What the storage itself may add to an error: half the distance to the neighbour on the value's side.
double StorageError(double stored, double value, DataType type) {
  if (type == DataType::kF32 || !std::isfinite(stored)) return 0;
  return value > stored ? (NextUp(stored, type) - stored) / 2 : (stored - NextDown(stored, type)) / 2;
}

// Error over bound, signed; 0 where the storage alone explains the error.
double SignedRatio(const OracleTensor& want, size_t i, double got) {
  const double error = got - want.value[i];
  const double excess = std::max(0., std::fabs(error) - StorageError(got, want.value[i], want.type));
  // At the end of the type's range saturation explains any distance.
  if (excess == 0 || want.lo[i] == want.hi[i]) return 0;
  const double bound = want.bound[i];
  const double ratio = bound > 0 ? excess / bound : 256.;
  return std::copysign(std::min(ratio, 256.), error);
}

class Judge {
 public:
  Judge(const RnnProblem& problem, const OracleTensor& want, const CompareOptions& options)
      : problem_(problem), want_(want), options_(options) {
    report_.tensor = want.tensor;
    report_.tier = options.tier;
  }

  void Element(size_t i, double got) {
    ErrorStats& stats = report_.stats;
    ++stats.elements;
    switch (want_.cls[i]) {
      case ElementClass::kVacuous:
        ++stats.vacuous;
        return;
      case ElementClass::kNan:
        if (!std::isnan(got)) Depart(i, got, NanVerdict());
        return;
      case ElementClass::kFinite:
        break;
    }
    // Written so that NaN fails.
    if (!(got >= want_.lo[i] && got <= want_.hi[i])) return Depart(i, got, Verdict::kFail);
    if (!std::isfinite(got) || !std::isfinite(want_.value[i])) return;
    const double ratio = SignedRatio(want_, i, got);
    stats.ratio.Add(std::fabs(ratio));
    stats.sum_signed += ratio;
    stats.sum_squared += ratio * ratio;
    if (got == RoundToType(want_.value[i], want_.type)) ++stats.correctly_rounded;
  }

  TensorReport Finish() {
    const ErrorStats& stats = report_.stats;
    // conformance.md's limit: a tensor of which more than a tenth says nothing is not a test of
    // that tensor.
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

  void Depart(size_t i, double got, Verdict verdict) {
    report_.outcome.Worsen(verdict);
    ++report_.failures;
    const Location where = Locate(problem_, want_.tensor, i);
    if (report_.has_departure && !Precedes(problem_, where, report_.first)) return;
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
};

}  // namespace

TensorReport Compare(const RnnProblem& problem, const OracleTensor& want, const TensorBuffer& got,
                     const CompareOptions& options) {
  Judge judge(problem, want, options);
  for (size_t i = 0; i < got.size(); ++i) judge.Element(i, got.Get(i));
  return judge.Finish();
}

TensorReport Compare(const RnnProblem& problem, const OracleTensor& want, const MemoryDesc& md, const void* got,
                     const CompareOptions& options) {
  Judge judge(problem, want, options);
  const Dim count = NumElements(md);
  const uint8_t* base = static_cast<const uint8_t*>(got);
  Dim index[DNNL_MAX_NDIMS] = {};
  for (Dim i = 0; i < count; ++i) {
    const size_t offset = static_cast<size_t>(OffsetAt(md, index)) * SizeOf(TypeOf(md));
    judge.Element(static_cast<size_t>(i), LoadElement(TypeOf(md), base + offset));
    for (int d = md.ndims - 1; d >= 0 && ++index[d] == md.dims[d]; --d) index[d] = 0;
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
