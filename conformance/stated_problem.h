// A StatedProblem is a problem as plugin.h states it, with the tensors that it points to, for hosts and wrappers.
#ifndef TANDEM_CONFORMANCE_STATED_PROBLEM_H_
#define TANDEM_CONFORMANCE_STATED_PROBLEM_H_

#include <algorithm>
#include <cstring>

#include "conformance/plugin.h"

namespace tandem::conformance {

// The struct has only plain bytes until get(), so that messages can hold it.
struct StatedProblem {
  StatedProblem() = default;
  // Copies `given`. A member that `given` does not know is absent or zero.
  explicit StatedProblem(const tandem_problem& given) {
    std::memcpy(&problem, &given, std::min(size_t{given.size}, sizeof problem));
    std::copy_n(given.tensor, std::min<int32_t>(given.tensor_count, TANDEM_NUM_TENSORS), tensor);
  }

  // The pointer leads into this object.
  const tandem_problem* get() {
    problem.size = sizeof problem;
    problem.tensor_count = TANDEM_NUM_TENSORS;
    problem.tensor = tensor;
    return &problem;
  }

  tandem_problem problem = {};
  tandem_tensor tensor[TANDEM_NUM_TENSORS] = {};
};

// Says whether the gates of `p` have other functions than sigmoid and tanh.
inline bool HasGateFunctions(const tandem_problem& p) {
  return (p.flags & (TANDEM_FLAG_INPUT_FORGET | TANDEM_FLAG_GATE_FUNCTIONS)) != 0 || p.gate_clip != 0;
}

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_STATED_PROBLEM_H_
