#include "optimized/forward/run_memory.h"

#include <cstring>

namespace tandem {
namespace optimized {
namespace {

// False if an output overlaps src_iter: a client that keeps its state in one buffer has dst_iter overwrite src_iter. Both
// may be windows of larger memories, so the bytes from the memory's first one to the window's last one are compared.
bool ReadsInitialInPlace(const RnnForward& plan, const RnnBuffers& buffers) {
  if (!plan.initial_in_place_) return false;
  const auto begin = reinterpret_cast<uintptr_t>(buffers.tensor[kSrcIter]);
  const uintptr_t end = begin + plan.extents_[kSrcIter];
  for (const Tensor tensor : {kDstIter, kDstLayer}) {
    const auto other = reinterpret_cast<uintptr_t>(buffers.tensor[tensor]);
    if (other < end && begin < other + plan.extents_[tensor]) return false;
  }
  return true;
}

}  // namespace

RunMemory::RunMemory(const RnnForward& plan, const RnnBuffers& buffers, const SortedRows& rows)
    : plan_(plan),
      problem_(plan.problem()),
      buffers_(buffers),
      at_(plan.scratch_),
      rows_(rows),
      scratch_(Regions::FirstLine(buffers.scratchpad)),
      operand_size_(SizeOf(plan.state_)),
      initial_in_place_(ReadsInitialInPlace(plan, buffers)) {}

StateRows RunMemory::DstRows(Dim d, Dim t) const {
  const MemoryDesc& md = problem_.md[kDstLayer];
  const Dim offset = md.offset0 + t * Strides(md)[0] + d * problem_.dic;
  return {static_cast<char*>(buffers_.tensor[kDstLayer]) + static_cast<size_t>(offset) * operand_size_, Strides(md)[1]};
}

ConstStateRows RunMemory::InitialRows(Dim d, Dim l) const {
  if (!initial_in_place_) {
    return {Scratch(at_.initial, (d * problem_.n_layer + l) * problem_.mb * plan_.h_row_), plan_.h_row_};
  }
  return {UserElement(kSrcIter, {l, d, 0, 0}), Strides(problem_.md[kSrcIter])[2]};
}

void RunMemory::ConvertRow(ConvertArgs args, Dim from_stride, Dim to_stride) const {
  args.quantization = plan_.quantization_;
  if (from_stride == 1 && to_stride == 1) return plan_.convert_(args);
  const auto* from = static_cast<const char*>(args.from);
  auto* to = static_cast<char*>(args.to);
  const Dim n = args.n;
  args.n = 1;
  for (Dim i = 0; i < n; ++i) {
    args.from = from + static_cast<size_t>(i * from_stride) * SizeOf(args.from_type);
    args.to = to + static_cast<size_t>(i * to_stride) * SizeOf(args.to_type);
    plan_.convert_(args);
  }
}

void RunMemory::ZeroTail(const TypedRegion& region, Dim row, Dim row_size, Dim valid) const {
  const Dim tail = RoundUp(valid, plan_.state_padding_) - valid;
  if (tail == 0) return;
  std::memset(Scratch(region, row * row_size + valid), 0, static_cast<size_t>(tail) * operand_size_);
}

}  // namespace optimized
}  // namespace tandem
