#include "api/core/memory/format_tag.h"

#include "api/core/error.h"
#include "dnnl/abi.h"

namespace tandem {

// A tag's permutation is its own name.
#define TANDEM_TAG(letters) \
  case dnnl_##letters:      \
    return #letters;

const char* PermutationOf(dnnl_format_tag_t tag) {
  switch (tag) {
    TANDEM_TAG(a)
    TANDEM_TAG(ab)
    TANDEM_TAG(ba)
    TANDEM_TAG(abc)
    TANDEM_TAG(acb)
    TANDEM_TAG(bac)
    TANDEM_TAG(bca)
    TANDEM_TAG(cab)
    TANDEM_TAG(cba)
    TANDEM_TAG(abcd)
    TANDEM_TAG(abdc)
    TANDEM_TAG(acbd)
    TANDEM_TAG(acdb)
    TANDEM_TAG(adbc)
    TANDEM_TAG(adcb)
    TANDEM_TAG(bacd)
    TANDEM_TAG(bcad)
    TANDEM_TAG(bcda)
    TANDEM_TAG(cabd)
    TANDEM_TAG(cdab)
    TANDEM_TAG(cdba)
    TANDEM_TAG(dabc)
    TANDEM_TAG(dcab)
    TANDEM_TAG(abcde)
    TANDEM_TAG(abced)
    TANDEM_TAG(abdec)
    TANDEM_TAG(acbde)
    TANDEM_TAG(acdeb)
    TANDEM_TAG(adecb)
    TANDEM_TAG(bacde)
    TANDEM_TAG(bcdea)
    TANDEM_TAG(cdeab)
    TANDEM_TAG(cdeba)
    TANDEM_TAG(decab)
    TANDEM_TAG(abcdef)
    TANDEM_TAG(abcdfe)
    TANDEM_TAG(abdefc)
    TANDEM_TAG(abdfce)
    TANDEM_TAG(acbdef)
    TANDEM_TAG(adefcb)
    TANDEM_TAG(defcab)
    TANDEM_TAG(abcdefg)
    TANDEM_TAG(abcdegf)
    TANDEM_TAG(abcdefgh)
    TANDEM_TAG(abcdefhg)
    TANDEM_TAG(abcdefghi)
    TANDEM_TAG(abcdefgih)
    TANDEM_TAG(abcdefghij)
    TANDEM_TAG(abcdefghji)
    TANDEM_TAG(abcdefghijk)
    TANDEM_TAG(abcdefghikj)
    TANDEM_TAG(abcdefghijkl)
    TANDEM_TAG(abcdefghijlk)
    case dnnl_format_tag_undef:
    case dnnl_format_tag_any:
    case dnnl_format_tag_last:
      break;
  }
  return nullptr;
}

#undef TANDEM_TAG

MemoryDesc MakeTagged(const Dims& dims, DataType type, dnnl_format_tag_t tag) {
  if (tag == dnnl_format_tag_undef || dims.empty()) return {};
  if (tag == dnnl_format_tag_any) return MakeAny(dims, type);
  const char* permutation = PermutationOf(tag);
  if (permutation == nullptr) {
    const std::string number = "memory descriptor: format tag is " + std::to_string(static_cast<int>(tag));
    if (tag > dnnl_format_tag_any && tag < dnnl_format_tag_last) {
      ThrowUnimplemented(number + ", a layout that only oneDNN has; every plain layout is served");
    }
    ThrowInvalid(number + ", but the last is " + std::to_string(static_cast<int>(dnnl_format_tag_last) - 1));
  }
  return MakePermuted(dims, type, permutation);
}

}  // namespace tandem

const char* tandem_format_tag2str(dnnl_format_tag_t v) {
  if (v == dnnl_format_tag_undef) return "undef";
  if (v == dnnl_format_tag_any) return "any";
  const char* permutation = tandem::PermutationOf(v);
  return permutation == nullptr ? "unknown" : permutation;
}
