#include "conformance/vectors/vectors.h"

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "conformance/problem/base/format.h"
#include "conformance/problem/generator.h"
#include "conformance/problem/problem_notation.h"
#include "conformance/sandbox/whole_file.h"
#include "conformance/vectors/named_inputs.h"

namespace tandem::conformance {
namespace {

using Json = nlohmann::ordered_json;

TensorBuffer BufferOf(const OracleTensor& tensor, const MemoryDesc& md, const std::vector<double>& values) {
  TensorBuffer buffer(MakeDense(Dims(md.dims, md.dims + md.ndims), tensor.type));
  for (size_t i = 0; i < values.size(); ++i) {
    // lo and hi are infinities if the oracle accepts everything.
    const bool nan = tensor.cls[i] == ElementClass::kNan;
    buffer.Set(i, nan ? std::nan("") : values[i]);
  }
  return buffer;
}

// Vacuous elements accept everything.
std::vector<double> Opened(const OracleTensor& tensor, std::vector<double> values, double to) {
  for (size_t i = 0; i < values.size(); ++i) {
    if (tensor.cls[i] == ElementClass::kVacuous) values[i] = to;
  }
  return values;
}

NamedTensors ToNamed(const GoldenVector& vector) {
  NamedTensors named;
  for (int i = 0; i < kNumTensors; ++i) {
    const Tensor t = static_cast<Tensor>(i);
    if (vector.problem.Has(t) && IsInput(vector.problem, t)) {
      named[std::string("in.") + ToString(t)] = vector.inputs[t];
    }
  }
  for (const OracleTensor& tensor : vector.oracle.outputs) {
    const MemoryDesc& md = vector.problem.md[tensor.tensor];
    const std::string name = ToString(tensor.tensor);
    named["expect." + name] = BufferOf(tensor, md, tensor.value);
    named["lo." + name] = BufferOf(tensor, md, Opened(tensor, tensor.lo, -INFINITY));
    named["hi." + name] = BufferOf(tensor, md, Opened(tensor, tensor.hi, INFINITY));
  }
  return named;
}

Json GatesOf(const GateFunctions& functions) {
  Json gates = {{"clip", functions.clip}, {"input_forget", functions.forget == ForgetGate::kRestOfInput}};
  for (const GatePlace place : kGatePlaces) {
    const ActivationFunction& f = functions.At(place);
    gates[ToString(place)] = {{"activation", ToString(f.kind)}, {"alpha", f.alpha}, {"beta", f.beta}};
  }
  return gates;
}

Json ToJson(const GoldenCase& golden, const RnnProblem& p) {
  Json json = {{"name", golden.name},
               {"problem", PrintProblem(golden.spec)},
               {"flags", golden.flags},
               {"cell", ToString(p.cell)},
               {"propagation", ToString(p.propagation)},
               {"direction", ToString(p.direction)},
               {"fpmath", ToString(p.attr.fpmath_mode)},
               {"alpha", p.alpha},
               {"beta", p.beta},
               {"diff_weights_overwrite", (p.flags & dnnl_rnn_flags_diff_weights_overwrite) != 0}};
  if (HasActivation(p.cell)) json["activation"] = ToString(p.activation);
  if (p.HasByteWeights()) {
    json["quantization"] = {{"data_scale", p.attr.rnn_data_scale},
                            {"data_shift", p.attr.rnn_data_shift},
                            {"weights_mask", p.attr.rnn_weights.mask},
                            {"weights_scales", p.attr.rnn_weights.values},
                            {"projection_mask", p.attr.rnn_weights_projection.mask},
                            {"projection_scales", p.attr.rnn_weights_projection.values}};
    if (p.IsDynamic()) json["quantization"]["dynamic"] = true;
  }
  if (!p.HasDefaultGates()) json["gates"] = GatesOf(p.Gates());
  const LayerNorm& norm = p.attr.rnn_layer_norm;
  if (norm.given()) {
    json["layer_normalization"] = {{"kind", ToString(norm.kind)},
                                   {"scope", ToString(norm.scope)},
                                   {"cell", ToString(norm.cell)},
                                   {"epsilon", norm.epsilon}};
  }
  return json;
}

}  // namespace

std::vector<GoldenCase> CasesOf(const std::vector<ProblemSpec>& problems) {
  std::vector<GoldenCase> cases;
  for (const ProblemSpec& spec : problems) {
    cases.push_back(
        {Format("%03zu_", cases.size()) + ToString(spec.cell) + "_" + ToString(spec.propagation), spec, {}});
  }
  return cases;
}

GoldenVector MakeGoldenVector(const ProblemSpec& given, const std::string& inputs_file) {
  ProblemSpec spec = given;
  ResolveDims(&spec);
  GoldenVector vector;
  vector.problem = ToRnnProblem(spec);
  vector.inputs = TensorSet(vector.problem);
  FillInputs(spec, vector.problem, &vector.inputs);
  if (!inputs_file.empty()) ReadInputs(inputs_file, vector.problem, &vector.inputs);
  if (vector.problem.IsBackward()) {
    // Backward gets the outputs of a forward pass whose only rounding errors are those of storage.
    RnnProblem forward = ForwardOf(vector.problem);
    Validate(&forward);
    for (const OracleTensor& tensor : RunOracle(forward, vector.inputs).outputs) {
      vector.inputs[tensor.tensor].FromDoubles(tensor.value);
    }
  }
  vector.oracle = RunOracle(vector.problem, vector.inputs);
  return vector;
}

void ExportVectors(const std::vector<GoldenCase>& cases, const std::string& directory, const std::string& inputs_file) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  Json index = {{"format", kVectorsFormat}, {"notes", Json::object()}, {"cases", Json::array()}};
  for (const GoldenFlag& flag : GoldenFlags()) index["notes"][flag.name] = {{"rows", flag.rows}, {"note", flag.note}};
  for (const GoldenCase& golden : cases) {
    const GoldenVector vector = MakeGoldenVector(golden.spec, inputs_file);
    WriteSafetensors(directory + "/" + golden.name + ".safetensors", ToNamed(vector));
    index["cases"].push_back(ToJson(golden, vector.problem));
  }
  WriteWholeFiles({{directory + "/vectors.json", index.dump(1) + "\n"}});
}

}  // namespace tandem::conformance
