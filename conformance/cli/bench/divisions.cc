#include "conformance/cli/bench/divisions.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "conformance/problem/problem_notation.h"

namespace tandem::conformance {
namespace {

std::set<int> TeamSizes(int threads) {
  std::set<int> sizes = {threads};
  for (int size = 1; size < threads; size *= 2) sizes.insert(size);
  return sizes;
}

}  // namespace

std::string DivisionOfWork::ToString() const {
  return std::to_string(dirs) + "x" + std::to_string(rows) + "x" + std::to_string(units);
}

std::vector<DivisionOfWork> DivisionsOf(const ProblemSpec& given, int threads) {
  ProblemSpec spec = given;
  ResolveDims(&spec);
  std::vector<DivisionOfWork> divisions;
  for (const int team : TeamSizes(threads)) {
    if (spec.propagation == Propagation::kBackward) {
      divisions.push_back({1, 1, team});
      continue;
    }
    for (int dirs = 1; dirs <= (IsBidirectional(spec.direction) ? 2 : 1); ++dirs) {
      for (int rows = 1; dirs * rows <= team && rows <= spec.mb; ++rows) {
        const int units = team / (dirs * rows);
        if (dirs * rows * units == team && units <= spec.dhc) divisions.push_back({dirs, rows, units});
      }
    }
  }
  return divisions;
}

double DivisionTimings::ChosenToBest() const {
  double best = HUGE_VAL;
  for (const Timing& t : tried) {
    if (t.refused.empty()) best = std::min(best, t.min_seconds);
  }
  return chosen.refused.empty() && std::isfinite(best) ? chosen.min_seconds / best : NAN;
}

DivisionTimings TimeDivisions(const Contender& contender, const ProblemSpec& spec, int threads,
                              const BenchOptions& given) {
  std::vector<Contender> contenders = {contender};
  contenders.front().label = "chosen";
  for (const DivisionOfWork& division : DivisionsOf(spec, threads)) {
    contenders.push_back(contender);
    contenders.back().label = division.ToString();
    contenders.back().setting = {"TANDEM_DIVISION", division.ToString()};
  }
  BenchOptions options = given;
  options.threads = {threads};
  DivisionTimings timings;
  timings.tried = TimeProblem(contenders, spec, options);
  timings.chosen = timings.tried.front();
  timings.tried.erase(timings.tried.begin());
  return timings;
}

}  // namespace tandem::conformance
