// The stack's equations and those of int8, on a recording and on random bytes.
#include <cmath>
#include <sstream>
#include <stdexcept>

#include "api/core/attributes/quantization.h"
#include "reference/numerics/numerics_dynamic.h"
#include "reference/teaching/book/step_values.h"
#include "reference/teaching/tests/book_evaluation.h"
#include "reference/teaching/tests/book_sides.h"

namespace tandem {
namespace reference {
namespace {

using Matrix = Mat<double>;

// The cell by the formulas of the book, which CellDisagreement compares with the reference's: returns h, or h and c.
Matrix CellByTheBook(const Recording& recording, const RecordedStep& step, const std::vector<Matrix>& args) {
  const RnnProblem& problem = recording.problem;
  const size_t stack = recording.in.shape.At(step.index.layer, step.index.dir);
  Evaluator evaluator;
  Merge(ParameterValues(problem, recording.parameters[stack]), &evaluator.values);
  Merge(InputValues(problem, Plain(), step.in), &evaluator.values);
  Merge(MaskValues(MasksAt(recording.in.masks, recording.in.shape, step.index)), &evaluator.values);
  evaluator.values["x"] = args[0];
  evaluator.values["h'"] = args[1];
  if (args.size() > 2) evaluator.values["c'"] = args[2];
  for (const StepLine& line : ForwardStepLines(problem)) {
    evaluator.gates = line.gates;
    evaluator.Apply(line.formula);
  }
  if (args.size() == 2) return evaluator.values["h"];
  return StackedPair({evaluator.values["h"], evaluator.values["c"]});
}

void CompareSteps(const Recording& r, Sides* sides) {
  const StackShape& shape = r.in.shape;
  const bool has_c = HasCellState(r.problem.cell);
  for (Dim l = 1; l < shape.n_layer; ++l) {
    for (Dim d = 0; d < shape.n_dir; ++d) {
      for (Dim k = 1; k < shape.n_iter; ++k) {
        const RecordedStep& now = r.At(l, d, k);
        NamedValues values = {{"h_{t,l}", now.out.h},
                              {"h_{t,l-1}", r.At(l - 1, d, k).out.h},
                              {"h_{t-1,l}", r.At(l, d, k - 1).out.h},
                              {"c_{t,l}", now.out.c},
                              {"c_{t-1,l}", r.At(l, d, k - 1).out.c}};
        sides->evaluator().functions["Cell"] = [&](const std::vector<Matrix>& args) {
          return CellByTheBook(r, now, args);
        };
        sides->Compare(has_c ? "STACK.2" : "STACK.1", values);
      }
    }
  }
}

void CompareBackwardSteps(const Recording& r, Sides* sides) {
  const StackShape& shape = r.in.shape;
  for (Dim l = 0; l + 1 < shape.n_layer; ++l) {
    for (Dim d = 0; d < shape.n_dir; ++d) {
      for (Dim k = 0; k + 1 < shape.n_iter; ++k) {
        const RecordedStep& now = r.At(l, d, k);
        const RecordedStep& next = r.At(l, d, k + 1);
        NamedValues values = {{"dh_{t,l}", now.diff.diff_h},
                              {"dx_{t,l+1}", r.At(l + 1, d, k).result.diff_x},
                              {"dh'_{t+1,l}", next.result.diff_h_prev},
                              {"dc_{t,l}", now.diff.diff_c},
                              {"dc'_{t+1,l}", next.result.diff_c_prev}};
        sides->Compare("STACK.B3", values);
        if (HasCellState(r.problem.cell)) sides->Compare("STACK.B7", values);
      }
    }
  }
}

void CompareStates(const Recording& r, Sides* sides) {
  const StackShape& shape = r.in.shape;
  const bool has_c = HasCellState(r.problem.cell);
  for (Dim l = 0; l < shape.n_layer; ++l) {
    for (Dim d = 0; d < shape.n_dir; ++d) {
      const size_t at = shape.At(l, d);
      const RecordedStep& first = r.steps[at].front();
      const RecordedStep& last = r.steps[at].back();
      if (l == 0)
        sides->Compare("STACK.6", {{"h_{t,-1}", first.in.x}, {"src_layer_t", r.in.src_layer[first.index.time]}});
      if (!r.in.src_iter.empty())
        sides->Compare("STACK.7", {{"h_{-1,l}", first.in.h_prev}, {"src_iter_l", r.in.src_iter[at]}});
      sides->Compare("STACK.9", {{"dst_iter_l", r.out.dst_iter[at]}, {"h_{T-1,l}", last.out.h}});
      sides->Compare("STACK.B8",
                     {{"diff_src_iter_l", r.diff_out.diff_src_iter[at]}, {"dh'_{0,l}", first.result.diff_h_prev}});
      // The last step of the last layer also gets diff_dst_layer.
      if (l + 1 < shape.n_layer && !r.diff_in.diff_dst_iter.empty()) {
        const Matrix from_above = r.At(l + 1, d, shape.n_iter - 1).result.diff_x;
        sides->Compare("STACK.B5", {{"dh'_{T,l}", last.diff.diff_h - from_above},
                                    {"diff_dst_iter_l", r.diff_in.diff_dst_iter[at]}});
      }
      if (!has_c) continue;
      if (!r.in.src_iter_c.empty())
        sides->Compare("STACK.8", {{"c_{-1,l}", first.in.c_prev}, {"src_iter_c_l", r.in.src_iter_c[at]}});
      sides->Compare("STACK.10", {{"dst_iter_c_l", r.out.dst_iter_c[at]}, {"c_{T-1,l}", last.out.c}});
      sides->Compare("STACK.B9",
                     {{"diff_src_iter_c_l", r.diff_out.diff_src_iter_c[at]}, {"dc'_{0,l}", first.result.diff_c_prev}});
      if (!r.diff_in.diff_dst_iter_c.empty())
        sides->Compare("STACK.B6",
                       {{"dc'_{T,l}", last.diff.diff_c}, {"diff_dst_iter_c_l", r.diff_in.diff_dst_iter_c[at]}});
    }
  }
}

// Returns the values that the last layer of direction `d` got from above at timestamp `t`.
Matrix FromAbove(const Recording& r, Dim d, Dim step) {
  const StackShape& shape = r.in.shape;
  const RecordedStep& now = r.At(shape.n_layer - 1, d, step);
  if (step + 1 < shape.n_iter) return now.diff.diff_h - r.At(shape.n_layer - 1, d, step + 1).result.diff_h_prev;
  if (r.diff_in.diff_dst_iter.empty()) return now.diff.diff_h;
  return now.diff.diff_h - r.diff_in.diff_dst_iter[shape.At(shape.n_layer - 1, d)];
}

void CompareDirections(const Recording& r, Sides* sides) {
  const StackShape& shape = r.in.shape;
  const Dim top = shape.n_layer - 1;
  for (Dim t = 0; t < shape.n_iter; ++t) {
    const auto step = [&](Dim d) { return shape.Walk(d).Step(t); };
    NamedValues values = {{"dst_layer_t", r.out.dst_layer[t]},
                          {"diff_dst_layer_t", r.diff_in.diff_dst_layer[t]},
                          {"diff_src_layer_t", r.diff_out.diff_src_layer[t]}};
    const char* const arrows[] = {"→", "←"};
    for (Dim d = 0; d < shape.n_dir; ++d) {
      const std::string mark = shape.n_dir == 2 ? arrows[d] : "";
      values["h" + mark + "_{t,L-1}"] = r.At(top, d, step(d)).out.h;
      values["dx" + mark + "_{t,L}"] = FromAbove(r, d, step(d));
      values["dx" + mark + "_{t,0}"] = r.At(0, d, step(d)).result.diff_x;
    }
    if (shape.n_dir == 1) {
      sides->Compare("STACK.5", values);
      sides->Compare("STACK.B2", values);
      sides->Compare("STACK.B4", values, "one direction");
      continue;
    }
    const bool concat = shape.direction == Direction::kBidirectionalConcat;
    sides->Compare(concat ? "STACK.3" : "STACK.4", values);
    if (concat) sides->Compare("STACK.B1", values);
    sides->Compare("STACK.B4", values, "two directions");
  }
}

Matrix Scalar(double value) { return Matrix::Constant(1, 1, value); }

// Multiples of 1/8 and powers of two: every f32 operation on them is exact.
class DyadicNumbers {
 public:
  explicit DyadicNumbers(unsigned seed) : rng_(seed) {}
  double Number(int eighths) { return std::uniform_int_distribution<int>(-eighths, eighths)(rng_) / 8.0; }
  double PowerOfTwo() { return std::ldexp(1.0, std::uniform_int_distribution<int>(-2, 2)(rng_)); }
  double Byte() { return std::uniform_int_distribution<int>(0, 255)(rng_); }
  double SignedByte() { return std::uniform_int_distribution<int>(-128, 127)(rng_); }

