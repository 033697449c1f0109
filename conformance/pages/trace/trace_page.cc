#include "conformance/pages/trace/trace_page.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "conformance/lesson/description.h"
#include "conformance/lesson/explanation.h"
#include "conformance/lesson/lesson.h"
#include "conformance/oracle/oracle_forward.h"
#include "conformance/problem/row_lengths.h"
#include "conformance/sandbox/runfiles.h"
#include "conformance/sandbox/runner.h"
#include "conformance/sandbox/whole_file.h"

namespace tandem::conformance {
namespace {

using Json = nlohmann::ordered_json;
using reference::TracedLine;
using reference::TracePhase;

// A page with more numbers is slow to open.
constexpr size_t kMostNumbers = 2000000;
// A problem with more steps, over all layers and directions, has matrices of the selected step and of its neighbours only.
constexpr Dim kMostSteps = 24;
// A problem with more elements, over all steps, has explanations of the selected unit and row only.
constexpr Dim kMostExplained = 64;

Dim StepsOf(const RnnProblem& problem) { return problem.n_iter * problem.n_layer * problem.n_dir; }

// Collects the lines of one trace.
class PageData {
 public:
  // `selection` has a step, a unit and a row.
  PageData(const TracedProblem& traced, const TraceSelection& selection);

  // Throws std::length_error after too many numbers.
  void Visit(const TracedLine& line);
  // Returns the description of lesson/description.h, and:
  //  "summary", "dataFile", "loss": "all" or "last", "chosen": {"t", "unit", "row"}, "values": [AppendNumbers() of all lines],
  //  "explanations": {"LINE,ROW,COLUMN": ExplanationOf() that element}
  Json Take();
  int disagreements() const { return disagreements_; }

 private:
  bool IsNear(const TracedLine& line) const;
  void Explain(const TracedLine& line);

  const TracedProblem& traced_;
  const TraceSelection& selection_;
  DescriptionWriter description_;
  Json explanations_ = Json::object();
  std::vector<double> values_;
  size_t lines_ = 0;
  int disagreements_ = 0;
};

PageData::PageData(const TracedProblem& traced, const TraceSelection& selection)
    : traced_(traced), selection_(selection), description_(traced.spec, traced.problem, traced.tensors) {}

bool PageData::IsNear(const TracedLine& line) const {
  const bool is_of_a_step = line.phase == TracePhase::kForward || line.phase == TracePhase::kBackward;
  return !is_of_a_step || StepsOf(traced_.problem) <= kMostSteps || std::abs(line.step.time - *selection_.step) <= 1;
}

void PageData::Visit(const TracedLine& line) {
  if (!line.agrees) ++disagreements_;
  const bool is_near = IsNear(line), is_kept = is_near || reference::IsPerRow(line);
  description_.AddLine(line, is_kept ? LineNumbers::kAppended : LineNumbers::kLeftOut);
  if (is_kept) AppendNumbers(line, &values_);
  if (values_.size() > kMostNumbers) {
    throw std::length_error("a page holds at most " + std::to_string(kMostNumbers) +
                            " numbers, and this problem has more; choose fewer steps, rows or channels");
  }
  if (is_near && line.before != nullptr) Explain(line);
  ++lines_;
}

void PageData::Explain(const TracedLine& line) {
  const RnnProblem& problem = traced_.problem;
  const bool all = problem.dhc * problem.mb * StepsOf(problem) <= kMostExplained, per_row = reference::IsPerRow(line);
  for (Dim row = 0; row < line.value.rows(); ++row) {
    for (Dim col = 0; col < (per_row ? line.value.cols() : 1); ++col) {
      const bool is_selected = row == std::min<Dim>(*selection_.unit, line.value.rows() - 1) &&
                               col == (per_row ? std::min<Dim>(*selection_.row, line.value.cols() - 1) : 0);
      if (!all && !is_selected) continue;
      const std::string key = std::to_string(lines_) + "," + std::to_string(row) + "," + std::to_string(col);
      explanations_[key] = ExplanationOf(line, {row, col});
    }
  }
}

Json PageData::Take() {
  Json data = description_.Take();
  data["summary"] = Summary(traced_);
  data["dataFile"] = traced_.data_file;
  data["loss"] = traced_.loss == Loss::kLastOutput ? "last" : "all";
  data["chosen"] = {{"t", *selection_.step}, {"unit", *selection_.unit}, {"row", *selection_.row}};
  data["values"] = JsonNumbers(values_);
  data["explanations"] = std::move(explanations_);
  return data;
}

// Runs the plugins and adds their outputs and the accepted intervals: "intervals": [as IntervalsOf()], "implementations":
// [{"name", "failure", "outputs": [the elements of all outputs]}].
void AddOutputs(const TracedProblem& traced, const std::vector<Plugin>& plugins, Json* data) {
  TensorSet inputs = traced.tensors;
  bool has_run = false;
  (*data)["implementations"] = Json::array();
  for (const Plugin& plugin : plugins) {
    Json implementation = {{"name", plugin.word.empty() ? plugin.name : plugin.word}};
    TensorSet outputs = traced.tensors;
    RunOptions options;
    options.environment = plugin.environment;
    options.free_layouts = FreeLayouts(traced.spec);
    const ExecutionReport report = RunIsolated(plugin, traced.problem, options, &outputs);
    if (report.status != RunStatus::kOk) {
      implementation["failure"] = report.message;
    } else {
      // Backward reads the dst_* that an implementation has written. The equations take those of the first one that ran.
      if (traced.problem.IsBackward() && !has_run) TakeForwardOutputs(outputs, &inputs);
      has_run = true;
      implementation["outputs"] = Json::array();
      for (const Tensor tensor : Outputs(traced.problem)) {
        for (const double value : outputs[tensor].ToDoubles()) implementation["outputs"].push_back(JsonNumber(value));
      }
    }
    (*data)["implementations"].push_back(std::move(implementation));
  }
  (*data)["intervals"] = JsonNumbers(IntervalsOf(RunOracle(traced.problem, inputs)));
}

std::string FileText(const std::string& path) { return ReadWholeFile(RunfilePath(path)); }

std::string Replaced(const std::string& text, const std::string& from, const std::string& to) {
  std::string result;
  size_t begin = 0;
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, begin)) {
    result.append(text, begin, at - begin) += to;
    begin = at + from.size();
  }
  return result.append(text, begin, std::string::npos);
}

