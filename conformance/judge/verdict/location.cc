#include "conformance/judge/verdict/location.h"

#include <array>

#include "api/core/gates.h"
#include "api/core/rnn/step_walk.h"

namespace tandem::conformance {
namespace {

// Rank of a location in the order of computation within its direction.
Dim StepOf(const RnnProblem& p, const Location& a) {
  if (a.t < 0) return p.n_iter;
  return StepWalk(p, a.d).Step(a.t);
}

}  // namespace

std::string ToString(const Location& location, Cell cell) {
  std::string text;
  const auto add = [&text](const char* name, Dim value) {
    if (value < 0) return;
    if (!text.empty()) text += ' ';
    text += std::string(name) + "=" + std::to_string(value);
  };
  add("t", location.t);
  add("l", location.l);
  add("d", location.d);
  add("n", location.n);
  add("input", location.input);
  const Dim gates = NumBiasGates(cell);
  if (location.gate >= gates) {
    add("norm", location.gate - gates);
  } else if (location.gate >= 0) {
    text += std::string(" gate=") + GateName(cell, location.gate);
  }
  add("unit", location.unit);
  return text;
}

Location Locate(const RnnProblem& problem, Tensor tensor, size_t index) {
  const MemoryDesc& md = problem.md[tensor];
  std::array<Dim, DNNL_MAX_NDIMS> at{};
  Dim rest = static_cast<Dim>(index);
  for (int i = md.ndims - 1; i >= 0; --i) {
    at[static_cast<size_t>(i)] = rest % md.dims[i];
    rest /= md.dims[i];
  }
  Location where;
  where.index = index;
  const auto axis = [&](char letter, Dim* dim) {
    const int i = AxisOf(tensor, letter);
    if (i >= 0) *dim = at[static_cast<size_t>(i)];
  };
  axis('t', &where.t), axis('l', &where.l), axis('d', &where.d), axis('n', &where.n);
  axis('i', &where.input), axis('g', &where.gate), axis('c', &where.unit), axis('o', &where.unit);
  const Tensor base = WithoutDiff(tensor);
  if (base == kDstLayer) where.l = problem.n_layer - 1;
  if (base == kDstLayer && problem.direction == Direction::kBidirectionalConcat) {
    where.d = where.unit / problem.dic;
    where.unit %= problem.dic;
  }
  if (base == kWeightsPeephole) where.gate = GateOfPeephole(TraitsOf(problem.cell), where.gate);
  if (RoleOf(base) == TensorRole::kNorm) where.gate += problem.n_bias_gates;
  return where;
}

bool Precedes(const RnnProblem& problem, const Location& a, const Location& b) {
  const auto rank = [&problem](const Location& x) {
    return std::array<Dim, 6>{StepOf(problem, x), x.l, x.d, x.n, x.gate, x.unit};
  };
  return rank(a) < rank(b);
}

}  // namespace tandem::conformance
