#include "conformance/cli/environment.h"

#include <cmath>
#include <cstdlib>

#include "conformance/adapters/builtin_plugins.h"
#include "conformance/campaign/coverage.h"
#include "conformance/cli/cli.h"

namespace tandem::conformance {
namespace {

// Sets TANDEM_TARGET while it exists.
class TargetSet {
 public:
  explicit TargetSet(const std::string& target) {
    const char* const asked = std::getenv(kName);
    before_ = asked != nullptr ? asked : "";
    setenv(kName, target.c_str(), 1);
  }
  ~TargetSet() { setenv(kName, before_.c_str(), 1); }  // empty: not set
  TargetSet(const TargetSet&) = delete;
  TargetSet& operator=(const TargetSet&) = delete;

 private:
  static constexpr const char* kName = "TANDEM_TARGET";
  std::string before_;
};

// Why the optimized implementation refuses a problem that it serves; empty if it does not refuse.
std::string Refusal() {
  std::string reason;
  return Serves(LoadPlugin("optimized"), ParseProblem("sic16"), &reason) ? "" : reason;
}

CLI::Validator Finite(const char* what, bool (*holds)(double)) {
  return CLI::Validator(
      [what, holds](std::string& text) {
        char* end = nullptr;
        const double value = std::strtod(text.c_str(), &end);
        const bool number = !text.empty() && *end == '\0' && std::isfinite(value);
        return number && holds(value) ? std::string() : "\"" + text + "\" is not " + what;
      },
      what);
}

}  // namespace

const CLI::Validator kPositive = Finite("a positive number", [](double x) { return x > 0; });
const CLI::Validator kNonNegative = Finite("a number of at least 0", [](double x) { return x >= 0; });

std::string Targets() {
  // The library's error message for an unknown target lists the valid ones.
  const TargetSet unknown("?");
  const std::string reason = Refusal();
  const size_t colon = reason.rfind(": ");
  return colon == std::string::npos ? reason : reason.substr(colon + 2);
}

void CheckEnvironment() {
  for (const char* name : {"TANDEM_IMPL", "TANDEM_TARGET", "TANDEM_READING"}) {
    if (std::getenv(name) == nullptr) continue;
    const std::string reason = Refusal();
    if (reason.compare(0, std::string(name).size(), name) == 0) throw UsageError(reason);
  }
}

void CheckTarget(const std::string& target) {
  const TargetSet set(target);
  const std::string reason = Refusal();
  if (reason.compare(0, 14, "TANDEM_TARGET:") == 0) throw UsageError("--target=" + target + ": " + reason);
}

}  // namespace tandem::conformance
