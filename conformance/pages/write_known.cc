#include "conformance/pages/write_known.h"

#include <stdexcept>

#include "conformance/problem/problem_options.h"

namespace tandem::conformance {
namespace {

// Returns the value as a condition has it: characters that separate words, or stand for several values, fit any character.
std::string AsGlob(std::string value) {
  for (char& c : value) {
    if (std::string(" ,*[\\#").find(c) != std::string::npos) c = '?';
  }
  return value;
}

// Returns for example "lstm-forward_inference-f32-dst_layer". Departures of one cause mostly have this in common.
std::string IdOf(const CheckedProblem& checked, const TensorReport* row) {
  const ProblemSpec& spec = checked.spec;
  return std::string(ToString(spec.cell)) + "-" + ToString(spec.propagation) + "-" + TypesOf(spec.config).name + "-" +
         (row != nullptr ? ToString(row->tensor) : ToString(checked.finding));
}

std::string LineOf(const CheckedProblem& checked) {
  const TensorReport* row =
      checked.finding == Finding::kNone ? FirstRowWith(checked.outcome.verdict(), checked.report) : nullptr;
  std::string line = IdOf(checked, row) + " " + ToString(checked.outcome.verdict());
  for (const ProblemOption& option : ProblemOptions()) {
    const std::string value = option.get(checked.spec);
    if (!value.empty()) line += std::string(" --") + option.name + "=" + AsGlob(value);
  }
  const ProblemSpec& spec = checked.spec;
  const std::pair<const char*, Dim> dims[] = {{"l", spec.l},     {"t", spec.t},     {"mb", spec.mb},  {"slc", spec.slc},
                                              {"sic", spec.sic}, {"dhc", spec.dhc}, {"dic", spec.dic}};
  for (const auto& [name, dim] : dims) line += std::string(" ") + name + "=" + std::to_string(dim);
  line += std::string(" finding=") + ToString(checked.finding);
  if (row != nullptr) line += std::string(" tensor=") + ToString(row->tensor) + " kind=" + ToString(row->kind);
  return line + "\n";
}

}  // namespace

std::string KnownDeparturesText(const CampaignResult& result, const std::string& known) {
  std::string text = known;
  if (text.empty()) {
    text =
        "# What a run found. A line explains one problem; who has found the cause gives it a name, and strikes the\n"
        "# conditions that do not matter. The notation: \"known departures\" in docs/verdicts/method.md.\n"
        "implementation " +
        result.implementation + " " + result.version + "\n\n";
  }
  // A problem that is drawn again has the form before it was shrunk.
  for (const CheckedProblem& complaint : result.complaints) text += LineOf(AsDrawn(result, complaint));
  // The notation cannot have a name with a blank, or no version.
  if (result.version.empty() ||
      !KnownDepartures(text, "known departures").IsAbout(result.implementation, result.version)) {
    throw std::runtime_error("the implementation \"" + result.implementation + "\" with version \"" + result.version +
                             "\" cannot be named in a file of known departures");
  }
  return text;
}

}  // namespace tandem::conformance
