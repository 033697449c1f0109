#include "reference/teaching/book/norm_lines.h"

#include <map>
#include <set>
#include <utility>

namespace tandem {
namespace reference {
namespace {

using Kind = Expression::Kind;
using Names = std::map<std::string, Expression>;

const std::string kDelta = "Δ";

// Whose names have this mark and this subscript: v'_i has "'" and "_i".
struct Norm {
  std::string mark, subscript;
  Expression product;  // v
  std::string id;      // of the equation that has the product
};

bool IsProductOf(const Expression& e, char weights) {
  return e.kind == Kind::kProduct && e.args[0].kind == Kind::kSymbol && e.args[0].name[0] == weights;
}
bool IsDelta(const Expression& e) { return e.kind == Kind::kSymbol && e.name.rfind(kDelta, 0) == 0; }

bool IsOfState(const Expression& e) {
  bool found = false;
  ForEachSymbol(&e, [&](const Expression* symbol) { found = found || symbol->name == "h'" || symbol->name[0] == 'U'; });
  return found;
}

class NormLines {
 public:
  NormLines(const RnnProblem& problem, const EquationTable& table)
      : norm_(problem.attr.rnn_layer_norm), is_row_(norm_.scope == NormScope::kRow), table_(table) {}

  void Forward(const std::vector<StepLine>& lines) {
    for (const StepLine& line : lines) {
      StepLine with = line;
      with.formula.right = WithNormed(line.formula.right, line.id, &norms_);
      if (is_row_) continue;
      for (const Norm& norm : Take(&norms_)) AddNorm({norm}, "NORM.4");
      AddForwardLine(std::move(with));
    }
    if (!is_row_) return;
    for (const char* mark : {"", "'"}) AddNorm(WithMark(norms_, mark), "NORM.4");
    std::vector<Norm> known;
    for (StepLine line : lines) {
      line.formula.right = WithNormed(line.formula.right, line.id, &known);
      AddForwardLine(std::move(line));
    }
  }

  void Backward(const std::vector<StepLine>& lines, const std::vector<StepLine>& forward) {
    for (const StepLine& line : forward) WithNormed(line.formula.right, line.id, &norms_);
    if (is_row_) {
      for (const char* mark : {"", "'"}) AddNorm(WithMark(norms_, mark), "NORM.3");
    } else {
      for (const Norm& norm : norms_) AddNorm({norm}, "NORM.3");
    }
    for (const StepLine& line : forward) {
      const bool is_output = line.id == "LSTM.6" || line.id == "PEEP.6";
      if (norm_.cell == CellNorm::kOutput && is_output) AddCellNorm("NORM.4");
      if (norm_.cell == CellNorm::kState && line.formula.left.name == "c") AddKeptNorm(line, "NORM.3");
    }
    for (const StepLine& line : lines) AddBackwardLine(line);
  }
  std::vector<StepLine> Take() { return std::move(lines_); }

 private:
  static std::vector<Norm> Take(std::vector<Norm>* norms) { return std::exchange(*norms, {}); }
  static std::vector<Norm> WithMark(const std::vector<Norm>& norms, const std::string& mark) {
    std::vector<Norm> some;
    for (const Norm& norm : norms) {
      if (norm.mark == mark) some.push_back(norm);
    }
    return some;
  }

  void Push(const std::string& id, const Expression& left, const Expression& right) {
    lines_.push_back({id, {left, Assignment::kEquals, right}, {}, ""});
  }

  // The expression with y in place of products that have norms, which *norms gets.
  Expression WithNormed(const Expression& e, const std::string& id, std::vector<Norm>* norms) const {
    const bool is_sum = norm_.kind == NormKind::kSum && e.kind == Kind::kAdd && IsProductOf(e.args[0], 'W') &&
                        IsProductOf(e.args[1], 'U');
    const bool is_part = norm_.kind == NormKind::kParts && (IsProductOf(e, 'W') || IsProductOf(e, 'U'));
    if (is_sum || is_part) {
      const std::string& weights = is_sum ? e.args[0].args[0].name : e.args[0].name;
      const Norm norm = {weights[0] == 'U' ? "'" : "", weights.substr(1), e, id};
      norms->push_back(norm);
      return Symbol("y" + norm.mark + norm.subscript);
    }
    Expression result = e;
    for (Expression& arg : result.args) arg = WithNormed(arg, id, norms);
    return result;
  }

