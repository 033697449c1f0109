#include <nlohmann/json.hpp>

#include "conformance/lesson/description.h"
#include "conformance/oracle/oracle_forward.h"
#include "conformance/pages/trace/trace_text.h"
#include "conformance/problem/problem_notation.h"

namespace tandem::conformance {
namespace {

using Json = nlohmann::ordered_json;
using reference::ElementAt;
using reference::TracedLine;
using reference::TracePhase;

const char* PhaseName(TracePhase phase) {
  switch (phase) {
    case TracePhase::kParameters:
      return "weights";
    case TracePhase::kForward:
      return "forward";
    case TracePhase::kBackward:
      return "backward";
    case TracePhase::kGradients:
      return "gradients";
  }
  return "";
}

Json ElementJson(const TracedLine& line, ElementAt at) {
  Json element;
  const bool per_row = reference::IsPerRow(line);
  element[per_row ? "unit" : "row"] = at.row;
  element[per_row ? "n" : "column"] = at.col;
  if (line.before && line.evaluated.right.kind != reference::Expression::Kind::kConcat) {
    Json parts = Json::array();
    for (const reference::ExplainedPart& part : PartsOf(*line.before, line.evaluated, at)) {
      parts.push_back({{"name", part.text}, {"value", JsonNumber(part.value)}});
    }
    element["parts"] = parts;
    element["steps"] = Explain(*line.before, line.evaluated, at, {9}).stages;
  }
  if (line.cell.size() == 0 || at.row < line.value.rows()) element["value"] = JsonNumber(ElementOf(line.value, at));
  if (at.row < line.cell.rows()) element["cell"] = JsonNumber(ElementOf(line.cell, at));
  if (!line.stored_as.empty()) {
    element["stored"] = {{"type", line.stored_as}, {"value", JsonNumber(ElementOf(line.stored, at))}};
    if (line.bytes.size() > 0) element["stored"]["byte"] = JsonNumber(ElementOf(line.bytes, at));
  }
  return element;
}

Json LineJson(const TracedLine& line, const TraceSelection& selection) {
  Json json = {{"phase", PhaseName(line.phase)}, {"l", line.step.layer}, {"d", line.step.dir}};
  if (line.phase == TracePhase::kForward || line.phase == TracePhase::kBackward) json["t"] = line.step.time;
  if (!line.id.empty()) {
    json["id"] = line.id;
    json["equation"] = Show(line.formula, reference::Notation::kText);
  }
  json["name"] = line.Name();
  if (!line.about.empty()) json["about"] = line.about;
  json["agrees"] = line.agrees;
  json["elements"] = Json::array();
  for (const ElementAt at : selection.Elements(line)) json["elements"].push_back(ElementJson(line, at));
  return json;
}

}  // namespace

int WriteTraceJson(const TracedProblem& traced, const TraceSelection& selection, std::ostream* out) {
  Json json = {{"problem", PrintProblem(traced.spec)}, {"summary", Summary(traced)}};
  if (!traced.data_file.empty()) json["data"] = traced.data_file;
  json["lines"] = Json::array();
  int disagreements = 0;
  reference::Trace(traced.problem, BuffersOf(traced.tensors), [&](const TracedLine& line) {
    disagreements += line.agrees ? 0 : 1;
    if (selection.Shows(line)) json["lines"].push_back(LineJson(line, selection));
  });
  *out << json.dump(1) << "\n";
  return disagreements;
}

}  // namespace tandem::conformance
