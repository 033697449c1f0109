#include "conformance/cli/environment.h"

#include <algorithm>
#include <cstdlib>

#include "conformance/cli/cli.h"
#include "conformance/judge/coverage.h"
#include "conformance/plugins/builtin_plugins.h"

namespace tandem::conformance {
namespace {

// Returns the optimized implementation's complaint about `variable` for a problem that it serves; empty if it has none.
std::string Refusal(const std::string& variable, const std::vector<std::string>& environment) {
  static const Plugin optimized = LoadPlugin("optimized");  // one worker for all questions
  Plugin plugin = optimized;
  plugin.environment = environment;
  std::string reason;
  if (Coverage(plugin).Serves(ParseProblem("sic16"), &reason)) return "";
  const size_t at = reason.find(variable + ":");
  return at == std::string::npos ? "" : reason.substr(at);
}

std::string TargetRefusal(const std::string& target) { return Refusal("TANDEM_TARGET", {"TANDEM_TARGET=" + target}); }

// The worker reads this variable, not the library.
void CheckWorkerMemory() {
  const char* text = std::getenv("TANDEM_WORKER_GIB");
  if (text == nullptr) return;
  char* end = nullptr;
  const double gib = std::strtod(text, &end);
  if (end == text || *end != '\0' || !(gib > 0)) {
    throw UsageError("TANDEM_WORKER_GIB: \"" + std::string(text) + "\" is no number above 0");
  }
}

}  // namespace

std::string Targets() {
  // The library's error message for an unknown target lists the valid ones.
  const std::string reason = TargetRefusal("?");
  const size_t colon = reason.rfind(": ");
  return colon == std::string::npos ? reason : reason.substr(colon + 2);
}

std::vector<std::string> CodeOfTargets() {
  const std::string reason = TargetRefusal("help"), before = "help: ";
  std::vector<std::string> lines;
  size_t at = reason.find(before);
  if (at == std::string::npos) return lines;
  for (at += before.size(); at < reason.size();) {
    const size_t end = std::min(reason.find("; ", at), reason.size());
    lines.push_back(reason.substr(at, end - at));
    at = end + 2;
  }
  return lines;
}

void CheckEnvironment() {
  CheckWorkerMemory();
  for (const char* name : {"TANDEM_IMPL", "TANDEM_TARGET", "TANDEM_READING", "TANDEM_DIVISION", "TANDEM_TUNING"}) {
    if (std::getenv(name) == nullptr) continue;
    const std::string reason = Refusal(name, {});
    if (!reason.empty()) throw UsageError(reason);
  }
}

void CheckTarget(const std::string& target) {
  const std::string reason = TargetRefusal(target);
  if (!reason.empty()) throw UsageError("--target=" + target + ": " + reason);
}

}  // namespace tandem::conformance
