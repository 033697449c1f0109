#include "conformance/pages/trace/page_values.h"

#include <algorithm>
#include <map>
#include <utility>

#include "conformance/pages/trace/page_parts.h"
#include "conformance/pages/trace/page_plots.h"
#include "conformance/problem/base/format.h"
#include "reference/teaching/book/equations.h"
#include "reference/teaching/book/step_lines.h"

namespace tandem::conformance {
namespace {

using reference::Expression;
using reference::Notation;
using reference::TracedLine;
using Kind = Expression::Kind;
using Values = reference::Mat<double>;

constexpr reference::NumberStyle kNumber = {7};
// A table of all values ends after so many rows and columns.
constexpr Dim kMostValues = 32;

enum class Columns { kRowsOfTheMinibatch, kInputs };

// Rows are units. `line` says which rows of the minibatch have no step; `summary` is HTML.
std::string FoldedTable(const TracedLine& line, const Values& values, Columns columns, const std::string& summary) {
  const bool per_row = columns == Columns::kRowsOfTheMinibatch;
  const Dim rows = std::min<Dim>(values.rows(), kMostValues), cols = std::min<Dim>(values.cols(), kMostValues);
  std::string html = "<details><summary>" + summary + "</summary><table class=all><tr><th scope=col>unit";
  for (Dim col = 0; col < cols; ++col) {
    html += "<th scope=col>";
    html += per_row ? "n = " + std::to_string(col) : values.cols() > 1 ? "input " + std::to_string(col) : "value";
  }
  for (Dim row = 0; row < rows; ++row) {
    html += "<tr><th scope=row>" + std::to_string(row);
    for (Dim col = 0; col < cols; ++col)
      html += "<td>" + (per_row && IsDead(line, col) ? std::string("no step") : ShowNumber(values(row, col), kNumber));
  }
  const bool all = rows == values.rows() && cols == values.cols();
  return html + "</table>" + (all ? "" : Format("The first %d of each.", static_cast<int>(kMostValues))) + "</details>";
}

struct Part {
  Expression expression;
  Values values;
};

bool HasProduct(const Expression& e) {
  return e.kind == Kind::kProduct || std::any_of(e.args.begin(), e.args.end(), HasProduct);
}

// What a matrix product reads, if it is computed: of r * h' the values as they are multiplied.
void CollectOperands(const reference::Evaluator& evaluator, const Expression& product, std::vector<Part>* parts) {
  const auto [a, b] = evaluator.OperandsOf(product);
  for (size_t i = 0; i < 2; ++i) {
    const Expression& operand = product.args[i];
    const bool transposed = operand.kind == Kind::kTranspose;
    const Expression& inner = transposed ? operand.args[0] : operand;
    const Values& values = i == 0 ? a : b;
    if (inner.kind != Kind::kSymbol) parts->push_back({inner, transposed ? Values(values.transpose()) : values});
  }
}

void CollectParts(const reference::Evaluator& evaluator, const Expression& e, std::vector<Part>* parts) {
  if (e.kind == Kind::kSumOver) return;
  // What forward has saved of a formula: its name is the formula.
  if (e.kind == Kind::kSymbol && e.name[0] == '(')
    parts->push_back({reference::ParseExpression(e.name), evaluator.Evaluate(e)});
  if (e.kind == Kind::kProduct) return CollectOperands(evaluator, e, parts);
  for (const Expression& arg : e.args) {
    const bool is_sum = arg.kind == Kind::kAdd || arg.kind == Kind::kSubtract;
    if (e.kind == Kind::kMultiply && is_sum && HasProduct(arg)) parts->push_back({arg, evaluator.Evaluate(arg)});
    CollectParts(evaluator, arg, parts);
  }
}

// The statements of the problem's cell, by the ids of their equations.
std::map<std::string, std::string> CodeOf(const RnnProblem& problem) {
  std::vector<reference::StepLine> lines = reference::ForwardStepLines(problem);
  if (problem.IsBackward()) {
    for (reference::StepLine& line : reference::BackwardStepLines(problem)) lines.push_back(std::move(line));
  }
  std::map<std::string, std::string> code;
  for (const reference::StepLine& line : lines) code.emplace(line.id, line.code);
  return code;
}

}  // namespace

std::string AllValues(const TracedLine& line) {
  const Values& values = line.stored_as.empty() ? line.value : line.stored;
  if (line.cell.size() > 0) {
    return FoldedTable(line, line.value, Columns::kRowsOfTheMinibatch, "h, all units and rows") +
           FoldedTable(line, line.cell, Columns::kRowsOfTheMinibatch, "c, all units and rows");
  }
  if (reference::IsPerRow(line)) {
    return FoldedTable(line, values, Columns::kRowsOfTheMinibatch, "all units and rows");
  }
  const std::string tensor = TensorOf(line);
  return FoldedTable(line, values, Columns::kInputs,
                     HtmlText(line.Name()) + (tensor.empty() ? "" : " (" + tensor + ")") +
                         (values.cols() > 1 ? ": row = unit, column = input" : ": row = unit"));
}

std::string InnerValues(const TracedLine& line) {
  if (!line.before || line.evaluated.right.kind == Kind::kConcat) return "";
  std::vector<Part> parts;
  CollectParts(*line.before, line.evaluated.right, &parts);
  std::string html;
  for (const Part& part : parts) {
    const std::string math = MathElement(Show(part.expression, Notation::kMathml));
    html += FoldedTable(line, part.values, Columns::kRowsOfTheMinibatch, math + ", all units and rows");
  }
  return html;
}

std::string EquationsTable(const RnnProblem& problem, const std::vector<std::string>& ids) {
  const std::map<std::string, std::string> code = CodeOf(problem);
  std::string table =
      "<table><tr><th scope=col>id<th scope=col>equation<th scope=col>why<th scope=col>the reference's code\n";
  for (const std::string& id : ids) {
    const reference::Equation& equation = reference::FindEquation(id);
    table += "<tr id=\"" + id + "\"><th scope=row>[" + id + "]<td>";
    for (const reference::EquationLine& line : equation.lines) {
      table += "<p class=numbers>" + MathElement(Show(line.formula, Notation::kMathml));
      table += (line.when.empty() ? "" : " (" + HtmlText(line.when) + ")") + "</p>";
    }
    table += "<td>" + HtmlWithMath(equation.derivation) + "<td>";
    if (const auto found = code.find(id); found != code.end()) table += CodeElement(found->second);
    table += "\n";
  }
  return table + "</table>\n";
}

}  // namespace tandem::conformance
