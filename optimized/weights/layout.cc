#include "optimized/weights/layout.h"

#include <algorithm>
#include <string>

#include "api/core/error.h"
#include "api/core/memory/memory_desc_checks.h"
#include "optimized/weights/element.h"

namespace tandem {
namespace optimized {
namespace {

// Three or four gates of one block, two gates of two, one gate of four: never more than kMaxPanelVectors.
Dim PanelBlocks(Dim gates) { return gates >= 3 ? 1 : kMaxPanelVectors / gates; }

void AddPart(PackedLayout* layout, Dim first_gate, Dim gates) {
  PackedPart* part = &layout->part[layout->n_parts++];
  part->first_gate = first_gate;
  part->gates = gates;
  part->panel_blocks = PanelBlocks(gates);
  part->first_column = first_gate * layout->blocks * kBlock;
  part->offset = part->first_column * layout->k_padded;
}

// Padding to whole blocks makes a tensor larger than its plain form, whose size was checked.
void CheckSize(const PackedLayout& layout) {
  Dim bytes = CheckedProduct(layout.columns, layout.k_padded + 1, "packed weights");  // + 1: column sums
  for (const Dim factor : {layout.n_layer, layout.n_dir, Dim{sizeof(int32_t)}}) {
    bytes = CheckedProduct(bytes, factor, "packed weights");
  }
}

const PackedPart& PartOf(const PackedLayout& layout, Dim gate) {
  return layout.n_parts == 2 && gate >= layout.part[1].first_gate ? layout.part[1] : layout.part[0];
}

}  // namespace

PackedLayout MakePackedLayout(const MemoryDesc& logical, PackedKind kind, DataType storage, GatePasses passes) {
  const bool has_gates = logical.ndims == 5;
  const Dim inputs = logical.dims[2];
  const Dim gates = has_gates ? logical.dims[3] : 1;
  const Dim outputs = logical.dims[has_gates ? 4 : 3];
  // Each is padded below, and may be multiplied with the gates.
  for (const Dim dim : {inputs, outputs}) CheckedProduct(dim, kMaxPanelVectors * kBlock, "packed weights");

  PackedLayout layout;
  layout.kind = kind;
  layout.storage = storage;
  layout.passes = passes;
  layout.n_layer = logical.dims[0];
  layout.n_dir = logical.dims[1];
  const bool transposed = kind == PackedKind::kTransposed;
  layout.k = transposed ? gates * RoundUp(outputs, kBlock) : inputs;
  layout.gates = transposed ? 1 : gates;
  layout.units = transposed ? inputs : outputs;

  layout.group = GroupOf(storage);
  layout.k_padded = RoundUp(layout.k, PaddingOf(storage));
  layout.blocks = CeilDiv(layout.units, kBlock);
  layout.columns = layout.gates * layout.blocks * kBlock;
  CheckSize(layout);
  if (passes == GatePasses::kCandidateSecond && !transposed) {
    AddPart(&layout, 0, layout.gates - 1);
    AddPart(&layout, layout.gates - 1, 1);
  } else {
    AddPart(&layout, 0, layout.gates);
  }
  layout.slice_bytes = static_cast<size_t>(layout.columns * layout.k_padded) * SizeOf(storage);
  const size_t slices = static_cast<size_t>(layout.n_layer * layout.n_dir);
  layout.column_sums_offset = slices * layout.slice_bytes;
  layout.bytes = layout.column_sums_offset;
  if (layout.HasColumnSums()) layout.bytes += slices * static_cast<size_t>(layout.columns) * sizeof(int32_t);
  return layout;
}

MemoryDesc MakePackedDesc(const MemoryDesc& logical, const PackedLayout& layout) {
  MemoryDesc md = {};
  md.ndims = logical.ndims;
  std::copy(logical.dims, logical.dims + logical.ndims, md.dims);
  std::copy(logical.dims, logical.dims + logical.ndims, md.padded_dims);
  md.data_type = logical.data_type;
  md.format_kind = dnnl_format_kind_opaque;
  dnnl_packed_desc_t* packed = &md.format_desc.packed;
  packed->layout = static_cast<uint32_t>(layout.kind);
  packed->version = kPackedVersion;
  packed->size = static_cast<int64_t>(layout.bytes);
  packed->params[0] = static_cast<int64_t>(layout.storage);
  packed->params[1] = static_cast<int64_t>(layout.passes);
  return md;
}

namespace {

// Clients may write any dims into a descriptor.
bool HasPossibleGates(const MemoryDesc& packed, GatePasses passes) {
  const Dim gates = packed.ndims == 5 ? packed.dims[3] : 1;
  return gates >= (passes == GatePasses::kCandidateSecond ? 2 : 1) && gates <= kMaxPanelVectors;
}

}  // namespace

PackedLayout PackedLayoutOf(const MemoryDesc& packed) {
  if (!IsOpaque(packed)) ThrowInvalid("weights: expected an opaque (packed) memory descriptor");
  const dnnl_packed_desc_t& desc = packed.format_desc.packed;
  if (desc.version != kPackedVersion) {
    ThrowInvalid("weights: packed with layout version " + std::to_string(desc.version) +
                 ", this library reads version " + std::to_string(kPackedVersion));
  }
  const auto kind = static_cast<PackedKind>(desc.layout);
  const auto storage = static_cast<DataType>(desc.params[0]);
  const auto passes = static_cast<GatePasses>(desc.params[1]);
  const bool known = (kind == PackedKind::kForward || kind == PackedKind::kTransposed) &&
                     (IsFloating(storage) || storage == DataType::kS8) &&
                     (passes == GatePasses::kOne || passes == GatePasses::kCandidateSecond) &&
                     (packed.ndims == 4 || packed.ndims == 5) && HasPossibleGates(packed, passes);
  if (!known) ThrowInvalid("weights: opaque memory descriptor was not made by this library");
  const PackedLayout layout = MakePackedLayout(packed, kind, storage, passes);
  if (static_cast<int64_t>(layout.bytes) != desc.size) {
    ThrowInvalid("weights: packed descriptor says " + std::to_string(desc.size) + " bytes, its dims need " +
                 std::to_string(layout.bytes));
  }
  return layout;
}

Dim Column(const PackedLayout& layout, Dim gate, Dim unit) {
  const PackedPart& part = PartOf(layout, gate);
  const Dim vector = unit / kBlock * part.gates + (gate - part.first_gate);
  return part.first_column + vector * kBlock + unit % kBlock;
}

Dim PackedOffset(const PackedLayout& layout, Dim k, Dim gate, Dim unit) {
  const Dim lane = unit % kBlock;
  const Dim stream = (Column(layout, gate, unit) - lane) * layout.k_padded;
  return stream + (k / layout.group * kBlock + lane) * layout.group + k % layout.group;
}

}  // namespace optimized
}  // namespace tandem
