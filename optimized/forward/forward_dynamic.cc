// Dynamic quantization: rows of f32 become bytes before each product.
#include "optimized/forward/forward_run.h"

namespace tandem {
namespace optimized {

QuantizedRow ForwardRun::QuantizeRow(const void* from, Dim channels, Dim padded, uint8_t* to) const {
  const RowQuantization row = plan_.quantize_row_(static_cast<const float*>(from), channels, padded, to);
  return {row.scale, static_cast<int32_t>(row.zero_point) - plan_.kernels_.offset};
}

// x of a chunk's cells, in the order of W x.
void ForwardRun::QuantizeInput(const TeamThread& thread, const Chunk& chunk, const InputRows& input) const {
  const Dim channels = chunk.l > 0 ? problem_.dic : problem_.slc;
  const auto* base = static_cast<const char*>(input.base);
  const auto quantize = [&](Dim element, Dim cell) {
    const char* from = base + static_cast<size_t>(element) * operand_size_;
    *InputScales(thread, cell) = QuantizeRow(from, channels, plan_.layer_.layout.k_padded, InputBytes(thread, cell));
  };
  if (plan_.ragged_) {
    for (Dim cell = 0; cell < chunk.CountCells(); ++cell) quantize(cell * input.row, cell);
    return;
  }
  const Dim rows = chunk.rows.size();
  for (Dim i = 0; i < chunk.steps.size(); ++i) {
    for (Dim n = 0; n < rows; ++n) quantize(i * input.segment + n * input.row, i * rows + n);
  }
}

// `n` rows, which `product` then reads.
const QuantizedRow* ForwardRun::QuantizeStates(const TeamThread& thread, const ConstStateRows& rows, Dim n,
                                               Dim channels, ProductArgs* product) const {
  const Dim first = thread.index * problem_.mb, size = plan_.HBytesRow();
  uint8_t* bytes = Scratch(at_.h_bytes, first * size);
  QuantizedRow* scales = Scratch(at_.h_scales, first);
  for (Dim i = 0; i < n; ++i) {
    scales[i] = QuantizeRow(From(rows, i).base, channels, product->k_padded, bytes + i * size);
  }
  product->a = bytes;
  product->a_row = size;
  return scales;
}

// Quantizes the rows that U multiplies: h, or r * h.
void ForwardRun::QuantizeOperand(const TeamThread& thread, const StepRows& place, const ConstStateRows& previous,
                                 TileArgs* tile, CellArgs* cell) const {
  const ConstStateRows rows =
      tile->op == TileOp::kGates ? previous : ConstStateRows{cell->gru.reset_h, cell->gru.reset_h_row};
  cell->dynamic.x = InputScales(thread, place.hoisted - thread.hoisted_row);
  cell->dynamic.h = QuantizeStates(thread, rows, place.rows.size(), tile->product.k, &tile->product);
}

// W x has rows of its own in every cell.
void ForwardRun::BeginDynamic(const Chunk& chunk, StepArgs* args) const {
  const PackedLayout& layout = plan_.iter_.layout;
  for (int part = 0; part < layout.n_parts; ++part) {
    const Dim column = layout.part[part].first_column;
    CellArgs& cell = args->cell[part];
    cell.lbr.gx_row = layout.columns;
    cell.dynamic.h_sums = ColumnSums(kWeightsIter, chunk.l, chunk.d) + column;
    cell.dynamic.x_sums = ColumnSums(kWeightsLayer, chunk.l, chunk.d) + column;
    TileArgs& tile = args->tile[part];
    tile.init = Scratch(at_.init, SliceIndex(chunk.l, chunk.d) * layout.columns + column);
    tile.init_row = 0;
  }
  if (problem_.HasProjection()) {
    args->projection_cell.dynamic.h_sums = ColumnSums(kWeightsProjection, chunk.l, chunk.d);
  }
}

}  // namespace optimized
}  // namespace tandem
