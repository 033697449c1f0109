// x of a chunk: src_layer, or h of the layer below.
#include <cstring>

#include "optimized/forward/forward_run.h"

namespace tandem {
namespace optimized {

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

}  // namespace optimized
}  // namespace tandem
