// dnnl::memory: a data handle together with a descriptor of what lies behind it.
#ifndef DNNL_MEMORY_BASE_HPP
#define DNNL_MEMORY_BASE_HPP

#include <type_traits>
#include <vector>

#include "dnnl/engine.hpp"
#include "dnnl/memory_enums.hpp"

namespace dnnl {
inline namespace tandem_v1 {

struct memory : public handle<dnnl_memory_t> {
  using dim = dnnl_dim_t;
  using dims = std::vector<dim>;
  using data_type = detail::memory_data_type;
  using format_kind = detail::memory_format_kind;
  using format_tag = detail::memory_format_tag;
  struct desc;

  memory() = default;
  using handle<dnnl_memory_t>::handle;

  // `data`: the caller's buffer, of at least (offset0 elements +) md.get_size() bytes, which must
  // outlive the object; DNNL_MEMORY_NONE (to be set later); or DNNL_MEMORY_ALLOCATE (owned by the
  // object, 64-byte aligned). Throws invalid_arguments for an `any` descriptor, out_of_memory.
  memory(const desc& md, const engine& aengine, void* data);
  // Allocates. A zero descriptor gives a memory without a buffer.
  memory(const desc& md, const engine& aengine);
  // One handle for each buffer of the descriptor; all of ours have one.
  memory(const desc& md, const engine& aengine, std::vector<void*> data);

  // Holds `value`, of the descriptor's data type (f32, s32, s8 or u8); else, and for a descriptor of not exactly one
  // element, throws invalid_arguments.
  template <typename T,
            typename std::enable_if<std::is_arithmetic<T>::value && !std::is_same<T, bool>::value, int>::type = 0>
  memory(const desc& md, T value);

  desc get_desc() const;
  engine get_engine() const;

  void* get_data_handle(int index = 0) const;
  void set_data_handle(void* data, int index = 0) const;
  // Work that was given to `astream` before this call still uses the old buffer.
  void set_data_handle(void* data, const stream& astream) const;

  // Host access; on a CPU the buffer itself.
  template <typename T = void>
  T* map_data(int index = 0) const {
    return static_cast<T*>(get_data_handle(index));
  }
  void unmap_data(void* mapped, int index = 0) const;

  // Bytes of one element; 0 for undef and types that nothing here computes with.
  static size_t data_type_size(data_type type);
  static dnnl_data_type_t convert_to_c(data_type type) { return detail::enum_cast<dnnl_data_type_t>(type); }
  static dnnl_format_tag_t convert_to_c(format_tag tag) { return detail::enum_cast<dnnl_format_tag_t>(tag); }
  template <typename T>
  static void validate_dims(const std::vector<T>& v, int min_size = 0) {
    validate_container_size(v, "dimensions are invalid", min_size, DNNL_MAX_NDIMS);
  }
};

inline dnnl_data_type_t convert_to_c(memory::data_type type) { return memory::convert_to_c(type); }
inline dnnl_format_kind_t convert_to_c(memory::format_kind kind) { return detail::enum_cast<dnnl_format_kind_t>(kind); }
inline dnnl_format_tag_t convert_to_c(memory::format_tag tag) { return memory::convert_to_c(tag); }

namespace detail {

// Found by argument-dependent lookup: the enumerations live in this namespace.
inline bool operator==(dnnl_data_type_t a, memory_data_type b) { return a == enum_cast<dnnl_data_type_t>(b); }
inline bool operator!=(dnnl_data_type_t a, memory_data_type b) { return !(a == b); }
inline bool operator==(memory_data_type a, dnnl_data_type_t b) { return b == a; }
inline bool operator!=(memory_data_type a, dnnl_data_type_t b) { return !(b == a); }
inline bool operator==(dnnl_format_tag_t a, memory_format_tag b) { return a == enum_cast<dnnl_format_tag_t>(b); }
inline bool operator!=(dnnl_format_tag_t a, memory_format_tag b) { return !(a == b); }
inline bool operator==(memory_format_tag a, dnnl_format_tag_t b) { return b == a; }
inline bool operator!=(memory_format_tag a, dnnl_format_tag_t b) { return !(b == a); }

}  // namespace detail

}  // namespace tandem_v1
}  // namespace dnnl

#endif
