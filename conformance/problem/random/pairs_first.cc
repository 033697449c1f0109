#include "conformance/problem/random/pairs_first.h"

#include <algorithm>
#include <map>
#include <queue>
#include <utility>

#include "conformance/problem/random/pairs.h"

namespace tandem::conformance {
namespace {

// The pairs of each problem, as small numbers.
class Numbered {
 public:
  explicit Numbered(const std::vector<ProblemSpec>& drawn) {
    for (const ProblemSpec& spec : drawn) {
      PairTally tally;
      tally.Add(spec);
      std::vector<size_t> pairs;
      for (const auto& counted : tally.counts()) {
        if (!IsWanted(counted.first)) continue;
        pairs.push_back(number_.emplace(counted.first, number_.size()).first->second);
      }
      pairs_.push_back(std::move(pairs));
    }
  }
  const std::vector<size_t>& Of(uint64_t problem) const { return pairs_[problem]; }
  size_t count() const { return number_.size(); }

 private:
  std::map<FeaturePair, size_t> number_;
  std::vector<std::vector<size_t>> pairs_;
};

class Order {
 public:
  Order(const std::vector<ProblemSpec>& drawn, const std::vector<double>& work)
      : pairs_(drawn), work_(work), covered_(pairs_.count()), taken_(drawn.size()) {}

  // Until each pair has been taken `times`, as far as there are problems. A problem's value only falls while others are
  // taken, so that the best is the one whose value, computed anew, still leads.
  void Round(uint64_t times) {
    std::priority_queue<std::pair<double, int64_t>> best;  // value, minus its place: the first of equals
    for (uint64_t i = 0; i < taken_.size(); ++i) {
      if (!taken_[i]) best.emplace(Value(i, times), -static_cast<int64_t>(i));
    }
    while (!best.empty()) {
      const uint64_t i = static_cast<uint64_t>(-best.top().second);
      const double before = best.top().first, value = Value(i, times);
      best.pop();
      if (value == 0) continue;
      if (value < before) {
        best.emplace(value, -static_cast<int64_t>(i));
        continue;
      }
      Take(i);
    }
  }

  void TakeTheRest() {
    for (uint64_t i = 0; i < taken_.size(); ++i) {
      if (!taken_[i]) Take(i);
    }
  }

  const std::vector<uint64_t>& order() const { return order_; }

 private:
  double Value(uint64_t problem, uint64_t times) const {
    const auto& pairs = pairs_.Of(problem);
    const auto adds = std::count_if(pairs.begin(), pairs.end(), [&](size_t pair) { return covered_[pair] < times; });
    return static_cast<double>(adds) / work_[problem];
  }

  void Take(uint64_t problem) {
    for (const size_t pair : pairs_.Of(problem)) ++covered_[pair];
    taken_[problem] = true;
    order_.push_back(problem);
  }

  const Numbered pairs_;
  const std::vector<double>& work_;
  std::vector<uint64_t> covered_;
  std::vector<bool> taken_;
  std::vector<uint64_t> order_;
};

}  // namespace

PairsFirst OrderByPairs(const std::vector<ProblemSpec>& drawn, const std::vector<double>& work) {
  PairsFirst result;
  Order order(drawn, work);
  for (uint64_t times = 1; times <= kWantedOfEachPair; ++times) {
    order.Round(times);
    if (times == 1) result.first_round = order.order().size();
  }
  order.TakeTheRest();
  result.order = order.order();
  return result;
}

}  // namespace tandem::conformance
