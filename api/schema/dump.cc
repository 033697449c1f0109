// Prints the tables of tensors and cells as JSON: what the templates of this folder are filled with.
#include <cstdio>

#include "api/core/cell.h"
#include "api/core/tensor.h"

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
      "], \"by_attribute\": %s, \"weights\": %s, \"forward_output\": %s, \"backward_output\": %s, \"presence\": {",
      IsByAttribute(tensor) ? "true" : "false", IsWeights(tensor) ? "true" : "false",
      IsForwardOutput(tensor) ? "true" : "false", IsBackwardOutput(tensor) ? "true" : "false");
  for (const Cell cell : kCells) {
    std::printf("%s\"%s\": \"%s\"", Comma(cell == kCells.front()), ToString(cell), NameOf(PresenceOf(tensor, cell)));
  }
  std::printf("}}");
}

void PrintCell(Cell cell) {
  const CellTraits& traits = TraitsOf(cell);
  std::printf("%s\n  {\"name\": \"%s\", \"algorithm\": \"%s\", \"kind\": %d, \"activation\": %s, \"gates\": [",
              Comma(cell == kCells.front()), traits.name, traits.alg_name, traits.alg_kind,
              traits.has_activation ? "true" : "false");
  for (Dim gate = 0; gate < traits.bias_gates; ++gate) {
    std::printf("%s\"%s\"", Comma(gate == 0), GateName(cell, gate));
  }
  std::printf("]}");
}

}  // namespace

int main() {
  std::printf("{\"tensors\": [");
  for (const Tensor tensor : kTensors) PrintTensor(tensor);
  std::printf("],\n\"cells\": [");
  for (const Cell cell : kCells) PrintCell(cell);
  std::printf("]}\n");
}
