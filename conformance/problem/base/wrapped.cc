#include "conformance/problem/base/wrapped.h"

#include <sstream>

namespace tandem::conformance {

std::string Wrapped(const std::string& text, size_t columns, size_t indent) {
  std::istringstream words(text);
  std::string result, line(indent, ' ');
  for (std::string word; words >> word;) {
    if (line.size() > indent && line.size() + 1 + word.size() > columns) {
      result += line + "\n";
      line.assign(indent, ' ');
    }
    line += (line.size() > indent ? " " : "") + word;
  }
  return result + line + "\n";
}

}  // namespace tandem::conformance
