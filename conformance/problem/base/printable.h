// Text from files, plugins and the command line, made safe for a terminal.
#ifndef TANDEM_CONFORMANCE_PROBLEM_BASE_PRINTABLE_H_
#define TANDEM_CONFORMANCE_PROBLEM_BASE_PRINTABLE_H_

#include <string>

namespace tandem::conformance {

// `text` with everything that a terminal could take for a command written as \x1b: control characters but the end of a
// line and the tab, those of C1 (U+0080 to U+009F), and bytes that are no UTF-8.
std::string Printable(const std::string& text);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_PROBLEM_BASE_PRINTABLE_H_
