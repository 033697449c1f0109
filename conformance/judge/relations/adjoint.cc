// <diff_dst, J d> = <gradient, d>, where the outputs are an affine function of what d moves: then J d is the difference
// of two forward runs, d need not be small, and the only errors are those of the elements in the two products. Each
// cell has such a slice:
//
//   vanilla RNN  relu of slope 1 on both sides: affine in src_layer and src_iter together, and in weights_layer and
//                bias of one layer
//   LSTM         without peephole: c_t = f c_{t-1} + i c~. One step is affine in src_iter_c as it is; more steps are if
//                weights_iter is 0. Only diff_dst_iter_c is given, for h is not affine in c
//   GRU, LBR     weights_iter of 0: h_t = u h_{t-1} + (1 - u) o is affine in src_iter
//   AUGRU, LBR   likewise; or one step, affine in the attention: u (1 - a) h + (1 - u (1 - a)) o
//
// With several layers, the states of the uppermost one are moved: the layers above would not be affine in them.
#include <algorithm>
#include <cmath>

#include "api/core/error.h"
#include "conformance/judge/relations/other_orders.h"
#include "conformance/oracle/oracle.h"
#include "conformance/problem/batch_rows.h"
#include "conformance/problem/row_lengths.h"
#include "conformance/problem/step_problem.h"

