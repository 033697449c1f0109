#include "reference/teaching/table/evaluate.h"

#include <cmath>
#include <stdexcept>

#include "reference/numerics/activations.h"
#include "reference/teaching/table/notation.h"

namespace tandem {
namespace reference {
namespace {

using Kind = Expression::Kind;
using Value = Evaluator::Value;

[[noreturn]] void Fail(const std::string& what, const Expression& e) {
  throw std::invalid_argument(what + " in '" + Show(e, Notation::kText) + "'");
}

// Repeats `m` to one matrix of the larger extents.
Value Repeated(const Value& m, Dim rows, Dim cols) { return m.replicate(rows / m.rows(), cols / m.cols()); }

template <class Operation>
Value Elementwise(const Expression& e, const Value& a, const Value& b, Operation operation) {
  const auto fits = [](Dim x, Dim y) { return x == y || x == 1 || y == 1; };
  if (!fits(a.rows(), b.rows()) || !fits(a.cols(), b.cols())) Fail("the dims do not fit", e);
  const Dim rows = std::max(a.rows(), b.rows()), cols = std::max(a.cols(), b.cols());
  return operation(Repeated(a, rows, cols), Repeated(b, rows, cols));
}

Value Rounded(const Value& m, const std::function<double(double)>& round) { return round ? m.unaryExpr(round) : m; }

bool IsWeights(const Expression& e) {
  if (e.kind == Kind::kTranspose) return IsWeights(e.args[0]);
  if (e.kind != Kind::kSymbol) return false;
  const char first = e.name[0];
  return first == 'W' || first == 'U' || first == 'R' || e.name == "q_W";
}

bool IsDelta(const Expression& e) { return e.kind == Kind::kSymbol && e.name.rfind("Δ", 0) == 0; }

// In a sum over the minibatch, every Δ is the stored one.
Value SummedTerm(const Evaluator& evaluator, const Expression& e) {
  if (IsDelta(e)) return Rounded(evaluator.Evaluate(e), evaluator.round_stored);
  if (e.kind != Kind::kMultiply) return evaluator.Evaluate(e);
  return Elementwise(e, SummedTerm(evaluator, e.args[0]), SummedTerm(evaluator, e.args[1]),
                     [](const Value& a, const Value& b) -> Value { return a * b; });
}

Value SumOver(const Evaluator& evaluator, const Expression& e) {
  if (e.name == "channels") return evaluator.SummandsOf(e).colwise().sum();
  if (e.name == "n" || e.name == "k") return evaluator.SummandsOf(e).rowwise().sum();
  if (e.name != "g" || evaluator.gates.empty()) Fail("no values for the index of the sum", e);
  Value sum = evaluator.Evaluate(ForGate(e.args[0], evaluator.gates[0]));
  for (size_t i = 1; i < evaluator.gates.size(); ++i) sum += evaluator.Evaluate(ForGate(e.args[0], evaluator.gates[i]));
  return sum;
}

Value Product(const Evaluator& evaluator, const Expression& e) {
  const auto [a, b] = evaluator.OperandsOf(e);
  if (a.cols() != b.rows()) Fail("the dims do not fit", e);
  return WithPositiveZeros<double>((a.matrix() * b.matrix()).array());
}

Value Call(const Evaluator& evaluator, const Expression& e) {
  std::vector<Value> args;
  for (const Expression& arg : e.args) args.push_back(evaluator.Evaluate(arg));
  if (e.name == "σ") return SigmoidOf(args[0]);
  if (e.name == "tanh") return TanhOf(args[0]);
  if (e.name == "exp") return args[0].exp();
  if (e.name == "log") return args[0].log();
  if (e.name == "abs") return args[0].abs();
  if (e.name == "sqrt") return args[0].sqrt();
  if (e.name == "mean") return args[0].colwise().mean();
  if (e.name == "clip") return args[0].max(0).min(1);
  if (e.name == "limit") return args[0].unaryExpr([&](double a) { return ClipOf(a, args[1](0)); });
  // 1 where the number is above 0, or between 0 and 1; else 0.
  if (e.name == "step") return (args[0] > 0).cast<double>();
  if (e.name == "inside") return (args[0] > 0 && args[0] < 1).cast<double>();
  if (e.name == "round") return args[0].unaryExpr([](double x) { return std::nearbyint(x); });
  if (e.name == "max") return args[0].max(0).colwise().maxCoeff();
  if (e.name == "min") return args[0].min(0).colwise().minCoeff();
  if (e.name == "positive") {
    const auto choose = [&](const Value& a, const Value& b) -> Value {
      return (Repeated(args[0], a.rows(), a.cols()) > 0).select(a, b);
    };
    const Value shape = args[0] * 0;
    return choose(Elementwise(e, args[1], shape, [](const Value& a, const Value&) { return a; }),
                  Elementwise(e, args[2], shape, [](const Value& a, const Value&) { return a; }));
  }
  const auto function = evaluator.functions.find(e.name);
  if (function == evaluator.functions.end()) Fail("no such function", e);
  return function->second(args);
}

Value Concat(const Value& above, const Value& below) {
  Value both(above.rows() + below.rows(), above.cols());
  both << above, below;
  return both;
}

}  // namespace

std::pair<Value, Value> Evaluator::OperandsOf(const Expression& product) const {
  const auto operand = [&](const Expression& arg) {
    const Value value = Evaluate(arg);
    if (quantize_rows && !IsWeights(arg)) return quantize_rows(value);
    return Rounded(IsWeights(arg) ? value : Rounded(value, round_stored), round_operand);
  };
  return {operand(product.args[0]), operand(product.args[1])};
}

Value Evaluator::SummandsOf(const Expression& sum) const {
  return sum.name == "n" ? SummedTerm(*this, sum.args[0]) : Evaluate(sum.args[0]);
}

Value Evaluator::Evaluate(const Expression& e) const {
  const auto arg = [&](size_t i) { return Evaluate(e.args[i]); };
  switch (e.kind) {
    case Kind::kNumber:
      return Value::Constant(1, 1, std::stod(e.name));
    case Kind::kSymbol: {
      const auto found = values.find(e.name);
      if (found == values.end()) Fail("no value for a symbol", e);
      return found->second;
    }
    case Kind::kAdd:
      return Elementwise(e, arg(0), arg(1), [](const Value& a, const Value& b) -> Value { return a + b; });
    case Kind::kSubtract:
      return Elementwise(e, arg(0), arg(1), [](const Value& a, const Value& b) -> Value { return a - b; });
    case Kind::kNegate:
      return -arg(0);
    case Kind::kMultiply:
      return Elementwise(e, arg(0), arg(1), [](const Value& a, const Value& b) -> Value { return a * b; });
    case Kind::kDivide:
      return Elementwise(e, arg(0), arg(1), [](const Value& a, const Value& b) -> Value { return a / b; });
    case Kind::kProduct:
      return Product(*this, e);
    case Kind::kTranspose:
      return arg(0).transpose();
    case Kind::kSquare:
      return arg(0).square();
    case Kind::kCall:
      return Call(*this, e);
    case Kind::kSumOver:
      return SumOver(*this, e);
    case Kind::kConcat:
      return Concat(arg(0), arg(1));
  }
  return {};
}

Value Evaluator::ValueOf(const Formula& formula) const {
  if (formula.left.kind != Kind::kSymbol) Fail("not a symbol", formula.left);
  Value value = Evaluate(formula.right);
  if (formula.assignment == Assignment::kEquals) return value;
  const Value before = Evaluate(formula.left);
  if (before.rows() != value.rows() || before.cols() != value.cols()) Fail("the dims do not fit", formula.right);
  return before + value;
}

const Value& Evaluator::Apply(const Formula& formula) {
  Value value = ValueOf(formula);
  return values[formula.left.name] = std::move(value);
}

}  // namespace reference
}  // namespace tandem
