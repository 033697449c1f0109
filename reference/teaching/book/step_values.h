// Between the matrices of a cell and the names of the book: what a step reads, and what it gives.
#ifndef TANDEM_REFERENCE_TEACHING_BOOK_STEP_VALUES_H_
#define TANDEM_REFERENCE_TEACHING_BOOK_STEP_VALUES_H_

#include <map>
#include <string>
#include <vector>

#include "api/core/gates.h"
#include "reference/cells/cell_backward.h"
#include "reference/numerics/numerics_int8.h"
#include "reference/stack/masks.h"
#include "reference/teaching/table/evaluate.h"

namespace tandem {
namespace reference {

using NamedValues = std::map<std::string, Mat<double>>;

// The real numbers that a gate's weights stand for.
inline Mat<double> RealWeights(const Mat<double>& w) { return w; }
inline Mat<double> RealWeights(const QuantizedWeights<double>& w) { return w.q / RepeatColumn(w.scale, w.q.cols()); }

// The subscript of gate number `gate`: "_c~"; none for the vanilla cell's only gate.
inline std::string GateSubscript(Cell cell, size_t gate) {
  return HasActivation(cell) ? "" : std::string("_") + GateName(cell, static_cast<Dim>(gate));
}
inline std::string PeepholeSubscript(Cell cell, size_t place) {
  return GateSubscript(cell, static_cast<size_t>(GateOfPeephole(TraitsOf(cell), static_cast<Dim>(place))));
}

inline void Merge(const NamedValues& more, NamedValues* values) {
  for (const auto& [name, value] : more) (*values)[name] = Mat<double>(value);
}

// alpha and beta of one of the functions: "alpha_candidate".
inline NamedValues NumbersOf(const ActivationFunction& f, const std::string& subscript) {
  return {{"alpha" + subscript, Mat<double>::Constant(1, 1, f.alpha)},
          {"beta" + subscript, Mat<double>::Constant(1, 1, f.beta)}};
}

// The mark and the subscript that the names of norm number `place` end with: "_i", "'_i" for the norms of U h', "_c".
inline std::string NormEnding(const RnnProblem& problem, size_t place) {
  const size_t gates = static_cast<size_t>(problem.n_gates);
  const LayerNorm& norm = problem.attr.rnn_layer_norm;
  const size_t products = norm.NumNorms(gates) - (norm.cell == CellNorm::kNone ? 0 : 1);
  if (place == products) return "_c";
  return (place < gates ? "" : "'") + GateSubscript(problem.cell, place % gates);
}

// W, U, B, P and R of one layer and direction, gains and offsets of its norms, and the numbers of its functions and norms.
template <class N>
NamedValues ParameterValues(const RnnProblem& problem, const CellParameters<N>& p) {
  NamedValues values;
  for (size_t gate = 0; gate < p.W.size(); ++gate) {
    values["W" + GateSubscript(problem.cell, gate)] = RealWeights(p.W[gate]);
  }
  for (size_t gate = 0; gate < p.U.size(); ++gate) {
    values["U" + GateSubscript(problem.cell, gate)] = RealWeights(p.U[gate]);
  }
  for (size_t gate = 0; gate < p.B.size(); ++gate) values["B" + GateSubscript(problem.cell, gate)] = p.B[gate];
  for (size_t gate = 0; gate < p.P.size(); ++gate) values["P" + PeepholeSubscript(problem.cell, gate)] = p.P[gate];
  if (!p.R.empty()) values["R"] = RealWeights(p.R[0]);
  for (size_t place = 0; place < p.norm_gain.size(); ++place) {
    values["norm_gain" + NormEnding(problem, place)] = p.norm_gain[place];
    values["norm_offset" + NormEnding(problem, place)] = p.norm_offset[place];
  }
  if (p.norm.given()) values["epsilon"] = Mat<double>::Constant(1, 1, p.norm.epsilon);
  Merge(NumbersOf(p.activation, ""), &values);
  if (AreDefault(p.functions)) return values;
  for (const GatePlace place : kGatePlaces) {
    Merge(NumbersOf(p.functions.At(place), std::string("_") + ToString(place)), &values);
  }
  values["clip"] = Mat<double>::Constant(1, 1, p.functions.clip);
  return values;
}

// x, h', c' and a, as real numbers.
template <class N>
NamedValues InputValues(const RnnProblem& problem, const N& num, const CellInput<N>& in) {
  NamedValues values;
  values["x"] = num.Widen(in.x);
  values["h'"] = num.Widen(in.h_prev);
  if (HasCellState(problem.cell)) values["c'"] = in.c_prev;
  if (HasAttention(problem.cell)) values["a"] = in.a.topRows(1);
  return values;
}

// The results of a step, as real numbers: gates, pre-activations that are kept, c, h^ and h; with zoneout also the cell's own
// c and h. The h and c of `result` are the stored ones.
template <class N>
NamedValues ResultValues(const RnnProblem& problem, const N& num, const CellResult<N>& result) {
  NamedValues values;
  if (HasActivation(problem.cell)) {
    values["a"] = result.linear;
  } else {
    for (size_t gate = 0; gate < static_cast<size_t>(problem.n_gates); ++gate) {
      values[GateName(problem.cell, static_cast<Dim>(gate))] = result.gate[gate];
      if (result.pre[gate].size() > 0) values["a" + GateSubscript(problem.cell, gate)] = result.pre[gate];
    }
  }
  if (HasCellState(problem.cell)) values["c"] = result.c;
  if (problem.HasProjection()) values["h^"] = num.Widen(result.h_hat);
  values["h"] = num.Widen(result.h);
  if (result.h_cell.size() > 0) values["h_cell"] = num.Widen(result.h_cell);
  if (result.c_cell.size() > 0) values["c_cell"] = result.c_cell;
  return values;
}

// The masks that are given.
template <class N>
NamedValues MaskValues(const StepMasks<N>& masks) {
  NamedValues values;
  const auto add = [&values](Tensor tensor, const Mat<double>& mask) {
    if (mask.size() > 0) values[ToString(tensor)] = mask;
  };
  add(kMaskLayer, masks.layer);
  add(kMaskIter, masks.iter);
  add(kZoneoutIter, masks.zoneout_iter);
  add(kZoneoutIterC, masks.zoneout_iter_c);
  return values;
}

// x and h' as the cell reads them, where they are masked.
template <class N>
NamedValues MaskedInputValues(const N& num, const StepMasks<N>& masks, const CellInput<N>& in) {
  const CellInput<N> seen = MaskedInput(num, masks, in);
  NamedValues values;
  if (masks.layer.size() > 0) values["x_m"] = num.Widen(seen.x);
  if (masks.iter.size() > 0) values["h'_m"] = num.Widen(seen.h_prev);
  return values;
}

template <class N>
NamedValues DiffInputValues(const RnnProblem& problem, const CellDiffInput<N>& diff) {
  NamedValues values;
  values["dh"] = diff.diff_h;
  if (HasCellState(problem.cell)) values["dc"] = diff.diff_c;
  return values;
}

template <class N>
NamedValues DiffResultValues(const RnnProblem& problem, const CellDiffResult<N>& result) {
  NamedValues values;
  values["dx"] = result.diff_x;
  values["dh'"] = result.diff_h_prev;
  if (HasCellState(problem.cell)) values["dc'"] = result.diff_c_prev;
  if (HasAttention(problem.cell)) values["da"] = result.diff_a;
  return values;
}

template <class N>
NamedValues GradientValues(const RnnProblem& problem, const ParameterGradients<N>& grad) {
  NamedValues values;
  for (size_t gate = 0; gate < grad.W.size(); ++gate) {
    values["dW" + GateSubscript(problem.cell, gate)] = grad.W[gate];
  }
  for (size_t gate = 0; gate < grad.U.size(); ++gate) {
    values["dU" + GateSubscript(problem.cell, gate)] = grad.U[gate];
  }
  for (size_t gate = 0; gate < grad.B.size(); ++gate) values["dB" + GateSubscript(problem.cell, gate)] = grad.B[gate];
  for (size_t gate = 0; gate < grad.P.size(); ++gate)
    values["dP" + PeepholeSubscript(problem.cell, gate)] = grad.P[gate];
  if (!grad.R.empty()) values["dR"] = grad.R[0];
  for (size_t place = 0; place < grad.norm_gain.size(); ++place) {
    values["diff_norm_gain" + NormEnding(problem, place)] = grad.norm_gain[place];
    values["diff_norm_offset" + NormEnding(problem, place)] = grad.norm_offset[place];
  }
  return values;
}

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_TEACHING_BOOK_STEP_VALUES_H_
