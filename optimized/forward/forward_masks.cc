// Dropout and zoneout by masks of the client (docs/rnn_masks.md). Each thread masks all that it multiplies, as it quantizes it,
// and mixes the units that it computes, so that masks need no barrier.
#include <algorithm>
#include <cstring>

#include "optimized/forward/forward_options.h"
#include "optimized/forward/masks.h"

namespace tandem {
namespace optimized {
namespace {

const float* MaskOf(const RunMemory& run, Tensor mask, const Chunk& chunk, CellPlace place, Dim first = 0) {
  return MaskAt(run.problem, run.buffers, mask, {chunk.l, chunk.d, place.time, run.rows.UserRow(place.n)}, first);
}

StateRows MaskedStates(const RunMemory& run, const TeamThread& thread, const Chunk& chunk, Range rows,
                       const ConstStateRows& previous) {
  const Dim row = run.plan.h_row;
  const StateRows masked = {run.Scratch(run.at.masked_h, thread.index * run.problem.mb * row), row};
  MaskRowArgs args;
  args.type = run.plan.state;
  args.rounding = run.problem.SrcType();
  args.n = run.problem.sic;
  args.padded = row;
  for (Dim n = rows.begin; n < rows.end; ++n) {
    args.from = run.From(previous, n - chunk.rows.begin).base;
    args.to = run.From(masked, n - chunk.rows.begin).base;
    args.mask = MaskOf(run, kMaskIter, chunk, {0, n});
    run.plan.mask_kernels.mask(args);
  }
  return masked;
}

// c before a step, which writes c where it read it.
void KeepCellStates(const RunMemory& run, const TeamThread& thread, const Chunk& chunk, Range rows) {
  const Dim unit = thread.blocks.begin * kBlock, units = thread.blocks.size() * kBlock;
  for (Dim n = rows.begin; n < rows.end; ++n) {
    const float* c = run.CellState(chunk.d, chunk.l, n, unit);
    std::copy(c, c + units, run.Scratch(run.at.c_before, (chunk.d * run.problem.mb + n) * run.plan.u_row + unit));
  }
}

void MixCellStates(const RunMemory& run, const TeamThread& thread, const Chunk& chunk, const StepOutput& output) {
  const Range units = {thread.blocks.begin * kBlock, thread.blocks.end * kBlock};
  MixRowArgs args;
  args.rounding = CellStateType(run.problem);
  args.n = std::min(units.end, run.problem.dhc) - units.begin;
  if (args.n <= 0) return;
  for (Dim n = output.rows.begin; n < output.rows.end; ++n) {
    float* c = run.CellState(chunk.d, chunk.l, n, units.begin);
    if (run.problem.IsTraining()) {
      const WorkspaceLayout& saved = run.plan.workspace;
      float* to = run.Workspace(saved.COfCell(chunk.l, chunk.d, output.time)) + n * saved.c_cell_row + units.begin;
      std::memcpy(to, c, static_cast<size_t>(units.size()) * sizeof(float));
    }
    args.before = run.Scratch(run.at.c_before, (chunk.d * run.problem.mb + n) * run.plan.u_row + units.begin);
    args.zoneout = MaskOf(run, kZoneoutIterC, chunk, {output.time, n}, units.begin);
    args.state = c;
    run.plan.mask_kernels.mix(args);
  }
}

void MixHiddenStates(const RunMemory& run, const TeamThread& thread, const Chunk& chunk, const StepOutput& output,
                     const ConstStateRows& previous) {
  const Range units = {thread.output_blocks.begin * kBlock, thread.output_blocks.end * kBlock};
  MixRowArgs args;
  args.type = run.plan.state;
  args.rounding = run.problem.SrcType();
  args.n = std::min(units.end, run.problem.dic) - units.begin;
  if (args.n <= 0) return;
  const WorkspaceLayout& saved = run.plan.workspace;
  for (Dim n = output.rows.begin; n < output.rows.end; ++n) {
    args.before = run.From(previous, n - chunk.rows.begin, units.begin).base;
    args.zoneout = MaskOf(run, kZoneoutIter, chunk, {output.time, n}, units.begin);
    args.state = run.From(output.h, n - chunk.rows.begin, units.begin).base;
    if (run.problem.IsTraining() && saved.h_cell_row > 0) {
      float* to = run.Workspace(saved.HOfCell(chunk.l, chunk.d, output.time)) + n * saved.h_cell_row + units.begin;
      run.ConvertRow({args.state, run.plan.state, to, DataType::kF32, args.n, StoreMode::kAssign, {}}, 1, 1);
      std::memset(to + args.n, 0, static_cast<size_t>(units.size() - args.n) * sizeof(float));
    }
    run.plan.mask_kernels.mix(args);
  }
}

}  // namespace

void MaskInput(const RunMemory& run, const Chunk& chunk, CellPlace place, Dim to_row) {
  MaskRowArgs args;
  args.from = args.to = run.Scratch(run.at.staged, to_row * run.plan.x_row);
  args.mask = MaskOf(run, kMaskLayer, chunk, place);
  args.type = run.plan.state;
  args.rounding = run.problem.SrcType();
  args.n = run.problem.slc;
  args.padded = RoundUp(args.n, run.plan.state_padding);
  run.plan.mask_kernels.mask(args);
}

ConstStateRows BeginMasks(const RunMemory& run, const TeamThread& thread, const Chunk& chunk, Range rows,
                          const ConstStateRows& previous) {
  if (run.problem.Has(kZoneoutIterC)) KeepCellStates(run, thread, chunk, rows);
  if (run.problem.Has(kMaskIter)) return MaskedStates(run, thread, chunk, rows, previous);
  return previous;
}

void MixStates(const RunMemory& run, const TeamThread& thread, const Chunk& chunk, const StepOutput& output,
               const ConstStateRows& previous) {
  if (run.problem.Has(kZoneoutIterC)) MixCellStates(run, thread, chunk, output);
  if (run.problem.Has(kZoneoutIter)) MixHiddenStates(run, thread, chunk, output, previous);
}

}  // namespace optimized
}  // namespace tandem
