#include "optimized/backward/backward_run.h"

#include <algorithm>
#include <new>

namespace tandem {
namespace optimized {

void RnnBackward::Execute(const RnnBuffers& buffers) const {
  CheckWorkspace(buffers, problem_, kWorkspaceOwner);
  BackwardRun run(*this, buffers);
  RunTeam(TeamSize(threads_, backoff_), backoff_, [&](int index, int team) { run.RunThread(index, team); });
}

BackwardRun::BackwardRun(const RnnBackward& plan, const RnnBuffers& buffers)
    : plan_(plan),
      problem_(plan.problem_),
      panels_(plan.Panels()),
      buffers_(buffers),
      at_(plan.scratch_),
      scratch_(Regions::FirstLine(buffers.scratchpad)),
      workspace_(static_cast<const char*>(buffers.workspace)),
      rows_(problem_, buffers, at_.sorted_rows, scratch_) {
  for (int thread = 0; thread < plan.threads_; ++thread) {
    new (Scratch(at_.team_flags, thread)) BarrierFlag;
    new (Scratch(at_.group_flags, thread)) BarrierFlag;
  }
  const Dim longest = std::max({plan.x_row_, plan.h_row_, plan.unit_row_, Columns()});
  std::fill_n(Scratch(at_.zeros), longest, 0.f);
}

BackwardRun::TeamThread BackwardRun::MakeThread(int index, int team) const {
  const Division division = team == plan_.threads_ ? plan_.division_ : DivisionForTeam(plan_.steps_, team);
  TeamThread thread = {};
  thread.index = index;
  thread.team = team;
  thread.role = MakeRole(plan_.steps_, division, index);
  if (!thread.role.active) {
    thread.role.first_thread = index;
    return thread;
  }
  const Role& role = thread.role;
  thread.rows = plan_.ragged_ ? rows_.Share(role.group, division.rows) : role.rows;
  const Range own = Share(thread.rows.size(), role.unit_index, role.unit_count);
  thread.own_rows = {thread.rows.begin + own.begin, thread.rows.begin + own.end};
  thread.blocks = Share(plan_.columns_.blocks, role.unit_index, role.unit_count);
  return thread;
}

void BackwardRun::RunThread(int index, int team) {
  const KernelsThread kernels_thread(plan_.kernels_), gradients_thread(plan_.gradient_kernels_);
  TeamThread thread = MakeThread(index, team);
  Barrier all(Scratch(at_.team_flags), index, 0, team, team, plan_.backoff_);
  Barrier group(Scratch(at_.group_flags), index, thread.role.first_thread, thread.role.unit_count, team,
                plan_.backoff_);
  thread.all = &all;
  thread.group = &group;
  PackWeights(thread);
  if (problem_.Has(kAugruAttention)) LoadAttention(thread);
  for (Dim d = 0; d < problem_.n_dir; ++d) {
    for (Dim l = problem_.n_layer - 1; l >= 0; --l) RunLayer(thread, d, l);
  }
  if (problem_.Has(kAugruAttention)) StoreAttention(thread);
  if (plan_.ragged_) ZeroBeyondEnds(thread);
}

// Chunks begin at multiples of the chunk's size in time, whichever way the steps go. With lengths they have about as many
// live rows (t, n), and exactly as many where all rows are full.
Range BackwardRun::TimesOfChunk(Dim time) const {
  if (!plan_.ragged_) {
    const Dim begin = time / plan_.chunk_ * plan_.chunk_;
    return {begin, std::min(problem_.n_iter, begin + plan_.chunk_)};
  }
  const auto chunk_of = [&](Dim t) { return rows_.CellsBefore(t) / (plan_.chunk_ * problem_.mb); };
  Range times = {time, time + 1};
  while (times.begin > 0 && chunk_of(times.begin - 1) == chunk_of(time)) --times.begin;
  while (times.end < problem_.n_iter && chunk_of(times.end) == chunk_of(time)) ++times.end;
  return times;
}

BackwardRun::Chunk BackwardRun::MakeChunk(Dim d, Dim l, Dim last_step) const {
  const StepWalk walk(problem_, d, rows_.live());
  const Range times = TimesOfChunk(walk.Time(last_step));
  return {l, d, walk, walk.Steps(times), times, false};
}

void BackwardRun::RunLayer(const TeamThread& thread, Dim d, Dim l) {
  if (thread.index == 0 && problem_.HasPeephole()) PreparePeephole(l, d);
  if (thread.index == 0 && problem_.attr.rnn_layer_norm.given()) PrepareNorms(l, d);
  LoadStates(thread, l, d);
  thread.all->Wait();  // weights and peephole are ready; the sums of the layer before are stored
  bool first = true;
  for (Dim end = problem_.n_iter; end > 0;) {
    Chunk chunk = MakeChunk(d, l, end - 1);
    end = chunk.steps.begin;
    // Sums start from zero in the first chunk with rows; in the last one if none has any.
    if (RowsOf(chunk) == 0 && !(first && end == 0)) continue;
    chunk.first = first;
    first = false;
    RunChunk(thread, chunk);
  }
  StoreStates(thread, l, d);
  StoreGradients(thread, l, d);
  thread.all->Wait();
}

void BackwardRun::RunChunk(const TeamThread& thread, const Chunk& chunk) {
  StageFromAbove(thread, chunk);
  StageInput(thread, chunk);
  if (problem_.Has(kMaskIter)) StageMaskedStates(thread, chunk);
  thread.group->Wait();
  for (Dim step = chunk.steps.end - 1; step >= chunk.steps.begin; --step) RunStep(thread, chunk, step);
  thread.all->Wait();
  SourceGradient(thread, chunk);
  Transpose(thread, chunk);
  thread.all->Wait();
  WeightsGradients(thread, chunk);
  thread.all->Wait();
}

void BackwardRun::SourceGradient(const TeamThread& thread, const Chunk& chunk) {
  Product product = MakeProduct(kWeightsLayer, chunk);
  product.k = {0, Columns() - Padding()};
  product.a = GatesOperand(chunk, chunk.times.begin, SeenBy::kLayer, 0);
  product.a_row = Columns();
  product.init = Zeros();
  product.out = DiffX(chunk, chunk.times.begin);
  product.rows = Share(RowsOf(chunk), thread.index, thread.team);
  product.blocks = {0, plan_.layer_.layout.blocks};
  Multiply(product);
  if (problem_.Has(kMaskLayer)) MaskSourceGradient(thread, chunk);
  if (chunk.l == 0) StoreSource(thread, chunk);
}

ConstRows BackwardRun::SavedH(Dim l, Dim d, Dim t) const {
  return {Saved(plan_.workspace_.H(l, d, t)), plan_.workspace_.h_row};
}

ConstRows BackwardRun::SavedC(Dim l, Dim d, Dim t) const {
  return {Saved(plan_.workspace_.C(l, d, t)), plan_.workspace_.c_row};
}

ConstRows BackwardRun::OwnH(Dim l, Dim d, Dim t) const {
  const Dim row = plan_.workspace_.h_cell_row;
  return row == 0 ? SavedH(l, d, t) : ConstRows{Saved(plan_.workspace_.HOfCell(l, d, t)), row};
}

ConstRows BackwardRun::OwnC(Dim l, Dim d, Dim t) const {
  const Dim row = plan_.workspace_.c_cell_row;
  return row == 0 ? SavedC(l, d, t) : ConstRows{Saved(plan_.workspace_.COfCell(l, d, t)), row};
}

ConstRows BackwardRun::PreviousH(const Chunk& chunk, Dim step, From from) const {
  if (from == From::kFirst) return {Scratch(at_.h_first), plan_.h_row_};
  return SavedH(chunk.l, chunk.d, chunk.walk.Time(step - 1));
}

ConstRows BackwardRun::PreviousC(const Chunk& chunk, Dim step, From from) const {
  if (from == From::kFirst) return {Scratch(at_.c_first), plan_.unit_row_};
  return SavedC(chunk.l, chunk.d, chunk.walk.Time(step - 1));
}

}  // namespace optimized
}  // namespace tandem
