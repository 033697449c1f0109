#include "conformance/lesson/description.h"

#include "api/core/attributes/quantization.h"
#include "conformance/problem/problem_notation.h"

namespace tandem::conformance {
namespace {

using Json = nlohmann::ordered_json;
using reference::Notation;
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
          {"values", buffer.ToDoubles()}};
}

}  // namespace

DescriptionWriter::DescriptionWriter(const ProblemSpec& spec, const RnnProblem& problem, const TensorSet& tensors) {
  json_ = {{"problem", PrintProblem(spec)},
           {"cell", ToString(problem.cell)},
           {"type", ToString(problem.SrcType())},
           {"backward", problem.IsBackward()},
           {"T", problem.n_iter},
           {"mb", problem.mb},
           {"dhc", problem.dhc}};
  if (problem.IsInt8()) {
    json_["data"] = {{"scale", problem.attr.rnn_data_scale}, {"shift", problem.attr.rnn_data_shift}};
    for (Dim gate = 0; gate < problem.n_gates; ++gate) {
      for (Dim unit = 0; unit < problem.dhc; ++unit) {
        json_["weights_scale"].push_back(WeightsScale(problem.attr, gate, unit, problem.dhc));
      }
    }
  }
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

size_t DescriptionWriter::NumberOfFormula(const TracedLine& line) {
  const bool is_input = line.id.empty();
  const std::string text = is_input ? line.Name() : Show(line.formula, Notation::kText);
  const auto [found, is_new] = formulas_.insert({line.id + "|" + line.about + "|" + text, formulas_.size()});
  if (is_new) {
    json_["formulas"].push_back(
        {{"id", line.id},
         {"name", line.Name()},
         {"about", line.about},
         {"text", text},
         {"mathml", is_input ? Show(line.formula.left, Notation::kMathml) : Show(line.formula, Notation::kMathml)},
         {"left", Show(line.formula.left, Notation::kMathml)}});
  }
  return found->second;
}

void DescriptionWriter::AddLine(const TracedLine& line) {
  Json place = {NumberOfFormula(line), static_cast<int>(line.phase),
                line.step.time,        line.step.layer,
                line.step.dir,         line.value.rows(),
                line.value.cols()};
  place.push_back(size_);
  size_ += static_cast<size_t>(line.value.size());
  place.push_back(line.stored.size() > 0 ? static_cast<int64_t>(size_) : int64_t{-1});
  size_ += static_cast<size_t>(line.stored.size());
  json_["lines"].push_back(place);
}

std::string DescriptionWriter::Text() {
  json_["size"] = size_;
  return json_.dump();
}

}  // namespace tandem::conformance
