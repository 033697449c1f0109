// One execution of a forward plan, shared by the threads of its team: layer by layer, chunk by chunk, step by step.
#include <algorithm>
#include <new>

#include "optimized/forward/forward_input.h"
#include "optimized/forward/forward_parameters.h"
#include "optimized/forward/forward_states.h"
#include "optimized/forward/forward_steps.h"

namespace tandem {
namespace optimized {
namespace {

void RunStep(const RunMemory& run, const TeamThread& thread, const Chunk& chunk, Dim step, const StepRows& place,
             StepArgs* args) {
  const StateRows h = ComputeStep(run, thread, chunk, step, place, args);
  const StepOutput output = {chunk.walk.Time(step), place.rows, h};
  if (run.IsLast(chunk.l) && !run.plan.direct && !run.plan.copies_h) StoreLayer(run, thread, chunk, output);
  if (run.problem.IsTraining()) SaveStates(run, thread, chunk, output);
  const Range ending = chunk.walk.Ending(step);
  if (!ending.empty()) StoreStates(run, thread, chunk, {output.time, Intersection(ending, chunk.rows), h});
}

void RunLiveCells(const RunMemory& run, const TeamThread& thread, const Chunk& chunk, Dim step, StepArgs* args) {
  const Range rows = chunk.LiveRows(step);
  const StepRows place = {rows, thread.hoisted_row + args->cells, args->cells * args->input.row};
  if (!rows.empty()) RunStep(run, thread, chunk, step, place, args);
  args->cells += rows.size();
  if (step + 1 == chunk.steps.end) return;
  StartRows(run, thread, chunk, step + 1, run.SlotRows(chunk.d, chunk.l, chunk.Slot(chunk.walk.Time(step))));
}

void RunPart(const RunMemory& run, const TeamThread& thread, const Chunk& chunk, bool last_part) {
  if (run.plan.ragged && chunk.steps.begin > 0 && !chunk.walk.Starting(chunk.steps.begin).empty()) {
    StartRows(run, thread, chunk, chunk.steps.begin, run.SlotRows(chunk.d, chunk.l, chunk.previous_slot));
    thread.group->Wait();
  }
  StepArgs args;
  BeginSteps(run, thread, chunk, &args);
  BeginInput(run, thread, chunk, &args);
  for (Dim step = chunk.steps.begin; step < chunk.steps.end; ++step) {
    if (run.plan.ragged) {
      RunLiveCells(run, thread, chunk, step, &args);
    } else {
      RunStep(run, thread, chunk, step, AllRows(thread, chunk, step, args), &args);
    }
    // No barrier after the very last one: nobody reads what it computed but this thread, which has stored it. After the
    // others it stages rows where a slower one may still read.
    const bool last =
        step == run.problem.n_iter - 1 && run.IsLast(chunk.l) && last_part && chunk.d == thread.role.dirs.end - 1;
    if (!last) thread.group->Wait();
  }
}

// `all_rows` is the lowest layer's chunk.
void RunLayer(const RunMemory& run, const TeamThread& thread, const Chunk& all_rows, Dim l) {
  Chunk chunk = all_rows;
  chunk.l = l;
  const Dim rows = all_rows.rows.size();
  const int parts = NumRowParts(run, rows, l);
  for (int i = 0; i < parts; ++i) {
    const Range share = Share(rows, i, parts);
    chunk.rows = {all_rows.rows.begin + share.begin, all_rows.rows.begin + share.end};
    RunPart(run, thread, chunk, i == parts - 1);
  }
}

// W x of so many steps is computed at once as there are live cells to keep it for.
Dim ChunkEnd(const RunMemory& run, const TeamThread& thread, Dim d, Range steps) {
  const Dim most = std::min(steps.begin + run.plan.chunk, steps.end);
  if (!run.plan.ragged) return most;
  const StepWalk walk(run.problem, d, run.rows.live());
  Dim cells = 0, end = steps.begin;
  for (; end < most; ++end) {
    cells += Intersection(walk.Live(end), thread.role.rows).size();
    if (cells > run.plan.cells && end > steps.begin) break;
  }
  return end;
}

// Makes the chunk of the lowest layer, for all rows of the thread. The first slot that is written must not be the one that holds
// the newest h: a slower thread may still read it.
Chunk MakeChunk(const RunMemory& run, const TeamThread& thread, Dim d, Range steps) {
  const StepWalk walk(run.problem, d, run.rows.live());
  // Live rows become more, or fewer, from step to step.
  const Range live = {0, std::max(walk.Live(steps.begin).end, walk.Live(steps.end - 1).end)};
  Chunk chunk = {0, d, walk, steps, walk.Times(steps), Intersection(thread.role.rows, live), 0, thread.last_slot[d]};
  if (chunk.Slot(walk.Time(steps.begin)) == chunk.previous_slot) chunk.first_slot = run.plan.slots - steps.size();
  return chunk;
}

void RunSteps(const RunMemory& run, TeamThread* thread, Dim d, Range steps) {
  for (Dim begin = steps.begin, end; begin < steps.end; begin = end) {
    end = ChunkEnd(run, *thread, d, {begin, steps.end});
    const Chunk chunk = MakeChunk(run, *thread, d, {begin, end});
    if (chunk.rows.empty()) continue;
    for (Dim l = 0; l < run.problem.n_layer; ++l) RunLayer(run, *thread, chunk, l);
    thread->last_slot[d] = chunk.Slot(chunk.walk.Time(chunk.steps.end - 1));
  }
}

void RunDirections(const RunMemory& run, TeamThread* thread) {
  const Range dirs = thread->role.dirs;
  // Two threads sum their directions: each stores the first half of its time steps, waits for the other, and adds the second half
  // to the values that the other stored.
  const bool sum = run.problem.direction == Direction::kBidirectionalSum;
  const bool halves = sum && thread->team > 1;
  const Dim half = run.problem.n_iter / 2;
  if (sum) thread->mode = StoreMode::kFirstOfSum;
  for (Dim d = dirs.begin; d < dirs.end; ++d) {
    const Dim first = !halves ? run.problem.n_iter : d == 0 ? half : run.problem.n_iter - half;
    if (sum && !halves && d == 1) thread->mode = StoreMode::kSecondOfSum;
    RunSteps(run, thread, d, {0, first});
  }
  if (!halves) return;
  thread->all->Wait();
  thread->mode = StoreMode::kSecondOfSum;
  for (Dim d = dirs.begin; d < dirs.end; ++d) {
    RunSteps(run, thread, d, {d == 0 ? half : run.problem.n_iter - half, run.problem.n_iter});
  }
}

void RunThread(const RunMemory& run, int index, int team) {
  const KernelsThread kernels_thread(run.plan.kernels);
  TeamThread thread = MakeThread(run, index, team);
  const Role& role = thread.role;
  Barrier all(run.Scratch(run.at.team_flags), index, 0, team, team, run.plan.backoff);
  Barrier group(run.Scratch(run.at.group_flags), index, role.first_thread, role.unit_count, team, run.plan.backoff);
  thread.all = &all;
  thread.group = &group;
  PrepareParameters(run, thread);
  for (Dim d = role.dirs.begin; d < role.dirs.end; ++d) LoadStates(run, thread, d);
  RunDirections(run, &thread);
  if (run.plan.ragged) FinishRows(run, thread);
}

}  // namespace

TeamThread MakeThread(const RunMemory& run, int index, int team) {
  const Division division = team == run.plan.threads ? run.plan.division : DivisionForTeam(run.plan.work, team);
  TeamThread thread;
  thread.index = index;
  thread.team = team;
  thread.all = thread.group = nullptr;
  thread.role = MakeRole(run.plan.work, division, index);
  thread.divided_rows = division.rows > 1;
  thread.hoisted_row =
      thread.role.group * run.plan.chunk * std::min(CeilDiv(run.problem.mb, division.rows), run.plan.rows);
  thread.last_slot[0] = thread.last_slot[1] = run.plan.slots - 1;
  if (run.plan.ragged && thread.role.active) {
    thread.role.rows = run.rows.Share(thread.role.group % division.rows, division.rows);
    thread.hoisted_row = thread.role.group * run.plan.cells;
  }
  thread.blocks = Share(run.plan.layer.layout.blocks, thread.role.unit_index, thread.role.unit_count);
  thread.projected_blocks = Share(run.plan.projection.layout.blocks, thread.role.unit_index, thread.role.unit_count);
  thread.output_blocks = run.problem.HasProjection() ? thread.projected_blocks : thread.blocks;
  return thread;
}

void RnnForward::Execute(const RnnBuffers& buffers) const {
  const SortedRows sorted(problem_, buffers, scratch.sorted_rows, Regions::FirstLine(buffers.scratchpad));
  const RunMemory run(*this, buffers, sorted);
  for (int thread = 0; thread < threads && threads > 1; ++thread) {
    new (run.Scratch(scratch.team_flags, thread)) BarrierFlag;
    new (run.Scratch(scratch.group_flags, thread)) BarrierFlag;
  }
  RunTeam(TeamSize(threads, backoff), backoff, [&](int index, int team) { RunThread(run, index, team); });
  if (problem_.IsTraining()) SealWorkspace(buffers, problem_, kWorkspaceOwner);
}

}  // namespace optimized
}  // namespace tandem
