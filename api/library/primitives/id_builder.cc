#include "api/library/primitives/id_builder.h"

#include <algorithm>

namespace tandem {
namespace {

// The numbers of one memory descriptor, so that they are appended at once.
class Words {
 public:
  void Add(int64_t word) { words_[count_++] = word; }
  void Add(const Dim* dims, int ndims) {
    std::copy_n(dims, ndims, words_ + count_);
    count_ += ndims;
  }
  const void* data() const { return words_; }
  size_t bytes() const { return sizeof *words_ * static_cast<size_t>(count_); }

 private:
  int64_t words_[16 + 4 * DNNL_MAX_NDIMS];  // those of Add() below, of which a descriptor has either strides or params
  int count_ = 0;
};

}  // namespace

IdBuilder& IdBuilder::AddBytes(const void* data, size_t size) {
  const auto* bytes = static_cast<const uint8_t*>(data);
  id_.insert(id_.end(), bytes, bytes + size);
  return *this;
}

template <class Number>
IdBuilder& IdBuilder::AddVector(const std::vector<Number>& values) {
  return Add(values.size()).AddBytes(values.data(), values.size() * sizeof(Number));
}

IdBuilder& IdBuilder::Add(const std::string& text) { return Add(text.size()).AddBytes(text.data(), text.size()); }

IdBuilder& IdBuilder::Add(const MemoryDesc& md) {
  Add(md.ndims);
  if (md.ndims <= 0 || md.ndims > DNNL_MAX_NDIMS) return *this;  // absent, or refused whatever else it has
  Words words;
  words.Add(md.data_type), words.Add(md.format_kind), words.Add(md.offset0);
  words.Add(static_cast<int64_t>(md.extra.flags));
  words.Add(md.dims, md.ndims), words.Add(md.padded_dims, md.ndims), words.Add(md.padded_offsets, md.ndims);
  if (md.format_kind == dnnl_blocked) {
    words.Add(md.format_desc.blocking.inner_nblks);
    words.Add(Strides(md), md.ndims);
  } else if (IsOpaque(md)) {
    const dnnl_packed_desc_t& packed = md.format_desc.packed;
    words.Add(packed.layout), words.Add(packed.version), words.Add(packed.size);
    for (const int64_t param : packed.params) words.Add(param);
  }
  return AddBytes(words.data(), words.bytes());
}

IdBuilder& IdBuilder::AddScales(const ScaleVector& scales) {
  return Add(scales.mask).Add(scales.given).AddVector(scales.values);
}

IdBuilder& IdBuilder::Add(const Attributes& attr) {
  Add(attr.scratchpad_mode).Add(attr.fpmath_mode).Add(attr.fpmath_applies_to_int);
  Add(attr.reading)
      .Add(attr.deterministic)
      .Add(attr.rnn_sequence_lengths)
      .Add(attr.rnn_dynamic_quantization)
      .Add(attr.rnn_data_scale)
      .Add(attr.rnn_data_shift);
  AddScales(attr.rnn_weights).AddScales(attr.rnn_weights_projection).AddScales(attr.output_scales);
  for (const auto* masks : {&attr.scale_masks, &attr.zero_point_masks}) {
    Add(masks->size());
    for (const auto& entry : *masks) Add(entry.first).Add(entry.second);
  }
  for (const auto* arguments : {&attr.unserved_scales, &attr.unserved_zero_points}) {
    Add(arguments->size());
    for (const int argument : *arguments) Add(argument);
  }
  Add(attr.scales.size());
  for (const auto& entry : attr.scales) Add(entry.first).AddScales(entry.second);
  Add(attr.zero_points.size());
  for (const auto& entry : attr.zero_points) Add(entry.first).Add(entry.second.first).AddVector(entry.second.second);
  Add(attr.post_ops.size());
  for (const PostOp& op : attr.post_ops) {
    Add(op.kind).Add(op.scale).Add(op.zero_point).Add(op.type);
    Add(op.algorithm).Add(op.alpha).Add(op.beta).Add(op.mask).Add(op.src1);
  }
  return *this;
}

IdBuilder& IdBuilder::Add(const tandem_primitive_attr& attr) {
  return Add(attr.value).Add(attr.accumulation_mode);
}

}  // namespace tandem
