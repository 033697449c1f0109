// Layers, time and directions, forward: the stack of unrolled cells, the same for every cell, data type and scalar.
#ifndef TANDEM_REFERENCE_STACK_STACK_H_
#define TANDEM_REFERENCE_STACK_STACK_H_

#include <functional>
#include <utility>
#include <vector>

#include "api/core/rnn/sequence_lengths.h"
#include "api/core/rnn/step_walk.h"
#include "reference/cells/cell.h"
#include "reference/numerics/matrix.h"
#include "reference/stack/lengths.h"
#include "reference/stack/masks.h"

namespace tandem {
namespace reference {

// Extents of the stack. Index (l, d) of any vector below is l * n_dir + d.
struct StackShape {
  Direction direction = Direction::kLeft2Right;
  Dim n_layer = 0, n_dir = 0, n_iter = 0, mb = 0;
  Dim sic = 0, dhc = 0;
  SequenceLengths lengths;

  size_t At(Dim layer, Dim dir) const { return static_cast<size_t>(layer * n_dir + dir); }
  size_t NumStacks() const { return static_cast<size_t>(n_layer * n_dir); }
  StepWalk Walk(Dim dir) const { return {direction, dir, n_iter, mb}; }

  // The rows that have no step at this time.
  Columns DeadRows(Dim time) const {
    return Select([&](Dim n) { return !lengths.IsLive(time, n); });
  }
  Columns LiveRows(Dim time) const {
    return Select([&](Dim n) { return lengths.IsLive(time, n); });
  }
  // The rows that have their first step, or their last one, at this time.
  Columns StartingRows(Dim dir, Dim time) const {
    return Select([&](Dim n) { return Walk(dir).IsFirst(time, lengths.Of(n, n_iter)); });
  }
  Columns EndingRows(Dim dir, Dim time) const {
    return Select([&](Dim n) { return Walk(dir).IsLast(time, lengths.Of(n, n_iter)); });
  }
  // The rows without any step.
  Columns EmptyRows() const { return DeadRows(0); }

