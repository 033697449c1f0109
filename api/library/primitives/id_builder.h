// Writes the content of a descriptor as bytes.
#ifndef TANDEM_API_LIBRARY_PRIMITIVES_ID_BUILDER_H_
#define TANDEM_API_LIBRARY_PRIMITIVES_ID_BUILDER_H_

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "api/library/attr.h"

namespace tandem {

// A sequence of bytes that is equal for equal values: get_cache_blob_id(), and the key of the cache. Floats are equal if
// their bits are.
class IdBuilder {
 public:
  IdBuilder() { id_.reserve(2048); }  // an LSTM without gradients

  template <class Number>
  IdBuilder& Add(Number value) {
    static_assert(std::is_arithmetic_v<Number> || std::is_enum_v<Number>, "a struct may have padding");
    return AddBytes(&value, sizeof value);
  }
  IdBuilder& Add(const std::string& text);
  // All that any check or any layout depends on, also of a descriptor that is not well-formed.
  IdBuilder& Add(const MemoryDesc& md);
  // Every field of it.
  IdBuilder& Add(const Attributes& attr);
  // Also what no computation depends on.
  IdBuilder& Add(const tandem_primitive_attr& attr);
  IdBuilder& AddBytes(const void* data, size_t size);
  std::vector<uint8_t> Build() { return std::move(id_); }

 private:
  std::vector<uint8_t> id_;
};

}  // namespace tandem

#endif  // TANDEM_API_LIBRARY_PRIMITIVES_ID_BUILDER_H_
