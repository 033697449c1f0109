#include "api/library/primitives/id_builder.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

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

// Appends values of the types that the fields of attributes have. A container is preceded by its size.
class FieldAppender {
 public:
  explicit FieldAppender(IdBuilder* id) : id_(*id) {}

  template <class Struct>
  void AddFields(const Struct& value) {
    std::apply([this](const auto&... field) { (this->Add(field), ...); }, Fields(value));
  }

 private:
  template <class Number>
  void Add(Number number) {
    id_.Add(number);
  }
  void Add(const MemoryDesc& md) { id_.Add(md); }
  void Add(const ScaleVector& scales) { AddFields(scales); }
  void Add(const LayerNorm& norm) { AddFields(norm); }
  void Add(const PostOp& op) { AddFields(op); }
  void Add(const ActivationFunction& function) { AddFields(function); }
  void Add(const GateFunctions& gates) { AddFields(gates); }
  template <class First, class Second>
  void Add(const std::pair<First, Second>& pair) {
    Add(pair.first);
    Add(pair.second);
  }
  void Add(const std::vector<float>& values) { AddNumbers(values); }
  void Add(const std::vector<int32_t>& values) { AddNumbers(values); }
  void Add(const std::vector<PostOp>& ops) { AddEach(ops); }
  void Add(const std::set<int>& values) { AddEach(values); }
  template <class Value>
  void Add(const std::map<int, Value>& values) {
    AddEach(values);
  }
  template <class Number>
  void AddNumbers(const std::vector<Number>& numbers) {
    id_.Add(numbers.size()).AddBytes(numbers.data(), numbers.size() * sizeof(Number));
  }
  template <class Container>
  void AddEach(const Container& container) {
    id_.Add(container.size());
    for (const auto& element : container) Add(element);
  }

  IdBuilder& id_;
};

}  // namespace

IdBuilder& IdBuilder::AddBytes(const void* data, size_t size) {
  const auto* bytes = static_cast<const uint8_t*>(data);
  id_.insert(id_.end(), bytes, bytes + size);
  return *this;
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

IdBuilder& IdBuilder::Add(const Attributes& attr) {
  FieldAppender(this).AddFields(attr);
  return *this;
}

IdBuilder& IdBuilder::Add(const tandem_primitive_attr& attr) { return Add(attr.value).Add(attr.accumulation_mode); }

}  // namespace tandem
