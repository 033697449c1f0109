#include "reference/teaching/book/two_steps.h"

#include <utility>

#include "reference/teaching/table/equations.h"

namespace tandem {
namespace reference {
namespace {

using Kind = Expression::Kind;

Expression Sum(std::vector<Expression> terms) {
  Expression sum = terms[0];
  for (size_t i = 1; i < terms.size(); ++i) {
    Expression both;
    both.kind = Kind::kAdd;
    both.args = {std::move(sum), std::move(terms[i])};
    sum = std::move(both);
  }
  return sum;
}

// With one channel and one row a matrix product is a product, a transposed matrix itself, and a sum over rows its one term.
Expression OfScalars(const Expression& e, const std::vector<std::string>& gates) {
  if (e.kind == Kind::kTranspose) return OfScalars(e.args[0], gates);
  if (e.kind == Kind::kSumOver && e.name == "g") {
    std::vector<Expression> terms;
    for (const std::string& gate : gates) terms.push_back(OfScalars(ForGate(e.args[0], gate), gates));
    return Sum(std::move(terms));
  }
  if (e.kind == Kind::kSumOver) return OfScalars(e.args[0], gates);
  Expression result = e;
  if (e.kind == Kind::kProduct) result.kind = Kind::kMultiply;
  for (Expression& arg : result.args) arg = OfScalars(arg, gates);
  return result;
}

double NumberOf(const Evaluator& evaluator, const std::string& name) {
  const auto found = evaluator.values.find(name);
  return found == evaluator.values.end() ? 0 : found->second(0, 0);
}

void Set(Evaluator* evaluator, const std::string& name, double value) {
  evaluator->values[name] = Mat<double>::Constant(1, 1, value);
}

// A problem that has no more than its cell needs to be told from others.
RnnProblem ProblemOf(const std::string& cell) {
  RnnProblem problem;
  problem.activation = cell == "RNN_RELU" ? Activation::kRelu : Activation::kTanh;
  if (cell.rfind("RNN_", 0) == 0) problem.cell = Cell::kVanillaRnn;
  if (cell.rfind("LSTM", 0) == 0) problem.cell = Cell::kLstm;
  if (cell == "LSTM_PEEPHOLE") problem.md[kWeightsPeephole] = MakeDense({1, 1, 3, 1}, DataType::kF32);
  if (cell == "LSTM_PROJECTION") problem.md[kWeightsProjection] = MakeDense({1, 1, 1, 1}, DataType::kF32);
  if (cell == "GRU") problem.cell = Cell::kGru;
  if (cell == "LBR_GRU") problem.cell = Cell::kLbrGru;
  if (cell == "AUGRU") problem.cell = Cell::kAugru;
  if (cell == "LBR_AUGRU") problem.cell = Cell::kLbrAugru;
  return problem;
}

}  // namespace

Sequence::Sequence(const std::string& cell, SequenceInputs inputs, size_t steps)
    : problem_(ProblemOf(cell)), inputs_(std::move(inputs)) {
  Forward(steps);
  Backward();
}

double Sequence::ValueAt(size_t step, const std::string& name) const { return NumberOf(forward_[step], name); }
double Sequence::Gradient(const std::string& name) const { return NumberOf(backward_[0], "d" + name); }
double Sequence::SentBack(size_t step, const std::string& name) const { return NumberOf(backward_[step], name); }

double Sequence::Loss() const {
  double loss = 0;
  const std::vector<double>& from_loss = inputs_.at("dh");
  for (size_t t = 0; t < forward_.size(); ++t) loss += from_loss[t % from_loss.size()] * ValueAt(t, "h");
  return loss;
}

void Sequence::Run(const std::vector<StepLine>& step_lines, size_t step, Evaluator* values) {
  for (const StepLine& line : step_lines) {
    Formula formula = line.formula;
    formula.right = OfScalars(formula.right, line.gates);
    const std::string& name = formula.left.name;
    if (formula.assignment == Assignment::kAddTo && !values->values.count(name)) Set(values, name, 0);
    lines_.push_back({line.id, step, formula, *values});
    values->Apply(formula);
  }
}

void Sequence::Forward(size_t steps) {
  Evaluator values;
  for (const auto& input : inputs_) Set(&values, input.first, input.second[0]);
  for (size_t t = 0; t < steps; ++t) {
    for (const char* name : {"x", "a"}) {
      const auto input = inputs_.find(name);
      if (input != inputs_.end()) Set(&values, name, input->second[t % input->second.size()]);
    }
    if (t > 0) Set(&values, "h'", ValueAt(t - 1, "h"));
    if (t > 0) Set(&values, "c'", ValueAt(t - 1, "c"));
    Run(ForwardStepLines(problem_), t, &values);
    forward_.push_back(values);
  }
}

void Sequence::Backward() {
  backward_.resize(forward_.size());
  const std::vector<double>& from_loss = inputs_.at("dh");
  std::map<std::string, Mat<double>> sums;  // the gradients of weights so far
  double sent_h = 0, sent_c = 0;
  for (size_t t = forward_.size(); t-- > 0;) {
    Evaluator values = forward_[t];
    for (const auto& sum : sums) values.values[sum.first] = sum.second;
    Set(&values, "dh", from_loss[t % from_loss.size()] + sent_h);
    Set(&values, "dc", sent_c);
    Run(BackwardStepLines(problem_), t, &values);
    sent_h = NumberOf(values, "dh'");
    sent_c = NumberOf(values, "dc'");
    for (const auto& value : values.values) {
      const std::string& name = value.first;
      if (name[0] == 'd' && name.size() > 1 && std::string("WUBPR").find(name[1]) != std::string::npos)
        sums[name] = value.second;
    }
    backward_[t] = std::move(values);
  }
}

}  // namespace reference
}  // namespace tandem
