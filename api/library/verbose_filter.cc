// The expressions of libc: std::regex would bring the locales of libstdc++ along, half a megabyte.
#include "api/library/verbose_filter.h"

#include <regex.h>

#include <memory>
#include <stdexcept>

namespace tandem {

std::function<bool(const char* primitive)> VerboseFilter(const std::string& expression) {
  auto compiled = std::make_unique<regex_t>();
  if (regcomp(compiled.get(), expression.c_str(), REG_EXTENDED | REG_NOSUB) != 0) {
    throw std::invalid_argument("filter: is no regular expression");
  }
  const std::shared_ptr<regex_t> regex(compiled.release(), [](regex_t* given) {
    regfree(given);
    delete given;
  });
  return [regex](const char* primitive) { return regexec(regex.get(), primitive, 0, nullptr, 0) == 0; };
}

}  // namespace tandem
