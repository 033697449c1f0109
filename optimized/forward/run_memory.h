// RunMemory finds the memory of one execution: rows of the client's tensors, of the workspace and of the scratchpad's regions.
#ifndef TANDEM_OPTIMIZED_FORWARD_RUN_MEMORY_H_
#define TANDEM_OPTIMIZED_FORWARD_RUN_MEMORY_H_

#include <initializer_list>

#include "optimized/forward/forward.h"

namespace tandem {
namespace optimized {

// Rows of h, or of anything of its type: `base` is minibatch row 0.
template <class Void>
struct StateRowsOf {
  Void* base = nullptr;
  Dim row = 0;  // elements

  operator StateRowsOf<const void>() const { return {base, row}; }
};
using StateRows = StateRowsOf<void>;
using ConstStateRows = StateRowsOf<const void>;

// The parts of an execution are functions that take this class. It never changes.
class RunMemory {
 public:
  // All three live longer.
  RunMemory(const RnnForward& plan, const RnnBuffers& buffers, const SortedRows& rows);

  // Rows of h in `slot`; after a step, where the last layer's may be in dst_layer itself; in dst_layer, whose channels lie side
  // by side; and before the first step.
  StateRows SlotRows(Dim d, Dim l, Dim slot) const {
    const Dim index = ((d * problem.n_layer + l) * plan.slots + slot) * problem.mb * plan.h_row;
    return {Scratch(at.states, index), plan.h_row};
  }
  StateRows OutputRows(Dim d, Dim l, Dim t, Dim slot) const {
    return plan.direct && IsLast(l) ? DstRows(d, t) : SlotRows(d, l, slot);
  }
  StateRows DstRows(Dim d, Dim t) const;
  ConstStateRows InitialRows(Dim d, Dim l) const;
  // Rows from row `row`, channel `channel` of `rows` on, from where the kernels count.
  StateRows From(const StateRows& rows, Dim row, Dim channel = 0) const {
    return {static_cast<char*>(rows.base) + static_cast<size_t>(row * rows.row + channel) * operand_size, rows.row};
  }
  ConstStateRows From(const ConstStateRows& rows, Dim row, Dim channel = 0) const {
    return {static_cast<const char*>(rows.base) + static_cast<size_t>(row * rows.row + channel) * operand_size,
            rows.row};
  }
  // The address of c of minibatch row n, unit `unit`.
  float* CellState(Dim d, Dim l, Dim n, Dim unit = 0) const {
    return Scratch(at.c, ((d * problem.n_layer + l) * problem.mb + n) * plan.u_row + unit);
  }
  // Converts `args.n` elements, which lie `from_stride` and `to_stride` elements apart.
  void ConvertRow(ConvertArgs args, Dim from_stride, Dim to_stride) const;
  // Zeros behind the `valid` channels of a row. Products read rows up to a multiple of the group. The weights are zero there, but
  // zero times NaN is NaN.
  void ZeroTail(const TypedRegion& region, Dim row, Dim row_size, Dim valid) const;

  bool IsLast(Dim l) const { return l == problem.n_layer - 1; }
  Dim SliceIndex(Dim l, Dim d) const { return l * problem.n_dir + d; }
  template <class T>
  T* Scratch(const Region<T>& region, Dim index = 0) const {
    return region.In(scratch, index);
  }
  void* Scratch(const TypedRegion& region, Dim index) const { return region.In(scratch, index); }
  float* Workspace(size_t offset) const {
    return reinterpret_cast<float*>(static_cast<char*>(buffers.workspace) + offset);
  }
  const char* UserTensor(Tensor tensor) const { return static_cast<const char*>(buffers.tensor[tensor]); }
  char* UserElement(Tensor tensor, std::initializer_list<Dim> index) const {
    const MemoryDesc& md = problem.md[tensor];
    return static_cast<char*>(buffers.tensor[tensor]) +
           static_cast<size_t>(OffsetAt(md, index.begin())) * SizeOf(TypeOf(md));
  }
  const PackedWeights& WeightsOf(Tensor tensor) const {
    return tensor == kWeightsLayer ? plan.layer : tensor == kWeightsIter ? plan.iter : plan.projection;
  }
  const int32_t* ColumnSums(Tensor tensor, Dim l, Dim d) const {
    return WeightsOf(tensor).ColumnSums(UserTensor(tensor), scratch, l, d);
  }
  // A product with part `part` of a slice of weights, still without A, rows and blocks.
  TileArgs MakeTile(Tensor tensor, Dim l, Dim d, int part) const;

  const RnnForward& plan;
  const RnnProblem& problem;
  const RnnBuffers& buffers;
  const ForwardScratch& at;
  const SortedRows& rows;
  char* const scratch;
  const size_t operand_size;    // of an element of h
  const bool initial_in_place;  // h before the first step is read from src_iter
};

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_FORWARD_RUN_MEMORY_H_
