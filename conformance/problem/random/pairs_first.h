// The order in which random problems cover pairs of features soonest, for runs whose time is limited.
#ifndef TANDEM_CONFORMANCE_PROBLEM_RANDOM_PAIRS_FIRST_H_
#define TANDEM_CONFORMANCE_PROBLEM_RANDOM_PAIRS_FIRST_H_

#include <cstdint>
#include <vector>

#include "conformance/problem/problem_spec.h"

namespace tandem::conformance {

struct PairsFirst {
  std::vector<uint64_t> order;  // places in `drawn`
  uint64_t first_round = 0;     // so many of `order` have every pair that any of `drawn` has
};

// A round takes the problem that adds most pairs for its work, until no other adds one. Then come the rounds for a second
// problem of each pair, and so on up to kWantedOfEachPair, then the rest in its order. `work` of each problem is positive.
PairsFirst OrderByPairs(const std::vector<ProblemSpec>& drawn, const std::vector<double>& work);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_PROBLEM_RANDOM_PAIRS_FIRST_H_
