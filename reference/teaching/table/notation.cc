#include "reference/teaching/table/notation.h"

#include "reference/teaching/table/symbol.h"

namespace tandem {
namespace reference {
namespace {

using Kind = Expression::Kind;

// The strength with which a node binds. An operand that binds less than its place asks for gets parentheses.
enum Binding { kSumBinding = 1, kTermBinding, kProductBinding, kPostfixBinding, kPrimaryBinding };

struct Shown {
  std::string text;
  int binding;
};

class Writer {
 public:
  Writer(Notation notation, const Substitute& substitute) : notation_(notation), substitute_(substitute) {}

  Shown Write(const Expression& e) const {
    if (substitute_) {
      const std::string number = substitute_(e);
      if (!number.empty()) return {Atom("mn", number), number[0] == '-' ? kSumBinding : kPrimaryBinding};
    }
    switch (e.kind) {
      case Kind::kNumber:
        return {Atom("mn", e.name), kPrimaryBinding};
      case Kind::kSymbol:
        return {ShowSymbol(e.name, notation_), kPrimaryBinding};
      case Kind::kAdd:
      case Kind::kSubtract:
        return {Sum(e), kSumBinding};
      case Kind::kNegate:
        return {Operator("-") + Operand(e.args[0], kTermBinding), kSumBinding};
      case Kind::kMultiply:
        return {Operand(e.args[0], kTermBinding) + Infix(Pick("*", "\\odot", "⊙")) + Operand(e.args[1], kTermBinding),
                kTermBinding};
      case Kind::kDivide:
        return Quotient(e);
      case Kind::kProduct:
        return {Operand(e.args[0], kProductBinding) + Pick(" ", "\\, ", "<mo>&#x2062;</mo>") +
                    Operand(e.args[1], kPostfixBinding),
                kProductBinding};
      case Kind::kTranspose:
        return {Raised(e.args[0], "ᵀ", "\\top", "<mo>⊤</mo>"), kPostfixBinding};
      case Kind::kSquare:
        return {Raised(e.args[0], "²", "2", "<mn>2</mn>"), kPostfixBinding};
      case Kind::kCall:
        return {Call(e), kPrimaryBinding};
      case Kind::kSumOver:
        return {SumOver(e), kTermBinding};
      case Kind::kConcat:
        return {Bracketed("[", {Write(e.args[0]).text, Write(e.args[1]).text}, "; ", "]"), kPrimaryBinding};
    }
    return {};
  }

 private:
  std::string Pick(const std::string& text, const std::string& latex, const std::string& mathml) const {
    return notation_ == Notation::kText ? text : notation_ == Notation::kLatex ? latex : mathml;
  }
  std::string Atom(const std::string& element, const std::string& text) const {
    return Pick(text, text, "<" + element + ">" + text + "</" + element + ">");
  }
  std::string Operator(const std::string& op) const { return Pick(op, op, "<mo>" + op + "</mo>"); }
  std::string Infix(const std::string& op) const { return Pick(" " + op + " ", " " + op + " ", "<mo>" + op + "</mo>"); }

  std::string Operand(const Expression& e, int needed) const {
    const Shown shown = Write(e);
    return shown.binding < needed ? Bracketed("(", {shown.text}, "", ")") : Grouped(shown.text);
  }
  std::string Grouped(const std::string& text) const { return Pick(text, text, "<mrow>" + text + "</mrow>"); }

  std::string Bracketed(const std::string& open, const std::vector<std::string>& parts, const std::string& separator,
                        const std::string& close) const {
    std::string inside;
    for (const std::string& part : parts) inside += (inside.empty() ? "" : Operator(separator)) + part;
    return Pick(open + inside + close, "\\left" + open + inside + "\\right" + close,
                "<mrow><mo>" + open + "</mo>" + inside + "<mo>" + close + "</mo></mrow>");
  }

