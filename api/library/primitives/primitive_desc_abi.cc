// The C level of primitive descriptors.
#include "api/library/guard.h"
#include "api/library/primitives/primitive_desc.h"

using namespace tandem;

dnnl_status_t tandem_primitive_desc_next(dnnl_primitive_desc_t* next, const_dnnl_primitive_desc_t pd) {
  bool found = false;
  const dnnl_status_t status = Guard([&] {
    auto result = NotNull(pd, "primitive descriptor").Next();
    found = static_cast<bool>(result);
    Give(std::move(result), next);
  });
  return status == dnnl_success && !found ? dnnl_last_impl_reached : status;
}

dnnl_status_t tandem_primitive_desc_query_md(const_dnnl_primitive_desc_t pd, dnnl_query_t what, int index,
                                             dnnl_memory_desc* md) {
  return Guard([&] { *md = NotNull(pd, "primitive descriptor").QueryMd(what, index); });
}

dnnl_status_t tandem_primitive_desc_query_int(const_dnnl_primitive_desc_t pd, dnnl_query_t what, int64_t* value) {
  return Guard([&] { *value = NotNull(pd, "primitive descriptor").QueryInt(what); });
}

dnnl_status_t tandem_primitive_desc_query_f32(const_dnnl_primitive_desc_t pd, dnnl_query_t what, float* value) {
  return Guard([&] { *value = NotNull(pd, "primitive descriptor").QueryFloat(what); });
}

// There is one device, so it is the answer to every query for an engine.
dnnl_status_t tandem_primitive_desc_get_engine(const_dnnl_primitive_desc_t pd, dnnl_query_t, dnnl_engine_t* engine) {
  return Guard([&] { Give(Ref<tandem_engine>(NotNull(pd, "primitive descriptor").engine()), engine); });
}

dnnl_status_t tandem_primitive_desc_get_attr(const_dnnl_primitive_desc_t pd, dnnl_primitive_attr_t* attr) {
  return Guard([&] { Give(CopyOf(NotNull(pd, "primitive descriptor").attr().get()), attr); });
}

const char* tandem_primitive_desc_get_impl_info(const_dnnl_primitive_desc_t pd) {
  return pd == nullptr ? "" : pd->impl_name().c_str();
}

dnnl_status_t tandem_primitive_desc_get_cache_blob_id(const_dnnl_primitive_desc_t pd, size_t* size,
                                                      const uint8_t** bytes) {
  return Guard([&] {
    const std::vector<uint8_t>& id = NotNull(pd, "primitive descriptor").id();
    *size = id.size();
    *bytes = id.data();
  });
}
