#include "conformance/problem/row_lengths.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "conformance/problem/base/counter_random.h"

namespace tandem::conformance {
namespace {

// Number `draw` of a row.
uint64_t Word(const ProblemSpec& spec, Dim n, uint64_t draw = 0) {
  return CounterRandom(spec.seed, kSequenceLengths, static_cast<uint64_t>(n) + (draw << 32));
}

// Of real batches, which are cut at n_iter: at least one step.
Dim Cut(double length, Dim n_iter) { return std::clamp<Dim>(static_cast<Dim>(std::lround(length)), 1, n_iter); }

Dim LengthOf(const ProblemSpec& spec, Dim n) {
  const Dim t = spec.t;
  const uint64_t word = Word(spec, n);
  switch (spec.lengths) {
    case RowLengths::kNone:
    case RowLengths::kFull:
      break;
    case RowLengths::kOnes:
      return 1;
    case RowLengths::kEmpty:
      return word % 3 == 0 || n == 0 ? 0 : t;
    case RowLengths::kSorted:
    case RowLengths::kReversed:
    case RowLengths::kRandom:
      return static_cast<Dim>(word % static_cast<uint64_t>(t + 1));
    case RowLengths::kUniform:
      return 1 + static_cast<Dim>(word % static_cast<uint64_t>(t));
    case RowLengths::kSpeech:
      return Cut(0.4 * static_cast<double>(t) * std::exp(0.5 * StandardNormal(word)), t);
    case RowLengths::kText: {
      // Of two exponential parts: a gamma distribution with shape 2.
      const double parts = std::log(UnitUniform(word)) + std::log(UnitUniform(Word(spec, n, 1)));
      return Cut(-0.15 * static_cast<double>(t) * parts, t);
    }
  }
  return t;
}

}  // namespace

std::vector<Dim> RowLengthsOf(const ProblemSpec& spec) {
  std::vector<Dim> lengths;
  for (Dim n = 0; n < spec.mb; ++n) lengths.push_back(LengthOf(spec, n));
  if (spec.lengths == RowLengths::kSorted) std::sort(lengths.begin(), lengths.end(), std::greater<Dim>());
  if (spec.lengths == RowLengths::kReversed) std::sort(lengths.begin(), lengths.end());
  return lengths;
}

std::vector<Dim> RowLengthsOf(const RnnProblem& problem, const TensorSet& tensors) {
  std::vector<Dim> lengths(static_cast<size_t>(problem.mb), problem.n_iter);
  if (!problem.Has(kSequenceLengths)) return lengths;
  for (size_t n = 0; n < lengths.size(); ++n) lengths[n] = static_cast<Dim>(tensors[kSequenceLengths].Get(n));
  return lengths;
}

void FillBeyondLengths(const RnnProblem& problem, double value, TensorSet* tensors) {
  if (!problem.Has(kSequenceLengths)) return;
  const std::vector<Dim> lengths = RowLengthsOf(problem, *tensors);
  for (const Tensor tensor :
       {kSrcLayer, kAugruAttention, kDiffDstLayer, kMaskLayer, kMaskIter, kZoneoutIter, kZoneoutIterC}) {
    TensorBuffer& buffer = (*tensors)[tensor];
    if (buffer.empty() || !IsFloating(buffer.type())) continue;
    const int time = AxisOf(tensor, 't'), row = AxisOf(tensor, 'n');
    Dim index[DNNL_MAX_NDIMS] = {};
    for (size_t linear = 0; linear < buffer.size(); ++linear) {
      if ((time < 0 ? 0 : index[time]) >= lengths[static_cast<size_t>(index[row])]) buffer.Set(linear, value);
      Advance(buffer.md(), index);
    }
  }
}

double LiveShare(const ProblemSpec& spec) {
  const std::vector<Dim> lengths = RowLengthsOf(spec);
  const Dim live = std::accumulate(lengths.begin(), lengths.end(), Dim{0});
  return static_cast<double>(live) / static_cast<double>(spec.t * spec.mb);
}

void MayDrawLengths(uint64_t one_in, uint64_t seed, uint64_t index, ProblemSpec* spec) {
  constexpr RowLengths kKinds[] = {RowLengths::kRandom,  RowLengths::kRandom, RowLengths::kRandom,
                                   RowLengths::kEmpty,   RowLengths::kSorted, RowLengths::kReversed,
                                   RowLengths::kUniform, RowLengths::kFull,   RowLengths::kOnes};
  // A row without steps leaves src_iter in dst_iter.
  if (one_in == 0 || spec->sic != spec->dic) return;
  const uint64_t group = index / one_in;
  const uint64_t word = CounterRandom(seed, kStreamRowLengths, group);
  if (word % one_in == index % one_in) {
    spec->lengths = kKinds[(word >> 32) % std::size(kKinds)];
  }
}

}  // namespace tandem::conformance
