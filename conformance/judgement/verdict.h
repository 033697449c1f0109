// What the harness says about one execution, and about each of its tensors. A verdict can only
// worsen: the type has no operation that improves it, so that a later tensor cannot hide what an
// earlier one showed.
#ifndef TANDEM_CONFORMANCE_JUDGEMENT_VERDICT_H_
#define TANDEM_CONFORMANCE_JUDGEMENT_VERDICT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "api/core/rnn/rnn_problem.h"

namespace tandem::conformance {

// From best to worst.
enum class Verdict {
  kPass,
  kQualityWarning,  // conforms, but outside what the profile asks for beyond the bounds (NaN
                    // handling of fast math)
  kVacuous,         // the bound is too loose to say anything
  kNotSupported,    // the implementation declined, as it declares
  kFail,
  kNondeterministic,  // two runs on the same bytes differ
  kTimeout,
  kCrash,
};
const char* ToString(Verdict verdict);

// The join-semilattice of verdicts: starts at kPass, only ever goes down.
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

// The checks of docs/verdicts/method.md; each gives its own rows.
enum class Tier {
  kTeacherForced,    // T1: oracle driven by the implementation's own visible states
  kChained,          // T2: the implementation driven step by step through its states
  kFreeRunning,      // T3: oracle and implementation each on their own
  kMetamorphic,      // T5: relations between runs
  kNonInterference,  // T6: bitwise independence of what cannot matter
};
const char* ToString(Tier tier);

// Other ways to the same outputs, and changes that must not reach them; relations.h says what each is.
enum class Relation {
  // T2
  kSteps,
  kLayers,
  kDirections,
  // T5
  kReversal,
  kBatchOrder,
  kBatchHalves,
  kUnitOrder,
  kLayout,
  kScaledGradient,
  kZeroGradient,
  kAdjoint,
  // T6
  kRepeat,
  kOtherRows,
  kOtherSteps,
  kOtherLayers,
  kOtherDirection,
};
constexpr int kNumRelations = 16;
const char* ToString(Relation relation);
Tier TierOf(Relation relation);

// Where an element lies in the network. -1: the tensor has no such index.
struct Location {
  Dim t = -1, l = -1, d = -1, n = -1, gate = -1, unit = -1;
  Dim input = -1;    // of weights: the input channel
  size_t index = 0;  // logical, row-major
};
// "t=3 l=0 d=1 n=2 gate=f unit=5".
std::string ToString(const Location& location, Cell cell);
Location Locate(const RnnProblem& problem, Tensor tensor, size_t index);
// True if `a` is computed before `b`: layers, then steps in the direction of processing.
bool Precedes(const RnnProblem& problem, const Location& a, const Location& b);

// |error| over what is allowed (ErrorRatio in compare.h) of many elements, on a logarithmic scale of 1/8 octave from
// 2^-32 to 2^8; mergeable.
class RatioHistogram {
 public:
  RatioHistogram() : bins_(kBins, 0) {}
  void Add(double ratio);
  void Merge(const RatioHistogram& other);
  uint64_t count() const { return count_; }
  double max() const { return max_; }
  // Upper edge of the bin that holds the quantile; `p` in [0, 1]. 0 if empty.
  double Quantile(double p) const;
  const std::vector<uint64_t>& bins() const { return bins_; }
  static double UpperEdge(size_t bin);

 private:
  static constexpr size_t kBins = 1 + 40 * 8;
  std::vector<uint64_t> bins_;
  uint64_t count_ = 0;
  double max_ = 0;
};

struct ErrorStats {
  RatioHistogram ratio;  // of finite, non-vacuous elements
  uint64_t elements = 0;
  uint64_t vacuous = 0;            // bound above 2^-8 of the tensor's range
  uint64_t correctly_rounded = 0;  // of ratio.count()
  // Sums of the ratio with the error's sign: upwards, and away from zero.
  double sum_up = 0, sum_outward = 0;
  void Merge(const ErrorStats& other);
};

// One verdict row: one tensor under one tier.
struct TensorReport {
  Tensor tensor = kDstLayer;
  Tier tier = Tier::kTeacherForced;
  Outcome outcome;
  ErrorStats stats;
  uint64_t failures = 0;
  bool has_departure = false;
  Location first;                            // of the failing elements, the one that is computed first
  double got = 0, want = 0, lo = 0, hi = 0;  // there
  std::string note;                          // one clause, empty if there is nothing to say
};
// One line: tensor, verdict, first departure with got, want and bound.
std::string ToString(const TensorReport& report, Cell cell);

// Whether another way to the same outputs, which the bounds do not require to, gave the same bits: a matter of grades
// and claims. Of batch orders and halves only the tensors that have rows count, not the gradients that sum over them.
struct BitwiseResult {
  Relation relation;
  bool same;
};

// All rows of one problem.
struct ProblemReport {
  Outcome outcome;
  std::vector<TensorReport> rows;
  std::vector<BitwiseResult> bitwise;
  // Adds a row and worsens the outcome by it.
  void Add(TensorReport row);
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_JUDGEMENT_VERDICT_H_
