// This file copies between the user's tensors and the kernels' rows: src_layer and src_iter in, dst_layer and dst_iter out.
#include <algorithm>
#include <cstring>

#include "optimized/forward/forward_run.h"

namespace tandem {
namespace optimized {

// Products read rows up to a multiple of the group. The weights are zero there, but zero times NaN is NaN.
void ForwardRun::ZeroTail(const TypedRegion& region, Dim row, Dim row_size, Dim valid) const {
  const Dim tail = RoundUp(valid, plan_.state_padding_) - valid;
  if (tail == 0) return;
  std::memset(Scratch(region, row * row_size + valid), 0, static_cast<size_t>(tail) * operand_size_);
}

void ForwardRun::ZeroTails(Dim d, Dim l, Dim n) const {
  const Dim layer_row = d * problem_.n_layer + l;
  for (Dim slot = 0; slot < plan_.slots_; ++slot) {
    ZeroTail(at_.states, (layer_row * plan_.slots_ + slot) * problem_.mb + n, plan_.h_row_, problem_.dic);
  }
  ZeroTail(at_.initial, layer_row * problem_.mb + n, plan_.h_row_, problem_.sic);
  const Dim row = d * problem_.mb + n;
  if (problem_.HasProjection()) ZeroTail(at_.unprojected, row, plan_.u_row_, problem_.dhc);
  if (WaitsForReset(problem_.cell)) {
    ZeroTail(at_.reset_h, row, plan_.u_row_, problem_.dhc);
  }
}

void ForwardRun::LoadInitial(Dim d, Dim l, Dim n) const {
  const DataType operand = plan_.state_;
  const Dim row = (d * problem_.n_layer + l) * problem_.mb + n;
  void* initial = Scratch(at_.initial, row * plan_.h_row_);
  if (problem_.Has(kSrcIter)) {
    const MemoryDesc& md = problem_.md[kSrcIter];
    const Dim index[] = {l, d, rows_.UserRow(n), 0};
    const size_t offset = static_cast<size_t>(OffsetAt(md, index)) * SizeOf(TypeOf(md));
    ConvertRow({UserTensor(kSrcIter) + offset, TypeOf(md), initial, operand, problem_.sic, StoreMode::kAssign, {}},
               Strides(md)[3], 1);
  } else if (!problem_.IsInt8()) {  // multiplied as any state is
    std::memset(initial, 0, static_cast<size_t>(problem_.sic) * operand_size_);
  } else {  // the byte that stands for zero
    const float zero = 0.f;
    ConvertRow({&zero, DataType::kF32, initial, operand, problem_.sic, StoreMode::kAssign, {}}, 0, 1);
  }
}

void ForwardRun::LoadCellState(const TeamThread& thread, Dim d, Dim l, Dim n) const {
  const Dim begin = thread.blocks.begin * kBlock;
  const Dim valid = std::min(thread.blocks.end * kBlock, problem_.dhc) - begin;
  float* c = CellState(d, l, n, begin);
  std::fill(c, c + thread.blocks.size() * kBlock, 0.f);
  if (!problem_.Has(kSrcIterC) || valid <= 0) return;
  const MemoryDesc& md = problem_.md[kSrcIterC];
  const Dim index[] = {l, d, rows_.UserRow(n), begin};
  const size_t offset = static_cast<size_t>(OffsetAt(md, index)) * SizeOf(TypeOf(md));
  ConvertRow({UserTensor(kSrcIterC) + offset, TypeOf(md), c, DataType::kF32, valid, StoreMode::kAssign, {}},
             Strides(md)[3], 1);
}

// Each thread loads its own units of c. All threads need all units of h: if h is copied, they wait for one another.
void ForwardRun::LoadStates(const TeamThread& thread, Dim d) {
  const Role& role = thread.role;
  const bool copies = plan_.tails_ || !initial_in_place_;
  for (Dim l = 0; l < problem_.n_layer; ++l) {
    for (Dim n = role.rows.begin; n < role.rows.end; ++n) {
      if (HasCellState(problem_.cell)) LoadCellState(thread, d, l, n);
      if (!copies || n % role.unit_count != role.unit_index) continue;
      if (plan_.tails_) ZeroTails(d, l, n);
      if (!initial_in_place_) LoadInitial(d, l, n);
    }
  }
  if (copies) thread.group->Wait();
}

void ForwardRun::StageInput(Dim time, Dim n, Dim to_row) {
  const MemoryDesc& md = problem_.md[kSrcLayer];
  const Dim index[] = {time, n, 0};
  const size_t offset = static_cast<size_t>(OffsetAt(md, index)) * SizeOf(TypeOf(md));
  void* to = Scratch(at_.staged, to_row * plan_.x_row_);
  ZeroTail(at_.staged, to_row, plan_.x_row_, problem_.slc);
  ConvertRow({UserTensor(kSrcLayer) + offset, TypeOf(md), to, plan_.state_, problem_.slc, StoreMode::kAssign, {}},
             Strides(md)[2], 1);
}

// x of a layer: src_layer, or h of the layer below.
void ForwardRun::StageRow(const Chunk& chunk, CellPlace place, Dim to_row) {
  if (chunk.l > 0) {
    const StateRows below = From(SlotRows(chunk.d, chunk.l - 1, chunk.Slot(place.time)), place.n);
    std::memcpy(Scratch(at_.staged, to_row * plan_.x_row_), below.base,
                static_cast<size_t>(RoundUp(problem_.slc, plan_.state_padding_)) * operand_size_);
  } else {
    StageInput(place.time, rows_.UserRow(place.n), to_row);
  }
  if (plan_.masks_input_) MaskInput(chunk, place, to_row);
}

void ForwardRun::StageSource(const TeamThread& thread, const Chunk& chunk) {
  const Role& role = thread.role;
  const Dim rows = chunk.rows.size();
  for (Dim i = 0; i < chunk.steps.size(); ++i) {
    for (Dim n = 0; n < rows; ++n) {
      if ((i + n) % role.unit_count != role.unit_index) continue;
      StageRow(chunk, {chunk.times.begin + i, chunk.rows.begin + n}, thread.hoisted_row + i * rows + n);
    }
  }
  thread.group->Wait();
}

void ForwardRun::StoreLayer(const TeamThread& thread, const Chunk& chunk, const StepOutput& output) {
  const StateRows& h = output.h;
  const MemoryDesc& md = problem_.md[kDstLayer];
  const DataType operand = plan_.state_;
  const Dim begin = thread.output_blocks.begin * kBlock;
  const Dim end = std::min(thread.output_blocks.end * kBlock, problem_.dic);
  if (begin >= end) return;
  const bool concat = problem_.direction == Direction::kBidirectionalConcat;
  const auto place = [&](Dim n) {
    const Dim index[] = {output.time, rows_.UserRow(n), (concat ? chunk.d * problem_.dic : 0) + begin};
    const size_t offset = static_cast<size_t>(OffsetAt(md, index)) * SizeOf(TypeOf(md));
    return static_cast<char*>(buffers_.tensor[kDstLayer]) + offset;
  };
  const size_t bytes = static_cast<size_t>(end - begin) * SizeOf(TypeOf(md));
  for (Dim n = output.rows.begin; n < output.rows.end; ++n) {
    const char* from =
        static_cast<const char*>(h.base) + static_cast<size_t>((n - chunk.rows.begin) * h.row + begin) * operand_size_;
    char* to = place(n);
    if (plan_.ragged_ && n + 1 < output.rows.end) PrefetchRow<Access::kWrite>(place(n + 1), bytes);
    ConvertRow({from, operand, to, TypeOf(md), end - begin, thread.mode, {}}, 1, Strides(md)[2]);
  }
}

// h and c of one step into the workspace, zeros beyond their last channel.
void ForwardRun::SaveStates(const TeamThread& thread, const Chunk& chunk, const StepOutput& output) {
  const Dim l = chunk.l, d = chunk.d, t = output.time;
  const StateRows& h = output.h;
  const WorkspaceLayout& layout = plan_.workspace_;
  const Range outputs = {thread.output_blocks.begin * kBlock, thread.output_blocks.end * kBlock};
  const Range units = {thread.blocks.begin * kBlock, thread.blocks.end * kBlock};
  for (Dim n = output.rows.begin; n < output.rows.end; ++n) {
    if (outputs.size() > 0) {
      float* to = Workspace(layout.H(l, d, t)) + n * layout.h_row + outputs.begin;
      const Dim valid = std::min(outputs.end, problem_.dic) - outputs.begin;
      const char* from = static_cast<const char*>(h.base) +
                         static_cast<size_t>((n - chunk.rows.begin) * h.row + outputs.begin) * operand_size_;
      ConvertRow({from, plan_.state_, to, DataType::kF32, valid, StoreMode::kAssign, {}}, 1, 1);
      // A client's workspace may begin at any byte: no float is stored there by assignment.
      std::memset(to + valid, 0, static_cast<size_t>(outputs.size() - valid) * sizeof(float));
    }
    if (layout.c_row != 0) {
      const float* from = CellState(d, l, n, units.begin);
      std::copy(from, from + units.size(), Workspace(layout.C(l, d, t)) + n * layout.c_row + units.begin);
    }
  }
}

// The states that rows end with. Each thread stores the units that it computed.
void ForwardRun::StoreStates(const TeamThread& thread, const Chunk& chunk, const StepOutput& output) {
  const StateRows& h = output.h;
  const Range outputs = {thread.output_blocks.begin * kBlock, thread.output_blocks.end * kBlock};
  const Range units = {thread.blocks.begin * kBlock, thread.blocks.end * kBlock};
  for (Dim n = output.rows.begin; n < output.rows.end; ++n) {
    const auto store = [&](Tensor tensor, const void* from, DataType type, Range channels, Dim count) {
      const Dim valid = std::min(channels.end, count) - channels.begin;
      if (!problem_.Has(tensor) || valid <= 0) return;
      const MemoryDesc& md = problem_.md[tensor];
      const Dim index[] = {chunk.l, chunk.d, rows_.UserRow(n), channels.begin};
      char* to =
          static_cast<char*>(buffers_.tensor[tensor]) + static_cast<size_t>(OffsetAt(md, index)) * SizeOf(TypeOf(md));
      ConvertRow({from, type, to, TypeOf(md), valid, StoreMode::kAssign, {}}, 1, Strides(md)[3]);
    };
    const char* h_from = static_cast<const char*>(h.base) +
                         static_cast<size_t>((n - chunk.rows.begin) * h.row + outputs.begin) * operand_size_;
    store(kDstIter, h_from, plan_.state_, outputs, problem_.dic);
    if (!HasCellState(problem_.cell)) continue;
    store(kDstIterC, CellState(chunk.d, chunk.l, n, units.begin), DataType::kF32, units, problem_.dhc);
  }
}

}  // namespace optimized
}  // namespace tandem
