// Names of dense plain layouts: enumerators and aliases in dnnl_format_tags.h, and one rule for all of them here.
#ifndef TANDEM_API_CORE_MEMORY_FORMAT_TAG_H_
#define TANDEM_API_CORE_MEMORY_FORMAT_TAG_H_

#include "api/core/memory/memory_desc.h"
#include "oneapi/dnnl/dnnl_format_tags.h"

namespace tandem {

// The dims from the outermost in memory to the innermost, as letters: "abdec" for ldgoi. Null for undef, any and a
// value that is no enumerator.
const char* PermutationOf(dnnl_format_tag_t tag);

// The descriptor that memory::desc(dims, type, tag) means: zero for undef, `any` for any, else dense in the tag's
// order. Throws unimplemented for a blocked layout of oneDNN, invalid_arguments for a number that is no tag, and as the
// Make functions do.
MemoryDesc MakeTagged(const Dims& dims, DataType type, dnnl_format_tag_t tag);

}  // namespace tandem

#endif  // TANDEM_API_CORE_MEMORY_FORMAT_TAG_H_
