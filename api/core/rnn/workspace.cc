#include "api/core/rnn/workspace.h"

#include <array>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <string>

#include "api/core/error.h"
#include "api/core/float16.h"
#include "api/core/names.h"
#include "api/core/rnn/rnn_masks.h"
#include "api/core/rnn/sequence_lengths.h"
#include "api/core/text/text.h"

namespace tandem {
namespace {

// "TANDEMW7": the digit changes with the header's meaning.
constexpr uint64_t kMagic = 0x37574d45444e4154u;

// Something that the contents of a workspace depend on, and its value's words in a message.
struct Field {
  const char* name;
  int64_t value;
  std::string (*words)(int64_t value);
};

std::string Number(int64_t value) { return std::to_string(value); }
std::string RealNumber(int64_t value) { return NumberText(FromBits(static_cast<uint32_t>(value))); }
std::string GivenOrAbsent(int64_t value) { return value == 0 ? "absent" : "given"; }
std::string Type(int64_t value) { return ToString(static_cast<DataType>(value)); }
// A workspace may hold any bytes, and only an enumerator has a name.
template <class Enum>
std::string Word(int64_t value) {
  const bool is_enumerator = value >= 0 && value < CountOf<Enum>();
  return is_enumerator ? ToString(static_cast<Enum>(value)) : std::to_string(value);
}

constexpr size_t kNumFields = 29;
using Fields = std::array<Field, kNumFields>;

std::string Fingerprint(int64_t value) {
  char text[48];
  std::snprintf(text, sizeof text, "given (fingerprint %016" PRIx64 ")", static_cast<uint64_t>(value));
  return value == 0 ? "absent" : text;
}

uint64_t Mixed(uint64_t hash, uint64_t word) { return (hash ^ word) * 0x100000001b3u; }  // FNV-1a's prime

// The functions of gates; 0: those of the specification.
int64_t FingerprintOf(const GateFunctions& gates) {
  if (AreDefault(gates)) return 0;
  uint64_t hash = Mixed(BitsOf(gates.clip), static_cast<uint64_t>(gates.forget));
  for (const GatePlace place : kGatePlaces) {
    const ActivationFunction& function = gates.At(place);
    hash = Mixed(hash, static_cast<uint64_t>(function.kind));
    hash = Mixed(Mixed(hash, BitsOf(function.alpha)), BitsOf(function.beta));
  }
  return static_cast<int64_t>(hash);
}

Fields FieldsOf(const RnnProblem& problem, const RnnBuffers& buffers) {
  const bool activation = HasActivation(problem.cell);
  const LayerNorm norm = problem.attr.rnn_layer_norm.given() ? problem.attr.rnn_layer_norm : LayerNorm{};
  const auto given = [&problem](Tensor tensor) {
    return Field{ToString(tensor), problem.Has(tensor) ? 1 : 0, GivenOrAbsent};
  };
  return {{
      {"cell", static_cast<int64_t>(problem.cell), Word<Cell>},
      {"direction", static_cast<int64_t>(problem.direction), Word<Direction>},
      {"activation", activation ? static_cast<int64_t>(problem.activation) : 0, Word<Activation>},
      {"alpha", activation ? static_cast<int64_t>(BitsOf(problem.alpha)) : 0, RealNumber},
      {"beta", activation ? static_cast<int64_t>(BitsOf(problem.beta)) : 0, RealNumber},
      {"n_layer", problem.n_layer, Number},
      {"n_dir", problem.n_dir, Number},
      {"n_iter", problem.n_iter, Number},
      {"mb", problem.mb, Number},
      {"slc", problem.slc, Number},
      {"sic", problem.sic, Number},
      {"dhc", problem.dhc, Number},
      {"dic", problem.dic, Number},
      {"dlc", problem.dlc, Number},
      {"data type", problem.md[kSrcLayer].data_type, Type},
      {"type of c", static_cast<int64_t>(CellStateType(problem)), Type},
      given(kSrcIter),
      given(kSrcIterC),
      given(kAugruAttention),
      given(kWeightsPeephole),
      given(kWeightsProjection),
      given(kBias),
      {"functions of gates", FingerprintOf(problem.Gates()), Fingerprint},
      {ToString(kSequenceLengths), FingerprintOf(problem, buffers), Fingerprint},
      {"layer normalization", static_cast<int64_t>(norm.kind), Word<NormKind>},
      {"its scope", static_cast<int64_t>(norm.scope), Word<NormScope>},
      {"that of c", static_cast<int64_t>(norm.cell), Word<CellNorm>},
      {"its epsilon", static_cast<int64_t>(BitsOf(norm.epsilon)), RealNumber},
      {"masks", FingerprintOfMasks(problem, buffers), Fingerprint},
  }};
}

struct Header {
  uint64_t magic;
  int64_t values[kNumFields];
  char implementation[kWorkspaceHeaderBytes - (1 + kNumFields) * sizeof(int64_t)];
};
static_assert(sizeof(Header) == kWorkspaceHeaderBytes, "whole cache lines");

std::string Hex(uint64_t value) {
  char text[32];
  std::snprintf(text, sizeof text, "%016" PRIx64, value);
  return text;
}

}  // namespace

void SealWorkspace(const RnnBuffers& buffers, const RnnProblem& problem, const char* implementation) {
  Header header = {};
  header.magic = kMagic;
  size_t i = 0;
  for (const Field& field : FieldsOf(problem, buffers)) header.values[i++] = field.value;
  std::strncpy(header.implementation, implementation, sizeof header.implementation - 1);
  std::memcpy(buffers.workspace, &header, sizeof header);
}

void CheckWorkspace(const RnnBuffers& buffers, const RnnProblem& problem, const char* implementation) {
  Header found;
  std::memcpy(&found, buffers.workspace, sizeof found);
  if (found.magic != kMagic) {
    ThrowInvalid("workspace: begins with " + Hex(found.magic) + ", but one that forward_training filled begins with " +
                 Hex(kMagic));
  }
  found.implementation[sizeof found.implementation - 1] = '\0';
  if (std::strcmp(found.implementation, implementation) != 0) {
    ThrowInvalid(std::string("workspace: was filled by implementation ") + found.implementation + ", but " +
                 implementation + " is to read it");
  }
  size_t i = 0;
  std::string differences;
  for (const Field& field : FieldsOf(problem, buffers)) {
    const int64_t value = found.values[i++];
    if (value == field.value) continue;
    differences += (differences.empty() ? "" : "; ") + std::string(field.name) + " was " + field.words(value) +
                   ", but is " + field.words(field.value) + " here";
  }
  if (!differences.empty()) ThrowInvalid("workspace: was filled for another problem: " + differences);
}

}  // namespace tandem
