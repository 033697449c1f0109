#include "api/library/primitives/verbose_line.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <vector>

#include "api/core/names.h"
#include "api/core/rnn/rnn_masks.h"
#include "api/core/text/text.h"
#include "api/library/primitives/rnn_op_desc.h"
#include "api/library/verbose.h"
#include "dnnl/abi.h"

namespace tandem {
namespace {

// oneDNN writes wei_ where the specification has weights_, and wei_proj.
std::string VerboseName(Tensor tensor) {
  std::string name = ToString(tensor);
  const auto shorten = [&name](const std::string& word, const char* in_its_place) {
    const size_t at = name.find(word);
    if (at != std::string::npos) name.replace(at, word.size(), in_its_place);
  };
  shorten("weights_", "wei_");
  shorten("projection", "proj");
  return name;
}

// The dims of plain `md` from the outermost in memory to the innermost.
std::vector<int> MemoryOrder(const MemoryDesc& md) {
  std::vector<int> order(static_cast<size_t>(md.ndims));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&md](int a, int b) { return Strides(md)[a] > Strides(md)[b]; });
  return order;
}

std::string Known(Dim value) { return value == DNNL_RUNTIME_DIM_VAL ? "*" : std::to_string(value); }

// The layout: a permutation of letters, and the strides where rows are padded.
std::string TagAndStrides(const MemoryDesc& md) {
  std::string tag, strides;
  Dim dense = 1;
  bool is_dense = true;
  const std::vector<int> order = MemoryOrder(md);
  for (size_t i = order.size(); i-- > 0;) {
    is_dense = is_dense && Strides(md)[order[i]] == dense;
    if (is_dense) dense *= md.dims[order[i]];
  }
  for (const int d : order) tag += static_cast<char>('a' + d);
  for (int d = 0; !is_dense && d < md.ndims; ++d) {
    strides += (d == 0 ? "" : "x") + Known(Strides(md)[d]);
  }
  return tag + ":" + strides;
}

// name:type:properties:format_kind:tag:strides:flags
std::string Describe(const std::string& name, const MemoryDesc& md, bool was_any) {
  std::string text = name + ":" + tandem_data_type2str(md.data_type) + ":";
  if (was_any) text += "a";
  if (md.offset0 != 0) text += "o";
  text += std::string(":") + (IsAny(md) ? "any" : tandem_format_kind2str(md.format_kind)) + ":";
  return text + (IsPlain(md) ? TagAndStrides(md) : IsAny(md) ? "any:" : ":") + ":f0";
}

void Append(const std::string& entry, std::string* attributes) {
  if (!attributes->empty()) *attributes += " ";
  *attributes += entry;
}

void AppendMasks(const char* name, const std::map<int, int>& masks, std::string* attributes) {
  if (masks.empty()) return;
  std::string entry = name;
  for (const auto& [arg, mask] : masks) {
    entry += (entry.back() == ':' ? "" : "+") + std::string(arg == kReorderSrcArg   ? "src"
                                                            : arg == kReorderDstArg ? "dst"
                                                                                    : std::to_string(arg));
    entry += ":" + std::to_string(mask);
  }
  Append(entry, attributes);
}

// "eltwise_hardsigmoid:0.2:0.5+eltwise_tanh+eltwise_tanh"
std::string FunctionsText(const GateFunctions& gates) {
  std::string text;
  for (const GatePlace place : kGatePlaces) {
    const ActivationFunction& function = gates.At(place);
    text += (text.empty() ? "" : "+") + std::string(TraitsOf(function.kind).alg_name);
    if (UsesAlpha(function.kind)) text += ":" + NumberText(function.alpha);
    if (UsesBeta(function.kind)) text += ":" + NumberText(function.beta);
  }
  return text;
}

// attr-rnn-masks:mask_layer+zoneout_iter
void AppendRnnMasks(unsigned masks, std::string* attributes) {
  std::string names;
  for (const Tensor mask : kMasks) {
    if ((masks & MaskBit(mask)) != 0) names += (names.empty() ? "" : "+") + std::string(ToString(mask));
  }
  if (!names.empty()) Append("attr-rnn-masks:" + names, attributes);
}

