#include "reference/teaching/table/expression.h"

#include <cctype>
#include <stdexcept>
#include <utility>

namespace tandem {
namespace reference {
namespace {

using Kind = Expression::Kind;

// The bytes of the UTF-8 character at `at`.
std::string CharacterAt(const std::string& text, size_t at) {
  if (at >= text.size()) return "";
  size_t length = 1;
  while (at + length < text.size() && (text[at + length] & 0xc0) == 0x80) ++length;
  return text.substr(at, length);
}

bool IsLetter(const std::string& c) {
  if (c.size() > 1) return c != "ᵀ" && c != "²" && c != "Σ";
  return !c.empty() && std::isalpha(static_cast<unsigned char>(c[0]));
}

class Parser {
 public:
  explicit Parser(const std::string& text) : text_(text) {}

  Formula ParseWholeFormula() {
    Formula formula;
    formula.left = Sum();
    formula.assignment = Take("+=") ? Assignment::kAddTo : Assignment::kEquals;
    if (formula.assignment == Assignment::kEquals) Expect("=");
    formula.right = Sum();
    ExpectEnd();
    return formula;
  }
  Expression ParseWholeExpression() {
    Expression expression = Sum();
    ExpectEnd();
    return expression;
  }

 private:
  Expression Sum() {
    Expression sum = Take("-") ? Make(Kind::kNegate, {Term()}) : Term();
    while (true) {
      if (Next("+=")) return sum;
      if (Take("+")) {
        sum = Make(Kind::kAdd, {std::move(sum), Term()});
      } else if (Take("-")) {
        sum = Make(Kind::kSubtract, {std::move(sum), Term()});
      } else {
        return sum;
      }
    }
  }

  Expression Term() {
    if (Take("Σ_")) return Make(Kind::kSumOver, {}, Word(), [this] { return Term(); });
    Expression term = MatrixProduct();
    while (true) {
      if (Take("*")) {
        term = Make(Kind::kMultiply, {std::move(term), Next("Σ_") ? Term() : MatrixProduct()});
      } else if (Take("/")) {
        term = Make(Kind::kDivide, {std::move(term), MatrixProduct()});
      } else {
        return term;
      }
    }
  }

  Expression MatrixProduct() {
    Expression product = Postfix();
    while (StartsPrimary()) product = Make(Kind::kProduct, {std::move(product), Postfix()});
    return product;
  }

  Expression Postfix() {
    Expression base = Primary();
    while (true) {
      if (TakeAdjacent("ᵀ")) {
        base = Make(Kind::kTranspose, {std::move(base)});
      } else if (TakeAdjacent("²")) {
        base = Make(Kind::kSquare, {std::move(base)});
      } else {
        return base;
      }
    }
  }

  Expression Primary() {
    if (Take("(")) return Parenthesized();
    if (Take("[")) {
      Expression concat = Make(Kind::kConcat, {Sum()});
      Expect(";");
      concat.args.push_back(Sum());
      Expect("]");
      return concat;
    }
    SkipSpaces();
    if (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_]))) return Number();
    if (!IsLetter(CharacterAt(text_, at_))) Fail();
    std::string name = Name();
    if (!TakeAdjacent("(")) return Make(Kind::kSymbol, {}, std::move(name));
    Expression call = Make(Kind::kCall, {Sum()}, std::move(name));
    while (Take(",")) call.args.push_back(Sum());
    Expect(")");
    return call;
  }

  Expression Parenthesized() {
    Expression inner = Sum();
    if (!Next(",")) {
      Expect(")");
      return inner;
    }
    Expression pair = Make(Kind::kCall, {std::move(inner)});
    while (Take(",")) pair.args.push_back(Sum());
    Expect(")");
    return pair;
  }

  Expression Number() {
    std::string digits;
    while (at_ < text_.size() && (std::isdigit(static_cast<unsigned char>(text_[at_])) || text_[at_] == '.')) {
      digits += text_[at_++];
    }
    return Make(Kind::kNumber, {}, std::move(digits));
  }

  // Letters, marks and a subscript.
  std::string Name() {
    std::string name;
    while (true) {
      const std::string c = CharacterAt(text_, at_);
      const bool mark = c == "'" || c == "~" || c == "^" || c == "_";
      if (!IsLetter(c) && !mark && !(c.size() == 1 && std::isdigit(static_cast<unsigned char>(c[0])))) return name;
      name += c;
      at_ += c.size();
      if (c != "_" || CharacterAt(text_, at_) != "{") continue;
      const size_t end = text_.find('}', at_);
      if (end == std::string::npos) Fail();
      name += text_.substr(at_, end + 1 - at_);
      at_ = end + 1;
    }
  }

  std::string Word() {
    std::string word;
    while (at_ < text_.size() && std::isalpha(static_cast<unsigned char>(text_[at_]))) word += text_[at_++];
    return word;
  }

  static Expression Make(Kind kind, std::vector<Expression> args, std::string name = "") {
    Expression expression;
    expression.kind = kind;
    expression.name = std::move(name);
    expression.args = std::move(args);
    return expression;
  }
  template <class Body>
  static Expression Make(Kind kind, std::vector<Expression> args, std::string name, const Body& body) {
    args.push_back(body());
    return Make(kind, std::move(args), std::move(name));
  }

  void SkipSpaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool Next(const std::string& token) {
    SkipSpaces();
    return text_.compare(at_, token.size(), token) == 0;
  }
  bool Take(const std::string& token) {
    if (!Next(token)) return false;
    at_ += token.size();
    return true;
  }
  bool TakeAdjacent(const std::string& token) {
    if (text_.compare(at_, token.size(), token) != 0) return false;
    at_ += token.size();
    return true;
  }
  void Expect(const std::string& token) {
    if (!Take(token)) Fail();
  }
  void ExpectEnd() {
    SkipSpaces();
    if (at_ != text_.size()) Fail();
  }
  bool StartsPrimary() {
    SkipSpaces();
    const std::string c = CharacterAt(text_, at_);
    return IsLetter(c) || c == "(";
  }
  [[noreturn]] void Fail() const {
    throw std::invalid_argument("formula '" + text_ + "': not understood at '" + text_.substr(at_) + "'");
  }

  const std::string& text_;
  size_t at_ = 0;
};

}  // namespace

Expression ParseExpression(const std::string& text) { return Parser(text).ParseWholeExpression(); }
Formula ParseFormula(const std::string& text) { return Parser(text).ParseWholeFormula(); }

Expression Symbol(const std::string& name) {
  Expression symbol;
  symbol.kind = Kind::kSymbol;
  symbol.name = name;
  return symbol;
}

Expression Substituted(const Expression& expression, const std::map<std::string, Expression>& by) {
  if (expression.kind == Kind::kSymbol) {
    const auto found = by.find(expression.name);
    return found == by.end() ? expression : found->second;
  }
  Expression result = expression;
  for (Expression& arg : result.args) arg = Substituted(arg, by);
  return result;
}

Expression Renamed(Expression expression, const std::string& from, const std::string& to) {
  ForEachSymbol(&expression, [&](Expression* symbol) {
    if (symbol->name == from) symbol->name = to;
  });
  return expression;
}

Expression ForGate(Expression expression, const std::string& gate) {
  ForEachSymbol(&expression, [&](Expression* symbol) {
    std::string& name = symbol->name;
    if (name.size() > 2 && name.compare(name.size() - 2, 2, "_g") == 0) name.replace(name.size() - 1, 1, gate);
  });
  return expression;
}

}  // namespace reference
}  // namespace tandem
