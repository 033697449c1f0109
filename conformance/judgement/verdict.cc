#include "conformance/judgement/verdict.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace tandem::conformance {
namespace {

constexpr int kBinsPerOctave = 8;
constexpr int kLowestExponent = -32;

// Rank of a location in the order of computation within its direction.
Dim StepOf(const RnnProblem& p, const Location& a) {
  if (a.t < 0) return p.n_iter;
  return p.IsReversed(a.d) ? p.n_iter - 1 - a.t : a.t;
}

}  // namespace

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

const char* ToString(Tier tier) {
  switch (tier) {
    case Tier::kTeacherForced:
      return "teacher_forced";
    case Tier::kChained:
      return "chained";
    case Tier::kFreeRunning:
      return "free_running";
    case Tier::kMetamorphic:
      return "metamorphic";
    case Tier::kNonInterference:
      return "non_interference";
  }
  return "?";
}

const char* ToString(Relation relation) {
  static constexpr std::array<const char*, kNumRelations> kNames = {
      "composed of its steps",
      "composed of its layers",
      "composed of its directions",
      "the flipped sequence in the other direction",
      "the batch in another order",
      "the batch in two halves",
      "the units in another order",
      "the same data in other layouts",
      "-2 times diff_dst",
      "diff_dst of zeros",
      "<diff_dst, J d> = <gradient, d>",
      "the same inputs again",
      "another row of the batch changed",
      "another step changed",
      "another layer changed",
      "the other direction changed",
  };
  return kNames[static_cast<size_t>(relation)];
}

Tier TierOf(Relation relation) {
  if (relation <= Relation::kDirections) return Tier::kChained;
  return relation <= Relation::kAdjoint ? Tier::kMetamorphic : Tier::kNonInterference;
}

std::string ToString(const Location& location, Cell cell) {
  std::string text;
  const auto add = [&text](const char* name, Dim value) {
    if (value < 0) return;
    if (!text.empty()) text += ' ';
    text += std::string(name) + "=" + std::to_string(value);
  };
  add("t", location.t);
  add("l", location.l);
  add("d", location.d);
  add("n", location.n);
  add("input", location.input);
  if (location.gate >= 0) text += std::string(" gate=") + TraitsOf(cell).gate_names[location.gate];
  add("unit", location.unit);
  return text;
}

Location Locate(const RnnProblem& problem, Tensor tensor, size_t index) {
  const MemoryDesc& md = problem.md[tensor];
  std::array<Dim, DNNL_MAX_NDIMS> at{};
  Dim rest = static_cast<Dim>(index);
  for (int i = md.ndims - 1; i >= 0; --i) {
    at[static_cast<size_t>(i)] = rest % md.dims[i];
    rest /= md.dims[i];
  }
  Location where;
  where.index = index;
  const auto axis = [&](char letter, Dim* dim) {
    const int i = AxisOf(tensor, letter);
    if (i >= 0) *dim = at[static_cast<size_t>(i)];
  };
  axis('t', &where.t), axis('l', &where.l), axis('d', &where.d), axis('n', &where.n);
  axis('i', &where.input), axis('g', &where.gate), axis('c', &where.unit), axis('o', &where.unit);
  const Tensor base = WithoutDiff(tensor);
  if (base == kDstLayer) where.l = problem.n_layer - 1;
  if (base == kDstLayer && problem.direction == Direction::kBidirectionalConcat) {
    where.d = where.unit / problem.dic;
    where.unit %= problem.dic;
  }
  if (base == kWeightsPeephole && where.gate == 2) where.gate = 3;  // i, f, o of i, f, c~, o
  return where;
}

bool Precedes(const RnnProblem& problem, const Location& a, const Location& b) {
  const auto rank = [&problem](const Location& x) {
    return std::array<Dim, 6>{StepOf(problem, x), x.l, x.d, x.n, x.gate, x.unit};
  };
  return rank(a) < rank(b);
}

void RatioHistogram::Add(double ratio) {
  size_t bin = 0;
  if (ratio > 0) {
    const double position = (std::log2(ratio) - kLowestExponent) * kBinsPerOctave;
    bin = static_cast<size_t>(std::clamp(std::floor(position) + 1, 0., static_cast<double>(kBins - 1)));
  }
  ++bins_[bin];
  ++count_;
  max_ = std::max(max_, ratio);
}

void RatioHistogram::Merge(const RatioHistogram& other) {
  for (size_t i = 0; i < kBins; ++i) bins_[i] += other.bins_[i];
  count_ += other.count_;
  max_ = std::max(max_, other.max_);
}

double RatioHistogram::UpperEdge(size_t bin) {
  return bin == 0 ? 0 : std::exp2(kLowestExponent + static_cast<double>(bin) / kBinsPerOctave);
}

double RatioHistogram::Quantile(double p) const {
  const double target = p * static_cast<double>(count_);
  uint64_t seen = 0;
  for (size_t i = 0; i < kBins; ++i) {
    seen += bins_[i];
    if (seen > 0 && static_cast<double>(seen) >= target) return std::min(UpperEdge(i), max_);
  }
  return 0;
}

void ErrorStats::Merge(const ErrorStats& other) {
  ratio.Merge(other.ratio);
  elements += other.elements;
  vacuous += other.vacuous;
  correctly_rounded += other.correctly_rounded;
  sum_up += other.sum_up;
  sum_outward += other.sum_outward;
}

std::string ToString(const TensorReport& report, Cell cell) {
  std::string text = std::string(ToString(report.outcome.verdict())) + " " + ToString(report.tier) + " " +
                     tandem::ToString(report.tensor);
  char numbers[200];
  if (report.has_departure) {
    std::snprintf(numbers, sizeof numbers, ": got %.9g, want %.9g in [%.9g, %.9g], %llu of %llu elements", report.got,
                  report.want, report.lo, report.hi, static_cast<unsigned long long>(report.failures),
                  static_cast<unsigned long long>(report.stats.elements));
    text += " first at " + ToString(report.first, cell) + numbers;
  } else if (report.stats.elements > 0) {
    std::snprintf(numbers, sizeof numbers, ": worst |error|/bound %.3g", report.stats.ratio.max());
    text += numbers;
  }
  if (!report.note.empty()) text += " (" + report.note + ")";
  return text;
}

void ProblemReport::Add(TensorReport row) {
  outcome.Join(row.outcome);
  rows.push_back(std::move(row));
}

}  // namespace tandem::conformance
