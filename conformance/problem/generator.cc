#include "conformance/problem/generator.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>

#include "api/core/error.h"
#include "conformance/problem/base/counter_random.h"
#include "conformance/problem/base/mask_values.h"
#include "conformance/problem/layer_norms.h"
#include "conformance/problem/row_lengths.h"

namespace tandem::conformance {
namespace {

// The logical position of an element and what the random numbers there are keyed by.
struct Element {
  Tensor tensor;
  DataType type;
  Dim index[DNNL_MAX_NDIMS];
  int ndims;
  uint64_t seed;
  double weight_scale;  // a weight's standard deviation
  bool special;         // its tensor holds special values
  uint64_t row = 0;     // RowKey(0): computed once for all elements of a row

  // Of the indices but the last one.
  uint64_t RowKey(uint64_t salt) const {
    uint64_t key = salt;
    for (int i = 0; i + 1 < ndims; ++i) key = MixBits(key) + static_cast<uint64_t>(index[i]);
    return key;
  }
  // `salt` separates several draws for one element.
  uint64_t Word(uint64_t salt = 0) const {
    const uint64_t key = MixBits(salt == 0 ? row : RowKey(salt)) + static_cast<uint64_t>(index[ndims - 1]);
    return CounterRandom(seed, tensor, key);
  }
  // The first of each two adjacent inputs.
  Element Pair() const {
    Element pair = *this;
    pair.index[2] &= ~Dim{1};
    pair.row = pair.RowKey(0);
    return pair;
  }
  // The first input of a weight's output.
  Element Column() const {
    Element column = *this;
    column.index[2] = 0;
    column.row = column.RowKey(0);
    return column;
  }
  double Normal(uint64_t salt = 0) const { return StandardNormal(Word(salt)); }
  double Uniform(uint64_t salt = 0) const { return UnitUniform(Word(salt)); }
  // A weight's input channel, or the channel of a layer or state tensor.
  Dim channel() const {
    const int input = AxisOf(tensor, 'i');
    return index[input >= 0 ? input : ndims - 1];
  }
};

// Exponent of column `channel` for `spread`: the same for weights and data, with opposite signs.
double SpreadExponent(const ProblemSpec& spec, Dim channel) {
  // Data and weights stay within half the exponents of the type: f16 has them down to -14.
  const int range = std::min(20, -TraitsOf(TypesOf(spec.config).src_layer).min_exponent / 2 - 1);
  const uint64_t word = CounterRandom(spec.seed, kStreamProblem, static_cast<uint64_t>(channel));
  return static_cast<double>(word % static_cast<uint64_t>(2 * range + 1)) - range;
}

double WeightByte(const ProblemSpec& spec, const Element& e) {
  // One sign in a whole column: the sum of its bytes, which removes a zero point, exceeds 16 bits from 259 inputs on.
  const uint64_t column = e.Column().Word(10);
  if (spec.data == DataKind::kTame) return std::clamp(std::nearbyint(42 * e.Normal()), -127.0, 127.0);
  if (column % 8 == 0) return (column & 8) ? 127 : -128;
  const uint64_t word = e.Word();
  if (spec.data == DataKind::kSaturating || word % 16 == 0) {
    // One sign for two adjacent inputs: their products of u8 and s8 add up beyond 16 bits.
    return (e.Pair().Word(1) & 1) ? 127 : -128;
  }
  return std::clamp(std::nearbyint(42 * e.Normal()), -128.0, 127.0);
}

double DataByte(const ProblemSpec& spec, const Element& e) {
  const bool is_unsigned = e.type == DataType::kU8;
  if (spec.data == DataKind::kTame) {
    const DataScale data = DataScaleOf(spec);
    const double byte = std::nearbyint(data.scale * std::clamp(e.Normal() / 3, -1.0, 1.0) + data.zero_point);
    return is_unsigned ? std::clamp(byte, 0.0, 255.0) : std::clamp(byte, -128.0, 127.0);
  }
  if (spec.data == DataKind::kSaturating && e.Word() % 4 != 0) return is_unsigned ? 255 : -128;
  const double byte = static_cast<double>(e.Word(2) % 256);
  return is_unsigned ? byte : byte - 128;
}

// The largest number of one decimal digit that is not above `x`: 3e38 for f32's largest number.
double OneDigit(double x) {
  const double unit = std::pow(10, std::floor(std::log10(x)));
  return std::floor(x / unit) * unit;
}

// The tensor with special values: src_layer, another source or a parameter, each in one of three problems, if of floats.
Tensor SpecialTensor(const ProblemSpec& spec, const RnnProblem& problem) {
  const uint64_t word = CounterRandom(spec.seed, kStreamProblem, 1);
  // An absent state is a state of zeros, which is multiplied.
  if (!problem.Has(kSrcIter) && (word >> 32) % 2 == 0 && IsFloating(TypeOf(problem.md[kWeightsIter])))
    return kWeightsIter;
  const bool source = word % 3 == 1;
  std::vector<Tensor> inputs;
  for (const Tensor tensor : kForwardTensors) {
    const bool other_source = RoleOf(tensor) == TensorRole::kSource && tensor != kSrcLayer;
    const bool fits = source ? other_source : IsParameter(tensor);
    if (fits && problem.Has(tensor) && IsFloating(TypeOf(problem.md[tensor]))) inputs.push_back(tensor);
  }
  return word % 3 == 0 || inputs.empty() ? kSrcLayer : inputs[(word >> 8) % inputs.size()];
}

// Returns the factor of a tensor's data. It is a power of two, so that a problem whose outputs are proportional to its data
// stays as accurate. With the usual data few values are above 100, and a bound of an implementation for large ones would not be
// seen.
double Magnitude(const ProblemSpec& spec, Tensor tensor) {
  const bool narrow_range = TraitsOf(TypesOf(spec.config).src_layer).largest < 1e38;
  if (narrow_range || spec.fpmath != FpmathMode::kStrict || spec.seed == ProblemSpec().seed) return 1;
  const bool backward = spec.propagation == Propagation::kBackward;
  const bool unbounded = HasActivation(spec.cell) && !IsBounded(spec.activation) && !backward;
  const bool is_source = RoleOf(tensor) == TensorRole::kSource || tensor == kBias;
  if (!(IsDiff(tensor) ? backward : unbounded && is_source)) return 1;
  constexpr double kMagnitudes[] = {1, 1, 0x1p12, 0x1p24};
  return kMagnitudes[CounterRandom(spec.seed, kStreamProblem, 2) % std::size(kMagnitudes)];
}

// Returns the NaN of memory that was filled with 0xff. A conversion to 16 bits that rounds without a look at NaN carries into its
// sign, and makes 0 of it.
double NanOfOnes() {
  const uint64_t ones = ~uint64_t{0};
  double nan;
  std::memcpy(&nan, &ones, sizeof nan);
  return nan;
}

// One NaN among the weights reaches every row, so they have fewer.
double SpecialValue(const Element& e, double ordinary) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const uint64_t word = e.Word(3);
  if (word % (IsWeights(e.tensor) ? 128 : 64) != 0) return ordinary;
  switch ((word >> 8) % 6) {
    case 0:
      return (word >> 40) % 2 == 0 ? std::nan("") : NanOfOnes();
    case 1:
      return kInf;
    case 2:
      return -kInf;
    case 3:
      return -0.0;
    case 4:
      return 1e-41;
    default:
      return OneDigit(TraitsOf(e.type).largest);
  }
}

// The standard deviation that keeps the sum over all inputs of the order of the gain.
double WeightScale(const ProblemSpec& spec, const RnnProblem& problem, Tensor weights) {
  const Dim inputs = problem.md[weights].dims[AxisOf(weights, 'i')];
  return spec.gain / std::sqrt(static_cast<double>(std::max<Dim>(inputs, 1)));
}

double Weight(const ProblemSpec& spec, const Element& e) {
  const double scale = e.weight_scale;
  if (spec.data == DataKind::kCancelling) {
    const double shared = e.Pair().Normal();
    return scale * ((e.index[2] & 1) ? -shared + e.Normal(4) / 256 : shared);
  }
  if (spec.data == DataKind::kSpread && e.tensor == kWeightsLayer) {
    return scale * e.Normal() * std::exp2(SpreadExponent(spec, e.channel()));
  }
  return scale * e.Normal();
}

double LayerInput(const ProblemSpec& spec, const Element& e) {
  switch (spec.data) {
    case DataKind::kSaturating:
      return 20 * e.Normal();
    case DataKind::kTiny:
      return 1e-4 * e.Normal();
    case DataKind::kSpread:
      return e.Normal() * std::exp2(-SpreadExponent(spec, e.channel()));
    case DataKind::kCancelling:
      return 8 * e.Pair().Normal();
    case DataKind::kDense:
    case DataKind::kSpecial:
    case DataKind::kTies:
    case DataKind::kZero:
    case DataKind::kSweep:
    case DataKind::kTame:
      break;
  }
  return e.Normal();
}

// Gives states and biases that put many c of an LSTM in 16 bits on the middle between two numbers: c = 1 c_{t-1} + 1 tanh(1000),
// where the spacing above a power of two is twice that below.
double CellStateTieValue(const ProblemSpec& spec, const Element& e, double ordinary) {
  if (e.tensor == kSrcIterC) return 1 + e.Uniform();
  const bool is_output = e.tensor == kBias && TraitsOf(spec.cell).gate[e.index[2]].role == GateRole::kOutput;
  return e.tensor == kBias && !is_output ? 1000 : ordinary;
}

// The states and biases that put every h of an int8 problem on +-1 exactly: open gates, saturated candidates.
double TieValue(const ProblemSpec& spec, const Element& e, double ordinary) {
  if (!IsInt8(spec) && HasCellState(spec.cell)) return CellStateTieValue(spec, e, ordinary);
  const double sign = (e.Word(5) & 1) ? 1 : -1;
  if (e.tensor == kSrcIterC) return 100 * sign;
  if (e.tensor != kBias) return ordinary;
  switch (TraitsOf(spec.cell).gate[e.index[2]].role) {
    case GateRole::kForget:
    case GateRole::kOutput:
      return 1000;
    case GateRole::kOnly:
    case GateRole::kUpdate:
      return -1000;
    case GateRole::kCandidate:  // of LSTM: c_{t-1} is large already
      return BlendsState(spec.cell) ? 1000 * sign : ordinary;
    case GateRole::kInput:
    case GateRole::kReset:
    case GateRole::kUPrime:
      return ordinary;
  }
  ThrowNoSuchEnumerator("Cell", spec.cell);
}

// The gate whose activation unit `unit` shows, and the states that show it: h = sigma(x) tanh(c) with c beyond 1000;
// c = sigma(x) c_{t-1}, or sigma(0) tanh(x), in dst_iter_c; h = sigma(x) h_{t-1}, or (1 - sigma(0)) tanh(x).
struct SweepUnit {
  GateRole gate;
  double state;  // h_{t-1}, or c_{t-1} of an LSTM
};
SweepUnit SweepOf(Cell cell, Dim unit) {
  constexpr SweepUnit kOfC[] = {{GateRole::kOutput, 1e4}, {GateRole::kForget, 1}, {GateRole::kCandidate, 0}};
  constexpr SweepUnit kOfBlend[] = {{GateRole::kUpdate, 1}, {GateRole::kCandidate, 0}};
  switch (TraitsOf(cell).state) {
    case StateRule::kGate:
      return {GateRole::kOnly, 0};
    case StateRule::kFromC:
      return kOfC[unit % 3];
    case StateRule::kBlend:
      return kOfBlend[unit % 2];
  }
  ThrowNoSuchEnumerator("Cell", cell);
}

// An argument: where the functions bend, over the range that f32 resolves, at all magnitudes, and where the tails end in
// f32 and f16.
double SweepArgument(const Element& e) {
  const double sign = (e.Word(7) & 1) ? 1 : -1;
  switch (e.Word(6) % 4) {
    case 0:
      return 40 * e.Uniform() - 20;
    case 1:
      return 200 * e.Uniform() - 100;
    case 2:
      return sign * std::exp2(42 * e.Uniform() - 34);
    default:
      break;
  }
  constexpr double kTails[] = {4.2, 8.3, 9.01, 10.4, 17.3, 87.3, 88.7, 103.9};
  return sign * (kTails[e.Word(8) % 8] + 0.5 * e.Normal(9));
}

double SweepValue(const ProblemSpec& spec, const Element& e) {
  const SweepUnit shown = SweepOf(spec.cell, e.index[e.ndims - 1]);
  if (e.tensor == kSrcLayer) return e.channel() == 0 ? SweepArgument(e) : 0;
  if (e.tensor == kWeightsLayer) {
    return e.channel() == 0 && TraitsOf(spec.cell).gate[e.index[3]].role == shown.gate ? 1 : 0;
  }
  if (e.tensor == kSrcIterC || (e.tensor == kSrcIter && BlendsState(spec.cell))) return shown.state;
  return e.tensor == kWeightsProjection ? e.Normal() : 0;
}

double SourceValue(const ProblemSpec& spec, const Element& e) {
  // Some values are zeros, because the product of a zero and of an infinity among the weights is NaN.
  const bool meets_special = spec.data == DataKind::kSpecial && !e.special && e.tensor != kSrcIterC;
  if (meets_special && e.Word(12) % 4 == 0) return 0;
  if (e.tensor == kSrcLayer) return IsZeroRow(spec, e.index[1]) ? 0 : LayerInput(spec, e);
  if (e.tensor == kAugruAttention) return e.Uniform();
  // In an int8 problem, most of these states are beyond the bytes, many beyond the integers that a conversion from f32 gives.
  if (e.tensor == kSrcIter && spec.data == DataKind::kSaturating && IsInt8(spec)) {
    return e.Normal() * std::exp2(static_cast<double>(e.Word(11) % 100));
  }
  const double small = spec.data == DataKind::kTiny ? 1e-4 : 1;
  return small * (e.tensor == kSrcIter ? 2 * e.Uniform() - 1 : e.Normal());
}

// A weight of layer or iter; the rows of its gate may all be equal or far from zero where they are normalized.
double NormedWeight(const ProblemSpec& spec, const Element& e) {
  const GateWeights parts = GateWeightsOf(spec, e.tensor, e.index[0], e.index[1], e.index[3]);
  if (parts.shared == 0) return Weight(spec, e);
  Element first = e;
  first.index[e.ndims - 1] = 0;
  return parts.own * Weight(spec, e) + parts.shared * Weight(spec, first);
}

double UsualValue(const ProblemSpec& spec, const Element& e) {
  if (IsDiff(e.tensor)) return e.Normal();
  switch (RoleOf(e.tensor)) {
    case TensorRole::kSource:
      return SourceValue(spec, e);
    case TensorRole::kWeights:
      return e.tensor == kWeightsProjection ? Weight(spec, e) : NormedWeight(spec, e);
    case TensorRole::kParameter:
      return e.Normal() * (e.tensor == kWeightsPeephole ? 0.5 : spec.data == DataKind::kTiny ? 1e-4 : 1);
    case TensorRole::kNorm:
      return e.tensor == kNormGain ? std::min(spec.gain, 1.f) * (1 + e.Normal() / 2) : e.Normal();
    case TensorRole::kMask:
      return MaskValue(e.tensor, e.Word());
    case TensorRole::kResult:
    case TensorRole::kLengths:
      break;
  }
  return e.Normal();
}

double FloatValue(const ProblemSpec& spec, const Element& e) { return Magnitude(spec, e.tensor) * UsualValue(spec, e); }

double ValueOf(const ProblemSpec& spec, const RnnProblem& problem, const Element& e) {
  if (spec.data == DataKind::kZero) return 0;
  if (IsDiff(e.tensor) && IsOutput(problem, e.tensor) && problem.diff_weights_mode() == DiffWeightsMode::kOverwrite) {
    return std::nan("");
  }
  if (IsByte(e.type)) return IsWeights(e.tensor) ? WeightByte(spec, e) : DataByte(spec, e);
  if (spec.data == DataKind::kSweep && !IsDiff(e.tensor) && !IsMask(e.tensor)) return SweepValue(spec, e);
  const double value = FloatValue(spec, e);
  if (e.special) return SpecialValue(e, value);
  return spec.data == DataKind::kTies ? TieValue(spec, e, value) : value;
}

}  // namespace

