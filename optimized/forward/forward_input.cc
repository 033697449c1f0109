#include "optimized/forward/forward_input.h"

#include <algorithm>
#include <cstring>

#include "optimized/forward/forward_options.h"
#include "optimized/weights/element.h"

namespace tandem {
namespace optimized {
namespace {

void StageInput(const RunMemory& run, Dim time, Dim n, Dim to_row) {
  const MemoryDesc& md = run.problem.md[kSrcLayer];
  const char* from = run.UserElement(kSrcLayer, {time, n, 0});
  void* to = run.Scratch(run.at.staged, to_row * run.plan.x_row);
  run.ZeroTail(run.at.staged, to_row, run.plan.x_row, run.problem.slc);
  run.ConvertRow({from, TypeOf(md), to, run.plan.state, run.problem.slc, StoreMode::kAssign, {}}, Strides(md)[2], 1);
}

// x of a layer: src_layer, or h of the layer below.
void StageRow(const RunMemory& run, const Chunk& chunk, CellPlace place, Dim to_row) {
  if (chunk.l > 0) {
    const StateRows below = run.From(run.SlotRows(chunk.d, chunk.l - 1, chunk.Slot(place.time)), place.n);
    std::memcpy(run.Scratch(run.at.staged, to_row * run.plan.x_row), below.base,
                static_cast<size_t>(RoundUp(run.problem.slc, run.plan.state_padding)) * run.operand_size);
  } else {
    StageInput(run, place.time, run.rows.UserRow(place.n), to_row);
  }
  if (run.plan.masks_input) MaskInput(run, chunk, place, to_row);
}

void StageSource(const RunMemory& run, const TeamThread& thread, const Chunk& chunk) {
  const Role& role = thread.role;
  const Dim rows = chunk.rows.size();
  for (Dim i = 0; i < chunk.steps.size(); ++i) {
    for (Dim n = 0; n < rows; ++n) {
      if ((i + n) % role.unit_count != role.unit_index) continue;
      StageRow(run, chunk, {chunk.times.begin + i, chunk.rows.begin + n}, thread.hoisted_row + i * rows + n);
    }
  }
  thread.group->Wait();
}

void PrefetchInput(const RunMemory& run, Dim time, Dim n) {
  const size_t size = SizeOf(TypeOf(run.problem.md[kSrcLayer]));
  PrefetchRow<Access::kRead>(run.UserElement(kSrcLayer, {time, n, 0}), static_cast<size_t>(run.problem.slc) * size);
}

void StageCell(const RunMemory& run, const TeamThread& thread, const Chunk& chunk, CellPlace place, Dim cell) {
  const Dim to_row = thread.hoisted_row + cell;
  StageRow(run, chunk, place, to_row);
  if (chunk.l > 0 || !run.problem.Has(kAugruAttention)) return;
  const char* from = run.UserElement(kAugruAttention, {place.time, run.rows.UserRow(place.n), 0});
  *run.Scratch(run.at.attention, to_row) = LoadFloat(from, TypeOf(run.problem.md[kAugruAttention]), 0);
}

// The input of the live cells of a chunk, step by step, without gaps: one tall matrix. It is src_layer, or h of the layer
// below.
void StageCells(const RunMemory& run, const TeamThread& thread, const Chunk& chunk) {
  Dim cell = 0;
  for (Dim step = chunk.steps.begin; step < chunk.steps.end; ++step) {
    const Range rows = chunk.LiveRows(step);
    for (Dim n = rows.begin; n < rows.end; ++n, ++cell) {
      if (chunk.l == 0 && n + 1 < rows.end) PrefetchInput(run, chunk.walk.Time(step), run.rows.UserRow(n + 1));
      if (cell % thread.role.unit_count == thread.role.unit_index)
        StageCell(run, thread, chunk, {chunk.walk.Time(step), n}, cell);
    }
  }
  thread.group->Wait();
}

// A row function adds W x of few channels beside U h, which takes less time than to store it and to load it again.
constexpr Dim kMostRowInputs = 8;

// An LSTM of many rows adds W x in each step: W is read more often, but W x is neither stored nor read. More k need more rows.
// With other cells it pays only if one part of the rows replaces several; LBR cells need both products of the candidate.
bool AddsInput(const RunMemory& run, Dim rows) {
  if (run.plan.row_functions[0] != nullptr) return run.plan.layer.layout.k <= kMostRowInputs;
  if (run.plan.Normalizes()) return false;
  const ForwardTuning& tuning = run.plan.tuning.forward;
  const Dim k = run.plan.layer.layout.k + run.plan.iter.layout.k;
  const Dim most_k = std::min(tuning.most_input_k, tuning.input_k_per_row * rows);
  if (run.problem.IsDynamic() || !run.plan.kernels.adds_input || rows < kLeastInputRows || k > most_k) return false;
  const bool fewer_parts = run.plan.rows < rows && run.plan.rows < run.plan.input_rows;
  return run.problem.cell == Cell::kLstm || (fewer_parts && !IsLinearBeforeReset(run.problem.cell));
}

void HoistInput(const RunMemory& run, const TeamThread& thread, const Chunk& chunk, const InputRows& input) {
  const Dim columns = run.plan.layer.layout.columns;
  const InputRows rows = run.problem.IsDynamic() ? QuantizeInput(run, thread, chunk, input) : input;
  for (int part = 0; part < run.plan.layer.layout.n_parts; ++part) {
    const Dim column = run.plan.layer.layout.part[part].first_column;
    TileArgs tile = run.MakeTile(kWeightsLayer, chunk.l, chunk.d, part);
    tile.rows = {0, chunk.rows.size()};
    tile.blocks = thread.blocks;
    tile.op = TileOp::kStore;
    tile.product.a = rows.base;
    tile.product.a_row = rows.row;
    tile.a_segment = rows.segment;
    tile.segments = chunk.steps.size();
    const Dim first = run.SliceIndex(chunk.l, chunk.d) * columns + column;
    tile.init = run.Scratch(run.at.init, first);
    const bool adds_bias = IsLinearBeforeReset(run.problem.cell) && !run.plan.ScalesColumns() && !run.plan.Normalizes();
    if (adds_bias) tile.bias = run.Scratch(run.at.column_bias, first);
    tile.out = run.Scratch(run.at.gx, thread.hoisted_row * columns + column);
    tile.out_row = columns;
    tile.out_segment = chunk.rows.size() * columns;
    if (run.plan.ragged || run.problem.IsDynamic()) {
      tile.rows = {0, chunk.CountCells()};
      tile.segments = 1;
      run.plan.kernels.run(tile);
      continue;
    }
    if (run.problem.mb == 1) tile.product.a_row = tile.a_segment;    // the stride of a dim of size 1 may be anything
    if (tile.a_segment == chunk.rows.size() * tile.product.a_row) {  // one tall matrix
      tile.rows = {0, chunk.rows.size() * tile.segments};
      tile.segments = 1;
    }
    run.plan.kernels.run(tile);
  }
}

}  // namespace

// If each step adds W x, `gx` holds nothing and its size does not limit a part; the size of `staged` still does.
int NumRowParts(const RunMemory& run, Dim rows, Dim l) {
  const bool staged = run.plan.ragged || run.plan.masks_input || (l == 0 && run.plan.staged);
  return static_cast<int>(CeilDiv(rows, !staged && AddsInput(run, rows) ? run.plan.input_rows : run.plan.rows));
}

InputRows PrepareInput(const RunMemory& run, const TeamThread& thread, const Chunk& chunk) {
  if (run.plan.ragged) {
    StageCells(run, thread, chunk);
    return {run.Scratch(run.at.staged, thread.hoisted_row * run.plan.x_row), run.plan.x_row, 0};
  }
  if (chunk.l > 0 && !run.plan.masks_input) {
    const Dim row = run.plan.h_row;
    return {run.From(run.SlotRows(chunk.d, chunk.l - 1, chunk.first_slot), chunk.rows.begin).base, row,
            run.problem.mb * row};
  }
  if (run.plan.staged) {
    StageSource(run, thread, chunk);
    const Dim row = run.plan.x_row;
    return {run.Scratch(run.at.staged, thread.hoisted_row * row), row, chunk.rows.size() * row};
  }
  const MemoryDesc& md = run.problem.md[kSrcLayer];
  const Dim segment = Strides(md)[0], row = Strides(md)[1];
  const Dim first = md.offset0 + chunk.times.begin * segment + chunk.rows.begin * row;
  return {run.UserTensor(kSrcLayer) + static_cast<size_t>(first) * run.operand_size, row, segment};
}

void AddInput(const RunMemory& run, const Chunk& chunk, const InputRows& input, StepArgs* args) {
  const PackedLayout& layout = run.plan.layer.layout;
  args->input = input;
  for (int part = 0; part < layout.n_parts; ++part) {
    TileArgs& tile = args->tile[part];
    tile.input = run.MakeTile(kWeightsLayer, chunk.l, chunk.d, part).product;
    tile.input.a_row = input.row;
    const Dim first = run.SliceIndex(chunk.l, chunk.d) * layout.columns + layout.part[part].first_column;
    tile.init = run.Scratch(run.at.init, first);
    tile.init_row = 0;
    if (IsLinearBeforeReset(run.problem.cell) && !run.plan.ScalesColumns())
      tile.input_bias = run.Scratch(run.at.column_bias, first);
  }
}

void BeginInput(const RunMemory& run, const TeamThread& thread, const Chunk& chunk, StepArgs* args) {
  const InputRows input = PrepareInput(run, thread, chunk);
  if (AddsInput(run, chunk.FewestRows())) {
    AddInput(run, chunk, input, args);
  } else {
    HoistInput(run, thread, chunk, input);
  }
}

}  // namespace optimized
}  // namespace tandem
