// Layer normalization (docs/layer_normalization.md). A step's sums are stored and normalized, row by row. Then the kernels get
// them as the values that sums start from, with nothing to multiply, so that the gate math is that of any problem. Threads do not
// divide units: a norm needs all of them.
#include "optimized/forward/forward_run.h"

namespace tandem {
namespace optimized {

// The arguments for one product of the gates of a part: 0 is W x or the sum, 1 is U h'.
NormRowsArgs ForwardRun::NormOf(const Chunk& chunk, const StepOutput& step, int part, Dim product) const {
  const PackedPart& gates = plan_.iter_.layout.part[part];
  const LayerNorm& norm = problem_.attr.rnn_layer_norm;
  const Dim columns = plan_.iter_.layout.columns;
  const Dim first = product * plan_.NormColumns() + SliceIndex(chunk.l, chunk.d) * columns + gates.first_column;
  NormRowsArgs args;
  args.sums = {gates.gates, problem_.dhc, norm.scope, norm.epsilon};
  args.rows = {0, step.rows.size()};
  args.gain = Scratch(at_.norm_gain, first);
  args.offset = Scratch(at_.norm_offset, first);
  if (!problem_.IsTraining()) return args;
  const WorkspaceLayout& saved = plan_.workspace_;
  args.kept.row = saved.norm_row;
  args.kept.base = Workspace(saved.Norm(chunk.l, chunk.d, step.time)) + step.rows.begin * saved.norm_row +
                   product * saved.gates_row + gates.first_column;
  return args;
}

// Computes `tile`, whose sums start from W x if that is not apart. `step` has no h.
void ForwardRun::RunNormalized(const Chunk& chunk, const StepOutput& step, Dim hoisted, const TileArgs& tile,
                               int part) const {
  const LayerNorm& norm = problem_.attr.rnn_layer_norm;
  const bool is_lbr = IsLinearBeforeReset(problem_.cell), apart = norm.kind == NormKind::kParts;
  const Dim columns = plan_.iter_.layout.columns, column = plan_.iter_.layout.part[part].first_column;
  const Dim slice = SliceIndex(chunk.l, chunk.d) * columns + column;
  const Rows input = {at_.gx.As<float>(scratch_, hoisted * columns + column), columns};
  const Rows sums = {Scratch(at_.sums, (chunk.d * problem_.mb + step.rows.begin) * columns + column), columns};
  if (apart) {
    NormRowsArgs args = NormOf(chunk, step, part, 0);
    args.from = args.to = input;
    if (is_lbr) args.bias = Scratch(at_.column_bias, slice);
    plan_.norm_kernels_.norm_rows(args);
  }
  TileArgs product = tile;
  product.op = TileOp::kStore;
  product.cell = nullptr;
  product.bias = nullptr;
  product.out = sums.base;
  product.out_row = sums.row;
  if (apart) product.init = Scratch(at_.init, slice);
  if (apart) product.init_row = 0;
  plan_.kernels_.run(product);
  if (norm.kind != NormKind::kNone) {
    NormRowsArgs args = NormOf(chunk, step, part, apart ? 1 : 0);
    args.from = args.to = sums;
    if (apart && !is_lbr) args.addend = input;
    plan_.norm_kernels_.norm_rows(args);
  }
  if (norm.cell != CellNorm::kNone) return RunNormalizedCell(chunk, step, sums, tile);
  TileArgs gates = tile;
  gates.product.k = 0;
  gates.init = sums.base;
  gates.init_row = sums.row;
  plan_.kernels_.run(gates);
}

void ForwardRun::RunNormalizedCell(const Chunk& chunk, const StepOutput& step, const ConstRows& sums,
                                   const TileArgs& tile) const {
  const LayerNorm& norm = problem_.attr.rnn_layer_norm;
  const Dim first = SliceIndex(chunk.l, chunk.d) * plan_.u_row_;
  NormCellArgs args;
  args.cell = tile.cell;
  args.norm = norm.cell;
  args.epsilon = norm.epsilon;
  args.sums = sums;
  args.bias = tile.bias;
  args.gain = Scratch(at_.cell_gain, first);
  args.offset = Scratch(at_.cell_offset, first);
  args.type = plan_.state_;
  args.rows = {0, step.rows.size()};
  plan_.norm_kernels_.norm_cell(args);
}

}  // namespace optimized
}  // namespace tandem
