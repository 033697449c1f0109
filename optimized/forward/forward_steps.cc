// The recurrence: the arguments of the kernels in each time step of a chunk.
#include "optimized/forward/forward_run.h"
#include "optimized/forward/forward_states.h"

namespace tandem {
namespace optimized {

// h that the live rows of a chunk's first step start from. Rows that start later than others find their src_iter there, too.
ConstStateRows ForwardRun::RowsBefore(const Chunk& chunk) const {
  const Dim step = chunk.steps.begin;
  if (step == 0) return InitialRows(chunk.d, chunk.l);
  return OutputRows(chunk.d, chunk.l, chunk.walk.Time(step - 1), chunk.previous_slot);
}

// All pointers that kernels are given start at the chunk's first minibatch row.
TileArgs ForwardRun::MakeTile(const TeamThread& thread, const Chunk& chunk, Tensor tensor, int part) const {
  const PackedWeights& weights = WeightsOf(tensor);
  const PackedLayout& layout = weights.layout;
  TileArgs tile;
  tile.product.weights = weights.Slice(UserTensor(tensor), scratch_, chunk.l, chunk.d) +
                         static_cast<size_t>(layout.part[part].offset) * SizeOf(layout.storage);
  tile.gates = layout.part[part].gates;
  tile.panel_blocks = layout.part[part].panel_blocks;
  tile.total_blocks = layout.blocks;
  tile.product.k = layout.k;
  tile.product.k_padded = layout.k_padded;
  tile.rows = {0, chunk.rows.size()};
  tile.blocks = thread.blocks;
  tile.weights_in = plan_.weights_in_;
  return tile;
}

CellArgs ForwardRun::MakeCell(const Chunk& chunk) const {
  const Dim slice = SliceIndex(chunk.l, chunk.d);
  const Dim row = chunk.d * problem_.mb + chunk.rows.begin;
  CellArgs cell;
  cell.cell = problem_.cell;
  cell.activation = problem_.Function();
  cell.gates = problem_.HasDefaultGates() ? nullptr : &problem_.Gates();
  cell.units = problem_.dhc;
  cell.rounding = problem_.SrcType();
  cell.int8.quantization = plan_.quantization_;
  if (HasCellState(problem_.cell)) {
    cell.lstm.c = CellState(chunk.d, chunk.l, chunk.rows.begin);
    cell.lstm.c_row = plan_.u_row_;
    cell.lstm.c_rounding = CellStateType(problem_);
  }
  if (problem_.HasPeephole()) {
    cell.lstm.peephole = Scratch(at_.peephole, slice * NumPeepholes(problem_.cell) * plan_.u_row_);
    cell.lstm.peephole_row = plan_.u_row_;
  }
  if (WaitsForReset(problem_.cell)) {
    cell.gru.update = Scratch(at_.update, row * plan_.u_row_);
    cell.gru.update_row = plan_.u_row_;
    cell.gru.reset_h = Scratch(at_.reset_h, row * plan_.u_row_);
    cell.gru.reset_h_row = plan_.u_row_;
  }
  if (problem_.Has(kAugruAttention)) {
    const MemoryDesc& md = problem_.md[kAugruAttention];
    cell.attention = {UserTensor(kAugruAttention), TypeOf(md), Strides(md)[1]};
    if (plan_.ragged_) cell.attention = {Scratch(at_.attention), DataType::kF32, 1};
  }
  if (plan_.ScalesColumns()) {
    const Dim columns = plan_.layer_.layout.columns;
    cell.int8.column_scale = plan_.gate_scales_.product.data();
    cell.int8.column_bias = Scratch(at_.column_bias, slice * columns);
    if (IsLinearBeforeReset(problem_.cell)) cell.int8.iter_bias = Scratch(at_.iter_bias, slice * columns);
  }
  return cell;
}

// One element for each of a step's rows.
const void* ForwardRun::Attention(const Chunk& chunk, Dim t, Dim hoisted_row) const {
  if (plan_.ragged_) return Scratch(at_.attention, hoisted_row);
  const MemoryDesc& md = problem_.md[kAugruAttention];
  const Dim offset = md.offset0 + t * Strides(md)[0] + chunk.rows.begin * Strides(md)[1];
  return UserTensor(kAugruAttention) + static_cast<size_t>(offset) * SizeOf(TypeOf(md));
}

// Sets the fields of `cell` that change each step, except h.
void ForwardRun::MoveCell(const Chunk& chunk, Dim t, Dim hoisted_row, CellArgs* cell) const {
  if (cell->attention.base != nullptr) cell->attention.base = Attention(chunk, t, hoisted_row);
  if (!problem_.IsTraining()) return;
  const WorkspaceLayout& saved = plan_.workspace_;
  cell->training.gates = Workspace(saved.Gates(chunk.l, chunk.d, t)) + chunk.rows.begin * saved.gates_row;
  cell->training.gates_row = saved.gates_row;
  if (saved.linear_row == 0) return;
  cell->training.linear = Workspace(saved.Linear(chunk.l, chunk.d, t)) + chunk.rows.begin * saved.linear_row;
  cell->training.linear_row = saved.linear_row;
}

void ForwardRun::BeginSteps(const TeamThread& thread, const Chunk& chunk, StepArgs* args) const {
  const PackedLayout& layout = plan_.iter_.layout;
  const bool direct = plan_.direct_ && IsLast(chunk.l);
  args->before = From(RowsBefore(chunk), chunk.rows.begin);
  args->output = From(OutputRows(chunk.d, chunk.l, chunk.times.begin, chunk.first_slot), chunk.rows.begin);
  args->output_segment = direct ? Strides(problem_.md[kDstLayer])[0] : problem_.mb * plan_.h_row_;
  const Dim slice = SliceIndex(chunk.l, chunk.d) * layout.columns;
  for (int part = 0; part < layout.n_parts; ++part) {
    TileArgs& tile = args->tile[part];
    CellArgs& cell = args->cell[part];
    const Dim column = layout.part[part].first_column;
    tile = MakeTile(thread, chunk, kWeightsIter, part);
    cell = MakeCell(chunk);
    tile.op = part == 0 ? TileOp::kGates : TileOp::kCandidate;
    tile.init_row = layout.columns;
    if (tile.op == TileOp::kCandidate) {
      tile.product.a = cell.gru.reset_h;
      tile.product.a_row = cell.gru.reset_h_row;
    }
    tile.cell = &cell;
    if (plan_.ScalesColumns()) {
      cell.int8.column_scale += column;
      cell.int8.column_bias += column;
    }
    if (IsLinearBeforeReset(problem_.cell)) {
      cell.lbr.gx_row = layout.columns;
      tile.init = Scratch(at_.iter_init.IsPresent() ? at_.iter_init : at_.init, slice);
      tile.init_row = 0;
      if (!plan_.ScalesColumns()) tile.bias = Scratch(at_.iter_bias, slice);
    } else if (!plan_.ScalesColumns()) {
      tile.bias = Scratch(at_.column_bias, slice + column);
    }
  }
  if (problem_.HasProjection()) BeginProjection(thread, chunk, args);
  if (problem_.IsDynamic()) BeginDynamic(chunk, args);
}

// W x becomes the first product of each sum.
void ForwardRun::BeginInput(const TeamThread& thread, const Chunk& chunk, const InputRows& input,
                            StepArgs* args) const {
  const PackedLayout& layout = plan_.layer_.layout;
  args->input = input;
  for (int part = 0; part < layout.n_parts; ++part) {
    TileArgs& tile = args->tile[part];
    tile.input = MakeTile(thread, chunk, kWeightsLayer, part).product;
    tile.input.a_row = input.row;
    const Dim first = SliceIndex(chunk.l, chunk.d) * layout.columns + layout.part[part].first_column;
    tile.init = Scratch(at_.init, first);
    tile.init_row = 0;
    if (IsLinearBeforeReset(problem_.cell) && !plan_.ScalesColumns()) tile.input_bias = Scratch(at_.column_bias, first);
  }
}

void ForwardRun::BeginProjection(const TeamThread& thread, const Chunk& chunk, StepArgs* args) const {
  const PackedLayout& layout = plan_.projection_.layout;
  const Dim slice = SliceIndex(chunk.l, chunk.d);
  CellArgs& cell = args->projection_cell;
  cell.units = problem_.dic;
  cell.rounding = problem_.SrcType();
  cell.int8.quantization = plan_.quantization_;
  if (plan_.ScalesColumns()) {
    cell.int8.column_scale = plan_.projection_scales_.product.data();
    cell.int8.column_bias = Scratch(at_.projection_bias, slice * layout.columns);
  }
  const Dim row = chunk.d * problem_.mb + chunk.rows.begin;
  args->unprojected = {Scratch(at_.unprojected, row * plan_.u_row_), plan_.u_row_};
  TileArgs& tile = args->projection;
  tile = MakeTile(thread, chunk, kWeightsProjection, 0);
  tile.op = TileOp::kProjection;
  tile.product.a = args->unprojected.base;
  tile.product.a_row = args->unprojected.row;
  tile.blocks = thread.projected_blocks;
  tile.init = Scratch(at_.projection_init, slice * layout.columns);
  tile.cell = &cell;
}

void ForwardRun::RunStep(const TeamThread& thread, const Chunk& chunk, Dim step, const StepRows& place,
                         StepArgs* args) {
  const StateRows h = ComputeStep(thread, chunk, step, place, args);
  const StepOutput output = {chunk.walk.Time(step), place.rows, h};
  if (IsLast(chunk.l) && !plan_.direct_ && !plan_.copies_h_) StoreLayer(*this, thread, chunk, output);
  if (problem_.IsTraining()) SaveStates(*this, thread, chunk, output);
  const Range ending = chunk.walk.Ending(step);
  if (!ending.empty()) StoreStates(*this, thread, chunk, {output.time, Intersection(ending, chunk.rows), h});
}

// Returns the rows of the new h.
StateRows ForwardRun::ComputeStep(const TeamThread& thread, const Chunk& chunk, Dim step, const StepRows& place,
                                  StepArgs* args) {
  const PackedLayout& layout = plan_.iter_.layout;
  const Dim t = chunk.walk.Time(step);
  const Dim in_chunk = t - chunk.times.begin;
  const StateRows h = At(*args, in_chunk);
  const ConstStateRows previous =
      step == chunk.steps.begin ? args->before : At(*args, chunk.walk.Time(step - 1) - chunk.times.begin);
  const ConstStateRows seen = BeginMasks(thread, chunk, place.rows, previous);
  const StateRows cell_h = problem_.HasProjection() ? args->unprojected : h;
  const Dim gx_index = place.hoisted * layout.columns;
  if (plan_.copies_h_ && IsLast(chunk.l)) {
    CellArgs& last = problem_.HasProjection() ? args->projection_cell : args->cell[layout.n_parts - 1];
    last.h_copy = DstRows(chunk.d, t).base;
  }
  for (int part = 0; part < layout.n_parts; ++part) {
    TileArgs& tile = args->tile[part];
    CellArgs& cell = args->cell[part];
    const Dim column = layout.part[part].first_column;
    MoveCell(chunk, t, place.hoisted, &cell);
    if (problem_.IsTraining()) cell.training.gates += column;
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
      tile.input.a = static_cast<const char*>(args->input.base) + static_cast<size_t>(place.input) * operand_size_;
    } else if (cell.lbr.gx_row > 0) {
      cell.lbr.gx = Scratch(at_.gx, gx_index + column);
    } else {
      tile.init = Scratch(at_.gx, gx_index + column);
    }
    tile.rows = {0, place.rows.size()};
    tile.sweep = step % 2 == 0 ? Sweep::kForward : Sweep::kBackward;
    if (part > 0) thread.group->Wait();  // all of r * h
    if (problem_.IsDynamic()) QuantizeOperand(thread, place, previous, &tile, &cell);
    if (!plan_.Normalizes()) RunTile(plan_.row_functions_[part], tile);
    if (plan_.Normalizes()) RunNormalized(chunk, {t, place.rows, {}}, place.hoisted, tile, part);
  }
  if (problem_.HasProjection()) Project(thread, h, place.rows.size(), args);
  if (problem_.Has(kZoneoutIterC)) MixCellStates(thread, chunk, {t, place.rows, h});
  if (problem_.Has(kZoneoutIter)) MixStates(thread, chunk, {t, place.rows, h}, previous);
  return h;
}

// Runs the function for one row, if there is one.
void ForwardRun::RunTile(RowFunction row_function, const TileArgs& tile) const {
  (row_function != nullptr ? row_function : plan_.kernels_.run)(tile);
}

void ForwardRun::Project(const TeamThread& thread, const StateRows& h, Dim rows, StepArgs* args) const {
  args->projection.rows = {0, rows};
  args->projection_cell.h = h.base;
  args->projection_cell.h_row = h.row;
  thread.group->Wait();  // all units of the unprojected h
  if (problem_.IsDynamic()) {
    args->projection_cell.dynamic.h =
        QuantizeStates(thread, args->unprojected, rows, problem_.dhc, &args->projection.product);
  }
  RunTile(plan_.row_projection_, args->projection);
}

}  // namespace optimized
}  // namespace tandem
