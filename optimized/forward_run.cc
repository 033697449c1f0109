#include "optimized/forward_run.h"

#include <algorithm>
#include <new>

namespace tandem {
namespace optimized {
namespace {

char* Align64(void* p) {
  const auto bits = reinterpret_cast<uintptr_t>(p);
  return static_cast<char*>(p) + ((64 - bits % 64) % 64);
}

Rounding RoundingOf(DataType type) {
  switch (type) {
    case DataType::kBf16:
      return Rounding::kBf16;
    case DataType::kF16:
      return Rounding::kF16;
    default:
      return Rounding::kNone;
  }
}

// The type c is stored in from step to step: dst_iter_c's, or src_iter_c's, or f32.
DataType CellStateType(const RnnProblem& problem) {
  for (const Tensor tensor : {kDstIterC, kSrcIterC}) {
    if (problem.Has(tensor)) return TypeOf(problem.md[tensor]);
  }
  return DataType::kF32;
}

TileOp FirstOp(Cell cell) {
  switch (cell) {
    case Cell::kVanillaRnn:
      return TileOp::kRnn;
    case Cell::kLstm:
      return TileOp::kLstm;
    case Cell::kGru:
    case Cell::kAugru:
      return TileOp::kGruGates;
    default:
      return TileOp::kLbrGru;
  }
}

}  // namespace

void RnnForward::Execute(const RnnBuffers& buffers) const {
  ForwardRun run(*this, buffers);
  const int threads = std::min(threads_, AvailableThreads());
  RunTeam(threads, [&](int thread, int team) { run.Thread(thread, team); });
  if (problem_.IsTraining()) SealWorkspace(buffers.workspace, problem_, kWorkspaceOwner);
}

ForwardRun::ForwardRun(const RnnForward& plan, const RnnBuffers& buffers)
    : plan_(plan),
      problem_(plan.problem_),
      buffers_(buffers),
      at_(plan.scratch_),
      scratch_(Align64(buffers.scratchpad)),
      operand_size_(SizeOf(plan.kernels_.operand)) {
  for (int thread = 0; thread < plan.threads_; ++thread) {
    new (Scratch<BarrierFlag>(at_.team_flags, thread)) BarrierFlag;
    new (Scratch<BarrierFlag>(at_.group_flags, thread)) BarrierFlag;
  }
}

const char* ForwardRun::PackedLayer(Dim l, Dim d) const {
  const RnnForward::Weights& weights = plan_.layer_;
  const char* base = weights.packer ? scratch_ + at_.weights_layer : UserTensor(kWeightsLayer);
  return base + SliceOffset(weights.layout, l, d);
}
const char* ForwardRun::PackedIter(Dim l, Dim d) const {
  const RnnForward::Weights& weights = plan_.iter_;
  const char* base = weights.packer ? scratch_ + at_.weights_iter : UserTensor(kWeightsIter);
  return base + SliceOffset(weights.layout, l, d);
}
const char* ForwardRun::PackedProjection(Dim l, Dim d) const {
  const RnnForward::Weights& weights = plan_.projection_;
  const char* base = weights.packer ? scratch_ + at_.weights_projection : UserTensor(kWeightsProjection);
  return base + SliceOffset(weights.layout, l, d);
}

void ForwardRun::Thread(int thread, int team) {
  Barrier all(Scratch<BarrierFlag>(at_.team_flags), thread, 0, team);
  PackWeights(thread, team);
  if (problem_.IsInt8()) all.Wait();  // the bias needs the column sums
  const Dim slices = problem_.n_layer * problem_.n_dir;
  for (Dim slice = thread; slice < slices; slice += team) {
    PrepareSlice(slice / problem_.n_dir, slice % problem_.n_dir);
  }
  all.Wait();

  const Dim blocks = plan_.layer_.layout.blocks;
  Worker worker;
  worker.role = MakeRole(plan_.work_, thread, team);
  const Role& role = worker.role;
  Barrier group(Scratch<BarrierFlag>(at_.group_flags), thread, role.first_thread, role.unit_count);
  worker.group = &group;
  worker.blocks = Share(blocks, role.unit_index, role.unit_count);
  worker.projected_blocks = Share(plan_.projection_.layout.blocks, role.unit_index, role.unit_count);

  for (Dim d = role.dirs.begin; d < role.dirs.end; ++d) LoadStates(worker, d);
  // Two threads that sum their directions meet in the middle: each has then stored its first half, and adds the second
  // to what the other stored.
  const bool sum = problem_.direction == Direction::kBidirectionalSum;
  const bool meet = sum && team > 1;
  const Dim half = problem_.n_iter / 2;
  for (Dim d = role.dirs.begin; d < role.dirs.end && role.active; ++d) {
    const Dim first = !meet ? problem_.n_iter : d == 0 ? half : problem_.n_iter - half;
    if (sum && !meet && d == 1) worker.mode = StoreMode::kAdd;
    RunSteps(&worker, d, {0, first});
  }
  if (meet) {
    all.Wait();
    worker.mode = StoreMode::kAdd;
    for (Dim d = role.dirs.begin; d < role.dirs.end && role.active; ++d) {
      RunSteps(&worker, d, {d == 0 ? half : problem_.n_iter - half, problem_.n_iter});
    }
  }
  for (Dim d = role.dirs.begin; d < role.dirs.end; ++d) StoreStates(worker, d);
}

// The first slot written must not be the one that holds the newest h: a slower thread may still read it.
ForwardRun::Chunk ForwardRun::MakeChunk(const Worker& worker, Dim d, Range steps) const {
  Chunk chunk;
  chunk.steps = steps;
  const Dim count = steps.size();
  chunk.first_time = IsReversed(d) ? problem_.n_iter - steps.end : steps.begin;
  const Dim first_written = IsReversed(d) ? count - 1 : 0;
  chunk.first_slot = first_written == worker.last_slot[d] ? plan_.slots_ - count : 0;
  return chunk;
}

void ForwardRun::RunSteps(Worker* worker, Dim d, Range steps) {
  for (Dim begin = steps.begin; begin < steps.end; begin += plan_.chunk_) {
    const Chunk chunk = MakeChunk(*worker, d, {begin, std::min(begin + plan_.chunk_, steps.end)});
    for (Dim l = 0; l < problem_.n_layer; ++l) RunLayer(*worker, d, l, chunk);
    const Dim last_time = TimeOf(d, chunk.steps.end - 1);
    worker->last_slot[d] = chunk.first_slot + last_time - chunk.first_time;
  }
}

StateRows ForwardRun::SlotRows(Dim d, Dim l, Dim slot) const {
  const Dim index = ((d * problem_.n_layer + l) * plan_.slots_ + slot) * problem_.mb * plan_.h_row_;
  return {Operands(at_.states, index), plan_.h_row_};
}

StateRows ForwardRun::OutputRows(Dim d, Dim l, Dim t, Dim slot) const {
  if (!plan_.direct_ || !IsLast(l)) return SlotRows(d, l, slot);
  const MemoryDesc& md = problem_.md[kDstLayer];
  const Dim offset = md.offset0 + t * Strides(md)[0] + d * problem_.dic;
  return {static_cast<char*>(buffers_.tensor[kDstLayer]) + static_cast<size_t>(offset) * operand_size_, Strides(md)[1]};
}

StateRows ForwardRun::Previous(const Worker& worker, Dim d, Dim l, const Chunk& chunk, Dim step) const {
  if (step == 0) {
    if (!problem_.Has(kSrcIter) && !problem_.IsInt8()) return {};
    const Dim index = (d * problem_.n_layer + l) * problem_.mb * plan_.h_row_;
    return {Operands(at_.initial, index), plan_.h_row_};
  }
  const Dim t = TimeOf(d, step - 1);
  const Dim slot = step == chunk.steps.begin ? worker.last_slot[d] : chunk.first_slot + t - chunk.first_time;
  return OutputRows(d, l, t, slot);
}

TileArgs ForwardRun::MakeTile(const Worker& worker, const RnnForward::Weights& weights, const char* packed,
                              int part) const {
  const PackedLayout& layout = weights.layout;
  TileArgs tile;
  tile.weights = packed + static_cast<size_t>(layout.part[part].offset) * SizeOf(layout.storage);
  tile.gates = layout.part[part].gates;
  tile.panel_blocks = layout.part[part].panel_blocks;
  tile.total_blocks = layout.blocks;
  tile.k = layout.k;
  tile.k_padded = layout.k_padded;
  tile.rows = worker.role.rows;
  tile.blocks = worker.blocks;
  return tile;
}

void ForwardRun::HoistInput(const Worker& worker, Dim d, Dim l, const Chunk& chunk) {
  const Dim mb = problem_.mb;
  const Dim columns = plan_.layer_.layout.columns;
  const void* input;
  Dim row, segment;
  if (l > 0) {
    input = SlotRows(d, l - 1, chunk.first_slot).base;
    row = plan_.h_row_;
    segment = mb * row;
  } else if (plan_.staged_) {
    StageSource(worker, d, chunk);
    input = Operands(at_.staged, d * plan_.chunk_ * mb * plan_.x_row_);
    row = plan_.x_row_;
    segment = mb * row;
  } else {
    const MemoryDesc& md = problem_.md[kSrcLayer];
    segment = Strides(md)[0];
    row = Strides(md)[1];
    input = UserTensor(kSrcLayer) + static_cast<size_t>(md.offset0 + chunk.first_time * segment) * operand_size_;
  }
  for (int part = 0; part < plan_.layer_.layout.n_parts; ++part) {
    const Dim column = plan_.layer_.layout.part[part].first_column;
    TileArgs tile = MakeTile(worker, plan_.layer_, PackedLayer(l, d), part);
    tile.op = TileOp::kStore;
    tile.a = input;
    tile.a_row = row;
    tile.a_segment = segment;
    tile.segments = chunk.steps.size();
    tile.init = Scratch<float>(at_.bias, SliceIndex(l, d) * columns + column);
    tile.out = Scratch<float>(at_.gx, d * plan_.chunk_ * mb * columns + column);
    tile.out_row = columns;
    tile.out_segment = mb * columns;
    if (mb == 1) tile.a_row = tile.a_segment;                    // the stride of a dim of size 1 says nothing
    if (tile.rows.size() == mb && segment == mb * tile.a_row) {  // one tall matrix
      tile.rows = {0, mb * tile.segments};
      tile.segments = 1;
    }
    plan_.kernels_.run(tile);
  }
}

CellArgs ForwardRun::MakeCell(Dim d, Dim l, Dim t) const {
  const Dim slice = SliceIndex(l, d);
  CellArgs cell;
  cell.activation = problem_.activation;
  cell.alpha = problem_.alpha;
  cell.units = problem_.dhc;
  cell.rounding = RoundingOf(problem_.SrcType());
  cell.quantization = plan_.quantization_;
  if (problem_.cell == Cell::kLstm) {
    cell.c = Scratch<float>(at_.c, (d * problem_.n_layer + l) * problem_.mb * plan_.u_row_);
    cell.c_row = plan_.u_row_;
    cell.c_rounding = RoundingOf(CellStateType(problem_));
  }
  if (problem_.HasPeephole()) {
    cell.peephole = Scratch<float>(at_.peephole, slice * 3 * plan_.u_row_);
    cell.peephole_row = plan_.u_row_;
  }
  if (GateSplitOf(problem_.cell) == GateSplit::kCandidateApart) {
    cell.update = Scratch<float>(at_.update, d * problem_.mb * plan_.u_row_);
    cell.update_row = plan_.u_row_;
    cell.reset_h = Operands(at_.reset_h, d * problem_.mb * plan_.u_row_);
    cell.reset_h_row = plan_.u_row_;
  }
  if (HasAttention(problem_.cell) && problem_.Has(kAugruAttention)) {
    const MemoryDesc& md = problem_.md[kAugruAttention];
    cell.attention_type = TypeOf(md);
    const Dim offset = md.offset0 + t * Strides(md)[0];
    cell.attention = UserTensor(kAugruAttention) + static_cast<size_t>(offset) * SizeOf(cell.attention_type);
    cell.attention_row = Strides(md)[1];
  }
  if (problem_.IsInt8()) {
    const Dim columns = plan_.layer_.layout.columns;
    cell.column_scale = Scratch<float>(at_.column_scale);
    cell.column_bias = Scratch<float>(at_.column_bias, slice * columns);
  }
  if (problem_.IsTraining()) {
    cell.training.gates = Workspace(plan_.workspace_.Gates(l, d, t));
    cell.training.gates_row = plan_.workspace_.gates_row;
    if (plan_.workspace_.linear_row != 0) {
      cell.training.linear = Workspace(plan_.workspace_.Linear(l, d, t));
      cell.training.linear_row = plan_.workspace_.linear_row;
    }
  }
  return cell;
}

void ForwardRun::RunStep(const Worker& worker, Dim d, Dim l, const Chunk& chunk, Dim step) {
  const Dim t = TimeOf(d, step);
  const Dim mb = problem_.mb;
  const PackedLayout& layout = plan_.iter_.layout;
  const StateRows previous = Previous(worker, d, l, chunk, step);
  const StateRows output = OutputRows(d, l, t, chunk.first_slot + t - chunk.first_time);
  const StateRows h =
      problem_.HasProjection() ? StateRows{Operands(at_.unprojected, d * mb * plan_.u_row_), plan_.u_row_} : output;
  const float* gx = Scratch<float>(at_.gx, (d * plan_.chunk_ + t - chunk.first_time) * mb * layout.columns);

  CellArgs cell = MakeCell(d, l, t);
  cell.h_prev = previous.base;
  cell.h_prev_row = previous.row;
  cell.h = h.base;
  cell.h_row = h.row;
  for (int part = 0; part < layout.n_parts; ++part) {
    const Dim column = layout.part[part].first_column;
    TileArgs tile = MakeTile(worker, plan_.iter_, PackedIter(l, d), part);
    tile.op = part == 0 ? FirstOp(problem_.cell) : TileOp::kGruCandidate;
    tile.a = part == 0 ? previous.base : cell.reset_h;
    tile.a_row = part == 0 ? previous.row : cell.reset_h_row;
    if (previous.base == nullptr) tile.k = 0;
    tile.init = gx + column;
    tile.init_row = layout.columns;
    if (tile.op == TileOp::kLbrGru) {
      cell.gx = gx;
      cell.gx_row = layout.columns;
      tile.init = Scratch<float>(at_.iter_bias, SliceIndex(l, d) * layout.columns);
      tile.init_row = 0;
    }
    tile.sweep = step % 2 == 0 ? Sweep::kForward : Sweep::kBackward;
    CellArgs part_cell = cell;
    if (problem_.IsInt8()) {
      part_cell.column_scale += column;
      part_cell.column_bias += column;
    }
    if (problem_.IsTraining()) part_cell.training.gates += column;
    tile.cell = &part_cell;
    if (part > 0) worker.group->Wait();  // all of r * h
    plan_.kernels_.run(tile);
  }
  if (problem_.HasProjection()) ProjectStep(worker, d, l, output);
  if (IsLast(l) && !plan_.direct_) StoreLayer(worker, d, t, output);
  if (problem_.IsTraining()) SaveStates(worker, d, l, t, output);
}

void ForwardRun::ProjectStep(const Worker& worker, Dim d, Dim l, const StateRows& h) {
  const PackedLayout& layout = plan_.projection_.layout;
  CellArgs cell;
  cell.units = problem_.dic;
  cell.rounding = RoundingOf(problem_.SrcType());
  cell.quantization = plan_.quantization_;
  cell.h = h.base;
  cell.h_row = h.row;
  if (problem_.IsInt8()) {
    cell.column_scale = Scratch<float>(at_.projection_scale);
    cell.column_bias = Scratch<float>(at_.projection_bias, SliceIndex(l, d) * layout.columns);
  }
  TileArgs tile = MakeTile(worker, plan_.projection_, PackedProjection(l, d), 0);
  tile.op = TileOp::kProjection;
  tile.a = Operands(at_.unprojected, d * problem_.mb * plan_.u_row_);
  tile.a_row = plan_.u_row_;
  tile.blocks = worker.projected_blocks;
  tile.init = Scratch<float>(at_.projection_init, SliceIndex(l, d) * layout.columns);
  tile.cell = &cell;
  worker.group->Wait();  // all units of the unprojected h
  plan_.kernels_.run(tile);
}

void ForwardRun::RunLayer(const Worker& worker, Dim d, Dim l, const Chunk& chunk) {
  HoistInput(worker, d, l, chunk);
  for (Dim step = chunk.steps.begin; step < chunk.steps.end; ++step) {
    RunStep(worker, d, l, chunk, step);
    worker.group->Wait();
  }
}

}  // namespace optimized
}  // namespace tandem