  // a + -0.5 is written a - 0.5.
  std::string Sum(const Expression& e) const {
    const std::string left = Write(e.args[0]).text;
    const Expression& second = e.args[1];
    std::string number = substitute_ ? substitute_(second) : "";
    if (e.kind == Kind::kAdd && !number.empty() && number[0] == '-') {
      return left + Infix("-") + Atom("mn", number.substr(1));
    }
    const bool is_sum = second.kind == Kind::kAdd || second.kind == Kind::kSubtract || second.kind == Kind::kNegate;
    const int needed = is_sum || !number.empty() ? kTermBinding : kSumBinding;
    return left + Infix(e.kind == Kind::kAdd ? "+" : "-") + Operand(second, needed);
  }

  Shown Quotient(const Expression& e) const {
    if (notation_ == Notation::kText) {
      return {Operand(e.args[0], kTermBinding) + " / " + Operand(e.args[1], kProductBinding), kTermBinding};
    }
    const std::string above = Write(e.args[0]).text, below = Write(e.args[1]).text;
    return {Pick("", "\\frac{" + above + "}{" + below + "}",
                 "<mfrac><mrow>" + above + "</mrow><mrow>" + below + "</mrow></mfrac>"),
            kPrimaryBinding};
  }

  std::string Raised(const Expression& base, const std::string& text, const std::string& latex,
                     const std::string& mathml) const {
    const std::string shown = Operand(base, kPostfixBinding);
    // A prime and an exponent do not go together without braces.
    return Pick(shown + text, "{" + shown + "}^{" + latex + "}", "<msup>" + Grouped(shown) + mathml + "</msup>");
  }

  std::string Call(const Expression& e) const {
    std::vector<std::string> args;
    for (const Expression& arg : e.args) args.push_back(Write(arg).text);
    if (e.name == "positive") return Positive(args);
    if (e.name.empty()) return Bracketed("(", args, ", ", ")");
    const std::string latex = e.name == "σ" ? "\\sigma" : e.name == "tanh" ? "\\tanh" : "\\mathrm{" + e.name + "}";
    const std::string name = Pick(e.name, latex, "<mi>" + e.name + "</mi><mo>&#x2061;</mo>");
    return name + Bracketed("(", args, ", ", ")");
  }
  // positive(a, y, z) is y where a > 0, elsewhere z.
  std::string Positive(const std::vector<std::string>& args) const {
    const auto words = [this](const std::string& w) {
      return Pick(w, "\\text{" + w + "}", "<mtext>" + w + "</mtext>");
    };
    const std::string greater = Pick(" > 0", " > 0", "<mo>&gt;</mo><mn>0</mn>");
    return Bracketed("(", {args[1] + words(" if ") + args[0] + greater + words(", else ") + args[2]}, "", ")");
  }

  std::string SumOver(const Expression& e) const {
    const std::string latex_index = e.name.size() > 1 ? "\\text{" + e.name + "}" : e.name;
    const std::string sign = Pick("Σ_" + e.name + " ", "\\sum_{" + latex_index + "} ",
                                  "<msub><mo>Σ</mo><mtext>" + e.name + "</mtext></msub>");
    return sign + Operand(e.args[0], kTermBinding);
  }

  Notation notation_;
  const Substitute& substitute_;
};

}  // namespace

std::string Show(const Expression& expression, Notation notation, const Substitute& substitute) {
  return Writer(notation, substitute).Write(expression).text;
}

std::string Show(const Formula& formula, Notation notation) {
  const char* sign = formula.assignment == Assignment::kAddTo ? "+=" : "=";
  const std::string latex = formula.assignment == Assignment::kAddTo ? " \\mathrel{+}= " : " = ";
  const std::string between = notation == Notation::kText    ? std::string(" ") + sign + " "
                              : notation == Notation::kLatex ? latex
                                                             : std::string("<mo>") + sign + "</mo>";
  return Show(formula.left, notation) + between + Show(formula.right, notation);
}

}  // namespace reference
}  // namespace tandem
