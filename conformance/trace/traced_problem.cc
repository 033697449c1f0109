#include "conformance/trace/traced_problem.h"

#include <algorithm>
#include <stdexcept>

#include "conformance/problem/generator.h"
#include "conformance/vectors/safetensors.h"

namespace tandem::conformance {
namespace {

using reference::ElementAt;
using reference::TracedLine;

// The tensor that a name of a file stands for. Throws for a name that is none.
Tensor TensorNamed(const std::string& name, const std::string& file) {
  const std::string plain = name.rfind("in.", 0) == 0 ? name.substr(3) : name;
  for (int i = 0; i < kNumTensors; ++i) {
    if (plain == ToString(static_cast<Tensor>(i))) return static_cast<Tensor>(i);
  }
  throw std::runtime_error(file + ": no tensor of RNN is called " + name +
                           "; the names are src_layer, weights_layer, ...");
}

bool SameDims(const MemoryDesc& a, const MemoryDesc& b) {
  return a.ndims == b.ndims && std::equal(a.dims, a.dims + a.ndims, b.dims);
}

std::string DimsOf(const MemoryDesc& md) {
  std::string dims;
  for (int d = 0; d < md.ndims; ++d) dims += (d ? ", " : "") + std::to_string(md.dims[d]);
  return "[" + dims + "]";
}

void ReadData(const std::string& file, TracedProblem* traced) {
  for (const auto& [name, tensor] : ReadSafetensors(file)) {
    if (name.rfind("expect.", 0) == 0 || name.rfind("lo.", 0) == 0 || name.rfind("hi.", 0) == 0) continue;
    const Tensor which = TensorNamed(name, file);
    TensorBuffer& target = traced->tensors[which];
    if (!traced->problem.Has(which)) throw std::runtime_error(file + ": the problem has no " + name);
    if (!SameDims(tensor.md(), target.md())) {
      throw std::runtime_error(file + ": " + name + " is " + DimsOf(tensor.md()) + ", but the problem's is " +
                               DimsOf(target.md()) + " (" + "dims in the specification's order)");
    }
    target.FromDoubles(tensor.ToDoubles());
  }
}

std::string ActivationOf(const RnnProblem& problem) {
  if (!HasActivation(problem.cell)) return "gates sigmoid, candidate tanh";
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
  TracedProblem traced;
  traced.spec = spec;
  traced.problem = ToRnnProblem(spec);
  traced.tensors = TensorSet(traced.problem);
  traced.data_file = data_file;
  FillInputs(spec, traced.problem, &traced.tensors);
  if (!data_file.empty()) ReadData(data_file, &traced);
  return traced;
}

bool TraceSelection::Shows(const TracedLine& line) const {
  return !step || line.phase == reference::TracePhase::kParameters || line.step.time == *step;
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
