// Dynamic quantization: rows of f32 become bytes before each product. Each thread has the bytes that it multiplies.
#include "optimized/forward/forward_options.h"

namespace tandem {
namespace optimized {
namespace {

QuantizedRow* InputScales(const RunMemory& run, const TeamThread& thread, Dim cell = 0) {
  return run.Scratch(run.at.x_scales, thread.index * run.plan.cells + cell);
}

QuantizedRow QuantizeRow(const RunMemory& run, const void* from, Dim channels, Dim padded, uint8_t* to) {
  const RowQuantization row = run.plan.quantize_row(static_cast<const float*>(from), channels, padded, to);
  return {row.scale, static_cast<int32_t>(row.zero_point) - run.plan.kernels.offset};
}

}  // namespace

InputRows QuantizeInput(const RunMemory& run, const TeamThread& thread, const Chunk& chunk, const InputRows& input) {
  const Dim channels = chunk.l > 0 ? run.problem.dic : run.problem.slc;
  const Dim size = run.plan.XBytesRow(), padded = run.plan.layer.layout.k_padded;
  uint8_t* bytes = run.Scratch(run.at.x_bytes, thread.index * run.plan.cells * size);
  QuantizedRow* scales = InputScales(run, thread);
  const auto quantize = [&](Dim element, Dim cell) {
    const float* from = static_cast<const float*>(input.base) + element;
    scales[cell] = QuantizeRow(run, from, channels, padded, bytes + cell * size);
  };
  if (run.plan.ragged) {
    for (Dim cell = 0; cell < chunk.CountCells(); ++cell) quantize(cell * input.row, cell);
  } else {
    const Dim rows = chunk.rows.size();
    for (Dim i = 0; i < chunk.steps.size(); ++i) {
      for (Dim n = 0; n < rows; ++n) quantize(i * input.segment + n * input.row, i * rows + n);
    }
  }
  return {bytes, size, input.segment};
}

const QuantizedRow* QuantizeStates(const RunMemory& run, const TeamThread& thread, const ConstStateRows& rows, Dim n,
                                   Dim channels, ProductArgs* product) {
  const Dim first = thread.index * run.problem.mb, size = run.plan.HBytesRow();
  uint8_t* bytes = run.Scratch(run.at.h_bytes, first * size);
  QuantizedRow* scales = run.Scratch(run.at.h_scales, first);
  for (Dim i = 0; i < n; ++i) {
    scales[i] = QuantizeRow(run, run.From(rows, i).base, channels, product->k_padded, bytes + i * size);
  }
  product->a = bytes;
  product->a_row = size;
  return scales;
}

void QuantizeOperand(const RunMemory& run, const TeamThread& thread, const StepRows& place,
                     const ConstStateRows& previous, TileArgs* tile, CellArgs* cell) {
  const ConstStateRows rows =
      tile->op == TileOp::kGates ? previous : ConstStateRows{cell->gru.reset_h, cell->gru.reset_h_row};
  cell->dynamic.x = InputScales(run, thread, place.hoisted - thread.hoisted_row);
  cell->dynamic.h = QuantizeStates(run, thread, rows, place.rows.size(), tile->product.k, &tile->product);
}

void BeginDynamic(const RunMemory& run, const Chunk& chunk, StepArgs* args) {
  const PackedLayout& layout = run.plan.iter.layout;
  for (int part = 0; part < layout.n_parts; ++part) {
    const Dim column = layout.part[part].first_column;
    CellArgs& cell = args->cell[part];
    cell.lbr.gx_row = layout.columns;
    cell.dynamic.h_sums = run.ColumnSums(kWeightsIter, chunk.l, chunk.d) + column;
    cell.dynamic.x_sums = run.ColumnSums(kWeightsLayer, chunk.l, chunk.d) + column;
    TileArgs& tile = args->tile[part];
    tile.init = run.Scratch(run.at.init, run.SliceIndex(chunk.l, chunk.d) * layout.columns + column);
    tile.init_row = 0;
  }
  if (run.problem.HasProjection()) {
    args->projection_cell.dynamic.h_sums = run.ColumnSums(kWeightsProjection, chunk.l, chunk.d);
  }
}

}  // namespace optimized
}  // namespace tandem
