// A problem as plugin.h states it and the tensors that it points to, for hosts and for wrappers around plugins.
#ifndef TANDEM_CONFORMANCE_STATED_PROBLEM_H_
#define TANDEM_CONFORMANCE_STATED_PROBLEM_H_

#include <algorithm>
#include <cstring>

#include "conformance/plugin.h"

namespace tandem::conformance {

// Plain bytes until get(), so that messages can hold it.
struct StatedProblem {
  StatedProblem() = default;
  // A copy; what `given` does not know is absent or zero.
  explicit StatedProblem(const tandem_problem& given) {
    std::memcpy(&problem, &given, std::min(size_t{given.size}, sizeof problem));
    std::copy_n(given.tensor, std::min<int32_t>(given.tensor_count, TANDEM_NUM_TENSORS), tensor);
  }

  // Points into this object.
  const tandem_problem* get() {
    problem.size = sizeof problem;
    problem.tensor_count = TANDEM_NUM_TENSORS;
    problem.tensor = tensor;
    return &problem;
  }

  tandem_problem problem = {};
  tandem_tensor tensor[TANDEM_NUM_TENSORS] = {};
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_STATED_PROBLEM_H_
