#include "reference/teaching/book/mask_lines.h"

#include <utility>

namespace tandem {
namespace reference {
namespace {

using Kind = Expression::Kind;

constexpr char kState[] = "h'", kMaskedState[] = "h'_m";

bool Contains(const Expression& e, const std::string& name) {
  bool found = false;
  ForEachSymbol(&e, [&](const Expression* symbol) { found = found || symbol->name == name; });
  return found;
}

// U reads the masked state, and so does its gradient: h' as a factor of a matrix product.
Expression WithMaskedFactors(Expression e) {
  if (e.kind == Kind::kProduct) return Renamed(std::move(e), kState, kMaskedState);
  for (Expression& arg : e.args) arg = WithMaskedFactors(std::move(arg));
  return e;
}

std::vector<Expression> TermsOf(const Expression& e) {
  if (e.kind != Kind::kAdd) return {e};
  std::vector<Expression> terms = TermsOf(e.args[0]);
  terms.push_back(e.args[1]);
  return terms;
}

Expression SumOf(const std::vector<Expression>& terms) {
  Expression sum = terms[0];
  for (size_t i = 1; i < terms.size(); ++i) {
    Expression both;
    both.kind = Kind::kAdd;
    both.args = {std::move(sum), terms[i]};
    sum = std::move(both);
  }
  return sum;
}

class MaskLines {
 public:
  MaskLines(const RnnProblem& problem, const EquationTable& table) : problem_(problem), table_(table) {}

  // Adds a mask's equation, if the problem has the mask.
  void AddEquation(Tensor mask, const char* id) {
    if (!problem_.Has(mask)) return;
    lines_.push_back({id, FindEquation(id, table_).lines[0].formula, {}, ""});
  }

  void Add(StepLine line) {
    if (problem_.Has(kMaskIter)) {
      Expression& right = line.formula.right;
      // The reset gate has multiplied the state that U read: s is the gradient of r * h'_m.
      right = line.id == "GRU.B4" ? Renamed(std::move(right), kState, kMaskedState) : WithMaskedFactors(right);
      if (line.formula.left.name == "dh'") return AddStateGradient(std::move(line));
    }
    Push(std::move(line));
  }
  std::vector<StepLine> Take() { return std::move(lines_); }

 private:
  void Push(StepLine line) {
    for (Expression* side : {&line.formula.left, &line.formula.right}) {
      for (const auto& [mask, name, called] : kNames) {
        if (problem_.Has(mask)) *side = Renamed(std::move(*side), name, called);
      }
    }
    lines_.push_back(std::move(line));
  }

  // The parts of dh' that came through U are dh'_m. Others have dh for a factor.
  void AddStateGradient(StepLine line) {
    std::vector<Expression> kept, masked;
    for (const Expression& term : TermsOf(line.formula.right)) {
      (Contains(term, "dh") ? kept : masked).push_back(term);
    }
    StepLine through = line;
    through.formula = {Symbol("dh'_m"), Assignment::kEquals, SumOf(masked)};
    Push(std::move(through));
    AddEquation(kMaskIter, "MASK.B2");
    if (kept.empty()) return;
    line.formula = {line.formula.left, Assignment::kAddTo, SumOf(kept)};
    Push(std::move(line));
  }

  // What the cell's lines call the masked values.
  struct MaskedName {
    Tensor mask;
    const char* name;
    const char* called;
  };
  static constexpr MaskedName kNames[] = {{kMaskLayer, "x", "x_m"},       {kMaskLayer, "dx", "dx_m"},
                                          {kZoneoutIter, "h", "h_cell"},  {kZoneoutIter, "dh", "dh_cell"},
                                          {kZoneoutIterC, "c", "c_cell"}, {kZoneoutIterC, "dc", "dc_cell"}};

  const RnnProblem& problem_;
  const EquationTable& table_;
  std::vector<StepLine> lines_;
};

}  // namespace

std::vector<StepLine> WithMasks(std::vector<StepLine> lines, const RnnProblem& problem, const EquationTable& table) {
  MaskLines with(problem, table);
  with.AddEquation(kMaskLayer, "MASK.1");
  with.AddEquation(kMaskIter, "MASK.2");
  for (StepLine& line : lines) with.Add(std::move(line));
  with.AddEquation(kZoneoutIterC, "MASK.4");
  with.AddEquation(kZoneoutIter, "MASK.3");
  return with.Take();
}

std::vector<StepLine> WithMasksBackward(std::vector<StepLine> lines, const RnnProblem& problem,
                                        const EquationTable& table) {
  MaskLines with(problem, table);
  with.AddEquation(kMaskLayer, "MASK.1");
  with.AddEquation(kMaskIter, "MASK.2");
  with.AddEquation(kZoneoutIter, "MASK.B3");
  with.AddEquation(kZoneoutIterC, "MASK.B4");
  for (StepLine& line : lines) with.Add(std::move(line));
  with.AddEquation(kMaskLayer, "MASK.B1");
  with.AddEquation(kZoneoutIter, "MASK.B5");
  with.AddEquation(kZoneoutIterC, "MASK.B6");
  return with.Take();
}

}  // namespace reference
}  // namespace tandem
