#include "optimized/backward/backward.h"

#include <algorithm>

#include "optimized/backward/backward_run.h"
#include "optimized/machine/target.h"
#include "optimized/machine/tuning_in_force.h"
#include "optimized/threads/threading.h"

namespace tandem {
namespace optimized {
namespace {

bool IsBackwardPacking(const MemoryDesc& md, GatePasses passes, const Target& target) {
  const PackedLayout layout = PackedLayoutOf(md);
  return layout.kind == PackedKind::kTransposed && layout.storage == StorageFor(TypeOf(md), target) &&
         layout.passes == passes;
}

// The gates' gradients are rounded to the source's type. Problems with a projection keep f32 operands: the rows of its
// products are few.
Kernels WeightsKernels(const RnnProblem& problem, const Target& target) {
  const DataType weights = StorageFor(TypeOf(problem.md[kWeightsLayer]), target);
  const DataType data = problem.HasProjection() ? DataType::kF32 : problem.SrcType();
  return KernelsFor(weights, data, target, {Factors::kExact, OrderFor(problem.attr)});
}

}  // namespace

RnnBackward::RnnBackward(const RnnProblem& problem, const Target& target, const TeamOptions& team)
    : target_(target),
      tuning_(TuningInForce(target)),
      backward_kernels_(BackwardKernelsFor(target)),
      mask_kernels_(MaskKernelsFor(target)),
      norm_kernels_(NormBackwardKernelsFor(target)),
      rounding_(problem.SrcType()),
      workspace_(MakeWorkspaceLayout(problem)),
      backoff_(team.backoff) {
  problem_ = problem;
  kernels_ = WeightsKernels(problem, target);
  narrow_ = IsNarrowFloat(kernels_.operand);
  gradient_kernels_ = narrow_ ? kernels_ : KernelsFor(DataType::kF32, DataType::kF32, target);
  ChooseLayouts();
  MeasureSteps();
  // Directions follow one another here: their threads divide rows.
  if (team.division) steps_.imposed = Division{1, team.division->dirs * team.division->rows, team.division->units};
  threads_ = steps_.imposed ? steps_.imposed->threads() : UsefulThreads();
  division_ = DivisionForTeam(steps_, threads_);
  PlanScratch();
  workspace_bytes_ = workspace_.bytes;
}

std::string RnnBackward::name() const { return ImplementationName(target_); }

void RnnBackward::ChooseLayouts() {
  const GatePasses gate_passes = TraitsOf(problem_.cell).passes;
  columns_ = MakePackedLayout(problem_.md[kWeightsLayer], PackedKind::kForward, DataType::kF32, gate_passes);
  const auto choose = [&](Tensor tensor, GatePasses passes) {
    MemoryDesc* md = &problem_.md[tensor];
    return ChooseWeights(PackedKind::kTransposed, StorageFor(TypeOf(*md), target_), passes, md);
  };
  layer_ = choose(kWeightsLayer, gate_passes);
  iter_ = problem_.Has(kWeightsIter) ? choose(kWeightsIter, gate_passes)
                                     : NoWeightsIter(PackedKind::kTransposed, layer_.layout.storage, problem_);
  if (problem_.HasProjection()) projection_ = choose(kWeightsProjection, GatePasses::kOne);
  MakeAnyDense(&problem_);
  const RnnProblem& p = problem_;
  chunk_ = EvenPart(p.n_iter, std::max<Dim>(1, tuning_.backward.product_rows / std::max<Dim>(1, p.mb)));
  ragged_ = p.Has(kSequenceLengths);
  x_row_ = RoundUp(p.slc, kBlock);
  h_row_ = RoundUp(std::max(p.dic, p.sic), kBlock);
  unit_row_ = RoundUp(p.dhc, kBlock);
  whole_blocks_ = PlaceOfSums();
}

// In place if the gates of an input channel lie side by side for the user, as in a panel.
WholeBlocks RnnBackward::PlaceOfSums() const {
  for (const Tensor tensor : {kDiffWeightsLayer, kDiffWeightsIter}) {
    if (!problem_.Has(tensor)) continue;
    const Dim* strides = Strides(problem_.md[tensor]);
    if (strides[4] != 1 || strides[3] != problem_.dhc) return WholeBlocks::kInScratch;
  }
  return WholeBlocks::kInPlace;
}

// The steps back are followed by a product with weights_iter. The attention of a row is one sum over its units; so is a norm.
void RnnBackward::MeasureSteps() {
  const RnnProblem& p = problem_;
  const double elements = static_cast<double>(columns_.columns * p.sic);
  steps_.n_layer = p.n_layer * p.n_dir;
  steps_.n_iter = p.n_iter;
  steps_.mb = p.mb;
  steps_.blocks =
      p.Has(kAugruAttention) || p.attr.rnn_layer_norm.given() ? 1 : std::min(columns_.blocks, CeilDiv(p.sic, kBlock));
  steps_.barriers_per_step = WaitsForReset(p.cell) || p.HasProjection() ? 2 : 1;
  steps_.l2_bytes = tuning_.forward.resident_l2 * static_cast<double>(L2CacheBytes());
  steps_.iter = {elements * static_cast<double>(SizeOf(layer_.layout.storage)), elements / kernels_.macs_per_cycle};
  steps_.tuning = tuning_.team;
}

// All threads share what is no step: diff_src_layer and both gradients of weights.
int RnnBackward::UsefulThreads() const {
  const RnnProblem& p = problem_;
  const Dim slices = p.n_layer * p.n_dir, chunks = CeilDiv(p.n_iter, chunk_);
  const double scale = static_cast<double>(slices * p.n_iter * p.mb * columns_.columns) / kernels_.macs_per_cycle;
  TeamWork work;
  work.steps = steps_;
  work.shared_cycles = scale * static_cast<double>(2 * p.slc + p.sic);
  work.barriers = static_cast<double>(slices * (3 * chunks + 2));
  return FastestTeam(work, MaxThreads(), TeamStartFromEnvironment());
}

void RnnBackward::PlanScratch() {
  const RnnProblem& p = problem_;
  const Dim columns = columns_.columns;
  const Dim rows = ChunkRows();
  const Dim padded_rows = RoundUp(rows, std::max(kBlock, gradient_kernels_.padding));
  const bool differs = DiffersForIter();
  const bool reset_first = columns_.passes == GatePasses::kCandidateSecond;
  const bool product = reset_first || p.HasProjection();
  const bool attention = p.Has(kAugruAttention);
  const bool strided_above = ragged_ || Strides(p.md[kDiffDstLayer])[2] != 1;
  const DataType operand = kernels_.operand;
  Regions regions;
  BackwardScratch& at = scratch_;
  at.team_flags = regions.Add<BarrierFlag>(threads_);
  at.group_flags = regions.Add<BarrierFlag>(threads_);
  for (PackedWeights* weights : {&layer_, &iter_, &projection_}) weights->PlanScratch(&regions);
  at.zeros = regions.Add<float>(std::max({x_row_, h_row_, unit_row_, columns}));
  at.peephole = regions.AddIf<float>(p.HasPeephole(), NumPeepholes(p.cell) * unit_row_);
  at.attention = regions.AddIf<float>(attention, p.n_iter * p.mb);
  at.diff_attention = regions.AddIf<float>(attention, p.n_iter * p.mb);
  at.h_first = regions.Add<float>(p.mb * h_row_);
  at.c_first = regions.AddIf<float>(HasCellState(p.cell), p.mb * unit_row_);
  at.from_above = regions.AddIf<float>(strided_above, rows * h_row_);
  at.diff_gates = regions.Add<float>(rows * columns + kBlock);  // the last piece of a panel is read as a block
  at.diff_gates_iter = regions.AddIf<float>(differs, rows * columns + kBlock);
  at.narrow_gates = regions.AddIf<uint16_t>(narrow_, rows * columns);
  at.narrow_gates_iter = regions.AddIf<uint16_t>(narrow_ && differs, rows * columns);
  at.product = regions.AddIf<float>(product, rows * unit_row_);
  at.diff_projected = regions.AddIf<float>(p.HasProjection(), rows * h_row_);
  at.diff_unprojected = regions.AddIf<float>(p.HasProjection(), p.mb * unit_row_);
  at.diff_h = regions.Add<float>(p.mb * h_row_);
  at.diff_c = regions.AddIf<float>(HasCellState(p.cell), p.mb * unit_row_);
  at.diff_h_direct = regions.AddIf<float>(BlendsState(p.cell), p.mb * unit_row_);
  at.through_reset = regions.AddIf<float>(reset_first, p.mb * unit_row_);
  at.diff_x = regions.Add<float>((p.n_layer > 1 ? p.n_iter * p.mb : rows) * x_row_);
  at.x_rows = regions.AddIf<float>(ragged_ || p.Has(kMaskLayer), rows * x_row_);
  at.h_rows = regions.AddIf<float>(p.Has(kMaskIter), rows * h_row_);
  for (Region<float>* diff_h : {&at.own_diff_h, &at.past_diff_h}) {
    *diff_h = regions.AddIf<float>(p.Has(kZoneoutIter), p.mb * h_row_);
  }
  at.past_diff_c = regions.AddIf<float>(p.Has(kZoneoutIterC), p.mb * unit_row_);
  at.masked_reset = regions.AddIf<float>(p.Has(kMaskIter) && reset_first, p.mb * unit_row_);
  at.x_transposed = regions.Add(p.slc * padded_rows, operand);
  at.h_transposed = regions.Add(p.sic * padded_rows, operand);
  at.product_transposed = regions.AddIf(product, p.dhc * padded_rows, operand);
  const Dim sums = Panels().ScratchColumns();
  at.diff_weights_layer = regions.AddIf<float>(sums > 0, p.slc * sums);
  at.diff_weights_iter = regions.AddIf<float>(sums > 0, p.sic * sums);
  at.diff_weights_projection = regions.AddIf<float>(p.HasProjection(), p.dhc * h_row_);
  at.diff_bias = regions.Add<float>(Panels().PaddedColumns());
  at.diff_bias_iter = regions.AddIf<float>(differs, Panels().PaddedColumns());
  at.diff_peephole = regions.AddIf<float>(p.HasPeephole(), NumPeepholes(p.cell) * unit_row_);
  at.panels = regions.Add(threads_ * std::min(tuning_.backward.product_rows, padded_rows) * kPanelColumns, operand);
  if (p.attr.rnn_layer_norm.given()) PlanNorms(&regions);
  at.sorted_rows = SortedRows::Plan(p, &regions);
  scratchpad_bytes_ = regions.BytesWithSlack();
}

void RnnBackward::PlanNorms(Regions* regions) {
  const LayerNorm& norm = problem_.attr.rnn_layer_norm;
  const Dim rows = ChunkRows(), columns = columns_.columns, products = norm.NumProducts();
  BackwardScratch& at = scratch_;
  at.delta = regions->AddIf<float>(products > 0, rows * columns);
  at.delta_iter = regions->AddIf<float>(products > 0 && IsLinearBeforeReset(problem_.cell), rows * columns);
  at.v_hat = regions->AddIf<float>(products > 0, products * rows * columns);
  for (Region<float>* region : {&at.norm_gain, &at.diff_norm_gain, &at.diff_norm_offset}) {
    *region = regions->AddIf<float>(products > 0, products * columns);
  }
  if (norm.cell == CellNorm::kNone) return;
  for (Region<float>* region : {&at.cell_delta, &at.cell_v_hat}) *region = regions->Add<float>(rows * unit_row_);
  for (Region<float>* region : {&at.cell_gain, &at.cell_offset, &at.diff_cell_gain, &at.diff_cell_offset}) {
    *region = regions->Add<float>(unit_row_);
  }
}

std::unique_ptr<const RnnPlan> CreateBackward(const RnnProblem& problem, const TeamOptions& team,
                                              std::string* why_not) {
  const auto no = [&](const std::string& reason) {
    if (why_not != nullptr) *why_not = reason;
    return nullptr;
  };
  if (problem.IsInt8()) return no("integer types have no backward propagation");
  const Target target = TargetInForce();
  for (const Tensor tensor : {kWeightsLayer, kWeightsIter, kWeightsProjection}) {
    const MemoryDesc& md = problem.md[tensor];
    if (!IsOpaque(md)) continue;
    const GatePasses passes = tensor == kWeightsProjection ? GatePasses::kOne : TraitsOf(problem.cell).passes;
    if (!IsBackwardPacking(md, passes, target)) {
      return no(std::string(ToString(tensor)) + " was packed, but not for this cell's backward propagation");
    }
  }
  if (WeightsKernels(problem, target).run == nullptr) return no("weights_layer has no kernels");
  return std::unique_ptr<const RnnPlan>(new RnnBackward(problem, target, team));
}

}  // namespace optimized
}  // namespace tandem
