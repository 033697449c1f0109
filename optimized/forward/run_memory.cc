#include "optimized/forward/run_memory.h"

#include <cstring>

namespace tandem {
namespace optimized {
namespace {

// False if an output overlaps src_iter: a client that keeps its state in one buffer has dst_iter overwrite src_iter. Both
// may be windows of larger memories, so the bytes from the memory's first one to the window's last one are compared.
bool ReadsInitialInPlace(const RnnForward& plan, const RnnBuffers& buffers) {
  if (!plan.initial_in_place) return false;
  const auto begin = reinterpret_cast<uintptr_t>(buffers.tensor[kSrcIter]);
  const uintptr_t end = begin + plan.extents[kSrcIter];
  for (const Tensor tensor : {kDstIter, kDstLayer}) {
    const auto other = reinterpret_cast<uintptr_t>(buffers.tensor[tensor]);
    if (other < end && begin < other + plan.extents[tensor]) return false;
  }
  return true;
}

}  // namespace

RunMemory::RunMemory(const RnnForward& plan, const RnnBuffers& buffers, const SortedRows& rows)
    : plan(plan),
      problem(plan.problem()),
      buffers(buffers),
      at(plan.scratch),
      rows(rows),
      scratch(Regions::FirstLine(buffers.scratchpad)),
      operand_size(SizeOf(plan.state)),
      initial_in_place(ReadsInitialInPlace(plan, buffers)) {}

StateRows RunMemory::DstRows(Dim d, Dim t) const {
  const MemoryDesc& md = problem.md[kDstLayer];
  const Dim offset = md.offset0 + t * Strides(md)[0] + d * problem.dic;
  return {static_cast<char*>(buffers.tensor[kDstLayer]) + static_cast<size_t>(offset) * operand_size, Strides(md)[1]};
}

ConstStateRows RunMemory::InitialRows(Dim d, Dim l) const {
  if (!initial_in_place) {
    return {Scratch(at.initial, (d * problem.n_layer + l) * problem.mb * plan.h_row), plan.h_row};
  }
  return {UserElement(kSrcIter, {l, d, 0, 0}), Strides(problem.md[kSrcIter])[2]};
}

void RunMemory::ConvertRow(ConvertArgs args, Dim from_stride, Dim to_stride) const {
  args.quantization = plan.quantization;
  if (from_stride == 1 && to_stride == 1) return plan.convert(args);
  const auto* from = static_cast<const char*>(args.from);
  auto* to = static_cast<char*>(args.to);
  const Dim n = args.n;
  args.n = 1;
  for (Dim i = 0; i < n; ++i) {
    args.from = from + static_cast<size_t>(i * from_stride) * SizeOf(args.from_type);
    args.to = to + static_cast<size_t>(i * to_stride) * SizeOf(args.to_type);
    plan.convert(args);
  }
}

void RunMemory::ZeroTail(const TypedRegion& region, Dim row, Dim row_size, Dim valid) const {
  const Dim tail = RoundUp(valid, plan.state_padding) - valid;
  if (tail == 0) return;
  std::memset(Scratch(region, row * row_size + valid), 0, static_cast<size_t>(tail) * operand_size);
}

TileArgs RunMemory::MakeTile(Tensor tensor, Dim l, Dim d, int part) const {
  const PackedWeights& weights = WeightsOf(tensor);
  const PackedLayout& layout = weights.layout;
  TileArgs tile;
  tile.product.weights = weights.Slice(UserTensor(tensor), scratch, l, d) +
                         static_cast<size_t>(layout.part[part].offset) * SizeOf(layout.storage);
  tile.gates = layout.part[part].gates;
  tile.panel_blocks = layout.part[part].panel_blocks;
  tile.total_blocks = layout.blocks;
  tile.product.k = layout.k;
  tile.product.k_padded = layout.k_padded;
  tile.weights_in = plan.weights_in;
  return tile;
}

}  // namespace optimized
}  // namespace tandem
