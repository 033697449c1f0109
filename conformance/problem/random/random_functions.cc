#include "conformance/problem/random/random_functions.h"

#include <algorithm>
#include <iterator>

#include "conformance/problem/base/counter_random.h"

namespace tandem::conformance {
namespace {

// Functions that files of ONNX and Keras have in each place, and a few that only a careless implementation gets wrong.
constexpr ActivationFunction kRecurrent[] = {{Activation::kHardSigmoid, 0.2f, 0.5f},
                                             {Activation::kHardSigmoid, 1.f / 6, 0.5f},
                                             {Activation::kHardSigmoid, -0.3f, 0.25f},
                                             {Activation::kTanh},
                                             {Activation::kSoftsign},
                                             {Activation::kScaledTanh, 0.5f, 1.5f},
                                             {Activation::kRelu, 0.f},
                                             {Activation::kRelu, 0.1f},
                                             {Activation::kAffine, 0.25f, 0.5f},
                                             {Activation::kSoftplus},
                                             {Activation::kElu, 0.5f},
                                             {Activation::kThresholdedRelu, 0.5f}};
constexpr ActivationFunction kCandidate[] = {{Activation::kRelu, 0.f},
                                             {Activation::kRelu, 0.1f},
                                             {Activation::kSoftsign},
                                             {Activation::kElu, 1.f},
                                             {Activation::kHardSigmoid, 0.2f, 0.5f},
                                             {Activation::kLogistic},
                                             {Activation::kAffine, 0.5f, 0.125f},
                                             {Activation::kScaledTanh, 1.7159f, 0.6667f},
                                             {Activation::kSoftplus},
                                             {Activation::kThresholdedRelu, 0.3f}};
constexpr ActivationFunction kOutput[] = {
    {Activation::kRelu, 0.f},           {Activation::kSoftsign}, {Activation::kAffine, 1.f, 0.f},
    {Activation::kElu, 0.5f},           {Activation::kLogistic}, {Activation::kHardSigmoid, 0.2f, 0.5f},
    {Activation::kScaledTanh, 1.f, 2.f}};
constexpr float kClips[] = {0.1f, 0.5f, 1.f, 3.f};

template <size_t size>
ActivationFunction OneOf(const ActivationFunction (&functions)[size], uint64_t word) {
  return functions[word % size];
}

// Bits of a word: which parts the gates have of their own.
GateFunctions DrawGates(Cell cell, uint64_t word) {
  GateFunctions gates;
  const bool lstm = HasCellState(cell);
  if ((word & 1) != 0) gates.recurrent = OneOf(kRecurrent, word >> 16);
  if ((word & 2) != 0) gates.candidate = OneOf(kCandidate, word >> 24);
  if (lstm && (word & 4) != 0) gates.output = OneOf(kOutput, word >> 32);
  if (HasActivation(cell)) gates = GateFunctions();
  if ((word & 24) == 0 || HasActivation(cell)) gates.clip = kClips[(word >> 40) % std::size(kClips)];
  if (lstm && (word & 96) == 0) gates.forget = ForgetGate::kRestOfInput;
  return gates;
}

// States may grow from step to step where a function has no bound, and error bounds with them.
void KeepStatesSmall(ProblemSpec* spec) {
  const GateFunctions& gates = spec->gates;
  const bool grows = !IsBounded(gates.recurrent.kind) || !IsBounded(gates.candidate.kind);
  if (!grows) return;
  if (spec->data == DataKind::kSaturating || spec->data == DataKind::kSpread || spec->data == DataKind::kCancelling) {
    spec->data = DataKind::kDense;
  }
  spec->t = std::min<Dim>(spec->t, IsBounded(gates.recurrent.kind) ? 12 : 5);
  spec->gain = std::min(spec->gain, spec->l > 1 || spec->t > 3 ? 0.3f : 0.6f);
}

}  // namespace

std::vector<Activation> ActivationsIn(InRandomProblems problems) {
  std::vector<Activation> found;
  for (const Activation activation : kActivations) {
    if (TraitsOf(activation).random == problems) found.push_back(activation);
  }
  return found;
}

std::vector<Activation> OtherActivations() { return ActivationsIn(InRandomProblems::kShare); }

void MayDrawActivation(const ProblemScope& scope, uint64_t seed, uint64_t index, ProblemSpec* spec) {
  constexpr float kAlphas[] = {0.2f, 1.f / 6, 0.5f, 1.f, 1.75f, -0.5f, 0.f, -1.f},
                  kBetas[] = {0.5f, 0.25f, 2.f, -0.75f};
  const uint64_t word = CounterRandom(seed, kStreamActivations, index);
  if (scope.other_activations.empty() || word % 2 != 0) return;
  spec->activation = scope.other_activations[(word >> 8) % scope.other_activations.size()];
  spec->alpha = UsesAlpha(spec->activation) ? kAlphas[(word >> 32) % std::size(kAlphas)] : ProblemSpec().alpha;
  spec->beta = UsesBeta(spec->activation) ? kBetas[(word >> 40) % std::size(kBetas)] : ProblemSpec().beta;
}

bool TakesGateFunctions(Cell cell, Config config) { return !IsInt8(config) && !HasAttention(cell); }

void MayDrawGates(const ProblemScope& scope, uint64_t seed, uint64_t index, ProblemSpec* spec) {
  if (scope.gates_one_in == 0 || !TakesGateFunctions(spec->cell, spec->config)) return;
  if (CounterRandom(seed, kStreamGates, 2 * index) % scope.gates_one_in != 0) return;
  const uint64_t word = CounterRandom(seed, kStreamGates, 2 * index + 1);
  // A clip hides the tails of the activation, which are a problem's point more often.
  if (HasActivation(spec->cell) && (word >> 48) % 4 != 0) return;
  spec->gates = DrawGates(spec->cell, word);
  KeepStatesSmall(spec);
}

}  // namespace tandem::conformance
