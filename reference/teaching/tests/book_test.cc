// The equation book against the reference: every formula of the table is evaluated on random numbers, and a formula
// with a changed sign, operation or function is noticed.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include "reference/teaching/table/evaluate.h"
#include "reference/teaching/table/notation.h"
#include "reference/teaching/table/symbol.h"
#include "reference/teaching/tests/book_evaluation.h"

namespace tandem {
namespace reference {
namespace {

using Kind = Expression::Kind;

constexpr uint32_t kCases = 4;
constexpr unsigned kSeeds = 20;

const std::vector<Recording>& Recordings() {
  static const std::vector<Recording>* const all = new std::vector<Recording>(RecordAll(kCases));
  return *all;
}

// The first disagreement of any kind; only of what equation `id` takes part in, unless it is empty.
std::string Disagreement(const EquationTable& table, const std::string& id, std::set<std::string>* seen) {
  const bool stack = id.rfind("STACK", 0) == 0, int8 = id.rfind("INT8", 0) == 0;
  const bool norm = id.rfind("NORM", 0) == 0;
  for (const Recording& recording : Recordings()) {
    std::string wrong;
    if (id.empty() || CellEquationsOf(recording.problem).count(id)) wrong = CellDisagreement(recording, table, seen);
    if (wrong.empty() && (id.empty() || stack)) wrong = StackDisagreement(recording, table, seen);
    if (!wrong.empty()) return wrong;
  }
  for (unsigned seed = 0; seed < kSeeds && (id.empty() || int8); ++seed) {
    const std::string wrong = Int8Disagreement(table, seed, seen);
    if (!wrong.empty()) return wrong;
  }
  for (unsigned seed = 0; seed < kSeeds && (id.empty() || norm); ++seed) {
    const std::string wrong = NormDisagreement(table, seed, seen);
    if (!wrong.empty()) return wrong;
  }
  return "";
}

TEST(Book, EveryFormulaIsWhatTheReferenceComputes) {
  std::set<std::string> seen, all;
  EXPECT_EQ(Disagreement(Equations(), "", &seen), "");
  for (const Equation& equation : Equations()) all.insert(equation.id);
  EXPECT_EQ(seen, all) << "every equation is evaluated";
}

// Every expression that differs from `e` in one place: a sign, an operation, a function. A sign does not matter inside
// a square or abs, nor in the argument of an odd function and in a factor there.
void AddMutants(const Expression& e, bool sign_matters, std::vector<Expression>* mutants) {
  Expression negated;
  negated.kind = Kind::kNegate;
  negated.args = {e};
  if (sign_matters) mutants->push_back(negated);
  const auto with_kind = [&](Kind kind) {
    mutants->push_back(e);
    mutants->back().kind = kind;
  };
  if (e.kind == Kind::kAdd) with_kind(Kind::kSubtract);
  if (e.kind == Kind::kSubtract) with_kind(Kind::kAdd);
  if (e.kind == Kind::kMultiply) with_kind(Kind::kAdd);
  if (e.kind == Kind::kSquare) mutants->push_back(e.args[0]);
  if (e.kind == Kind::kCall && (e.name == "σ" || e.name == "tanh")) {
    mutants->push_back(e);
    mutants->back().name = e.name == "σ" ? "tanh" : "σ";
  }
  const bool even = e.kind == Kind::kSquare || (e.kind == Kind::kCall && e.name == "abs");
  const bool odd = e.kind == Kind::kMultiply || (e.kind == Kind::kCall && e.name == "tanh");
  const bool inner_sign_matters = !even && (sign_matters || !odd);
  for (size_t i = 0; i < e.args.size(); ++i) {
    std::vector<Expression> parts;
    AddMutants(e.args[i], inner_sign_matters, &parts);
    for (const Expression& part : parts) {
      mutants->push_back(e);
      mutants->back().args[i] = part;
    }
  }
}

std::string DisagreementOfMutant(const EquationTable& table, const std::string& id) {
  std::set<std::string> seen;
  try {
    return Disagreement(table, id, &seen);
  } catch (const std::invalid_argument& error) {
    return error.what();  // dims that do not fit
  }
}

TEST(Book, AChangedFormulaIsNoticed) {
  int tried = 0;
  EquationTable table = Equations();
  for (Equation& equation : table) {
    for (EquationLine& line : equation.lines) {
      const Expression right = line.formula.right;
      std::vector<Expression> mutants;
      AddMutants(right, true, &mutants);
      for (const Expression& mutant : mutants) {
        line.formula.right = mutant;
        EXPECT_NE(DisagreementOfMutant(table, equation.id), "")
            << "[" << equation.id << "] " << Show(line.formula, Notation::kText) << " is not told from "
            << Show(right, Notation::kText);
        ++tried;
      }
      line.formula.right = right;
    }
  }
  std::printf("%d changed formulas\n", tried);
  EXPECT_GT(tried, 500);
}

TEST(Book, EveryEquationStandsWhereTheTableSays) {
  for (const Equation& equation : Equations()) {
    std::ifstream in(equation.place);
    const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    EXPECT_NE(text.find("[" + equation.id + "]"), std::string::npos) << equation.id << " in " << equation.place;
  }
}

// Returns the cell's name of a symbol of the book: h' h_prev, u~ u_tilde, dx diff_x, Δ_u' delta_u_prime.
std::string CodeName(const std::string& symbol) {
  const SymbolParts parts = PartsOf(symbol);
  std::string name = parts.is_differential ? "diff_" : "";
  name += parts.base == "Δ" ? "delta" : parts.base;
  if (parts.mark == "~") name += "_tilde";
  if (parts.mark == "^") name += "_hat";
  if (parts.is_prime) name += "_prev";
  if (!parts.subscript.empty()) name += "_" + parts.subscript;
  name = std::regex_replace(name, std::regex("~"), "_tilde");
  return std::regex_replace(name, std::regex("'"), "_prime");
}

TEST(Book, EachActivationHasItsEquationAndItsSlope) {
  for (const char* const id : {"RNN.2", "RNN.B1"}) {
    std::set<std::string> found;
    for (const EquationLine& line : FindEquation(id).lines) found.insert(line.when);
    std::set<std::string> all;
    for (const Activation activation : kActivations) all.insert(ToString(activation));
    EXPECT_EQ(found, all) << id;
  }
}

TEST(Book, CellsHaveItsLetters) {
  // NAME = ...;  // [ID]
  const std::regex statement(R"((\w+) =\s[^;=]*;\s*// \[([A-Z]+\.B?\d+)\])");
  int checked = 0;
  for (const auto& file : std::filesystem::directory_iterator("reference/cells")) {
    std::ifstream in(file.path());
    const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    for (std::sregex_iterator i(text.begin(), text.end(), statement), end; i != end; ++i, ++checked) {
      const std::string& left = FindEquation((*i)[2]).lines[0].formula.left.name;
      EXPECT_EQ((*i)[1], CodeName(left)) << file.path() << ", [" << (*i)[2] << "]";
    }
  }
  EXPECT_GT(checked, 90);
}

TEST(Book, TextIsReadAsItIsShown) {
  for (const Equation& equation : Equations()) {
    for (const EquationLine& line : equation.lines) {
      const std::string text = Show(line.formula, Notation::kText);
      if (text.find(" if ") != std::string::npos) continue;  // shown in words
      EXPECT_EQ(Show(ParseFormula(text), Notation::kText), text);
    }
  }
}

TEST(Book, SymbolsAreShownInMathml) {
  const auto shown = [](const char* name) { return Show(ParseExpression(name), Notation::kMathml); };
  EXPECT_EQ(shown("W_c~"), "<msub><mi>W</mi><mover accent=\"true\"><mi>c</mi><mo>˜</mo></mover></msub>");
  EXPECT_EQ(shown("h^"), "<mover accent=\"true\"><mi>h</mi><mo>ˆ</mo></mover>");
  EXPECT_EQ(shown("h'"), "<mrow><mi>h</mi><mo lspace=\"0\" rspace=\"0\">′</mo></mrow>");
  EXPECT_EQ(shown("dx_t"), "<mrow><mi mathvariant=\"normal\">d</mi><msub><mi>x</mi><mtext>t</mtext></msub></mrow>");
  EXPECT_EQ(shown("src_layer_t"), "<msub><mtext>src_layer</mtext><mtext>t</mtext></msub>");
}

TEST(Book, WhatIsNoFormulaIsRefused) {
  for (const char* text : {"", "a +", "(a", "a )", "[a; b", "σ(a", "Σ_n", "a = b", "+"}) {
    EXPECT_THROW(ParseExpression(text), std::invalid_argument) << text;
  }
  EXPECT_THROW(ParseFormula("a"), std::invalid_argument);
}

TEST(Book, WhatHasNoValueIsNamed) {
  Evaluator evaluator;
  evaluator.values["a"] = Evaluator::Value::Constant(2, 3, 1.0);
  evaluator.values["b"] = Evaluator::Value::Constant(3, 2, 1.0);
  for (const char* text : {"a + c", "a + b", "a a", "f(a)", "Σ_g a"}) {
    EXPECT_THROW(evaluator.Evaluate(ParseExpression(text)), std::invalid_argument) << text;
  }
}

}  // namespace
}  // namespace reference
}  // namespace tandem
