#include "api/library/defaults.h"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <string>

#include "api/core/environment.h"
#include "api/core/error.h"
#include "api/library/guard.h"
#include "api/library/installed_reading.h"
#include "dnnl/abi.h"

namespace tandem {
namespace {

constexpr int kUnset = -1;

// Set by a call; the environment counts until then.
std::atomic<int> chosen_fpmath_mode{kUnset};
std::atomic<int> chosen_reading{kUnset};

std::string InLowerCase(std::string word) {
  std::transform(word.begin(), word.end(), word.begin(), [](unsigned char letter) { return std::tolower(letter); });
  return word;
}

// Ignores words that are no mode, as oneDNN does.
FpmathMode FpmathModeOfEnvironment() {
  for (const Variable variable : {Variable::kOnednnDefaultFpmathMode, Variable::kDnnlDefaultFpmathMode}) {
    const std::string word = InLowerCase(Environment({variable}));
    for (const FpmathMode mode : AllOf<FpmathMode>()) {
      if (word == ToString(mode)) return mode;
    }
  }
  return FpmathMode::kStrict;
}

FpmathMode DefaultFpmathMode() {
  const int chosen = chosen_fpmath_mode.load();
  return chosen == kUnset ? FpmathModeOfEnvironment() : static_cast<FpmathMode>(chosen);
}

Reading DefaultReading() {
  const int chosen = chosen_reading.load();
  if (chosen != kUnset) return static_cast<Reading>(chosen);
  const std::string word = InLowerCase(Environment({Variable::kTandemReading}));
  if (word.empty()) return kInstalledReading;
  for (const Reading reading : AllOf<Reading>()) {
    if (word == ToString(reading)) return reading;
  }
  ThrowInvalid("TANDEM_READING: is \"" + word + "\", but must be spec or onednn");
}

}  // namespace

FpmathMode FpmathModeFromC(int mode) {
  for (const FpmathMode ours : AllOf<FpmathMode>()) {
    if (FpmathModeToC(ours) == mode) return ours;
  }
  ThrowInvalid("fpmath mode: is " + std::to_string(mode) + ", which is no fpmath_mode");
}

dnnl_fpmath_mode_t FpmathModeToC(FpmathMode mode) {
  switch (mode) {
    case FpmathMode::kStrict:
      return dnnl_fpmath_mode_strict;
    case FpmathMode::kBf16:
      return dnnl_fpmath_mode_bf16;
    case FpmathMode::kF16:
      return dnnl_fpmath_mode_f16;
    case FpmathMode::kTf32:
      return dnnl_fpmath_mode_tf32;
    case FpmathMode::kAny:
      break;
  }
  return dnnl_fpmath_mode_any;
}

Attributes DefaultAttributes() {
  Attributes attr;
  attr.fpmath_mode = DefaultFpmathMode();
  attr.reading = DefaultReading();
  return attr;
}

}  // namespace tandem

using namespace tandem;

dnnl_status_t tandem_set_default_fpmath_mode(dnnl_fpmath_mode_t mode) {
  return Guard([&] { chosen_fpmath_mode = static_cast<int>(FpmathModeFromC(mode)); });
}

dnnl_fpmath_mode_t tandem_get_default_fpmath_mode() { return FpmathModeToC(DefaultFpmathMode()); }

dnnl_status_t tandem_set_default_reading(tandem_reading_t reading) {
  return Guard([&] {
    if (reading != tandem_reading_spec && reading != tandem_reading_onednn) {
      ThrowInvalid("reading: is " + std::to_string(reading) + ", which is no reading");
    }
    chosen_reading =
        reading == tandem_reading_spec ? static_cast<int>(Reading::kSpec) : static_cast<int>(Reading::kOnednn);
  });
}

dnnl_status_t tandem_get_default_reading(tandem_reading_t* reading) {
  return Guard([&] { *reading = DefaultReading() == Reading::kSpec ? tandem_reading_spec : tandem_reading_onednn; });
}
