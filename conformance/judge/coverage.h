// The coverage table says which implementation serves which problems. They are asked, so the table is never out of date.
#ifndef TANDEM_CONFORMANCE_JUDGE_COVERAGE_H_
#define TANDEM_CONFORMANCE_JUDGE_COVERAGE_H_

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "conformance/judge/profiles.h"
#include "conformance/problem/problem_spec.h"
#include "conformance/problem/random/pairs.h"
#include "conformance/sandbox/executor.h"
#include "conformance/sandbox/plugin_host.h"

namespace tandem::conformance {

// Returns the problem's direction, and whether it has one layer or more. Many libraries have one layer left2right only.
inline FeaturePair ShapeOf(const ProblemSpec& spec) {
  return {FeatureOf(spec, Aspect::kDirection), FeatureOf(spec, Aspect::kLayers)};
}

// Coverage asks a plugin which problems it serves, in one process, which is started again if a question ends it.
class Coverage {
 public:
  // `asked` is called after each question with their number.
  explicit Coverage(const Plugin& plugin, std::function<void(size_t)> asked = nullptr);

  // Returns true if the plugin serves the problem; `*reason` says why not.
  bool Serves(const ProblemSpec& spec, std::string* reason);
  // Returns the kinds of which the plugin accepts a problem: one of the required ones, or a small one if there are none.
  std::set<ServedKind> Kinds();
  // Returns the shapes of which it accepts a small problem of at least one of these kinds.
  std::set<FeaturePair> Shapes(const std::set<ServedKind>& kinds);
  // Returns the kinds of which it also serves rows of different lengths, which only Tandem's interface has.
  std::set<ServedKind> KindsWithLengths();
  // Returns the kinds of which it serves all norms that a cell may have, apart: each way and part normalized.
  std::set<ServedKind> KindsWithNorms();
  // Returns the kinds of which it also serves masks, which only Tandem's interface has, too.
  std::set<ServedKind> KindsWithMasks();
  // Returns the kinds of 8-bit weights beside floating data that it serves.
  std::set<ServedKind> KindsWithByteWeights();
  // Returns the activations beside relu, tanh and logistic that it serves.
  std::vector<Activation> ServedActivations();
  // The cells that it serves with functions of gates.
  std::set<Cell> CellsWithGates();

 private:
  // `feature` is given to each of the problems.
  std::set<ServedKind> KindsServedOf(const std::vector<ProblemSpec>& problems,
                                     const std::function<void(ProblemSpec*)>& feature);

  const Plugin& plugin_;
  const std::function<void(size_t)> asked_;
  size_t questions_ = 0;
  Executor executor_;
};

// This is a problem of the coverage table, with the names of its row and column.
struct CoverageQuestion {
  std::string row, column;
  ProblemSpec spec;
};
// Returns every cell (LSTM also with peephole, with projection) and propagation in every configuration of types.
std::vector<CoverageQuestion> TypeQuestions();
// Returns those of the types that are valid problems without peephole and projection. At their size more than one thread is
// worth while: 25 rows, which is no multiple of a vector or a tile, and 48 channels.
std::vector<CoverageQuestion> GradeQuestions();
// Returns every tensor in every layout, and every optional tensor absent, for LSTM in f32.
std::vector<CoverageQuestion> LayoutQuestions();

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_JUDGE_COVERAGE_H_
