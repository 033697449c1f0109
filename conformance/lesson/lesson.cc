#include "conformance/lesson/lesson.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "conformance/lesson/description.h"
#include "conformance/oracle/oracle.h"
#include "conformance/problem/generator.h"
#include "conformance/problem/problem_notation.h"

namespace tandem::conformance {
namespace {

using Json = nlohmann::ordered_json;
using reference::ElementAt;
using reference::Evaluator;
using reference::Expression;
using reference::Mat;
using reference::TracedLine;
using Kind = Expression::Kind;

void Append(const Mat<double>& values, std::vector<double>* all) {
  all->insert(all->end(), values.data(), values.data() + values.size());
}

// The terms of a product's element.
Json TermsOf(const Evaluator& evaluator, const Expression& product, ElementAt at) {
  const auto [a, b] = evaluator.OperandsOf(product);
  Json terms = Json::array();
  for (Dim k = 0; k < a.cols(); ++k) {
    terms.push_back({a(std::min<Dim>(at.row, a.rows() - 1), k), b(k, std::min<Dim>(at.col, b.cols() - 1))});
  }
  return terms;
}

// Symbols and products, each a number of its own; a sum over the gates has its products.
void AddParts(const Evaluator& evaluator, const Expression& e, ElementAt at, Json* parts) {
  if (e.kind == Kind::kSumOver && e.name == "g") {
    for (const std::string& gate : evaluator.gates) AddParts(evaluator, ForGate(e.args[0], gate), at, parts);
    return;
  }
  const bool is_whole = e.kind == Kind::kSymbol || e.kind == Kind::kProduct || e.kind == Kind::kSumOver;
  if (!is_whole) {
    for (const Expression& arg : e.args) AddParts(evaluator, arg, at, parts);
    return;
  }
  Json part = {{"name", Show(e, reference::Notation::kMathml)}, {"value", ElementOf(evaluator.Evaluate(e), at)}};
  if (e.kind == Kind::kProduct) part["terms"] = TermsOf(evaluator, e, at);
  parts->push_back(part);
}

RnnBuffers BuffersOf(const RnnProblem& problem, TensorSet* tensors) {
  RnnBuffers buffers;
  for (int i = 0; i < kNumTensors; ++i) {
    if (problem.Has(static_cast<Tensor>(i))) buffers.tensor[i] = tensors->tensor[i].data();
  }
  return buffers;
}

}  // namespace

Lesson::Lesson(const std::string& words) : spec_(ParseProblem(words)) {
  ResolveDims(&spec_);
  if (spec_.lengths != RowLengths::kNone) throw std::invalid_argument("a lesson has no rows of different lengths");
  problem_ = ToRnnProblem(spec_);
  tensors_ = TensorSet(problem_);
  FillInputs(spec_, problem_, &tensors_);
  Describe();
}

void Lesson::Describe() {
  DescriptionWriter writer(spec_, problem_, tensors_);
  reference::Trace(problem_, BuffersOf(problem_, &tensors_), [&](const TracedLine& line) { writer.AddLine(line); });
  description_ = writer.Text();
}

double Lesson::Set(Tensor tensor, size_t index, double value) {
  TensorBuffer& buffer = tensors_[tensor];
  if (index >= buffer.size() || !IsInput(problem_, tensor)) throw std::out_of_range("no such element of an input");
  buffer.Set(index, value);
  return buffer.Get(index);
}

const std::vector<double>& Lesson::Run() {
  values_.clear();
  explanation_.clear();
  int64_t number = 0;
  reference::Trace(problem_, BuffersOf(problem_, &tensors_), [&](const TracedLine& line) {
    Append(line.value, &values_);
    Append(line.stored, &values_);
    if (number++ == place_.line) Explain(line);
  });
  return values_;
}

void Lesson::Explain(const TracedLine& line) {
  const reference::NumberStyle style = {6, reference::Digits::kSignificant, reference::Notation::kMathml};
  Json json = {{"value", ElementOf(line.value, place_.at)}, {"stages", Json::array()}, {"parts", Json::array()}};
  if (line.before != nullptr && line.evaluated.right.kind != Kind::kConcat) {
    json["stages"] = reference::Explain(*line.before, line.evaluated, place_.at, style).stages;
    AddParts(*line.before, line.evaluated.right, place_.at, &json["parts"]);
  }
  explanation_ = json.dump();
}

const std::vector<double>& Lesson::Intervals() {
  intervals_.clear();
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  for (const OracleTensor& tensor : RunOracle(problem_, tensors_).outputs) {
    for (size_t i = 0; i < tensor.value.size(); ++i) {
      const bool has_ends = tensor.cls[i] == ElementClass::kFinite;
      intervals_.push_back(tensor.value[i]);
      intervals_.push_back(has_ends ? tensor.lo[i] : kNan);
      intervals_.push_back(has_ends ? tensor.hi[i] : kNan);
    }
  }
  return intervals_;
}

}  // namespace tandem::conformance
