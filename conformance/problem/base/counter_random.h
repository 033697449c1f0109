// Random words from a key and a counter, with no state between them: the value at an index does not depend on how many
// others were drawn, so a smaller tensor keeps the values of the elements it still has.
#ifndef TANDEM_CONFORMANCE_PROBLEM_BASE_COUNTER_RANDOM_H_
#define TANDEM_CONFORMANCE_PROBLEM_BASE_COUNTER_RANDOM_H_

#include <cmath>
#include <cstdint>

namespace tandem::conformance {

// Streams below 64 belong to the tensors, by their enum value.
enum RandomStream : uint64_t {
  kStreamWeightScales = 64,
  kStreamProblem = 128,
  kStreamPoison = 129,
  kStreamExperiments = 130,
  kStreamRowLengths = 131,
  kStreamByteWeights = 132,
  kStreamActivations = 133,
  kStreamGates = 134,
  kStreamLayerNorms = 135,
  kStreamMasks = 140,
};

// SplitMix64's finalizer: a bijection whose every output bit depends on every input bit.
inline uint64_t MixBits(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

inline uint64_t CounterRandom(uint64_t seed, uint64_t stream, uint64_t index) {
  return MixBits(MixBits(MixBits(seed) ^ stream) ^ index);
}

// In (0, 1), from the upper 53 bits.
inline double UnitUniform(uint64_t word) { return (static_cast<double>(word >> 11) + 0.5) * 0x1p-53; }

// Standard normal by Box and Muller, from one word's two halves.
inline double StandardNormal(uint64_t word) {
  const double u = (static_cast<double>(word >> 32) + 0.5) * 0x1p-32;
  const double v = (static_cast<double>(word & 0xffffffffu) + 0.5) * 0x1p-32;
  return std::sqrt(-2.0 * std::log(u)) * std::cos(6.283185307179586 * v);
}

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_PROBLEM_BASE_COUNTER_RANDOM_H_
