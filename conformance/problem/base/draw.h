// Random choices that follow each other, for one problem of a run.
#ifndef TANDEM_CONFORMANCE_PROBLEM_BASE_DRAW_H_
#define TANDEM_CONFORMANCE_PROBLEM_BASE_DRAW_H_

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "conformance/problem/base/counter_random.h"

namespace tandem::conformance {

// Each choice has its own counter; a problem makes fewer than 1,024.
class Draw {
 public:
  Draw(uint64_t seed, uint64_t index) : seed_(seed), index_(index) {}
  uint64_t Word() { return CounterRandom(seed_, kStreamProblem, index_ * 1024 + next_++); }
  bool OneIn(uint64_t n) { return Word() % n == 0; }
  int64_t Between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(Word() % static_cast<uint64_t>(high - low + 1));
  }
  template <class T>
  T From(std::initializer_list<T> values) {
    return values.begin()[Word() % values.size()];
  }
  template <class T>
  T From(const std::vector<T>& chosen, const std::vector<T>& all) {
    const std::vector<T>& from = chosen.empty() ? all : chosen;
    return from[Word() % from.size()];
  }

 private:
  uint64_t seed_, index_, next_ = 0;
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_PROBLEM_BASE_DRAW_H_
