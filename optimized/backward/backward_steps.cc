// The recurrence, from the last time step to the first: gates' gradients, and what they send to the step before.
#include <algorithm>

#include "optimized/backward/backward_run.h"

namespace tandem {
namespace optimized {

BackwardCellArgs BackwardRun::MakeCell(const TeamThread& thread, const Chunk& chunk, Dim step) const {
  const Dim l = chunk.l, d = chunk.d, t = chunk.walk.Time(step);
  const WorkspaceLayout& saved = plan_.workspace_;
  BackwardCellArgs cell;
  cell.cell = problem_.cell;
  cell.activation = problem_.Function();
  cell.gate_functions = problem_.HasDefaultGates() ? nullptr : &problem_.Gates();
  cell.reading = problem_.attr.reading;
  cell.rounding = plan_.rounding_;
  cell.units = problem_.dhc;
  cell.rows = Intersection(chunk.walk.Live(step), thread.rows);
  cell.blocks = thread.blocks;
  cell.from_above = FromAbove(chunk, t);
  cell.from_next_step = {Scratch(at_.diff_h), plan_.h_row_};
  cell.gates = {Saved(saved.Gates(l, d, t)), saved.gates_row};
  cell.h = OwnH(l, d, t);
  if (BlendsState(problem_.cell)) {
    cell.diff_h_prev = {Scratch(at_.diff_h_direct), plan_.unit_row_};
  }
  if (HasCellState(problem_.cell)) {
    cell.c = OwnC(l, d, t);
    cell.diff_c = {Scratch(at_.diff_c), plan_.unit_row_};
  }
  if (IsLbr()) cell.linear = {Saved(saved.Linear(l, d, t)), saved.linear_row};
  if (problem_.HasPeephole()) {
    cell.peephole = Scratch(at_.peephole);
    cell.peephole_row = plan_.unit_row_;
  }
  if (problem_.Has(kAugruAttention)) {
    cell.attention = {Scratch(at_.attention, rows_.CellsBefore(t)), 1};
    cell.diff_attention = {Scratch(at_.diff_attention, rows_.CellsBefore(t)), 1};
  }
  cell.diff_gates = ChunkRows(NormalizesGates() ? at_.delta : at_.diff_gates, chunk, t, Columns());
  if (IsLbr()) {
    cell.diff_gates_iter = ChunkRows(NormalizesGates() ? at_.delta_iter : at_.diff_gates_iter, chunk, t, Columns());
  }
  if (HasResetProduct()) cell.through_reset = {Scratch(at_.through_reset), plan_.unit_row_};
  if (HasResetProduct() || problem_.HasProjection()) {
    cell.saved_product = ChunkRows(at_.product, chunk, t, plan_.unit_row_);
  }
  return cell;
}

// Threads that divide units wait where one needs what others computed: all gates' gradients of a row, or all of its
// projected h. What a thread carries to the step before are its own units.
void BackwardRun::RunStep(const TeamThread& thread, const Chunk& chunk, Dim step) {
  const Dim t = chunk.walk.Time(step);
  BackwardCellArgs cell = MakeCell(thread, chunk, step);
  if (cell.rows.empty()) return;
  if (problem_.Has(kZoneoutIter)) SplitStates(thread, chunk, t, &cell);
  if (problem_.Has(kZoneoutIterC)) SplitCellStates(thread, chunk, t, cell);
  if (problem_.HasProjection()) Unproject(thread, chunk, t, &cell);
  if (problem_.attr.rnn_layer_norm.cell != CellNorm::kNone) {
    RunNormedCell(chunk, step, cell);
  } else {
    RunCell(chunk, step, cell, plan_.backward_kernels_.cell);
  }
  if (problem_.Has(kZoneoutIterC)) JoinCellStates(thread, cell);
  if (HasResetProduct()) return ResetStep(thread, chunk, step, cell);
  if (NormalizesGates()) ThroughNorms(chunk, t, cell.rows, 0);
  NarrowPart(thread, chunk, t, cell.rows, 0);
  thread.group->Wait();
  Product product = MakeProduct(kWeightsIter, chunk);
  product.k = {0, problem_.Has(kWeightsIter) ? Columns() - Padding() : 0};
  product.a = GatesOperand(chunk, t, SeenBy::kIter, 0);
  product.a_row = Columns();
  product.init = BlendsState(problem_.cell) && !problem_.Has(kMaskIter) ? ConstRows(cell.diff_h_prev) : Zeros();
  product.out = {Scratch(at_.diff_h), plan_.h_row_};
  product.rows = cell.rows;
  product.blocks = Share(plan_.iter_.layout.blocks, thread.role.unit_index, thread.role.unit_count);
  Multiply(product);
  JoinStates(thread, chunk, t, cell);
}

// Rows that start in this step have their h and c in another place than the others.
void BackwardRun::RunCell(const Chunk& chunk, Dim step, const BackwardCellArgs& args,
                          decltype(BackwardKernels::cell) run) const {
  ForEachOrigin(chunk, step, args.rows, [&](Range rows, From from) {
    BackwardCellArgs cell = args;
    cell.rows = rows;
    if (BlendsState(problem_.cell)) cell.h_prev = PreviousH(chunk, step, from);
    if (HasCellState(problem_.cell)) cell.c_prev = PreviousC(chunk, step, from);
    run(cell);
  });
}

// The gradient with respect to LSTM's h before the projection: diff_h times the transposed weights_projection.
void BackwardRun::Unproject(const TeamThread& thread, const Chunk& chunk, Dim t, BackwardCellArgs* cell) {
  const Rows projected = ChunkRows(at_.diff_projected, chunk, t, plan_.h_row_);
  const Role& role = thread.role;
  const Range blocks = Share(CeilDiv(problem_.dic, kBlock), role.unit_index, role.unit_count);
  const Dim first = blocks.begin * kBlock;
  AddRowsArgs add;
  add.a = {cell->from_above.base + first, cell->from_above.row};
  if (cell->from_next_step.base != nullptr) add.b = {cell->from_next_step.base + first, cell->from_next_step.row};
  add.to = {projected.base + first, projected.row};
  add.rows = cell->rows;
  add.n = std::max<Dim>(0, std::min(blocks.end * kBlock, problem_.dic) - first);
  add.rounding = plan_.rounding_;
  plan_.backward_kernels_.add_rows(add);
  thread.group->Wait();

  Product product = MakeProduct(kWeightsProjection, chunk);
  product.k = {0, plan_.projection_.layout.k};
  product.a = projected.base;
  product.a_row = projected.row;
  product.init = Zeros();
  product.out = {Scratch(at_.diff_unprojected), plan_.unit_row_};
  product.rows = cell->rows;
  product.blocks = thread.blocks;
  Multiply(product);
  cell->from_above = product.out;
  cell->from_next_step = {};
}

// The candidate of GRU is a function of r * h_prev: the reset gate's gradient needs diff_o U_o^T first.
void BackwardRun::ResetStep(const TeamThread& thread, const Chunk& chunk, Dim step, const BackwardCellArgs& cell) {
  const Dim t = chunk.walk.Time(step);
  const Dim candidate = plan_.columns_.part[1].first_column;
  if (NormalizesGates()) ThroughNorms(chunk, t, cell.rows, 1);
  NarrowPart(thread, chunk, t, cell.rows, 1);
  thread.group->Wait();
  Product product = MakeProduct(kWeightsIter, chunk);
  product.k = {candidate, Columns() - Padding()};
  product.a = GatesOperand(chunk, t, SeenBy::kIter, candidate);
  product.a_row = Columns();
  product.init = Zeros();
  product.out = cell.through_reset;
  product.rows = cell.rows;
  product.blocks = thread.blocks;
  Multiply(product);
  product.init = cell.diff_h_prev;
  if (problem_.Has(kMaskIter)) {
    product.init = RunMaskedReset(chunk, t, cell);
  } else {
    RunCell(chunk, step, cell, plan_.backward_kernels_.reset_gate);
  }
  if (NormalizesGates()) ThroughNorms(chunk, t, cell.rows, 0);
  NarrowPart(thread, chunk, t, cell.rows, 0);
  thread.group->Wait();
  product.k = {0, candidate - Padding()};
  product.a = GatesOperand(chunk, t, SeenBy::kIter, 0);
  product.out = {Scratch(at_.diff_h), plan_.h_row_};
  Multiply(product);
  JoinStates(thread, chunk, t, cell);
}

// The gates of a thread's units lie side by side.
void BackwardRun::NarrowPart(const TeamThread& thread, const Chunk& chunk, Dim t, Range rows, int part) const {
  const PackedPart& gates = plan_.columns_.part[part];
  const Dim block = gates.gates * kBlock;
  NarrowGates(chunk, t, rows,
              {gates.first_column + thread.blocks.begin * block, gates.first_column + thread.blocks.end * block});
}

BackwardRun::Product BackwardRun::MakeProduct(Tensor tensor, const Chunk& chunk) const {
  Product product = {};
  product.weights = &WeightsOf(tensor);
  product.slice = product.weights->Slice(buffers_.tensor[tensor], scratch_, chunk.l, chunk.d);
  return product;
}

void BackwardRun::Multiply(const Product& product) const {
  const PackedLayout& layout = product.weights->layout;
  const PackedPart& part = layout.part[0];
  TileArgs tile;
  tile.op = TileOp::kStore;
  tile.product.weights = product.slice + product.k.begin * kBlock * static_cast<Dim>(SizeOf(layout.storage));
  tile.gates = 1;
  tile.panel_blocks = part.panel_blocks;
  tile.total_blocks = layout.blocks;
  tile.product.k = product.k.size();
  tile.product.k_padded = layout.k_padded;
  tile.product.a = product.a;
  tile.product.a_row = product.a_row;
  tile.rows = product.rows;
  tile.blocks = product.blocks;
  tile.init = product.init.base;
  tile.init_row = product.init.row;
  tile.out = product.out.base;
  tile.out_row = product.out.row;
  plan_.kernels_.run(tile);
}

const void* BackwardRun::GatesOperand(const Chunk& chunk, Dim t, SeenBy by, Dim column) const {
  const bool iter = by == SeenBy::kIter && plan_.DiffersForIter();
  const Dim at = FirstRow(chunk, t) * Columns() + column;
  if (!plan_.narrow_) return Scratch(iter ? at_.diff_gates_iter : at_.diff_gates, at);
  return Scratch(iter ? at_.narrow_gates_iter : at_.narrow_gates, at);
}

void BackwardRun::NarrowGates(const Chunk& chunk, Dim t, Range rows, Range columns) const {
  if (!plan_.narrow_) return;
  NarrowRowsArgs args;
  args.to_row = Columns();
  args.rows = rows;
  args.first = columns.begin;
  args.n = columns.size();
  const Dim at = FirstRow(chunk, t) * Columns();
  args.from = {Scratch(at_.diff_gates, at), Columns()};
  args.to = Scratch(at_.narrow_gates, at);
  plan_.backward_kernels_.narrow_rows(args);
  if (!plan_.DiffersForIter()) return;
  args.from = {Scratch(at_.diff_gates_iter, at), Columns()};
  args.to = Scratch(at_.narrow_gates_iter, at);
  plan_.backward_kernels_.narrow_rows(args);
}

}  // namespace optimized
}  // namespace tandem
