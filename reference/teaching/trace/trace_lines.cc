#include "reference/teaching/trace/trace_lines.h"

#include <algorithm>
#include <utility>

namespace tandem {
namespace reference {
namespace {

// The book and the reference compute in double, in different orders.
constexpr double kDoubleNoise = 1e-11;
// In int8 the reference applies the parameters in f32: some operations on numbers of the size of a pre-activation.
constexpr double kFloatNoise = 64 * 0x1p-24;

// The numbers that the bytes of dynamic quantization stand for.
Mat<double> QuantizedAndBack(const Mat<double>& stored) {
  const QuantizedRows<double> rows = QuantizeRows(stored);
  return RepeatRow<double>(rows.scale, stored.rows()) * (rows.q - RepeatRow<double>(rows.zero_point, stored.rows()));
}

// What U_o gives of the state, plus B_u', is one value where it has been saved.
Expression WithSaved(const Expression& e, Evaluator* evaluator) {
  const auto saved = evaluator->values.find(kSavedLinear);
  if (saved == evaluator->values.end()) return e;
  if (e.kind == Expression::Kind::kAdd && e.args[1].name == "B_u'") {
    const Expression symbol = Symbol("(" + Show(e, Notation::kText) + ")");
    evaluator->values[symbol.name] = Mat<double>(saved->second);
    return symbol;
  }
  Expression result = e;
  for (Expression& arg : result.args) arg = WithSaved(arg, evaluator);
  return result;
}

// The gradient of a product that has a norm is stored as a Δ is; that of c is not.
bool IsProductGradient(const std::string& name) {
  return name.rfind("dv", 0) == 0 && name.rfind("dv^", 0) != 0 && name != "dv_c";
}

bool IsCellState(const std::string& name) { return name == "c" || name == "c_cell"; }

bool IsIn(const Columns& columns, Dim column) {
  return std::find(columns.begin(), columns.end(), column) != columns.end();
}

// A row has these before its first step and after its last one, whenever those are.
bool IsOfWholeRows(const std::string& id) {
  for (const char* known :
       {"STACK.7", "STACK.8", "STACK.9", "STACK.10", "STACK.B5", "STACK.B6", "STACK.B8", "STACK.B9"}) {
    if (id == known) return true;
  }
  return false;
}

}  // namespace

LineTeller::LineTeller(const RnnProblem& problem, const TraceVisitor& visit) : problem_(problem), visit_(visit) {
  const FpmathMode mode = EffectiveFpmathMode(problem);
  if (mode != FpmathMode::kStrict) evaluator_.round_operand = [mode](double x) { return RoundOperand(mode, x); };
  if (problem.IsDynamic()) evaluator_.quantize_rows = QuantizedAndBack;
}

void LineTeller::SetStep(TracePhase phase, const StepIndex& step, Columns dead) {
  phase_ = phase;
  step_ = step;
  dead_ = std::move(dead);
}

void LineTeller::SetStateStorage(StoredValues storage) {
  state_ = std::move(storage);
  evaluator_.round_stored = state_.store;
}

const StoredValues* LineTeller::StorageOf(const std::string& name) const {
  for (const char* state : {"h", "h^", "h_cell", "x_m", "h'_m"}) {
    if (name == state) return &state_;
  }
  if (name.rfind("Δ", 0) == 0 || IsProductGradient(name)) return &state_;
  return IsCellState(name) ? &cell_ : nullptr;
}

bool LineTeller::Agree(const Mat<double>& found, const Mat<double>& expected, const Columns& dead) const {
  if (found.rows() != expected.rows() || found.cols() != expected.cols()) return false;
  const double noise = problem_.IsInt8() || problem_.IsDynamic() ? kFloatNoise : kDoubleNoise;
  for (Dim i = 0; i < found.size(); ++i) {
    const double x = found(i), y = expected(i);
    if (IsIn(dead, i / found.rows())) continue;
    if (std::isnan(x) && std::isnan(y)) continue;
    if (x != y && !(std::abs(x - y) <= noise * (1 + std::abs(y)))) return false;
  }
  return true;
}

bool LineTeller::AgreesStored(const StoredValues& storage, const Mat<double>& found, const Mat<double>& expected,
                              const Columns& dead) const {
  if (!storage.admits) return Agree(found.unaryExpr(storage.store), expected, dead);
  if (found.rows() != expected.rows() || found.cols() != expected.cols()) return false;
  for (Dim i = 0; i < found.size(); ++i) {
    if (!IsIn(dead, i / found.rows()) && !storage.admits(found(i), expected(i))) return false;
  }
  return true;
}

TracedLine LineTeller::NewLine(const std::string& id, const Formula& formula) const {
  TracedLine line;
  line.phase = phase_;
  line.step = step_;
  line.id = id;
  line.formula = formula;
  line.evaluated = formula;
  if (IsPerRow(line) && !IsOfWholeRows(id)) line.dead = dead_;
  return line;
}

TracedLine LineTeller::NewValue(const std::string& name, const Mat<double>& value) const {
  Formula formula;
  formula.left.kind = Expression::Kind::kSymbol;
  formula.left.name = name;
  TracedLine line = NewLine("", formula);
  line.value = value;
  return line;
}

void LineTeller::SetBytes(const StoredValues& storage, TracedLine* line) const {
  if (storage.byte && !line->stored_as.empty()) line->bytes = line->stored.unaryExpr(storage.byte);
}

void LineTeller::TellInput(const std::string& name, const Mat<double>& value) { visit_(NewValue(name, value)); }

void LineTeller::TellStepLine(const StepLine& step, const NamedValues& expected) {
  TracedLine line = NewLine(step.id, step.formula);
  line.evaluated.right = WithSaved(line.evaluated.right, &evaluator_);
  line.before = &evaluator_;
  evaluator_.gates = step.gates;
  if (step.id == "NORM.B3") StoreDeltas(step.formula.right);
  const std::string& name = step.formula.left.name;
  line.value = evaluator_.ValueOf(line.evaluated);
  if (const StoredValues* storage = StorageOf(name); storage && storage->store) {
    line.stored = line.value.unaryExpr(storage->store);
    if (!(line.stored == line.value).all()) line.stored_as = storage->type;
  }
  const auto reference = expected.find(name);
  if (reference != expected.end()) {
    // The next step reads the stored h. Within the step, tanh(c) and a peephole read c before it is stored; zoneout does not.
    const StoredValues* storage = StorageOf(name);
    line.agrees = storage && storage->store ? AgreesStored(*storage, line.value, reference->second, line.dead)
                                            : Agree(line.value, reference->second, line.dead);
    if (line.stored.size() > 0) line.stored = Mat<double>(reference->second);
    if (!IsCellState(name)) line.value = Mat<double>(reference->second);
    if (storage) SetBytes(*storage, &line);
  }
  visit_(line);
  evaluator_.values[name] = std::move(line.value);
}

void LineTeller::StoreDeltas(const Expression& e) {
  ForEachSymbol(&e, [&](const Expression* symbol) {
    if (symbol->name.rfind("Δ", 0) != 0) return;
    Mat<double>& delta = evaluator_.values[symbol->name];
    delta = Mat<double>(delta.unaryExpr(state_.store));
  });
}

void LineTeller::TellFormula(const std::string& id, const Formula& formula, const Evaluator& evaluator,
                             const Mat<double>& expected, const Mat<double>& stored, const std::string& about) {
  TracedLine line = NewLine(id, formula);
  line.about = about;
  line.before = &evaluator;
  line.value = evaluator.Evaluate(formula.right);
  if (expected.size() > 0) {
    line.agrees = Agree(line.value, expected, line.dead);
    line.value = Mat<double>(expected);
  }
  if (stored.size() > 0) {
    line.stored = line.value.unaryExpr(state_.store);
    line.agrees = line.agrees && Agree(line.stored, stored, line.dead);
    if (!(line.stored == line.value).all()) line.stored_as = state_.type;
    SetBytes(state_, &line);
  }
  visit_(line);
}

void LineTeller::TellQuantization(const Formula& formula, const Evaluator& evaluator, const Mat<double>& bytes,
                                  const Mat<double>& stored, const std::string& about) {
  TracedLine line = NewLine("INT8.1", formula);
  line.about = about;
  line.before = &evaluator;
  line.value = Mat<double>(bytes);
  line.agrees = AgreesStored(state_, evaluator.values.at("x"), stored, line.dead);
  visit_(line);
}

void LineTeller::TellIntegers(const std::string& id, const Formula& formula, const Evaluator& evaluator,
                              const Mat<double>& integers, const std::string& about) {
  TracedLine line = NewLine(id, formula);
  line.about = about;
  line.before = &evaluator;
  line.value = Mat<double>(integers);
  line.agrees = ((evaluator.Evaluate(formula.right) - integers).abs() <= 1).all();
  visit_(line);
}

void LineTeller::TellCall(const std::string& id, const Mat<double>& h, const Mat<double>& c) {
  TracedLine line = NewLine(id, FindEquation(id).lines[0].formula);
  line.value = Mat<double>(h);
  line.cell = Mat<double>(c);
  visit_(line);
}

void LineTeller::TellTotal(const std::string& name, const Mat<double>& value) {
  TracedLine line = NewValue(name, value);
  line.about = "sum over all steps";
  line.agrees = Agree(evaluator_.values[name], value, {});
  visit_(line);
}

void LineTeller::TellGradient(const std::string& name, const Mat<double>& value, const std::string& about) {
  TracedLine line = NewValue(name, value);
  line.about = about;
  visit_(line);
}

}  // namespace reference
}  // namespace tandem
