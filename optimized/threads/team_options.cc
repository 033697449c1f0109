#include "optimized/threads/team_options.h"

#include <strings.h>

#include <cstdlib>

#include "api/core/environment.h"
#include "api/core/error.h"

namespace tandem {
namespace optimized {

std::optional<Division> ParseDivision(const std::string& word) {
  constexpr int kMost = 1024;
  Division division;
  const char* at = word.c_str();
  for (int* parts : {&division.dirs, &division.rows, &division.units}) {
    if (parts != &division.dirs && *at++ != 'x') return std::nullopt;
    *parts = 0;
    for (; *at >= '0' && *at <= '9' && *parts <= kMost; ++at) *parts = 10 * *parts + (*at - '0');
    if (*parts < 1 || *parts > kMost) return std::nullopt;
  }
  if (*at != '\0') return std::nullopt;
  return division;
}

TeamOptions TeamOptionsFromEnvironment() {
  TeamOptions options;
  const char* word = ValueOf(Variable::kTandemDivision);
  if (word == nullptr || *word == '\0') return options;
  options.division = ParseDivision(word);
  if (!options.division) {
    ThrowInvalid("TANDEM_DIVISION: '" + std::string(word) + "' is not of the form 1x2x1 (directions, rows, units)");
  }
  return options;
}

TeamThreads TeamThreadsFromEnvironment() {
  const char* word = ValueOf(Variable::kTandemThreads);
  return word != nullptr && strcasecmp(word, "openmp") == 0 ? TeamThreads::kOpenMp : TeamThreads::kOwn;
}

}  // namespace optimized
}  // namespace tandem
