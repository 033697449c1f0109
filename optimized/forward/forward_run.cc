#include "optimized/forward/forward_run.h"

#include <algorithm>
#include <new>

#include "optimized/forward/forward_parameters.h"
#include "optimized/forward/forward_states.h"

namespace tandem {
namespace optimized {

void RnnForward::Execute(const RnnBuffers& buffers) const {
  const SortedRows rows(problem_, buffers, scratch_.sorted_rows, Regions::FirstLine(buffers.scratchpad));
  ForwardRun run(RunMemory(*this, buffers, rows));
  RunTeam(TeamSize(threads_, backoff_), backoff_, [&](int index, int team) { run.RunThread(index, team); });
  if (problem_.IsTraining()) SealWorkspace(buffers, problem_, kWorkspaceOwner);
}

ForwardRun::ForwardRun(const RunMemory& memory) : RunMemory(memory) {
  for (int thread = 0; thread < plan_.threads_ && plan_.threads_ > 1; ++thread) {
    new (Scratch(at_.team_flags, thread)) BarrierFlag;
    new (Scratch(at_.group_flags, thread)) BarrierFlag;
  }
}

TeamThread ForwardRun::MakeThread(int index, int team) const {
  const Division division = team == plan_.threads_ ? plan_.division_ : DivisionForTeam(plan_.work_, team);
  TeamThread thread;
  thread.index = index;
  thread.team = team;
  thread.all = thread.group = nullptr;
  thread.role = MakeRole(plan_.work_, division, index);
  thread.divided_rows = division.rows > 1;
  thread.hoisted_row = thread.role.group * plan_.chunk_ * std::min(CeilDiv(problem_.mb, division.rows), plan_.rows_);
  thread.last_slot[0] = thread.last_slot[1] = plan_.slots_ - 1;
  if (plan_.ragged_ && thread.role.active) {
    thread.role.rows = rows_.Share(thread.role.group % division.rows, division.rows);
    thread.hoisted_row = thread.role.group * plan_.cells_;
  }
  thread.blocks = Share(plan_.layer_.layout.blocks, thread.role.unit_index, thread.role.unit_count);
  thread.projected_blocks = Share(plan_.projection_.layout.blocks, thread.role.unit_index, thread.role.unit_count);
  thread.output_blocks = problem_.HasProjection() ? thread.projected_blocks : thread.blocks;
  return thread;
}

void ForwardRun::RunThread(int index, int team) {
  const KernelsThread kernels_thread(plan_.kernels_);
  TeamThread thread = MakeThread(index, team);
  const Role& role = thread.role;
  Barrier all(Scratch(at_.team_flags), index, 0, team, team, plan_.backoff_);
  Barrier group(Scratch(at_.group_flags), index, role.first_thread, role.unit_count, team, plan_.backoff_);
  thread.all = &all;
  thread.group = &group;
  PrepareParameters(*this, thread);
  for (Dim d = role.dirs.begin; d < role.dirs.end; ++d) LoadStates(*this, thread, d);
  RunDirections(&thread);
  if (plan_.ragged_) FinishRows(*this, thread);
}

void ForwardRun::RunDirections(TeamThread* thread) {
  const Range dirs = thread->role.dirs;
  // Two threads sum their directions: each stores the first half of its time steps, waits for the other, and adds the second half
  // to the values that the other stored.
  const bool sum = problem_.direction == Direction::kBidirectionalSum;
  const bool halves = sum && thread->team > 1;
  const Dim half = problem_.n_iter / 2;
  if (sum) thread->mode = StoreMode::kFirstOfSum;
  for (Dim d = dirs.begin; d < dirs.end; ++d) {
    const Dim first = !halves ? problem_.n_iter : d == 0 ? half : problem_.n_iter - half;
    if (sum && !halves && d == 1) thread->mode = StoreMode::kSecondOfSum;
    RunSteps(thread, d, {0, first});
  }
  if (!halves) return;
  thread->all->Wait();
  thread->mode = StoreMode::kSecondOfSum;
  for (Dim d = dirs.begin; d < dirs.end; ++d) {
    RunSteps(thread, d, {d == 0 ? half : problem_.n_iter - half, problem_.n_iter});
  }
}

// Makes the chunk of the lowest layer, for all rows of the thread. The first slot that is written must not be the one that holds
// the newest h: a slower thread may still read it.
Chunk ForwardRun::MakeChunk(const TeamThread& thread, Dim d, Range steps) const {
  const StepWalk walk(problem_, d, rows_.live());
  // Live rows become more, or fewer, from step to step.
  const Range live = {0, std::max(walk.Live(steps.begin).end, walk.Live(steps.end - 1).end)};
  Chunk chunk = {0, d, walk, steps, walk.Times(steps), Intersection(thread.role.rows, live), 0, thread.last_slot[d]};
  if (chunk.Slot(walk.Time(steps.begin)) == chunk.previous_slot) chunk.first_slot = plan_.slots_ - steps.size();
  return chunk;
}

void ForwardRun::RunSteps(TeamThread* thread, Dim d, Range steps) {
  for (Dim begin = steps.begin, end; begin < steps.end; begin = end) {
    end = ChunkEnd(*thread, d, {begin, steps.end});
    const Chunk chunk = MakeChunk(*thread, d, {begin, end});
    if (chunk.rows.empty()) continue;
    for (Dim l = 0; l < problem_.n_layer; ++l) RunLayer(*thread, chunk, l);
    thread->last_slot[d] = chunk.Slot(chunk.walk.Time(chunk.steps.end - 1));
  }
}

InputRows ForwardRun::PrepareInput(const TeamThread& thread, const Chunk& chunk) {
  if (plan_.ragged_) {
    StageCells(thread, chunk);
    return {Scratch(at_.staged, thread.hoisted_row * plan_.x_row_), plan_.x_row_, 0};
  }
  if (chunk.l > 0 && !plan_.masks_input_) {
    const Dim row = plan_.h_row_;
    return {From(SlotRows(chunk.d, chunk.l - 1, chunk.first_slot), chunk.rows.begin).base, row, problem_.mb * row};
  }
  if (plan_.staged_) {
    StageSource(thread, chunk);
    const Dim row = plan_.x_row_;
    return {Scratch(at_.staged, thread.hoisted_row * row), row, chunk.rows.size() * row};
  }
  const MemoryDesc& md = problem_.md[kSrcLayer];
  const Dim segment = Strides(md)[0], row = Strides(md)[1];
  const Dim first = md.offset0 + chunk.times.begin * segment + chunk.rows.begin * row;
  return {UserTensor(kSrcLayer) + static_cast<size_t>(first) * operand_size_, row, segment};
}

// A row function adds W x of few channels beside U h, which takes less time than to store it and to load it again.
constexpr Dim kMostRowInputs = 8;

// An LSTM of many rows adds W x in each step: W is read more often, but W x is neither stored nor read. More k need more rows.
// With other cells it pays only if one part of the rows replaces several; LBR cells need both products of the candidate.
bool ForwardRun::AddsInput(Dim rows) const {
  if (plan_.row_functions_[0] != nullptr) return plan_.layer_.layout.k <= kMostRowInputs;
  if (plan_.Normalizes()) return false;
  const ForwardTuning& tuning = plan_.tuning_.forward;
  const Dim k = plan_.layer_.layout.k + plan_.iter_.layout.k;
  const Dim most_k = std::min(tuning.most_input_k, tuning.input_k_per_row * rows);
  if (problem_.IsDynamic() || !plan_.kernels_.adds_input || rows < kLeastInputRows || k > most_k) return false;
  const bool fewer_parts = plan_.rows_ < rows && plan_.rows_ < plan_.input_rows_;
  return problem_.cell == Cell::kLstm || (fewer_parts && !IsLinearBeforeReset(problem_.cell));
}

// Into how many parts the rows of a chunk are cut, so that W x of one part can be kept. Where W x is added, `gx` holds
// nothing, so that its size does not limit a part; that of `staged` does.
int ForwardRun::NumRowParts(Dim rows, Dim l) const {
  const bool staged = plan_.ragged_ || plan_.masks_input_ || (l == 0 && plan_.staged_);
  return static_cast<int>(CeilDiv(rows, !staged && AddsInput(rows) ? plan_.input_rows_ : plan_.rows_));
}

void ForwardRun::HoistInput(const TeamThread& thread, const Chunk& chunk, const InputRows& input) {
  const Dim columns = plan_.layer_.layout.columns;
  if (problem_.IsDynamic()) QuantizeInput(thread, chunk, input);
  for (int part = 0; part < plan_.layer_.layout.n_parts; ++part) {
    const Dim column = plan_.layer_.layout.part[part].first_column;
    TileArgs tile = MakeTile(thread, chunk, kWeightsLayer, part);
    tile.op = TileOp::kStore;
    tile.product.a = input.base;
    tile.product.a_row = input.row;
    tile.a_segment = input.segment;
    tile.segments = chunk.steps.size();
    const Dim first = SliceIndex(chunk.l, chunk.d) * columns + column;
    tile.init = Scratch(at_.init, first);
    const bool adds_bias = IsLinearBeforeReset(problem_.cell) && !plan_.ScalesColumns() && !plan_.Normalizes();
    if (adds_bias) tile.bias = Scratch(at_.column_bias, first);
    tile.out = Scratch(at_.gx, thread.hoisted_row * columns + column);
    tile.out_row = columns;
    tile.out_segment = chunk.rows.size() * columns;
    if (problem_.IsDynamic()) {
      tile.product.a = InputBytes(thread, 0);
      tile.product.a_row = plan_.XBytesRow();
    }
    if (plan_.ragged_ || problem_.IsDynamic()) {
      tile.rows = {0, chunk.CountCells()};
      tile.segments = 1;
      plan_.kernels_.run(tile);
      continue;
    }
    if (problem_.mb == 1) tile.product.a_row = tile.a_segment;       // the stride of a dim of size 1 may be anything
    if (tile.a_segment == chunk.rows.size() * tile.product.a_row) {  // one tall matrix
      tile.rows = {0, chunk.rows.size() * tile.segments};
      tile.segments = 1;
    }
    plan_.kernels_.run(tile);
  }
}

// `all_rows` is the lowest layer's chunk.
void ForwardRun::RunLayer(const TeamThread& thread, const Chunk& all_rows, Dim l) {
  Chunk chunk = all_rows;
  chunk.l = l;
  const Dim rows = all_rows.rows.size();
  const int parts = NumRowParts(rows, l);
  for (int i = 0; i < parts; ++i) {
    const Range share = Share(rows, i, parts);
    chunk.rows = {all_rows.rows.begin + share.begin, all_rows.rows.begin + share.end};
    RunPart(thread, chunk, i == parts - 1);
  }
}

void ForwardRun::RunPart(const TeamThread& thread, const Chunk& chunk, bool last_part) {
  if (plan_.ragged_ && chunk.steps.begin > 0 && !chunk.walk.Starting(chunk.steps.begin).empty()) {
    StartRows(*this, thread, chunk, chunk.steps.begin, SlotRows(chunk.d, chunk.l, chunk.previous_slot));
    thread.group->Wait();
  }
  const InputRows input = PrepareInput(thread, chunk);
  StepArgs args;
  BeginSteps(thread, chunk, &args);
  if (AddsInput(chunk.FewestRows())) {
    BeginInput(thread, chunk, input, &args);
  } else {
    HoistInput(thread, chunk, input);
  }
  for (Dim step = chunk.steps.begin; step < chunk.steps.end; ++step) {
    if (plan_.ragged_) {
      RunLiveCells(thread, chunk, step, &args);
    } else {
      RunStep(thread, chunk, step, AllRows(thread, chunk, step, args), &args);
    }
    // No barrier after the very last one: nobody reads what it computed but this thread, which has stored it. After the
    // others it stages rows where a slower one may still read.
    const bool last =
        step == problem_.n_iter - 1 && IsLast(chunk.l) && last_part && chunk.d == thread.role.dirs.end - 1;
    if (!last) thread.group->Wait();
  }
}

}  // namespace optimized
}  // namespace tandem
