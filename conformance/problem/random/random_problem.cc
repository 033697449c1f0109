#include "conformance/problem/random/random_problem.h"

#include <algorithm>
#include <iterator>

#include "conformance/problem/base/draw.h"
#include "conformance/problem/base/mask_values.h"
#include "conformance/problem/layer_norms.h"
#include "conformance/problem/random/pairs.h"
#include "conformance/problem/random/random_functions.h"
#include "conformance/problem/row_lengths.h"

namespace tandem::conformance {
namespace {

// Around vector lengths and their tails, small sizes more often; one in ten is any size, because no list has them all.
Dim Channels(Draw* draw, Dim limit) {
  const Dim n = !draw->OneIn(5)  ? draw->Between(1, 17)
                : draw->OneIn(2) ? draw->Between(18, 65)
                                 : draw->From<Dim>({31, 32, 33, 63, 64, 65});
  return std::min(n, limit);
}

bool IsSignedConfig(Config config) { return config >= Config::kS8s8s8s8; }

// The specification's table of data types: int8 serves inference, of some cells.
bool Serves(Config config, Cell cell, Propagation propagation) {
  if (HasByteWeights(config) && propagation != Propagation::kForwardInference) return false;
  return !IsInt8(config) || TakesInt8(cell, IsSignedConfig(config) ? DataType::kS8 : DataType::kU8);
}

// LSTM, which has most options, twice.
std::vector<Cell> DrawnCells() {
  std::vector<Cell> cells;
  for (const Cell cell : kCells) cells.insert(cells.end(), HasCellState(cell) ? 2 : 1, cell);
  return cells;
}

std::vector<Config> DrawnConfigs() {
  std::vector<Config> configs;
  for (int i = 0; i < kNumConfigs; ++i) {
    const Config config = static_cast<Config>(i);
    configs.insert(configs.end(), TypesOf(config).draws, config);
  }
  return configs;
}

// The features that a problem is drawn to have: those of a pair, or none where the scope excludes one of them.
class Wanted {
 public:
  Wanted() = default;
  Wanted(const FeaturePair& pair, const ProblemScope& scope) {
    for (const Feature feature : {pair.first, pair.second}) {
      if (!IsWithin(scope, feature)) return;
    }
    features_ = {pair.first, pair.second};
  }
  // Its value of `aspect`; `otherwise` if it may have any.
  int Value(Aspect aspect, int otherwise) const {
    for (const Feature feature : features_) {
      if (feature.aspect == aspect) return feature.value;
    }
    return otherwise;
  }
  bool Wants(Aspect aspect) const { return Value(aspect, -1) >= 0; }
  bool IsMetBy(const ProblemSpec& spec) const {
    return std::all_of(features_.begin(), features_.end(), [&](Feature feature) { return Has(spec, feature); });
  }
  // Whether a problem of this cell and these types can have the other features.
  bool Allows(Cell cell, Config config) const {
    const bool peephole = Value(Aspect::kPeephole, 0) != 0, projection = Value(Aspect::kProjection, 0) != 0;
    if ((peephole || projection) && !HasCellState(cell)) return false;
    if (peephole && IsInt8(config)) return false;
    const bool stacked = Value(Aspect::kLayers, 0) != 0 || Value(Aspect::kDirection, 0) != 0;
    return !stacked || !HasAttention(cell);
  }

 private:
  template <class T>
  static bool IsAmong(const std::vector<T>& chosen, int value) {
    return chosen.empty() || std::find(chosen.begin(), chosen.end(), static_cast<T>(value)) != chosen.end();
  }
  static bool IsWithin(const ProblemScope& scope, Feature feature) {
    if (feature.aspect == Aspect::kCell) return IsAmong(scope.cells, feature.value);
    if (feature.aspect == Aspect::kPropagation) return IsAmong(scope.propagations, feature.value);
    if (feature.aspect == Aspect::kTypes) return IsAmong(scope.configs, feature.value);
    return true;
  }

