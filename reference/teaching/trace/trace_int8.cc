#include "reference/teaching/trace/trace_int8.h"

#include <algorithm>
#include <cmath>

namespace tandem {
namespace reference {
namespace {

const Formula& FormulaFor(const std::string& id, Reading reading) {
  const Equation& equation = FindEquation(id);
  const size_t line = equation.lines.size() > 1 && reading == Reading::kOnednn ? 1 : 0;
  return equation.lines[line].formula;
}

// [INT8.1] and [INT8.2] of `real`, which the reference has stored as `bytes`.
void TellQuantization(const RnnProblem& problem, const Int8& num, const Mat<double>& real, const Mat<double>& bytes,
                      const std::string& about, LineTeller* teller) {
  Evaluator evaluator;
  AddQuantization(problem, &evaluator);
  evaluator.values["x"] = real;
  const Reading reading = problem.attr.reading;
  teller->TellQuantization(FormulaFor("INT8.1", reading), evaluator, bytes, num.Widen(bytes), about);
  evaluator.values["q"] = bytes;
  teller->TellFormula("INT8.2", FormulaFor("INT8.2", reading), evaluator, num.Widen(bytes), {}, about);
}

// [INT8.3] of one gate's weights and a stored state.
void TellProduct(const RnnProblem& problem, const QuantizedWeights<double>& w, const Mat<double>& q_h,
                 const std::string& product, LineTeller* teller) {
  Evaluator evaluator;
  AddQuantization(problem, &evaluator);
  evaluator.values["q_W"] = w.q;
  evaluator.values["q_h"] = q_h;
  evaluator.values["w"] = w.scale;
  Formula formula = FormulaFor("INT8.3", problem.attr.reading);
  formula.left = ParseExpression(product);
  teller->TellFormula("INT8.3", formula, evaluator, {}, {}, product);
}

}  // namespace

void AddQuantization(const RnnProblem& problem, Evaluator* evaluator) {
  const DataQparams data = DataQparamsOf(problem.attr);
  const auto scalar = [](double x) { return Mat<double>::Constant(1, 1, x); };
  evaluator->values["s"] = scalar(data.scale);
  evaluator->values["z"] = scalar(data.shift);
  evaluator->values["Z"] = scalar(ZeroImage(data));
  const bool is_unsigned = problem.SrcType() == DataType::kU8;
  const double low = is_unsigned ? 0 : -128, high = is_unsigned ? 255 : 127;
  evaluator->functions["sat"] = [low, high](const std::vector<Mat<double>>& args) -> Mat<double> {
    return args[0].max(low).min(high);
  };
}

Mat<double> ByteOf(const RnnProblem& problem, const Mat<double>& real) { return Int8(problem).StoreState(real); }

bool AdmitsByte(const RnnProblem& problem, double value, double stored) {
  if (std::isnan(value)) return true;  // NaN becomes byte 0
  constexpr double kFloatNoise = 64 * 0x1p-24;
  const DataQparams data = DataQparamsOf(problem.attr);
  const bool is_unsigned = problem.SrcType() == DataType::kU8;
  const double low = is_unsigned ? 0 : -128, high = is_unsigned ? 255 : 127;
  const auto image = [&](double x) {
    const double s = data.scale, z = data.shift;
    return data.reading == Reading::kSpec ? s * (x + z) : s * x + z;
  };
  const double unrounded = std::max(low, std::min(image(value), high));
  const double size = 1 + std::abs(unrounded) + std::abs(static_cast<double>(data.scale) * data.shift);
  return std::abs(unrounded - std::nearbyint(image(stored))) <= 0.5 + kFloatNoise * size;
}

void TellQuantizedParameters(const RnnProblem& problem, const CellParameters<Int8>& p, LineTeller* teller) {
  for (size_t gate = 0; gate < p.W.size(); ++gate) {
    const std::string subscript = GateSubscript(problem.cell, gate);
    teller->TellInput("bytes of W" + subscript, p.W[gate].q);
    teller->TellInput("scale of W" + subscript, p.W[gate].scale);
    teller->TellInput("bytes of U" + subscript, p.U[gate].q);
  }
  if (p.R.empty()) return;
  teller->TellInput("bytes of R", p.R[0].q);
  teller->TellInput("scale of R", p.R[0].scale);
}

void TellQuantizedParameters(const RnnProblem& problem, const CellParameters<StorageNumerics<double>>& p,
                             LineTeller* teller) {
  if (!problem.HasByteWeights()) return;
  const auto tell = [&](const Mat<double>& W, WeightRole role, size_t gate, const std::string& name) {
    Evaluator evaluator;
    Mat<double>& w = evaluator.values["w"];
    w.resize(W.rows(), 1);
    for (Dim j = 0; j < W.rows(); ++j) w(j, 0) = WeightScale(problem, role, static_cast<Dim>(gate), j);
    evaluator.values["q_W"] = (W * RepeatColumn<double>(w, W.cols())).round();
    teller->TellFormula("INT8.6", FormulaFor("INT8.6", problem.attr.reading), evaluator, W, {}, name);
  };
  for (size_t gate = 0; gate < p.W.size(); ++gate) {
    tell(p.W[gate], WeightRole::kLayer, gate, "W" + GateSubscript(problem.cell, gate));
    tell(p.U[gate], WeightRole::kIter, gate, "U" + GateSubscript(problem.cell, gate));
  }
  if (!p.R.empty()) tell(p.R[0], WeightRole::kProjection, 0, "R");
}

void TellProducts(const RnnProblem& problem, const Int8&, const CellParameters<Int8>& p, const CellInput<Int8>& in,
                  LineTeller* teller) {
  teller->TellInput("bytes of x", in.x);
  teller->TellInput("bytes of h'", in.h_prev);
  for (size_t gate = 0; gate < p.W.size(); ++gate) {
    const std::string subscript = GateSubscript(problem.cell, gate);
    TellProduct(problem, p.W[gate], in.x, "W" + subscript + " x", teller);
    if (TraitsOf(problem.cell).gate[gate].iter != IterProduct::kResetState)
      TellProduct(problem, p.U[gate], in.h_prev, "U" + subscript + " h'", teller);
  }
}

void TellProducts(const RnnProblem& problem, const Dynamic& num, const CellParameters<Dynamic>& p,
                  const CellInput<Dynamic>& in, LineTeller* teller) {
  const auto tell = [&](const std::string& name, const Mat<double>& h,
                        const std::vector<QuantizedWeights<double>>& weights, const std::string& matrix) {
    Evaluator evaluator;
    evaluator.values["h"] = h;
    evaluator.functions["sat"] = [](const std::vector<Mat<double>>& args) -> Mat<double> {
      return args[0].max(0).min(255);
    };
    const QuantizedRows<double> rows = QuantizeRows(h);
    const auto formula = [&](const char* id) { return FormulaFor(id, problem.attr.reading); };
    teller->TellFormula("INT8.7", formula("INT8.7"), evaluator, rows.scale, {}, name);
    evaluator.values["s"] = rows.scale;
    teller->TellIntegers("INT8.8", formula("INT8.8"), evaluator, rows.zero_point, name);
    evaluator.values["Z"] = rows.zero_point;
    teller->TellIntegers("INT8.9", formula("INT8.9"), evaluator, rows.q, name);
    evaluator.values["q_h"] = rows.q;
    for (size_t gate = 0; gate < weights.size(); ++gate) {
      if (matrix == "U" && TraitsOf(problem.cell).gate[gate].iter == IterProduct::kResetState) continue;
      evaluator.values["q_W"] = weights[gate].q;
      evaluator.values["w"] = weights[gate].scale;
      const std::string product = matrix + GateSubscript(problem.cell, gate) + " " + name;
      Formula named = formula("INT8.10");
      named.left = ParseExpression(product);
      teller->TellFormula("INT8.10", named, evaluator, num.Dot(weights[gate], h), {}, product);
    }
  };
  tell("x", in.x, p.W, "W");
  tell("h'", in.h_prev, p.U, "U");
}

void TellQuantizedOperand(const RnnProblem& problem, const Int8& num, const StepLine& line, LineTeller* teller) {
  if (line.id != "GRU.3") return;
  const Mat<double> real = teller->evaluator().Evaluate(ParseExpression("r * h'"));
  TellQuantization(problem, num, real, num.StoreState(real), "r * h'", teller);
}

void TellQuantizedState(const RnnProblem& problem, const Int8& num, const CellResult<Int8>& result,
                        LineTeller* teller) {
  for (const StepLine& line : ForwardStepLines(problem)) {
    const std::string& name = line.formula.left.name;
    if (name != "h" && name != "h^") continue;
    const Mat<double>& bytes = name == "h" ? result.h : result.h_hat;
    TellQuantization(problem, num, teller->evaluator().Evaluate(line.formula.right), bytes, name, teller);
  }
}

}  // namespace reference
}  // namespace tandem
