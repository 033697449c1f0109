// The recurrence: the arguments of the kernels in each time step of a pass.
#include "optimized/forward/forward_run.h"

namespace tandem {
namespace optimized {

StateRows ForwardRun::Previous(const Worker& worker, const Pass& pass, Dim step) const {
  if (step == 0) {
    if (initial_in_place_) {
      const MemoryDesc& md = problem_.md[kSrcIter];
      const Dim index[] = {pass.l, pass.d, 0, 0};
      const char* base = UserTensor(kSrcIter) + static_cast<size_t>(OffsetAt(md, index)) * operand_size_;
      return {const_cast<char*>(base), Strides(md)[2]};
    }
    const Dim index = (pass.d * problem_.n_layer + pass.l) * problem_.mb * plan_.h_row_;
    return {Scratch(at_.initial, index), plan_.h_row_};
  }
  const Dim t = TimeOf(pass.d, step - 1);
  const bool inside = step > pass.chunk.steps.begin;
  const Dim slot = inside ? pass.chunk.first_slot + t - pass.chunk.first_time : worker.last_slot[pass.d];
  return OutputRows(pass.d, pass.l, t, slot);
}

// All pointers that kernels are given start at the pass's first minibatch row.
TileArgs ForwardRun::MakeTile(const Worker& worker, const Pass& pass, Tensor tensor, int part) const {
  const PackedWeights& weights = WeightsOf(tensor);
  const PackedLayout& layout = weights.layout;
  TileArgs tile;
  tile.product.weights = weights.Slice(UserTensor(tensor), scratch_, pass.l, pass.d) +
                         static_cast<size_t>(layout.part[part].offset) * SizeOf(layout.storage);
  tile.gates = layout.part[part].gates;
  tile.panel_blocks = layout.part[part].panel_blocks;
  tile.total_blocks = layout.blocks;
  tile.product.k = layout.k;
  tile.product.k_padded = layout.k_padded;
  tile.rows = {0, pass.rows.size()};
  tile.blocks = worker.blocks;
  tile.weights_in = plan_.weights_in_;
  return tile;
}

CellArgs ForwardRun::MakeCell(const Pass& pass) const {
  const Dim slice = SliceIndex(pass.l, pass.d);
  const Dim row = pass.d * problem_.mb + pass.rows.begin;
  CellArgs cell;
  cell.cell = problem_.cell;
  cell.activation = problem_.activation;
  cell.alpha = problem_.alpha;
  cell.units = problem_.dhc;
  cell.rounding = problem_.SrcType();
  cell.quantization = plan_.quantization_;
  if (HasCellState(problem_.cell)) {
    cell.c = CellState(pass.d, pass.l, pass.rows.begin);
    cell.c_row = plan_.u_row_;
    cell.c_rounding = CellStateType(problem_);
  }
  if (problem_.HasPeephole()) {
    cell.peephole = Scratch(at_.peephole, slice * 3 * plan_.u_row_);
    cell.peephole_row = plan_.u_row_;
  }
  if (TraitsOf(problem_.cell).passes == GatePasses::kCandidateSecond) {
    cell.update = Scratch(at_.update, row * plan_.u_row_);
    cell.update_row = plan_.u_row_;
    cell.reset_h = Scratch(at_.reset_h, row * plan_.u_row_);
    cell.reset_h_row = plan_.u_row_;
  }
  if (HasAttention(problem_.cell) && problem_.Has(kAugruAttention)) {
    cell.attention_type = TypeOf(problem_.md[kAugruAttention]);
    cell.attention_row = Strides(problem_.md[kAugruAttention])[1];
  }
  if (problem_.IsInt8()) {
    const Dim columns = plan_.layer_.layout.columns;
    cell.column_scale = plan_.gate_scales_.product.data();
    cell.column_bias = Scratch(at_.column_bias, slice * columns);
  }
  return cell;
}

// Sets the fields of `cell` that change each step, except h.
void ForwardRun::MoveCell(const Pass& pass, Dim t, CellArgs* cell) const {
  if (HasAttention(problem_.cell) && problem_.Has(kAugruAttention)) {
    const MemoryDesc& md = problem_.md[kAugruAttention];
    const Dim offset = md.offset0 + t * Strides(md)[0] + pass.rows.begin * Strides(md)[1];
    cell->attention = UserTensor(kAugruAttention) + static_cast<size_t>(offset) * SizeOf(cell->attention_type);
  }
  if (!problem_.IsTraining()) return;
  const WorkspaceLayout& saved = plan_.workspace_;
  cell->training.gates = Workspace(saved.Gates(pass.l, pass.d, t)) + pass.rows.begin * saved.gates_row;
  cell->training.gates_row = saved.gates_row;
  if (saved.linear_row == 0) return;
  cell->training.linear = Workspace(saved.Linear(pass.l, pass.d, t)) + pass.rows.begin * saved.linear_row;
  cell->training.linear_row = saved.linear_row;
}

void ForwardRun::BeginSteps(const Worker& worker, const Pass& pass, Step* step) const {
  const PackedLayout& layout = plan_.iter_.layout;
  for (int part = 0; part < layout.n_parts; ++part) {
    TileArgs& tile = step->tile[part];
    CellArgs& cell = step->cell[part];
    const Dim column = layout.part[part].first_column;
    tile = MakeTile(worker, pass, kWeightsIter, part);
    cell = MakeCell(pass);
    tile.op = part == 0 ? TileOp::kGates : TileOp::kCandidate;
    tile.init_row = layout.columns;
    tile.product.a = cell.reset_h;  // part 1
    tile.product.a_row = cell.reset_h_row;
    tile.cell = &cell;
    if (problem_.IsInt8()) {
      cell.column_scale += column;
      cell.column_bias += column;
    }
    if (IsLinearBeforeReset(problem_.cell)) {
      cell.gx_row = layout.columns;
      tile.init = Scratch(at_.iter_bias, SliceIndex(pass.l, pass.d) * layout.columns);
      tile.init_row = 0;
    }
  }
  if (problem_.HasProjection()) BeginProjection(worker, pass, step);
}

// W x becomes the first product of each sum.
void ForwardRun::BeginInput(const Worker& worker, const Pass& pass, const InputRows& input, Step* step) const {
  const PackedLayout& layout = plan_.layer_.layout;
  step->input = input;
  for (int part = 0; part < layout.n_parts; ++part) {
    TileArgs& tile = step->tile[part];
    tile.input = MakeTile(worker, pass, kWeightsLayer, part).product;
    tile.input.a_row = input.row;
    tile.init = Scratch(at_.bias, SliceIndex(pass.l, pass.d) * layout.columns + layout.part[part].first_column);
    tile.init_row = 0;
  }
}

void ForwardRun::BeginProjection(const Worker& worker, const Pass& pass, Step* step) const {
  const PackedLayout& layout = plan_.projection_.layout;
  const Dim slice = SliceIndex(pass.l, pass.d);
  CellArgs& cell = step->projection_cell;
  cell.units = problem_.dic;
  cell.rounding = problem_.SrcType();
  cell.quantization = plan_.quantization_;
  if (problem_.IsInt8()) {
    cell.column_scale = plan_.projection_scales_.product.data();
    cell.column_bias = Scratch(at_.projection_bias, slice * layout.columns);
  }
  TileArgs& tile = step->projection;
  tile = MakeTile(worker, pass, kWeightsProjection, 0);
  tile.op = TileOp::kProjection;
  tile.product.a = Scratch(at_.unprojected, (pass.d * problem_.mb + pass.rows.begin) * plan_.u_row_);
  tile.product.a_row = plan_.u_row_;
  tile.blocks = worker.projected_blocks;
  tile.init = Scratch(at_.projection_init, slice * layout.columns);
  tile.cell = &cell;
}

void ForwardRun::RunStep(const Worker& worker, const Pass& pass, Dim index, Step* step) {
  const PackedLayout& layout = plan_.iter_.layout;
  const Dim t = TimeOf(pass.d, index);
  const Dim in_chunk = t - pass.chunk.first_time;
  const StateRows previous = From(Previous(worker, pass, index), pass.rows.begin);
  const StateRows all_output = OutputRows(pass.d, pass.l, t, pass.chunk.first_slot + in_chunk);
  const StateRows output = From(all_output, pass.rows.begin);
  const Dim gx_index = (worker.hoisted_row + in_chunk * pass.rows.size()) * layout.columns;
  for (int part = 0; part < layout.n_parts; ++part) {
    TileArgs& tile = step->tile[part];
    CellArgs& cell = step->cell[part];
    const Dim column = layout.part[part].first_column;
    MoveCell(pass, t, &cell);
    if (problem_.IsTraining()) cell.training.gates += column;
    cell.h_prev = previous.base;
    cell.h_prev_row = previous.row;
    cell.h = problem_.HasProjection() ? const_cast<void*>(step->projection.product.a) : output.base;
    cell.h_row = problem_.HasProjection() ? plan_.u_row_ : output.row;
    if (part == 0) {
      tile.product.a = previous.base;
      tile.product.a_row = previous.row;
    }
    // Without src_iter the first step has no U h, but it has U_o (r * h): a NaN in r must reach the candidate.
    tile.product.k = part == 0 && previous.base == nullptr ? 0 : layout.k;
    if (IsLinearBeforeReset(problem_.cell)) {
      cell.gx = at_.gx.As<float>(scratch_, gx_index);
    } else if (tile.input.k > 0) {
      tile.input.a = static_cast<const char*>(step->input.base) +
                     static_cast<size_t>(in_chunk * step->input.segment) * operand_size_;
    } else {
      tile.init = Scratch(at_.gx, gx_index + column);
    }
    tile.sweep = index % 2 == 0 ? Sweep::kForward : Sweep::kBackward;
    if (part > 0) worker.group->Wait();  // all of r * h
    plan_.kernels_.run(tile);
  }
  if (problem_.HasProjection()) {
    step->projection_cell.h = output.base;
    step->projection_cell.h_row = output.row;
    worker.group->Wait();  // all units of the unprojected h
    plan_.kernels_.run(step->projection);
  }
  if (IsLast(pass.l) && !plan_.direct_) StoreLayer(worker, pass, t, all_output);
  if (problem_.IsTraining()) SaveStates(worker, pass, t, all_output);
}

}  // namespace optimized
}  // namespace tandem
