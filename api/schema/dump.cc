// Prints the tables of tensors, cells and activations as JSON: what the templates of this folder are filled with.
#include <cstdio>

#include "api/core/activation.h"
#include "api/core/cell.h"
#include "api/core/tensor.h"
#include "dnnl/abi.h"

namespace {

using namespace tandem;

const char* Comma(bool is_first) { return is_first ? "" : ","; }

const char* NameOrEmpty(Tensor tensor) { return tensor == kNoTensor ? "" : ToString(tensor); }

const char* NameOf(Presence presence) {
  switch (presence) {
    case Presence::kAbsent:
      return "absent";
    case Presence::kOptional:
      return "optional";
    case Presence::kRequired:
      return "required";
  }
  return "";
}

const char* NameOf(AxisSize size) {
  switch (size) {
    case AxisSize::kLayers:
      return "L";
    case AxisSize::kDirections:
      return "D";
    case AxisSize::kIterations:
      return "T";
    case AxisSize::kBatch:
      return "N";
    case AxisSize::kSlc:
      return "slc";
    case AxisSize::kSic:
      return "sic";
    case AxisSize::kDhc:
      return "dhc";
    case AxisSize::kDic:
      return "dic";
    case AxisSize::kDlc:
      return "dlc";
    case AxisSize::kGates:
      return "gates";
    case AxisSize::kBiasGates:
      return "bias gates";
    case AxisSize::kPeepholes:
      return "3 (i, f, o)";
    case AxisSize::kNorms:
      return "norms";
    case AxisSize::kOne:
      return "1";
    case AxisSize::kNone:
      break;
  }
  return "";
}

void PrintTensor(Tensor tensor) {
  const TensorTraits& traits = TraitsOf(tensor);
  std::printf("%s\n  {\"name\": \"%s\", \"arg\": %d, \"axes\": \"%s\", \"diff\": \"%s\", \"of\": \"%s\", ",
              Comma(tensor == kTensors.front()), traits.name, traits.exec_arg, traits.axes.letters,
              NameOrEmpty(traits.diff), NameOrEmpty(traits.of));
  for (int i = 0; i < RankOf(tensor); ++i)
    std::printf("%s\"%s\"", i == 0 ? "\"dims\": [" : ", ", NameOf(traits.axes.size[i]));
  std::printf(
      "], \"by_attribute\": %s, \"mask\": %s, \"weights\": %s, \"forward_output\": %s, \"backward_output\": %s, "
      "\"presence\": {",
      IsByAttribute(tensor) ? "true" : "false", IsMask(tensor) ? "true" : "false", IsWeights(tensor) ? "true" : "false",
      IsForwardOutput(tensor) ? "true" : "false", IsBackwardOutput(tensor) ? "true" : "false");
  for (const Cell cell : kCells) {
    std::printf("%s\"%s\": \"%s\"", Comma(cell == kCells.front()), ToString(cell), NameOf(PresenceOf(tensor, cell)));
  }
  std::printf("}}");
}

void PrintCell(Cell cell) {
  const CellTraits& traits = TraitsOf(cell);
  std::printf(
      "%s\n  {\"name\": \"%s\", \"algorithm\": \"%s\", \"kind\": %d, \"activation\": %s, \"num_gates\": %d, \"gates\": "
      "[",
      Comma(cell == kCells.front()), traits.name, traits.alg_name, traits.alg_kind,
      traits.has_activation ? "true" : "false", static_cast<int>(traits.gates));
  for (Dim gate = 0; gate < traits.bias_gates; ++gate) {
    std::printf("%s\"%s\"", Comma(gate == 0), GateName(cell, gate));
  }
  std::printf("]}");
}

void PrintActivation(Activation activation) {
  const ActivationTraits& traits = TraitsOf(activation);
  std::printf("%s\n  {\"name\": \"%s\", \"algorithm\": \"%s\", \"kind\": %d, \"numbers\": %d}",
              Comma(activation == kActivations.front()), traits.name, traits.alg_name, traits.alg_kind,
              UsesBeta(activation)    ? 2
              : UsesAlpha(activation) ? 1
                                      : 0);
}

// A client without a C compiler needs these of the C headers besides the tables.
struct Enumerator {
  const char* name;
  int value;
};
constexpr Enumerator kEnumerators[] = {
    {"SUCCESS", dnnl_success},
    {"UNIMPLEMENTED", dnnl_unimplemented},
    {"CPU", dnnl_cpu},
    {"IN_ORDER", dnnl_stream_in_order},
    {"F32", dnnl_f32},
    {"S32", dnnl_s32},
    {"S8", dnnl_s8},
    {"U8", dnnl_u8},
    {"ANY", dnnl_format_tag_any},
    {"FORWARD_TRAINING", dnnl_forward_training},
    {"FORWARD_INFERENCE", dnnl_forward_inference},
    {"BACKWARD", dnnl_backward},
    {"LEFT2RIGHT", dnnl_unidirectional_left2right},
    {"RIGHT2LEFT", dnnl_unidirectional_right2left},
    {"BIDIRECTIONAL_CONCAT", dnnl_bidirectional_concat},
    {"BIDIRECTIONAL_SUM", dnnl_bidirectional_sum},
    {"DIFF_WEIGHTS_OVERWRITE", dnnl_rnn_flags_diff_weights_overwrite},
    {"EXEC_ARG_MD", dnnl_query_exec_arg_md},
    {"MEMORY_CONSUMPTION", dnnl_query_memory_consumption_s64},
    {"ARG_FROM", DNNL_ARG_FROM},
    {"ARG_TO", DNNL_ARG_TO},
    {"ARG_WORKSPACE", DNNL_ARG_WORKSPACE},
    {"ATTR_FPMATH_MODE", tandem_attr_fpmath_mode},
    {"ATTR_READING", tandem_attr_reading},
    {"ATTR_DETERMINISTIC", tandem_attr_deterministic},
    {"ATTR_SEQUENCE_LENGTHS", tandem_attr_rnn_sequence_lengths},
    {"ATTR_DYNAMIC_QUANTIZATION", tandem_attr_rnn_dynamic_quantization},
    {"ATTR_INPUT_FORGET", tandem_attr_rnn_input_forget},
    {"GATE_RECURRENT", tandem_gate_recurrent},
    {"GATE_CANDIDATE", tandem_gate_candidate},
    {"GATE_OUTPUT", tandem_gate_output},
    {"ATTR_RNN_MASKS", tandem_attr_rnn_masks},
    {"QPARAMS_WEIGHTS", tandem_qparams_weights},
    {"QPARAMS_WEIGHTS_PROJECTION", tandem_qparams_weights_projection},
    {"FPMATH_STRICT", dnnl_fpmath_mode_strict},
    {"FPMATH_BF16", dnnl_fpmath_mode_bf16},
    {"FPMATH_F16", dnnl_fpmath_mode_f16},
    {"READING_SPEC", tandem_reading_spec},
};

// A number of the C headers: of how many bytes a struct is, what an enumerator stands for.
void PrintNumbers() {
  std::printf("{\"SIZE_OF_MEMORY_DESC\": %zu,\n \"SIZE_OF_RNN_DESC\": %zu", sizeof(dnnl_memory_desc),
              sizeof(dnnl_rnn_desc_t));
  for (const Enumerator& enumerator : kEnumerators) std::printf(",\n \"%s\": %d", enumerator.name, enumerator.value);
  std::printf("}");
}

}  // namespace

int main() {
  std::printf("{\"tensors\": [");
  for (const Tensor tensor : kTensors) PrintTensor(tensor);
  std::printf("],\n\"cells\": [");
  for (const Cell cell : kCells) PrintCell(cell);
  std::printf("],\n\"activations\": [");
  for (const Activation activation : kActivations) PrintActivation(activation);
  std::printf("],\n\"numbers\": ");
  PrintNumbers();
  std::printf("}\n");
}