// Describes the attributes that are not the default. Each field has a name here, so that a new one does not compile without a
// decision.
std::string Describe(const Attributes& attr) {
  const auto& [scratchpad_mode, fpmath_mode, fpmath_applies_to_int, reading, deterministic, sequence_lengths, masks,
               dynamic_quantization, gates, layer_norm, data_scale, data_shift, weights, projection, scale_masks,
               zero_point_masks, unserved_scales, unserved_zero_points, scales, zero_points, output_scales, post_ops] =
      attr;
  std::string text;
  if (scratchpad_mode == ScratchpadMode::kUser) Append("attr-scratchpad:user", &text);
  if (fpmath_mode != FpmathMode::kStrict) Append(std::string("attr-fpmath:") + ToString(fpmath_mode), &text);
  AppendMasks("attr-scales:", scale_masks, &text);
  AppendMasks("attr-zero-points:", zero_point_masks, &text);
  for (const PostOp& op : post_ops) {
    Append(std::string("attr-post-ops:") + tandem_primitive_kind2str(op.kind) + ":" + NumberText(op.scale), &text);
  }
  if (data_scale != 1.f || data_shift != 0.f) {
    Append("rnn_data_qparams:" + NumberText(data_scale) + ":" + NumberText(data_shift) + ";", &text);
  }
  if (!weights.IsDefault()) Append("rnn_weights_qparams:" + std::to_string(weights.mask) + ";", &text);
  if (!projection.IsDefault()) {
    Append("rnn_weights_projection_qparams:" + std::to_string(projection.mask) + ";", &text);
  }
  if (reading == Reading::kOnednn) Append("attr-reading:onednn", &text);
  if (deterministic) Append("attr-deterministic:true", &text);
  if (sequence_lengths) Append("attr-rnn-sequence-lengths:true", &text);
  AppendRnnMasks(masks, &text);
  if (dynamic_quantization) Append("attr-rnn-dynamic-quantization:true", &text);
  if (!HaveDefaultActivations(gates)) Append("attr-rnn-activations:" + FunctionsText(gates), &text);
  if (gates.clip != 0.f) Append("attr-rnn-clip:" + NumberText(gates.clip), &text);
  if (gates.forget == ForgetGate::kRestOfInput) Append("attr-rnn-input-forget:true", &text);
  if (layer_norm.given()) {
    Append(std::string("attr-rnn-layer-normalization:") + ToString(layer_norm.kind) + ":" + ToString(layer_norm.scope) +
               ":" + ToString(layer_norm.cell) + ":" + NumberText(layer_norm.epsilon),
           &text);
  }
  return text;
}

// alg:vanilla_rnn direction:unidirectional_left2right activation:eltwise_tanh flags:
std::string Auxiliary(const RnnProblem& problem) {
  std::string text = std::string("alg:") + tandem_alg_kind2str(ToC(problem.cell));
  text += std::string(" direction:") + tandem_rnn_direction2str(ToC(problem.direction));
  const dnnl_alg_kind_t activation = HasActivation(problem.cell) ? ToC(problem.activation) : dnnl_alg_kind_undef;
  text += std::string(" activation:") + tandem_alg_kind2str(activation) + " flags:";
  if (problem.flags != 0) text += tandem_rnn_flags2str(static_cast<dnnl_rnn_flags_t>(problem.flags));
  return text;
}

// Writes a problem as benchdnn does. A problem that was refused may have no dims yet.
std::string ProblemDesc(const RnnProblem& problem) {
  std::string text;
  const auto add = [&text](const char* letter, Dim dim) { text += letter + std::to_string(dim); };
  add("l", problem.n_layer), add("t", problem.n_iter), add("mb", problem.mb), add("sic", problem.sic);
  add("slc", problem.slc), add("dhc", problem.dhc), add("dic", problem.dic);
  return text;
}

void Print(const std::string& primitive, const char* name, const std::string& fields, const std::string& reason) {
  PrintVerbose(primitive.c_str(), "primitive,create:dispatch," + primitive + ",cpu," + primitive + "," + name + "," +
                                      fields + "," + VerboseField(reason));
}

}  // namespace

std::string VerboseFields(const RnnProblem& requested, const RnnProblem& problem) {
  std::string tensors;
  for (int i = 0; i < kNumTensors; ++i) {
    const Tensor tensor = static_cast<Tensor>(i);
    if (problem.Has(tensor)) Append(Describe(VerboseName(tensor), problem.md[i], IsAny(requested.md[i])), &tensors);
  }
  return std::string(tandem_prop_kind2str(ToC(problem.propagation))) + "," + tensors + "," + Describe(problem.attr) +
         "," + Auxiliary(problem) + "," + ProblemDesc(problem);
}

std::string VerboseFields(const ReorderProblem& problem) {
  std::string dims;
  for (int d = 0; d < problem.src.ndims; ++d) dims += (d == 0 ? "" : "x") + Known(problem.src.dims[d]);
  return "undef," + Describe("src", problem.src, false) + " " + Describe("dst", problem.dst, false) + "," +
         Describe(problem.attr) + ",," + dims;
}

void PrintDispatch(const RnnProblem& problem, const char* name, const std::string& reason) {
  if (IsVerbose(kVerboseDispatch)) Print("rnn", name, VerboseFields(problem, problem), reason);
}

void PrintDispatch(const ReorderProblem& problem, const char* name, const std::string& reason) {
  if (IsVerbose(kVerboseDispatch)) Print("reorder", name, VerboseFields(problem), reason);
}

}  // namespace tandem
