// The gradients of the weights: for each chunk of rows (t, n), transposed inputs times the gates'
// gradients.
#include <algorithm>

#include "api/core/float16.h"
#include "optimized/backward_run.h"
#include "optimized/role.h"

namespace tandem {
namespace optimized {
namespace {

struct F32Element {
  using Stored = float;
  static float Load(Stored x) { return x; }
};
struct Bf16Element {
  using Stored = uint16_t;
  static float Load(Stored x) { return Bf16ToFloat(x); }
};
struct F16Element {
  using Stored = uint16_t;
  static float Load(Stored x) { return Fp16ToFloat(x); }
};

// Channels [k) of `rows` rows become rows of `to`, which starts at channel 0.
struct TransposeArgs {
  const void* from;  // element (0, 0)
  DataType type;
  Dim row_stride, k_stride;
  Dim rows;
  Range k;
  float* to;
  Dim to_row;
};

// Sixteen channels at a time: as many output lines as the L1 cache keeps open with ease.
template <class Element>
void TransposeAs(const TransposeArgs& args) {
  const auto* from = static_cast<const typename Element::Stored*>(args.from);
  for (Dim k0 = args.k.begin; k0 < args.k.end; k0 += kBlock) {
    const Dim count = std::min(kBlock, args.k.end - k0);
    for (Dim row = 0; row < args.rows; ++row) {
      const auto* line = from + row * args.row_stride + k0 * args.k_stride;
      float* to = args.to + k0 * args.to_row + row;
      for (Dim i = 0; i < count; ++i) to[i * args.to_row] = Element::Load(line[i * args.k_stride]);
    }
  }
}

void TransposeTo(const TransposeArgs& args) {
  if (args.type == DataType::kF32) TransposeAs<F32Element>(args);
  if (args.type == DataType::kBf16) TransposeAs<Bf16Element>(args);
  if (args.type == DataType::kF16) TransposeAs<F16Element>(args);
}

TransposeArgs FromRows(ConstRows rows, Dim count, Range k, float* to, Dim to_row) {
  return {rows.base, DataType::kF32, rows.row, 1, count, k, to, to_row};
}

}  // namespace

void BackwardRun::Transpose(const Worker& worker, const Chunk& chunk) {
  TransposeInput(worker, chunk);
  TransposeStates(worker, chunk);
}

void BackwardRun::TransposeInput(const Worker& worker, const Chunk& chunk) {
  const Range k = Share(problem_.slc, worker.thread, worker.team);
  for (Dim t = chunk.times.begin; t < chunk.times.end; ++t) {
    float* to = Scratch(at_.x_transposed) + (t - chunk.times.begin) * problem_.mb;
    if (chunk.l > 0) {
      const ConstRows below = SavedH(chunk.l - 1, chunk.d, t);
      TransposeTo(FromRows(below, problem_.mb, k, to, PaddedRows()));
      continue;
    }
    const MemoryDesc& md = problem_.md[kSrcLayer];
    const Dim index[] = {t, 0, 0};
    const char* base = static_cast<const char*>(buffers_.tensor[kSrcLayer]);
    TransposeTo({base + OffsetAt(md, index) * static_cast<Dim>(SizeOf(TypeOf(md))), TypeOf(md), Strides(md)[1],
                 Strides(md)[2], problem_.mb, k, to, PaddedRows()});
  }
}

void BackwardRun::TransposeStates(const Worker& worker, const Chunk& chunk) {
  const Range k = Share(problem_.sic, worker.thread, worker.team);
  for (Dim t = chunk.times.begin; t < chunk.times.end; ++t) {
    float* to = Scratch(at_.h_transposed) + (t - chunk.times.begin) * problem_.mb;
    TransposeTo(FromRows(HBefore(chunk.l, chunk.d, t), problem_.mb, k, to, PaddedRows()));
  }
  if (!HasResetProduct() && !problem_.HasProjection()) return;
  const Rows product = ChunkRows(at_.product, chunk, chunk.times.begin, plan_.unit_row_);
  TransposeTo(FromRows({product.base, product.row}, RowsOf(chunk), Share(problem_.dhc, worker.thread, worker.team),
                       Scratch(at_.product_transposed), PaddedRows()));
}

void BackwardRun::WeightsGradients(const Worker& worker, const Chunk& chunk) {
  const PackedLayout& layout = plan_.columns_;
  for (Dim row = 0; row < RowsOf(chunk); row += kRowBlock) {
    const Range rows = {row, std::min(row + kRowBlock, RowsOf(chunk))};
    for (int p = 0; p < layout.n_parts; ++p) {
      const PackedPart& part = layout.part[p];
      const Dim end = part.first_column + part.gates * layout.blocks * kBlock;
      const Dim panels = CeilDiv(end - part.first_column, kPanelColumns);
      const Range mine = Share(panels, worker.thread, worker.team);
      for (Dim panel = mine.begin; panel < mine.end; ++panel) {
        const Dim column = part.first_column + panel * kPanelColumns;
        ColumnGradients(worker, chunk, rows, column, std::min(kPanelColumns, end - column));
      }
    }
    if (!problem_.HasProjection()) continue;
    const Rows diff = ChunkRows(at_.diff_projected, chunk, chunk.times.begin, plan_.h_row_);
    const Range mine = Share(CeilDiv(plan_.h_row_, kPanelColumns), worker.thread, worker.team);
    for (Dim panel = mine.begin; panel < mine.end; ++panel) {
      const Dim column = panel * kPanelColumns;
      const Dim columns = std::min(kPanelColumns, plan_.h_row_ - column);
      MultiplyPanel(worker, {diff.At(rows.begin) + column, diff.row, rows.size(), columns},
                    {Scratch(at_.product_transposed) + rows.begin, problem_.dhc,
                     Scratch(at_.diff_weights_projection) + column, plan_.h_row_},
                    chunk.first && row == 0);
    }
  }
  if (problem_.HasPeephole()) PeepholeGradients(worker, chunk);
}

void BackwardRun::ColumnGradients(const Worker& worker, const Chunk& chunk, Range rows, Dim column, Dim columns) {
  const bool first = chunk.first && rows.begin == 0;
  const bool candidate = HasResetProduct() && column >= plan_.columns_.part[1].first_column;
  float* bias = Scratch(at_.diff_bias) + column;
  float* bias_iter = Scratch(at_.diff_bias_iter) + column;
  if (first) std::fill_n(bias, columns, 0.f);
  if (first && IsLbr()) std::fill_n(bias_iter, columns, 0.f);

  const WeightsProduct layer = {Scratch(at_.x_transposed) + rows.begin, problem_.slc,
                                Scratch(at_.diff_weights_layer) + column, Columns()};
  const size_t states = candidate ? at_.product_transposed : at_.h_transposed;
  const WeightsProduct iter = {Scratch(states) + rows.begin, problem_.sic, Scratch(at_.diff_weights_iter) + column,
                               Columns()};
  const float* gates = Scratch(at_.diff_gates) + rows.begin * Columns() + column;
  MultiplyPanel(worker, {gates, Columns(), rows.size(), columns, nullptr, bias}, layer, first);
  if (!IsLbr()) {
    MultiplyPanel(worker, {nullptr, 0, rows.size(), columns}, iter, first);
    return;
  }
  const float* gates_iter = Scratch(at_.diff_gates_iter) + rows.begin * Columns() + column;
  MultiplyPanel(worker, {gates_iter, Columns(), rows.size(), columns, nullptr, bias_iter}, iter, first);
}

// Packs unless the panel still holds what is wanted (pack.rows null).
void BackwardRun::MultiplyPanel(const Worker& worker, const PackGradientArgs& pack, const WeightsProduct& product,
                                bool first) const {
  float* panel = Scratch(at_.panels) + worker.thread * kRowBlock * kPanelColumns;
  if (pack.rows != nullptr) {
    PackGradientArgs args = pack;
    args.packed = panel;
    plan_.backward_kernels_.pack_gradient(args);
  }
  TileArgs tile;
  tile.op = TileOp::kStore;
  tile.weights = panel;
  tile.gates = 1;
  tile.panel_blocks = kMaxPanelVectors;
  tile.total_blocks = pack.columns / kBlock;
  tile.k = pack.count;
  tile.k_padded = pack.count;
  tile.a = product.transposed;
  tile.a_row = PaddedRows();
  tile.rows = {0, product.k};
  tile.blocks = {0, tile.total_blocks};
  tile.init = first ? Scratch(at_.zeros) : product.sum;
  tile.init_row = first ? 0 : product.sum_row;
  tile.out = product.sum;
  tile.out_row = product.sum_row;
  plan_.f32_kernels_.run(tile);
}

void BackwardRun::PeepholeGradients(const Worker& worker, const Chunk& chunk) {
  PeepholeGradientArgs args;
  args.blocks = Share(plan_.columns_.blocks, worker.thread, worker.team);
  args.rows = {0, problem_.mb};
  args.sums = Scratch(at_.diff_peephole);
  args.sums_row = plan_.unit_row_;
  if (chunk.first) {
    for (Dim gate = 0; gate < 3; ++gate) {
      std::fill_n(args.sums + gate * args.sums_row + args.blocks.begin * kBlock, args.blocks.size() * kBlock, 0.f);
    }
  }
  for (Dim t = chunk.times.begin; t < chunk.times.end; ++t) {
    const Rows diff = ChunkRows(at_.diff_gates, chunk, t, Columns());
    args.diff_gates = {diff.base, diff.row};
    args.c_prev = CBefore(chunk.l, chunk.d, t);
    args.c = SavedC(chunk.l, chunk.d, t);
    plan_.backward_kernels_.peephole_gradient(args);
  }
}

}  // namespace optimized
}  // namespace tandem
