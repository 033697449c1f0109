#include "conformance/cli/trace_pages.h"

#include <cctype>
#include <cstdio>
#include <filesystem>

#include "conformance/cli/terminal.h"
#include "conformance/pages/trace/trace_page.h"
#include "conformance/plugins/builtin_plugins.h"
#include "conformance/sandbox/whole_file.h"

namespace tandem::conformance {
namespace {

// A result gets at most this many pages. Shrunk complaints come first and are small; a page of a larger problem takes too long.
constexpr size_t kMostPages = 5;
constexpr double kMostOps = 1e7;

std::string FileName(const std::string& implementation, size_t number) {
  std::string name = "trace-";
  for (const char c : implementation) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name + "-" + std::to_string(number) + ".html";
}

std::vector<Plugin> PluginsFor(const CheckedProblem& checked) {
  std::vector<Plugin> plugins = {LoadPlugin("reference")};
  if (checked.implementation != "reference") {
    plugins.push_back(LoadPlugin(checked.implementation));
    if (!checked.target.empty()) plugins.back().environment.push_back("TANDEM_TARGET=" + checked.target);
  }
  return plugins;
}

void WritePage(const CheckedProblem& checked, const Location& first, const std::string& path) {
  ProblemSpec spec = checked.spec;
  ResolveDims(&spec);
  TraceSelection selection;
  if (first.t >= 0) selection.step = first.t;
  if (first.n >= 0) selection.row = first.n;
  if (first.unit >= 0 && first.unit < spec.dhc) selection.unit = first.unit;
  const TracePage page = MakeTracePage(LoadTracedProblem(spec, ""), selection, PluginsFor(checked));
  WriteWholeFiles({{path, page.html}});
}

}  // namespace

const char* WhyNoPage(const ProblemSpec& spec) {
  if (spec.masks != 0) return "has no lines for masks: leave out --masks";
  if (spec.norm.given()) return "has no lines for norms: leave out --norm";
  if (AreDefault(spec.gates)) return nullptr;
  return "has the equations of the specification's gates: leave out --attr-rnn-activations, --attr-rnn-clip and "
         "--attr-rnn-input-forget";
}

TracePages WriteTracePages(const std::vector<CampaignResult>& results, const std::string& directory) {
  TracePages pages;
  for (const CampaignResult& result : results) {
    size_t written = 0;
    // Pages of an earlier run into this directory show complaints that the new report does not have.
    std::error_code none;
    for (size_t i = 1; i <= kMostPages; ++i)
      std::filesystem::remove(directory + "/" + FileName(result.implementation, i), none);
    for (const CheckedProblem& checked : result.complaints) {
      const TensorReport* row = FirstRowWith(Verdict::kFail, checked.report);
      if (written == kMostPages) break;
      if (row == nullptr || !row->has_departure || CountOps(checked.spec) > kMostOps) continue;
      if (WhyNoPage(checked.spec) != nullptr) continue;
      const std::string name = FileName(result.implementation, written + 1);
      try {
        std::filesystem::create_directories(directory);
        WritePage(checked, row->first, directory + "/" + name);
        pages[ReplayLine(checked)] = name;
        ++written;
      } catch (const std::exception& error) {
        Printf(stderr, "tandem: no trace page for %s: %s\n", ReplayLine(checked).c_str(), error.what());
      }
    }
  }
  return pages;
}

}  // namespace tandem::conformance