  // A formula of [NORM.*] with the names of `norm`. A mean is over the channels of all gates of `row`, if there are several.
  static Expression Named(const Expression& e, const Norm& norm, const std::vector<Norm>& row, const Names& by) {
    if (e.kind == Kind::kSymbol) {
      const auto given = by.find(e.name);
      if (given != by.end()) return given->second;
      if (e.name == "epsilon") return e;
      return Symbol(e.name + norm.mark + (e.name == "s" && row.size() > 1 ? "" : norm.subscript));
    }
    Expression result = e;
    if (e.kind == Kind::kCall && e.name == "mean") {
      result.args[0] = Named(e.args[0], row[0], {row[0]}, by);
      for (size_t i = 1; i < row.size(); ++i) {
        Expression both;
        both.kind = Kind::kConcat;
        both.args = {result.args[0], Named(e.args[0], row[i], {row[i]}, by)};
        result.args[0] = std::move(both);
      }
      return result;
    }
    for (Expression& arg : result.args) arg = Named(arg, norm, row, by);
    return result;
  }
  void AddEquation(const char* id, const Norm& norm, const std::vector<Norm>& row, const Names& by = {}) {
    Formula formula = FindEquation(id, table_).lines[0].formula;
    formula.left = Named(formula.left, norm, row, by);
    formula.right = Named(formula.right, norm, row, by);
    lines_.push_back({id, formula, {}, ""});
  }

  // v and [NORM.1] to [NORM.`last`] of norms with common means.
  void AddNorm(const std::vector<Norm>& row, const std::string& last) {
    for (const Norm& norm : row) Push(norm.id, Symbol("v" + norm.mark + norm.subscript), norm.product);
    AddStandardized(row, last);
  }
  void AddStandardized(const std::vector<Norm>& row, const std::string& last, const Names& by = {}) {
    for (const char* id : {"NORM.1", "NORM.2", "NORM.3", "NORM.4"}) {
      if (last < id) return;
      for (const Norm& norm : row) {
        AddEquation(id, norm, row, by);
        if (id == std::string("NORM.2")) break;
      }
    }
  }
  // [NORM.B1] to [NORM.B4]. `delta` has the gradient by what each norm gives.
  void AddGradients(const std::vector<Norm>& row, const std::vector<Expression>& delta) {
    for (size_t i = 0; i < row.size(); ++i) {
      for (const char* id : {"NORM.B1", "NORM.B2", "NORM.B3"}) AddEquation(id, row[i], row, {{kDelta, delta[i]}});
    }
    for (const Norm& norm : row) AddEquation("NORM.B4", norm, row);
  }

  // The norm of c before tanh(c), which then is tanh(y_c).
  void AddCellNorm(const std::string& last) { AddStandardized({cell_}, last, {{"v", Symbol("c")}}); }
  // The norm of f * c' + i * c~, which is c.
  void AddKeptNorm(const StepLine& line, const std::string& last) {
    Push(line.id, Symbol("v_c"), line.formula.right);
    AddStandardized({cell_}, last, {{"y", Symbol("c")}});
  }

  void AddForwardLine(StepLine line) {
    if (norm_.cell == CellNorm::kState && line.formula.left.name == "c") return AddKeptNorm(line, "NORM.4");
    if (norm_.cell == CellNorm::kOutput && (line.id == "LSTM.6" || line.id == "PEEP.6")) {
      AddCellNorm("NORM.4");
      line.formula.right = Renamed(std::move(line.formula.right), "c", "y_c");
    }
    lines_.push_back(std::move(line));
  }

