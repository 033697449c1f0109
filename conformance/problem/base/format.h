// Numbers in text.
#ifndef TANDEM_CONFORMANCE_PROBLEM_BASE_FORMAT_H_
#define TANDEM_CONFORMANCE_PROBLEM_BASE_FORMAT_H_

#include <cstdarg>
#include <string>

namespace tandem::conformance {

// What std::printf would print.
__attribute__((format(printf, 1, 2))) std::string Format(const char* format, ...);
__attribute__((format(printf, 1, 0))) std::string FormatList(const char* format, std::va_list arguments);

// "1 complaint", "2 complaints".
inline std::string Counted(unsigned long long count, const char* noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_PROBLEM_BASE_FORMAT_H_
