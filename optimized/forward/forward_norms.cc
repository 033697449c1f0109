// Layer normalization (docs/layer_normalization.md). A step's sums are stored and normalized, row by row. Then the kernels get
// them as the values that sums start from, with nothing to multiply, so that the gate math is that of any problem. Threads do not
// divide units: a norm needs all of them.
#include "optimized/forward/forward_options.h"

namespace tandem {
namespace optimized {
namespace {

// The arguments for one product of the gates of a part: 0 is W x or the sum, 1 is U h'.
NormRowsArgs NormOf(const RunMemory& run, const Chunk& chunk, const StepOutput& step, int part, Dim product) {
  const PackedPart& gates = run.plan.iter.layout.part[part];
  const LayerNorm& norm = run.problem.attr.rnn_layer_norm;
  const Dim columns = run.plan.iter.layout.columns;
  const Dim first = product * run.plan.NormColumns() + run.SliceIndex(chunk.l, chunk.d) * columns + gates.first_column;
  NormRowsArgs args;
  args.sums = {gates.gates, run.problem.dhc, norm.scope, norm.epsilon};
  args.rows = {0, step.rows.size()};
  args.gain = run.Scratch(run.at.norm_gain, first);
  args.offset = run.Scratch(run.at.norm_offset, first);
  if (!run.problem.IsTraining()) return args;
  const WorkspaceLayout& saved = run.plan.workspace;
  args.kept.row = saved.norm_row;
  args.kept.base = run.Workspace(saved.Norm(chunk.l, chunk.d, step.time)) + step.rows.begin * saved.norm_row +
                   product * saved.gates_row + gates.first_column;
  return args;
}

void RunNormalizedCell(const RunMemory& run, const Chunk& chunk, const StepOutput& step, const ConstRows& sums,
                       const TileArgs& tile) {
  const LayerNorm& norm = run.problem.attr.rnn_layer_norm;
  const Dim first = run.SliceIndex(chunk.l, chunk.d) * run.plan.u_row;
  NormCellArgs args;
  args.cell = tile.cell;
  args.norm = norm.cell;
  args.epsilon = norm.epsilon;
  args.sums = sums;
  args.bias = tile.bias;
  args.gain = run.Scratch(run.at.cell_gain, first);
  args.offset = run.Scratch(run.at.cell_offset, first);
  args.type = run.plan.state;
  args.rows = {0, step.rows.size()};
  run.plan.norm_kernels.norm_cell(args);
}

}  // namespace

void RunNormalized(const RunMemory& run, const Chunk& chunk, const StepOutput& step, Dim hoisted, const TileArgs& tile,
                   int part) {
  const LayerNorm& norm = run.problem.attr.rnn_layer_norm;
  const bool is_lbr = IsLinearBeforeReset(run.problem.cell), apart = norm.kind == NormKind::kParts;
  const Dim columns = run.plan.iter.layout.columns, column = run.plan.iter.layout.part[part].first_column;
  const Dim slice = run.SliceIndex(chunk.l, chunk.d) * columns + column;
  const Rows input = {run.at.gx.As<float>(run.scratch, hoisted * columns + column), columns};
  const Rows sums = {run.Scratch(run.at.sums, (chunk.d * run.problem.mb + step.rows.begin) * columns + column),
                     columns};
  if (apart) {
    NormRowsArgs args = NormOf(run, chunk, step, part, 0);
    args.from = args.to = input;
    if (is_lbr) args.bias = run.Scratch(run.at.column_bias, slice);
    run.plan.norm_kernels.norm_rows(args);
  }
  TileArgs product = tile;
  product.op = TileOp::kStore;
  product.cell = nullptr;
  product.bias = nullptr;
  product.out = sums.base;
  product.out_row = sums.row;
  if (apart) product.init = run.Scratch(run.at.init, slice);
  if (apart) product.init_row = 0;
  run.plan.kernels.run(product);
  if (norm.kind != NormKind::kNone) {
    NormRowsArgs args = NormOf(run, chunk, step, part, apart ? 1 : 0);
    args.from = args.to = sums;
    if (apart && !is_lbr) args.addend = input;
    run.plan.norm_kernels.norm_rows(args);
  }
  if (norm.cell != CellNorm::kNone) return RunNormalizedCell(run, chunk, step, sums, tile);
  TileArgs gates = tile;
  gates.product.k = 0;
  gates.init = sums.base;
  gates.init_row = sums.row;
  run.plan.kernels.run(gates);
}

}  // namespace optimized
}  // namespace tandem
