// Rows of different lengths: the cells that have a step, and what is left where there is none.
#include <algorithm>
#include <array>
#include <cstring>

#include "optimized/forward/forward_run.h"
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
  StartRows(thread, chunk, step + 1, SlotRows(chunk.d, chunk.l, chunk.Slot(chunk.walk.Time(step))));
}

// h that rows start from at `step`, to where the step before would have left it. Each thread copies the units that it
// computes.
void ForwardRun::StartRows(const TeamThread& thread, const Chunk& chunk, Dim step, const StateRows& before) const {
  const Range rows = Intersection(chunk.walk.Starting(step), chunk.rows);
  const Range blocks = thread.output_blocks;
  const Range units = {blocks.begin * kBlock, std::min(blocks.end * kBlock, problem_.dic)};
  if (units.empty()) return;
  const ConstStateRows initial = InitialRows(chunk.d, chunk.l);
  for (Dim n = rows.begin; n < rows.end; ++n) {
    const auto* from =
        static_cast<const char*>(From(initial, n).base) + static_cast<size_t>(units.begin) * operand_size_;
    auto* to = static_cast<char*>(From(before, n).base) + static_cast<size_t>(units.begin) * operand_size_;
    std::memcpy(to, from, static_cast<size_t>(units.size()) * operand_size_);
  }
}

namespace {

// Copies `n` elements; a stride of 0 repeats one.
struct ElementCopy {
  const char* from;
  Dim from_stride;
  char* to;
  Dim to_stride;
  size_t size;

  void operator()(Dim n) const {
    if (from == to) return;
    if (from_stride == 1 && to_stride == 1) {
      std::memcpy(to, from, static_cast<size_t>(n) * size);
      return;
    }
    for (Dim i = 0; i < n; ++i) {
      std::memcpy(to + static_cast<size_t>(i * to_stride) * size, from + static_cast<size_t>(i * from_stride) * size,
                  size);
    }
  }
};

}  // namespace

// 0.0 as an output of that type has it.
ForwardRun::OneElement ForwardRun::ZeroOf(DataType type) const {
  OneElement zero = {};
  const float value = 0.f;
  if (IsByte(type)) ConvertRow({&value, DataType::kF32, zero.data(), type, 1, StoreMode::kAssign, {}}, 1, 1);
  return zero;
}

// dst_layer beyond the rows' ends, and the states of rows without a step. Each thread writes the units that it computes.
void ForwardRun::FinishRows(const TeamThread& thread) const {
  const bool concat = problem_.direction == Direction::kBidirectionalConcat;
  for (Dim d = thread.role.dirs.begin; d < thread.role.dirs.end; ++d) {
    if (d == 0 || concat) {
      for (Dim n = thread.role.rows.begin; n < thread.role.rows.end; ++n) ZeroBeyondEnd(thread, d, n);
    }
    for (Dim n = std::max(thread.role.rows.begin, rows_.FirstEmpty()); n < thread.role.rows.end; ++n) {
      for (Dim l = 0; l < problem_.n_layer; ++l) {
        HandOn(kSrcIter, kDstIter, {l, d, rows_.UserRow(n)}, thread.output_blocks);
        if (HasCellState(problem_.cell)) HandOn(kSrcIterC, kDstIterC, {l, d, rows_.UserRow(n)}, thread.blocks);
      }
    }
  }
}

void ForwardRun::ZeroBeyondEnd(const TeamThread& thread, Dim d, Dim n) const {
  const MemoryDesc& md = problem_.md[kDstLayer];
  const Range blocks = thread.output_blocks;
  const Range units = {blocks.begin * kBlock, std::min(blocks.end * kBlock, problem_.dic)};
  if (units.empty()) return;
  const Dim first = problem_.direction == Direction::kBidirectionalConcat ? d * problem_.dic : 0;
  const OneElement zero = ZeroOf(TypeOf(md));
  const bool bytes = Strides(md)[2] == 1 && std::all_of(zero.begin(), zero.end(), [&](char c) { return c == zero[0]; });
  for (Dim t = rows_.Length(n); t < problem_.n_iter; ++t) {
    const Dim index[] = {t, rows_.UserRow(n), first + units.begin};
    const size_t size = SizeOf(TypeOf(md));
    char* to = static_cast<char*>(buffers_.tensor[kDstLayer]) + static_cast<size_t>(OffsetAt(md, index)) * size;
    if (bytes || (size == 1 && Strides(md)[2] == 1)) {
      std::memset(to, zero[0], static_cast<size_t>(units.size()) * size);
    } else {
      ElementCopy{zero.data(), 0, to, Strides(md)[2], size}(units.size());
    }
  }
}

// A state that no step has changed, as it is; zeros where none was given. `at`: layer, direction, the user's row.
void ForwardRun::HandOn(Tensor from, Tensor to, StatePlace at, Range blocks) const {
  if (!problem_.Has(to)) return;
  const MemoryDesc &to_md = problem_.md[to], &from_md = problem_.md[from];
  const Dim begin = blocks.begin * kBlock, end = std::min(blocks.end * kBlock, to_md.dims[3]);
  if (begin >= end) return;
  const Dim index[] = {at.l, at.d, at.n, begin};
  const size_t size = SizeOf(TypeOf(to_md));
  char* target = static_cast<char*>(buffers_.tensor[to]) + static_cast<size_t>(OffsetAt(to_md, index)) * size;
  const OneElement zero = ZeroOf(TypeOf(to_md));
  if (!problem_.Has(from)) return ElementCopy{zero.data(), 0, target, Strides(to_md)[3], size}(end - begin);
  const char* source = UserTensor(from) + static_cast<size_t>(OffsetAt(from_md, index)) * size;
  ElementCopy{source, Strides(from_md)[3], target, Strides(to_md)[3], size}(end - begin);
}

}  // namespace optimized
}  // namespace tandem
