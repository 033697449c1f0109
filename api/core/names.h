// Messages call an enumerator, an argument or a number as a client writes it in code.
#ifndef TANDEM_API_CORE_NAMES_H_
#define TANDEM_API_CORE_NAMES_H_

#include <string>

#include "dnnl/abi.h"

namespace tandem {

// The name that one of tandem_*2str() gave to `value`; the number where the enumeration has no such value.
std::string NameOrNumber(const char* name, int value);

// "DNNL_ARG_DST (17)", "post-op 0's DNNL_ARG_SRC_1 (32770)".
std::string ArgumentName(int arg);
// "src_md"; the number of what is no query.
std::string QueryName(dnnl_query_t what);
// "0", "8 (dim 3)", "24 (dims 3, 4)": the dims whose bits are set.
std::string MaskText(int mask);

}  // namespace tandem

#endif  // TANDEM_API_CORE_NAMES_H_
