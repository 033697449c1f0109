#include "reference/stack/training_workspace.h"

#include <cstring>

#include "api/core/memory/memory_desc_checks.h"

namespace tandem {
namespace reference {
namespace {

void Put(const Mat<double>& m, unsigned char** at) {
  const Mat<float> stored = m.cast<float>();
  const size_t bytes = static_cast<size_t>(stored.size()) * sizeof(float);
  if (bytes > 0) std::memcpy(*at, stored.data(), bytes);
  *at += bytes;
}

Mat<double> Get(Dim channels, Dim mb, const unsigned char** at) {
  Mat<float> stored(channels, mb);
  const size_t bytes = static_cast<size_t>(stored.size()) * sizeof(float);
  if (bytes > 0) std::memcpy(stored.data(), *at, bytes);
  *at += bytes;
  return stored.cast<double>();
}

}  // namespace

WorkspaceLayout::WorkspaceLayout(const RnnProblem& problem)
    : n_layer_(problem.n_layer), n_dir_(problem.n_dir), n_iter_(problem.n_iter), mb_(problem.mb) {
  // A vanilla RNN's only gate is h itself; relu's slope needs its pre-activation.
  const bool gate_is_h = TraitsOf(problem.cell).state == StateRule::kGate;
  num_gates_ = gate_is_h ? 0 : problem.n_gates;
  num_pre_ = problem.HasDefaultGates() ? 0 : num_gates_;
  gate_ = problem.dhc;
  linear_ = gate_is_h || IsLinearBeforeReset(problem.cell) ? problem.dhc : 0;
  c_ = HasCellState(problem.cell) ? problem.dhc : 0;
  h_hat_ = problem.HasProjection() ? problem.dhc : 0;
  h_ = problem.dic;
  h_cell_ = problem.Has(kZoneoutIter) ? problem.dic : 0;
  c_cell_ = problem.Has(kZoneoutIterC) ? problem.dhc : 0;
}

Dim WorkspaceLayout::Channels() const {
  return (num_gates_ + num_pre_) * gate_ + linear_ + c_ + h_hat_ + h_ + h_cell_ + c_cell_;
}

size_t WorkspaceLayout::StepOffset(const StepIndex& index) const {
  const Dim step = (index.layer * n_dir_ + index.dir) * n_iter_ + index.time;
  return kWorkspaceHeaderBytes + static_cast<size_t>(step * Channels() * mb_) * sizeof(float);
}

size_t WorkspaceLayout::bytes() const {
  Dim floats = Channels();
  for (const Dim factor : {n_layer_, n_dir_, n_iter_, mb_, Dim{sizeof(float)}}) {
    floats = CheckedProduct(floats, factor, "workspace");
  }
  return StepOffset({n_layer_, 0, 0});
}

void WorkspaceLayout::Save(void* workspace, const StepIndex& index, const Result& saved) const {
  unsigned char* at = static_cast<unsigned char*>(workspace) + StepOffset(index);
  for (Dim gate = 0; gate < num_gates_; ++gate) Put(saved.gate[static_cast<size_t>(gate)], &at);
  for (Dim gate = 0; gate < num_pre_; ++gate) Put(saved.pre[static_cast<size_t>(gate)], &at);
  if (linear_ > 0) Put(saved.linear, &at);
  if (c_ > 0) Put(saved.c, &at);
  if (h_hat_ > 0) Put(saved.h_hat, &at);
  Put(saved.h, &at);
  if (h_cell_ > 0) Put(saved.h_cell, &at);
  if (c_cell_ > 0) Put(saved.c_cell, &at);
}

WorkspaceLayout::Result WorkspaceLayout::Load(const void* workspace, const StepIndex& index) const {
  const unsigned char* at = static_cast<const unsigned char*>(workspace) + StepOffset(index);
  Result saved;
  for (Dim gate = 0; gate < num_gates_; ++gate) saved.gate[static_cast<size_t>(gate)] = Get(gate_, mb_, &at);
  for (Dim gate = 0; gate < num_pre_; ++gate) saved.pre[static_cast<size_t>(gate)] = Get(gate_, mb_, &at);
  if (linear_ > 0) saved.linear = Get(linear_, mb_, &at);
  if (c_ > 0) saved.c = Get(c_, mb_, &at);
  if (h_hat_ > 0) saved.h_hat = Get(h_hat_, mb_, &at);
  saved.h = Get(h_, mb_, &at);
  if (h_cell_ > 0) saved.h_cell = Get(h_cell_, mb_, &at);
  if (c_cell_ > 0) saved.c_cell = Get(c_cell_, mb_, &at);
  return saved;
}

}  // namespace reference
}  // namespace tandem
