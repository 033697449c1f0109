// Memory objects and descriptors, complete.
#ifndef DNNL_MEMORY_HPP
#define DNNL_MEMORY_HPP

#include "dnnl/memory_desc.hpp"

namespace dnnl {
inline namespace tandem_v1 {

inline memory::memory(const desc& md, const engine& aengine, void* data) {
  dnnl_memory_t result = nullptr;
  detail::check(tandem_memory_create(&result, &md.data, aengine.get(), data));
  reset(result);
}

inline memory::memory(const desc& md, const engine& aengine) : memory(md, aengine, DNNL_MEMORY_ALLOCATE) {}

inline memory::memory(const desc& md, const engine& aengine, std::vector<void*> data)
    : memory(md, aengine, data.empty() ? DNNL_MEMORY_NONE : data[0]) {
  validate_container_size(data, "memory: more data handles than buffers", 0, 1);
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
  if (index != 0) throw error(dnnl_invalid_arguments, "memory: the index of a data handle is not 0");
  void* data = nullptr;
  detail::check(tandem_memory_get_data(get(), &data));
  return data;
}

inline void memory::set_data_handle(void* data, int index) const {
  if (index != 0) throw error(dnnl_invalid_arguments, "memory: the index of a data handle is not 0");
  detail::check(tandem_memory_set_data(get(), data));
}

inline void memory::set_data_handle(void* data, const stream& astream) const {
  astream.get();
  set_data_handle(data);
}

inline void memory::unmap_data(void* mapped, int index) const {
  if (mapped != get_data_handle(index)) {
    throw error(dnnl_invalid_arguments, "memory: unmap_data() was given a pointer that map_data() did not return");
  }
}

inline size_t memory::data_type_size(data_type type) { return tandem_data_type_size(convert_to_c(type)); }

}  // namespace tandem_v1
}  // namespace dnnl

#endif
