// Moves weights between a plain layout and the packed one of layout.h.
#ifndef TANDEM_OPTIMIZED_WEIGHTS_WEIGHTS_PACKER_H_
#define TANDEM_OPTIMIZED_WEIGHTS_WEIGHTS_PACKER_H_

#include <vector>

#include "api/core/attributes/attributes.h"
#include "api/core/memory/memory_desc.h"
#include "optimized/weights/layout.h"

namespace tandem {
namespace optimized {

// A plan for one pair of layouts; immutable, so any number of threads may use it at once. The work is cut into panels(),
// which touch disjoint bytes of the output: a caller with threads deals them out, Pack() and Unpack() do them in order.
class WeightsPacker {
 public:
  // `plain` has the dims {L, D, K, G, O} or {L, D, K, O} of the tensor behind `layout` and any strides. Its elements are
  // f32, bf16 or f16 (or s8 for s8 storage). `value_type` is the data type of the packed descriptor: values are rounded
  // to it before they are stored, perhaps in a wider type. `scales` multiply floating values on their way to s8 and
  // divide them on the way back, one for all (mask 0) or one for each gate and output channel.
  // Throws invalid_arguments where the number of scales is wrong.
  WeightsPacker(const MemoryDesc& plain, const PackedLayout& layout, DataType value_type,
                const ScaleVector& scales = {});

  Dim panels() const { return layout_.n_layer * layout_.n_dir * panels_per_slice_; }
  // Writes all bytes of the panel, padding and column sums included. `plain` is the memory's base.
  void PackPanel(Dim panel, const void* plain, void* packed) const;
  // Writes the panel's elements and nothing between them.
  void UnpackStrip(Dim panel, const void* packed, void* plain) const;

  void Pack(const void* plain, void* packed) const;
  void Unpack(const void* packed, void* plain) const;

 private:
  struct Panel;

  Panel PanelAt(Dim index) const;
  void BuildRowOffsets(const MemoryDesc& plain);
  template <class Visit>
  void VisitGroups(const Panel& panel, const Visit& visit) const;
  template <class From, class To>
  void PackAs(const Panel& panel, const void* plain, void* packed) const;
  template <class From, class To>
  void UnpackAs(const Panel& panel, const void* packed, void* plain) const;
  template <class From>
  void PackQuantized(const Panel& panel, const void* plain, void* packed) const;
  template <class To>
  void UnpackQuantized(const Panel& panel, const void* packed, void* plain) const;

  PackedLayout layout_;
  DataType plain_type_;
  DataType value_type_;
  ScaleVector scales_;
  Dim channels_;  // O, the stride of a gate in scales_
  Dim panels_per_slice_ = 0;
  Dim base_ = 0;  // offsets and strides of the plain tensor, in elements
  Dim layer_stride_, dir_stride_, gate_stride_, unit_stride_;
  std::vector<Dim> row_offset_;  // of packed row k; kNoRow where the row is padding
};

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_WEIGHTS_WEIGHTS_PACKER_H_
