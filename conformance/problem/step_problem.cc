#include "conformance/problem/step_problem.h"

#include <array>

namespace tandem::conformance {
namespace {

// Every diff tensor is f32 and has the dims of its partner.
void SetGradients(RnnProblem* p) {
  for (const Tensor t : kForwardTensors) {
    const MemoryDesc& md = p->md[t];
    if (!HasDiff(t)) continue;
    p->md[Diff(t)] = p->IsBackward() ? MakeDense(Dims(md.dims, md.dims + md.ndims), DataType::kF32) : MemoryDesc{};
  }
}

}  // namespace

std::vector<size_t> IndicesOf(const MemoryDesc& md, const std::vector<Fixed>& fixed) {
  std::vector<size_t> indices;
  std::array<Dim, DNNL_MAX_NDIMS> at{};
  const Dim count = NumElements(md);
  for (Dim i = 0; i < count; ++i) {
    bool inside = true;
    for (const Fixed& f : fixed) inside = inside && at[static_cast<size_t>(f.dim)] == f.at;
    if (inside) indices.push_back(static_cast<size_t>(i));
    Advance(md, at.data());
  }
  return indices;
}

std::vector<double> ReadPart(const TensorBuffer& buffer, const std::vector<Fixed>& fixed) {
  std::vector<double> values;
  if (buffer.empty()) return values;
  for (const size_t i : IndicesOf(buffer.md(), fixed)) values.push_back(buffer.Get(i));
  return values;
}

void WritePart(const std::vector<double>& values, const std::vector<Fixed>& fixed, TensorBuffer* buffer) {
  if (buffer->empty() || values.empty()) return;
  const std::vector<size_t> indices = IndicesOf(buffer->md(), fixed);
  for (size_t i = 0; i < indices.size(); ++i) buffer->Set(indices[i], values[i]);
}

std::vector<Fixed> Part::Stack() const {
  std::vector<Fixed> fixed;
  if (layer >= 0) fixed.push_back({0, layer});
  if (dir >= 0) fixed.push_back({1, dir});
  return fixed;
}

RnnProblem PartProblem(const RnnProblem& problem, const Part& part) {
  RnnProblem p = problem;
  p.propagation = part.propagation;
  const Dim layers = part.layer < 0 ? problem.n_layer : 1, dirs = part.dir < 0 ? problem.n_dir : 1;
  const Dim steps = part.single_step ? 1 : problem.n_iter;
  if (part.dir >= 0) {
    const bool reversed = !part.single_step && problem.IsReversed(part.dir);
    p.direction = reversed ? Direction::kRight2Left : Direction::kLeft2Right;
  }
  const bool top = part.layer < 0 || part.layer == problem.n_layer - 1;
  for (const Tensor t : kForwardTensors) {
    if (!p.Has(t)) continue;
    Dims dims(p.md[t].dims, p.md[t].dims + p.md[t].ndims);
    const auto set = [&](char letter, Dim size) {
      if (AxisOf(t, letter) >= 0) dims[static_cast<size_t>(AxisOf(t, letter))] = size;
    };
    set('l', layers);
    set('d', dirs);
    set('t', steps);
    p.md[t] = MakeDense(dims, TypeOf(p.md[t]));
  }
  const Dim width = part.layer > 0 ? problem.dic : problem.slc;
  p.md[kSrcLayer] = MakeDense({steps, problem.mb, width}, problem.SrcType());
  const Dim dlc = part.dir < 0 ? problem.dlc : problem.dic;
  p.md[kDstLayer] = MakeDense({steps, problem.mb, dlc}, top ? TypeOf(problem.md[kDstLayer]) : problem.SrcType());
  p.md[kDstIter] = MakeDense({layers, dirs, problem.mb, problem.dic}, IterStateType(problem));
  if (part.with_src_iter) p.md[kSrcIter] = MakeDense({layers, dirs, problem.mb, problem.sic}, IterStateType(problem));
  if (HasCellState(problem.cell)) {
    p.md[kDstIterC] = MakeDense({layers, dirs, problem.mb, problem.dhc}, CellStateType(problem));
    if (part.with_src_iter) p.md[kSrcIterC] = p.md[kDstIterC];
  }
  SetGradients(&p);
  Validate(&p);
  return p;
}

void CopyParameters(const RnnProblem& problem, const TensorSet& whole, const Part& part, TensorSet* tensors) {
  for (const Tensor t : kTensors) {
    const bool parameter = IsParameter(t) || IsDiffParameter(t);
    const bool state = t == kSrcIter || t == kSrcIterC;
    if (!problem.Has(t) || (*tensors)[t].empty() || !(parameter || state)) continue;
    (*tensors)[t].FromDoubles(ReadPart(whole[t], part.Stack()));
  }
}

void CopyMasks(const TensorSet& whole, const Part& part, Dim time, TensorSet* tensors) {
  for (const Tensor mask : kMasks) {
    std::vector<Fixed> fixed = part.Stack();
    if (part.single_step && AxisOf(mask, 't') >= 0) fixed.push_back({AxisOf(mask, 't'), time});
    if (!(*tensors)[mask].empty()) (*tensors)[mask].FromDoubles(ReadPart(whole[mask], fixed));
  }
}

}  // namespace tandem::conformance
