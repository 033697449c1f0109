// Gradients through layer normalization (docs/layer_normalization.md): of a step's products, from those of its pre-activations;
// and of gains and offsets. Threads do not divide units.
#include <algorithm>

#include "api/core/gates.h"
#include "optimized/backward/backward_run.h"
#include "optimized/weights/element.h"

namespace tandem {
namespace optimized {

// Copies the gains of the products into the order of the columns that they scale, and gain and offset of c.
void BackwardRun::PrepareNorms(Dim l, Dim d) {
  const LayerNorm& norm = problem_.attr.rnn_layer_norm;
  const auto load = [&](Tensor tensor, Dim place, Dim unit) {
    const MemoryDesc& md = problem_.md[tensor];
    const Dim index[] = {l, d, place, unit};
    return LoadFloat(buffers_.tensor[tensor], TypeOf(md), OffsetAt(md, index));
  };
  const Dim products = norm.NumProducts();
  if (products > 0) std::fill_n(Scratch(at_.norm_gain), products * Columns(), 0.f);
  for (Dim place = 0; place < products * problem_.n_gates; ++place) {
    float* gain = Scratch(at_.norm_gain, place / problem_.n_gates * Columns());
    for (Dim unit = 0; unit < problem_.dhc; ++unit) {
      gain[Column(plan_.columns_, place % problem_.n_gates, unit)] = load(kNormGain, place, unit);
    }
  }
  if (norm.cell == CellNorm::kNone) return;
  for (const bool is_gain : {true, false}) {
    float* to = Scratch(is_gain ? at_.cell_gain : at_.cell_offset);
    std::fill_n(to, plan_.unit_row_, 0.f);
    for (Dim unit = 0; unit < problem_.dhc; ++unit) {
      to[unit] = load(is_gain ? kNormGain : kNormOffset, products * problem_.n_gates, unit);
    }
  }
}

// Does what RunCell() does, for an LSTM whose c has a norm.
void BackwardRun::RunNormedCell(const Chunk& chunk, Dim step, const BackwardCellArgs& args) const {
  const LayerNorm& norm = problem_.attr.rnn_layer_norm;
  const Dim t = chunk.walk.Time(step);
  ForEachOrigin(chunk, step, args.rows, [&](Range rows, From from) {
    BackwardCellArgs cell = args;
    cell.rows = rows;
    cell.c_prev = PreviousC(chunk, step, from);
    NormCellBackwardArgs normed;
    normed.cell = &cell;
    normed.norm = norm.cell;
    normed.epsilon = norm.epsilon;
    normed.gain = Scratch(at_.cell_gain);
    normed.offset = Scratch(at_.cell_offset);
    normed.delta = ChunkRows(at_.cell_delta, chunk, t, plan_.unit_row_);
    normed.v_hat = ChunkRows(at_.cell_v_hat, chunk, t, plan_.unit_row_);
    plan_.norm_kernels_.norm_cell_backward(normed);
  });
}

// Computes the gradients of the products of a part's gates.
void BackwardRun::ThroughNorms(const Chunk& chunk, Dim t, Range rows, int part) const {
  const LayerNorm& norm = problem_.attr.rnn_layer_norm;
  const PackedPart& gates = plan_.columns_.part[part];
  const Dim first = gates.first_column;
  const auto rows_of = [&](const Region<float>& region, Dim product) {
    return Rows{Scratch(region, (product * plan_.ChunkRows() + FirstRow(chunk, t)) * Columns() + first), Columns()};
  };
  const WorkspaceLayout& saved = plan_.workspace_;
  const float* v = Saved(saved.Norm(chunk.l, chunk.d, t)) + first;
  ThroughNormArgs args;
  args.sums = {gates.gates, problem_.dhc, norm.scope, norm.epsilon};
  args.rows = rows;
  args.rounding = plan_.rounding_;
  for (Dim product = 0; product < norm.NumProducts(); ++product) {
    args.v = {v + product * saved.gates_row, saved.norm_row};
    args.delta = rows_of(DeltaOf(product), 0);
    args.diff_v = rows_of(product == 0 ? at_.diff_gates : at_.diff_gates_iter, 0);
    args.v_hat = rows_of(at_.v_hat, product);
    args.gain = Scratch(at_.norm_gain, product * Columns() + first);
    plan_.norm_kernels_.through_norm(args);
  }
}

// Adds the rows of a chunk to the gradients of gains and offsets.
void BackwardRun::NormGradients(const TeamThread& thread, const Chunk& chunk) const {
  const LayerNorm& norm = problem_.attr.rnn_layer_norm;
  NormGradientArgs args;
  args.rows = {0, RowsOf(chunk)};
  const auto add = [&](Dim columns, float* gain, float* offset) {
    const Range blocks = Share(columns / kBlock, thread.index, thread.team);
    args.first = blocks.begin * kBlock;
    args.n = blocks.size() * kBlock;
    args.gain = gain;
    args.offset = offset;
    if (chunk.first) {
      std::fill_n(gain + args.first, args.n, 0.f);
      std::fill_n(offset + args.first, args.n, 0.f);
    }
    plan_.norm_kernels_.norm_gradient(args);
  };
  for (Dim product = 0; product < norm.NumProducts(); ++product) {
    args.delta = {Scratch(DeltaOf(product)), Columns()};
    args.v_hat = {Scratch(at_.v_hat, product * plan_.ChunkRows() * Columns()), Columns()};
    add(Columns(), Scratch(at_.diff_norm_gain, product * Columns()),
        Scratch(at_.diff_norm_offset, product * Columns()));
  }
  if (norm.cell == CellNorm::kNone) return;
  args.delta = {Scratch(at_.cell_delta), plan_.unit_row_};
  args.v_hat = {Scratch(at_.cell_v_hat), plan_.unit_row_};
  add(plan_.unit_row_, Scratch(at_.diff_cell_gain), Scratch(at_.diff_cell_offset));
}

}  // namespace optimized
}  // namespace tandem
