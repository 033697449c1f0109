#include "optimized/weights/weights_packer.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <type_traits>

#include "api/core/attributes/quantization.h"
#include "api/core/error.h"
#include "optimized/weights/element.h"

namespace tandem {
namespace optimized {
namespace {

constexpr Dim kNoRow = -1;

float RoundTo(DataType type, float x) {
  return VisitFloating(type, [&](auto element) { return element.Load(element.From(x)); });
}

}  // namespace

// One panel of one slice.
struct WeightsPacker::Panel {
  Dim l, d;
  const PackedPart* part;
  Dim first_block;
  Dim blocks;
  Dim plain_offset;  // of the slice, in elements
};

WeightsPacker::WeightsPacker(const MemoryDesc& plain, const PackedLayout& layout, DataType value_type,
                             const ScaleVector& scales)
    : layout_(layout),
      plain_type_(TypeOf(plain)),
      value_type_(value_type),
      scales_(scales),
      channels_(plain.dims[plain.ndims - 1]),
      base_(plain.offset0),
      layer_stride_(Strides(plain)[0]),
      dir_stride_(Strides(plain)[1]) {
  const bool transposed = layout.kind == PackedKind::kTransposed;
  gate_stride_ = plain.ndims == 5 && !transposed ? Strides(plain)[3] : 0;
  unit_stride_ = transposed ? Strides(plain)[2] : Strides(plain)[plain.ndims - 1];
  for (int p = 0; p < layout.n_parts; ++p) {
    panels_per_slice_ += CeilDiv(layout.blocks, layout.part[p].panel_blocks);
  }
  const Dim gates = plain.ndims == 5 ? plain.dims[3] : 1;
  const Dim wanted = scales.mask == 0 ? 1 : gates * channels_;
  if (static_cast<Dim>(scales.values.size()) != wanted) {
    ThrowInvalid("weights scales: mask " + std::to_string(scales.mask) + " needs " + std::to_string(wanted) +
                 " values, the attribute has " + std::to_string(scales.values.size()));
  }
  BuildRowOffsets(plain);
}

void WeightsPacker::BuildRowOffsets(const MemoryDesc& plain) {
  row_offset_.assign(static_cast<size_t>(layout_.k_padded), kNoRow);
  if (layout_.kind == PackedKind::kForward) {
    for (Dim k = 0; k < layout_.k; ++k) row_offset_[k] = k * Strides(plain)[2];
    return;
  }
  // Row k of the transposed matrix is column k of the forward one.
  const PackedLayout forward = MakePackedLayout(plain, PackedKind::kForward, layout_.storage, layout_.passes);
  for (Dim gate = 0; gate < forward.gates; ++gate) {
    for (Dim unit = 0; unit < forward.units; ++unit) {
      const Dim gate_offset = plain.ndims == 5 ? gate * Strides(plain)[3] : 0;
      row_offset_[Column(forward, gate, unit)] = gate_offset + unit * Strides(plain)[plain.ndims - 1];
    }
  }
}

WeightsPacker::Panel WeightsPacker::PanelAt(Dim index) const {
  const Dim slice = index / panels_per_slice_;
  Dim at = index % panels_per_slice_;
  const PackedPart* part = &layout_.part[0];
  const Dim panels = CeilDiv(layout_.blocks, part->panel_blocks);
  if (at >= panels) {
    part = &layout_.part[1];
    at -= panels;
  }
  Panel panel;
  panel.l = slice / layout_.n_dir;
  panel.d = slice % layout_.n_dir;
  panel.part = part;
  panel.first_block = at * part->panel_blocks;
  panel.blocks = std::min(part->panel_blocks, layout_.blocks - panel.first_block);
  panel.plain_offset = base_ + panel.l * layer_stride_ + panel.d * dir_stride_;
  return panel;
}

// Calls visit(row, gate, first unit, real units of the block, packed element offset of lane 0) for every row and vector
// of the panel, row by row, because a plain row's gates often share a page. The offset is relative to the tensor.
template <class Visit>
void WeightsPacker::VisitGroups(const Panel& panel, const Visit& visit) const {
  const PackedPart& part = *panel.part;
  const Dim slice_elements = static_cast<Dim>(layout_.slice_bytes / SizeOf(layout_.storage));
  const Dim start = (panel.l * layout_.n_dir + panel.d) * slice_elements +
                    PackedOffset(layout_, 0, part.first_gate, panel.first_block * kBlock);
  const Dim vectors = panel.blocks * part.gates;
  for (Dim k = 0; k < layout_.k_padded; ++k) {
    const Dim row_start = start + k / layout_.group * kBlock * layout_.group + k % layout_.group;
    for (Dim vector = 0; vector < vectors; ++vector) {
      const Dim unit = (panel.first_block + vector / part.gates) * kBlock;
      const Dim real = std::min(kBlock, layout_.units - unit);
      visit(k, part.first_gate + vector % part.gates, unit, real, row_start + vector * kBlock * layout_.k_padded);
    }
  }
}

template <class From, class To>
void WeightsPacker::PackAs(const Panel& panel, const void* plain, void* packed) const {
  const auto* from = static_cast<const typename From::Stored*>(plain) + panel.plain_offset;
  auto* to = static_cast<typename To::Stored*>(packed);
  const bool round_first = value_type_ != DataType::kF32 && value_type_ != layout_.storage;
  const bool copied = std::is_same<From, To>::value && !round_first && unit_stride_ == 1 && layout_.group == 1;
  VisitGroups(panel, [&](Dim k, Dim gate, Dim unit, Dim real, Dim offset) {
    if (row_offset_[k] == kNoRow) real = 0;
    const auto* row = from + row_offset_[k] + gate * gate_stride_ + unit * unit_stride_;
    if (copied && real == kBlock) {
      std::memcpy(to + offset, row, kBlock * sizeof(*to));
      return;
    }
    for (Dim lane = 0; lane < real; ++lane) {
      const float value = From::Load(row[lane * unit_stride_]);
      to[offset + lane * layout_.group] = To::From(round_first ? RoundTo(value_type_, value) : value);
    }
    for (Dim lane = real; lane < kBlock; ++lane) to[offset + lane * layout_.group] = {};
  });
}

template <class From, class To>
void WeightsPacker::UnpackAs(const Panel& panel, const void* packed, void* plain) const {
  const auto* from = static_cast<const typename From::Stored*>(packed);
  auto* to = static_cast<typename To::Stored*>(plain) + panel.plain_offset;
  VisitGroups(panel, [&](Dim k, Dim gate, Dim unit, Dim real, Dim offset) {
    if (row_offset_[k] == kNoRow) return;
    auto* row = to + row_offset_[k] + gate * gate_stride_ + unit * unit_stride_;
    for (Dim lane = 0; lane < real; ++lane) {
      row[lane * unit_stride_] = To::From(From::Load(from[offset + lane * layout_.group]));
    }
  });
}

template <class From>
void WeightsPacker::PackQuantized(const Panel& panel, const void* plain, void* packed) const {
  const auto* from = static_cast<const typename From::Stored*>(plain) + panel.plain_offset;
  auto* to = static_cast<int8_t*>(packed);
  const bool scaled = plain_type_ != DataType::kS8;  // s8 values are quantized already
  auto* sums = reinterpret_cast<int32_t*>(to + ColumnSumsOffset(layout_, panel.l, panel.d));
  const Dim first = Column(layout_, panel.part->first_gate, panel.first_block * kBlock);
  std::fill_n(sums + first, panel.blocks * panel.part->gates * kBlock, 0);
  VisitGroups(panel, [&](Dim k, Dim gate, Dim unit, Dim real, Dim offset) {
    if (row_offset_[k] == kNoRow) real = 0;
    const auto* row = from + row_offset_[k] + gate * gate_stride_ + unit * unit_stride_;
    const Dim column = Column(layout_, gate, unit);
    for (Dim lane = 0; lane < kBlock; ++lane) {
      int8_t value = 0;
      if (lane < real) {
        const float x = From::Load(row[lane * unit_stride_]);
        value = QuantizeWeight(x, scaled ? scales_.At(gate * channels_ + unit + lane) : 1.f);
      }
      to[offset + lane * layout_.group] = value;
      sums[column + lane] += value;
    }
  });
}

template <class To>
void WeightsPacker::UnpackQuantized(const Panel& panel, const void* packed, void* plain) const {
  const auto* from = static_cast<const int8_t*>(packed);
  auto* to = static_cast<typename To::Stored*>(plain) + panel.plain_offset;
  VisitGroups(panel, [&](Dim k, Dim gate, Dim unit, Dim real, Dim offset) {
    if (row_offset_[k] == kNoRow) return;
    auto* row = to + row_offset_[k] + gate * gate_stride_ + unit * unit_stride_;
    for (Dim lane = 0; lane < real; ++lane) {
      const float scale = scales_.At(gate * channels_ + unit + lane);
      row[lane * unit_stride_] = To::From(DequantizeWeight(from[offset + lane * layout_.group], scale));
    }
  });
}

void WeightsPacker::PackPanel(Dim index, const void* plain, void* packed) const {
  const Panel panel = PanelAt(index);
  if (layout_.storage == DataType::kS8) {
    if (plain_type_ == DataType::kS8) return PackQuantized<S8Element>(panel, plain, packed);
    return VisitFloating(plain_type_, [&](auto from) { PackQuantized<decltype(from)>(panel, plain, packed); });
  }
  VisitFloating(layout_.storage, [&](auto to) {
    VisitFloating(plain_type_, [&](auto from) { PackAs<decltype(from), decltype(to)>(panel, plain, packed); });
  });
}

void WeightsPacker::UnpackStrip(Dim index, const void* packed, void* plain) const {
  const Panel panel = PanelAt(index);
  if (layout_.storage == DataType::kS8) {
    if (plain_type_ == DataType::kS8) return UnpackAs<S8Element, S8Element>(panel, packed, plain);
    return VisitFloating(plain_type_, [&](auto to) { UnpackQuantized<decltype(to)>(panel, packed, plain); });
  }
  VisitFloating(layout_.storage, [&](auto from) {
    VisitFloating(plain_type_, [&](auto to) { UnpackAs<decltype(from), decltype(to)>(panel, packed, plain); });
  });
}

void WeightsPacker::Pack(const void* plain, void* packed) const {
  for (Dim panel = 0; panel < panels(); ++panel) PackPanel(panel, plain, packed);
}

void WeightsPacker::Unpack(const void* packed, void* plain) const {
  for (Dim panel = 0; panel < panels(); ++panel) UnpackStrip(panel, packed, plain);
}

}  // namespace optimized
}  // namespace tandem
