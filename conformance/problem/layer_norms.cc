#include "conformance/problem/layer_norms.h"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <vector>

#include "conformance/problem/base/counter_random.h"

namespace tandem::conformance {
namespace {

template <class Enum>
bool Find(const std::string& word, Enum* value) {
  for (const Enum candidate : AllOf<Enum>()) {
    if (word != ToString(candidate)) continue;
    *value = candidate;
    return true;
  }
  return false;
}

// Where no output shows h, or gradients pass through steps, the bounds of one step are multiplied in the next.
bool HidesStates(const ProblemSpec& spec) {
  const bool backward = spec.propagation == Propagation::kBackward;
  return spec.l > 1 || spec.direction == Direction::kBidirectionalSum || backward;
}

LayerNorm DrawnNorm(Cell cell, uint64_t word) {
  constexpr NormKind kKinds[] = {NormKind::kSum, NormKind::kParts, NormKind::kParts};
  constexpr float kEpsilons[] = {1e-5f, 1e-5f, 1e-3f, 0.25f};
  LayerNorm norm;
  norm.kind = IsLinearBeforeReset(cell) ? NormKind::kParts : kKinds[word % std::size(kKinds)];
  if (!WaitsForReset(cell) && (word >> 8) % 2 == 0) norm.scope = NormScope::kRow;
  if (HasCellState(cell)) norm.cell = static_cast<CellNorm>((word >> 16) % 3);
  if (norm.cell != CellNorm::kNone && (word >> 24) % 8 == 0) norm.kind = NormKind::kNone;
  norm.epsilon = kEpsilons[(word >> 32) % std::size(kEpsilons)];
  return norm;
}

}  // namespace

bool SetLayerNorm(const std::string& text, ProblemSpec* spec) {
  std::vector<std::string> words;
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, ':');) words.push_back(word);
  LayerNorm norm;
  norm.epsilon = spec->norm.epsilon;
  const bool good = !words.empty() && words.size() <= 3 && text.back() != ':' && Find(words[0], &norm.kind) &&
                    (words.size() < 2 || Find(words[1], &norm.scope)) &&
                    (words.size() < 3 || Find(words[2], &norm.cell));
  if (good) spec->norm = norm;
  return good;
}

std::string LayerNormText(const ProblemSpec& spec) {
  const LayerNorm& norm = spec.norm;
  std::string text = ToString(norm.kind);
  if (norm.scope != NormScope::kGate || norm.cell != CellNorm::kNone) text += std::string(":") + ToString(norm.scope);
  if (norm.cell != CellNorm::kNone) text += std::string(":") + ToString(norm.cell);
  return text;
}

void MayDrawLayerNorm(uint64_t one_in, uint64_t seed, uint64_t index, ProblemSpec* spec) {
  const bool fits = !HasAttention(spec->cell) && !HasByteWeights(spec->config) && spec->data != DataKind::kSweep &&
                    spec->data != DataKind::kTies && spec->fpmath == FpmathMode::kStrict;
  if (one_in == 0 || !fits) return;
  const uint64_t group = index / one_in, word = CounterRandom(seed, kStreamLayerNorms, group);
  if (word % one_in != index % one_in) return;
  spec->norm = DrawnNorm(spec->cell, MixBits(word));
  // What nearly cancels or is nearly 0 is all noise once it is divided by its own size.
  if (spec->data != DataKind::kSpecial && spec->data != DataKind::kZero) spec->data = DataKind::kDense;
  if (!HidesStates(*spec)) return;
  spec->norm.epsilon = std::max(spec->norm.epsilon, 1e-3f);
  spec->t = std::min<Dim>(spec->t, 3);
  spec->gain = std::min(spec->gain, 0.1f);
}

GateWeights GateWeightsOf(const ProblemSpec& spec, Tensor weights, Dim layer, Dim dir, Dim gate) {
  if (spec.norm.kind == NormKind::kNone) return {};
  const uint64_t place = static_cast<uint64_t>(((layer * 2 + dir) * 8 + gate) * kNumTensors + weights);
  switch (CounterRandom(spec.seed, kStreamLayerNorms, place) % 8) {
    case 0:
      return {0, 1};
    case 1:
      return {1. / 16, 2};
    case 2:
      // A gradient passes the norm of such a gate with few digits left.
      if (spec.propagation == Propagation::kBackward) return {};
      return {1. / 256, 4};
    default:
      return {};
  }
}

bool IsZeroRow(const ProblemSpec& spec, Dim row) {
  return spec.norm.kind != NormKind::kNone &&
         CounterRandom(spec.seed, kStreamLayerNorms, ~static_cast<uint64_t>(row)) % 8 == 0;
}

}  // namespace tandem::conformance
