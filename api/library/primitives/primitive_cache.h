// Clients create the same primitives again and again. The descriptor, the expensive part of a primitive, is kept here with all
// that decided its content, and given to whoever asks for the same.
#ifndef TANDEM_API_LIBRARY_PRIMITIVES_PRIMITIVE_CACHE_H_
#define TANDEM_API_LIBRARY_PRIMITIVES_PRIMITIVE_CACHE_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "api/library/primitives/primitive_desc.h"

namespace tandem {

// The bytes of an IdBuilder: the operation, its tensors as the client gave them, attributes, hint, and SettingsInForce() of the
// implementation list. The client's own layouts and not those that were chosen: equal keys need no validation.
using CacheKey = std::vector<uint8_t>;

// The most descriptors that are kept; 0: the cache is off. ONEDNN_PRIMITIVE_CACHE_CAPACITY, else DNNL_..., else 1024,
// until a call sets it.
int PrimitiveCacheCapacity();

// All functions may be called by several threads at once. Beyond the capacity, what was asked for longest ago goes.
// Null if there is none.
Ref<const PrimitiveDesc> FindInCache(const CacheKey& key) noexcept;
// If there is no memory for it, it is not kept.
void KeepInCache(CacheKey key, const Ref<const PrimitiveDesc>& made) noexcept;

// Returns the descriptor that `make` made for an equal key before, or makes it now.
template <class MakeKey, class Make>
Ref<const PrimitiveDesc> FromCache(const MakeKey& make_key, const Make& make) {
  if (PrimitiveCacheCapacity() == 0) return make();
  CacheKey key = make_key();
  Ref<const PrimitiveDesc> found = FindInCache(key);
  if (found) return found;
  Ref<const PrimitiveDesc> made = make();
  KeepInCache(std::move(key), made);
  return made;
}

}  // namespace tandem

#endif  // TANDEM_API_LIBRARY_PRIMITIVES_PRIMITIVE_CACHE_H_