 private:
  std::mt19937 rng_;
};

void CompareProduct(const DataQparams& data, DyadicNumbers* numbers, Sides* sides) {
  RnnProblem problem;
  problem.attr.rnn_data_scale = data.scale;
  problem.attr.rnn_data_shift = data.shift;
  problem.attr.reading = data.reading;
  problem.attr.rnn_weights = {0, {static_cast<float>(numbers->PowerOfTwo())}};
  problem.dhc = 2;
  const QuantizedNumerics<double> num(problem);
  Matrix q_W(2, 3), q_h(3, 2);
  for (Dim i = 0; i < 6; ++i) q_W(i) = numbers->SignedByte(), q_h(i) = numbers->Byte();
  const Matrix product = num.Value(num.Dot(num.MakeWeights(q_W, WeightRole::kIter, 0), q_h));
  sides->Compare("INT8.3", {{"p", product},
                            {"q_W", q_W},
                            {"q_h", q_h},
                            {"Z", Scalar(ZeroImage(data))},
                            {"w", Scalar(problem.attr.rnn_weights.At(0))},
                            {"s", Scalar(data.scale)}});
}

void CompareByteWeights(DyadicNumbers* numbers, Sides* sides) {
  RnnProblem problem;
  problem.md[kSrcLayer] = MakeDense({1, 1, 3}, DataType::kF32);
  problem.md[kWeightsLayer] = MakeDense({1, 1, 3, 1, 2}, DataType::kS8);
  problem.attr.rnn_weights = {0, {static_cast<float>(numbers->PowerOfTwo())}};
  Matrix q_W(2, 3);
  for (Dim i = 0; i < q_W.size(); ++i) q_W(i) = numbers->SignedByte();
  const Matrix W = StorageNumerics<double>(problem).MakeWeights(q_W, WeightRole::kLayer, 0);
  sides->Compare("INT8.6", {{"W", W}, {"q_W", q_W}, {"w", Scalar(problem.attr.rnn_weights.At(0))}});
}

// A range of 255 powers of two, so that every f32 operation is exact.
void CompareDynamic(DyadicNumbers* numbers, Sides* sides) {
  RnnProblem problem;
  problem.attr.rnn_weights = {0, {static_cast<float>(numbers->PowerOfTwo())}};
  const DynamicNumerics<double> num(problem);
  const double unit = numbers->PowerOfTwo(), lowest = -numbers->Byte();
  Matrix q_W(2, 4), h(4, 1);
  for (Dim i = 0; i < q_W.size(); ++i) q_W(i) = numbers->SignedByte();
  h << lowest, lowest + 255, lowest + numbers->Byte() + 0.125, 0.875 * lowest;
  h = Matrix(h * unit);
  const QuantizedRows<double> rows = QuantizeRows(h);
  const NamedValues values = {{"h", h},
                              {"s", rows.scale},
                              {"Z", rows.zero_point},
                              {"q_h", rows.q},
                              {"q_W", q_W},
                              {"w", Scalar(problem.attr.rnn_weights.At(0))},
                              {"p", num.Dot(num.MakeWeights(q_W, WeightRole::kIter, 0), h)}};
  for (const char* id : {"INT8.7", "INT8.8", "INT8.9", "INT8.10"}) sides->Compare(id, values);
}

}  // namespace

std::string StackDisagreement(const Recording& recording, const EquationTable& table, std::set<std::string>* seen) {
  Sides sides(table, seen);
  CompareSteps(recording, &sides);
  CompareBackwardSteps(recording, &sides);
  CompareStates(recording, &sides);
  CompareDirections(recording, &sides);
  return sides.wrong().empty() ? "" : recording.description + ": " + sides.wrong();
}

std::string Int8Disagreement(const EquationTable& table, unsigned seed, std::set<std::string>* seen) {
  DyadicNumbers numbers(seed);
  Sides sides(table, seen);
  sides.evaluator().functions["sat"] = [](const std::vector<Matrix>& args) -> Matrix {
    return args[0].max(0).min(255);
  };
  for (const Reading reading : AllOf<Reading>()) {
    const char* when = reading == Reading::kSpec ? "spec" : "onednn";
    const DataQparams data = {static_cast<float>(numbers.PowerOfTwo()), static_cast<float>(numbers.Number(80)),
                              reading};
    const double x = numbers.Number(400);
    const uint8_t q_1 = static_cast<uint8_t>(numbers.Byte()), q_2 = static_cast<uint8_t>(numbers.Byte());
    NamedValues values = {{"s", Scalar(data.scale)}, {"z", Scalar(data.shift)}, {"Z", Scalar(ZeroImage(data))},
                          {"q_1", Scalar(q_1)},      {"q_2", Scalar(q_2)},      {"x", Scalar(x)}};
    values["q"] = Scalar(QuantizeData<uint8_t>(static_cast<float>(x), data));
    sides.Compare("INT8.1", values, when);
    values["q"] = Scalar(q_1);
    values["x"] = Scalar(DequantizeData(q_1, data));
    sides.Compare("INT8.2", values, when);
    values["q"] = Scalar(SumOfDirections(q_1, q_2, data));
    sides.Compare(reading == Reading::kSpec ? "INT8.4" : "INT8.5", values);
    CompareProduct(data, &numbers, &sides);
    CompareByteWeights(&numbers, &sides);
    CompareDynamic(&numbers, &sides);
  }
  return sides.wrong().empty() ? "" : "seed " + std::to_string(seed) + ": " + sides.wrong();
}

}  // namespace reference
}  // namespace tandem