 private:
  template <class Holds>
  Columns Select(Holds holds) const {
    Columns rows;
    for (Dim n = 0; n < mb; ++n) {
      if (holds(n)) rows.push_back(n);
    }
    return rows;
  }
};

template <class N>
struct StackInput {
  StackShape shape;
  StackCell<N> cell;
  // Asked once per (l, d), so that only one cell's weights are in memory at a time.
  std::function<CellParameters<N>(Dim layer, Dim dir)> parameters;
  std::vector<typename N::Mat> src_layer;        // [t], each [slc, mb]
  std::vector<typename N::Mat> src_iter;         // [(l, d)], each [sic, mb] as read; empty: absent
  std::vector<typename N::Mat> src_iter_c;       // [(l, d)], each [dhc, mb]; empty: absent or no LSTM
  std::vector<typename N::Mat> augru_attention;  // [t], each [dhc, mb], repeated for each channel; empty: no attention
  StackMasks<N> masks;
};

template <class N>
struct StackOutput {
  std::vector<typename N::Mat> dst_layer;   // [t], each [dlc, mb]
  std::vector<typename N::Mat> dst_iter;    // [(l, d)], each [dic, mb]
  std::vector<typename N::Mat> dst_iter_c;  // [(l, d)], each [dhc, mb]; of empty matrices without LSTM
};

struct LayerIndex {
  Dim layer;
  Dim dir;
};

struct StepIndex {
  Dim layer;
  Dim dir;
  Dim time;  // timestamp, not the count of steps
};

// The masks of one step.
template <class N>
StepMasks<N> MasksAt(const StackMasks<N>& masks, const StackShape& shape, const StepIndex& at) {
  const size_t stack = shape.At(at.layer, at.dir);
  return masks.At(stack, stack * static_cast<size_t>(shape.n_iter) + static_cast<size_t>(at.time));
}

// A hook sees every step. BeforeStep may replace any input (teacher forcing: h_prev becomes what an implementation says
// it was); AfterStep may replace any result, which the next step and the next layer then read.
struct NoHook {
  template <class Input>
  void BeforeStep(const StepIndex&, Input*) {}
  template <class Input, class Result>
  void AfterStep(const StepIndex&, const Input&, Result*) {}
};

template <class N>
CellResult<N> RunCell(const N& num, const StackInput<N>& in, const CellParameters<N>& parameters, const StepIndex& at,
                      const CellInput<N>& state) {
  if (!in.masks.given()) return in.cell(num, parameters, state);
  return RunMaskedCell(num, in.cell, parameters, MasksAt(in.masks, in.shape, at), state);
}

// One layer of one direction: [STACK.1] h_{t,l} = Cell(h_{t,l-1}, h_{t-1,l}), [STACK.2] with c for LSTM. `sequence` [t]
// is h_{.,l-1} on entry and h_{.,l} on return; `state` is h_{t-1,l}, c_{t-1,l}.
template <class N, class Hook>
void RunLayer(const N& num, const StackInput<N>& in, LayerIndex at, std::vector<typename N::Mat>* sequence,
              CellInput<N>* state, Hook* hook) {
  using Mat = typename N::Mat;
  const CellParameters<N> parameters = in.parameters(at.layer, at.dir);
  const StepWalk walk = in.shape.Walk(at.dir);
  for (Dim step = 0; step < walk.steps(); ++step) {
    const StepIndex index = {at.layer, at.dir, walk.Time(step)};
    state->x = Mat((*sequence)[index.time]);
    if (!in.augru_attention.empty()) state->a = Mat(in.augru_attention[index.time]);
    hook->BeforeStep(index, state);
    CellResult<N> result = RunCell(num, in, parameters, index, *state);  // [STACK.1] [STACK.2]
    hook->AfterStep(index, *state, &result);
    const Columns dead = in.shape.DeadRows(index.time);
    CopyColumns(dead, state->h_prev, &result.h);  // a row that has ended keeps its state
    CopyColumns(dead, state->c_prev, &result.c);
    (*sequence)[index.time] = Mat(result.h);
    state->h_prev = std::move(result.h);
    state->c_prev = std::move(result.c);
  }
}

// [left2right; right2left] along the channels.
template <class Mat>
Mat ConcatChannels(const Mat& left2right, const Mat& right2left) {
  Mat both(left2right.rows() + right2left.rows(), left2right.cols());
  both << left2right, right2left;
  return both;
}

// The last layer's sequences of both directions as dst_layer.
template <class N>
typename N::Mat CombineDirections(const N& num, Direction direction, const std::vector<typename N::Mat>& h) {
  if (direction == Direction::kBidirectionalSum) return num.LayerOutputSum(h[0], h[1]);  // [STACK.4]
  if (direction == Direction::kBidirectionalConcat) {
    return ConcatChannels(num.LayerOutput(h[0]), num.LayerOutput(h[1]));  // [STACK.3]
  }
  return num.LayerOutput(h[0]);  // [STACK.5]
}

template <class N>
CellInput<N> InitialCellInput(const N& num, const StackInput<N>& in, size_t stack) {
  CellInput<N> state;
  state.h_prev = in.src_iter.empty() ? num.AbsentState(in.shape.sic, in.shape.mb)
                                     : num.InitialState(in.src_iter[stack]);  // [STACK.7]
  state.c_prev =
      in.src_iter_c.empty() ? Zeros<typename N::Real>(in.shape.dhc, in.shape.mb) : in.src_iter_c[stack];  // [STACK.8]
  return state;
}

template <class N>
typename N::Mat ZeroColumn(const N& num, Tensor tensor, Dim channels) {
  return N::Mat::Constant(channels, 1, num.ZeroOutput(tensor));
}

// A row without steps leaves src_iter as it is, also where a step would have rounded it to a byte.
template <class N>
void KeepEmptyRows(const N& num, const StackInput<N>& in, size_t stack, typename N::Mat* dst_iter) {
  for (const Dim n : in.shape.EmptyRows()) {
    if (in.src_iter.empty()) {
      dst_iter->col(n) = ZeroColumn(num, kDstIter, dst_iter->rows());
    } else {
      dst_iter->col(n) = in.src_iter[stack].col(n);
    }
  }
}

// Each direction is a stack of n_layer layers of its own; they meet only in dst_layer.
template <class N, class Hook>
StackOutput<N> RunStack(const N& num, const StackInput<N>& in, Hook* hook) {
  const StackShape& shape = in.shape;
  StackOutput<N> out;
  out.dst_iter.resize(shape.NumStacks());
  out.dst_iter_c.resize(shape.NumStacks());
  std::vector<std::vector<typename N::Mat>> last(static_cast<size_t>(shape.n_dir));
  for (Dim dir = 0; dir < shape.n_dir; ++dir) {
    std::vector<typename N::Mat>& sequence = last[dir];
    sequence = in.src_layer;  // [STACK.6]
    for (Dim layer = 0; layer < shape.n_layer; ++layer) {
      const size_t stack = shape.At(layer, dir);
      CellInput<N> state = InitialCellInput(num, in, stack);
      RunLayer(num, in, {layer, dir}, &sequence, &state, hook);
      out.dst_iter[stack] = num.IterOutput(state.h_prev);  // [STACK.9]
      KeepEmptyRows(num, in, stack, &out.dst_iter[stack]);
      out.dst_iter_c[stack] = std::move(state.c_prev);  // [STACK.10]
    }
  }
  for (Dim t = 0; t < shape.n_iter; ++t) {
    std::vector<typename N::Mat> h;
    for (std::vector<typename N::Mat>& sequence : last) h.push_back(sequence[t]);
    out.dst_layer.push_back(CombineDirections(num, shape.direction, h));
    for (const Dim n : shape.DeadRows(t)) {
      out.dst_layer[t].col(n) = ZeroColumn(num, kDstLayer, out.dst_layer[t].rows());
    }
  }
  return out;
}

template <class N>
StackOutput<N> RunStack(const N& num, const StackInput<N>& in) {
  NoHook hook;
  return RunStack(num, in, &hook);
}

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_STACK_STACK_H_
