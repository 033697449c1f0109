#include "reference/teaching/tests/book_evaluation.h"

#include <sstream>

#include "reference/teaching/book/step_values.h"
#include "reference/teaching/table/notation.h"

namespace tandem {
namespace reference {
namespace {

using Matrix = Mat<double>;

// Both sides are sums of at most some hundred terms of size 1 in double, in different orders.
constexpr double kNoise = 1e-11;

bool Agree(const Matrix& a, const Matrix& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  return ((a - b).abs() <= kNoise * (1 + b.abs())).all();
}

std::string Difference(const std::string& id, const std::string& name, const Matrix& book, const Matrix& reference) {
  std::ostringstream out;
  out << "[" << id << "] " << name << ": by the book\n" << book << "\nby the reference\n" << reference;
  return out.str();
}

// "[2 dic, mb]" with the numbers of the problem.
bool HasShape(const std::string& shape, const RnnProblem& p, const Matrix& m) {
  const std::map<std::string, Dim> dims = {{"slc", p.slc}, {"sic", p.sic}, {"dhc", p.dhc}, {"dic", p.dic},
                                           {"mb", p.mb},   {"m", p.dhc},   {"1", 1},       {"2", 2}};
  std::istringstream words(shape.substr(1));
  std::vector<Dim> found = {0};
  Dim factor = 1;
  for (std::string word; words >> word;) {
    if (word == "+") continue;
    const bool ends = word.back() == ',' || word.back() == ']';
    const std::string name = ends ? word.substr(0, word.size() - 1) : word;
    if (name == "2") {
      factor = 2;
      continue;
    }
    found.back() += factor * dims.at(name);
    factor = 1;
    if (word.back() == ',') found.push_back(0);
  }
  return found.size() == 2 && m.rows() == found[0] && m.cols() == found[1];
}

// One step by the formulas; compares what the reference knows.
class StepCheck {
 public:
  StepCheck(const RnnProblem& problem, const EquationTable& table, std::set<std::string>* seen)
      : problem_(problem), table_(table), seen_(seen) {}

  std::string Run(const std::vector<StepLine>& lines, const NamedValues& expected, Evaluator* evaluator) const {
    for (const StepLine& line : lines) {
      seen_->insert(line.id);
      evaluator->gates = line.gates;
      const std::string& name = line.formula.left.name;
      const Matrix value = evaluator->Apply(line.formula);
      if (!HasShape(FindEquation(line.id, table_).shape, problem_, value))
        return "[" + line.id + "] " + name + ": shape";
      const auto reference = expected.find(name);
      // A value that later lines add to is compared when the step ends.
      if (reference == expected.end() || line.formula.assignment == Assignment::kAddTo) continue;
      if (name == "dc'" || name == "dh'") continue;
      if (!Agree(value, reference->second)) return Difference(line.id, name, value, reference->second);
    }
    return "";
  }

  static std::string Compare(const NamedValues& expected, const Evaluator& evaluator) {
    for (const auto& [name, value] : expected) {
      const auto found = evaluator.values.find(name);
      if (found == evaluator.values.end()) return name + " has no equation";
      if (!Agree(found->second, value)) return Difference("end of step", name, found->second, value);
    }
    return "";
  }

 private:
  const RnnProblem& problem_;
  const EquationTable& table_;
  std::set<std::string>* seen_;
};

NamedValues Zeroed(NamedValues values) {
  for (auto& [name, value] : values) value.setZero();
  return values;
}

}  // namespace

std::set<std::string> CellEquationsOf(const RnnProblem& problem) {
  std::set<std::string> ids;
  for (const StepLine& line : ForwardStepLines(problem)) ids.insert(line.id);
  for (const StepLine& line : BackwardStepLines(problem)) ids.insert(line.id);
  return ids;
}

std::string CellDisagreement(const Recording& recording, const EquationTable& table, std::set<std::string>* seen) {
  const RnnProblem& problem = recording.problem;
  const Plain num;
  const StepCheck check(problem, table, seen);
  const std::vector<StepLine> forward = ForwardStepLines(problem, table);
  const std::vector<StepLine> backward = BackwardStepLines(problem, table);
  for (size_t stack = 0; stack < recording.steps.size(); ++stack) {
    const NamedValues gradients = GradientValues(problem, recording.gradients[stack]);
    Evaluator evaluator;
    Merge(Zeroed(gradients), &evaluator.values);
    Merge(ParameterValues(problem, recording.parameters[stack]), &evaluator.values);
    for (auto step = recording.steps[stack].rbegin(); step != recording.steps[stack].rend(); ++step) {
      Merge(InputValues(problem, num, step->in), &evaluator.values);
      Merge(MaskValues(MasksAt(recording.in.masks, recording.in.shape, step->index)), &evaluator.values);
      std::string wrong = check.Run(forward, ResultValues(problem, num, step->out), &evaluator);
      Merge(DiffInputValues(problem, step->diff), &evaluator.values);
      const NamedValues results = DiffResultValues(problem, step->result);
      if (wrong.empty()) wrong = check.Run(backward, results, &evaluator);
      if (wrong.empty()) wrong = StepCheck::Compare(results, evaluator);
      if (!wrong.empty()) return recording.description + ": " + wrong;
    }
    const std::string wrong = StepCheck::Compare(gradients, evaluator);
    if (!wrong.empty()) return recording.description + ": " + wrong;
  }
  return "";
}

}  // namespace reference
}  // namespace tandem
