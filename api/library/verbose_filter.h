// ONEDNN_VERBOSE's filter=EXPRESSION.
#ifndef TANDEM_API_LIBRARY_VERBOSE_FILTER_H_
#define TANDEM_API_LIBRARY_VERBOSE_FILTER_H_

#include <functional>
#include <string>

namespace tandem {

// Returns a function that says whether a part of a primitive's name matches the extended regular expression (POSIX; on Windows
// ECMAScript). It is null if all names do. Throws a std::exception if it is none.
std::function<bool(const char* primitive)> VerboseFilter(const std::string& expression);

}  // namespace tandem

#endif  // TANDEM_API_LIBRARY_VERBOSE_FILTER_H_