namespace tandem::conformance {
namespace {

enum class Slice { kInputs, kWeights, kCellState, kState, kAttention };

Slice ChooseSlice(const RnnProblem& p, uint64_t number) {
  switch (TraitsOf(p.cell).state) {
    case StateRule::kGate:
      return number % 2 == 0 ? Slice::kInputs : Slice::kWeights;
    case StateRule::kFromC:
      return Slice::kCellState;
    case StateRule::kBlend:
      return HasAttention(p.cell) && (number % 2 == 0 || !p.Has(kSrcIter)) ? Slice::kAttention : Slice::kState;
  }
  ThrowNoSuchEnumerator("Cell", p.cell);
}

void Clear(TensorBuffer* buffer) {
  buffer->Fill([](size_t) { return 0; });
}

// A problem that is affine, its inputs, and the inputs moved by d.
struct AffineCase {
  RnnProblem problem;
  TensorSet inputs, moved;
  std::vector<Tensor> moves;
};

// Moves the elements of `t` that lie in `fixed` by about 1, each by an amount of its own.
void Move(Tensor t, const std::vector<Fixed>& fixed, AffineCase* c) {
  if (!c->problem.Has(t)) return;
  TensorBuffer& buffer = c->moved[t];
  for (const size_t i : IndicesOf(buffer.md(), fixed)) {
    const double x = buffer.Get(i);
    const double by = 0.5 + static_cast<double>((i * 7 + 3) % 11) / 16;
    buffer.Set(i, x + (i % 3 == 0 ? -by : by));
  }
  c->moves.push_back(t);
}

// One step of the lowest layer, left2right.
AffineCase FirstStep(const RnnProblem& p, const TensorSet& inputs) {
  const Part step = {0, 0, true, p.Has(kSrcIter), Propagation::kBackward};
  AffineCase c = {PartProblem(p, step), {}, {}, {}};
  c.inputs = TensorSet(c.problem);
  CopyParameters(p, inputs, step, &c.inputs);
  for (const Tensor t : {kSrcLayer, kAugruAttention}) {
    if (p.Has(t)) c.inputs[t].FromDoubles(ReadPart(inputs[t], {{0, 0}}));
  }
  CopyMasks(inputs, step, 0, &c.inputs);
  if (p.Has(kSequenceLengths)) {
    c.inputs[kSequenceLengths].Fill([&](size_t n) { return std::min(inputs[kSequenceLengths].Get(n), 1.0); });
  }
  TensorBuffer& diff = c.inputs[kDiffDstLayer];
  for (size_t i = 0; i < diff.size(); ++i) diff.Set(i, inputs[kDiffDstLayer].Get(i));
  for (const Tensor t : {kDiffDstIter, kDiffDstIterC}) {
    if (p.Has(t)) c.inputs[t].FromDoubles(ReadPart(inputs[t], step.Stack()));
  }
  return c;
}

// True if the outputs are affine in a single step only. A c that each step rounds to 16 bits is not an affine function
// of the first c.
bool NeedsOneStep(const RnnProblem& p, Slice slice) {
  return slice == Slice::kAttention || (slice == Slice::kCellState && TypeOf(p.md[kSrcIterC]) != DataType::kF32);
}

AffineCase MakeCase(const CheckInput& in, Slice slice, uint64_t number) {
  const bool one_step = in.problem.n_iter > 1 && NeedsOneStep(in.problem, slice);
  // The values beyond a row's length have a part in the two products: a gradient of zero.
  TensorSet inputs = in.inputs;
  FillBeyondLengths(in.problem, 0.25, &inputs);
  AffineCase c = one_step ? FirstStep(in.problem, inputs) : AffineCase{in.problem, inputs, {}, {}};
  const RnnProblem& p = c.problem;
  if (HasActivation(p.cell)) {
    c.problem.activation = Activation::kRelu;
    c.problem.alpha = 1;
    c.problem.attr.rnn_gates = {};  // a clip is not affine
  }
  if (slice == Slice::kCellState) {
    c.problem.md[kWeightsPeephole] = c.problem.md[kDiffWeightsPeephole] = MemoryDesc{};
    c.inputs[kWeightsPeephole] = c.inputs[kDiffWeightsPeephole] = TensorBuffer();
    // h is not affine in c, so its gradients are zero.
    Clear(&c.inputs[kDiffDstLayer]);
    Clear(&c.inputs[kDiffDstIter]);
    if (p.n_iter > 1) Clear(&c.inputs[kWeightsIter]);
  }
  if (slice == Slice::kState) Clear(&c.inputs[kWeightsIter]);
  if (p.diff_weights_mode() == DiffWeightsMode::kAccumulate) {
    // Gradients accumulate: the old content is not part of the gradient.
    for (const Tensor t : kDiffParameters) Clear(&c.inputs[t]);
  }
  c.moved = c.inputs;
  const Dim top = p.n_layer - 1, some = static_cast<Dim>(number / 2 % static_cast<uint64_t>(p.n_layer));
  switch (slice) {
    case Slice::kInputs:
      Move(kSrcLayer, {}, &c);
      Move(kSrcIter, {}, &c);
      break;
    case Slice::kWeights:
      Move(kWeightsLayer, {{0, some}}, &c);
      Move(kBias, {{0, some}}, &c);
      break;
    case Slice::kCellState:
      Move(kSrcIterC, {{0, top}}, &c);
      break;
    case Slice::kState:
      Move(kSrcIter, {{0, top}}, &c);
      break;
    case Slice::kAttention:
      Move(kAugruAttention, {}, &c);
      break;
  }
  return c;
}

// The sums of one row of the batch, or (moved weights) of all.
struct Identity {
  double outputs = 0;    // <diff_dst, J d>
  double gradients = 0;  // <gradient, d>
  double bound = 0, terms = 0, count = 0;
  bool known = true;
  void Add(double factor, double value, double error, double* sum) {
    if (factor == 0) return;
    *sum += factor * value;
    bound += std::fabs(factor) * error;
    terms += std::fabs(factor * value);
    ++count;
    known = known && std::isfinite(bound) && std::isfinite(value);
  }
  // The bound of the elements, and the rounding errors of these sums in double.
  double Bound() const { return bound + (count + 2) * 0x1p-52 * terms; }
};

// The largest distance between what an implementation may store and the exact value. Both lie within a bound of the
// oracle's value.
double Error(const OracleTensor& oracle, size_t i) {
  if (oracle.cls[i] != ElementClass::kFinite) return INFINITY;
  const double stored = std::max(oracle.hi[i] - oracle.value[i], oracle.value[i] - oracle.lo[i]);
  return stored + oracle.bound[i];
}

// The runs of the relation: the gradients and outputs at the inputs, the outputs at the moved inputs.
struct Runs {
  const AffineCase& c;
  const RnnProblem& forward;
  const TensorSet& at_inputs;
  const TensorSet& at_moved;
};

// [n], or one for all rows if weights are moved.
std::vector<Identity> Evaluate(const Runs& r, const Declaration& declared) {
  const RnnProblem& p = r.c.problem;
  const bool by_row = AxisOf(r.c.moves[0], 'n') >= 0;
  std::vector<Identity> rows(by_row ? static_cast<size_t>(p.mb) : 1);
  const auto row_of = [&](Tensor t, size_t i) -> Identity& {
    return rows[by_row ? static_cast<size_t>(Locate(p, t, i).n) : 0];
  };
  // The identity holds for the exact values: states are not forced, and need not be rounded to 16 bits.
  OracleOptions options;
  options.declared = declared;
  options.declared.recurrence = options.declared.cell_state = Recurrence::kWide;
  const OracleResult first = RunOracle(r.forward, r.c.inputs, options);
  const OracleResult second = RunOracle(r.forward, r.c.moved, options);
  for (const Tensor t : Outputs(r.forward)) {
    const TensorBuffer &a = r.at_inputs[t], &b = r.at_moved[t], &factor = r.c.inputs[Diff(t)];
    for (size_t i = 0; i < a.size(); ++i) {
      Identity& row = row_of(t, i);
      row.Add(factor.Get(i), b.Get(i) - a.Get(i), Error(*first.Find(t), i) + Error(*second.Find(t), i), &row.outputs);
    }
  }
  TensorSet given = r.c.inputs;
  TakeForwardOutputs(r.at_inputs, &given);
  const OracleResult gradients = RunOracle(p, given, options);
  for (const Tensor t : r.c.moves) {
    const TensorBuffer& gradient = r.at_inputs[Diff(t)];
    for (size_t i = 0; i < gradient.size(); ++i) {
      Identity& row = row_of(t, i);
      const double d = r.c.moved[t].Get(i) - r.c.inputs[t].Get(i);
      row.Add(d, gradient.Get(i), Error(*gradients.Find(Diff(t)), i), &row.gradients);
    }
  }
  return rows;
}

}  // namespace

bool HasAffineSlice(const RnnProblem& p) {
  if (!p.IsBackward()) return false;
  // Division by the root of a variance is not affine.
  if (p.attr.rnn_layer_norm.given()) return false;
  // In that reading the gradient is not the derivative of the forward equations.
  if (HasAttention(p.cell) && p.attr.reading == Reading::kOnednn) return false;
  switch (ChooseSlice(p, 0)) {
    case Slice::kCellState:
      return p.Has(kSrcIterC) && p.Has(kDstIterC);
    case Slice::kState:
      return p.Has(kSrcIter);
    case Slice::kInputs:
    case Slice::kWeights:
    case Slice::kAttention:
      break;
  }
  return true;
}

void CheckAdjoint(uint64_t number, RelationRun* run) {
  const AffineCase c = MakeCase(run->in(), ChooseSlice(run->p(), number), number);
  const RnnProblem forward = ForwardOf(c.problem);
  TensorSet at_inputs = c.inputs, at_moved = c.moved;
  if (!run->Run(c.problem, &at_inputs) || !run->Run(forward, &at_moved)) return;
  TensorReport row = run->Row(Diff(c.moves[0]));
  const std::vector<Identity> rows = Evaluate({c, forward, at_inputs, at_moved}, run->in().declared);
  for (size_t n = 0; n < rows.size(); ++n) {
    const Identity& sums = rows[n];
    ++row.stats.elements;
    const double bound = sums.Bound();
    // A bound above a quarter of the sum of all terms is too wide to test anything.
    if (!sums.known || bound > sums.terms / 4) {
      ++row.stats.vacuous;
      continue;
    }
    const double error = sums.gradients - sums.outputs;
    if (std::fabs(error) <= bound) {
      if (bound > 0) row.stats.ratio.Add(std::fabs(error) / bound);
      continue;
    }
    ++row.failures;
    row.outcome.Worsen(Verdict::kFail);
    if (row.has_departure) continue;
    row.has_departure = true;
    if (rows.size() > 1 || run->p().mb == 1) row.first.n = static_cast<Dim>(n);
    row.got = sums.gradients;
    row.want = sums.outputs;
    row.lo = sums.outputs - bound;
    row.hi = sums.outputs + bound;
  }
  run->Add(row);
}

}  // namespace tandem::conformance
