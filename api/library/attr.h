// The objects that attribute and post-op handles point to.
#ifndef TANDEM_API_LIBRARY_ATTR_H_
#define TANDEM_API_LIBRARY_ATTR_H_

#include <vector>

#include "api/core/attributes/attributes.h"
#include "api/library/object.h"
#include "dnnl/abi.h"

struct tandem_post_ops final : tandem_object {
  static constexpr const char* kName = "post_ops";
  std::vector<tandem_post_op_t> entries;
};

struct tandem_primitive_attr final : tandem_object {
  static constexpr const char* kName = "attributes";
  // value.post_ops follows `post_ops`, which is null for none and never changed.
  tandem::Attributes value;
  tandem::Ref<const tandem_post_ops> post_ops;
  // Not part of Attributes, as no computation here depends on it.
  dnnl_accumulation_mode_t accumulation_mode = dnnl_accumulation_mode_strict;
};

namespace tandem {

// An object of its own with the same content; what primitive_attr() makes if `attr` is null.
Ref<tandem_primitive_attr> CopyOf(const tandem_primitive_attr* attr);

// Throws unimplemented for a mode that primitives here do not have.
void CheckAccumulationMode(const tandem_primitive_attr& attr);

}  // namespace tandem

#endif  // TANDEM_API_LIBRARY_ATTR_H_
