#include "conformance/pages/trace/traced_problem.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "api/core/rnn/step_walk.h"
#include "conformance/problem/generator.h"
#include "conformance/problem/row_lengths.h"
#include "conformance/vectors/named_inputs.h"

namespace tandem::conformance {
namespace {

using reference::ElementAt;
using reference::TracedLine;

// Returns for example "elu with alpha 0.5".
std::string WithNumbers(const ActivationFunction& f) {
  std::string text = ToString(f.kind);
  if (UsesAlpha(f.kind)) text += " with alpha " + reference::ShowNumber(f.alpha, {});
  if (UsesBeta(f.kind)) text += ", beta " + reference::ShowNumber(f.beta, {});
  return text;
}

// Returns for example "recurrent relu with alpha 0, candidate tanh".
std::string GivenFunctionsOf(const RnnProblem& problem) {
  std::string text;
  for (const GatePlace place : kGatePlaces) {
    if (place == GatePlace::kOutput && !HasCellState(problem.cell)) continue;
    text += std::string(text.empty() ? "" : ", ") + ToString(place) + " " + WithNumbers(problem.Gates().At(place));
  }
  return text;
}

// Returns for example "u sigmoid, r sigmoid, o tanh".
std::string FunctionsOf(const RnnProblem& problem) {
  if (HasActivation(problem.cell)) return "activation " + WithNumbers(problem.Function());
  if (!HaveDefaultActivations(problem.Gates())) return GivenFunctionsOf(problem);
  std::string text;
  for (Dim gate = 0; gate < NumGates(problem.cell); ++gate) {
    const GateTraits& traits = TraitsOf(problem.cell).gate[gate];
    text += std::string(text.empty() ? "" : ", ") + traits.name + " " + ToString(traits.function);
  }
  return text;
}

std::string ActivationOf(const RnnProblem& problem) {
  std::string text = FunctionsOf(problem);
  if (problem.Gates().clip != 0.f) text += ", clip " + reference::ShowNumber(problem.Gates().clip, {});
  if (problem.Gates().forget == ForgetGate::kRestOfInput) text += ", f = 1 - i";
  return text;
}

// Returns the units of the longer one of the pair (h, c): a projection gives h fewer or more.
Dim UnitsOf(const TracedLine& line) { return std::max(line.value.rows(), line.cell.rows()); }

}  // namespace

TracedProblem LoadTracedProblem(const ProblemSpec& spec, const std::string& data_file) {
  TracedProblem traced;
  traced.spec = spec;
  traced.problem = ToRnnProblem(spec);
  traced.tensors = TensorSet(traced.problem);
  traced.data_file = data_file;
  FillInputs(spec, traced.problem, &traced.tensors);
  if (!data_file.empty()) ReadInputs(data_file, traced.problem, &traced.tensors);
  return traced;
}

bool IsDead(const TracedLine& line, Dim n) {
  return std::find(line.dead.begin(), line.dead.end(), n) != line.dead.end();
}

void SetLoss(Loss loss, TracedProblem* traced) {
  traced->loss = loss;
  if (loss == Loss::kEveryOutput) return;
  const RnnProblem& problem = traced->problem;
  const std::vector<Dim> lengths = RowLengthsOf(problem, traced->tensors);
  for (const Tensor tensor : {kDiffDstLayer, kDiffDstIter, kDiffDstIterC}) {
    TensorBuffer& buffer = traced->tensors[tensor];
    Dim index[DNNL_MAX_NDIMS] = {};
    for (size_t linear = 0; linear < buffer.size(); ++linear) {
      bool is_last = false;
      for (Dim dir = 0; tensor == kDiffDstLayer && dir < problem.n_dir; ++dir) {
        const bool is_its = problem.direction != Direction::kBidirectionalConcat || index[2] / problem.dic == dir;
        const StepWalk walk(problem, dir);
        is_last = is_last || (is_its && walk.IsLast(index[0], lengths[static_cast<size_t>(index[1])]));
      }
      if (!is_last) buffer.Set(linear, 0);
      Advance(buffer.md(), index);
    }
  }
}

bool TraceSelection::Shows(const TracedLine& line) const {
  const bool is_of_a_step =
      line.phase == reference::TracePhase::kForward || line.phase == reference::TracePhase::kBackward;
  return !step || !is_of_a_step || line.step.time == *step;
}

std::vector<ElementAt> TraceSelection::Elements(const TracedLine& line) const {
  const bool per_row = reference::IsPerRow(line);
  const Dim all_rows = UnitsOf(line), all_cols = line.value.cols();
  const Dim cols = std::min<Dim>(all_cols, per_row ? rows : units);
  // A value of one number for all channels belongs to every unit.
  const Dim first = unit ? std::min<Dim>(*unit, all_rows - 1) : 0;
  const Dim last = unit ? first + 1 : std::min<Dim>(all_rows, units);
  std::vector<ElementAt> elements;
  const Dim only = per_row && row ? std::min<Dim>(*row, all_cols - 1) : -1;
  for (Dim col = std::max<Dim>(only, 0); col < (only >= 0 ? only + 1 : cols); ++col) {
    if (IsDead(line, col)) continue;
    for (Dim channel = first; channel < last; ++channel) elements.push_back({channel, col});
  }
  return elements;
}

std::string ElementName(const TracedLine& line, ElementAt at) {
  if (!reference::IsPerRow(line)) {
    const std::string input = line.value.cols() > 1 ? " input=" + std::to_string(at.col) : "";
    return "unit=" + std::to_string(at.row) + input;
  }
  const std::string unit = UnitsOf(line) > 1 ? " unit=" + std::to_string(at.row) : "";
  return "n=" + std::to_string(at.col) + unit;
}

std::string ValueText(const TracedLine& line, ElementAt at, const reference::NumberStyle& style) {
  if (line.cell.size() == 0) return ShowNumber(ElementOf(line.value, at), style);
  // A projection gives h another number of channels than c has.
  const auto text = [&](const reference::Mat<double>& value) {
    return at.row < value.rows() ? ShowNumber(ElementOf(value, at), style) : "none";
  };
  return "(" + text(line.value) + ", " + text(line.cell) + ")";
}

std::string TensorOf(const TracedLine& line) {
  if (reference::IsPerRow(line)) return "";
  std::string letter = line.Name(), diff;
  for (const char* prefix : {"bytes of ", "scale of "}) {
    if (letter.rfind(prefix, 0) == 0) letter.erase(0, std::string(prefix).size());
  }
  if (letter[0] == 'd') letter.erase(0, 1), diff = "diff_";
  const std::string gate = letter.size() > 2 && letter[1] == '_' ? ", gate " + letter.substr(2) : "";
  if (letter.size() > 1 && gate.empty()) return "";
  constexpr std::pair<char, Tensor> kTensors[] = {
      {'W', kWeightsLayer}, {'U', kWeightsIter}, {'B', kBias}, {'P', kWeightsPeephole}, {'R', kWeightsProjection}};
  for (const auto& [name, tensor] : kTensors) {
    if (letter[0] == name) return diff + ToString(tensor) + gate;
  }
  return "";
}

std::string Summary(const TracedProblem& traced) {
  const RnnProblem& problem = traced.problem;
  std::string more;
  if (problem.Has(kSequenceLengths)) {
    for (const Dim length : RowLengthsOf(problem, traced.tensors))
      more += (more.empty() ? ", rows of " : ", ") + std::to_string(length);
    more += " steps";
  }
  if (traced.loss == Loss::kLastOutput) more += "; the loss depends on the last output only";
  return std::string(ToString(problem.cell)) + ", " + ActivationOf(problem) + ", " + ToString(problem.SrcType()) +
         ", " + ToString(problem.direction) + ", " + ToString(problem.propagation) + more;
}

}  // namespace tandem::conformance
