#include "reference/teaching/book/explain.h"

#include <algorithm>
#include <cstdio>

#include "reference/teaching/book/unfold.h"

namespace tandem {
namespace reference {
namespace {

using Kind = Expression::Kind;

// Says whether one number takes the place of this part of a formula.
bool IsPart(const Expression& e) {
  return e.kind == Kind::kSymbol || e.kind == Kind::kProduct || e.kind == Kind::kSumOver ||
         e.kind == Kind::kTranspose || IsOverChannels(e);
}

// left += right means left + right.
Expression WholeRight(const Formula& formula) {
  if (formula.assignment == Assignment::kEquals) return formula.right;
  Expression sum;
  sum.kind = Kind::kAdd;
  sum.args = {formula.left, formula.right};
  return sum;
}

void CollectParts(const Evaluator& evaluator, const Expression& e, ElementAt at, std::vector<ExplainedPart>* parts) {
  if (IsPart(e)) {
    parts->push_back({Show(e, Notation::kText), ElementOf(evaluator.Evaluate(e), at)});
    return;
  }
  for (const Expression& arg : e.args) CollectParts(evaluator, arg, at, parts);
}

}  // namespace

double ElementOf(const Mat<double>& value, ElementAt at) {
  return value(std::min<Dim>(at.row, value.rows() - 1), std::min<Dim>(at.col, value.cols() - 1));
}

std::string ShowNumber(double value, const NumberStyle& style) {
  char text[40];
  const double number = value == 0 ? 0.0 : value;  // no -0
  if (style.count == Digits::kSignificant) {
    std::snprintf(text, sizeof text, "%.*g", style.digits, number);
    return text;
  }
  std::snprintf(text, sizeof text, "%.*f", style.digits, number);
  std::string decimals = text;
  decimals.erase(decimals.find_last_not_of('0') + 1);
  if (decimals.back() == '.') decimals.pop_back();
  return decimals;
}

Explanation Explain(const Evaluator& evaluator, const Formula& formula, ElementAt at, const NumberStyle& style) {
  const Expression right = WholeRight(formula);
  const auto number = [&](const Expression& e) { return ShowNumber(ElementOf(evaluator.Evaluate(e), at), style); };
  Explanation explanation;
  explanation.value = ElementOf(evaluator.Evaluate(right), at);
  const auto add = [&](const std::string& stage) {
    std::vector<std::string>& stages = explanation.stages;
    if (stages.empty() || stages.back() != stage) stages.push_back(stage);
  };
  if (style.most_terms > 0) {
    add(Show(Unfolded(evaluator, right, at, style), style.notation));
    NumberStyle one_number = style;
    one_number.most_terms = 0;
    add(Show(Unfolded(evaluator, right, at, one_number), style.notation));
  } else {
    add(Show(right, style.notation, [&](const Expression& e) { return IsPart(e) ? number(e) : ""; }));
  }
  // The arguments from the innermost one outwards: f(g(0.5)), f(0.25), the result.
  std::vector<const Expression*> nested = {&right};
  while (nested.back()->kind == Kind::kCall && nested.back()->args.size() == 1 && !IsOverChannels(*nested.back()))
    nested.push_back(&nested.back()->args[0]);
  for (auto inner = nested.rbegin(); inner != nested.rend(); ++inner) {
    add(Show(right, style.notation, [&](const Expression& e) { return &e == *inner ? number(e) : ""; }));
  }
  return explanation;
}

std::vector<ExplainedPart> PartsOf(const Evaluator& evaluator, const Formula& formula, ElementAt at) {
  std::vector<ExplainedPart> parts;
  CollectParts(evaluator, WholeRight(formula), at, &parts);
  return parts;
}

}  // namespace reference
}  // namespace tandem
