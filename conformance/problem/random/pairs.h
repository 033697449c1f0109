// Which features a problem combines. An error often needs two of them at once, so random problems are drawn until every
// possible pair was met (pairwise testing).
#ifndef TANDEM_CONFORMANCE_PROBLEM_RANDOM_PAIRS_H_
#define TANDEM_CONFORMANCE_PROBLEM_RANDOM_PAIRS_H_

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "conformance/problem/problem_spec.h"

namespace tandem::conformance {

enum class Aspect {
  kCell,
  kPeephole,    // without or with
  kProjection,  // without or with
  kPropagation,
  kTypes,
  kDirection,
  kLayers,   // one or more than one
  kSteps,    // up to four or more: what is right for the first steps may be wrong later
  kRows,     // one or more than one
  kTail,     // dhc a multiple of 16 or not
  kLengths,  // rows of n_iter steps or of different lengths
  // Problems are not drawn for these. They only tell what failures have in common.
  kRowTail,   // mb a multiple of 8 or not
  kOddSteps,  // an even T or an odd one
};
constexpr int kNumAspects = 13;

struct Feature {
  Aspect aspect;
  int value;
};
inline bool operator==(Feature a, Feature b) { return a.aspect == b.aspect && a.value == b.value; }
inline bool operator<(Feature a, Feature b) { return std::tie(a.aspect, a.value) < std::tie(b.aspect, b.value); }
// "vanilla_lstm", "bf16f32", "T > 4".
std::string ToString(Feature feature);

int NumValues(Aspect aspect);
Feature FeatureOf(const ProblemSpec& spec, Aspect aspect);
inline bool Has(const ProblemSpec& spec, Feature feature) { return FeatureOf(spec, feature.aspect) == feature; }

struct FeaturePair {
  Feature first, second;  // in the order of their aspects
};
inline bool operator<(const FeaturePair& a, const FeaturePair& b) {
  return std::tie(a.first, a.second) < std::tie(b.first, b.second);
}
inline bool Has(const ProblemSpec& spec, const FeaturePair& pair) {
  return Has(spec, pair.first) && Has(spec, pair.second);
}
std::string ToString(const FeaturePair& pair);

// Those that a valid problem can have and that a campaign wants.
const std::vector<FeaturePair>& PossiblePairs();
// These and those of the aspects that problems are not drawn for.
const std::vector<FeaturePair>& CountedPairs();
inline bool IsWanted(const FeaturePair& pair) { return pair.second.aspect < Aspect::kRowTail; }
// Those that random problems are drawn for, in turn: all but those with lengths, which are drawn beside them.
const std::vector<FeaturePair>& DrawnPairs();

// How many problems had each pair.
class PairTally {
 public:
  void Add(const ProblemSpec& spec);
  void Add(const FeaturePair& pair, uint64_t problems) { count_[pair] += problems; }
  void Add(const PairTally& more);
  uint64_t Count(const FeaturePair& pair) const;
  // The possible ones; those with lengths only if a problem had lengths, which not every implementation serves.
  std::vector<FeaturePair> Possible() const;
  // Those of the possible ones that fewer problems had.
  std::vector<FeaturePair> Below(uint64_t problems) const;
  const std::map<FeaturePair, uint64_t>& counts() const { return count_; }

 private:
  std::map<FeaturePair, uint64_t> count_;
};

// Of each pair, what a campaign of the default size must have judged.
constexpr uint64_t kWantedOfEachPair = 5;

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_PROBLEM_RANDOM_PAIRS_H_
