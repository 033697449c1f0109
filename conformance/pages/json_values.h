// The writer of report.json, its reader and the table of columns share these values.
#ifndef TANDEM_CONFORMANCE_PAGES_JSON_VALUES_H_
#define TANDEM_CONFORMANCE_PAGES_JSON_VALUES_H_

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "conformance/judge/grade.h"

namespace tandem::conformance {

// JSON has no NaN and no infinity; both become null.
inline nlohmann::ordered_json Number(double value) {
  using Json = nlohmann::ordered_json;
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}
inline double ToNumber(const nlohmann::json& json, double null) { return json.is_null() ? null : json.get<double>(); }

// Reads a whole number. The parser would convert 1e300 to one too, to any value.
inline uint64_t ToCount(const nlohmann::json& json) {
  if (!json.is_number_unsigned()) throw std::runtime_error("a number is not in the format");
  return json.get<uint64_t>();
}

// Returns the number of problems with each verdict, by its name.
using VerdictCounts = std::array<uint64_t, kNumVerdicts>;
inline nlohmann::ordered_json Counts(const VerdictCounts& count) {
  nlohmann::ordered_json json;
  for (int i = 0; i < kNumVerdicts; ++i) json[ToString(static_cast<Verdict>(i))] = count[i];
  return json;
}
inline VerdictCounts ToCounts(const nlohmann::json& json) {
  VerdictCounts counts{};
  for (int i = 0; i < kNumVerdicts; ++i) counts[i] = ToCount(json.at(ToString(static_cast<Verdict>(i))));
  return counts;
}

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_PAGES_JSON_VALUES_H_
