// Rows of different lengths: the cells that have a step, and what is left where there is none.
#include <algorithm>

#include "optimized/forward/forward_run.h"
#include "optimized/forward/forward_states.h"
#include "optimized/weights/element.h"

namespace tandem {
namespace optimized {

// W x of so many steps is computed at once as there are live cells to keep it for.
Dim ForwardRun::ChunkEnd(const TeamThread& thread, Dim d, Range steps) const {
  const Dim most = std::min(steps.begin + plan_.chunk_, steps.end);
  if (!plan_.ragged_) return most;
  const StepWalk walk(problem_, d, rows_.live());
  Dim cells = 0, end = steps.begin;
  for (; end < most; ++end) {
    cells += Intersection(walk.Live(end), thread.role.rows).size();
    if (cells > plan_.cells_ && end > steps.begin) break;
  }
  return end;
}

// The input of the live cells of a chunk, step by step, without gaps: one tall matrix. It is src_layer, or h of the layer
// below.
void ForwardRun::StageCells(const TeamThread& thread, const Chunk& chunk) {
  Dim cell = 0;
  for (Dim step = chunk.steps.begin; step < chunk.steps.end; ++step) {
    const Range rows = chunk.LiveRows(step);
    for (Dim n = rows.begin; n < rows.end; ++n, ++cell) {
      if (chunk.l == 0 && n + 1 < rows.end) PrefetchInput(chunk.walk.Time(step), rows_.UserRow(n + 1));
      if (cell % thread.role.unit_count == thread.role.unit_index)
        StageCell(thread, chunk, {chunk.walk.Time(step), n}, cell);
    }
  }
  thread.group->Wait();
}

void ForwardRun::PrefetchInput(Dim time, Dim n) const {
  const MemoryDesc& md = problem_.md[kSrcLayer];
  const Dim index[] = {time, n, 0};
  const size_t size = SizeOf(TypeOf(md));
  PrefetchRow<Access::kRead>(UserTensor(kSrcLayer) + static_cast<size_t>(OffsetAt(md, index)) * size,
                             static_cast<size_t>(problem_.slc) * size);
}

void ForwardRun::StageCell(const TeamThread& thread, const Chunk& chunk, CellPlace place, Dim cell) {
  const Dim to_row = thread.hoisted_row + cell;
  StageRow(chunk, place, to_row);
  if (chunk.l > 0 || !problem_.Has(kAugruAttention)) return;
  const MemoryDesc& md = problem_.md[kAugruAttention];
  const Dim index[] = {place.time, rows_.UserRow(place.n), 0};
  *Scratch(at_.attention, to_row) = LoadFloat(UserTensor(kAugruAttention), TypeOf(md), OffsetAt(md, index));
}

void ForwardRun::RunLiveCells(const TeamThread& thread, const Chunk& chunk, Dim step, StepArgs* args) {
  const Range rows = chunk.LiveRows(step);
  const StepRows place = {rows, thread.hoisted_row + args->cells, args->cells * args->input.row};
  if (!rows.empty()) RunStep(thread, chunk, step, place, args);
  args->cells += rows.size();
  if (step + 1 == chunk.steps.end) return;
  StartRows(*this, thread, chunk, step + 1, SlotRows(chunk.d, chunk.l, chunk.Slot(chunk.walk.Time(step))));
}

}  // namespace optimized
}  // namespace tandem
