#include "reference/teaching/book/chapter.h"

#include <cmath>
#include <sstream>
#include <stdexcept>

#include "reference/teaching/book/explain.h"
#include "reference/teaching/book/rounding_points.h"
#include "reference/teaching/table/equations.h"
#include "reference/teaching/table/evaluate.h"
#include "reference/teaching/table/notation.h"

namespace tandem {
namespace reference {
namespace {

// GitHub leaves what stands in $`...`$ alone; in $...$ it takes _ and ~ for Markdown's.
std::string Math(const std::string& latex) { return "$`" + latex + "`$"; }

std::string WithMath(const std::string& text) { return WithFormulas(text, Notation::kLatex); }

std::vector<std::string> WordsOf(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

std::string LinesOf(const Equation& equation) {
  std::string lines;
  for (const EquationLine& line : equation.lines) {
    if (!lines.empty()) lines += "<br>";
    lines += Math(Show(line.formula, Notation::kLatex));
    if (!line.when.empty()) lines += " (" + line.when + ")";
    if (line.gates.empty()) continue;
    std::string gates;
    for (const std::string& gate : line.gates) gates += (gates.empty() ? "" : ", ") + WithMath("{" + gate + "}");
    lines += " for " + gates;
  }
  return lines;
}

std::string TableOf(const std::vector<std::string>& words) {
  std::ostringstream out;
  out << "| id | equation | shape | why |\n|---|---|---|---|\n";
  std::string place;
  for (const std::string& id : ExpandIds(words)) {
    const Equation& equation = FindEquation(id);
    out << "| [" << id << "] | " << LinesOf(equation) << " | " << equation.shape << " | "
        << WithMath(equation.derivation) << " |\n";
    if (place.find("`" + equation.place + "`") != std::string::npos) continue;
    place += (place.empty() ? "" : ", ") + ("`" + equation.place + "`");
  }
  out << "\nComputed in " << place << ".\n";
  return out.str();
}

// The first and the last of consecutive ids, and the chapter and section that has them.
std::string IndexRow(std::vector<std::string> words, bool* has_header) {
  std::string row = *has_header ? "" : "| equations | derived in |\n|---|---|\n";
  *has_header = true;
  const std::string page = words.at(0);
  words.erase(words.begin());
  const std::vector<std::string> ids = ExpandIds(words);
  for (const std::string& id : ids) FindEquation(id);  // throws if there is none
  row += "| [" + ids.front() + "]";
  if (ids.size() > 1) row += " to [" + ids.back() + "]";
  return row + " | [" + page.substr(0, page.find('.')) + "](book/" + page + ") |\n";
}

// "σ(5) to 100": the value of the expression, or of its power.
double ValueOf(const std::string& text) {
  const size_t to = text.find(" to ");
  const double base = Evaluator().Evaluate(ParseExpression(text.substr(0, to)))(0);
  return to == std::string::npos ? base : std::pow(base, std::stod(text.substr(to + 4)));
}

// The row's gradient so many steps back, as the table has it.
double DecayedValue(const std::string& row, size_t distance, const DecayRows& rows) {
  const auto found = rows.find(row);
  if (found == rows.end()) throw std::invalid_argument("no @decay line is called '" + row + "'");
  return GradientOverTime(found->second, kDecaySteps).at(distance - 1);
}

// Puts the numbers of {@value EXPRESSION} and {@STEPS ROW} in.
std::string WithNumbers(std::string line, const DecayRows& rows) {
  for (size_t at = line.find("{@"); at != std::string::npos; at = line.find("{@", at)) {
    const size_t space = line.find(' ', at), end = line.find('}', at);
    if (space > end || end == std::string::npos) throw std::invalid_argument("no word after {@ in '" + line + "'");
    const std::string word = line.substr(at + 2, space - at - 2), rest = line.substr(space + 1, end - space - 1);
    const double number = word == "value" ? ValueOf(rest) : DecayedValue(rest, std::stoul(word), rows);
    line.replace(at, end + 1 - at, ShowNumber(number, {3}));
  }
  return line;
}

std::string RoundingTable() {
  std::ostringstream out;
  out << "| value | equations | f32, bf16, f16 | int8 | in the reference |\n|---|---|---|---|---|\n";
  for (const RoundingPoint& point : RoundingPoints()) {
    out << "| " << WithMath(point.value) << " | " << point.equations << " | " << WithMath(point.floating) << " | "
        << point.int8 << " | `" << point.member << "`"
        << (point.member_in_words.empty() ? "" : ", " + point.member_in_words) << " |\n";
  }
  return out.str();
}

}  // namespace

std::vector<std::string> ExpandIds(const std::vector<std::string>& words) {
  std::vector<std::string> ids;
  for (const std::string& word : words) {
    const size_t dash = word.find('-');
    if (dash == std::string::npos) {
      ids.push_back(word);
      continue;
    }
    const size_t digits = word.find_first_of("0123456789", word.find('.'));
    const int first = std::stoi(word.substr(digits)), last = std::stoi(word.substr(dash + 1));
    for (int i = first; i <= last; ++i) ids.push_back(word.substr(0, digits) + std::to_string(i));
  }
  return ids;
}

std::string WithFormulas(const std::string& text, Notation notation) {
  std::string result;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '{') {
      result += text[at];
      continue;
    }
    const size_t begin = ++at;
    for (int depth = 1; at < text.size(); ++at) {
      depth += text[at] == '{' ? 1 : text[at] == '}' ? -1 : 0;
      if (depth == 0) break;
    }
    const std::string formula = text.substr(begin, at - begin);
    const bool equation = formula.find('=') != std::string::npos;
    const std::string shown =
        equation ? Show(ParseFormula(formula), notation) : Show(ParseExpression(formula), notation);
    result += notation == Notation::kLatex    ? Math(shown)
              : notation == Notation::kMathml ? "<math><mrow>" + shown + "</mrow></math>"
                                              : shown;
  }
  return result;
}

std::string MakeChapter(const std::string& text, const std::string& title) {
  std::istringstream in(text);
  std::string result = "<!-- Made from reference/teaching/book/chapters/" + title +
                       " and the table of equations by `bazel run //reference/teaching/book:write`. -->\n";
  bool in_table = false;
  const DecayRows decay_rows = DecayRowsOf(text);
  for (std::string line; std::getline(in, line);) {
    in_table = in_table && (line.rfind("@decay", 0) == 0 || line.rfind("@index", 0) == 0);
    if (line.empty() || line[0] != '@') {
      result += WithMath(WithNumbers(line, decay_rows)) + "\n";
      continue;
    }
    std::vector<std::string> words = WordsOf(line);
    const std::string command = words[0];
    words.erase(words.begin());
    if (command == "@equations") {
      result += TableOf(words);
    } else if (command == "@index") {
      result += IndexRow(words, &in_table);
    } else if (command == "@worked") {
      result += WorkedExample(words);
    } else if (command == "@steps") {
      result += WorkedSequence(words);
    } else if (command == "@decay") {
      result += DecayRow(words, &in_table);
    } else if (command == "@drift") {
      result += DriftTable();
    } else if (command == "@rounding") {
      result += RoundingTable();
    } else {
      throw std::invalid_argument(title + ": unknown " + command);
    }
  }
  return result;
}

}  // namespace reference
}  // namespace tandem
