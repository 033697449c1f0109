#include "conformance/sandbox/pipe/pipe_problem.h"

#include "conformance/problem/base/byte_order.h"
#include "conformance/problem/tensor_set.h"
#include "conformance/sandbox/pipe/strided_tensor.h"
#include "conformance/stated_problem.h"

namespace tandem::conformance {
namespace {

size_t NumBytes(const tandem_tensor& t) { return NumElements(t) * SizeOf(static_cast<DataType>(t.data_type)); }

// The tensor must be dense.
void ConvertLittleEndian(const tandem_tensor& t) {
  tandem::conformance::ConvertLittleEndian(t.data, NumElements(t), SizeOf(static_cast<DataType>(t.data_type)));
}

Json ToJson(const tandem_problem& problem, int tensor) {
  const tandem_tensor& t = problem.tensor[tensor];
  return {{"name", ToString(static_cast<Tensor>(tensor))},
          {"type", ToString(static_cast<DataType>(t.data_type))},
          {"dims", std::vector<int64_t>(t.dims, t.dims + t.ndims)},
          {"bytes", NumBytes(t)}};
}

Json ToJson(const tandem_scales& scales) {
  return {{"mask", scales.mask}, {"values", std::vector<float>(scales.values, scales.values + scales.count)}};
}

Json GatesOf(const tandem_problem& p) {
  Json gates = {{"clip", p.gate_clip}, {"input_forget", (p.flags & TANDEM_FLAG_INPUT_FORGET) != 0}};
  const bool own = (p.flags & TANDEM_FLAG_GATE_FUNCTIONS) != 0;
  for (const GatePlace place : kGatePlaces) {
    const tandem_gate_function& given = p.gate_function[static_cast<int>(place)];
    ActivationFunction f = GateFunctions().At(place);
    if (own) f = {static_cast<Activation>(given.activation), given.alpha, given.beta};
    gates[ToString(place)] = {{"activation", ToString(f.kind)}, {"alpha", f.alpha}, {"beta", f.beta}};
  }
  return gates;
}

}  // namespace

Json ToJson(const tandem_problem& p) {
  Json json = {{"cell", ToString(static_cast<Cell>(p.cell))},
               {"propagation", ToString(static_cast<Propagation>(p.propagation))},
               {"direction", ToString(static_cast<Direction>(p.direction))},
               {"activation", ToString(static_cast<Activation>(p.activation))},
               {"alpha", p.alpha},
               {"beta", p.beta},
               {"n_layer", p.n_layer},
               {"n_dir", p.n_dir},
               {"n_iter", p.n_iter},
               {"mb", p.mb},
               {"slc", p.slc},
               {"sic", p.sic},
               {"dhc", p.dhc},
               {"dic", p.dic},
               {"dlc", p.dlc},
               {"diff_weights_overwrite", (p.flags & TANDEM_FLAG_DIFF_WEIGHTS_OVERWRITE) != 0},
               {"fpmath", ToString(static_cast<FpmathMode>(p.fpmath))},
               {"reading", ToString(static_cast<Reading>(p.reading))},
               {"threads", p.threads}};
  if (IsByte(static_cast<DataType>(p.tensor[tandem_weights_layer].data_type))) {
    json["data_scale"] = p.data_scale;
    json["data_shift"] = p.data_shift;
    json["weights_scales"] = ToJson(p.weights_scales);
    json["projection_scales"] = ToJson(p.projection_scales);
    if ((p.flags & TANDEM_FLAG_DYNAMIC_QUANTIZATION) != 0) json["dynamic_quantization"] = true;
  }
  if (HasGateFunctions(p)) json["gates"] = GatesOf(p);
  if (p.tensor[tandem_norm_gain].ndims != 0) {
    json["layer_normalization"] = {{"kind", ToString(static_cast<NormKind>(p.norm_kind))},
                                   {"scope", ToString(static_cast<NormScope>(p.norm_scope))},
                                   {"cell", ToString(static_cast<CellNorm>(p.norm_cell))},
                                   {"epsilon", p.norm_epsilon}};
  }
  json["inputs"] = json["outputs"] = Json::array();
  for (int i = 0; i < TANDEM_NUM_TENSORS; ++i) {
    if (p.tensor[i].ndims == 0) continue;
    if (IsRead(p, i)) json["inputs"].push_back(ToJson(p, i));
    if (IsWritten(p, i)) json["outputs"].push_back(ToJson(p, i));
  }
  return json;
}

DenseTensors::DenseTensors(const tandem_problem& problem)
    : problem_(problem), dense_(problem.tensor, problem.tensor + TANDEM_NUM_TENSORS), bytes_(TANDEM_NUM_TENSORS) {
  for (int i = 0; i < TANDEM_NUM_TENSORS; ++i) {
    tandem_tensor& t = dense_[i];
    if (t.ndims == 0) continue;
    int64_t stride = 1;
    for (int axis = t.ndims - 1; axis >= 0; --axis) {
      t.strides[axis] = stride;
      stride *= t.dims[axis];
    }
    bytes_[i].resize(NumBytes(t));
    t.data = bytes_[i].data();
    const Bytes bytes = {bytes_[i].data(), bytes_[i].size()};
    if (IsRead(problem, i)) {
      if (!IsEmpty(t)) CopyElements(problem.tensor[i], t);
      ConvertLittleEndian(t);
      inputs_.push_back(bytes);
    }
    if (IsWritten(problem, i)) outputs_.push_back(bytes);
  }
}

void DenseTensors::CopyOut() const {
  for (int i = 0; i < TANDEM_NUM_TENSORS; ++i) {
    if (IsEmpty(dense_[i]) || !IsWritten(problem_, i)) continue;
    ConvertLittleEndian(dense_[i]);
    CopyElements(dense_[i], problem_.tensor[i]);
  }
}

}  // namespace tandem::conformance
