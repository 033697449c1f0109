// Random problems for tests: every variant of a cell, every direction, any optional tensor absent.
#ifndef TANDEM_REFERENCE_TESTS_RANDOM_PROBLEM_H_
#define TANDEM_REFERENCE_TESTS_RANDOM_PROBLEM_H_

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "api/core/rnn/rnn_masks.h"
#include "reference/tests/test_case.h"

namespace tandem {
namespace reference {

struct Variant {
  const char* name;
  Cell cell;
  Activation activation = Activation::kTanh;
  float alpha = 0.f, beta = 0.f;
  std::vector<Tensor> extra = {};  // peephole, projection
  GateFunctions gates = {};
  LayerNorm norm = {};
};

inline Variant LstmWith(const char* name, std::vector<Tensor> extra) {
  Variant variant = {name, Cell::kLstm};
  variant.extra = std::move(extra);
  return variant;
}

// Every function in each place, a clip and a coupled forget gate.
inline std::vector<Variant> GateVariants() {
  std::vector<Variant> variants;
  const auto add = [&variants](const char* name, Cell cell, const GateFunctions& gates,
                               std::vector<Tensor> extra = {}) {
    Variant variant = {name, cell};
    variant.extra = std::move(extra);
    variant.gates = gates;
    variants.push_back(variant);
  };
  for (const Activation kind : kActivations) {
    const ActivationFunction f = {kind, 0.625f, 0.375f};
    add(ToString(kind), Cell::kLstm, {f, {Activation::kTanh}, f, 0.f, ForgetGate::kOwn});
    add(ToString(kind), Cell::kGru, {f, f, {Activation::kTanh}, 0.f, ForgetGate::kOwn});
    add(ToString(kind), Cell::kLbrGru, {{Activation::kLogistic}, f, {Activation::kTanh}, 0.75f, ForgetGate::kOwn});
  }
  const GateFunctions clipped = {{Activation::kLogistic}, {Activation::kTanh}, {Activation::kTanh}, 0.5f};
  GateFunctions coupled = clipped;
  coupled.forget = ForgetGate::kRestOfInput;
  add("vanilla_rnn, clip", Cell::kVanillaRnn, clipped);
  add("gru, clip", Cell::kGru, clipped);
  add("lstm, clip, both", Cell::kLstm, clipped, {kWeightsPeephole, kWeightsProjection});
  add("lstm, clip and input_forget", Cell::kLstm, coupled);
  coupled.clip = 0.f;
  add("lstm, input_forget, peephole", Cell::kLstm, coupled, {kWeightsPeephole});
  return variants;
}

inline std::vector<Variant> AllVariants() {
  return {{"vanilla_rnn tanh", Cell::kVanillaRnn},
          {"vanilla_rnn logistic", Cell::kVanillaRnn, Activation::kLogistic},
          {"vanilla_rnn relu", Cell::kVanillaRnn, Activation::kRelu, 0.25f},
          {"vanilla_rnn relu, negative alpha", Cell::kVanillaRnn, Activation::kRelu, -0.5f},
          {"vanilla_rnn thresholded_relu", Cell::kVanillaRnn, Activation::kThresholdedRelu, 0.25f},
          {"vanilla_rnn hard_sigmoid", Cell::kVanillaRnn, Activation::kHardSigmoid, 0.75f, 0.375f},
          {"vanilla_rnn softsign", Cell::kVanillaRnn, Activation::kSoftsign},
          {"vanilla_rnn softplus", Cell::kVanillaRnn, Activation::kSoftplus},
          {"vanilla_rnn elu", Cell::kVanillaRnn, Activation::kElu, 0.75f},
          {"vanilla_rnn affine", Cell::kVanillaRnn, Activation::kAffine, 0.75f, -0.5f},
          {"vanilla_rnn scaled_tanh", Cell::kVanillaRnn, Activation::kScaledTanh, 1.25f, 0.75f},
          {"lstm", Cell::kLstm},
          LstmWith("lstm peephole", {kWeightsPeephole}),
          LstmWith("lstm projection", {kWeightsProjection}),
          LstmWith("lstm both", {kWeightsPeephole, kWeightsProjection}),
          {"gru", Cell::kGru},
          {"lbr_gru", Cell::kLbrGru},
          {"augru", Cell::kAugru},
          {"lbr_augru", Cell::kLbrAugru}};
}

// Every cell with each kind, scope and norm of c that it takes.
inline std::vector<Variant> NormalizedVariants() {
  std::vector<Variant> all;
  for (const Variant& plain : AllVariants()) {
    const bool is_default =
        plain.activation == Activation::kTanh || plain.alpha < 0;  // one with a slope from a is enough
    if (HasAttention(plain.cell) || !is_default) continue;
    for (const NormKind kind : AllOf<NormKind>()) {
      for (const NormScope scope : AllOf<NormScope>()) {
        for (const CellNorm cell : AllOf<CellNorm>()) {
          Variant variant = plain;
          variant.norm = {kind, scope, cell, 0.01f};
          const bool one_scope = kind == NormKind::kNone || NumGates(plain.cell) == 1 || WaitsForReset(plain.cell);
          if (!variant.norm.given() || (scope == NormScope::kRow && one_scope)) continue;
          if (cell != CellNorm::kNone && !HasCellState(plain.cell)) continue;
          if (kind == NormKind::kSum && IsLinearBeforeReset(plain.cell)) continue;
          all.push_back(variant);
        }
      }
    }
  }
  return all;
}

inline std::vector<Direction> DirectionsOf(const Variant& variant) {
  if (HasAttention(variant.cell)) return {Direction::kLeft2Right};
  constexpr auto kAll = AllOf<Direction>();
  return {kAll.begin(), kAll.end()};
}

// Dims of 1 to 4 that the specification's rules for n_layer > 1, n_iter > 1 and GRU allow.
inline TestShape RandomShape(const Variant& variant, std::mt19937* rng) {
  const auto dim = [rng](int low, int high) { return std::uniform_int_distribution<Dim>(low, high)(*rng); };
  TestShape shape;
  shape.n_layer = HasAttention(variant.cell) ? 1 : dim(1, 2);
  shape.n_iter = dim(1, 3);
  shape.mb = dim(1, 3);
  shape.dhc = dim(1, 4);
  const bool projection = variant.extra.size() > 0 && variant.extra.back() == kWeightsProjection;
  shape.dic = projection ? dim(1, 4) : shape.dhc;
  const bool free_sic = shape.n_iter == 1 && shape.n_layer == 1 && !BlendsState(variant.cell);
  shape.sic = free_sic ? dim(1, 4) : shape.dic;
  shape.slc = shape.n_layer == 1 ? dim(1, 4) : shape.dic;
  return shape;
}

inline void Remove(RnnProblem* problem, Tensor tensor) {
  problem->md[tensor] = MemoryDesc{};
  problem->md[Diff(tensor)] = MemoryDesc{};
}

// A problem that has a bias, initial states and final states with probability 1/2 each; memory filled by FillInputs.
inline TestCase RandomCase(const Variant& variant, Direction direction, Propagation propagation, DataType x,
                           uint32_t seed) {
  std::mt19937 rng(seed);
  const TestShape shape = RandomShape(variant, &rng);
  RnnProblem problem = MakeTestProblem(variant.cell, propagation, direction, x, shape);
  problem.activation = variant.activation;
  problem.alpha = variant.alpha;
  problem.beta = variant.beta;
  problem.attr.rnn_gates = variant.gates;
  problem.attr.rnn_layer_norm = variant.norm;
  for (const Tensor tensor : variant.extra) Add(&problem, shape, x, tensor);
  const std::vector<std::vector<Tensor>> optional = {{kBias}, {kSrcIter, kSrcIterC}, {kDstIter, kDstIterC}};
  for (const std::vector<Tensor>& group : optional) {
    if (rng() % 2 == 0) continue;
    for (const Tensor tensor : group) Remove(&problem, tensor);
  }
  TestCase test = MakeTestCase(problem);
  FillInputs(&test, seed);
  return test;
}

// The same problem with masks, and for an odd `number` with lengths of the rows. Of each mask a quarter of the values is 0, a
// quarter 1 and a quarter 2.
inline TestCase WithMasks(const TestCase& given, uint32_t number) {
  RnnProblem problem = given.problem;
  std::mt19937 rng(number);
  for (const Tensor mask : kMasks) {
    const bool fits =
        PresenceOf(mask, problem.cell) != Presence::kAbsent && (mask != kZoneoutIter || problem.sic == problem.dic);
    if (fits && rng() % 3 != 0) problem.attr.rnn_masks |= MaskBit(mask);
  }
  problem.attr.rnn_sequence_lengths = number % 2 == 1 && problem.sic == problem.dic;
  TestCase test = MakeTestCase(problem);
  FillInputs(&test, number);
  std::uniform_real_distribution<double> value(0.0, 4.0);
  for (const Tensor mask : kMasks) {
    test.FillRandom(
        mask, [&value](std::mt19937& r) { return r() % 4 == 0 ? value(r) / 4 : static_cast<double>(r() % 3); }, &rng);
  }
  const int32_t steps = static_cast<int32_t>(problem.n_iter);
  test.FillRandom(kSequenceLengths, std::uniform_int_distribution<int32_t>(0, steps), &rng);
  return test;
}

inline std::string Describe(const Variant& variant, Direction direction, uint32_t seed) {
  const LayerNorm& norm = variant.norm;
  const std::string norms =
      std::string(", norm ") + ToString(norm.kind) + " " + ToString(norm.scope) + " " + ToString(norm.cell);
  return std::string(variant.name) + (norm.given() ? norms : "") + ", " + ToString(direction) + ", seed " +
         std::to_string(seed);
}

// Calls check(test, description) for `count` seeds of every variant in every direction.
template <class Check>
void ForEachRandomCase(Propagation propagation, DataType x, uint32_t count, Check check,
                       const std::vector<Variant>& variants = AllVariants()) {
  for (const Variant& variant : variants) {
    for (const Direction direction : DirectionsOf(variant)) {
      for (uint32_t seed = 0; seed < count; ++seed) {
        TestCase test = RandomCase(variant, direction, propagation, x, seed);
        check(&test, Describe(variant, direction, seed));
      }
    }
  }
}

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_TESTS_RANDOM_PROBLEM_H_
