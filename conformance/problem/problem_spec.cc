#include "conformance/problem/problem_spec.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "api/core/error.h"
#include "api/core/memory/memory_desc_checks.h"
#include "conformance/problem/base/counter_random.h"

namespace tandem::conformance {
namespace {

constexpr DataType kF = DataType::kF32, kB = DataType::kBf16, kH = DataType::kF16;
constexpr DataType kU = DataType::kU8, kS = DataType::kS8;

// src_layer, src_iter, dst_iter, dst_layer, weights, bias, cell state, how often it is drawn. Weights in s8 of floating data
// only if they are asked for: a plugin that looks at src_layer alone would take them for floats.
constexpr ConfigTypes kConfigs[] = {
    {Config::kF32, "f32", kF, kF, kF, kF, kF, kF, kF, 3},
    {Config::kBf16f32, "bf16f32", kB, kB, kB, kB, kB, kF, kF, 2},
    {Config::kBf16, "bf16", kB, kB, kB, kB, kB, kB, kB, 1},
    {Config::kF16, "f16", kH, kH, kH, kH, kH, kH, kH, 1},
    {Config::kF16f32, "f16f32", kH, kH, kH, kH, kH, kF, kF, 1},
    {Config::kF16c32, "f16c32", kH, kH, kH, kH, kH, kH, kF, 1},
    {Config::kF32w8, "f32w8", kF, kF, kF, kF, kS, kF, kF, 0},
    {Config::kBf16w8, "bf16w8", kB, kB, kB, kB, kS, kF, kF, 0},
    {Config::kF32w8dyn, "f32w8dyn", kF, kF, kF, kF, kS, kF, kF, 0},
    {Config::kU8u8u8u8, "u8u8u8u8", kU, kU, kU, kU, kS, kF, kF, 1},
    {Config::kU8u8u8f32, "u8u8u8f32", kU, kU, kU, kF, kS, kF, kF, 1},
    {Config::kF32u8f32u8, "f32u8f32u8", kU, kF, kF, kU, kS, kF, kF, 1},
    {Config::kF32u8f32f32, "f32u8f32f32", kU, kF, kF, kF, kS, kF, kF, 1},
    {Config::kS8s8s8s8, "s8s8s8s8", kS, kS, kS, kS, kS, kF, kF, 1},
    {Config::kS8s8s8f32, "s8s8s8f32", kS, kS, kS, kF, kS, kF, kF, 1},
    {Config::kF32s8f32s8, "f32s8f32s8", kS, kF, kF, kS, kS, kF, kF, 1},
    {Config::kF32s8f32f32, "f32s8f32f32", kS, kF, kF, kF, kS, kF, kF, 1},
};
static_assert(HasRowForEach(kConfigs, &ConfigTypes::config, kLastConfig), "a row for each Config");

struct Alias {
  const char* name;
  const char* letters;
};
constexpr Alias kAliases[] = {{"any", ""},      {"tnc", "abc"},     {"ntc", "bac"},
                              {"ldnc", "abcd"}, {"ldigo", "abcde"}, {"ldgoi", "abdec"},
                              {"ldio", "abcd"}, {"ldoi", "abdc"},   {"ldgo", "abcd"}};

// Letters of a tag, outermost first; empty for `any`. Throws for what is not a permutation of the first `ndims`.
std::string Letters(const std::string& tag, int ndims) {
  std::string letters = tag;
  for (const Alias& alias : kAliases) {
    if (tag == alias.name) letters = alias.letters;
  }
  if (letters.empty()) return std::string("abcdefghijkl").substr(0, ndims);
  std::string sorted = letters;
  std::sort(sorted.begin(), sorted.end());
  if (sorted != std::string("abcdefghijkl").substr(0, ndims)) {
    ThrowInvalid("tag " + tag + " is not a layout of a tensor of " + std::to_string(ndims) + " dimensions");
  }
  return letters;
}

// Projection weights have no gates: what ldigo and ldgoi are to the others, ldio and ldoi are to them.
std::string ProjectionTag(const std::string& weights_tag) {
  const std::string letters = Letters(weights_tag, 5);
  return letters.find('c') < letters.find('e') ? "abcd" : "abdc";
}

MemoryDesc MakeLaidOut(const Dims& dims, DataType type, const std::string& tag, int padding) {
  const std::string letters = Letters(tag, static_cast<int>(dims.size()));
  Dims strides(dims.size());
  Dim stride = 1;
  for (size_t i = letters.size(); i-- > 0;) {
    const int axis = letters[i] - 'a';
    strides[axis] = stride;
    stride = CheckedProduct(stride, std::max<Dim>(dims[axis], 1), "tensor");
    // Of dims below 2^41 and a padding below 2^21 the sum cannot overflow.
    if (i + 1 == letters.size()) stride += padding;
  }
  return MakeStrided(dims, type, strides);
}

void SetForwardTensors(const ProblemSpec& s, RnnProblem* p) {
  const ConfigTypes& types = TypesOf(s.config);
  const Dim dirs = IsBidirectional(s.direction) ? 2 : 1;
  const Dim gates = NumGates(s.cell);
  const Dim dlc = (s.direction == Direction::kBidirectionalConcat ? 2 : 1) * s.dic;
  auto set = [&](Tensor tensor, const Dims& dims, DataType type, const std::string& tag) {
    const bool padded = tensor == kSrcLayer || tensor == kDstLayer || tensor == kSrcIter || tensor == kSrcIterC ||
                        tensor == kDstIter || tensor == kDstIterC;
    if (!IsAbsent(s, tensor)) p->md[tensor] = MakeLaidOut(dims, type, tag, padded ? s.padding : 0);
  };
  set(kSrcLayer, {s.t, s.mb, s.slc}, types.src_layer, s.src_tag);
  set(kSrcIter, {s.l, dirs, s.mb, s.sic}, types.src_iter, "any");
  set(kWeightsLayer, {s.l, dirs, s.slc, gates, s.dhc}, types.weights, s.weights_tag);
  if (HasIterProduct(s.cell)) set(kWeightsIter, {s.l, dirs, s.sic, gates, s.dhc}, types.weights, s.weights_tag);
  set(kBias, {s.l, dirs, NumBiasGates(s.cell), s.dhc}, types.bias, "any");
  set(kDstLayer, {s.t, s.mb, dlc}, types.dst_layer, s.dst_tag);
  set(kDstIter, {s.l, dirs, s.mb, s.dic}, types.dst_iter, "any");
  if (HasCellState(s.cell)) {
    set(kSrcIterC, {s.l, dirs, s.mb, s.dhc}, types.cell_state, "any");
    set(kDstIterC, {s.l, dirs, s.mb, s.dhc}, types.cell_state, "any");
    if (s.with_peephole) set(kWeightsPeephole, {s.l, dirs, NumPeepholes(s.cell), s.dhc}, DataType::kF32, "any");
    if (s.with_projection) {
      set(kWeightsProjection, {s.l, dirs, s.dhc, s.dic}, types.weights, ProjectionTag(s.weights_tag));
    }
  }
  if (HasAttention(s.cell)) set(kAugruAttention, {s.t, s.mb, 1}, types.src_layer, "any");
}

// Every diff tensor is f32 and mirrors its partner; only the weights' gradients may have a layout of their own.
void SetDiffTensors(const ProblemSpec& s, RnnProblem* p) {
  for (const Tensor i : kForwardTensors) {
    const MemoryDesc& md = p->md[i];
    if (IsZero(md) || !HasDiff(i)) continue;
    MemoryDesc& diff = p->md[Diff(i)];
    const Dims dims(md.dims, md.dims + md.ndims);
    if (i == kWeightsLayer || i == kWeightsIter) {
      diff = MakeLaidOut(dims, DataType::kF32, s.diff_weights_tag, 0);
    } else if (i == kWeightsProjection) {
      diff = MakeLaidOut(dims, DataType::kF32, ProjectionTag(s.diff_weights_tag), 0);
    } else {
      diff = MakeStrided(dims, DataType::kF32, Dims(Strides(md), Strides(md) + md.ndims));
    }
  }
}

// Full-range s8 weights (standard deviation 42) stand for real ones of gain / sqrt(inputs). Per channel, the scales
// span 2^6.
ScaleVector WeightScales(const ProblemSpec& s, Dim channels, Dim inputs, int mask) {
  const float common = 42.f * std::sqrt(static_cast<float>(std::max<Dim>(inputs, 1))) / s.gain;
  ScaleVector scales;
  scales.mask = mask;
  scales.values.assign(mask == 0 ? 1 : channels, common);
  if (mask == 0) return scales;
  for (Dim i = 0; i < channels; ++i) {
    const uint64_t word = CounterRandom(s.seed, kStreamWeightScales + mask, i);
    scales.values[i] = common * std::exp2(static_cast<float>(word % 193) / 32.f - 3.f);
  }
  return scales;
}

void SetDataScale(const ProblemSpec& s, RnnProblem* p) {
  const auto [scale, zero_point] = DataScaleOf(s);
  p->attr.rnn_data_scale = scale;
  p->attr.rnn_data_shift = s.reading == Reading::kOnednn ? zero_point : zero_point / scale;
}

void SetWeightScales(const ProblemSpec& s, RnnProblem* p) {
  const bool per_channel = s.scaling == QuantizationScaling::kPerOutputChannel;
  p->attr.rnn_weights = WeightScales(s, NumGates(s.cell) * s.dhc, s.slc + s.sic, per_channel ? 24 : 0);
  if (s.with_projection) {
    const bool per_dic = s.projection_scaling == QuantizationScaling::kPerOutputChannel;
    p->attr.rnn_weights_projection = WeightScales(s, s.dic, s.dhc, per_dic ? 8 : 0);
  }
}

}  // namespace

const ConfigTypes& TypesOf(Config config) { return kConfigs[static_cast<int>(config)]; }

DataScale DataScaleOf(const ProblemSpec& spec) {
  const bool is_unsigned = TypesOf(spec.config).src_layer == DataType::kU8, is_tame = spec.data == DataKind::kTame;
  const float scale = is_tame ? 127.f : is_unsigned ? 63.5f : 32.f;
  const float zero_point = !is_unsigned ? 0.f : is_tame ? 128.f : 28.f;
  return {spec.data_scale > 0 ? spec.data_scale : scale, spec.zero_point >= 0 ? spec.zero_point : zero_point};
}

bool operator==(const ProblemSpec& a, const ProblemSpec& b) {
  const auto key = [](const ProblemSpec& s) {
    return std::make_tuple(
        std::tie(s.cell, s.propagation, s.direction, s.activation, s.config, s.src_tag, s.weights_tag, s.dst_tag,
                 s.scaling, s.projection_scaling, s.flags),
        std::tie(s.with_peephole, s.with_projection, s.fpmath, s.scratchpad, s.diff_weights_tag, s.padding, s.misalign,
                 s.wide_offsets, s.absent, s.reading, s.alpha, s.beta, s.gates, s.data_scale, s.zero_point),
        std::tie(s.norm.kind, s.norm.scope, s.norm.cell, s.norm.epsilon),
        std::tie(s.lengths, s.masks, s.data, s.gain, s.seed, s.l, s.t, s.mb, s.sic, s.slc, s.dhc, s.dic, s.name));
  };
  return key(a) == key(b);
}

void ResolveDims(ProblemSpec* spec) {
  if (spec->slc == 0) spec->slc = spec->sic;
  if (spec->dhc == 0) spec->dhc = spec->sic;
  if (spec->dic == 0) spec->dic = spec->dhc;
}

RnnProblem ToRnnProblem(const ProblemSpec& given) {
  ProblemSpec spec = given;
  ResolveDims(&spec);
  RnnProblem problem;
  problem.cell = spec.cell;
  problem.propagation = spec.propagation;
  problem.direction = spec.direction;
  problem.activation = spec.activation;
  problem.alpha = spec.alpha;
  problem.beta = spec.beta;
  problem.flags = spec.flags;
  problem.attr.fpmath_mode = spec.fpmath;
  problem.attr.scratchpad_mode = spec.scratchpad;
  problem.attr.reading = spec.reading;
  problem.attr.rnn_sequence_lengths = spec.lengths != RowLengths::kNone;
  problem.attr.rnn_masks = spec.masks;
  problem.attr.rnn_dynamic_quantization = IsDynamic(spec);
  problem.attr.rnn_gates = spec.gates;
  problem.attr.rnn_layer_norm = spec.norm;
  SetForwardTensors(spec, &problem);
  if (spec.propagation == Propagation::kBackward) SetDiffTensors(spec, &problem);
  if (IsInt8(spec)) SetDataScale(spec, &problem);
  if (HasByteWeights(spec.config)) SetWeightScales(spec, &problem);
  Validate(&problem);
  return problem;
}

double CountOps(const ProblemSpec& given) {
  ProblemSpec spec = given;
  ResolveDims(&spec);
  const double cell = 2.0 * NumGates(spec.cell) * spec.dhc * spec.mb * (spec.sic + spec.slc) +
                      (spec.with_projection ? 2.0 * spec.dhc * spec.mb * spec.dic : 0.0);
  const double runs = static_cast<double>(spec.l) * spec.t * (IsBidirectional(spec.direction) ? 2 : 1);
  return cell * runs * (spec.propagation == Propagation::kBackward ? 2 : 1);
}

}  // namespace tandem::conformance
