// ONEDNN_VERBOSE's filter=EXPRESSION.
#ifndef TANDEM_API_LIBRARY_VERBOSE_FILTER_H_
#define TANDEM_API_LIBRARY_VERBOSE_FILTER_H_

#include <functional>
#include <string>

namespace tandem {

// Whether a primitive's name has a part that matches the regular expression (ECMAScript). Null if all names do. Throws
// std::regex_error.
std::function<bool(const char* primitive)> VerboseFilter(const std::string& expression);

}  // namespace tandem

#endif  // TANDEM_API_LIBRARY_VERBOSE_FILTER_H_
