// The gradients of the weights: for each chunk of rows (t, n), transposed inputs times the gates' gradients.
#include <algorithm>
#include <cstring>

#include "optimized/backward/backward_run.h"
#include "optimized/weights/element.h"

namespace tandem {
namespace optimized {

// Channels [k) of `rows` rows become rows of `to`, which starts at channel 0.
struct TransposeArgs {
  const void* from;  // element (0, 0)
  DataType type;
  Dim row_stride, k_stride;
  Dim rows;
  Range k;
  void* to;
  Dim to_row;
  DataType to_type;  // f32, or bf16, which holds the values exactly
};

namespace {

void Put(float x, float* to) { *to = x; }
// A client's tensor may begin at any byte.
template <class T>
T ReadAnywhere(const T* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

void Put(float x, uint16_t* to) { *to = static_cast<uint16_t>(BitsOf(x) >> 16); }

// Sixteen rows by sixteen channels at a time: lines that are read stay in the L1 cache, lines are written as a whole.
template <class Element, class To>
void TransposeAs(const TransposeArgs& args) {
  const auto* from = static_cast<const typename Element::Stored*>(args.from);
  for (Dim k0 = args.k.begin; k0 < args.k.end; k0 += kBlock) {
    const Dim channels = std::min(kBlock, args.k.end - k0);
    for (Dim row0 = 0; row0 < args.rows; row0 += kBlock) {
      const Dim rows = std::min(kBlock, args.rows - row0);
      for (Dim k = k0; k < k0 + channels; ++k) {
        const auto* column = from + row0 * args.row_stride + k * args.k_stride;
        To* to = static_cast<To*>(args.to) + k * args.to_row + row0;
        for (Dim row = 0; row < rows; ++row) {
          Put(Element::Load(ReadAnywhere(column + row * args.row_stride)), to + row);
        }
      }
    }
  }
}

void TransposeElements(const TransposeArgs& args) {
  VisitFloating(args.type, [&](auto element) {
    if (args.to_type == DataType::kF32) return TransposeAs<decltype(element), float>(args);
    HWY_DASSERT(args.to_type == DataType::kBf16);
    TransposeAs<decltype(element), uint16_t>(args);
  });
}

TransposeArgs FromRows(ConstRows rows, Dim count, Range k) {
  TransposeArgs args = {};
  args.from = rows.base;
  args.type = DataType::kF32;
  args.row_stride = rows.row;
  args.k_stride = 1;
  args.rows = count;
  args.k = k;
  return args;
}

}  // namespace

void BackwardRun::Transpose(const TeamThread& thread, const Chunk& chunk) {
  TransposeInput(thread, chunk);
  TransposeStates(thread, chunk);
}

void BackwardRun::TransposeInput(const TeamThread& thread, const Chunk& chunk) {
  const Range k = Share(problem_.slc, thread.index, thread.team);
  for (Dim t = chunk.times.begin; t < chunk.times.end; ++t) {
    TransposeArgs args;
    if (StagesInput(chunk)) {
      args = FromRows(ChunkRows(at_.x_rows, chunk, t, plan_.x_row_), LiveRows(chunk, t).size(), k);
    } else if (chunk.l > 0) {
      args = FromRows(SavedH(chunk.l - 1, chunk.d, t), LiveRows(chunk, t).size(), k);
    } else {
      const MemoryDesc& md = problem_.md[kSrcLayer];
      const Dim index[] = {t, 0, 0};
      const Dim offset = OffsetAt(md, index) * static_cast<Dim>(SizeOf(TypeOf(md)));
      args.from = static_cast<const char*>(buffers_.tensor[kSrcLayer]) + offset;
      args.type = TypeOf(md);
      args.row_stride = Strides(md)[1];
      args.k_stride = Strides(md)[2];
      args.rows = problem_.mb;
      args.k = k;
    }
    TransposeInto(args, at_.x_transposed, FirstRow(chunk, t));
  }
  ZeroPadding(at_.x_transposed, RowsOf(chunk), k);
}

void BackwardRun::TransposeInto(const TransposeArgs& given, const TypedRegion& region, Dim first_row) {
  TransposeArgs args = given;
  args.to = region.In(scratch_, first_row);
  args.to_row = PaddedRows();
  args.to_type = plan_.narrow_ ? DataType::kBf16 : DataType::kF32;
  if (args.type != DataType::kF32 || args.to_type != DataType::kF32 || args.k_stride != 1)
    return TransposeElements(args);
  plan_.backward_kernels_.transpose_rows({{static_cast<const float*>(args.from), args.row_stride},
                                          {static_cast<float*>(args.to), args.to_row},
                                          args.rows,
                                          args.k});
}

// Products read rows up to a multiple of the kernels' padding.
void BackwardRun::ZeroPadding(const TypedRegion& region, Dim rows, Range k) {
  const Dim padding = RoundUp(rows, plan_.gradient_kernels_.padding) - rows;
  if (padding == 0) return;
  const size_t bytes = static_cast<size_t>(padding) * SizeOf(plan_.gradient_kernels_.operand);
  for (Dim i = k.begin; i < k.end; ++i) std::memset(region.In(scratch_, i * PaddedRows() + rows), 0, bytes);
}

void BackwardRun::TransposeStates(const TeamThread& thread, const Chunk& chunk) {
  if (!problem_.Has(kWeightsIter)) return;
  const Range k = Share(problem_.sic, thread.index, thread.team);
  for (Dim t = chunk.times.begin; t < chunk.times.end; ++t) {
    const Dim step = chunk.walk.Step(t);
    if (problem_.Has(kMaskIter)) {
      TransposeInto(FromRows(ChunkRows(at_.h_rows, chunk, t, plan_.h_row_), LiveRows(chunk, t).size(), k),
                    at_.h_transposed, FirstRow(chunk, t));
      continue;
    }
    ForEachOrigin(chunk, step, {0, problem_.mb}, [&](Range rows, From from) {
      const ConstRows previous = PreviousH(chunk, step, from);
      TransposeInto(FromRows({previous.At(rows.begin), previous.row}, rows.size(), k), at_.h_transposed,
                    FirstRow(chunk, t) + rows.begin);
    });
  }
  ZeroPadding(at_.h_transposed, RowsOf(chunk), k);
  if (!HasResetProduct() && !problem_.HasProjection()) return;
  const Rows product = ChunkRows(at_.product, chunk, chunk.times.begin, plan_.unit_row_);
  const Range units = Share(problem_.dhc, thread.index, thread.team);
  TransposeInto(FromRows(product, RowsOf(chunk), units), at_.product_transposed, 0);
  ZeroPadding(at_.product_transposed, RowsOf(chunk), units);
}

void BackwardRun::WeightsGradients(const TeamThread& thread, const Chunk& chunk) {
  Dim panels = 0;
  panels_.ForEach([&](const GatePanel&) { ++panels; });
  const Range share = Share(panels, thread.index, thread.team);
  const Dim most = plan_.tuning_.backward.product_rows;
  const Dim pair = std::max<Dim>(2, plan_.gradient_kernels_.padding);  // bf16 products take rows in pairs, or more
  const Dim part = RoundUp(EvenPart(RowsOf(chunk), most), pair);
  for (Dim row = 0; row == 0 || row < RowsOf(chunk); row += part) {
    const Range rows = {row, std::min(row + part, RowsOf(chunk))};
    Dim i = 0;
    panels_.ForEach([&](const GatePanel& panel) {
      if (i >= share.begin && i < share.end) PanelGradients(thread, chunk, rows, panel);
      ++i;
    });
    if (!problem_.HasProjection()) continue;
    const Range mine = Share(CeilDiv(plan_.h_row_, kPanelColumns), thread.index, thread.team);
    for (Dim i = mine.begin; i < mine.end; ++i) {
      const Dim column = i * kPanelColumns;
      ProjectionGradients(thread, chunk, rows, {column, std::min(column + kPanelColumns, plan_.h_row_)});
    }
  }
  if (problem_.HasPeephole()) PeepholeGradients(thread, chunk);
  if (problem_.attr.rnn_layer_norm.given()) NormGradients(thread, chunk);
}

void BackwardRun::PanelGradients(const TeamThread& thread, const Chunk& chunk, Range rows, const GatePanel& panel) {
  const bool candidate = HasResetProduct() && panel.part == 1;
  PackGradientArgs pack;
  pack.padding = plan_.gradient_kernels_.padding;
  pack.row = Columns();
  pack.count = rows.size();
  pack.columns = panel.columns;
  pack.type = plan_.narrow_ ? DataType::kBf16 : DataType::kF32;
  pack.packed = at_.panels.In(scratch_, PanelOffset(thread));
  panels_.ForEachUnits(panel, [&](const PanelUnits& units) {
    pack.piece[pack.n_pieces++] = {Column(plan_.columns_, units.gate, units.unit), units.at};
  });
  const auto pack_seen = [&](const Region<float>& diff_gates, const Region<float>& diff_bias) {
    pack.rows = Scratch(diff_gates, rows.begin * Columns());
    pack.sums = Scratch(diff_bias, panels_.Position(panel));
    if (IsFirst(chunk, rows)) std::fill_n(pack.sums, RoundUp(panel.columns, kBlock), 0.f);
    plan_.backward_kernels_.pack_gradient(pack);
  };
  pack_seen(at_.diff_gates, at_.diff_bias);
  AddToSums(thread, chunk, rows, panel, kDiffWeightsLayer, {at_.x_transposed, problem_.slc});
  if (!problem_.Has(kWeightsIter)) return;
  // The gates of LBR cells before the candidate have one gradient.
  const bool apart = problem_.attr.rnn_layer_norm.kind == NormKind::kParts;
  const bool is_candidate = panel.column + panel.columns > panels_.ColumnsOf(panel.part) - problem_.dhc;
  if (apart || (IsLbr() && is_candidate)) pack_seen(at_.diff_gates_iter, at_.diff_bias_iter);
  const TypedRegion& states = candidate ? at_.product_transposed : at_.h_transposed;
  AddToSums(thread, chunk, rows, panel, kDiffWeightsIter, {states, problem_.sic});
}

void BackwardRun::ProjectionGradients(const TeamThread& thread, const Chunk& chunk, Range rows, Range columns) {
  PackGradientArgs pack;
  pack.padding = plan_.gradient_kernels_.padding;
  pack.row = plan_.h_row_;
  pack.count = rows.size();
  pack.columns = columns.size();
  pack.packed = at_.panels.In(scratch_, PanelOffset(thread));
  pack.rows = Scratch(at_.diff_projected, rows.begin * plan_.h_row_ + columns.begin);
  for (Dim at = 0; at < columns.size(); at += kBlock) pack.piece[pack.n_pieces++] = {at, at};
  plan_.backward_kernels_.pack_gradient(pack);
  const Rows sum = {Scratch(at_.diff_weights_projection, columns.begin * problem_.dhc), columns.size()};
  MultiplyPanel(thread, rows, {at_.product_transposed, problem_.dhc},
                {{0, columns.size() / kBlock}, sum, IsFirst(chunk, rows)});
}

// Whole blocks in the user's tensor, if its layout permits, the rest in the scratchpad.
void BackwardRun::AddToSums(const TeamThread& thread, const Chunk& chunk, Range rows, const GatePanel& panel,
                            Tensor tensor, const WeightsProduct& product) const {
  const GatePanel in_scratch = panels_.InScratch(panel);
  const Dim in_place = (panel.columns - in_scratch.columns) / kBlock;
  const bool first = IsFirst(chunk, rows);
  if (in_place > 0) {
    const bool overwrite = first && problem_.diff_weights_mode() == DiffWeightsMode::kOverwrite;
    MultiplyPanel(thread, rows, product, {{0, in_place}, UsersSum(tensor, chunk, panel), overwrite});
  }
  if (in_scratch.columns > 0) {
    const Range blocks = {in_place, CeilDiv(panel.columns, kBlock)};
    MultiplyPanel(thread, rows, product, {blocks, ScratchSum(tensor, in_scratch), first});
  }
}

Rows BackwardRun::UsersSum(Tensor tensor, const Chunk& chunk, const GatePanel& panel) const {
  const MemoryDesc& md = problem_.md[tensor];
  const Dim index[] = {chunk.l, chunk.d, 0, plan_.columns_.part[panel.part].first_gate, 0};
  return {static_cast<float*>(buffers_.tensor[tensor]) + OffsetAt(md, index) + panel.column, Strides(md)[2]};
}

// Adds blocks of the packed panel to their sums.
void BackwardRun::MultiplyPanel(const TeamThread& thread, Range rows, const WeightsProduct& product,
                                const WeightsSum& sum) const {
  const Dim k_padded = RoundUp(rows.size(), plan_.gradient_kernels_.padding);
  TileArgs tile;
  tile.op = TileOp::kStore;
  tile.product.weights = at_.panels.In(scratch_, PanelOffset(thread) + sum.blocks.begin * k_padded * kBlock);
  tile.gates = 1;
  tile.panel_blocks = kMaxPanelVectors;
  tile.total_blocks = sum.blocks.size();
  tile.product.k = rows.size();
  tile.product.k_padded = k_padded;
  tile.product.a = product.transposed.In(scratch_, rows.begin);
  tile.product.a_row = PaddedRows();
  tile.rows = {0, product.k};
  tile.blocks = {0, tile.total_blocks};
  tile.init = sum.first ? Scratch(at_.zeros) : sum.rows.base;
  tile.init_row = sum.first ? 0 : sum.rows.row;
  tile.out = sum.rows.base;
  tile.out_row = sum.rows.row;
  plan_.gradient_kernels_.run(tile);
}

void BackwardRun::PeepholeGradients(const TeamThread& thread, const Chunk& chunk) {
  PeepholeGradientArgs args;
  args.blocks = Share(plan_.columns_.blocks, thread.index, thread.team);
  args.sums = Scratch(at_.diff_peephole);
  args.sums_row = plan_.unit_row_;
  if (chunk.first) {
    for (Dim gate = 0; gate < NumPeepholes(problem_.cell); ++gate) {
      std::fill_n(args.sums + gate * args.sums_row + args.blocks.begin * kBlock, args.blocks.size() * kBlock, 0.f);
    }
  }
  for (Dim t = chunk.times.begin; t < chunk.times.end; ++t) {
    args.diff_gates = ChunkRows(NormalizesGates() ? at_.delta : at_.diff_gates, chunk, t, Columns());
    args.c = OwnC(chunk.l, chunk.d, t);
    const Dim step = chunk.walk.Step(t);
    ForEachOrigin(chunk, step, {0, problem_.mb}, [&](Range rows, From from) {
      args.rows = rows;
      args.c_prev = PreviousC(chunk, step, from);
      plan_.backward_kernels_.peephole_gradient(args);
    });
  }
}

}  // namespace optimized
}  // namespace tandem
