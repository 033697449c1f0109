#include "optimized/forward/forward_steps.h"

#include "optimized/forward/forward_options.h"

namespace tandem {
namespace optimized {
namespace {

// h of the chunk's time number `in_chunk`.
StateRows At(const RunMemory& run, const StepArgs& args, Dim in_chunk) {
  return {static_cast<char*>(args.output.base) + static_cast<size_t>(in_chunk * args.output_segment) * run.operand_size,
          args.output.row};
}

// h that the live rows of a chunk's first step start from. Rows that start later than others find their src_iter there, too.
ConstStateRows RowsBefore(const RunMemory& run, const Chunk& chunk) {
  const Dim step = chunk.steps.begin;
  if (step == 0) return run.InitialRows(chunk.d, chunk.l);
  return run.OutputRows(chunk.d, chunk.l, chunk.walk.Time(step - 1), chunk.previous_slot);
}

CellArgs MakeCell(const RunMemory& run, const Chunk& chunk) {
  const Dim slice = run.SliceIndex(chunk.l, chunk.d);
  const Dim row = chunk.d * run.problem.mb + chunk.rows.begin;
  CellArgs cell;
  cell.cell = run.problem.cell;
  cell.activation = run.problem.Function();
  cell.gates = run.problem.HasDefaultGates() ? nullptr : &run.problem.Gates();
  cell.units = run.problem.dhc;
  cell.rounding = run.problem.SrcType();
  cell.int8.quantization = run.plan.quantization;
  if (HasCellState(run.problem.cell)) {
    cell.lstm.c = run.CellState(chunk.d, chunk.l, chunk.rows.begin);
    cell.lstm.c_row = run.plan.u_row;
    cell.lstm.c_rounding = CellStateType(run.problem);
  }
  if (run.problem.HasPeephole()) {
    cell.lstm.peephole = run.Scratch(run.at.peephole, slice * NumPeepholes(run.problem.cell) * run.plan.u_row);
    cell.lstm.peephole_row = run.plan.u_row;
  }
  if (WaitsForReset(run.problem.cell)) {
    cell.gru.update = run.Scratch(run.at.update, row * run.plan.u_row);
    cell.gru.update_row = run.plan.u_row;
    cell.gru.reset_h = run.Scratch(run.at.reset_h, row * run.plan.u_row);
    cell.gru.reset_h_row = run.plan.u_row;
  }
  if (run.problem.Has(kAugruAttention)) {
    const MemoryDesc& md = run.problem.md[kAugruAttention];
    cell.attention = {run.UserTensor(kAugruAttention), TypeOf(md), Strides(md)[1]};
    if (run.plan.ragged) cell.attention = {run.Scratch(run.at.attention), DataType::kF32, 1};
  }
  if (run.plan.ScalesColumns()) {
    const Dim columns = run.plan.layer.layout.columns;
    cell.int8.column_scale = run.plan.gate_scales.product.data();
    cell.int8.column_bias = run.Scratch(run.at.column_bias, slice * columns);
    if (IsLinearBeforeReset(run.problem.cell)) cell.int8.iter_bias = run.Scratch(run.at.iter_bias, slice * columns);
  }
  return cell;
}

// One element for each of a step's rows.
const void* Attention(const RunMemory& run, const Chunk& chunk, Dim t, Dim hoisted_row) {
  if (run.plan.ragged) return run.Scratch(run.at.attention, hoisted_row);
  const MemoryDesc& md = run.problem.md[kAugruAttention];
  const Dim offset = md.offset0 + t * Strides(md)[0] + chunk.rows.begin * Strides(md)[1];
  return run.UserTensor(kAugruAttention) + static_cast<size_t>(offset) * SizeOf(TypeOf(md));
}

// Sets the fields of `cell` that change each step, except h.
void MoveCell(const RunMemory& run, const Chunk& chunk, Dim t, Dim hoisted_row, CellArgs* cell) {
  if (cell->attention.base != nullptr) cell->attention.base = Attention(run, chunk, t, hoisted_row);
  if (!run.problem.IsTraining()) return;
  const WorkspaceLayout& saved = run.plan.workspace;
  cell->training.gates = run.Workspace(saved.Gates(chunk.l, chunk.d, t)) + chunk.rows.begin * saved.gates_row;
  cell->training.gates_row = saved.gates_row;
  if (saved.linear_row == 0) return;
  cell->training.linear = run.Workspace(saved.Linear(chunk.l, chunk.d, t)) + chunk.rows.begin * saved.linear_row;
  cell->training.linear_row = saved.linear_row;
}

void BeginProjection(const RunMemory& run, const TeamThread& thread, const Chunk& chunk, StepArgs* args) {
  const PackedLayout& layout = run.plan.projection.layout;
  const Dim slice = run.SliceIndex(chunk.l, chunk.d);
  CellArgs& cell = args->projection_cell;
  cell.units = run.problem.dic;
  cell.rounding = run.problem.SrcType();
  cell.int8.quantization = run.plan.quantization;
  if (run.plan.ScalesColumns()) {
    cell.int8.column_scale = run.plan.projection_scales.product.data();
    cell.int8.column_bias = run.Scratch(run.at.projection_bias, slice * layout.columns);
  }
  const Dim row = chunk.d * run.problem.mb + chunk.rows.begin;
  args->unprojected = {run.Scratch(run.at.unprojected, row * run.plan.u_row), run.plan.u_row};
  TileArgs& tile = args->projection;
  tile = run.MakeTile(kWeightsProjection, chunk.l, chunk.d, 0);
  tile.rows = {0, chunk.rows.size()};
  tile.op = TileOp::kProjection;
  tile.product.a = args->unprojected.base;
  tile.product.a_row = args->unprojected.row;
  tile.blocks = thread.projected_blocks;
  tile.init = run.Scratch(run.at.projection_init, slice * layout.columns);
  tile.cell = &cell;
}

// Runs the function for one row, if there is one.
void RunTile(const RunMemory& run, RowFunction row_function, const TileArgs& tile) {
  (row_function != nullptr ? row_function : run.plan.kernels.run)(tile);
}

void Project(const RunMemory& run, const TeamThread& thread, const StateRows& h, Dim rows, StepArgs* args) {
  args->projection.rows = {0, rows};
  args->projection_cell.h = h.base;
  args->projection_cell.h_row = h.row;
  thread.group->Wait();  // all units of the unprojected h
  if (run.problem.IsDynamic()) {
    args->projection_cell.dynamic.h =
        QuantizeStates(run, thread, args->unprojected, rows, run.problem.dhc, &args->projection.product);
  }
  RunTile(run, run.plan.row_projection, args->projection);
}

}  // namespace

// All pointers that kernels are given start at the chunk's first minibatch row.
void BeginSteps(const RunMemory& run, const TeamThread& thread, const Chunk& chunk, StepArgs* args) {
  const PackedLayout& layout = run.plan.iter.layout;
  const bool direct = run.plan.direct && run.IsLast(chunk.l);
  args->before = run.From(RowsBefore(run, chunk), chunk.rows.begin);
  args->output = run.From(run.OutputRows(chunk.d, chunk.l, chunk.times.begin, chunk.first_slot), chunk.rows.begin);
  args->output_segment = direct ? Strides(run.problem.md[kDstLayer])[0] : run.problem.mb * run.plan.h_row;
  const Dim slice = run.SliceIndex(chunk.l, chunk.d) * layout.columns;
  for (int part = 0; part < layout.n_parts; ++part) {
    TileArgs& tile = args->tile[part];
    CellArgs& cell = args->cell[part];
    const Dim column = layout.part[part].first_column;
    tile = run.MakeTile(kWeightsIter, chunk.l, chunk.d, part);
    tile.rows = {0, chunk.rows.size()};
    tile.blocks = thread.blocks;
    cell = MakeCell(run, chunk);
    tile.op = part == 0 ? TileOp::kGates : TileOp::kCandidate;
    tile.init_row = layout.columns;
    if (tile.op == TileOp::kCandidate) {
      tile.product.a = cell.gru.reset_h;
      tile.product.a_row = cell.gru.reset_h_row;
    }
    tile.cell = &cell;
    if (run.plan.ScalesColumns()) {
      cell.int8.column_scale += column;
      cell.int8.column_bias += column;
    }
    if (IsLinearBeforeReset(run.problem.cell)) {
      cell.lbr.gx_row = layout.columns;
      tile.init = run.Scratch(run.at.iter_init.IsPresent() ? run.at.iter_init : run.at.init, slice);
      tile.init_row = 0;
      if (!run.plan.ScalesColumns()) tile.bias = run.Scratch(run.at.iter_bias, slice);
    } else if (!run.plan.ScalesColumns()) {
      tile.bias = run.Scratch(run.at.column_bias, slice + column);
    }
  }
  if (run.problem.HasProjection()) BeginProjection(run, thread, chunk, args);
  if (run.problem.IsDynamic()) BeginDynamic(run, chunk, args);
}

StateRows ComputeStep(const RunMemory& run, const TeamThread& thread, const Chunk& chunk, Dim step,
                      const StepRows& place, StepArgs* args) {
  const PackedLayout& layout = run.plan.iter.layout;
  const Dim t = chunk.walk.Time(step);
  const Dim in_chunk = t - chunk.times.begin;
  const StateRows h = At(run, *args, in_chunk);
  const ConstStateRows previous =
      step == chunk.steps.begin ? args->before : At(run, *args, chunk.walk.Time(step - 1) - chunk.times.begin);
  const bool masks = run.problem.Has(kMaskIter) || run.problem.Has(kZoneoutIterC) || run.problem.Has(kZoneoutIter);
  const ConstStateRows seen = masks ? BeginMasks(run, thread, chunk, place.rows, previous) : previous;
  const StateRows cell_h = run.problem.HasProjection() ? args->unprojected : h;
  const Dim gx_index = place.hoisted * layout.columns;
  if (run.plan.copies_h && run.IsLast(chunk.l)) {
    CellArgs& last = run.problem.HasProjection() ? args->projection_cell : args->cell[layout.n_parts - 1];
    last.h_copy = run.DstRows(chunk.d, t).base;
  }
  for (int part = 0; part < layout.n_parts; ++part) {
    TileArgs& tile = args->tile[part];
    CellArgs& cell = args->cell[part];
    const Dim column = layout.part[part].first_column;
    MoveCell(run, chunk, t, place.hoisted, &cell);
    if (run.problem.IsTraining()) cell.training.gates += column;
    const ConstStateRows& h_prev = part + 1 < layout.n_parts ? seen : previous;  // GRU's r multiplies what U reads
    cell.h_prev = h_prev.base;
    cell.h_prev_row = h_prev.row;
    cell.h = cell_h.base;
    cell.h_row = cell_h.row;
    if (tile.op == TileOp::kGates) {
      tile.product.a = seen.base;
      tile.product.a_row = seen.row;
    }
    if (tile.input.k > 0) {
      tile.input.a = static_cast<const char*>(args->input.base) + static_cast<size_t>(place.input) * run.operand_size;
    } else if (cell.lbr.gx_row > 0) {
      cell.lbr.gx = run.Scratch(run.at.gx, gx_index + column);
    } else {
      tile.init = run.Scratch(run.at.gx, gx_index + column);
    }
    tile.rows = {0, place.rows.size()};
    tile.sweep = step % 2 == 0 ? Sweep::kForward : Sweep::kBackward;
    if (part > 0) thread.group->Wait();  // all of r * h
    if (run.problem.IsDynamic()) QuantizeOperand(run, thread, place, previous, &tile, &cell);
    if (!run.plan.Normalizes()) RunTile(run, run.plan.row_functions[part], tile);
    if (run.plan.Normalizes()) RunNormalized(run, chunk, {t, place.rows, {}}, place.hoisted, tile, part);
  }
  if (run.problem.HasProjection()) Project(run, thread, h, place.rows.size(), args);
  if (masks) MixStates(run, thread, chunk, {t, place.rows, h}, previous);
  return h;
}

}  // namespace optimized
}  // namespace tandem
