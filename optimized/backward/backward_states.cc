// This file copies states, layers and their gradients between the user's tensors and the kernels' rows of f32.
#include <algorithm>

#include "optimized/backward/backward_run.h"
#include "optimized/weights/element.h"

namespace tandem {
namespace optimized {
namespace {

// diff_src_layer of a bidirectional problem is the sum of both directions'.
enum class Combine { kAssign, kAdd };

void StoreStrided(const float* from, Dim n, Combine combine, float* to, Dim stride) {
  if (combine == Combine::kAssign && stride == 1) {
    std::copy(from, from + n, to);
  } else if (combine == Combine::kAssign) {
    for (Dim i = 0; i < n; ++i) to[i * stride] = from[i];
  } else {
    for (Dim i = 0; i < n; ++i) to[i * stride] += from[i];
  }
}

}  // namespace

// `n` elements of a tensor, `stride` apart.
void BackwardRun::LoadElements(Tensor tensor, Dim first, Dim stride, Dim n, float* to) const {
  VisitFloating(TypeOf(problem_.md[tensor]), [&](auto element) {
    const auto* from = static_cast<const typename decltype(element)::Stored*>(buffers_.tensor[tensor]) + first;
    for (Dim i = 0; i < n; ++i) to[i] = element.Load(from[i * stride]);
  });
}

// `tensor` has dims {L, D, N, n}; zeros where it is absent.
void BackwardRun::LoadRows(Tensor tensor, Dim l, Dim d, Range rows, Rows to, Dim n) {
  const MemoryDesc& md = problem_.md[tensor];
  for (Dim row = rows.begin; row < rows.end; ++row) {
    std::fill_n(to.At(row), to.row, 0.f);
    if (IsZero(md)) continue;
    const Dim index[] = {l, d, rows_.UserRow(row), 0};
    LoadElements(tensor, OffsetAt(md, index), Strides(md)[3], n, to.At(row));
  }
}

void BackwardRun::StoreRows(Tensor tensor, Dim l, Dim d, Range rows, ConstRows from, Dim n) {
  const MemoryDesc& md = problem_.md[tensor];
  if (IsZero(md)) return;
  for (Dim row = rows.begin; row < rows.end; ++row) {
    const Dim index[] = {l, d, rows_.UserRow(row), 0};
    float* to = static_cast<float*>(buffers_.tensor[tensor]) + OffsetAt(md, index);
    StoreStrided(from.At(row), n, Combine::kAssign, to, Strides(md)[3]);
  }
}

void BackwardRun::LoadStates(const TeamThread& thread, Dim l, Dim d) {
  const Range rows = thread.own_rows;
  LoadRows(kSrcIter, l, d, rows, {Scratch(at_.h_first), plan_.h_row_}, problem_.sic);
  LoadRows(kDiffDstIter, l, d, rows, {Scratch(at_.diff_h), plan_.h_row_}, problem_.dic);
  if (!HasCellState(problem_.cell)) return;
  LoadRows(kSrcIterC, l, d, rows, {Scratch(at_.c_first), plan_.unit_row_}, problem_.dhc);
  LoadRows(kDiffDstIterC, l, d, rows, {Scratch(at_.diff_c), plan_.unit_row_}, problem_.dhc);
}

void BackwardRun::StoreStates(const TeamThread& thread, Dim l, Dim d) {
  const Range rows = thread.own_rows;
  StoreRows(kDiffSrcIter, l, d, rows, {Scratch(at_.diff_h), plan_.h_row_}, problem_.sic);
  if (!HasCellState(problem_.cell)) return;
  StoreRows(kDiffSrcIterC, l, d, rows, {Scratch(at_.diff_c), plan_.unit_row_}, problem_.dhc);
}

void BackwardRun::LoadAttention(const TeamThread& thread) {
  const MemoryDesc& md = problem_.md[kAugruAttention];
  for (Dim n = thread.own_rows.begin; n < thread.own_rows.end; ++n) {
    for (Dim t = 0; t < rows_.Length(n); ++t) {
      const Dim index[] = {t, rows_.UserRow(n), 0};
      *Scratch(at_.attention, rows_.CellsBefore(t) + n) =
          LoadFloat(buffers_.tensor[kAugruAttention], TypeOf(md), OffsetAt(md, index));
    }
  }
}

void BackwardRun::StoreAttention(const TeamThread& thread) {
  const MemoryDesc& md = problem_.md[kDiffAugruAttention];
  for (Dim n = thread.own_rows.begin; n < thread.own_rows.end; ++n) {
    for (Dim t = 0; t < problem_.n_iter; ++t) {
      const Dim index[] = {t, rows_.UserRow(n), 0};
      static_cast<float*>(buffers_.tensor[kDiffAugruAttention])[OffsetAt(md, index)] =
          t < rows_.Length(n) ? *Scratch(at_.diff_attention, rows_.CellsBefore(t) + n) : 0.f;
    }
  }
}

// The last layer's share of diff_dst_layer: its half of a concatenation, all of a sum.
ConstRows BackwardRun::FromAbove(const Chunk& chunk, Dim t) const {
  if (chunk.l < problem_.n_layer - 1) return DiffX(chunk, t);
  const MemoryDesc& md = problem_.md[kDiffDstLayer];
  if (plan_.ragged_ || Strides(md)[2] != 1) return ChunkRows(at_.from_above, chunk, t, plan_.h_row_);
  const bool concat = problem_.direction == Direction::kBidirectionalConcat;
  const Dim index[] = {t, 0, concat ? chunk.d * problem_.dic : 0};
  return {static_cast<const float*>(buffers_.tensor[kDiffDstLayer]) + OffsetAt(md, index), Strides(md)[1]};
}

void BackwardRun::StageFromAbove(const TeamThread& thread, const Chunk& chunk) {
  const MemoryDesc& md = problem_.md[kDiffDstLayer];
  if (chunk.l < problem_.n_layer - 1 || (!plan_.ragged_ && Strides(md)[2] == 1)) return;
  const bool concat = problem_.direction == Direction::kBidirectionalConcat;
  const Dim first = concat ? chunk.d * problem_.dic : 0;
  for (Dim t = chunk.times.begin; t < chunk.times.end; ++t) {
    const Rows to = ChunkRows(at_.from_above, chunk, t, plan_.h_row_);
    const Range rows = Intersection(LiveRows(chunk, t), thread.own_rows);
    for (Dim n = rows.begin; n < rows.end; ++n) {
      const Dim index[] = {t, rows_.UserRow(n), first};
      const float* from = static_cast<const float*>(buffers_.tensor[kDiffDstLayer]) + OffsetAt(md, index);
      for (Dim i = 0; i < problem_.dic; ++i) to.At(n)[i] = from[i * Strides(md)[2]];
    }
  }
}

// src_layer of live rows, which lie anywhere; of any layer what W reads through a mask.
void BackwardRun::StageInput(const TeamThread& thread, const Chunk& chunk) {
  if (!StagesInput(chunk)) return;
  const MemoryDesc& md = problem_.md[kSrcLayer];
  for (Dim t = chunk.times.begin; t < chunk.times.end; ++t) {
    const Rows to = ChunkRows(at_.x_rows, chunk, t, plan_.x_row_);
    const Range rows = Intersection(LiveRows(chunk, t), thread.own_rows);
    for (Dim n = rows.begin; n < rows.end; ++n) {
      if (chunk.l == 0) {
        const Dim index[] = {t, rows_.UserRow(n), 0};
        LoadElements(kSrcLayer, OffsetAt(md, index), Strides(md)[2], problem_.slc, to.At(n));
      } else {
        std::copy_n(SavedH(chunk.l - 1, chunk.d, t).At(n), problem_.slc, to.At(n));
      }
      if (problem_.Has(kMaskLayer)) MaskRow(kMaskLayer, chunk, t, n, to.At(n));
    }
  }
}

void BackwardRun::StoreSource(const TeamThread& thread, const Chunk& chunk) {
  const MemoryDesc& md = problem_.md[kDiffSrcLayer];
  const Range share = Share(RowsOf(chunk), thread.index, thread.team);
  for (Dim t = chunk.times.begin; t < chunk.times.end; ++t) {
    const Rows from = DiffX(chunk, t);
    const Dim first = FirstRow(chunk, t);
    const Range rows = Intersection({share.begin - first, share.end - first}, LiveRows(chunk, t));
    for (Dim n = rows.begin; n < rows.end; ++n) {
      const Dim index[] = {t, rows_.UserRow(n), 0};
      float* to = static_cast<float*>(buffers_.tensor[kDiffSrcLayer]) + OffsetAt(md, index);
      StoreStrided(from.At(n), problem_.slc, chunk.d == 0 ? Combine::kAssign : Combine::kAdd, to, Strides(md)[2]);
    }
  }
}

// diff_src_layer where a row has no step.
void BackwardRun::ZeroBeyondEnds(const TeamThread& thread) const {
  const MemoryDesc& md = problem_.md[kDiffSrcLayer];
  for (Dim n = thread.own_rows.begin; n < thread.own_rows.end; ++n) {
    for (Dim t = rows_.Length(n); t < problem_.n_iter; ++t) {
      const Dim index[] = {t, rows_.UserRow(n), 0};
      float* to = static_cast<float*>(buffers_.tensor[kDiffSrcLayer]) + OffsetAt(md, index);
      for (Dim i = 0; i < problem_.slc; ++i) to[i * Strides(md)[2]] = 0.f;
    }
  }
}

}  // namespace optimized
}  // namespace tandem
