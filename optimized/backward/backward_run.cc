#include "optimized/backward/backward_run.h"

#include <algorithm>
#include <new>

#include "optimized/threads/role.h"
#include "optimized/weights/regions.h"

namespace tandem {
namespace optimized {

BackwardRun::BackwardRun(const RnnBackward& plan, const RnnBuffers& buffers)
    : plan_(plan),
      problem_(plan.problem_),
      buffers_(buffers),
      at_(plan.scratch_),
      scratch_(Regions::FirstLine(buffers.scratchpad)),
      workspace_(static_cast<const char*>(buffers.workspace)) {
  for (int i = 0; i < plan.threads_; ++i) {
    new (reinterpret_cast<BarrierFlag*>(scratch_ + at_.flags) + i) BarrierFlag();
  }
  const Dim longest = std::max({plan.x_row_, plan.h_row_, plan.unit_row_, Columns()});
  std::fill_n(Scratch(at_.zeros), longest, 0.f);
}

void BackwardRun::Thread(int thread, int team) {
  Barrier barrier(reinterpret_cast<BarrierFlag*>(scratch_ + at_.flags), thread, 0, team);
  const Worker worker = {thread, team, Share(problem_.mb, thread, team), &barrier};
  PackWeights(worker);
  if (problem_.Has(kAugruAttention)) LoadAttention(worker);
  for (Dim d = 0; d < problem_.n_dir; ++d) {
    for (Dim l = problem_.n_layer - 1; l >= 0; --l) RunLayer(worker, l, d);
  }
  if (problem_.Has(kAugruAttention)) StoreAttention(worker);
}

void BackwardRun::PackWeights(const Worker& worker) {
  const auto pack = [&](const PackedWeights& weights, size_t region, Tensor tensor) {
    weights.PackShare(worker.thread, worker.team, buffers_.tensor[tensor], scratch_ + region);
  };
  pack(plan_.layer_, at_.weights_layer, kWeightsLayer);
  pack(plan_.iter_, at_.weights_iter, kWeightsIter);
  pack(plan_.projection_, at_.weights_projection, kWeightsProjection);
}

void BackwardRun::RunLayer(const Worker& worker, Dim l, Dim d) {
  if (worker.thread == 0 && problem_.HasPeephole()) LoadPeephole(l, d);
  LoadStates(worker, l, d);
  worker.barrier->Wait();  // packed weights and peephole are there; the last layer's sums are stored
  const Dim chunks = CeilDiv(problem_.n_iter, plan_.chunk_);
  for (Dim i = 0; i < chunks; ++i) {
    const Dim c = problem_.IsReversed(d) ? i : chunks - 1 - i;
    const Range times = {c * plan_.chunk_, std::min(problem_.n_iter, (c + 1) * plan_.chunk_)};
    const Chunk chunk = {l, d, times, i == 0};
    StageFromAbove(worker, chunk);
    for (Dim step = 0; step < times.size(); ++step) {
      RunStep(worker, chunk, problem_.IsReversed(d) ? times.begin + step : times.end - 1 - step);
    }
    worker.barrier->Wait();
    SourceGradient(worker, chunk);
    Transpose(worker, chunk);
    worker.barrier->Wait();
    WeightsGradients(worker, chunk);
    worker.barrier->Wait();
  }
  StoreStates(worker, l, d);
  StoreGradients(worker, l, d);
  worker.barrier->Wait();
}

BackwardCellArgs BackwardRun::MakeCell(const Worker& worker, const Chunk& chunk, Dim t) const {
  const Dim l = chunk.l, d = chunk.d;
  const WorkspaceLayout& saved = plan_.workspace_;
  BackwardCellArgs cell;
  cell.cell = problem_.cell;
  cell.activation = problem_.activation;
  cell.alpha = problem_.alpha;
  cell.reading = problem_.attr.reading;
  cell.rounding = plan_.rounding_;
  cell.units = problem_.dhc;
  cell.rows = worker.rows;
  cell.from_above = FromAbove(chunk, t);
  cell.from_next_step = {Scratch(at_.diff_h), plan_.h_row_};
  cell.gates = {Saved(saved.Gates(l, d, t)), saved.gates_row};
  cell.h = SavedH(l, d, t);
  if (IsGruFamily(problem_.cell)) cell.h_prev = HBefore(l, d, t);
  if (problem_.cell == Cell::kLstm) {
    cell.c = SavedC(l, d, t);
    cell.c_prev = CBefore(l, d, t);
    cell.diff_c = {Scratch(at_.diff_c), plan_.unit_row_};
  }
  if (IsLbr()) cell.linear = {Saved(saved.Linear(l, d, t)), saved.linear_row};
  if (problem_.HasPeephole()) {
    cell.peephole = Scratch(at_.peephole);
    cell.peephole_row = plan_.unit_row_;
  }
  if (problem_.Has(kAugruAttention)) {
    cell.attention = {Scratch(at_.attention) + t * problem_.mb, 1};
    cell.diff_attention = {Scratch(at_.diff_attention) + t * problem_.mb, 1};
  }
  cell.diff_gates = ChunkRows(at_.diff_gates, chunk, t, Columns());
  if (IsLbr()) cell.diff_gates_iter = ChunkRows(at_.diff_gates_iter, chunk, t, Columns());
  cell.diff_h_prev = {Scratch(at_.diff_h_direct), plan_.unit_row_};
  cell.through_reset = {Scratch(at_.through_reset), plan_.unit_row_};
  if (HasResetProduct() || problem_.HasProjection()) {
    cell.saved_product = ChunkRows(at_.product, chunk, t, plan_.unit_row_);
  }
  return cell;
}

void BackwardRun::RunStep(const Worker& worker, const Chunk& chunk, Dim t) {
  BackwardCellArgs cell = MakeCell(worker, chunk, t);
  if (problem_.HasProjection()) Unproject(worker, chunk, t, &cell);
  plan_.backward_kernels_.cell(cell);
  if (HasResetProduct()) return ResetStep(worker, chunk, t, cell);
  NarrowGates(worker, chunk, t, {0, Columns()});
  Product product;
  product.weights = PackedSlice(plan_.iter_, at_.weights_iter, kWeightsIter, chunk.l, chunk.d);
  product.layout = &plan_.iter_.layout;
  product.k = {0, Columns()};
  product.a = GatesOperand(chunk, t, SeenBy::kIter, 0);
  product.a_row = Columns();
  product.init = IsLbr() ? ConstRows{cell.diff_h_prev.base, cell.diff_h_prev.row} : Zeros();
  product.out = {Scratch(at_.diff_h), plan_.h_row_};
  product.rows = worker.rows;
  Multiply(product);
}

// The gradient by h, through the projection: diff_h_hat = diff_h R^T.
void BackwardRun::Unproject(const Worker& worker, const Chunk& chunk, Dim t, BackwardCellArgs* cell) {
  const Rows projected = ChunkRows(at_.diff_projected, chunk, t, plan_.h_row_);
  AddRowsArgs add;
  add.a = cell->from_above;
  add.b = cell->from_next_step;
  add.to = projected;
  add.rows = worker.rows;
  add.n = problem_.dic;
  add.rounding = plan_.rounding_;
  plan_.backward_kernels_.add_rows(add);

  Product product;
  product.weights = PackedSlice(plan_.projection_, at_.weights_projection, kWeightsProjection, chunk.l, chunk.d);
  product.layout = &plan_.projection_.layout;
  product.k = {0, plan_.projection_.layout.k};
  product.a = projected.base;
  product.a_row = projected.row;
  product.init = Zeros();
  product.out = {Scratch(at_.diff_unprojected), plan_.unit_row_};
  product.rows = worker.rows;
  Multiply(product);
  cell->from_above = {product.out.base, product.out.row};
  cell->from_next_step = {};
}

// GRU's candidate saw r * h_prev: the reset gate's gradient needs diff_o U_o^T first.
void BackwardRun::ResetStep(const Worker& worker, const Chunk& chunk, Dim t, const BackwardCellArgs& cell) {
  const Dim candidate = plan_.columns_.part[1].first_column;
  NarrowGates(worker, chunk, t, {candidate, Columns()});
  Product product;
  product.weights = PackedSlice(plan_.iter_, at_.weights_iter, kWeightsIter, chunk.l, chunk.d);
  product.layout = &plan_.iter_.layout;
  product.k = {candidate, Columns()};
  product.a = GatesOperand(chunk, t, SeenBy::kIter, candidate);
  product.a_row = Columns();
  product.init = Zeros();
  product.out = cell.through_reset;
  product.rows = worker.rows;
  Multiply(product);
  plan_.backward_kernels_.reset_gate(cell);
  NarrowGates(worker, chunk, t, {0, candidate});
  product.k = {0, candidate};
  product.a = GatesOperand(chunk, t, SeenBy::kIter, 0);
  product.init = {cell.diff_h_prev.base, cell.diff_h_prev.row};
  product.out = {Scratch(at_.diff_h), plan_.h_row_};
  Multiply(product);
}

void BackwardRun::SourceGradient(const Worker& worker, const Chunk& chunk) {
  Product product;
  product.weights = PackedSlice(plan_.layer_, at_.weights_layer, kWeightsLayer, chunk.l, chunk.d);
  product.layout = &plan_.layer_.layout;
  product.k = {0, Columns()};
  product.a = GatesOperand(chunk, chunk.times.begin, SeenBy::kLayer, 0);
  product.a_row = Columns();
  product.init = Zeros();
  product.out = DiffX(chunk, chunk.times.begin);
  product.rows = Share(RowsOf(chunk), worker.thread, worker.team);
  Multiply(product);
  if (chunk.l == 0) StoreSource(worker, chunk);
}

void BackwardRun::Multiply(const Product& product) const {
  const PackedLayout& layout = *product.layout;
  const PackedPart& part = layout.part[0];
  TileArgs tile;
  tile.op = TileOp::kStore;
  tile.gates = 1;
  tile.panel_blocks = part.panel_blocks;
  tile.total_blocks = layout.blocks;
  tile.k = product.k.size();
  tile.k_padded = layout.k_padded;
  tile.a = product.a;
  tile.a_row = product.a_row;
  tile.rows = product.rows;
  tile.init = product.init.base;
  tile.init_row = product.init.row;
  tile.out = product.out.base;
  tile.out_row = product.out.row;
  const auto run = [&](Range blocks, Dim panel_blocks) {
    // Rows of a panel are panel_blocks vectors long, so where row k begins depends on the panel.
    const Dim skip = product.k.begin * panel_blocks * kBlock;
    tile.weights = product.weights + skip * static_cast<Dim>(SizeOf(layout.storage));
    tile.blocks = blocks;
    plan_.kernels_.run(tile);
  };
  const Dim full = layout.blocks / part.panel_blocks * part.panel_blocks;
  if (full > 0) run({0, full}, part.panel_blocks);
  if (full < layout.blocks) run({full, layout.blocks}, layout.blocks - full);
}

const void* BackwardRun::GatesOperand(const Chunk& chunk, Dim t, SeenBy by, Dim column) const {
  const bool iter = by == SeenBy::kIter && IsLbr();
  const Dim at = (t - chunk.times.begin) * problem_.mb * Columns() + column;
  if (!plan_.narrow_) return Scratch(iter ? at_.diff_gates_iter : at_.diff_gates) + at;
  return reinterpret_cast<uint16_t*>(scratch_ + (iter ? at_.narrow_gates_iter : at_.narrow_gates)) + at;
}

void BackwardRun::NarrowGates(const Worker& worker, const Chunk& chunk, Dim t, Range columns) const {
  if (!plan_.narrow_) return;
  NarrowRowsArgs args;
  args.to_row = Columns();
  args.rows = worker.rows;
  args.first = columns.begin;
  args.n = columns.size();
  const Dim at = (t - chunk.times.begin) * problem_.mb * Columns();
  args.from = {Scratch(at_.diff_gates) + at, Columns()};
  args.to = reinterpret_cast<uint16_t*>(scratch_ + at_.narrow_gates) + at;
  plan_.backward_kernels_.narrow_rows(args);
  if (!IsLbr()) return;
  args.from = {Scratch(at_.diff_gates_iter) + at, Columns()};
  args.to = reinterpret_cast<uint16_t*>(scratch_ + at_.narrow_gates_iter) + at;
  plan_.backward_kernels_.narrow_rows(args);
}

ConstRows BackwardRun::SavedH(Dim l, Dim d, Dim t) const {
  return {Saved(plan_.workspace_.H(l, d, t)), plan_.workspace_.h_row};
}

ConstRows BackwardRun::SavedC(Dim l, Dim d, Dim t) const {
  return {Saved(plan_.workspace_.C(l, d, t)), plan_.workspace_.c_row};
}

ConstRows BackwardRun::HBefore(Dim l, Dim d, Dim t) const {
  const Dim before = Previous(d, t);
  if (HasTime(before)) return SavedH(l, d, before);
  return {Scratch(at_.h_first), plan_.h_row_};
}

ConstRows BackwardRun::CBefore(Dim l, Dim d, Dim t) const {
  const Dim before = Previous(d, t);
  if (HasTime(before)) return SavedC(l, d, before);
  return {Scratch(at_.c_first), plan_.unit_row_};
}

const char* BackwardRun::PackedSlice(const PackedWeights& weights, size_t region, Tensor tensor, Dim l, Dim d) const {
  return weights.Base(buffers_.tensor[tensor], scratch_ + region) + SliceOffset(weights.layout, l, d);
}

}  // namespace optimized
}  // namespace tandem