void FillInputs(const ProblemSpec& spec, const RnnProblem& problem, TensorSet* tensors) {
  const std::vector<Dim> lengths = RowLengthsOf(spec);
  for (const Tensor tensor : kTensors) {
    TensorBuffer& buffer = tensors->tensor[tensor];
    const bool holds_something = IsInput(problem, tensor) || (IsDiff(tensor) && problem.Has(tensor));
    if (!holds_something || IsForwardOutput(tensor) || buffer.empty()) continue;
    if (tensor == kSequenceLengths) {
      buffer.Fill([&](size_t n) { return static_cast<double>(lengths[n]); });
      continue;
    }
    const MemoryDesc& md = buffer.md();
    const double weight_scale = IsWeights(tensor) ? WeightScale(spec, problem, tensor) : 1;
    const bool special = spec.data == DataKind::kSpecial && tensor == SpecialTensor(spec, problem);
    Element e = {tensor, buffer.type(), {}, md.ndims, spec.seed, weight_scale, special};
    for (size_t linear = 0; linear < buffer.size(); ++linear) {
      if (e.index[md.ndims - 1] == 0) e.row = e.RowKey(0);
      buffer.Set(linear, ValueOf(spec, problem, e));
      Advance(md, e.index);
    }
  }
  FillBeyondLengths(problem, std::nan(""), tensors);
}

}  // namespace tandem::conformance
