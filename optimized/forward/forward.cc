#include "optimized/forward/forward.h"

#include <algorithm>

#include "optimized/kernels/target.h"
#include "optimized/threads/threading.h"
#include "optimized/weights/regions.h"

namespace tandem {
namespace optimized {
namespace {

// Rows of W x that a thread computes at once: enough to read W once for many rows, few enough that they stay in the L2
// and L3 caches until the recurrence has used them.
constexpr Dim kChunkRows = 128;

// Of a core with 512-bit vectors, one multiplication per cycle.
double MultiplyAddsPerCycle(DataType operand) {
  if (operand == DataType::kU8) return 64;
  return operand == DataType::kBf16 ? 32 : 16;
}

// f32 weights as bf16 or f16: half the bytes for the same speed of multiplication, and N = 1 is limited by bytes.
bool MayNarrow(const RnnProblem& problem, DataType storage) {
  const FpmathMode mode = EffectiveFpmathMode(problem);
  if (storage == DataType::kBf16) return mode == FpmathMode::kBf16 || mode == FpmathMode::kAny;
  return storage == DataType::kF16 && (mode == FpmathMode::kF16 || mode == FpmathMode::kAny);
}

// The type weights are packed in. Weights that arrive packed have it already. Plain ones stay f32: they are read in
// each execution, and narrowing them there costs more than a few steps save. Where a mode permits both, bf16 keeps
// f32's range, and every target widens it by a shift.
DataType StorageOf(const RnnProblem& problem, int64_t target) {
  bool chosen_here = false;
  for (const Tensor tensor : {kWeightsLayer, kWeightsIter, kWeightsProjection}) {
    const MemoryDesc& md = problem.md[tensor];
    if (IsZero(md)) continue;
    if (IsOpaque(md)) return PackedLayoutOf(md).storage;
    chosen_here |= IsAny(md);
  }
  if (chosen_here && MayNarrow(problem, DataType::kBf16)) return DataType::kBf16;
  const bool quick = KernelsF16(target).widening == Widening::kInstruction;
  if (chosen_here && MayNarrow(problem, DataType::kF16) && quick) return DataType::kF16;
  return TypeOf(problem.md[kWeightsLayer]);
}

Kernels ForwardKernels(const RnnProblem& problem, DataType storage, int64_t target) {
  const Kernels dot = problem.SrcType() == DataType::kBf16 ? KernelsBf16Dot(target) : Kernels();
  return dot.run != nullptr ? dot : KernelsFor(storage, target);
}

// The text's quantization of states and activations; only its range matters for s8.
DataQuantization QuantizationOf(const RnnProblem& problem) {
  DataQuantization quantization;
  quantization.scale = problem.attr.rnn_data_scale;
  quantization.shift = problem.attr.rnn_data_shift;
  quantization.reading = problem.attr.reading;
  if (problem.SrcType() == DataType::kS8) {
    quantization.lowest = -128.f;
    quantization.highest = 127.f;
  }
  return quantization;
}

bool IsForwardPacking(const MemoryDesc& md, DataType storage, GateSplit split) {
  const PackedLayout layout = PackedLayoutOf(md);
  return layout.kind == PackedKind::kForward && layout.storage == storage && layout.split == split;
}

}  // namespace

RnnForward::RnnForward(const RnnProblem& problem, int64_t target)
    : target_(target),
      storage_(StorageOf(problem, target)),
      kernels_(ForwardKernels(problem, storage_, target)),
      convert_(ConvertFor(target)),
      quantization_(QuantizationOf(problem)) {
  problem_ = problem;
  ChooseLayouts();
  MeasureWork();
  division_ = FastestDivision(work_, std::max(1, omp_get_max_threads()), WakeningOfTeams());
  threads_ = division_.threads();
  PlanScratch();
  if (problem.IsTraining()) {
    workspace_ = MakeWorkspaceLayout(problem_);
    workspace_bytes_ = workspace_.bytes;
  }
}

std::string RnnForward::name() const { return ImplementationName(target_); }

void RnnForward::ChooseLayouts() {
  const GateSplit split = GateSplitOf(problem_.cell);
  const auto choose = [&](Tensor tensor, GateSplit gates) {
    return ChooseWeights(PackedKind::kForward, storage_, gates, &problem_.md[tensor]);
  };
  layer_ = choose(kWeightsLayer, split);
  iter_ = choose(kWeightsIter, split);
  if (problem_.HasProjection()) projection_ = choose(kWeightsProjection, GateSplit::kNone);
  MakeAnyDense(&problem_);

  const RnnProblem& p = problem_;
  chunk_ = std::min(p.n_iter, std::max<Dim>(1, kChunkRows / std::max<Dim>(1, p.mb)));
  rows_ = std::min(p.mb, kChunkRows);
  slots_ = chunk_ + 1;
  x_row_ = RoundUp(p.slc, kBlock);
  h_row_ = RoundUp(std::max(p.dic, p.sic), kBlock);
  u_row_ = RoundUp(p.dhc, kBlock);

  const MemoryDesc& src = p.md[kSrcLayer];
  const bool src_ready = TypeOf(src) == kernels_.operand && quantization_.lowest >= 0.f;
  staged_ = !src_ready || Strides(src)[2] != 1 || p.slc % kernels_.group != 0;
  const MemoryDesc& dst = p.md[kDstLayer];
  const bool dst_ready = TypeOf(dst) == kernels_.operand && p.SrcType() == kernels_.operand;
  direct_ =
      dst_ready && Strides(dst)[2] == 1 && p.dic % kernels_.group == 0 && p.direction != Direction::kBidirectionalSum;
  const MemoryDesc& initial = p.md[kSrcIter];
  initial_in_place_ = p.Has(kSrcIter) && TypeOf(initial) == kernels_.operand && quantization_.lowest >= 0.f &&
                      Strides(initial)[3] == 1 && p.sic % kernels_.group == 0;
  tails_ = p.dic % kernels_.group != 0 || p.sic % kernels_.group != 0 || p.dhc % kernels_.group != 0;
}

void RnnForward::MeasureWork() {
  const RnnProblem& p = problem_;
  const double rate = MultiplyAddsPerCycle(kernels_.operand);
  const auto product = [&](const PackedLayout& layout) {
    const double elements = static_cast<double>(layout.columns * layout.k_padded);
    return ProductShape{elements * static_cast<double>(SizeOf(layout.storage)), elements / rate};
  };
  work_.n_layer = p.n_layer;
  work_.n_dir = p.n_dir;
  work_.n_iter = p.n_iter;
  work_.chunk = chunk_;
  work_.mb = p.mb;
  work_.blocks = layer_.layout.blocks;
  work_.meetings = p.HasProjection() || GateSplitOf(p.cell) == GateSplit::kCandidateApart ? 2 : 1;
  work_.layer = product(layer_.layout);
  work_.iter = product(iter_.layout);
}

void RnnForward::PlanScratch() {
  const RnnProblem& p = problem_;
  const size_t operand = SizeOf(kernels_.operand);
  const Dim slices = p.n_layer * p.n_dir;
  const bool int8 = p.IsInt8();
  const Dim columns = layer_.layout.columns;
  Regions regions;
  scratch_.team_flags = regions.Add(threads_, sizeof(BarrierFlag));
  scratch_.group_flags = regions.Add(threads_, sizeof(BarrierFlag));
  scratch_.weights_layer = regions.Add(layer_.ScratchBytes(), 1);
  scratch_.weights_iter = regions.Add(iter_.ScratchBytes(), 1);
  scratch_.bias = regions.Add(slices * columns, 4);
  scratch_.iter_bias = regions.Add(IsLinearBeforeReset(p.cell) ? slices * columns : 0, 4);
  scratch_.column_bias = regions.Add(int8 ? slices * columns : 0, 4);
  scratch_.column_scale = regions.Add(int8 ? slices * columns : 0, 4);
  if (p.HasProjection()) {
    const Dim projected = projection_.layout.columns;
    scratch_.weights_projection = regions.Add(projection_.ScratchBytes(), 1);
    scratch_.projection_init = regions.Add(slices * projected, 4);
    scratch_.projection_bias = regions.Add(int8 ? slices * projected : 0, 4);
    scratch_.projection_scale = regions.Add(int8 ? slices * projected : 0, 4);
    scratch_.unprojected = regions.Add(p.n_dir * p.mb * u_row_, operand);
  }
  scratch_.peephole = regions.Add(p.HasPeephole() ? slices * 3 * u_row_ : 0, 4);
  const Dim hoisted_rows = chunk_ * MostGroupRows(work_, threads_, rows_);
  scratch_.staged = regions.Add(staged_ ? hoisted_rows * x_row_ : 0, operand);
  scratch_.gx = regions.Add(hoisted_rows * columns, 4);
  scratch_.states = regions.Add(slices * slots_ * p.mb * h_row_, operand);
  scratch_.initial = regions.Add(slices * p.mb * h_row_, operand);
  scratch_.c = regions.Add(p.cell == Cell::kLstm ? slices * p.mb * u_row_ : 0, 4);
  const bool reset_first = GateSplitOf(p.cell) == GateSplit::kCandidateApart;
  scratch_.update = regions.Add(reset_first ? p.n_dir * p.mb * u_row_ : 0, 4);
  scratch_.reset_h = regions.Add(reset_first ? p.n_dir * p.mb * u_row_ : 0, operand);
  scratchpad_bytes_ = regions.BytesWithSlack();
}

std::unique_ptr<const RnnPlan> CreateForward(const RnnProblem& problem, std::string* why_not) {
  const auto no = [&](Tensor tensor, const char* reason) {
    if (why_not != nullptr) *why_not = std::string(ToString(tensor)) + reason;
    return nullptr;
  };
  const int64_t target = TargetInForce();
  const DataType storage = StorageOf(problem, target);
  const GateSplit split = GateSplitOf(problem.cell);
  for (const Tensor tensor : {kWeightsLayer, kWeightsIter, kWeightsProjection}) {
    const MemoryDesc& md = problem.md[tensor];
    if (IsZero(md) || !IsOpaque(md)) continue;
    if (storage != TypeOf(md) && !MayNarrow(problem, storage)) {
      return no(tensor, " was packed in a narrower type than the fpmath mode permits");
    }
    const GateSplit wanted = tensor == kWeightsProjection ? GateSplit::kNone : split;
    if (!IsForwardPacking(md, storage, wanted)) {
      return no(tensor, " was packed, but not for this cell's forward propagation");
    }
  }
  return std::unique_ptr<const RnnPlan>(new RnnForward(problem, target));
}

}  // namespace optimized
}  // namespace tandem
