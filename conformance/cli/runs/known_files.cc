#include "conformance/cli/runs/known_files.h"

#include <unistd.h>

#include "conformance/pages/write_known.h"
#include "conformance/sandbox/runfiles.h"
#include "conformance/sandbox/whole_file.h"

namespace tandem::conformance {
namespace {

// Returns the given file, or the one that comes with Tandem for this version of the implementation; empty if there is none.
std::string KnownPath(const std::string& name, const std::string& version, const std::string& given) {
  if (given == "none") return "";
  if (!given.empty()) return given;
  const std::string path = RunfilePath("conformance/judge/known_departures/" + name + "_" + version + ".txt");
  return access(path.c_str(), R_OK) == 0 ? path : "";
}

}  // namespace

KnownDepartures KnownOf(const Plugin& plugin, const std::string& given) {
  const std::string path = KnownPath(plugin.name, plugin.version, given);
  if (path.empty()) return {};
  const KnownDepartures known = KnownDepartures::FromFile(path);
  return known.IsAbout(plugin.name, plugin.version) ? known.On(plugin.cpu_isa) : KnownDepartures();
}

void WriteKnown(const std::string& path, const std::string& given, const CampaignResult& result) {
  const std::string before = KnownPath(result.implementation, result.version, given);
  const bool kept = !before.empty() && KnownDepartures::FromFile(before).IsAbout(result.implementation, result.version);
  const std::string text = KnownDeparturesText(result, kept ? ReadWholeFile(before) : "");
  WriteWholeFiles({{path, text}});
}

}  // namespace tandem::conformance
