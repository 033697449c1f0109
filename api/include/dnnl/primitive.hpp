// Primitives and their descriptors, complete.
#ifndef DNNL_PRIMITIVE_HPP
#define DNNL_PRIMITIVE_HPP

#include "dnnl/primitive_desc.hpp"

namespace dnnl {
inline namespace tandem_v1 {

inline primitive::primitive(const_dnnl_primitive_desc_t pd) {
  dnnl_primitive_t result = nullptr;
  detail::check(tandem_primitive_create(&result, pd));
  reset(result);
}

inline primitive::primitive(const primitive_desc_base& pd)
    : primitive(static_cast<const_dnnl_primitive_desc_t>(pd.get())) {}

inline primitive::primitive(const_dnnl_primitive_desc_t pd, const std::vector<uint8_t>& cache_blob) {
  dnnl_primitive_t result = nullptr;
  detail::check(tandem_primitive_create_from_cache_blob(&result, pd, cache_blob.size(), cache_blob.data()));
  reset(result);
}

inline primitive::primitive(const primitive_desc_base& pd, const std::vector<uint8_t>& cache_blob)
    : primitive(static_cast<const_dnnl_primitive_desc_t>(pd.get()), cache_blob) {}

inline const_dnnl_primitive_desc_t primitive::get_primitive_desc() const {
  const_dnnl_primitive_desc_t pd = nullptr;
  detail::check(tandem_primitive_get_desc(get(), &pd));
  return pd;
}

inline primitive::kind primitive::get_kind() const {
  int64_t value = 0;
  detail::check(tandem_primitive_desc_query_int(get_primitive_desc(), dnnl_query_primitive_kind, &value));
  return static_cast<kind>(value);
}

// A primitive keeps nothing that is expensive to make, so the blob only says which descriptor it belongs to.
inline std::vector<uint8_t> primitive::get_cache_blob() const {
  size_t size = 0;
  const uint8_t* bytes = nullptr;
  detail::check(tandem_primitive_desc_get_cache_blob_id(get_primitive_desc(), &size, &bytes));
  return std::vector<uint8_t>(bytes, bytes + size);
}

inline void primitive::execute(const stream& astream, const std::unordered_map<int, memory>& args) const {
  // More than any primitive here takes (26, an RNN backward with everything), so that only a map
  // full of entries that nobody needs leads to an allocation.
  dnnl_exec_arg_t on_stack[64];
  std::vector<dnnl_exec_arg_t> on_heap;
  if (args.size() > 64) on_heap.resize(args.size());
  dnnl_exec_arg_t* list = args.size() > 64 ? on_heap.data() : on_stack;
  int count = 0;
  for (const auto& arg : args) {
    list[count].arg = arg.first;
    list[count].memory = arg.second.get(true);
    ++count;
  }
  detail::check(tandem_primitive_execute(get(true), astream.get(true), count, list));
}

}  // namespace tandem_v1
}  // namespace dnnl

#endif
