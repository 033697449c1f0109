#include "conformance/lesson/description.h"

#include <array>
#include <cmath>

#include "api/core/attributes/quantization.h"
#include "conformance/problem/problem_notation.h"
#include "reference/teaching/book/chapter.h"
#include "reference/teaching/book/rounding_points.h"

namespace tandem::conformance {
namespace {

using Json = nlohmann::ordered_json;
using reference::Notation;
using reference::StepLine;
using reference::TracedLine;

Json DimsOf(const MemoryDesc& md) {
  Json dims = Json::array();
  for (int d = 0; d < md.ndims; ++d) dims.push_back(md.dims[d]);
  return dims;
}

Json TensorJson(Tensor tensor, const TensorBuffer& buffer) {
  return {{"number", static_cast<int>(tensor)},
          {"name", TraitsOf(tensor).name},
          {"type", ToString(buffer.type())},
          {"dims", DimsOf(buffer.md())},
          {"values", JsonNumbers(buffer.ToDoubles())}};
}

// Returns the HTML of a text with formulas in {braces} and `words`.
std::string HtmlOf(const std::string& text) {
  std::string escaped;
  for (const char c : text) escaped += c == '&' ? "&amp;" : c == '<' ? "&lt;" : std::string(1, c);
  std::string html = reference::WithFormulas(escaped, Notation::kMathml);
  for (bool opening = true; html.find('`') != std::string::npos; opening = !opening) {
    html.replace(html.find('`'), 1, opening ? "<code>" : "</code>");
  }
  return html;
}

Json RoundingOf(const RnnProblem& problem) {
  Json rounding = Json::array();
  for (const reference::RoundingPoint& point : reference::RoundingPoints()) {
    if (!point.applies(problem)) continue;
    rounding.push_back({{"value", HtmlOf(point.value)},
                        {"equations", point.equations},
                        {"kept", HtmlOf(problem.IsInt8() ? point.int8 : point.floating)},
                        {"member", point.member},
                        {"words", point.member_in_words}});
  }
  return rounding;
}

std::map<std::string, std::string> CodeOf(const RnnProblem& problem) {
  std::map<std::string, std::string> code;
  for (const StepLine& line : reference::ForwardStepLines(problem)) code.emplace(line.id, line.code);
  if (!problem.IsBackward()) return code;
  for (const StepLine& line : reference::BackwardStepLines(problem)) code.emplace(line.id, line.code);
  return code;
}

std::array<const reference::Mat<double>*, 4> NumbersOf(const TracedLine& line) {
  return {&line.value, &line.stored, &line.cell, &line.bytes};
}

}  // namespace

Json JsonNumber(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

Json JsonNumbers(const std::vector<double>& values) {
  Json numbers = Json::array();
  for (const double value : values) numbers.push_back(JsonNumber(value));
  return numbers;
}

void AppendNumbers(const TracedLine& line, std::vector<double>* numbers) {
  numbers->push_back(line.agrees ? 1 : 0);
  for (const reference::Mat<double>* part : NumbersOf(line)) {
    numbers->insert(numbers->end(), part->data(), part->data() + part->size());
  }
}

DescriptionWriter::DescriptionWriter(const ProblemSpec& spec, const RnnProblem& problem, const TensorSet& tensors)
    : code_(CodeOf(problem)) {
  json_ = {{"problem", PrintProblem(spec)},
           {"cell", ToString(problem.cell)},
           {"type", ToString(problem.SrcType())},
           {"backward", problem.IsBackward()},
           {"T", problem.n_iter},
           {"mb", problem.mb},
           {"dhc", problem.dhc},
           {"layers", problem.n_layer}};
  for (Dim dir = 0; dir < problem.n_dir; ++dir) {
    json_["directions"].push_back(
        ToString(IsReversed(problem.direction, dir) ? Direction::kRight2Left : Direction::kLeft2Right));
  }
  if (problem.IsInt8()) {
    json_["data"] = {{"scale", problem.attr.rnn_data_scale}, {"shift", problem.attr.rnn_data_shift}};
    for (Dim gate = 0; gate < problem.n_gates; ++gate) {
      for (Dim unit = 0; unit < problem.dhc; ++unit) {
        json_["weights_scale"].push_back(WeightsScale(problem.attr, gate, unit, problem.dhc));
      }
    }
  }
  json_["rounding"] = RoundingOf(problem);
  json_["equations"] = Json::object();
  for (const char* list : {"tensors", "outputs", "formulas", "lines"}) json_[list] = Json::array();
  for (int i = 0; i < kNumTensors; ++i) {
    const auto tensor = static_cast<Tensor>(i);
    const bool is_computed = TraitsOf(tensor).role == TensorRole::kResult && TraitsOf(tensor).of == kNoTensor;
    if (problem.Has(tensor) && IsInput(problem, tensor) && !is_computed) {
      json_["tensors"].push_back(TensorJson(tensor, tensors[tensor]));
    }
  }
  for (const Tensor tensor : Outputs(problem)) {
    json_["outputs"].push_back({{"name", TraitsOf(tensor).name}, {"dims", DimsOf(problem.md[tensor])}});
  }
}

void DescriptionWriter::AddEquation(const std::string& id) {
  if (json_["equations"].contains(id)) return;
  const reference::Equation& equation = reference::FindEquation(id);
  Json lines = Json::array();
  for (const reference::EquationLine& line : equation.lines) {
    lines.push_back({{"mathml", Show(line.formula, Notation::kMathml)}, {"when", line.when}});
  }
  json_["equations"][id] = {
      {"lines", lines}, {"why", HtmlOf(equation.derivation)}, {"place", equation.place}, {"code", code_[id]}};
}

size_t DescriptionWriter::NumberOfFormula(const TracedLine& line) {
  const bool is_input = line.id.empty(), per_row = reference::IsPerRow(line);
  const std::string text = is_input ? line.Name() : Show(line.formula, Notation::kText);
  const std::string key = line.id + "|" + line.about + "|" + text + (per_row ? "|" : "");
  const auto [found, is_new] = formulas_.insert({key, formulas_.size()});
  if (is_new) {
    if (!is_input) AddEquation(line.id);
    json_["formulas"].push_back(
        {{"id", line.id},
         {"name", line.Name()},
         {"about", line.about},
         {"text", text},
         {"mathml", is_input ? Show(line.formula.left, Notation::kMathml) : Show(line.formula, Notation::kMathml)},
         {"left", Show(line.formula.left, Notation::kMathml)},
         {"perRow", per_row}});
  }
  return found->second;
}

void DescriptionWriter::AddLine(const TracedLine& line, LineNumbers numbers) {
  const auto place_of = [&](Dim size) {
    if (size == 0 || numbers == LineNumbers::kLeftOut) return int64_t{-1};
    size_ += static_cast<size_t>(size);
    return static_cast<int64_t>(size_) - size;
  };
  Json places = {NumberOfFormula(line), static_cast<int>(line.phase),
                 line.step.time,        line.step.layer,
                 line.step.dir,         line.value.rows(),
                 line.value.cols(),     line.cell.rows()};
  places.push_back(place_of(1));
  for (const reference::Mat<double>* part : NumbersOf(line)) places.push_back(place_of(part->size()));
  json_["lines"].push_back(places);
}

Json DescriptionWriter::Take() {
  json_["size"] = size_;
  return std::move(json_);
}

}  // namespace tandem::conformance
