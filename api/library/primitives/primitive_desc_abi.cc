// The C level of primitive descriptors.
#include "api/library/guard.h"
#include "api/library/primitives/primitive_desc.h"

using namespace tandem;

dnnl_status_t tandem_primitive_desc_advance(dnnl_primitive_desc_t pd) {
  bool found = false;
  const dnnl_status_t status = Guard([&] {
    Ref<const PrimitiveDesc> next = ContentOf(pd).Next();
    found = static_cast<bool>(next);
    if (found) pd->content = std::move(next);
  });
  return status == dnnl_success && !found ? dnnl_last_impl_reached : status;
}

dnnl_status_t tandem_primitive_desc_clone(dnnl_primitive_desc_t* pd, const_dnnl_primitive_desc_t from) {
  return Guard([&] {
    NotNull(from, "primitive descriptor");
    Give(from->content, from->engine, pd);
  });
}

dnnl_status_t tandem_primitive_desc_query_md(const_dnnl_primitive_desc_t pd, dnnl_query_t what, int index,
                                             dnnl_memory_desc* md) {
  return Guard([&] { *md = ContentOf(pd).QueryMd(what, index); });
}

dnnl_status_t tandem_primitive_desc_query_int(const_dnnl_primitive_desc_t pd, dnnl_query_t what, int64_t* value) {
  return Guard([&] { *value = ContentOf(pd).QueryInt(what); });
}

dnnl_status_t tandem_primitive_desc_query_f32(const_dnnl_primitive_desc_t pd, dnnl_query_t what, float* value) {
  return Guard([&] { *value = ContentOf(pd).QueryFloat(what); });
}

// There is one device, so it is the answer to every query for an engine.
dnnl_status_t tandem_primitive_desc_get_engine(const_dnnl_primitive_desc_t pd, dnnl_query_t, dnnl_engine_t* engine) {
  return Guard([&] { Give(Ref<tandem_engine>(NotNull(pd, "primitive descriptor").engine), engine); });
}

dnnl_status_t tandem_primitive_desc_get_attr(const_dnnl_primitive_desc_t pd, dnnl_primitive_attr_t* attr) {
  return Guard([&] { Give(CopyOf(ContentOf(pd).attr().get()), attr); });
}

dnnl_status_t tandem_primitive_desc_view_attr(const_dnnl_primitive_desc_t pd, const_dnnl_primitive_attr_t* attr) {
  return Guard(
      [&] { NotNull(attr, "primitive descriptor", "pointer for its attributes") = ContentOf(pd).attr().get(); });
}

const char* tandem_primitive_desc_get_impl_info(const_dnnl_primitive_desc_t pd) {
  return pd == nullptr ? "" : ContentOf(pd).impl_name().c_str();
}

dnnl_status_t tandem_primitive_desc_get_cache_blob_id(const_dnnl_primitive_desc_t pd, size_t* size,
                                                      const uint8_t** bytes) {
  return Guard([&] {
    const std::vector<uint8_t>& id = ContentOf(pd).id();
    *size = id.size();
    *bytes = id.data();
  });
}
