#include "reference/stack/trace.h"

#include "reference/cells/cell_dispatch.h"
#include "reference/numerics/numerics.h"
#include "reference/numerics/numerics_int8.h"
#include "reference/stack/stack_input.h"

namespace tandem {
namespace reference {
namespace {

template <class N>
struct TraceHook : NoHook {
  const RnnProblem& problem;
  const std::function<void(const TracedValue&)>& visit;

  TraceHook(const RnnProblem& p, const std::function<void(const TracedValue&)>& v) : problem(p), visit(v) {}
  void AfterStep(const StepIndex& index, const CellInput<N>& in, CellResult<N>* out) {
    TellCell(problem, in, *out, [&](const char* equation, const char* name, const Mat<double>& value) {
      visit({index, equation, name, value});
    });
  }
};

template <class N>
void Trace(const BoundProblem& bound, const std::function<void(const TracedValue&)>& visit) {
  const N num(bound.problem);
  TraceHook<N> hook(bound.problem, visit);
  RunStack(num, LoadStackInput(num, bound), &hook);
}

}  // namespace

void TraceForward(const RnnProblem& problem, const RnnBuffers& buffers,
                  const std::function<void(const TracedValue&)>& visit) {
  const BoundProblem bound = {problem, buffers};
  if (problem.IsInt8()) return Trace<QuantizedNumerics<double>>(bound, visit);
  Trace<StorageNumerics<double>>(bound, visit);
}

}  // namespace reference
}  // namespace tandem
