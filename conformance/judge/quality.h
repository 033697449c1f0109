// An implementation may lack these properties and still conform. They are measured on one problem for the grade.
#ifndef TANDEM_CONFORMANCE_JUDGE_QUALITY_H_
#define TANDEM_CONFORMANCE_JUDGE_QUALITY_H_

#include <array>
#include <string>

#include "conformance/judge/relations/relations.h"
#include "conformance/sandbox/plugin_host.h"
#include "conformance/sandbox/runner.h"

namespace tandem::conformance {

enum class Holds { kUnknown, kNo, kYes };

// Each property has a row in kPropertyColumns (conformance/pages/columns.cc), or that file does not compile.
enum class Property {
  // Every element is within narrower bounds than conformance requires. Activations are within 2 ulp. Sums of n terms, whose
  // rounding errors partly cancel, have the bound 6 sqrt(n) u instead of n u.
  kStrictBounds,
  // Every element is within the bounds without the errors that the implementation's description declares.
  kDefaultBounds,
  // A row of the batch has the same bits alone.
  kBatchInvariance,
  // The bits are the same with 1, 2 and 3 threads, and with as many as the implementation likes.
  kThreadDeterminism,
};
constexpr Property kLastProperty = Property::kThreadDeterminism;
constexpr size_t kNumProperties = static_cast<size_t>(kLastProperty) + 1;

struct QualityReport {
  std::array<Holds, kNumProperties> holds{};
  Holds& operator[](Property property) { return holds.at(static_cast<size_t>(property)); }
  Holds operator[](Property property) const { return holds.at(static_cast<size_t>(property)); }
  // The outcome of the extra runs is a crash, a value outside its interval, or a claim that does not hold.
  Outcome outcome;
  Finding finding = Finding::kNone;
  std::string message;                     // it explains the outcome
  std::vector<TensorReport> failing_rows;  // rows with wrong values
};

// Returns true if the declaration adds anything to the bounds of this problem.
bool Adds(const Declaration& declared, const RnnProblem& problem);
// Returns for example "tanh 1000 ulp, states may enter the next step unrounded". It is empty if it adds nothing to any.
std::string WhatItAdds(const Declaration& declared);
// Returns whether `in` passes without these additions.
Holds PassesByDefault(const CheckInput& in);

// `in` has passed; `run` has the options that its outputs were computed with. Runs the problem again with other numbers
// of threads, and row `row` of the batch alone. All outputs that have other bits are judged by the oracle too.
QualityReport MeasureQuality(const Plugin& plugin, const RunOptions& run, const CheckInput& in, Dim row);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_JUDGE_QUALITY_H_
