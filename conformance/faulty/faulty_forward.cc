#include "conformance/faulty/faulty_forward.h"

#include <algorithm>
#include <cmath>

#include "api/core/float16.h"
#include "conformance/faulty/faulty_masks.h"

namespace tandem::conformance {
namespace {

Floats Slice(const Floats& all, Dim rows, Dim width, Dim index) {
  const auto first = all.begin() + index * rows * width;
  return Floats(first, first + rows * width);
}

Floats InitialState(const FaultyNetwork& net, Dim l, Dim d) {
  const RnnProblem& p = net.p;
  if (net.On(Mutation::kSrcIterOfFirstLayer)) l = 0;
  if (net.On(Mutation::kSrcIterOfFirstDirection)) d = 0;
  Floats h = Slice(net.src_iter, p.mb, p.sic, l * p.n_dir + d);
  if (net.On(Mutation::kSrcIterOfPreviousRow) && p.mb > 1) {
    std::rotate(h.begin(), h.end() - p.sic, h.end());
  }
  return h;
}

// The input of layer 0 at step `s`, with the bugs that read another one.
Floats LayerInput(const FaultyNetwork& net, Dim d, Dim s) {
  const RnnProblem& p = net.p;
  const StepWalk walk(p, d);
  Dim t = walk.Time(s);
  if (net.On(Mutation::kRight2LeftInputNotReversed)) t = s;
  if (net.On(Mutation::kReversedOnBatch)) t = s;
  if (net.On(Mutation::kLastStepOldInput) && s == p.n_iter - 1 && s > 0) t = walk.Time(s - 1);
  if (net.On(Mutation::kInputBufferOf20Steps)) t %= 20;
  Floats x = Slice(net.src_layer, p.mb, p.slc, t);
  if (net.On(Mutation::kReversedOnBatch) && net.p.IsReversed(d)) {
    Floats flipped;
    for (Dim n = p.mb - 1; n >= 0; --n)
      flipped.insert(flipped.end(), x.begin() + n * p.slc, x.begin() + (n + 1) * p.slc);
    return flipped;
  }
  if (net.On(Mutation::kBatchBlockReusesRow)) {
    for (Dim n = 4; n < p.mb; ++n) std::copy_n(x.begin() + 3 * p.slc, p.slc, x.begin() + n * p.slc);
  }
  if (net.On(Mutation::kBatchBeyond256)) {
    for (Dim n = 256; n < p.mb; ++n) std::copy_n(x.begin() + (n - 256) * p.slc, p.slc, x.begin() + n * p.slc);
  }
  if (net.On(Mutation::kThreadShareRemainder)) {
    const Dim shared = p.mb / net.threads * net.threads;
    for (Dim n = std::max<Dim>(1, shared); n < p.mb; ++n) {
      std::copy_n(x.begin() + (n - 1) * p.slc, p.slc, x.begin() + n * p.slc);
    }
  }
  return x;
}

// h as the next step reads it.
Floats Recurrent(const FaultyNetwork& net, const FaultyStep& step) {
  const RnnProblem& p = net.p;
  Floats h = step.h;
  if (net.On(Mutation::kProjectionOnlyOutput) && p.HasProjection() && p.dhc >= p.dic) {
    for (Dim n = 0; n < p.mb; ++n) std::copy_n(step.h_hat.begin() + n * p.dhc, p.dic, h.begin() + n * p.dic);
  }
  if (net.On(Mutation::kRecurrentHInBf16)) {
    for (float& x : h) x = RoundBf16(x);
  }
  return h;
}

struct Visit {
  Dim l, d, s;
};

void PrepareStep(const FaultyNetwork& net, const CallMemory& memory, const Visit& at, const FaultyTrace& trace,
                 FaultyStep* step) {
  const RnnProblem& p = net.p;
  const StepWalk walk(p, at.d);
  const Dim t = walk.Time(at.s);
  step->width = p.slc;
  step->x = at.l == 0 ? LayerInput(net, at.d, at.s) : trace.At(p, at.l - 1, at.d, t).h;
  if (at.l > 0) step->width = p.dic;
  if (at.s == 0) {
    step->h_prev = InitialState(net, at.l, at.d);
    step->c_prev = Slice(net.src_iter_c, p.mb, p.dhc, at.l * p.n_dir + at.d);
  } else {
    const FaultyStep& before = trace.At(p, at.l, at.d, walk.Time(at.s - 1));
    step->h_prev = Recurrent(net, before);
    step->c_prev = before.c;
  }
  const bool last = at.s == p.n_iter - 1;
  if (net.On(Mutation::kCellResetAtLastStep) && last && p.n_iter > 1)
    std::fill(step->c_prev.begin(), step->c_prev.end(), 0.f);
  const bool stale = (net.On(Mutation::kStaleElement) && last && at.s > 0) ||
                     (net.On(Mutation::kEveryOtherCallStale) && memory.calls % 2 == 1 && last);
  if (stale) {
    const size_t unit = step->h_prev.size() / 2;
    step->h_prev[unit] = InitialState(net, at.l, at.d)[unit] + (at.s == 0 ? 1.f : 0.f);
    step->c_prev[step->c_prev.size() / 2] = net.src_iter_c[step->c_prev.size() / 2];
  }
}

// A row without a step here keeps its state.
void KeepStates(const FaultyNetwork& net, const Visit& at, FaultyStep* step) {
  const RnnProblem& p = net.p;
  const Dim t = StepWalk(p, at.d).Time(at.s);
  for (Dim n = 0; n < p.mb; ++n) {
    if (net.IsLive(at.l, at.d, t, n)) continue;
    const Floats& before = step->h_kept.empty() ? step->h_prev : step->h_kept;
    std::copy_n(before.begin() + n * p.sic, p.dic, step->h.begin() + n * p.dic);
    std::copy_n(step->c_prev.begin() + n * p.dhc, p.dhc, step->c.begin() + n * p.dhc);
  }
}

// The element of an output that stands for 0.
float ZeroOf(const FaultyNetwork& net, DataType type) { return IsByte(type) ? net.math.StoreState(0) : 0; }

// The float that an output of `type` receives for a stored state.
float OutputOf(const FaultyNetwork& net, DataType type, float stored) {
  return net.p.IsInt8() && type == DataType::kF32 ? net.math.Widen(stored) : stored;
}

float SumOf(const FaultyNetwork& net, DataType type, float a, float b) {
  const RnnProblem& p = net.p;
  if (!p.IsInt8()) return net.math.Store(net.math.state_type(), a + b);
  const float z = static_cast<float>(net.math.zero_point());
  if (p.attr.reading == Reading::kOnednn || net.On(Mutation::kSumShiftTwice)) {
    const float q = net.math.Saturate(a + b);
    return type == DataType::kF32 ? (q - 2 * z) / static_cast<float>(net.math.scale()) : q;
  }
  if (type == DataType::kF32) return net.math.Widen(a) + net.math.Widen(b);
  return net.math.Saturate(a + b - z);
}

// dst_layer[t][n][c] from the last layer.
float LayerElement(const FaultyNetwork& net, const FaultyTrace& trace, Dim t, Dim n, Dim c) {
  const RnnProblem& p = net.p;
  const DataType type = TypeOf(p.md[kDstLayer]);
  const Dim top = p.n_layer - 1;
  const auto h = [&](Dim d, Dim time, Dim unit) {
    if (net.On(Mutation::kRight2LeftOutputReversed)) time = StepWalk(p, d).Step(time);
    if (net.On(Mutation::kReversedOnBatch)) time = StepWalk(p, d).Step(time);
    const Dim row = net.On(Mutation::kReversedOnBatch) && net.p.IsReversed(d) ? p.mb - 1 - n : n;
    return trace.At(p, top, d, time).h[row * p.dic + unit];
  };
  if (p.direction == Direction::kBidirectionalConcat) {
    const bool odd = p.n_iter % 2 == 1 && p.mb % 2 == 1 && t == p.n_iter / 2 && n == p.mb - 1;
    const bool swapped =
        net.On(Mutation::kConcatHalvesSwapped) || (net.On(Mutation::kOddStepsOddRowsSwapHalves) && odd);
    const Dim half = swapped ? 1 - c / p.dic : c / p.dic;
    return OutputOf(net, type, h(half, t, c % p.dic));
  }
  if (p.direction == Direction::kBidirectionalSum) {
    if (net.On(Mutation::kSumOverwrites)) return OutputOf(net, type, h(1, t, c));
    if (net.On(Mutation::kSumEndsAfterFourSteps) && t >= 4) return OutputOf(net, type, h(0, t, c));
    const Dim other = net.On(Mutation::kSumUnreversed) ? p.n_iter - 1 - t : t;
    return SumOf(net, type, h(0, t, c), h(1, other, c));
  }
  return OutputOf(net, type, h(0, t, c));
}

bool IsBeyondLength(const FaultyNetwork& net, Dim t, Dim n) {
  if (net.On(Mutation::kDstLayerKeepsState)) return false;
  return t >= net.lengths[static_cast<size_t>(n)] + (net.On(Mutation::kRowRunsOneStepOn) ? 1 : 0);
}

void StoreLayer(const FaultyNetwork& net, const FaultyTrace& trace, const TensorView& out) {
  const RnnProblem& p = net.p;
  const bool tail_unwritten = net.On(Mutation::kTailLaneUnwritten) && p.dhc % 8 != 0 && p.dhc > 1;
  const bool whole_vector = net.On(Mutation::kVectorStoredPastTheEnd);
  for (Dim t = 0; t < p.n_iter; ++t) {
    for (Dim n = 0; n < p.mb; ++n) {
      Dim index[3] = {t, n, 0};
      for (Dim& c = index[2]; c < p.dlc; ++c) {
        if (tail_unwritten && c % p.dic == p.dic - 1) continue;
        Dim offset = out.Offset(index);
        if (net.On(Mutation::kDstStridesIgnored)) offset = (t * p.mb + n) * p.dlc + c;
        const bool overwritten = net.On(Mutation::kThreadsOverwriteOutput) && net.threads > 1;
        out.SetAt(offset, overwritten ? 12345 : LayerElement(net, trace, t, n, c));
        if (IsBeyondLength(net, t, n)) out.SetAt(offset, ZeroOf(net, out.type()));
      }
      if (net.On(Mutation::kDstGapWritten) && Strides(out.md())[1] > p.dlc) out.SetAt(out.Offset(index), 0);
      // Only after the last row: a store past the end of an earlier row is overwritten by the row that follows.
      const bool last = t == p.n_iter - 1 && n == p.mb - 1;
      for (Dim c = p.dlc; whole_vector && last && c % 8 != 0; ++c) out.SetAt(out.Offset(index) + c - p.dlc, 0);
    }
  }
}

struct StateElement {
  Dim l, d, i;  // i: in [n][dic]
};

// dst_iter of a row that ends before n_iter; `h` is what its last step has left. A row without steps hands src_iter on as
// it is, with no step that would store it.
float StateOfShortRow(const FaultyNetwork& net, const TensorViews& tensors, const StateElement& at, float h) {
  const RnnProblem& p = net.p;
  const Dim length = net.lengths[static_cast<size_t>(at.i / p.dic)];
  const DataType type = tensors[kDstIter].type();
  if (net.On(Mutation::kDstIterAtLastTime) && !p.IsReversed(at.d) && length < p.n_iter) return ZeroOf(net, type);
  if (length > 0) return h;
  if (!p.Has(kSrcIter) || net.On(Mutation::kEmptyRowLosesSrcIter)) return ZeroOf(net, type);
  return static_cast<float>(tensors[kSrcIter].Get(static_cast<size_t>((at.l * p.n_dir + at.d) * p.mb * p.dic + at.i)));
}

void StoreStates(const FaultyNetwork& net, const FaultyTrace& trace, const TensorViews& tensors) {
  const RnnProblem& p = net.p;
  const TensorView& h_out = tensors[kDstIter];
  const TensorView& c_out = tensors[kDstIterC];
  for (Dim l = 0; l < p.n_layer; ++l) {
    for (Dim d = 0; d < p.n_dir; ++d) {
      if (net.On(Mutation::kDstIterLastLayerOnly) && l < p.n_layer - 1) continue;
      if (net.On(Mutation::kDstIterSecondDirectionUnwritten) && d == 1) continue;
      const Dim from = net.On(Mutation::kDstIterOfFirstLayer) ? 0 : l;
      const StepWalk walk(p, d);
      Dim step = p.n_iter - 1;
      if (net.On(Mutation::kDstIterWrongEnd) && net.p.IsReversed(d)) step = 0;
      const FaultyStep& last = trace.At(p, from, d, walk.Time(step));
      const bool stale = net.On(Mutation::kDstIterCStale) && p.n_iter > 1;
      const Floats& c = stale ? trace.At(p, from, d, walk.Time(p.n_iter - 2)).c : last.c;
      for (size_t i = 0; i < last.h.size() && !h_out.empty(); ++i) {
        const bool copy = net.On(Mutation::kDstIterNeighbour) && p.dic > 1 && static_cast<Dim>(i) % p.dic == p.dic - 1;
        float h = OutputOf(net, h_out.type(), last.h[copy ? i - 1 : i]);
        h = StateOfShortRow(net, tensors, {l, d, static_cast<Dim>(i)}, h);
        if (net.On(Mutation::kDstIterTruncated))
          h = static_cast<float>(h > 0 ? NextDown(h, h_out.type()) : NextUp(h, h_out.type()));
        h_out.Set(static_cast<size_t>(l * p.n_dir + d) * last.h.size() + i, h);
      }
      for (size_t i = 0; i < c.size() && !c_out.empty(); ++i) {
        const Dim length = net.lengths[i / static_cast<size_t>(p.dhc)];
        const bool lost = (net.On(Mutation::kDstIterCAtLastTime) && length < p.n_iter) ||
                          (net.On(Mutation::kEmptyRowLosesSrcIter) && length == 0);
        c_out.Set(static_cast<size_t>(l * p.n_dir + d) * c.size() + i, lost ? 0 : c[i]);
      }
    }
  }
}

}  // namespace

FaultyTrace RunFaultyForward(const FaultyNetwork& net, const CallMemory& memory) {
  const RnnProblem& p = net.p;
  FaultyTrace trace;
  trace.steps.resize(static_cast<size_t>(p.n_layer * p.n_dir * p.n_iter));
  for (Dim d = 0; d < p.n_dir; ++d) {
    const StepWalk walk(p, d);
    for (Dim l = 0; l < p.n_layer; ++l) {
      for (Dim s = 0; s < walk.steps(); ++s) {
        const Dim t = walk.Time(s);
        FaultyStep& step = trace.At(p, l, d, t);
        PrepareStep(net, memory, {l, d, s}, trace, &step);
        MaskInputs(net, {l, d, t, s == 0}, &step);
        RunFaultyCell(net, l, d, t, &step);
        MixStates(net, {l, d, t, s == 0}, &step);
        KeepStates(net, {l, d, s}, &step);
      }
    }
  }
  return trace;
}

void StoreFaultyForward(const FaultyNetwork& net, const FaultyTrace& trace, const TensorViews& tensors) {
  StoreLayer(net, trace, tensors[kDstLayer]);
  StoreStates(net, trace, tensors);
  const RnnProblem& p = net.p;
  if (net.On(Mutation::kScratchSpills) && p.Has(kDstIter)) {
    const TensorView& out = tensors[kDstIter];
    if (Strides(out.md())[2] > p.dic && p.mb > 1) out.SetAt(p.dic, 1);
  }
}

}  // namespace tandem::conformance
