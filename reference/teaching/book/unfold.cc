#include "reference/teaching/book/unfold.h"

#include <utility>

namespace tandem {
namespace reference {
namespace {

using Kind = Expression::Kind;

Expression Node(Kind kind, std::vector<Expression> args) {
  Expression e;
  e.kind = kind;
  e.args = std::move(args);
  return e;
}

// a + b as it is written by hand: without parentheses around a sum, and with a minus before what is negative.
Expression Sum(Expression a, Expression b) {
  if (b.kind == Kind::kAdd) return Sum(Sum(std::move(a), b.args[0]), b.args[1]);
  if (b.kind == Kind::kSubtract) return Node(Kind::kSubtract, {Sum(std::move(a), b.args[0]), b.args[1]});
  if (b.kind == Kind::kNegate) return Node(Kind::kSubtract, {std::move(a), b.args[0]});
  if (b.kind == Kind::kMultiply && b.args[0].kind == Kind::kNegate) {
    Expression positive = b;
    positive.args[0] = b.args[0].args[0];
    return Node(Kind::kSubtract, {std::move(a), std::move(positive)});
  }
  return Node(Kind::kAdd, {std::move(a), std::move(b)});
}

class Unfolder {
 public:
  Unfolder(const Evaluator& evaluator, const NumberStyle& style) : evaluator_(evaluator), style_(style) {}

  Expression At(const Expression& e, ElementAt at) const {
    switch (e.kind) {
      case Kind::kNumber:
        return e;
      case Kind::kSymbol:
      case Kind::kTranspose:
        return Number(ElementOf(evaluator_.Evaluate(e), at));
      case Kind::kProduct:
        return Product(e, at);
      case Kind::kSumOver:
        return e.name == "g" ? SumOverGates(e, at) : SumOverElements(e, at);
      case Kind::kAdd:
        return Sum(At(e.args[0], at), At(e.args[1], at));
      case Kind::kSubtract:
      case Kind::kNegate:
      case Kind::kMultiply:
      case Kind::kDivide:
      case Kind::kSquare:
      case Kind::kConcat:
        break;
      case Kind::kCall:
        if (IsOverChannels(e)) return Number(ElementOf(evaluator_.Evaluate(e), at));
        break;
    }
    Expression same = e;
    for (Expression& arg : same.args) arg = At(arg, at);
    return same;
  }

 private:
  Expression Number(double value) const {
    Expression number;
    number.name = ShowNumber(value, {style_.digits, style_.count});
    if (number.name[0] != '-') return number;
    number.name.erase(0, 1);
    return Node(Kind::kNegate, {number});
  }

  // An operand at one element. Where rounding has changed it visibly, it is one number.
  Expression Operand(const Expression& e, double rounded, ElementAt at) const {
    const NumberStyle plain = {style_.digits, style_.count};
    const bool is_one = e.kind == Kind::kSymbol || e.kind == Kind::kTranspose;
    const double exact = is_one ? rounded : ElementOf(evaluator_.Evaluate(e), at);
    return is_one || ShowNumber(exact, plain) != ShowNumber(rounded, plain) ? Number(rounded) : At(e, at);
  }

  Expression Product(const Expression& e, ElementAt at) const {
    const auto [a, b] = evaluator_.OperandsOf(e);
    const Dim terms = a.cols();
    if (terms > style_.most_terms) return Number(ElementOf(evaluator_.Evaluate(e), at));
    const Dim row = std::min<Dim>(at.row, a.rows() - 1), col = std::min<Dim>(at.col, b.cols() - 1);
    const auto term = [&, &a = a, &b = b](Dim k) {
      return Node(Kind::kMultiply, {Operand(e.args[0], a(row, k), {row, k}), Operand(e.args[1], b(k, col), {k, col})});
    };
    Expression sum = term(0);
    for (Dim k = 1; k < terms; ++k) sum = Sum(std::move(sum), term(k));
    return sum;
  }

  Expression SumOverElements(const Expression& e, ElementAt at) const {
    const Evaluator::Value all = evaluator_.SummandsOf(e);
    const bool over_rows = e.name == "channels";
    const Dim terms = over_rows ? all.rows() : all.cols();
    if (terms > style_.most_terms) return Number(ElementOf(evaluator_.Evaluate(e), at));
    const auto term = [&](Dim k) {
      const ElementAt place = over_rows ? ElementAt{k, at.col} : ElementAt{at.row, k};
      return Operand(e.args[0], ElementOf(all, place), place);
    };
    Expression sum = term(0);
    for (Dim k = 1; k < terms; ++k) sum = Sum(std::move(sum), term(k));
    return sum;
  }

  Expression SumOverGates(const Expression& e, ElementAt at) const {
    const std::vector<std::string>& gates = evaluator_.gates;
    Expression sum = At(ForGate(e.args[0], gates.at(0)), at);
    for (size_t i = 1; i < gates.size(); ++i) sum = Sum(std::move(sum), At(ForGate(e.args[0], gates[i]), at));
    return sum;
  }

  const Evaluator& evaluator_;
  const NumberStyle style_;
};

}  // namespace

bool IsOverChannels(const Expression& e) {
  return e.kind == Kind::kCall && (e.name == "mean" || e.name == "max" || e.name == "min");
}

Expression Unfolded(const Evaluator& evaluator, const Expression& e, ElementAt at, const NumberStyle& style) {
  return Unfolder(evaluator, style).At(e, at);
}

}  // namespace reference
}  // namespace tandem
