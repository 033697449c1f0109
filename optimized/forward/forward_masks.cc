// Dropout and zoneout by masks of the client (docs/rnn_masks.md). Each thread masks all that it multiplies, as it quantizes it,
// and mixes the units that it computes, so that masks need no barrier.
#include <algorithm>
#include <cstring>

#include "optimized/forward/forward_run.h"
#include "optimized/forward/masks.h"

namespace tandem {
namespace optimized {

const float* ForwardRun::MaskOf(Tensor mask, const Chunk& chunk, CellPlace place, Dim first) const {
  return MaskAt(problem_, buffers_, mask, {chunk.l, chunk.d, place.time, rows_.UserRow(place.n)}, first);
}

// x of a row that is staged.
void ForwardRun::MaskInput(const Chunk& chunk, CellPlace place, Dim to_row) const {
  MaskRowArgs args;
  args.from = args.to = Scratch(at_.staged, to_row * plan_.x_row_);
  args.mask = MaskOf(kMaskLayer, chunk, place);
  args.type = plan_.state_;
  args.rounding = problem_.SrcType();
  args.n = problem_.slc;
  args.padded = RoundUp(args.n, plan_.state_padding_);
  plan_.mask_kernels_.mask(args);
}

// Returns the states before a step as U reads them, and so the reset gate of GRU, but not the blend of two states.
ConstStateRows ForwardRun::BeginMasks(const TeamThread& thread, const Chunk& chunk, Range rows,
                                      const ConstStateRows& previous) const {
  if (problem_.Has(kZoneoutIterC)) KeepCellStates(thread, chunk, rows);
  if (problem_.Has(kMaskIter)) return MaskedStates(thread, chunk, rows, previous);
  return previous;
}

// The first row is the chunk's, as that of `previous`.
StateRows ForwardRun::MaskedStates(const TeamThread& thread, const Chunk& chunk, Range rows,
                                   const ConstStateRows& previous) const {
  const Dim row = plan_.h_row_;
  const StateRows masked = {Scratch(at_.masked_h, thread.index * problem_.mb * row), row};
  MaskRowArgs args;
  args.type = plan_.state_;
  args.rounding = problem_.SrcType();
  args.n = problem_.sic;
  args.padded = row;
  for (Dim n = rows.begin; n < rows.end; ++n) {
    args.from = From(previous, n - chunk.rows.begin).base;
    args.to = From(masked, n - chunk.rows.begin).base;
    args.mask = MaskOf(kMaskIter, chunk, {0, n});
    plan_.mask_kernels_.mask(args);
  }
  return masked;
}

// c before a step, which writes c where it read it.
void ForwardRun::KeepCellStates(const TeamThread& thread, const Chunk& chunk, Range rows) const {
  const Dim unit = thread.blocks.begin * kBlock, units = thread.blocks.size() * kBlock;
  for (Dim n = rows.begin; n < rows.end; ++n) {
    const float* c = CellState(chunk.d, chunk.l, n, unit);
    std::copy(c, c + units, Scratch(at_.c_before, (chunk.d * problem_.mb + n) * plan_.u_row_ + unit));
  }
}

void ForwardRun::MixCellStates(const TeamThread& thread, const Chunk& chunk, const StepOutput& output) const {
  const Range units = {thread.blocks.begin * kBlock, thread.blocks.end * kBlock};
  MixRowArgs args;
  args.rounding = CellStateType(problem_);
  args.n = std::min(units.end, problem_.dhc) - units.begin;
  if (args.n <= 0) return;
  for (Dim n = output.rows.begin; n < output.rows.end; ++n) {
    float* c = CellState(chunk.d, chunk.l, n, units.begin);
    if (problem_.IsTraining()) {
      const WorkspaceLayout& saved = plan_.workspace_;
      float* to = Workspace(saved.COfCell(chunk.l, chunk.d, output.time)) + n * saved.c_cell_row + units.begin;
      std::memcpy(to, c, static_cast<size_t>(units.size()) * sizeof(float));
    }
    args.before = Scratch(at_.c_before, (chunk.d * problem_.mb + n) * plan_.u_row_ + units.begin);
    args.zoneout = MaskOf(kZoneoutIterC, chunk, {output.time, n}, units.begin);
    args.state = c;
    plan_.mask_kernels_.mix(args);
  }
}

// `previous` has the chunk's first row first, as output.h.
void ForwardRun::MixStates(const TeamThread& thread, const Chunk& chunk, const StepOutput& output,
                           const ConstStateRows& previous) const {
  const Range units = {thread.output_blocks.begin * kBlock, thread.output_blocks.end * kBlock};
  MixRowArgs args;
  args.type = plan_.state_;
  args.rounding = problem_.SrcType();
  args.n = std::min(units.end, problem_.dic) - units.begin;
  if (args.n <= 0) return;
  const WorkspaceLayout& saved = plan_.workspace_;
  const size_t offset = static_cast<size_t>(units.begin) * operand_size_;
  for (Dim n = output.rows.begin; n < output.rows.end; ++n) {
    args.before = static_cast<const char*>(From(previous, n - chunk.rows.begin).base) + offset;
    args.zoneout = MaskOf(kZoneoutIter, chunk, {output.time, n}, units.begin);
    args.state = static_cast<char*>(From(output.h, n - chunk.rows.begin).base) + offset;
    if (problem_.IsTraining() && saved.h_cell_row > 0) {
      float* to = Workspace(saved.HOfCell(chunk.l, chunk.d, output.time)) + n * saved.h_cell_row + units.begin;
      ConvertRow({args.state, plan_.state_, to, DataType::kF32, args.n, StoreMode::kAssign, {}}, 1, 1);
      std::memset(to + args.n, 0, static_cast<size_t>(units.size() - args.n) * sizeof(float));
    }
    plan_.mask_kernels_.mix(args);
  }
}

}  // namespace optimized
}  // namespace tandem
