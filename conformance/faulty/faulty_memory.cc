#include "conformance/faulty/faulty_memory.h"

#include <algorithm>
#include <cstring>
#include <thread>

namespace tandem::conformance {
namespace {

template <class Step, class Function>
void ForEachField(Step* step, const Function& function) {
  for (auto& gate : step->gate) function(&gate);
  for (auto* field : {&step->x, &step->h_prev, &step->c_prev, &step->linear, &step->h_hat, &step->c, &step->h,
                      &step->c_seen, &step->h_kept, &step->c_cell}) {
    function(field);
  }
  for (auto& pre : step->pre) function(&pre);
}

// A step of layer `l` with room for everything.
FaultyStep EmptyStep(const RnnProblem& p, Dim l) {
  FaultyStep step;
  step.width = l == 0 ? p.slc : p.dic;
  ForEachField(&step, [&](Floats* f) { f->assign(static_cast<size_t>(p.mb * p.dhc), 0); });
  step.x.assign(static_cast<size_t>(p.mb * step.width), 0);
  step.h_prev.assign(static_cast<size_t>(p.mb * p.sic), 0);
  step.h.assign(static_cast<size_t>(p.mb * p.dic), 0);
  step.h_kept.assign(p.Has(kMaskIter) ? static_cast<size_t>(p.mb * p.sic) : 0, 0);
  if (!p.Has(kZoneoutIterC)) step.c_cell.clear();
  return step;
}

Dim LayerOf(const RnnProblem& p, size_t step) { return static_cast<Dim>(step) / (p.n_dir * p.n_iter); }
size_t NumSteps(const RnnProblem& p) { return static_cast<size_t>(p.n_layer * p.n_dir * p.n_iter); }

}  // namespace

void ClearRow(Dim n, Dim mb, FaultyStep* step) {
  ForEachField(step, [n, mb](Floats* f) {
    const Dim width = static_cast<Dim>(f->size()) / mb;
    std::fill_n(f->begin() + n * width, width, 0.f);
  });
}

uint64_t WorkspaceBytes(const RnnProblem& problem, Mutation mutation) {
  if (problem.propagation == Propagation::kForwardInference) return 0;
  uint64_t floats = 0;
  for (size_t i = 0; i < NumSteps(problem); ++i) {
    const FaultyStep step = EmptyStep(problem, LayerOf(problem, i));
    ForEachField(&step, [&](const Floats* f) { floats += f->size(); });
  }
  if (mutation == Mutation::kWorkspaceOfOneDirection) floats /= static_cast<uint64_t>(problem.n_dir);
  if (mutation == Mutation::kWorkspaceShort) floats -= static_cast<uint64_t>(problem.dhc);
  return floats * sizeof(float);
}

uint64_t ScratchpadBytes(const RnnProblem& problem, Mutation mutation) {
  const Dim rows = problem.mb - (mutation == Mutation::kScratchShort ? 1 : 0);
  return static_cast<uint64_t>(rows * problem.dhc) * sizeof(float);
}

void SaveTrace(const RnnProblem& problem, const FaultyTrace& trace, Mutation mutation, uint8_t* workspace) {
  for (size_t i = 0; i < trace.steps.size(); ++i) {
    const bool last = static_cast<Dim>(i) % problem.n_iter == problem.n_iter - 1;
    size_t gates = mutation == Mutation::kWorkspaceLastStepUnsaved && last ? 4 : 0;
    ForEachField(&trace.steps[i], [&](const Floats* f) {
      const bool skip = gates > 0;
      gates -= skip;
      if (!skip) std::memcpy(workspace, f->data(), f->size() * sizeof(float));
      workspace += f->size() * sizeof(float);
    });
  }
}

FaultyTrace LoadTrace(const RnnProblem& problem, const uint8_t* workspace) {
  FaultyTrace trace;
  for (size_t i = 0; i < NumSteps(problem); ++i) {
    trace.steps.push_back(EmptyStep(problem, LayerOf(problem, i)));
    ForEachField(&trace.steps.back(), [&](Floats* f) {
      std::memcpy(f->data(), workspace, f->size() * sizeof(float));
      workspace += f->size() * sizeof(float);
    });
  }
  return trace;
}

FaultyScratch::FaultyScratch(const RnnProblem& problem, Mutation mutation, uint8_t* user)
    : dhc_(problem.dhc), mutation_(mutation), data_(user) {
  if (user == nullptr) {
    own_.resize(ScratchpadBytes(problem, Mutation::kNoBug));
    data_ = own_.data();
  }
  if (mutation == Mutation::kThreadsShareScratch) {
    shared_row_.reset(new std::atomic<float>[static_cast<size_t>(dhc_)]);
  }
}

void FaultyScratch::PassThrough(Dim n, float* row) const {
  if (shared_row_ != nullptr) return PassThroughSharedRow(row);
  const size_t bytes = static_cast<size_t>(dhc_) * sizeof(float);
  uint8_t* at = data_ + static_cast<size_t>(n) * bytes;
  if (mutation_ == Mutation::kScratchNotCleared && n >= 2) {
    Floats before(static_cast<size_t>(dhc_));
    std::memcpy(before.data(), at, bytes);
    for (Dim o = 0; o < dhc_; ++o) row[o] += before[static_cast<size_t>(o)];
  }
  std::memcpy(at, row, bytes);
  std::memcpy(row, at, bytes);
}

void FaultyScratch::PassThroughSharedRow(float* row) const {
  for (Dim o = 0; o < dhc_; ++o) shared_row_[static_cast<size_t>(o)].store(row[o], std::memory_order_relaxed);
  std::this_thread::yield();
  for (Dim o = 0; o < dhc_; ++o) row[o] = shared_row_[static_cast<size_t>(o)].load(std::memory_order_relaxed);
}

}  // namespace tandem::conformance
