// Windows has no regcomp.
#include <memory>
#include <regex>

#include "api/library/verbose_filter.h"

namespace tandem {

std::function<bool(const char* primitive)> VerboseFilter(const std::string& expression) {
  const auto regex = std::make_shared<const std::regex>(expression);
  return [regex](const char* primitive) { return std::regex_search(primitive, *regex); };
}

}  // namespace tandem
