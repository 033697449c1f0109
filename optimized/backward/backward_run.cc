#include "optimized/backward/backward_run.h"

#include <algorithm>
#include <new>

namespace tandem {
namespace optimized {

void RnnBackward::Execute(const RnnBuffers& buffers) const {
  CheckWorkspace(buffers.workspace, problem_, kWorkspaceOwner);
  BackwardRun run(*this, buffers);
  RunTeam(TeamSize(threads_, backoff_), backoff_, [&](int thread, int team) { run.Thread(thread, team); });
}

BackwardRun::BackwardRun(const RnnBackward& plan, const RnnBuffers& buffers)
    : plan_(plan),
      problem_(plan.problem_),
      panels_(plan.Panels()),
      buffers_(buffers),
      at_(plan.scratch_),
      scratch_(Regions::FirstLine(buffers.scratchpad)),
      workspace_(static_cast<const char*>(buffers.workspace)) {
  for (int thread = 0; thread < plan.threads_; ++thread) new (Scratch(at_.flags, thread)) BarrierFlag;
  const Dim longest = std::max({plan.x_row_, plan.h_row_, plan.unit_row_, Columns()});
  std::fill_n(Scratch(at_.zeros), longest, 0.f);
}

void BackwardRun::Thread(int thread, int team) {
  Barrier barrier(Scratch(at_.flags), thread, 0, team, plan_.backoff_);
  const Worker worker = {thread, team, Share(problem_.mb, thread, team), &barrier};
  PackWeights(worker);
  if (problem_.Has(kAugruAttention)) LoadAttention(worker);
  for (Dim d = 0; d < problem_.n_dir; ++d) {
    for (Dim l = problem_.n_layer - 1; l >= 0; --l) RunLayer(worker, l, d);
  }
  if (problem_.Has(kAugruAttention)) StoreAttention(worker);
}

void BackwardRun::RunLayer(const Worker& worker, Dim l, Dim d) {
  if (worker.thread == 0 && problem_.HasPeephole()) LoadPeephole(l, d);
  LoadStates(worker, l, d);
  worker.barrier->Wait();  // weights and peephole are ready; the sums of the layer before are stored
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

void BackwardRun::SourceGradient(const Worker& worker, const Chunk& chunk) {
  Product product = MakeProduct(kWeightsLayer, chunk);
  product.k = {0, Columns() - Padding()};
  product.a = GatesOperand(chunk, chunk.times.begin, SeenBy::kLayer, 0);
  product.a_row = Columns();
  product.init = Zeros();
  product.out = DiffX(chunk, chunk.times.begin);
  product.rows = Share(RowsOf(chunk), worker.thread, worker.team);
  Multiply(product);
  if (chunk.l == 0) StoreSource(worker, chunk);
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

}  // namespace optimized
}  // namespace tandem
