#include "optimized/backward/backward.h"

#include <omp.h>

#include <algorithm>

#include "optimized/backward/backward_run.h"
#include "optimized/kernels/target.h"
#include "optimized/threads/threading.h"
#include "optimized/weights/regions.h"

namespace tandem {
namespace optimized {
namespace {

bool IsBackwardPacking(const MemoryDesc& md, GateSplit split) {
  const PackedLayout layout = PackedLayoutOf(md);
  return layout.kind == PackedKind::kTransposed && layout.storage == TypeOf(md) && layout.split == split;
}

}  // namespace

RnnBackward::RnnBackward(const RnnProblem& problem, int64_t target)
    : target_(target),
      backward_kernels_(BackwardKernelsFor(target)),
      rounding_(RoundingOf(problem.SrcType())),
      workspace_(MakeWorkspaceLayout(problem)) {
  problem_ = problem;
  const DataType storage = TypeOf(problem.md[kWeightsLayer]);
  const Kernels dot = storage == DataType::kBf16 ? KernelsBf16Dot(target) : Kernels();
  // Projections keep f32 operands: their rows are few.
  narrow_ = dot.run != nullptr && !problem.HasProjection();
  kernels_ = narrow_ ? dot : KernelsFor(storage, target);
  gradient_kernels_ = narrow_ ? dot : KernelsFor(DataType::kF32, target);
  threads_ = std::max(1, omp_get_max_threads());
  ChooseLayouts();
  PlanScratch();
  workspace_bytes_ = workspace_.bytes;
}

std::string RnnBackward::name() const { return ImplementationName(target_); }

void RnnBackward::ChooseLayouts() {
  const GateSplit split = GateSplitOf(problem_.cell);
  columns_ = MakePackedLayout(problem_.md[kWeightsIter], PackedKind::kForward, DataType::kF32, split);
  const auto choose = [&](Tensor tensor, GateSplit gates) {
    MemoryDesc* md = &problem_.md[tensor];
    return ChooseWeights(PackedKind::kTransposed, TypeOf(*md), gates, md);
  };
  layer_ = choose(kWeightsLayer, split);
  iter_ = choose(kWeightsIter, split);
  if (problem_.HasProjection()) projection_ = choose(kWeightsProjection, GateSplit::kNone);
  MakeAnyDense(&problem_);
  const RnnProblem& p = problem_;
  chunk_ = std::min(p.n_iter, std::max<Dim>(1, kRowBlock / std::max<Dim>(1, p.mb)));
  x_row_ = RoundUp(p.slc, kBlock);
  h_row_ = RoundUp(std::max(p.dic, p.sic), kBlock);
  unit_row_ = RoundUp(p.dhc, kBlock);
}

void RnnBackward::PlanScratch() {
  const RnnProblem& p = problem_;
  const Dim columns = columns_.columns;
  const Dim rows = chunk_ * p.mb;
  const Dim padded_rows = RoundUp(rows, kBlock);
  const bool lbr = IsLinearBeforeReset(p.cell);
  const bool reset_first = columns_.split == GateSplit::kCandidateApart;
  const bool product = reset_first || p.HasProjection();
  const Dim attention = p.Has(kAugruAttention) ? p.n_iter * p.mb : 0;
  Regions regions;
  BackwardScratch& at = scratch_;
  at.flags = regions.Add(threads_, sizeof(BarrierFlag));
  at.weights_layer = regions.Add(layer_.ScratchBytes(), 1);
  at.weights_iter = regions.Add(iter_.ScratchBytes(), 1);
  at.weights_projection = regions.Add(projection_.ScratchBytes(), 1);
  at.zeros = regions.AddFloats(std::max({x_row_, h_row_, unit_row_, columns}));
  at.peephole = regions.AddFloats(p.HasPeephole() ? 3 * unit_row_ : 0);
  at.attention = regions.AddFloats(attention);
  at.diff_attention = regions.AddFloats(attention);
  at.h_first = regions.AddFloats(p.mb * h_row_);
  at.c_first = regions.AddFloats(p.mb * unit_row_);
  at.from_above = regions.AddFloats(Strides(p.md[kDiffDstLayer])[2] == 1 ? 0 : rows * h_row_);
  at.diff_gates = regions.AddFloats(rows * columns);
  at.diff_gates_iter = regions.AddFloats(lbr ? rows * columns : 0);
  at.narrow_gates = regions.Add(narrow_ ? rows * columns : 0, sizeof(uint16_t));
  at.narrow_gates_iter = regions.Add(narrow_ && lbr ? rows * columns : 0, sizeof(uint16_t));
  at.product = regions.AddFloats(product ? rows * unit_row_ : 0);
  at.diff_projected = regions.AddFloats(p.HasProjection() ? rows * h_row_ : 0);
  at.diff_unprojected = regions.AddFloats(p.HasProjection() ? p.mb * unit_row_ : 0);
  at.diff_h = regions.AddFloats(p.mb * h_row_);
  at.diff_c = regions.AddFloats(p.cell == Cell::kLstm ? p.mb * unit_row_ : 0);
  at.diff_h_direct = regions.AddFloats(IsGruFamily(p.cell) ? p.mb * unit_row_ : 0);
  at.through_reset = regions.AddFloats(reset_first ? p.mb * unit_row_ : 0);
  at.diff_x = regions.AddFloats((p.n_layer > 1 ? p.n_iter * p.mb : rows) * x_row_);
  at.x_transposed = regions.AddFloats(p.slc * padded_rows);
  at.h_transposed = regions.AddFloats(p.sic * padded_rows);
  at.product_transposed = regions.AddFloats(product ? p.dhc * padded_rows : 0);
  at.diff_weights_layer = regions.AddFloats(p.slc * columns);
  at.diff_weights_iter = regions.AddFloats(p.sic * columns);
  at.diff_weights_projection = regions.AddFloats(p.HasProjection() ? p.dhc * h_row_ : 0);
  at.diff_bias = regions.AddFloats(columns);
  at.diff_bias_iter = regions.AddFloats(lbr ? columns : 0);
  at.diff_peephole = regions.AddFloats(p.HasPeephole() ? 3 * unit_row_ : 0);
  at.panels = regions.AddFloats(threads_ * std::min(kRowBlock, padded_rows) * kPanelColumns);
  scratchpad_bytes_ = regions.BytesWithSlack();
}

void RnnBackward::Execute(const RnnBuffers& buffers) const {
  CheckWorkspace(buffers.workspace, problem_, kWorkspaceOwner);
  BackwardRun run(*this, buffers);
  RunTeam(TeamSize(threads_), [&](int thread, int team) { run.Thread(thread, team); });
}

std::unique_ptr<const RnnPlan> CreateBackward(const RnnProblem& problem, std::string* why_not) {
  const auto no = [&](const std::string& reason) {
    if (why_not != nullptr) *why_not = reason;
    return nullptr;
  };
  if (problem.IsInt8()) return no("integer types have no backward propagation");
  for (const Tensor tensor : {kWeightsLayer, kWeightsIter, kWeightsProjection}) {
    const MemoryDesc& md = problem.md[tensor];
    if (!IsOpaque(md)) continue;
    const GateSplit split = tensor == kWeightsProjection ? GateSplit::kNone : GateSplitOf(problem.cell);
    if (!IsBackwardPacking(md, split)) {
      return no(std::string(ToString(tensor)) + " was packed, but not for this cell's backward propagation");
    }
  }
  return std::unique_ptr<const RnnPlan>(new RnnBackward(problem, TargetInForce()));
}

}  // namespace optimized
}  // namespace tandem
