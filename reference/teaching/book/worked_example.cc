// A step of a cell with one channel and one row, as a reader would compute it with a pocket calculator.
#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "reference/teaching/book/chapter.h"
#include "reference/teaching/book/explain.h"
#include "reference/teaching/table/equations.h"

namespace tandem {
namespace reference {
namespace {

// The ids of "LSTM.1-6,PROJ.1".
std::vector<std::string> IdsOf(const std::string& list) {
  std::istringstream in(list);
  std::vector<std::string> words;
  for (std::string word; std::getline(in, word, ',');) words.push_back(word);
  return ExpandIds(words);
}

void Assign(const std::string& word, Evaluator* evaluator) {
  const size_t equals = word.find('=');
  if (equals == std::string::npos) throw std::invalid_argument("@worked: '" + word + "' is no NAME=NUMBER");
  evaluator->values[word.substr(0, equals)] = Mat<double>::Constant(1, 1, std::stod(word.substr(equals + 1)));
}

const EquationLine& LineFor(const std::string& id, const std::string& when) {
  for (const EquationLine& line : FindEquation(id).lines) {
    if (line.when.empty() || line.when == when) return line;
  }
  throw std::invalid_argument("@worked: " + id + " has no line for '" + when + "'");
}

}  // namespace

std::string WorkedExample(const std::vector<std::string>& words) {
  Evaluator evaluator;
  evaluator.functions["sat"] = [](const std::vector<Mat<double>>& args) -> Mat<double> {
    return args[0].max(0).min(255);  // u8
  };
  std::string when, given;
  for (size_t i = 1; i < words.size(); ++i) {
    if (words[i].rfind("when=", 0) == 0) {
      when = words[i].substr(5);
      continue;
    }
    Assign(words[i], &evaluator);
    given += (given.empty() ? "" : ", ") + words[i];
  }
  std::ostringstream out;
  out << "```\ngiven     " << given << "\n";
  for (const std::string& id : IdsOf(words.at(0))) {
    const EquationLine& line = LineFor(id, when);
    const Explanation explained = Explain(evaluator, line.formula, {}, {10, Digits::kDecimals});
    std::string label = "[" + id + "]";
    label.resize(std::max<size_t>(label.size() + 1, 10), ' ');
    out << label << Show(line.formula.left, Notation::kText);
    for (const std::string& stage : explained.stages) out << " = " << stage;
    out << "\n";
    evaluator.Apply(line.formula);
  }
  out << "```\n";
  return out.str();
}

}  // namespace reference
}  // namespace tandem
