// Measures which bugs the judge detects: each known mistake is a plugin, judged as `tandem check --tier=quick` does
// any other, problem after problem until one fails.
#ifndef TANDEM_CONFORMANCE_FAULTY_MUTANTS_HUNT_H_
#define TANDEM_CONFORMANCE_FAULTY_MUTANTS_HUNT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/faulty/mutation.h"
#include "conformance/judge/check.h"
#include "conformance/problem/random/random_problem.h"

namespace tandem::conformance {

// A column of the mutation table: forward f32, bf16, f16, int8, backward f32, bf16, f16.
struct MutantGroup {
  const char* name;
  ProblemScope scope;
  bool backward;
};
const std::vector<MutantGroup>& MutantGroups();

// The checks of --tier=quick, with a time limit of a few seconds for a hang.
CheckOptions HuntOptions();

// Which check failed a problem: a finding of the host, such as "guard-page", or the kind and the tensor of the first
// row that fails, "teacher_forced dst_layer". Empty if none did.
std::string NameOfCheck(const CheckedProblem& checked);

struct Kill {
  Mutation mutation = Mutation::kNoBug;
  const char* group = "";
  std::string check;        // NameOfCheck(); empty: the bug survived
  uint64_t problems = 0;    // drawn until the kill, the last one included
  uint64_t applicable = 0;  // of these, able to show the bug
  std::string detail;       // what the check said
  std::string replay;       // the line that shows it again

  bool killed() const { return !check.empty(); }
};

// The problems of a group, drawn once.
class HuntingGround {
 public:
  HuntingGround(const MutantGroup& group, uint64_t seed);
  const MutantGroup& group() const { return group_; }
  // False for a bug that no problem of the group can show.
  bool CanShow(const MutationInfo& info) const;
  // Draws problems 0, 1, ... until the bug is caught or `limit` are drawn.
  Kill Hunt(const MutationInfo& info, uint64_t limit) const;

 private:
  struct Drawn {
    ProblemSpec spec;
    RnnProblem problem;
  };
  const MutantGroup& group_;
  std::vector<Drawn> drawn_;
};

// Detection probability of weights that are all wrong by a factor 1 + d.
struct DetectionPoint {
  const char* group = "";
  double perturbation = 0;
  uint64_t problems = 0, detected = 0;
};
std::vector<DetectionPoint> DetectionCurve(const MutantGroup& group, uint64_t seed, uint64_t problems);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_FAULTY_MUTANTS_HUNT_H_
