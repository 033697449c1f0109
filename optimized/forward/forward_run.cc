#include "optimized/forward/forward_run.h"

#include <algorithm>
#include <new>

namespace tandem {
namespace optimized {

void RnnForward::Execute(const RnnBuffers& buffers) const {
  ForwardRun run(*this, buffers);
  RunTeam(TeamSize(threads_, backoff_), backoff_, [&](int thread, int team) { run.Thread(thread, team); });
  if (problem_.IsTraining()) SealWorkspace(buffers.workspace, problem_, kWorkspaceOwner);
}

ForwardRun::ForwardRun(const RnnForward& plan, const RnnBuffers& buffers)
    : plan_(plan),
      problem_(plan.problem_),
      buffers_(buffers),
      at_(plan.scratch_),
      scratch_(Regions::FirstLine(buffers.scratchpad)),
      operand_size_(SizeOf(plan.kernels_.operand)),
      initial_in_place_(ReadsInitialInPlace()) {
  for (int thread = 0; thread < plan.threads_ && plan.threads_ > 1; ++thread) {
    new (Scratch(at_.team_flags, thread)) BarrierFlag;
    new (Scratch(at_.group_flags, thread)) BarrierFlag;
  }
}

ForwardRun::Worker ForwardRun::MakeWorker(int thread, int team) const {
  const Division division = team == plan_.threads_ ? plan_.division_ : DivisionForTeam(plan_.work_, team);
  Worker worker;
  worker.role = MakeRole(plan_.work_, division, thread);
  worker.group = nullptr;
  worker.divided_rows = division.rows > 1;
  worker.hoisted_row = worker.role.group * plan_.chunk_ * std::min(CeilDiv(problem_.mb, division.rows), plan_.rows_);
  worker.blocks = Share(plan_.layer_.layout.blocks, worker.role.unit_index, worker.role.unit_count);
  worker.projected_blocks = Share(plan_.projection_.layout.blocks, worker.role.unit_index, worker.role.unit_count);
  return worker;
}

void ForwardRun::Thread(int thread, int team) {
  Barrier all(Scratch(at_.team_flags), thread, 0, team, plan_.backoff_);
  Worker worker = MakeWorker(thread, team);
  Barrier group(Scratch(at_.group_flags), thread, worker.role.first_thread, worker.role.unit_count, plan_.backoff_);
  worker.group = &group;
  Prepare(worker, &all, thread, team);
  for (Dim d = worker.role.dirs.begin; d < worker.role.dirs.end; ++d) LoadStates(worker, d);
  RunDirections(&worker, team > 1 ? &all : nullptr);
  for (Dim d = worker.role.dirs.begin; d < worker.role.dirs.end; ++d) StoreStates(worker, d);
}

void ForwardRun::RunDirections(Worker* worker, Barrier* all) {
  const Range dirs = worker->role.dirs;
  // Of two threads that sum their directions, each stores the first half of its time steps, waits for the other, and
  // adds the second half to what the other stored.
  const bool sum = problem_.direction == Direction::kBidirectionalSum;
  const bool halves = sum && all != nullptr;
  const Dim half = problem_.n_iter / 2;
  if (sum) worker->mode = StoreMode::kFirstOfSum;
  for (Dim d = dirs.begin; d < dirs.end; ++d) {
    const Dim first = !halves ? problem_.n_iter : d == 0 ? half : problem_.n_iter - half;
    if (sum && !halves && d == 1) worker->mode = StoreMode::kSecondOfSum;
    RunSteps(worker, d, {0, first});
  }
  if (!halves) return;
  all->Wait();
  worker->mode = StoreMode::kSecondOfSum;
  for (Dim d = dirs.begin; d < dirs.end; ++d) {
    RunSteps(worker, d, {d == 0 ? half : problem_.n_iter - half, problem_.n_iter});
  }
}

// The first slot that is written must not be the one that holds the newest h: a slower thread may still read it.
ForwardRun::Chunk ForwardRun::MakeChunk(const Worker& worker, Dim d, Range steps) const {
  Chunk chunk;
  chunk.steps = steps;
  const Dim count = steps.size();
  chunk.first_time = problem_.IsReversed(d) ? problem_.n_iter - steps.end : steps.begin;
  const Dim first_written = problem_.IsReversed(d) ? count - 1 : 0;
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
  return {Scratch(at_.states, index), plan_.h_row_};
}

StateRows ForwardRun::OutputRows(Dim d, Dim l, Dim t, Dim slot) const {
  if (!plan_.direct_ || !IsLast(l)) return SlotRows(d, l, slot);
  const MemoryDesc& md = problem_.md[kDstLayer];
  const Dim offset = md.offset0 + t * Strides(md)[0] + d * problem_.dic;
  return {static_cast<char*>(buffers_.tensor[kDstLayer]) + static_cast<size_t>(offset) * operand_size_, Strides(md)[1]};
}

ForwardRun::InputRows ForwardRun::PrepareInput(const Worker& worker, const Pass& pass) {
  if (pass.l > 0) {
    const Dim row = plan_.h_row_;
    return {From(SlotRows(pass.d, pass.l - 1, pass.chunk.first_slot), pass.rows.begin).base, row, problem_.mb * row};
  }
  if (plan_.staged_) {
    StageSource(worker, pass);
    const Dim row = plan_.x_row_;
    return {Scratch(at_.staged, worker.hoisted_row * row), row, pass.rows.size() * row};
  }
  const MemoryDesc& md = problem_.md[kSrcLayer];
  const Dim segment = Strides(md)[0], row = Strides(md)[1];
  const Dim first = md.offset0 + pass.chunk.first_time * segment + pass.rows.begin * row;
  return {UserTensor(kSrcLayer) + static_cast<size_t>(first) * operand_size_, row, segment};
}

// An LSTM of many rows adds W x in each step: W is read more often, but W x is neither stored nor read. More k need more rows
// (Zen 5, 1536 k: 64 rows 0.98 to 1.00, 96 rows 1.03 to 1.08). With other cells it pays only if one pass replaces several
// (docs/performance.md); LBR cells need both products of the candidate.
bool ForwardRun::AddsInput(Dim rows) const {
  constexpr Dim kMostOfRow = 16;
  const Dim k = plan_.layer_.layout.k + plan_.iter_.layout.k;
  if (rows < kLeastInputRows || k > std::min(plan_.kernels_.most_input_k, kMostOfRow * rows)) return false;
  const bool saves_passes = plan_.rows_ < rows && plan_.rows_ < plan_.input_rows_;
  return problem_.cell == Cell::kLstm || (saves_passes && !IsLinearBeforeReset(problem_.cell));
}

// Where W x is added, `gx` holds nothing, so that its size does not limit a pass; that of `staged` does.
int ForwardRun::NumPasses(Dim rows, Dim l) const {
  const bool staged = l == 0 && plan_.staged_;
  return static_cast<int>(CeilDiv(rows, !staged && AddsInput(rows) ? plan_.input_rows_ : plan_.rows_));
}

void ForwardRun::HoistInput(const Worker& worker, const Pass& pass, const InputRows& input) {
  const Dim columns = plan_.layer_.layout.columns;
  const Chunk& chunk = pass.chunk;
  for (int part = 0; part < plan_.layer_.layout.n_parts; ++part) {
    const Dim column = plan_.layer_.layout.part[part].first_column;
    TileArgs tile = MakeTile(worker, pass, kWeightsLayer, part);
    tile.op = TileOp::kStore;
    tile.product.a = input.base;
    tile.product.a_row = input.row;
    tile.a_segment = input.segment;
    tile.segments = chunk.steps.size();
    tile.init = Scratch(at_.bias, SliceIndex(pass.l, pass.d) * columns + column);
    tile.out = Scratch(at_.gx, worker.hoisted_row * columns + column);
    tile.out_row = columns;
    tile.out_segment = pass.rows.size() * columns;
    if (problem_.mb == 1) tile.product.a_row = tile.a_segment;      // the stride of a dim of size 1 may be anything
    if (tile.a_segment == pass.rows.size() * tile.product.a_row) {  // one tall matrix
      tile.rows = {0, pass.rows.size() * tile.segments};
      tile.segments = 1;
    }
    plan_.kernels_.run(tile);
  }
}

void ForwardRun::RunLayer(const Worker& worker, Dim d, Dim l, const Chunk& chunk) {
  const Dim rows = worker.role.rows.size();
  const int passes = NumPasses(rows, l);
  for (int i = 0; i < passes; ++i) {
    const Range share = Share(rows, i, passes);
    const Pass pass = {d, l, chunk, {worker.role.rows.begin + share.begin, worker.role.rows.begin + share.end}};
    const InputRows input = PrepareInput(worker, pass);
    Step step;
    BeginSteps(worker, pass, &step);
    if (AddsInput(share.size())) {
      BeginInput(worker, pass, input, &step);
    } else {
      HoistInput(worker, pass, input);
    }
    for (Dim index = chunk.steps.begin; index < chunk.steps.end; ++index) {
      RunStep(worker, pass, index, &step);
      // No barrier after the very last one: each thread then stores what it computed itself. After the others it stages
      // rows where a slower one may still read.
      const bool last = index == problem_.n_iter - 1 && IsLast(l) && i == passes - 1 && d == worker.role.dirs.end - 1;
      if (!last) worker.group->Wait();
    }
  }
}

}  // namespace optimized
}  // namespace tandem
