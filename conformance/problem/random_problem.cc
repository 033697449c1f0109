#include <algorithm>
#include <initializer_list>

#include "conformance/problem/counter_random.h"
#include "conformance/problem/generator.h"

namespace tandem::conformance {
namespace {

// Draws for one problem, each with its own counter.
class Draw {
 public:
  Draw(uint64_t seed, uint64_t index) : seed_(seed), index_(index) {}
  uint64_t Word() { return CounterRandom(seed_, kStreamProblem, index_ * 64 + next_++); }
  bool OneIn(uint64_t n) { return Word() % n == 0; }
  template <class T>
  T From(std::initializer_list<T> values) {
    return values.begin()[Word() % values.size()];
  }
  template <class T>
  T From(const std::vector<T>& chosen, const std::vector<T>& all) {
    const std::vector<T>& from = chosen.empty() ? all : chosen;
    return from[Word() % from.size()];
  }

 private:
  uint64_t seed_, index_, next_ = 0;
};

// Around vector lengths and their tails; small sizes more often, so that a run has many problems.
Dim Channels(Draw* draw, Dim limit) {
  const Dim n = draw->OneIn(5) ? draw->From<Dim>({31, 32, 33, 63, 64, 65})
                               : draw->From<Dim>({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17});
  return std::min(n, limit);
}

bool IsInt8Config(Config config) { return config >= Config::kU8u8u8u8; }
bool IsSignedConfig(Config config) { return config >= Config::kS8s8s8s8; }

// The specification's table of data types: int8 serves inference of LSTM and GRU. s8 activations are an extension:
// LSTM.
bool Serves(Config config, Cell cell, Propagation propagation) {
  if (!IsInt8Config(config)) return true;
  if (propagation != Propagation::kForwardInference) return false;
  return TakesInt8(cell, IsSignedConfig(config) ? DataType::kS8 : DataType::kU8);
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

void DrawKind(const ProblemScope& scope, Draw* draw, ProblemSpec* spec) {
  // A rejected triple is drawn again: bounded, because f32 serves everything and a scope that allows nothing valid
  // keeps its last draw, which validation then refuses.
  for (int attempt = 0; attempt < 32; ++attempt) {
    spec->cell = draw->From(scope.cells, DrawnCells());
    spec->propagation = draw->From(scope.propagations, {Propagation::kForwardInference, Propagation::kForwardInference,
                                                        Propagation::kForwardTraining, Propagation::kBackward});
    spec->config = draw->From(scope.configs, DrawnConfigs());
    if (Serves(spec->config, spec->cell, spec->propagation)) return;
  }
}

void DrawDims(const ProblemScope& scope, Draw* draw, ProblemSpec* spec) {
  const bool attention = HasAttention(spec->cell);
  spec->l = attention ? 1 : draw->From<Dim>({1, 1, 1, 2, 3});
  spec->t = std::min(scope.max_steps, draw->From<Dim>({1, 1, 2, 3, 3, 4, 7, 12}));
  spec->mb = draw->From<Dim>({1, 1, 2, 3, 4, 5, 8, 16, 17});
  spec->dhc = Channels(draw, scope.max_channels);
  // A projection that is not square cannot be read transposed by mistake: its sizes differ.
  const bool square = !spec->with_projection || draw->OneIn(3);
  spec->dic = square ? spec->dhc : Channels(draw, scope.max_channels);
  // SIC may differ from DIC only where no step feeds another; a GRU adds h to h'.
  const bool free_sic = spec->t == 1 && spec->l == 1 && !BlendsState(spec->cell) && draw->OneIn(2);
  spec->sic = free_sic ? Channels(draw, scope.max_channels) : spec->dic;
  spec->slc = spec->l > 1 ? spec->dic : Channels(draw, scope.max_channels);
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

void DrawQuantization(Draw* draw, ProblemSpec* spec) {
  using Scaling = QuantizationScaling;
  spec->scaling = draw->From<Scaling>({Scaling::kCommon, Scaling::kPerOutputChannel});
  spec->projection_scaling = draw->From<Scaling>({Scaling::kCommon, Scaling::kPerOutputChannel});
  if (spec->data == DataKind::kTies) {
    // +-1 lands on 121.5 and 40.5 for u8, on +-40.5 for s8: half away from zero and half to even differ.
    spec->data_scale = 40.5f;
    spec->zero_point = IsSignedConfig(spec->config) ? 0.f : 81.f;
  } else if (!IsSignedConfig(spec->config) && draw->OneIn(2)) {
    spec->zero_point = draw->From<float>({0.f, 28.f, 128.f, 255.f});
    spec->data_scale = draw->From<float>({16.f, 63.f, 127.f});
  }
}

// Bounds grow from step to step where recurrent states are hidden (lower layers, summed directions), and are wide where
// a mode allows 8 bits of precision. A gain below 1 keeps them narrow there.
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
  if (spec->l == 1 && spec->direction != Direction::kBidirectionalSum) return;
  spec->t = std::min<Dim>(spec->t, 4);
  spec->gain = std::min(spec->gain, 0.6f);
  if (spec->data == DataKind::kCancelling || spec->data == DataKind::kSaturating || spec->data == DataKind::kSpread) {
    spec->data = DataKind::kDense;
  }
}

// Around the sizes of tiles, blocks and counters of 8 bits.
Dim LargeSize(Draw* draw) { return draw->From<Dim>({127, 128, 129, 255, 256, 257, 511, 512, 513}); }

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
    spec->slc = size;
    return;
  }
  LimitChannels(9, spec);
  spec->dhc = size;
  if (!spec->with_projection) spec->dic = spec->sic = size;
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
      spec->t = std::min(scope.max_steps, draw->From<Dim>({15, 16, 17, 21, 31, 33, 50, 64, 65, 99, 100}));
      spec->l = 1;
      spec->mb = std::min<Dim>(spec->mb, 3);
      LimitChannels(9, spec);
      // The states of a sum are hidden.
      if (spec->direction == Direction::kBidirectionalSum) spec->direction = Direction::kBidirectionalConcat;
      break;
    case 4:
      if (HasAttention(spec->cell)) return;
      spec->l = draw->From<Dim>({4, 5, 6});
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

}  // namespace

ProblemSpec RandomProblem(const ProblemScope& scope, uint64_t seed, uint64_t index) {
  Draw draw(seed, index);
  ProblemSpec spec;
  DrawKind(scope, &draw, &spec);
  const bool int8 = IsInt8(spec);
  spec.direction = HasAttention(spec.cell) ? Direction::kLeft2Right : static_cast<Direction>(draw.Word() % 4);
  if (HasActivation(spec.cell)) {
    spec.activation = static_cast<Activation>(draw.Word() % 3);
    if (spec.activation == Activation::kRelu || draw.OneIn(2))
      spec.alpha = draw.From<float>({0.f, 0.1f, 0.5f, 1.f, -0.25f, -1.f});
  }
  if (HasCellState(spec.cell)) {
    spec.with_peephole = !int8 && draw.OneIn(3);
    // Note (3) of the specification's table of data types: no projection in 16 bits.
    spec.with_projection = (spec.config == Config::kF32 || int8) && draw.OneIn(4);
  }
  DrawDims(scope, &draw, &spec);
  DrawAbsent(&draw, &spec);
  DrawLayouts(&draw, &spec);
  spec.data = draw.OneIn(2) ? DataKind::kDense
              : int8        ? draw.From<DataKind>({DataKind::kSaturating, DataKind::kTies, DataKind::kTiny})
                            : draw.From<DataKind>({DataKind::kSaturating, DataKind::kTiny, DataKind::kCancelling,
                                                   DataKind::kSpread, DataKind::kSpecial, DataKind::kZero, DataKind::kSweep});
  // NaN has no gradient to speak of.
  if (spec.data == DataKind::kSpecial && spec.propagation == Propagation::kBackward) {
    spec.data = DataKind::kDense;
  }
  spec.gain = draw.From<float>({0.3f, 0.6f, 1.f, 1.f, 2.f, 4.f});
  // Bytes cannot be tiny, but the real numbers that they and the weights stand for can.
  if (int8 && spec.data == DataKind::kTiny) spec.gain = 1e-4f;
  KeepBoundsTight(&draw, &spec);
  if (int8) DrawQuantization(&draw, &spec);
  if (spec.propagation == Propagation::kBackward && draw.OneIn(4)) {
    spec.flags = dnnl_rnn_flags_diff_weights_overwrite;
  }
  spec.wide_offsets = draw.OneIn(24) && sizeof(void*) > 4;  // more than 32-bit processors address
  spec.seed = draw.Word() % 1000000;
  if (draw.OneIn(6)) Stretch(scope, &draw, &spec);
  if (spec.data == DataKind::kSweep) {
    spec.t = spec.l = 1;
    spec.absent |= 1u << kBias;
  }
  return spec;
}

namespace {

// The specification makes some channel counts equal, so all shrink together.
void ShrinkChannels(const ProblemSpec& spec, std::vector<ProblemSpec>* out) {
  const Dim largest = std::max({spec.sic, spec.slc, spec.dhc, spec.dic});
  for (Dim limit : {Dim{1}, Dim{2}, Dim{4}, Dim{8}, largest / 2, largest - 1}) {
    if (limit < 1 || limit >= largest) continue;
    ProblemSpec s = spec;
    for (Dim* dim : {&s.sic, &s.slc, &s.dhc, &s.dic}) *dim = std::min(*dim, limit);
    out->push_back(s);
  }
}

}  // namespace

std::vector<ProblemSpec> ShrinkCandidates(const ProblemSpec& given) {
  ProblemSpec spec = given;
  ResolveDims(&spec);
  std::vector<ProblemSpec> out;
  const auto with = [&](auto change) {
    ProblemSpec s = spec;
    change(&s);
    if (s != spec) out.push_back(s);
  };
  for (Dim ProblemSpec::*dim : {&ProblemSpec::t, &ProblemSpec::l, &ProblemSpec::mb}) {
    for (Dim value : {Dim{1}, spec.*dim / 2, spec.*dim - 1}) {
      if (value >= 1 && value < spec.*dim) with([&](ProblemSpec* s) { s->*dim = value; });
    }
  }
  with([](ProblemSpec* s) { s->direction = Direction::kLeft2Right; });
  ShrinkChannels(spec, &out);
  with([](ProblemSpec* s) { s->with_peephole = false; });
  with([](ProblemSpec* s) {
    const Dim dic = s->dic;
    s->with_projection = false;
    s->dhc = s->dic = std::min(s->dhc, s->dic);
    // Where h feeds the next step or layer, its width has changed.
    for (Dim* dim : {&s->sic, &s->slc}) {
      if (*dim == dic) *dim = s->dic;
    }
  });
  with([](ProblemSpec* s) { s->absent |= 1u << kBias; });
  with([](ProblemSpec* s) { s->absent |= 1u << kSrcIter | (HasCellState(s->cell) ? 1u << kSrcIterC : 0u); });
  with([](ProblemSpec* s) { s->padding = 0; });
  with([](ProblemSpec* s) { s->misalign = 0; });
  with([](ProblemSpec* s) { s->wide_offsets = false; });
  with([](ProblemSpec* s) { s->src_tag = s->weights_tag = s->dst_tag = s->diff_weights_tag = "any"; });
  with([](ProblemSpec* s) { s->scratchpad = ScratchpadMode::kLibrary; });
  with([](ProblemSpec* s) { s->fpmath = FpmathMode::kStrict; });
  with([](ProblemSpec* s) { s->data = DataKind::kDense; });
  with([](ProblemSpec* s) { s->gain = 1; });
  return out;
}

}  // namespace tandem::conformance