std::string Script(const std::string& text) { return "<script>\n" + text + "</script>\n"; }

// Returns the module that computes, as a script. It exists if `./tandem site` has built it.
std::string ModuleScript() {
  const std::string path = RunfilePath("web/lesson/reference.js");
  return access(path.c_str(), R_OK) == 0 ? Script(ReadWholeFile(path)) : "";
}

std::string Scripts(const Json& data) {
  // A file's name may be no UTF-8, and no text of the data may end the element that holds it.
  const std::string text = Replaced(data.dump(-1, ' ', false, Json::error_handler_t::replace), "<", "\\u003c");
  std::string scripts = Script("globalThis.LESSON_DATA = " + text + ";\n");
  scripts += ModuleScript();
  for (const char* name : {"module", "cells", "model", "letters", "draw", "chart", "state", "edits", "picture",
                           "over_time", "equation", "outputs", "numbers", "page"}) {
    scripts += Script(FileText(std::string("web/lesson/") + name + ".js"));
  }
  return scripts;
}

// Returns the first of the rows with the most steps.
Dim LongestRow(const TracedProblem& traced) {
  const std::vector<Dim> lengths = RowLengthsOf(traced.problem, traced.tensors);
  return std::max_element(lengths.begin(), lengths.end()) - lengths.begin();
}

std::string Page(const TracedProblem& traced, const Json& data) {
  const Cell drawn = TraitsOf(traced.problem.cell).without_attention;
  const std::string figure = FileText(std::string("docs/book/figures/") + ToString(drawn) + ".svg");
  const std::string title = std::string(ToString(traced.problem.cell)) + ": every equation with its numbers";
  const std::string body =
      Replaced(Replaced(FileText("web/lesson/page.html"), "{{title}}", title), "{{figure}}", figure);
  return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
         "content=\"width=device-width,initial-scale=1\"><title>" +
         title + "</title><style>\n" + FileText("web/site/site.css") + FileText("web/lesson/live.css") +
         "</style></head>\n<body><main>\n" + body + "</main>\n" + Scripts(data) + "</body></html>\n";
}

}  // namespace

TracePage MakeTracePage(const TracedProblem& traced, TraceSelection selection, const std::vector<Plugin>& plugins) {
  selection.step = selection.step.value_or(0);
  selection.unit = selection.unit.value_or(0);
  selection.row = selection.row.value_or(LongestRow(traced));
  PageData collected(traced, selection);
  reference::Trace(traced.problem, BuffersOf(traced.tensors), [&](const TracedLine& line) { collected.Visit(line); });
  Json data = collected.Take();
  AddOutputs(traced, plugins, &data);
  return {Page(traced, data), collected.disagreements()};
}

}  // namespace tandem::conformance
