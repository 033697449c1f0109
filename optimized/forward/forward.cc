#include "optimized/forward/forward.h"

#include <algorithm>
#include <limits>

#include "optimized/machine/target.h"
#include "optimized/machine/tuning_in_force.h"
#include "optimized/threads/threading.h"

namespace tandem {
namespace optimized {
namespace {

// Says whether the fpmath mode permits to store f32 weights as `storage`. They have half the bytes, and a minibatch of 1 is
// limited by the bytes that are read; the speed of multiplication is the same.
bool MayNarrow(const RnnProblem& problem, DataType storage) {
  const FpmathMode mode = EffectiveFpmathMode(problem);
  if (storage == DataType::kBf16) return mode == FpmathMode::kBf16 || mode == FpmathMode::kAny;
  return storage == DataType::kF16 && (mode == FpmathMode::kF16 || mode == FpmathMode::kAny);
}

// The type that weights are packed in. Weights that arrive packed have one already. Plain f32 ones stay f32: they are
// packed in each execution, and narrowing them there costs more than a few steps save. Where a mode permits both, bf16
// is chosen: it keeps f32's range, and every target widens it by a shift.
DataType StorageOf(const RnnProblem& problem, const Target& target) {
  bool chosen_here = false;
  for (const Tensor tensor : {kWeightsLayer, kWeightsIter, kWeightsProjection}) {
    const MemoryDesc& md = problem.md[tensor];
    if (IsZero(md)) continue;
    if (IsOpaque(md)) return PackedLayoutOf(md).storage;
    chosen_here |= IsAny(md);
  }
  if (chosen_here && MayNarrow(problem, DataType::kBf16)) return DataType::kBf16;
  const DataType f16 = StorageFor(DataType::kF16, target);
  if (chosen_here && MayNarrow(problem, DataType::kF16) && f16 == DataType::kF16) return f16;
  return StorageFor(TypeOf(problem.md[kWeightsLayer]), target);
}

// The type of the data that products read.
DataType DataOf(const RnnProblem& problem) { return problem.IsDynamic() ? DataType::kU8 : problem.SrcType(); }

StateQuantization QuantizationOf(const RnnProblem& problem) {
  const DataQparams qparams = DataQparamsOf(problem.attr);
  if (problem.SrcType() == DataType::kS8) return {qparams, -128.f, 127.f};
  return {qparams, 0.f, 255.f};
}

bool IsForwardPacking(const MemoryDesc& md, DataType storage, GatePasses passes) {
  const PackedLayout layout = PackedLayoutOf(md);
  return layout.kind == PackedKind::kForward && layout.storage == storage && layout.passes == passes;
}

}  // namespace

RnnForward::RnnForward(const RnnProblem& problem, const Target& target, const TeamOptions& team, LastStates last_states)
    : target(target),
      tuning(TuningInForce(target)),
      storage(StorageOf(problem, target)),
      kernels(KernelsFor(storage, DataOf(problem), target, {Factors::kNarrowed, OrderFor(problem.attr)})),
      convert(ConvertFor(target)),
      quantize_row(QuantizeRowFor(target)),
      mask_kernels(MaskKernelsFor(target)),
      norm_kernels(NormKernelsFor(target)),
      quantization(QuantizationOf(problem)),
      backoff(team.backoff) {
  problem_ = problem;
  ChooseLayouts(last_states);
  if (ScalesColumns()) gate_scales = GateScales(problem_, layer.layout);
  if (ScalesColumns() && problem_.HasProjection()) {
    projection_scales = ProjectionScales(problem_, projection.layout);
  }
  if (StepsByRow()) {
    for (const int part : {0, 1}) {
      row_functions[part] = RowFunctionFor(part == 0 ? TileOp::kGates : TileOp::kCandidate);
    }
    row_projection = RowFunctionFor(TileOp::kProjection);
  }
  MeasureWork();
  work.imposed = team.division;
  division = FastestDivision(work, MaxThreads(), TeamStartFromEnvironment());
  threads = division.threads();
  weights_in = PlaceOfWeights();
  PlanScratch();
  if (problem.IsTraining()) {
    workspace = MakeWorkspaceLayout(problem_);
    workspace_bytes_ = workspace.bytes;
  }
}

std::string RnnForward::name() const { return ImplementationName(target); }

void RnnForward::ChooseLayouts(LastStates last_states) {
  const auto choose = [&](Tensor tensor, GatePasses passes) {
    return ChooseWeights(PackedKind::kForward, storage, passes, &problem_.md[tensor]);
  };
  layer = choose(kWeightsLayer, TraitsOf(problem_.cell).passes);
  iter = problem_.Has(kWeightsIter) ? choose(kWeightsIter, TraitsOf(problem_.cell).passes)
                                    : NoWeightsIter(PackedKind::kForward, storage, problem_);
  if (problem_.HasProjection()) projection = choose(kWeightsProjection, GatePasses::kOne);
  MakeAnyDense(&problem_);

  const RnnProblem& p = problem_;
  chunk = std::min(p.n_iter, std::max<Dim>(1, tuning.forward.chunk_rows / std::max<Dim>(1, p.mb)));
  rows = std::min(p.mb, tuning.forward.chunk_rows);
  ragged = p.Has(kSequenceLengths);
  if (ragged) chunk = std::min(p.n_iter, MostRaggedSteps());
  cells = ragged ? std::min(chunk * p.mb, tuning.forward.chunk_rows) : chunk * rows;
  input_rows = RowsWithInput();
  slots = chunk + 1;
  const Dim padding = std::max(kBlock, kernels.padding);
  x_row = RoundUp(p.slc, padding);
  h_row = RoundUp(std::max(p.dic, p.sic), padding);
  u_row = RoundUp(p.dhc, padding);
  state = p.IsDynamic() ? DataType::kF32 : kernels.operand;
  state_padding = p.IsDynamic() ? 1 : kernels.padding;

  const MemoryDesc& src = p.md[kSrcLayer];
  const bool src_ready = TypeOf(src) == state && quantization.lowest >= 0.f;
  masks_input = p.Has(kMaskLayer);
  staged = ragged || masks_input || !src_ready || Strides(src)[2] != 1 || p.slc % state_padding != 0;
  const MemoryDesc& dst = p.md[kDstLayer];
  const bool dst_ready = TypeOf(dst) == state && p.SrcType() == state && Strides(dst)[2] == 1 &&
                         p.direction != Direction::kBidirectionalSum;
  const bool by_row = StepsByRow();
  const Dim room = by_row ? kBlock : state_padding;  // row functions store whole blocks
  direct = last_states == LastStates::kInDstLayer && !ragged && dst_ready && p.dic % room == 0;
  copies_h = by_row && dst_ready && !direct && !p.Has(kZoneoutIter);  // dst_layer has the mixed h
  const MemoryDesc& initial = p.md[kSrcIter];
  initial_in_place = !ragged && p.Has(kSrcIter) && TypeOf(initial) == state && quantization.lowest >= 0.f &&
                     Strides(initial)[3] == 1 && p.sic % room == 0;
  for (const Tensor tensor : {kSrcIter, kDstIter, kDstLayer}) extents[tensor] = ExtentInBytes(p.md[tensor]);
  packs = layer.packer || iter.packer || projection.packer;
  tails = p.dic % state_padding != 0 || p.sic % state_padding != 0 || p.dhc % state_padding != 0;
}

// One row of a layer whose weights_iter the L1 cache holds, or nearly.
bool RnnForward::StepsByRow() const {
  constexpr size_t kMostBytes = 160 << 10;
  const bool is_small = iter.layout.slice_bytes <= kMostBytes;
  return problem_.mb == 1 && !problem_.IsTraining() && !problem_.Has(kSequenceLengths) && is_small &&
         RowFunctionFor(TileOp::kGates) != nullptr;
}

// Few rows live at the end of a long sequence, so that more steps are needed for as many cells. The states of all are kept.
Dim RnnForward::MostRaggedSteps() const {
  constexpr Dim kFewestShare = 8;  // of the rows that live at once
  return std::min<Dim>(64, std::max<Dim>(1, kFewestShare * tuning.forward.chunk_rows / problem_.mb));
}

double RnnForward::ResidentL2Bytes() const { return tuning.forward.resident_l2 * static_cast<double>(L2CacheBytes()); }

// If the L2 cache has no room for a chunk's rows beside a panel of weights and the next one, which is fetched ahead, each pass
// over the weights waits once for each panel. Then all rows are one pass.
Dim RnnForward::RowsWithInput() const {
  const Dim panels = tuning.forward.panels_beside_rows * kMaxPanelVectors * kBlock;
  const Dim k = layer.layout.k_padded + iter.layout.k_padded;
  const Dim bytes = (rows + panels) * k * static_cast<Dim>(sizeof(float));
  return static_cast<double>(bytes) <= ResidentL2Bytes() ? rows : problem_.mb;
}

void RnnForward::MeasureWork() {
  const RnnProblem& p = problem_;
  const auto product = [&](const PackedLayout& layout) {
    const double elements = static_cast<double>(layout.columns * layout.k_padded);
    return ProductShape{elements * static_cast<double>(SizeOf(layout.storage)), elements / kernels.macs_per_cycle};
  };
  work.n_layer = p.n_layer;
  work.n_dir = p.n_dir;
  work.n_iter = p.n_iter;
  work.chunk = chunk;
  work.mb = p.mb;
  work.tuning = tuning.team;
  work.blocks = Normalizes() ? 1 : layer.layout.blocks;  // a norm needs all units of a row
  work.l2_bytes = ResidentL2Bytes();
  work.barriers_per_step = p.HasProjection() || WaitsForReset(p.cell) ? 2 : 1;
  work.layer = product(layer.layout);
  work.iter = product(iter.layout);
}

// Weights that are read once.
WeightsIn RnnForward::PlaceOfWeights() const {
  const size_t bytes = layer.layout.bytes + iter.layout.bytes + projection.layout.bytes;
  const bool beyond_l2 = bytes >= tuning.forward.least_l3_bytes * static_cast<size_t>(threads);
  const bool from_l3 = beyond_l2 && bytes <= tuning.forward.most_l3_bytes;
  return problem_.n_iter == 1 && from_l3 ? WeightsIn::kL3 : WeightsIn::kL2;
}

void RnnForward::PlanScratch() {
  const RnnProblem& p = problem_;
  const DataType sums = SumsBytes() ? DataType::kS32 : DataType::kF32;
  const Dim slices = p.n_layer * p.n_dir;
  const Dim columns = slices * layer.layout.columns;
  const Dim projected = slices * projection.layout.columns;
  Regions regions;
  scratch.team_flags = regions.Add<BarrierFlag>(threads);
  scratch.group_flags = regions.Add<BarrierFlag>(threads);
  layer.PlanScratch(&regions);
  iter.PlanScratch(&regions);
  scratch.init = regions.Add(columns, sums);
  scratch.iter_init = regions.AddIf(p.IsInt8() && IsLinearBeforeReset(p.cell), columns, sums);
  scratch.column_bias = regions.Add<float>(columns);
  scratch.iter_bias = regions.AddIf<float>(IsLinearBeforeReset(p.cell), columns);
  if (p.HasProjection()) {
    projection.PlanScratch(&regions);
    scratch.projection_init = regions.Add(projected, sums);
    scratch.projection_bias = regions.AddIf<float>(ScalesColumns(), projected);
    scratch.unprojected = regions.Add(p.n_dir * p.mb * u_row, state);
  }
  scratch.peephole = regions.AddIf<float>(p.HasPeephole(), slices * NumPeepholes(p.cell) * u_row);
  const Dim hoisted_rows = ragged ? threads * cells : chunk * MostGroupRows(work, threads, rows);
  scratch.staged = regions.AddIf(staged, hoisted_rows * x_row, state);
  scratch.attention = regions.AddIf<float>(ragged && HasAttention(p.cell), hoisted_rows);
  scratch.gx = regions.Add(hoisted_rows * layer.layout.columns, sums);
  scratch.states = regions.Add(slices * slots * p.mb * h_row, state);
  scratch.initial = regions.Add(slices * p.mb * h_row, state);
  scratch.masked_h = regions.AddIf(p.Has(kMaskIter), threads * p.mb * h_row, state);
  scratch.c_before = regions.AddIf<float>(p.Has(kZoneoutIterC), p.n_dir * p.mb * u_row);
  scratch.c = regions.AddIf<float>(HasCellState(p.cell), slices * p.mb * u_row);
  const Dim norm_columns = p.attr.rnn_layer_norm.NumProducts() * NormColumns();
  for (Region<float>* to : {&scratch.norm_gain, &scratch.norm_offset}) {
    *to = regions.AddIf<float>(norm_columns > 0, norm_columns);
  }
  for (Region<float>* to : {&scratch.cell_gain, &scratch.cell_offset}) {
    *to = regions.AddIf<float>(p.attr.rnn_layer_norm.cell != CellNorm::kNone, slices * u_row);
  }
  scratch.sums = regions.AddIf<float>(Normalizes(), p.n_dir * p.mb * layer.layout.columns);
  const bool reset_first = WaitsForReset(p.cell);
  scratch.update = regions.AddIf<float>(reset_first, p.n_dir * p.mb * u_row);
  scratch.reset_h = regions.AddIf(reset_first, p.n_dir * p.mb * u_row, state);
  if (p.IsDynamic()) PlanBytes(&regions);
  scratch.sorted_rows = SortedRows::Plan(p, &regions);
  scratchpad_bytes_ = regions.BytesWithSlack();
}

// Each thread quantizes what it multiplies: that takes less time than to wait for another one.
void RnnForward::PlanBytes(Regions* regions) {
  scratch.x_bytes = regions->Add<uint8_t>(threads * cells * XBytesRow());
  scratch.x_scales = regions->Add<QuantizedRow>(threads * cells);
  scratch.h_bytes = regions->Add<uint8_t>(threads * problem_.mb * HBytesRow());
  scratch.h_scales = regions->Add<QuantizedRow>(threads * problem_.mb);
}

namespace {

// The products of bytes in one sum, none of which may exceed 32 bits: 255 * -128 each.
constexpr Dim kMostInt8Products = std::numeric_limits<int32_t>::max() / (255 * 128);
bool SumsMayOverflow(const RnnProblem& p) {
  return (p.IsInt8() || p.IsDynamic()) &&
         std::max(std::max(p.slc, p.n_layer > 1 ? p.dic : 0) + p.sic, p.dhc) > kMostInt8Products;
}

}  // namespace

std::unique_ptr<const RnnPlan> CreateForward(const RnnProblem& problem, const TeamOptions& team, std::string* why_not) {
  const auto no = [&](Tensor tensor, const char* reason) {
    if (why_not != nullptr) *why_not = std::string(ToString(tensor)) + reason;
    return nullptr;
  };
  const Target target = TargetInForce();
  const DataType storage = StorageOf(problem, target);
  if (SumsMayOverflow(problem)) return no(kWeightsLayer, " has more products of bytes in a sum than 32 bits hold");
  if (KernelsFor(storage, DataOf(problem), target).run == nullptr) return no(kWeightsLayer, " has no kernels");
  for (const Tensor tensor : {kWeightsLayer, kWeightsIter, kWeightsProjection}) {
    const MemoryDesc& md = problem.md[tensor];
    if (IsZero(md) || !IsOpaque(md)) continue;
    if (storage != StorageFor(TypeOf(md), target) && !MayNarrow(problem, storage)) {
      return no(tensor, " was packed in a narrower type than the fpmath mode permits");
    }
    const GatePasses passes = tensor == kWeightsProjection ? GatePasses::kOne : TraitsOf(problem.cell).passes;
    if (!IsForwardPacking(md, storage, passes)) {
      return no(tensor, " was packed, but not for this cell's forward propagation");
    }
  }
  return std::unique_ptr<const RnnPlan>(new RnnForward(problem, target, team));
}

}  // namespace optimized
}  // namespace tandem
