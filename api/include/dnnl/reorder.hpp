// dnnl::reorder: copies a tensor into another layout or data type.
#ifndef DNNL_REORDER_HPP
#define DNNL_REORDER_HPP

#include "dnnl/primitive.hpp"

namespace dnnl {
inline namespace tandem_v1 {

// dst = convert(src), element by element by logical index. Attributes: scales and zero points of source and
// destination, one `sum` post-op, output scales, and the RNN quantization parameters. Throws invalid_arguments for
// different dims and for `any`, unimplemented for data types or attributes that nobody serves.
struct reorder : public primitive {
  struct primitive_desc : public primitive_desc_base {
    using primitive_desc_base::primitive_desc_base;
    primitive_desc() = default;

    primitive_desc(const engine& src_engine, const memory::desc& src_md, const engine& dst_engine,
                   const memory::desc& dst_md, const primitive_attr& attr = primitive_attr(),
                   bool allow_empty = false) {
      dnnl_primitive_desc_t result = nullptr;
      const dnnl_status_t status = tandem_reorder_primitive_desc_create(&result, &src_md.data, src_engine.get(true),
                                                                        &dst_md.data, dst_engine.get(true), attr.get());
      settle(status, result, allow_empty);
    }
    // The order of spec/attributes.txt, example 1.
    primitive_desc(const memory::desc& src_md, const engine& src_engine, const memory::desc& dst_md,
                   const engine& dst_engine, const primitive_attr& attr = primitive_attr(), bool allow_empty = false)
        : primitive_desc(src_engine, src_md, dst_engine, dst_md, attr, allow_empty) {}
    primitive_desc(const memory& src, const memory& dst, const primitive_attr& attr = primitive_attr(),
                   bool allow_empty = false) {
      if (!src || !dst) {
        if (allow_empty) return;
        detail::fail_invalid(std::string("reorder: the memory ") + (src ? "dst" : "src") + " is empty");
      }
      *this = primitive_desc(src.get_engine(), src.get_desc(), dst.get_engine(), dst.get_desc(), attr, allow_empty);
    }
    primitive_desc(dnnl_primitive_desc_t pd) { adopt(pd, dnnl_reorder, dnnl_prop_kind_undef, dnnl_alg_kind_undef); }

    engine get_src_engine() const { return engine_of(dnnl_query_reorder_src_engine); }
    engine get_dst_engine() const { return engine_of(dnnl_query_reorder_dst_engine); }
    memory::desc src_desc() const { return primitive_desc_base::src_desc(0); }
    memory::desc dst_desc() const { return primitive_desc_base::dst_desc(0); }
  };

  reorder() = default;
  reorder(const primitive_desc& pd) : primitive(pd) {}
  reorder(const primitive_desc& pd, const std::vector<uint8_t>& cache_blob) : primitive(pd, cache_blob) {}
  reorder(const memory& src, const memory& dst, const primitive_attr& attr = primitive_attr())
      : primitive(primitive_desc(src, dst, attr)) {}

  using primitive::execute;
  void execute(const stream& astream, memory& src, memory& dst) const {
    primitive::execute(astream, {{DNNL_ARG_FROM, src}, {DNNL_ARG_TO, dst}});
  }
};

}  // namespace tandem_v1
}  // namespace dnnl

#endif
