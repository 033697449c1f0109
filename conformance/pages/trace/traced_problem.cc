#include "conformance/pages/trace/traced_problem.h"

#include <algorithm>
#include <stdexcept>

#include "conformance/problem/generator.h"
#include "conformance/vectors/named_inputs.h"

namespace tandem::conformance {
namespace {

using reference::ElementAt;
using reference::TracedLine;

// "u sigmoid, r sigmoid, o tanh"
std::string FunctionsOf(Cell cell) {
  std::string text;
  for (Dim gate = 0; gate < NumGates(cell); ++gate) {
    const GateTraits& traits = TraitsOf(cell).gate[gate];
    text += std::string(text.empty() ? "" : ", ") + traits.name + " " + ToString(traits.function);
  }
  return text;
}

std::string ActivationOf(const RnnProblem& problem) {
  if (!HasActivation(problem.cell)) return FunctionsOf(problem.cell);
  std::string text = std::string("activation ") + ToString(problem.activation);
  if (problem.activation == Activation::kRelu)
    text += " with slope " + reference::ShowNumber(problem.alpha, {}) + " below 0";
  return text;
}

}  // namespace

RnnBuffers BuffersOfTensors(const RnnProblem& problem, const TensorSet& tensors) {
  RnnBuffers buffers;
  for (int i = 0; i < kNumTensors; ++i) {
    if (problem.Has(static_cast<Tensor>(i))) buffers.tensor[i] = const_cast<void*>(tensors.tensor[i].data());
  }
  return buffers;
}

TracedProblem LoadTracedProblem(const ProblemSpec& spec, const std::string& data_file) {
  if (spec.lengths != RowLengths::kNone) {
    throw std::runtime_error(
        "a trace shows every row at every step, which rows of different lengths do not have; row 0 alone has the same "
        "values: --lengths=none, mb1, and its length as t");
  }
  TracedProblem traced;
  traced.spec = spec;
  traced.problem = ToRnnProblem(spec);
  traced.tensors = TensorSet(traced.problem);
  traced.data_file = data_file;
  FillInputs(spec, traced.problem, &traced.tensors);
  if (!data_file.empty()) ReadInputs(data_file, traced.problem, &traced.tensors);
  return traced;
}

const char* DirectionName(const RnnProblem& problem, Dim dir) {
  return ToString(IsReversed(problem.direction, dir) ? Direction::kRight2Left : Direction::kLeft2Right);
}

bool TraceSelection::Shows(const TracedLine& line) const {
  const bool is_of_a_step =
      line.phase == reference::TracePhase::kForward || line.phase == reference::TracePhase::kBackward;
  return !step || !is_of_a_step || line.step.time == *step;
}

std::vector<ElementAt> TraceSelection::Elements(const TracedLine& line) const {
  const bool per_row = reference::IsPerRow(line);
  const Dim all_rows = line.value.rows(), all_cols = line.value.cols();
  const Dim cols = std::min<Dim>(all_cols, per_row ? rows : units);
  // A value of one number for all channels belongs to every unit.
  const Dim first = unit ? std::min<Dim>(*unit, all_rows - 1) : 0;
  const Dim last = unit ? first + 1 : std::min<Dim>(all_rows, units);
  std::vector<ElementAt> elements;
  const Dim only = per_row && row ? std::min<Dim>(*row, all_cols - 1) : -1;
  for (Dim col = std::max<Dim>(only, 0); col < (only >= 0 ? only + 1 : cols); ++col) {
    for (Dim channel = first; channel < last; ++channel) elements.push_back({channel, col});
  }
  return elements;
}

std::string ElementName(const TracedLine& line, ElementAt at) {
  if (!reference::IsPerRow(line)) return "[" + std::to_string(at.row) + "," + std::to_string(at.col) + "]";
  const std::string unit = line.value.rows() > 1 ? " unit=" + std::to_string(at.row) : "";
  return "n=" + std::to_string(at.col) + unit;
}

std::string Summary(const RnnProblem& problem) {
  return std::string(ToString(problem.cell)) + ", " + ActivationOf(problem) + ", " + ToString(problem.SrcType()) +
         ", " + ToString(problem.direction) + ", " + ToString(problem.propagation);
}

}  // namespace tandem::conformance
