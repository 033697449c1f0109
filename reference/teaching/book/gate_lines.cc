#include "reference/teaching/book/gate_lines.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "api/core/gates.h"
#include "reference/teaching/table/notation.h"

namespace tandem {
namespace reference {
namespace {

using Kind = Expression::Kind;

bool IsSymbol(const Expression& e, const std::string& name) { return e.kind == Kind::kSymbol && e.name == name; }
bool IsCall(const Expression& e, const std::string& name) { return e.kind == Kind::kCall && e.name == name; }
// 1 - y
bool IsRestOf(const Expression& e, Kind kind) {
  return e.kind == Kind::kSubtract && e.args[0].kind == Kind::kNumber && e.args[1].kind == kind;
}

// What the gradient of a pre-activation is without the slope of its gate, and the place that has this slope.
struct GateGradient {
  Expression diff;
  GatePlace place;
};

// From dc * c~ * i * (1 - i), where the gate is i, or dc * i * (1 - c~²), where it is c~.
GateGradient WithoutSlope(const Expression& e, const std::string& gate) {
  if (e.kind == Kind::kMultiply) {
    const Expression &factor = e.args[0], &rest = e.args[1];
    if (IsRestOf(rest, Kind::kSquare) && IsSymbol(rest.args[1].args[0], gate)) return {factor, GatePlace::kCandidate};
    if (IsRestOf(rest, Kind::kSymbol) && IsSymbol(rest.args[1], gate) && factor.kind == Kind::kMultiply &&
        IsSymbol(factor.args[1], gate)) {
      return {factor.args[0], GatePlace::kRecurrent};
    }
  }
  throw std::invalid_argument("no slope of " + gate + " in '" + Show(e, Notation::kText) + "'");
}

class GateLines {
 public:
  GateLines(const RnnProblem& problem, const EquationTable& table)
      : functions_(problem.Gates()),
        table_(table),
        is_vanilla_(HasActivation(problem.cell)),
        is_coupled_(functions_.forget == ForgetGate::kRestOfInput),
        norms_forget_(problem.attr.rnn_layer_norm.kind != NormKind::kNone &&
                      problem.attr.rnn_layer_norm.scope == NormScope::kRow) {
    for (Dim gate = 0; gate < NumGates(problem.cell) && !is_vanilla_; ++gate) {
      gates_.push_back(GateName(problem.cell, gate));
    }
  }

  void Add(StepLine line) {
    const std::string left = line.formula.left.name;
    if (is_vanilla_) return AddVanilla(line);
    if (is_coupled_ && left == "f") return AddCoupled(line);
    if (is_coupled_ && !norms_forget_) {
      if (left == "dW_f" || left == "dU_f" || left == "dB_f" || left == "dP_f") return;
      line.gates.erase(std::remove(line.gates.begin(), line.gates.end(), "f"), line.gates.end());
    }
    if (IsGate(left)) return AddGate(line);
    if (left.rfind("Δ_", 0) == 0 && IsGate(left.substr(std::string("Δ_").size()))) return AddDelta(line);
    if (left == "dc" && line.id == "LSTM.B2") line.formula.right = OutputSlope(line.formula.right);
    line.formula.right = WithOutput(line.formula.right);
    lines_.push_back(std::move(line));
  }
  std::vector<StepLine> Take() { return std::move(lines_); }

 private:
  bool IsGate(const std::string& name) const { return std::count(gates_.begin(), gates_.end(), name) > 0; }

  // A line that `origin` has led to.
  void Push(const StepLine& origin, const std::string& id, const Formula& formula) {
    lines_.push_back({id, formula, origin.gates, origin.code});
  }

  // The formula of [RNN.2] or [RNN.B1] for the function at `place`. `by` names its other symbols.
  Expression FunctionOf(const std::string& id, GatePlace place, std::map<std::string, Expression> by) const {
    for (const char* number : {"alpha", "beta"}) by[number] = Symbol(std::string(number) + "_" + ToString(place));
    for (const EquationLine& line : FindEquation(id, table_).lines) {
      if (line.when == ToString(functions_.At(place).kind)) return Substituted(line.formula.right, by);
    }
    throw std::invalid_argument("[" + id + "] has no line for " + ToString(functions_.At(place).kind));
  }
  Expression Activated(GatePlace place, const Expression& argument) const {
    return FunctionOf("RNN.2", place, {{"a", argument}});
  }
  Expression TimesSlope(GatePlace place, const Expression& diff, const Expression& argument) const {
    return FunctionOf("RNN.B1", place, {{"dh", diff}, {"a", argument}, {"h", Activated(place, argument)}});
  }

