// dnnl::primitive: a computation ready to run.
#ifndef DNNL_PRIMITIVE_BASE_HPP
#define DNNL_PRIMITIVE_BASE_HPP

#include <unordered_map>

#include "dnnl/algorithm.hpp"
#include "dnnl/memory.hpp"

namespace dnnl {
inline namespace tandem_v1 {

struct primitive_desc_base;
struct primitive_desc;

struct primitive : public handle<dnnl_primitive_t> {
  // Reorder and RNN exist; the other names are for clients that switch over them.
  enum class kind {
    undef = dnnl_undefined_primitive,
    reorder = dnnl_reorder,
    shuffle = dnnl_shuffle,
    concat = dnnl_concat,
    sum = dnnl_sum,
    convolution = dnnl_convolution,
    deconvolution = dnnl_deconvolution,
    eltwise = dnnl_eltwise,
    lrn = dnnl_lrn,
    batch_normalization = dnnl_batch_normalization,
    inner_product = dnnl_inner_product,
    rnn = dnnl_rnn,
    binary = dnnl_binary,
    matmul = dnnl_matmul,
    resampling = dnnl_resampling,
    pooling = dnnl_pooling,
    reduction = dnnl_reduction,
    prelu = dnnl_prelu,
    softmax = dnnl_softmax,
    layer_normalization = dnnl_layer_normalization,
    group_normalization = dnnl_group_normalization,
    logsoftmax = dnnl_logsoftmax,
    pooling_v2 = dnnl_pooling_v2,
    softmax_v2 = dnnl_softmax_v2,
  };

  // spec/attributes.txt writes primitive::primitive_desc for the descriptor of any primitive.
  using primitive_desc = ::dnnl::primitive_desc;

  primitive() = default;
  using handle<dnnl_primitive_t>::handle;
  primitive(const_dnnl_primitive_desc_t pd);
  primitive(const primitive_desc_base& pd);
  // `cache_blob` must come from get_cache_blob() of a primitive with an equal descriptor, else invalid_arguments.
  primitive(const_dnnl_primitive_desc_t pd, const std::vector<uint8_t>& cache_blob);
  primitive(const primitive_desc_base& pd, const std::vector<uint8_t>& cache_blob);

  const_dnnl_primitive_desc_t get_primitive_desc() const;
  kind get_kind() const;
  std::vector<uint8_t> get_cache_blob() const;

  // Runs on the calling thread (and its OpenMP team) and returns when the outputs are written. `args` maps DNNL_ARG_*
  // to memory. A memory gives its data handle; the primitive descriptor says where behind it the elements lie, even if
  // the memory's own descriptor has another shape, other strides or another offset (the parent of a submemory_desc,
  // say). Throws invalid_arguments, before anything is written, for a missing argument, and for a memory without a
  // buffer, of another data type, with fewer bytes than the primitive descriptor's descriptor reaches, or with an
  // opaque layout that is not the expected one. Entries that the primitive does not need are ignored, as are empty
  // memory() values where a tensor is absent.
  //
  // Memories may overlap: the results are those of an execution that reads every input before it writes the first
  // output. A state that is updated in place (src_iter and dst_iter, src_iter_c and dst_iter_c, with equal descriptors
  // and handles) costs nothing; most other inputs that share bytes with an output are copied first, which may throw
  // out_of_memory. invalid_arguments: two outputs share bytes, unless dst_iter is the part of dst_layer that has its
  // values; or a workspace or scratchpad shares bytes with anything.
  //
  // Thread-safe as long as outputs, workspaces and the client's scratchpads differ. With scratchpad_mode::library the
  // primitive's scratchpad serves one thread; others allocate one for the time of the execution, which may throw
  // out_of_memory.
  void execute(const stream& astream, const std::unordered_map<int, memory>& args) const;
};

inline dnnl_primitive_kind_t convert_to_c(primitive::kind kind) {
  return detail::enum_cast<dnnl_primitive_kind_t>(kind);
}

}  // namespace tandem_v1
}  // namespace dnnl

#endif
