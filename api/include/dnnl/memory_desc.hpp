// memory::desc: dims, data type and layout of a tensor. A value: copies are independent.
#ifndef DNNL_MEMORY_DESC_HPP
#define DNNL_MEMORY_DESC_HPP

#include <cstring>

#include "dnnl/memory_base.hpp"

namespace dnnl {
inline namespace tandem_v1 {

// A default-constructed descriptor is a zero descriptor: it says that a tensor is absent. Constructors throw
// invalid_arguments (with allow_empty: give a zero descriptor) for a negative dim, more than 12 dims, a tag or strides
// of another rank, and strides that let elements overlap (spec/memory_formats.txt).
struct memory::desc {
  // Read and written by clients of the operation-descriptor generation.
  dnnl_memory_desc data;

  desc() { std::memset(&data, 0, sizeof data); }
  // Dense, in the order of `tag`; format_tag::any leaves the layout to the primitive.
  desc(const memory::dims& adims, memory::data_type adata_type, memory::format_tag aformat_tag,
       bool allow_empty = false) {
    settle(tandem_memory_desc_init_by_tag(&data, rank(adims), adims.data(), memory::convert_to_c(adata_type),
                                          memory::convert_to_c(aformat_tag)),
           allow_empty);
  }
  // Strides in elements; an empty vector means dense and row-major. A stride of 0 repeats one element.
  desc(const memory::dims& adims, memory::data_type adata_type, const memory::dims& strides, bool allow_empty = false) {
    if (!strides.empty() && strides.size() != adims.size()) {
      refuse(
          "memory::desc: " + std::to_string(strides.size()) + " strides for " + std::to_string(adims.size()) + " dims",
          allow_empty);
      return;
    }
    settle(tandem_memory_desc_init_by_strides(&data, rank(adims), adims.data(), memory::convert_to_c(adata_type),
                                              strides.empty() ? nullptr : strides.data()),
           allow_empty);
  }
  desc(const struct dnnl_memory_desc& adata) : data(adata) {}
  desc(const struct dnnl_memory_desc* adata) { copy(adata); }
#ifdef DNNL_C_API_V3
  // Generation 3: takes over what a C function made. `adata` is destroyed.
  desc(dnnl_memory_desc_t adata) {
    copy(adata);
    tandem_memory_desc_destroy(adata);
  }
#endif
  // The inverse of get_blob().
  desc(const std::vector<uint8_t>& blob) {
    if (blob.size() != sizeof data) {
      detail::fail(dnnl_invalid_arguments, "memory::desc: the blob was not made by memory::desc::get_blob()");
    }
    std::memcpy(&data, blob.data(), sizeof data);
  }

  // The box of `adims` that begins at `offsets`. It shares the parent's buffer: strides stay,
  // offset0 moves. Offsets beyond the number of dims have no effect.
  desc submemory_desc(const memory::dims& adims, const memory::dims& offsets, bool allow_empty = false) const {
    desc result;
    if (offsets.size() < adims.size()) {
      result.refuse("submemory_desc: " + std::to_string(offsets.size()) + " offsets for " +
                        std::to_string(adims.size()) + " dims",
                    allow_empty);
      return result;
    }
    result.settle(tandem_memory_desc_submemory(&result.data, &data, rank(adims), adims.data(), offsets.data()),
                  allow_empty);
    return result;
  }
  // The same elements under other dims: dims of 1 come and go, contiguous dims split and merge.
  desc reshape(const memory::dims& adims, bool allow_empty = false) const {
    desc result;
    result.settle(tandem_memory_desc_reshape(&result.data, &data, rank(adims), adims.data()), allow_empty);
    return result;
  }
  // Dim d of this descriptor becomes dim permutation[d] of the result.
  desc permute_axes(const std::vector<int>& permutation, bool allow_empty = false) const {
    desc result;
    result.settle(tandem_memory_desc_permute_axes(&result.data, &data, rank(permutation), permutation.data()),
                  allow_empty);
    return result;
  }

  int get_ndims() const { return data.ndims; }
  memory::dims get_dims() const { return first(data.dims, data.ndims); }
  memory::dims dims() const { return get_dims(); }
  memory::data_type get_data_type(int = 0) const { return static_cast<memory::data_type>(data.data_type); }
  memory::data_type data_type() const { return get_data_type(); }
  memory::format_kind get_format_kind() const { return static_cast<memory::format_kind>(data.format_kind); }
  // Empty unless the layout is plain.
  memory::dims get_strides() const {
    return data.format_kind == dnnl_blocked ? first(data.format_desc.blocking.strides, data.ndims) : memory::dims();
  }
  memory::dims get_padded_dims() const { return first(data.padded_dims, data.ndims); }
  memory::dims get_padded_offsets() const { return first(data.padded_offsets, data.ndims); }
  memory::dim get_submemory_offset() const { return data.offset0; }
  int get_inner_nblks() const { return data.format_kind == dnnl_blocked ? data.format_desc.blocking.inner_nblks : 0; }
  memory::dims get_inner_blks() const { return first(data.format_desc.blocking.inner_blks, get_inner_nblks()); }
  memory::dims get_inner_idxs() const { return first(data.format_desc.blocking.inner_idxs, get_inner_nblks()); }
  int get_num_handles() const { return is_zero() ? 0 : 1; }

  // Bytes from the first to the last element; 0 for zero and `any` descriptors. The number to
  // allocate, as layouts may be padded.
  size_t get_size(int index = 0) const { return index == 0 ? tandem_memory_desc_get_size(&data) : 0; }
  bool is_zero() const { return data.ndims == 0; }
  explicit operator bool() const { return !is_zero(); }
  bool operator==(const desc& other) const { return tandem_memory_desc_equal(&data, &other.data) != 0; }
  bool operator!=(const desc& other) const { return !operator==(other); }

  struct dnnl_memory_desc* get(bool = false) const {
    return const_cast<struct dnnl_memory_desc*>(&data);
  }
  std::vector<uint8_t> get_blob() const {
    const uint8_t* bytes = reinterpret_cast<const uint8_t*>(&data);
    return std::vector<uint8_t>(bytes, bytes + sizeof data);
  }

 private:
  template <typename T>
  static int rank(const std::vector<T>& dims_or_strides) {
    return static_cast<int>(dims_or_strides.size());
  }
  // Clients may have written any count into the public struct; its arrays hold DNNL_MAX_NDIMS.
  static memory::dims first(const dnnl_dim_t* values, int count) {
    const int held = count < 0 ? 0 : count > DNNL_MAX_NDIMS ? DNNL_MAX_NDIMS : count;
    return memory::dims(values, values + held);
  }
  void copy(const struct dnnl_memory_desc* from) {
    if (from == nullptr) detail::fail(dnnl_invalid_arguments, "memory::desc: a null descriptor was given");
    data = *from;
  }
  void settle(dnnl_status_t status, bool allow_empty) {
    if (status != dnnl_success) refuse(tandem_last_error(), allow_empty, status);
  }
  void refuse(const std::string& message, bool allow_empty, dnnl_status_t status = dnnl_invalid_arguments) {
    if (!allow_empty) detail::fail(status, message.c_str());
    std::memset(&data, 0, sizeof data);
  }
};

}  // namespace tandem_v1
}  // namespace dnnl

#endif
