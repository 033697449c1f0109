#include "conformance/lesson/explanation.h"

#include <algorithm>

#include "conformance/lesson/description.h"

namespace tandem::conformance {
namespace {

using Json = nlohmann::ordered_json;
using reference::ElementAt;
using reference::Evaluator;
using reference::Expression;
using Kind = Expression::Kind;

Json TermsOf(const Evaluator& evaluator, const Expression& product, ElementAt at) {
  const auto [a, b] = evaluator.OperandsOf(product);
  Json terms = Json::array();
  for (Dim k = 0; k < a.cols(); ++k) {
    terms.push_back(
        {JsonNumber(a(std::min<Dim>(at.row, a.rows() - 1), k)), JsonNumber(b(k, std::min<Dim>(at.col, b.cols() - 1)))});
  }
  return terms;
}

// Adds symbols and products, each a number of its own. A sum over the gates adds its products.
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
  Json part = {{"name", Show(e, reference::Notation::kMathml)},
               {"value", JsonNumber(ElementOf(evaluator.Evaluate(e), at))}};
  if (e.kind == Kind::kProduct) part["terms"] = TermsOf(evaluator, e, at);
  parts->push_back(part);
}

}  // namespace

Json ExplanationOf(const reference::TracedLine& line, ElementAt at) {
  const reference::NumberStyle style = {6, reference::Digits::kSignificant, reference::Notation::kMathml};
  Json json = {{"value", JsonNumber(ElementOf(line.value, at))}, {"stages", Json::array()}, {"parts", Json::array()}};
  if (line.before != nullptr && line.evaluated.right.kind != Kind::kConcat) {
    json["stages"] = reference::Explain(*line.before, line.evaluated, at, style).stages;
    AddParts(*line.before, line.evaluated.right, at, &json["parts"]);
  }
  return json;
}

}  // namespace tandem::conformance