  std::vector<Feature> features_;
};

// As `chosen` has it, but what is wanted where it is.
template <class T>
std::vector<T> Narrowed(const Wanted& wanted, Aspect aspect, const std::vector<T>& chosen) {
  return wanted.Wants(aspect) ? std::vector<T>{static_cast<T>(wanted.Value(aspect, 0))} : chosen;
}

bool DrawKind(const ProblemScope& scope, const Wanted& wanted, Draw* draw, ProblemSpec* spec) {
  const std::vector<Cell> cells = Narrowed(wanted, Aspect::kCell, scope.cells);
  const std::vector<Propagation> propagations = Narrowed(wanted, Aspect::kPropagation, scope.propagations);
  const std::vector<Config> configs = Narrowed(wanted, Aspect::kTypes, scope.configs);
  // A rejected triple is drawn again: bounded, because f32 serves everything, and a scope may allow nothing valid.
  for (int attempt = 0; attempt < 64; ++attempt) {
    spec->cell = draw->From(cells, DrawnCells());
    spec->propagation = draw->From(propagations, {Propagation::kForwardInference, Propagation::kForwardInference,
                                                  Propagation::kForwardTraining, Propagation::kBackward});
    spec->config = draw->From(configs, DrawnConfigs());
    if (Serves(spec->config, spec->cell, spec->propagation) && wanted.Allows(spec->cell, spec->config)) return true;
  }
  return false;
}

// Of `values`, one that has the wanted feature. A scope may allow none.
Dim DrawSize(const Wanted& wanted, Aspect aspect, Dim ProblemSpec::*size, const std::vector<Dim>& values, Draw* draw,
             const ProblemSpec& given) {
  std::vector<Dim> fitting;
  for (const Dim value : values) {
    ProblemSpec spec = given;
    spec.*size = value;
    if (!wanted.Wants(aspect) || FeatureOf(spec, aspect).value == wanted.Value(aspect, 0)) fitting.push_back(value);
  }
  return draw->From(fitting, values);
}

void DrawDims(const ProblemScope& scope, const Wanted& wanted, Draw* draw, ProblemSpec* spec) {
  const auto size = [&](Aspect aspect, Dim ProblemSpec::*dim, const std::vector<Dim>& values) {
    return DrawSize(wanted, aspect, dim, values, draw, *spec);
  };
  const std::vector<Dim> layers = {1, 1, 1, 2, 3};
  spec->l = HasAttention(spec->cell) ? 1 : size(Aspect::kLayers, &ProblemSpec::l, layers);
  const std::vector<Dim> steps = {1, 1, 2, 3, 3, 4, 5, 7, 12, draw->Between(5, 12), draw->Between(2, 12)};
  spec->t = std::min(scope.max_steps, size(Aspect::kSteps, &ProblemSpec::t, steps));
  const std::vector<Dim> rows = {1, 1, 2, 3, 4, 5, 8, 16, 17, draw->Between(2, 17), draw->Between(2, 40)};
  spec->mb = size(Aspect::kRows, &ProblemSpec::mb, rows);
  std::vector<Dim> channels;
  for (int i = 0; i < 32; ++i) channels.push_back(Channels(draw, scope.max_channels));
  spec->dhc = size(Aspect::kTail, &ProblemSpec::dhc, channels);
  // A projection that is not square cannot be read transposed by mistake: its sizes differ.
  const bool square = !spec->with_projection || draw->OneIn(3);
  spec->dic = square ? spec->dhc : Channels(draw, scope.max_channels);
  // SIC may differ from DIC only where no step feeds another; a GRU adds h to h'.
  const bool free_sic = spec->t == 1 && spec->l == 1 && !BlendsState(spec->cell) && draw->OneIn(2);
  spec->sic = free_sic ? Channels(draw, scope.max_channels) : spec->dic;
  spec->slc = spec->l > 1 ? spec->dic : Channels(draw, scope.max_channels);
  // What the oracle can afford whole: beyond it judges some of the rows.
  constexpr double kMostOps = 4e7;
  while (spec->mb > 3 && CountOps(*spec) >= kMostOps) spec->mb /= 2;
}

void DrawAbsent(Draw* draw, ProblemSpec* spec) {
  if (draw->OneIn(6)) spec->absent |= 1u << kBias;
  const bool lstm = HasCellState(spec->cell);
  if (draw->OneIn(5)) spec->absent |= 1u << kSrcIter | (lstm ? 1u << kSrcIterC : 0u);
  if (draw->OneIn(5)) spec->absent |= 1u << kDstIter | (lstm ? 1u << kDstIterC : 0u);
}

void DrawLayouts(Draw* draw, ProblemSpec* spec) {
  if (draw->OneIn(2)) {
    spec->src_tag = draw->From<const char*>({"tnc", "ntc"});
    spec->dst_tag = draw->From<const char*>({"tnc", "ntc"});
  }
  if (draw->OneIn(2)) spec->weights_tag = draw->From<const char*>({"ldigo", "ldgoi"});
  if (draw->OneIn(4)) spec->diff_weights_tag = draw->From<const char*>({"ldigo", "ldgoi"});
  if (draw->OneIn(3)) spec->padding = draw->From<int>({1, 2, 3, 8, 13});
  if (draw->OneIn(4)) spec->misalign = draw->From<int>({1, 2, 3, 5, 7, 15});
  if (draw->OneIn(4)) spec->scratchpad = ScratchpadMode::kUser;
}

void DrawScaling(Draw* draw, ProblemSpec* spec) {
  using Scaling = QuantizationScaling;
  spec->scaling = draw->From<Scaling>({Scaling::kCommon, Scaling::kPerOutputChannel});
  spec->projection_scaling = draw->From<Scaling>({Scaling::kCommon, Scaling::kPerOutputChannel});
}

void DrawDataScale(Draw* draw, ProblemSpec* spec) {
  if (spec->data == DataKind::kTies) {
    // +-1 lands on 121.5 and 40.5 for u8, on +-40.5 for s8: half away from zero and half to even differ.
    spec->data_scale = 40.5f;
    spec->zero_point = IsSignedConfig(spec->config) ? 0.f : 81.f;
  } else if (!IsSignedConfig(spec->config) && draw->OneIn(2)) {
    spec->zero_point = draw->From<float>({0.f, 28.f, 128.f, 255.f, 0.5f, 27.75f, 127.5f});
    spec->data_scale = draw->From<float>({16.f, 63.f, 127.f});
  }
}

// Bounds grow from step to step where recurrent states are hidden (lower layers, summed directions), and are wide where
// a mode allows 8 bits of precision. A gain below 1 keeps them narrow there, the smaller the more steps there are.
void KeepBoundsTight(Draw* draw, ProblemSpec* spec) {
  if (spec->config == Config::kF32 && draw->OneIn(6)) {
    // With 8 bits of precision the bounds of all gradients are too wide to test anything.
    const bool backward = spec->propagation == Propagation::kBackward;
    spec->fpmath =
        backward ? draw->From<FpmathMode>({FpmathMode::kF16, FpmathMode::kTf32})
                 : draw->From<FpmathMode>({FpmathMode::kBf16, FpmathMode::kF16, FpmathMode::kTf32, FpmathMode::kAny});
    spec->data = DataKind::kDense;
    const bool wide = spec->fpmath == FpmathMode::kBf16 || spec->fpmath == FpmathMode::kAny;
    spec->gain = wide ? 0.05f : 0.3f;
  }
  const bool long_backward = spec->propagation == Propagation::kBackward && spec->t > 4;
  if (spec->with_projection && spec->propagation == Propagation::kBackward) spec->gain = std::min(spec->gain, 0.3f);
  if (spec->l == 1 && spec->direction != Direction::kBidirectionalSum) return;
  spec->gain = std::min(spec->gain, long_backward ? 0.15f : spec->t > 4 ? 0.3f : 0.6f);
  if (spec->data == DataKind::kCancelling || spec->data == DataKind::kSaturating || spec->data == DataKind::kSpread) {
    spec->data = DataKind::kDense;
  }
}

// Around the sizes of tiles, blocks and counters of 8 bits, or any size; one in six beyond a tile of any kind. Of any
// size the smaller ones more often, as of the listed ones.
Dim LargeSize(Draw* draw) {
  const bool listed = draw->OneIn(2), huge = draw->OneIn(6);
  if (!listed) return huge ? draw->Between(514, 2100) : draw->Between(18, draw->Between(64, 513));
  return huge ? draw->From<Dim>({1023, 1024, 1025, 2000, 2047, 2048, 2049, 2100})
              : draw->From<Dim>({127, 128, 129, 255, 256, 257, 511, 512, 513});
}
// A matrix of this square is as much as the oracle can afford.
constexpr Dim kLargestSquare = 513;

void LimitChannels(Dim limit, ProblemSpec* spec) {
  for (Dim* dim : {&spec->sic, &spec->slc, &spec->dhc, &spec->dic}) *dim = std::min(*dim, limit);
}

// Where h feeds a next step or layer, its width is that of what it feeds.
void FeedBack(ProblemSpec* spec) {
  if (spec->t > 1 || spec->l > 1) spec->sic = spec->dic;
  if (spec->l > 1) spec->slc = spec->dic;
}

void WidenChannels(Dim size, Draw* draw, ProblemSpec* spec) {
  spec->l = 1;
  spec->t = std::min<Dim>(spec->t, 2);
  spec->mb = std::min<Dim>(spec->mb, 2);
  if (draw->OneIn(3)) {
    LimitChannels(33, spec);
    spec->slc = size;
    return;
  }
  LimitChannels(9, spec);
  spec->dhc = size;
  if (spec->with_projection) return;
  spec->dic = spec->sic = size;
  if (size <= kLargestSquare) return;
  // One step takes its h from src_iter, whose channels are free then; a GRU adds both.
  if (BlendsState(spec->cell)) {
    spec->dhc = spec->dic = spec->sic = kLargestSquare;
  } else {
    spec->t = 1;
    spec->sic = 5;
  }
}

// One dimension far beyond those of other problems, the others small, so that the oracle needs little time.
void Stretch(const ProblemScope& scope, Draw* draw, ProblemSpec* spec) {
  spec->wide_offsets = false;
  const Dim size = LargeSize(draw);
  switch (draw->Word() % 5) {
    case 0:
    case 1:
      if (size > scope.max_channels) return;
      WidenChannels(size, draw, spec);
      break;
    case 2:
      spec->mb = size;
      spec->l = 1;
      spec->t = std::min<Dim>(spec->t, 2);
      LimitChannels(9, spec);
      break;
    case 3:
      spec->t =
          std::min(scope.max_steps, draw->From<Dim>({15, 16, 17, 21, 31, 33, 50, 64, 65, 99, 100, 128, 200, 257, 300}));
      spec->l = 1;
      spec->mb = std::min<Dim>(spec->mb, 3);
      LimitChannels(9, spec);
      // The states of a sum are hidden.
      if (spec->direction == Direction::kBidirectionalSum) spec->direction = Direction::kBidirectionalConcat;
      break;
    case 4:
      if (HasAttention(spec->cell)) return;
      spec->l = draw->From<Dim>({4, 5, 6, 8, 12});
      spec->t = std::min<Dim>(spec->t, 2);
      LimitChannels(9, spec);
      break;
  }
  FeedBack(spec);
  // Bounds grow with the inputs of a sum, and where states or gradients pass from step to step unseen.
  const bool backward = spec->propagation == Propagation::kBackward;
  if (backward || spec->l > 1) {
    spec->data = DataKind::kDense;
    spec->gain = std::min(spec->gain, spec->dhc > 100 ? 0.05f : 0.3f);
  }
}

// One dimension of a problem in six is stretched, if its features stay.
void MayStretch(const ProblemScope& scope, const Wanted& wanted, Draw* draw, ProblemSpec* spec) {
  if (!draw->OneIn(6)) return;
  ProblemSpec stretched = *spec;
  Stretch(scope, draw, &stretched);
  if (wanted.IsMetBy(stretched)) *spec = stretched;
}

// As lengths are, and with no other than the pair's types, so that a run has these as often as it has others.
void MayDrawByteWeights(const ProblemScope& scope, const Wanted& wanted, uint64_t seed, uint64_t index,
                        ProblemSpec* spec) {
  const bool fits = (spec->config == Config::kF32 || spec->config == Config::kBf16) &&
                    spec->propagation == Propagation::kForwardInference && !wanted.Wants(Aspect::kTypes);
  // A scope that names the types has no others.
  if (scope.byte_weights_one_in == 0 || !scope.configs.empty() || !fits) return;
  const uint64_t word = CounterRandom(seed, kStreamByteWeights, index);
  if (word % scope.byte_weights_one_in != 0) return;
  spec->config = spec->config == Config::kBf16 ? Config::kBf16w8
                 : (word >> 63) != 0           ? Config::kF32w8dyn
                                               : Config::kF32w8;
}

}  // namespace

// The pairs take turns, so that a run of many problems has them all.
ProblemSpec RandomProblem(const ProblemScope& scope, uint64_t seed, uint64_t index) {
  Draw draw(seed, index);
  Wanted wanted(DrawnPairs()[index % DrawnPairs().size()], scope);
  ProblemSpec spec;
  if (!DrawKind(scope, wanted, &draw, &spec)) {
    wanted = Wanted();
    DrawKind(scope, wanted, &draw, &spec);  // validation refuses what a scope without a valid problem leaves here
  }
  MayDrawByteWeights(scope, wanted, seed, index, &spec);
  const bool int8 = IsInt8(spec), byte_weights = HasByteWeights(spec.config);
  const int direction = wanted.Value(Aspect::kDirection, static_cast<int>(draw.Word() % 4));
  spec.direction = HasAttention(spec.cell) ? Direction::kLeft2Right : static_cast<Direction>(direction);
  if (HasActivation(spec.cell)) {
    static const std::vector<Activation> drawn = ActivationsIn(InRandomProblems::kAll);
    spec.activation = drawn[draw.Word() % drawn.size()];
    if (UsesAlpha(spec.activation) || draw.OneIn(2))
      spec.alpha = draw.From<float>({0.f, 0.1f, 0.5f, 1.f, 1.75f, -0.25f, -1.f, -2.f});
    MayDrawActivation(scope, seed, index, &spec);
  }
  if (HasCellState(spec.cell)) {
    spec.with_peephole = wanted.Value(Aspect::kPeephole, !int8 && draw.OneIn(3)) != 0;
    spec.with_projection = wanted.Value(Aspect::kProjection, draw.OneIn(4)) != 0;
  }
  DrawDims(scope, wanted, &draw, &spec);
  DrawAbsent(&draw, &spec);
  DrawLayouts(&draw, &spec);
  spec.data =
      draw.OneIn(2) ? DataKind::kDense
      : int8        ? draw.From<DataKind>({DataKind::kSaturating, DataKind::kTies, DataKind::kTiny})
      : byte_weights
          ? draw.From<DataKind>({DataKind::kSaturating, DataKind::kTiny, DataKind::kSpecial, DataKind::kZero})
          : draw.From<DataKind>({DataKind::kSaturating, DataKind::kTiny, DataKind::kCancelling, DataKind::kSpread,
                                 DataKind::kSpecial, DataKind::kSpecial, DataKind::kZero, DataKind::kSweep});
  // NaN has no gradient to speak of.
  if (spec.data == DataKind::kSpecial && spec.propagation == Propagation::kBackward) spec.data = DataKind::kDense;
  spec.gain = draw.From<float>({0.3f, 0.6f, 1.f, 1.f, 2.f, 4.f});
  // Bytes cannot be tiny, but the real numbers that they and the weights stand for can.
  if (byte_weights && spec.data == DataKind::kTiny) spec.gain = 1e-4f;
  KeepBoundsTight(&draw, &spec);
  if (byte_weights) DrawScaling(&draw, &spec);
  if (int8) DrawDataScale(&draw, &spec);
  if (spec.propagation == Propagation::kBackward && draw.OneIn(4)) {
    spec.flags = dnnl_rnn_flags_diff_weights_overwrite;
  }
  spec.wide_offsets = draw.OneIn(24) && sizeof(void*) > 4;  // more than 32-bit processors address
  spec.seed = draw.Word() % 1000000;
  MayStretch(scope, wanted, &draw, &spec);
  if (spec.data == DataKind::kSweep && (wanted.Wants(Aspect::kLayers) || wanted.Wants(Aspect::kSteps))) {
    spec.data = DataKind::kDense;
  }
  if (spec.data == DataKind::kSweep) {
    spec.t = spec.l = 1;
    spec.absent |= 1u << kBias;
  }
  // Ties in 16 bits need a c that is stored in them. Its gates are saturated, so that most gradients are zero.
  const bool narrow_c = HasCellState(spec.cell) && IsNarrowFloat(TypesOf(spec.config).cell_state);
  const bool backward = spec.propagation == Propagation::kBackward;
  if (narrow_c && !backward && spec.data == DataKind::kDense && spec.seed % 4 == 0) spec.data = DataKind::kTies;
  MayDrawGates(scope, seed, index, &spec);
  MayDrawLengths(scope.lengths_one_in, seed, index, &spec);
  MayDrawLayerNorm(scope.norms_one_in, seed, index, &spec);
  spec.masks = DrawMasks(int8 || byte_weights ? 0 : scope.masks_one_in, seed, index, spec.cell, spec.sic == spec.dic);
  return spec;
}

}  // namespace tandem::conformance
