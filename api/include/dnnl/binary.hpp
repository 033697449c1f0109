// dnnl::binary, a primitive that Tandem does not have: clients' tensor classes name its descriptor.
#ifndef DNNL_BINARY_HPP
#define DNNL_BINARY_HPP

#include "dnnl/primitive.hpp"

namespace dnnl {
inline namespace tandem_v1 {

// Every constructor of the descriptor throws unimplemented, or gives an empty descriptor if allow_empty.
struct binary : public primitive {
  struct desc {
    desc(algorithm, const memory::desc&, const memory::desc&, const memory::desc&) {}
  };

  struct primitive_desc : public dnnl::primitive_desc {
    primitive_desc() = default;
    primitive_desc(const engine&, algorithm, const memory::desc&, const memory::desc&, const memory::desc&,
                   const primitive_attr& = primitive_attr(), bool allow_empty = false) {
      refuse(allow_empty);
    }
    primitive_desc(const desc&, const engine&, bool allow_empty = false) { refuse(allow_empty); }
    primitive_desc(const desc&, const primitive_attr&, const engine&, bool allow_empty = false) { refuse(allow_empty); }
    // Shares `pd`, which is of another primitive unless it is null: throws invalid_arguments.
    primitive_desc(dnnl_primitive_desc_t pd) { adopt(pd, dnnl_binary, dnnl_prop_kind_undef, dnnl_alg_kind_undef); }

    memory::desc src0_desc() const { return src_desc(0); }
    memory::desc src1_desc() const { return src_desc(1); }
    memory::desc dst_desc() const { return primitive_desc_base::dst_desc(0); }

   private:
    static void refuse(bool allow_empty) {
      error::wrap_c_api(allow_empty ? dnnl_success : dnnl_unimplemented,
                        "binary: this primitive is not implemented; the primitives are reorder and the RNN cells");
    }
  };

  binary() = default;
  binary(const primitive_desc& pd) : primitive(pd) {}
};

}  // namespace tandem_v1
}  // namespace dnnl

#endif
