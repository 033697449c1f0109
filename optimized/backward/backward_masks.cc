// Gradients through dropout and zoneout by masks (docs/rnn_masks.md). What zoneout splits and joins are a thread's own units, so
// that masks need no barrier.
#include <algorithm>

#include "optimized/backward/backward_run.h"
#include "optimized/forward/masks.h"

namespace tandem {
namespace optimized {

const float* BackwardRun::MaskOf(Tensor mask, const Chunk& chunk, Dim t, Dim n, Dim first) const {
  return MaskAt(problem_, buffers_, mask, {chunk.l, chunk.d, t, rows_.UserRow(n)}, first);
}

// Stored states as forward multiplied them.
void BackwardRun::MaskRow(Tensor mask, const Chunk& chunk, Dim t, Dim n, float* row) const {
  MaskRowArgs args;
  args.from = args.to = row;
  args.mask = MaskOf(mask, chunk, t, n);
  args.rounding = plan_.rounding_;
  args.n = args.padded = mask == kMaskLayer ? problem_.slc : problem_.sic;
  plan_.mask_kernels_.mask(args);
}

void BackwardRun::StageMaskedStates(const TeamThread& thread, const Chunk& chunk) const {
  for (Dim t = chunk.times.begin; t < chunk.times.end; ++t) {
    const Dim step = chunk.walk.Step(t);
    const Rows to = ChunkRows(at_.h_rows, chunk, t, plan_.h_row_);
    ForEachOrigin(chunk, step, thread.own_rows, [&](Range rows, From from) {
      const ConstRows previous = PreviousH(chunk, step, from);
      for (Dim n = rows.begin; n < rows.end; ++n) {
        std::copy_n(previous.At(n), problem_.sic, to.At(n));
        MaskRow(kMaskIter, chunk, t, n, to.At(n));
      }
    });
  }
}

// The channels of h whose gradients a thread carries from step to step.
Range BackwardRun::OwnStates(const TeamThread& thread) const {
  const Range blocks = Share(CeilDiv(problem_.sic, kBlock), thread.role.unit_index, thread.role.unit_count);
  return {blocks.begin * kBlock, std::max(blocks.begin * kBlock, std::min(blocks.end * kBlock, problem_.sic))};
}

// The gradient of h, of which the cell gets a part.
void BackwardRun::SplitStates(const TeamThread& thread, const Chunk& chunk, Dim t, BackwardCellArgs* cell) const {
  const Range own = OwnStates(thread);
  const Rows own_diff = {Scratch(at_.own_diff_h), plan_.h_row_};
  SplitRowArgs args;
  args.n = own.size();
  for (Dim n = cell->rows.begin; n < cell->rows.end; ++n) {
    args.above = cell->from_above.At(n) + own.begin;
    args.next = cell->from_next_step.At(n) + own.begin;
    args.zoneout = MaskOf(kZoneoutIter, chunk, t, n, own.begin);
    args.of_cell = own_diff.At(n) + own.begin;
    args.past = Scratch(at_.past_diff_h, n * plan_.h_row_ + own.begin);
    plan_.mask_kernels_.split(args);
  }
  cell->from_above = own_diff;
  cell->from_next_step = {};
}

// The same of c, in place.
void BackwardRun::SplitCellStates(const TeamThread& thread, const Chunk& chunk, Dim t,
                                  const BackwardCellArgs& cell) const {
  const Dim first = thread.blocks.begin * kBlock;
  SplitRowArgs args;
  args.n = std::min(thread.blocks.end * kBlock, problem_.dhc) - first;
  if (args.n <= 0) return;
  for (Dim n = cell.rows.begin; n < cell.rows.end; ++n) {
    args.next = args.of_cell = cell.diff_c.At(n) + first;
    args.zoneout = MaskOf(kZoneoutIterC, chunk, t, n, first);
    args.past = Scratch(at_.past_diff_c, n * plan_.unit_row_ + first);
    plan_.mask_kernels_.split(args);
  }
}

void BackwardRun::JoinCellStates(const TeamThread& thread, const BackwardCellArgs& cell) const {
  const Dim first = thread.blocks.begin * kBlock;
  JoinRowArgs args;
  args.n = std::min(thread.blocks.end * kBlock, problem_.dhc) - first;
  if (args.n <= 0) return;
  for (Dim n = cell.rows.begin; n < cell.rows.end; ++n) {
    args.diff = cell.diff_c.At(n) + first;
    args.past = Scratch(at_.past_diff_c, n * plan_.unit_row_ + first);
    plan_.mask_kernels_.join(args);
  }
}

// diff_h has what came through U. That came through the mask of h_prev, too; the other parts did not.
void BackwardRun::JoinStates(const TeamThread& thread, const Chunk& chunk, Dim t, const BackwardCellArgs& cell) const {
  const bool masks = problem_.Has(kMaskIter), mixes = problem_.Has(kZoneoutIter);
  if (!masks && !mixes) return;
  const Range own = OwnStates(thread);
  JoinRowArgs args;
  args.n = own.size();
  for (Dim n = cell.rows.begin; n < cell.rows.end; ++n) {
    args.diff = Scratch(at_.diff_h, n * plan_.h_row_ + own.begin);
    if (masks) args.mask = MaskOf(kMaskIter, chunk, t, n, own.begin);
    if (masks && BlendsState(problem_.cell)) args.direct = cell.diff_h_prev.At(n) + own.begin;
    if (mixes) args.past = Scratch(at_.past_diff_h, n * plan_.h_row_ + own.begin);
    plan_.mask_kernels_.join(args);
  }
}

// The reset gate of GRU multiplied the masked h_prev. Returns the gradient through r * h_prev by that.
ConstRows BackwardRun::RunMaskedReset(const Chunk& chunk, Dim t, const BackwardCellArgs& args) const {
  BackwardCellArgs cell = args;
  cell.h_prev = ChunkRows(at_.h_rows, chunk, t, plan_.h_row_);
  cell.diff_h_prev = {Scratch(at_.masked_reset), plan_.unit_row_};
  const Dim first = cell.blocks.begin * kBlock;
  for (Dim n = cell.rows.begin; n < cell.rows.end; ++n) {
    std::fill_n(cell.diff_h_prev.At(n) + first, cell.blocks.size() * kBlock, 0.f);
  }
  plan_.backward_kernels_.reset_gate(cell);
  return cell.diff_h_prev;
}

// The rows that a thread has multiplied.
void BackwardRun::MaskSourceGradient(const TeamThread& thread, const Chunk& chunk) const {
  const Range share = Share(RowsOf(chunk), thread.index, thread.team);
  JoinRowArgs args;
  args.n = problem_.slc;
  for (Dim t = chunk.times.begin; t < chunk.times.end; ++t) {
    const Dim first = FirstRow(chunk, t);
    const Range rows = Intersection({share.begin - first, share.end - first}, LiveRows(chunk, t));
    for (Dim n = rows.begin; n < rows.end; ++n) {
      args.diff = DiffX(chunk, t).At(n);
      args.mask = MaskOf(kMaskLayer, chunk, t, n);
      plan_.mask_kernels_.join(args);
    }
  }
}

}  // namespace optimized
}  // namespace tandem
