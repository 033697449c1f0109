// Primitives: a descriptor, and in library mode the scratchpad.
#include "api/core/attributes/nearest_rounding.h"
#include "api/library/aligned_buffer.h"
#include "api/library/guard.h"
#include "api/library/primitives/primitive_desc.h"

using namespace tandem;

struct tandem_primitive final : tandem_object {
  explicit tandem_primitive(const PrimitiveDesc& pd)
      : handle(MakeRef<tandem_primitive_desc>(Ref<const PrimitiveDesc>::Share(&pd))),
        scratchpad(pd.library_scratchpad_bytes()) {}

  const PrimitiveDesc& pd() const { return *handle->content; }

  // Its own: the client may move the handle that the primitive is made from on to another implementation.
  const Ref<const tandem_primitive_desc> handle;
  const AlignedBuffer scratchpad;
};

dnnl_status_t tandem_primitive_create(dnnl_primitive_t* primitive, const_dnnl_primitive_desc_t pd) {
  return Guard([&] { Give(MakeRef<tandem_primitive>(ContentOf(pd)), primitive); });
}

dnnl_status_t tandem_primitive_create_from_cache_blob(dnnl_primitive_t* primitive, const_dnnl_primitive_desc_t pd,
                                                      size_t size, const uint8_t* cache_blob) {
  return Guard([&] {
    const std::vector<uint8_t>& id = ContentOf(pd).id();
    if (size > 0) NotNull(cache_blob, "primitive: cache blob");
    if (std::vector<uint8_t>(cache_blob, cache_blob + size) != id) {
      ThrowInvalid("cache blob: its " + std::to_string(size) + " bytes are not those of this primitive descriptor");
    }
    Give(MakeRef<tandem_primitive>(ContentOf(pd)), primitive);
  });
}

dnnl_status_t tandem_primitive_get_desc(const_dnnl_primitive_t primitive, const_dnnl_primitive_desc_t* pd) {
  return Guard([&] { *pd = NotNull(primitive, "primitive").handle.get(); });
}

dnnl_status_t tandem_primitive_execute(const_dnnl_primitive_t primitive, dnnl_stream_t stream, int nargs,
                                       const dnnl_exec_arg_t* args) {
  return Guard([&] {
    NotNull(primitive, "execute: primitive");
    NotNull(stream, "execute: stream");
    if (nargs > 0) NotNull(args, "execute: arguments");
    const PrimitiveDesc& pd = primitive->pd();
    const ArgumentList::Pointers pointers = pd.arguments().Match(nargs, args);
    const NearestRounding nearest;
    pd.Execute(pointers.data(), primitive->scratchpad.get());
  });
}