  void AddBackwardLine(StepLine line) {
    Expression& right = line.formula.right;
    if (norm_.cell == CellNorm::kOutput && (line.id == "LSTM.B1" || line.id == "PEEP.B1" || line.id == "LSTM.B2"))
      right = Renamed(std::move(right), "c", "y_c");
    if (norm_.cell == CellNorm::kOutput && line.id == "LSTM.B2") {
      Push(line.id, Symbol("dy_c"), right);
      AddGradients({cell_}, {Symbol("dy_c")});
      right = Symbol("dv_c");
    }
    if (norm_.cell == CellNorm::kState && line.id == "LSTM.B3") {
      AddGradients({cell_}, {Symbol("dc")});
      cell_diff_ = "dv_c";
    }
    right = Renamed(std::move(right), "dc", cell_diff_);
    std::vector<Norm> known;
    right = WithNormed(right, line.id, &known);
    right = ThroughNorms(right);
    lines_.push_back(std::move(line));
  }

  // Δ_i, as a factor of a matrix product, becomes the gradient of what the norm is of. Where it is not known yet, its lines are
  // added.
  Expression ThroughNorms(const Expression& e) {
    if (norms_.empty()) return e;
    Expression result = e;
    if (e.kind != Kind::kProduct || !(IsDelta(e.args[0]) || IsDelta(e.args[1]))) {
      for (Expression& arg : result.args) arg = ThroughNorms(arg);
      return result;
    }
    Expression &delta = result.args[IsDelta(e.args[0]) ? 0 : 1], &other = result.args[IsDelta(e.args[0]) ? 1 : 0];
    const std::string subscript = SubscriptOf(delta);
    if (subscript != "_g") AddGradientsOf(subscript);
    const bool is_iter = norm_.kind == NormKind::kParts && IsOfState(other);
    delta = Symbol(std::string("dv") + (is_iter ? "'" : "") + subscript);
    return result;
  }
  // Δ_u' of the linear-before-reset cells is the gradient of what multiplies r in o: of U_o h'.
  static std::string SubscriptOf(const Expression& delta) {
    return delta.name == "Δ_u'" ? "_o" : delta.name.substr(kDelta.size());
  }
  Expression DeltaOf(const Norm& norm) const {
    const bool is_before_reset = norm.mark == "'" && norm.id == "LBR.3";
    return Symbol(is_before_reset ? "Δ_u'" : kDelta + norm.subscript);
  }
  void AddGradientsOf(const std::string& subscript) {
    if (!with_gradients_.insert(is_row_ ? "" : subscript).second) return;
    for (const char* mark : {"", "'"}) {
      std::vector<Norm> row;
      std::vector<Expression> delta;
      for (const Norm& norm : WithMark(norms_, mark)) {
        if (!is_row_ && norm.subscript != subscript) continue;
        row.push_back(norm);
        delta.push_back(DeltaOf(norm));
      }
      AddGradients(row, delta);
    }
  }

  const LayerNorm& norm_;
  const bool is_row_;
  const EquationTable& table_;
  const Norm cell_ = {"", "_c", {}, ""};
  std::string cell_diff_ = "dc";          // the gradient of f * c' + i * c~
  std::vector<Norm> norms_;               // of products
  std::set<std::string> with_gradients_;  // subscripts whose gradients have lines
  std::vector<StepLine> lines_;
};

}  // namespace

std::vector<StepLine> WithNorms(const std::vector<StepLine>& lines, const RnnProblem& problem,
                                const EquationTable& table) {
  if (!problem.attr.rnn_layer_norm.given()) return lines;
  NormLines with(problem, table);
  with.Forward(lines);
  return with.Take();
}

std::vector<StepLine> WithNormsBackward(const std::vector<StepLine>& lines, const std::vector<StepLine>& forward,
                                        const RnnProblem& problem, const EquationTable& table) {
  if (!problem.attr.rnn_layer_norm.given()) return lines;
  NormLines with(problem, table);
  with.Backward(lines, forward);
  return with.Take();
}

}  // namespace reference
}  // namespace tandem