  // Adds [GATE.1], if there is a clip, and returns what the function takes: a_i or a^_i.
  Expression Argument(const StepLine& origin, const std::string& subscript) {
    const Expression a = Symbol("a" + subscript);
    if (functions_.clip == 0.f) return a;
    Formula limit = FindEquation("GATE.1", table_).lines[0].formula;
    limit.left.name += subscript;
    limit.right = Substituted(limit.right, {{"a", a}});
    Push(origin, "GATE.1", limit);
    return limit.left;
  }
  // Adds the line of Δ_i, which is `product`, and with a clip also [GATE.B1].
  void AddProduct(const StepLine& origin, const std::string& subscript, Expression product) {
    const Expression delta = Symbol("Δ" + subscript), diff = Symbol("da^" + subscript), a = Symbol("a" + subscript);
    Push(origin, "RNN.B1", {functions_.clip == 0.f ? delta : diff, Assignment::kEquals, std::move(product)});
    if (functions_.clip == 0.f) return;
    const Expression& right = FindEquation("GATE.B1", table_).lines[0].formula.right;
    Push(origin, "GATE.B1", {delta, Assignment::kEquals, Substituted(right, {{"da^", diff}, {"a", a}})});
  }

  // i = σ(...)
  void AddGate(const StepLine& line) {
    const std::string subscript = "_" + line.formula.left.name;
    const Expression& call = line.formula.right;
    if (!IsCall(call, "σ") && !IsCall(call, "tanh")) {
      throw std::invalid_argument("no function of a gate: '" + Show(call, Notation::kText) + "'");
    }
    Push(line, line.id, {Symbol("a" + subscript), Assignment::kEquals, call.args[0]});
    const Expression argument = Argument(line, subscript);
    const GatePlace place = call.name == "σ" ? GatePlace::kRecurrent : GatePlace::kCandidate;
    Push(line, "RNN.2", {line.formula.left, Assignment::kEquals, Activated(place, argument)});
  }

  void AddCoupled(const StepLine& line) {
    if (norms_forget_) Push(line, line.id, {Symbol("a_f"), Assignment::kEquals, line.formula.right.args[0]});
    Push(line, "GATE.2", FindEquation("GATE.2", table_).lines[0].formula);
  }

  // Δ_i = ... * i * (1 - i)
  void AddDelta(const StepLine& line) {
    const std::string gate = line.formula.left.name.substr(std::string("Δ_").size());
    const auto [diff, place] = WithoutSlope(line.formula.right, gate);
    const Expression d = Symbol("d" + gate);
    if (is_coupled_ && gate == "i") {
      Push(line, "GATE.B2", FindEquation("GATE.B2", table_).lines[0].formula);
    } else {
      Push(line, line.id, {d, Assignment::kEquals, WithOutput(diff)});
    }
    if (is_coupled_ && gate == "f") {
      if (norms_forget_) Push(line, "GATE.B2", {line.formula.left, Assignment::kEquals, ParseExpression("0 * df")});
      return;
    }
    const Expression argument = Argument(line, "_" + gate);
    AddProduct(line, "_" + gate, TimesSlope(place, d, argument));
  }

  // The vanilla cell has its activation already; its slope may need h as it was stored.
  void AddVanilla(StepLine line) {
    if (line.id != "RNN.2" && line.id != "RNN.B1") return lines_.push_back(std::move(line));
    const Expression right = Substituted(line.formula.right, {{"a", Argument(line, "")}});
    if (line.id == "RNN.B1") return AddProduct(line, "", right);
    Push(line, line.id, {line.formula.left, Assignment::kEquals, right});
  }

  // output(c) in place of tanh(c).
  Expression WithOutput(const Expression& e) const {
    if (IsCall(e, "tanh") && IsSymbol(e.args[0], "c")) return Activated(GatePlace::kOutput, e.args[0]);
    Expression result = e;
    for (Expression& arg : result.args) arg = WithOutput(arg);
    return result;
  }
  // From dh * o * (1 - tanh(c)²).
  Expression OutputSlope(const Expression& e) const {
    const bool has_slope = e.kind == Kind::kMultiply && IsRestOf(e.args[1], Kind::kSquare);
    if (!has_slope) throw std::invalid_argument("no slope of tanh(c) in '" + Show(e, Notation::kText) + "'");
    return TimesSlope(GatePlace::kOutput, e.args[0], Symbol("c"));
  }

  const GateFunctions& functions_;
  const EquationTable& table_;
  const bool is_vanilla_, is_coupled_;
  // A norm of all gates is also of the products of a coupled f: its weights have an effect on the others, and a gradient.
  const bool norms_forget_;
  std::vector<std::string> gates_;
  std::vector<StepLine> lines_;
};

}  // namespace

std::vector<StepLine> WithGateFunctions(std::vector<StepLine> lines, const RnnProblem& problem,
                                        const EquationTable& table) {
  if (problem.HasDefaultGates()) return lines;
  GateLines with(problem, table);
  for (StepLine& line : lines) with.Add(std::move(line));
  return with.Take();
}

}  // namespace reference
}  // namespace tandem
