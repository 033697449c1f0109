// Text in lines of a length.
#ifndef TANDEM_CONFORMANCE_PROBLEM_BASE_WRAPPED_H_
#define TANDEM_CONFORMANCE_PROBLEM_BASE_WRAPPED_H_

#include <cstddef>
#include <string>

namespace tandem::conformance {

// `text` in lines of at most `columns` characters, broken at blanks, each after `indent` blanks. A longer word is left
// whole.
std::string Wrapped(const std::string& text, size_t columns, size_t indent);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_PROBLEM_BASE_WRAPPED_H_
