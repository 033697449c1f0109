// Memory objects and descriptors, complete.
#ifndef DNNL_MEMORY_HPP
#define DNNL_MEMORY_HPP

#include "dnnl/memory_desc.hpp"

namespace dnnl {
inline namespace tandem_v1 {

inline memory::memory(const desc& md, const engine& aengine, void* data) {
  dnnl_memory_t result = nullptr;
  detail::check(tandem_memory_create(&result, &md.data, aengine.get(true), data));
  reset(result);
}

inline memory::memory(const desc& md, const engine& aengine) : memory(md, aengine, DNNL_MEMORY_ALLOCATE) {}

inline memory::memory(const desc& md, const engine& aengine, std::vector<void*> data)
    : memory(md, aengine, data.empty() ? DNNL_MEMORY_NONE : data[0]) {
  validate_container_size(data, "memory: more data handles than buffers", 0, 1);
}

namespace detail {

// The data type of a value of a C++ type; undef where it is none of ours.
template <typename T>
struct data_type_of {
  static constexpr memory_data_type value = std::is_same<T, float>::value     ? memory_data_type::f32
                                            : std::is_same<T, int32_t>::value ? memory_data_type::s32
                                            : std::is_same<T, int8_t>::value  ? memory_data_type::s8
                                            : std::is_same<T, uint8_t>::value ? memory_data_type::u8
                                                                              : memory_data_type::undef;
};

// Throws unless `md` describes one element of `type`.
inline void check_holds_one(const memory::desc& md, memory::data_type type) {
  // Dims that nobody has checked yet: the product saturates.
  constexpr memory::dim most = INT64_MAX;
  memory::dim elements = md.is_zero() ? 0 : 1;
  for (const memory::dim dim : md.get_dims()) {
    elements = dim <= 0 ? 0 : elements > most / dim ? most : elements * dim;
  }
  if (elements != 1) {
    fail_invalid("memory: the descriptor has " + std::to_string(elements) +
                 " elements, but must have 1 to hold a value");
  }
  if (type == memory::data_type::undef || type != md.get_data_type()) {
    fail_invalid(std::string("memory: the value is of data type ") + tandem_data_type2str(memory::convert_to_c(type)) +
                 ", but the descriptor has " + tandem_data_type2str(memory::convert_to_c(md.get_data_type())));
  }
}

}  // namespace detail

template <typename T, typename std::enable_if<std::is_arithmetic<T>::value && !std::is_same<T, bool>::value, int>::type>
memory::memory(const desc& md, T value) {
  detail::check_holds_one(md, detail::data_type_of<T>::value);
  *this = memory(md, engine(engine::kind::cpu, 0));
  map_data<T>()[md.data.offset0] = value;
}

inline memory::desc memory::get_desc() const {
  const struct dnnl_memory_desc* md = nullptr;
  detail::check(tandem_memory_get_desc(get(), &md));
  return desc(*md);
}

inline engine memory::get_engine() const {
  dnnl_engine_t result = nullptr;
  detail::check(tandem_memory_get_engine(get(), &result));
  return engine(result);
}

inline void* memory::get_data_handle(int index) const {
  if (index != 0) detail::fail(dnnl_invalid_arguments, "memory: the index of a data handle is not 0");
  void* data = nullptr;
  detail::check(tandem_memory_get_data(get(), &data));
  return data;
}

inline void memory::set_data_handle(void* data, int index) const {
  if (index != 0) detail::fail(dnnl_invalid_arguments, "memory: the index of a data handle is not 0");
  detail::check(tandem_memory_set_data(get(), data));
}

inline void memory::set_data_handle(void* data, const stream& astream) const {
  astream.get();
  set_data_handle(data);
}

inline void memory::unmap_data(void* mapped, int index) const {
  if (mapped != get_data_handle(index)) {
    detail::fail(dnnl_invalid_arguments, "memory: unmap_data() was given a pointer that map_data() did not return");
  }
}

inline size_t memory::data_type_size(data_type type) { return tandem_data_type_size(convert_to_c(type)); }

}  // namespace tandem_v1
}  // namespace dnnl

#endif
