// Layers, time and directions, backward: the stack of stack.h from its last step to its first.
#ifndef TANDEM_REFERENCE_STACK_STACK_BACKWARD_H_
#define TANDEM_REFERENCE_STACK_STACK_BACKWARD_H_

#include <functional>
#include <utility>
#include <vector>

#include "reference/cells/cell_backward.h"
#include "reference/stack/stack.h"

namespace tandem {
namespace reference {

template <class N>
struct StackDiffInput {
  StackShape shape;
  CellBackwardFunction<N> cell = nullptr;
  std::function<CellParameters<N>(Dim layer, Dim dir)> parameters;
  // A step as forward saw it.
  std::function<SavedStep<N>(const StepIndex&)> saved;
  // Takes the gradients of one (l, d)'s weights.
  std::function<void(Dim layer, Dim dir, const ParameterGradients<N>&)> weights_sink;
  Dim slc = 0, dic = 0;
  std::vector<typename N::Mat> diff_dst_layer;   // [t], each [dlc, mb]
  std::vector<typename N::Mat> diff_dst_iter;    // [(l, d)], each [dic, mb]; empty: zero
  std::vector<typename N::Mat> diff_dst_iter_c;  // [(l, d)], each [dhc, mb]; empty: zero or no LSTM
  StackMasks<N> masks;
};

template <class N>
struct StackDiffOutput {
  std::vector<typename N::Mat> diff_src_layer;        // [t], each [slc, mb]
  std::vector<typename N::Mat> diff_src_iter;         // [(l, d)], each [sic, mb]
  std::vector<typename N::Mat> diff_src_iter_c;       // [(l, d)], each [dhc, mb]; of empty matrices without LSTM
  std::vector<typename N::Mat> diff_augru_attention;  // [t], each [1, mb]; of empty matrices without attention
};

// BeforeStep may replace the gradients that arrive at a step, AfterStep those that leave it.
struct NoDiffHook {
  template <class Saved, class Input>
  void BeforeStep(const StepIndex&, const Saved&, Input*) {}
  template <class Result>
  void AfterStep(const StepIndex&, Result*) {}
};

template <class N>
ParameterGradients<N> ZeroGradients(const N& num, const StackDiffInput<N>& in, const CellParameters<N>& p) {
  const Dim dhc = in.shape.dhc;
  ParameterGradients<N> grad;
  grad.W.assign(p.W.size(), num.ZeroGradient(dhc, in.slc));
  grad.U.assign(p.U.size(), num.ZeroGradient(dhc, in.shape.sic));
  grad.B.assign(p.B.size(), Zeros<typename N::Real>(dhc, 1));
  grad.P.assign(p.P.size(), Zeros<typename N::Real>(dhc, 1));
  grad.R.assign(p.R.size(), num.ZeroGradient(in.dic, dhc));
  grad.norm_gain.assign(p.norm_gain.size(), Zeros<typename N::Real>(dhc, 1));
  grad.norm_offset.assign(p.norm_offset.size(), Zeros<typename N::Real>(dhc, 1));
  return grad;
}

// diff_dst_layer as direction `dir` gets it: its half of a concatenation, the whole of a sum.
template <class N>
std::vector<typename N::Mat> SplitDirections(const StackDiffInput<N>& in, Dim dir) {
  if (in.shape.direction != Direction::kBidirectionalConcat) return in.diff_dst_layer;  // [STACK.B2]
  std::vector<typename N::Mat> half;
  for (const typename N::Mat& both : in.diff_dst_layer)
    half.push_back(both.middleRows(dir * in.dic, in.dic));  // [STACK.B1]
  return half;
}

// The gradients that go from layer to layer and from step to step of one direction.
template <class N>
struct FlowingDiff {
  std::vector<typename N::Mat> sequence;  // [t], by h_{.,l} before a layer and by h_{.,l-1} after it
  CellDiffInput<N> carried;               // by h_{t,l} and c_{t,l}, from step t + 1
};

// A step of a direction has these: the rows that take part in it, the values that forward saved and the gradients that arrive.
template <class N>
struct StepBackward {
  Columns live;
  SavedStep<N> saved;
  CellDiffInput<N> diff;
};

// The cell's gradients where all rows, some or none have a step. The others must be left out: a zero times an infinite
// weight is NaN, and would join diff_weights. What leaves them is zero.
template <class N>
CellDiffResult<N> RunCellBackward(const N& num, CellBackwardFunction<N> cell, const StepBackward<N>& step,
                                  CellParameters<N>* parameters, ParameterGradients<N>* grad) {
  const Columns& live = step.live;
  const SavedStep<N>& saved = step.saved;
  const Dim mb = saved.in.x.cols(), num_live = static_cast<Dim>(live.size());
  if (num_live == mb) {
    RepeatFor(mb, parameters);
    return cell(num, *parameters, saved, step.diff, grad);
  }
  CellDiffResult<N> part;
  if (num_live > 0) {
    RepeatFor(num_live, parameters);
    const CellDiffInput<N> diff = {TakeColumns(live, step.diff.diff_h), TakeColumns(live, step.diff.diff_c)};
    part = cell(num, *parameters, TakeColumns(live, saved), diff, grad);
  }
  CellDiffResult<N> result;
  result.diff_x = SpreadColumns(live, part.diff_x, saved.in.x.rows(), mb);
  result.diff_h_prev = SpreadColumns(live, part.diff_h_prev, saved.in.h_prev.rows(), mb);
  result.diff_c_prev = SpreadColumns(live, part.diff_c_prev, saved.out.c.rows(), mb);
  result.diff_a = SpreadColumns(live, part.diff_a, saved.in.a.size() == 0 ? 0 : 1, mb);
  return result;
}

// The same through the masks of the step.
template <class N>
CellDiffResult<N> RunStepBackward(const N& num, const StackDiffInput<N>& in, const StepIndex& at,
                                  const StepBackward<N>& step, CellParameters<N>* parameters,
                                  ParameterGradients<N>* grad) {
  if (!in.masks.given()) return RunCellBackward(num, in.cell, step, parameters, grad);
  const StepMasks<N> masks = MasksAt(in.masks, in.shape, at);
  const StepBackward<N> of_cell = {step.live, StepOfCell(num, masks, step.saved), DiffOfCell(masks, step.diff)};
  CellDiffResult<N> result = RunCellBackward(num, in.cell, of_cell, parameters, grad);
  AddMaskGradients(masks, step.diff, &result);
  return result;
}

// One layer of one direction.
template <class N, class Hook>
void RunLayerBackward(const N& num, const StackDiffInput<N>& in, LayerIndex at, FlowingDiff<N>* flowing,
                      StackDiffOutput<N>* out, Hook* hook) {
  CellParameters<N> parameters = in.parameters(at.layer, at.dir);
  ParameterGradients<N> grad = ZeroGradients(num, in, parameters);
  const StepWalk walk = in.shape.Walk(at.dir);
  for (Dim step = walk.steps() - 1; step >= 0; --step) {
    const StepIndex index = {at.layer, at.dir, walk.Time(step)};
    const Columns dead = in.shape.DeadRows(index.time);
    typename N::Mat& diff_h = flowing->sequence[index.time];
    StepBackward<N> now = {in.shape.LiveRows(index.time), in.saved(index), {}};
    now.diff.diff_h = diff_h + flowing->carried.diff_h;  // [STACK.B3]
    now.diff.diff_c = flowing->carried.diff_c;           // [STACK.B7]
    // Whatever lies in the workspace, and arrives, where a row has no step.
    SetZero(dead, &now.saved);
    SetZero(dead, &now.diff.diff_h);
    SetZero(dead, &now.diff.diff_c);
    hook->BeforeStep(index, now.saved, &now.diff);
    CellDiffResult<N> result = RunStepBackward(num, in, index, now, &parameters, &grad);
    hook->AfterStep(index, &result);
    CopyColumns(dead, flowing->carried.diff_h, &result.diff_h_prev);  // as its state was kept
    CopyColumns(dead, flowing->carried.diff_c, &result.diff_c_prev);
    SetZero(dead, &result.diff_x);
    SetZero(dead, &result.diff_a);
    diff_h = std::move(result.diff_x);
    flowing->carried.diff_h = std::move(result.diff_h_prev);
    flowing->carried.diff_c = std::move(result.diff_c_prev);
    out->diff_augru_attention[index.time] = std::move(result.diff_a);
  }
  in.weights_sink(at.layer, at.dir, grad);
}

template <class N>
CellDiffInput<N> InitialDiff(const StackDiffInput<N>& in, size_t stack) {
  using Real = typename N::Real;
  CellDiffInput<N> carried;
  carried.diff_h = in.diff_dst_iter.empty() ? Zeros<Real>(in.dic, in.shape.mb) : in.diff_dst_iter[stack];  // [STACK.B5]
  carried.diff_c =
      in.diff_dst_iter_c.empty() ? Zeros<Real>(in.shape.dhc, in.shape.mb) : in.diff_dst_iter_c[stack];  // [STACK.B6]
  return carried;
}

template <class N, class Hook>
StackDiffOutput<N> RunStackBackward(const N& num, const StackDiffInput<N>& in, Hook* hook) {
  const StackShape& shape = in.shape;
  StackDiffOutput<N> out;
  out.diff_src_iter.resize(shape.NumStacks());
  out.diff_src_iter_c.resize(shape.NumStacks());
  out.diff_augru_attention.resize(static_cast<size_t>(shape.n_iter));
  for (Dim dir = 0; dir < shape.n_dir; ++dir) {
    FlowingDiff<N> flowing;
    flowing.sequence = SplitDirections(in, dir);
    for (Dim layer = shape.n_layer - 1; layer >= 0; --layer) {
      const size_t stack = shape.At(layer, dir);
      flowing.carried = InitialDiff(in, stack);
      RunLayerBackward(num, in, {layer, dir}, &flowing, &out, hook);
      out.diff_src_iter[stack] = std::move(flowing.carried.diff_h);    // [STACK.B8]
      out.diff_src_iter_c[stack] = std::move(flowing.carried.diff_c);  // [STACK.B9]
    }
    if (dir == 0) {
      out.diff_src_layer = std::move(flowing.sequence);
    } else {
      for (Dim t = 0; t < shape.n_iter; ++t)
        out.diff_src_layer[t] = out.diff_src_layer[t] + flowing.sequence[t];  // [STACK.B4]
    }
  }
  return out;
}

template <class N>
StackDiffOutput<N> RunStackBackward(const N& num, const StackDiffInput<N>& in) {
  NoDiffHook hook;
  return RunStackBackward(num, in, &hook);
}

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_STACK_STACK_BACKWARD_H_
