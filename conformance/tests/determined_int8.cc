#include "conformance/tests/determined_int8.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "api/core/attributes/quantization.h"
#include "api/core/gates.h"
#include "api/library/primitives/implementation_list.h"

namespace tandem::conformance {
namespace {

// This is beyond every sum of products, and beyond where activations saturate.
constexpr double kDeciding = 1e30;
// tanh saturates also at half or a quarter of this, and one more or less changes nothing.
constexpr double kLargeCell = 0x1p18;
// Powers of two make products of bytes at least 2 to this power.
constexpr int kLogUnit = 13;

enum class Parameters { kAny, kPowersOfTwo };
// A gate is decided by the bias, up or down; by nothing, so that it is sigmoid(0) or tanh(0); or by the products.
enum class Gate { kOn, kOff, kMiddle, kProducts };

class Maker {
 public:
  Maker(Config config, uint64_t seed, uint64_t index) {
    std::seed_seq words = {seed, seed >> 32, index, static_cast<uint64_t>(config)};
    random_.seed(words);
    parameters_ = OneIn(2) ? Parameters::kAny : Parameters::kPowersOfTwo;
    made_.spec.config = config;
    made_.spec.reading = OneIn(2) ? Reading::kSpec : Reading::kOnednn;
    projection_most_ = From<int>({2, 8, 32, 127});
    is_signed_ = TypesOf(config).src_layer == DataType::kS8;
  }

  DeterminedInt8 Make() {
    DrawShape();
    made_.problem = ToRnnProblem(made_.spec);
    DrawDataParameters();
    DrawWeightScales();
    Validate(&made_.problem);
    made_.inputs = TensorSet(made_.problem);
    FillSources();
    FillGates();
    if (made_.problem.HasProjection()) FillWeights(kWeightsProjection);
    Quantize();
    return std::move(made_);
  }

 private:
  bool OneIn(int n) { return random_() % static_cast<unsigned>(n) == 0; }
  double Uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  Dim Between(Dim low, Dim high) { return std::uniform_int_distribution<Dim>(low, high)(random_); }
  template <class T>
  T From(std::vector<T> choices) {
    return choices[random_() % choices.size()];
  }

  void DrawShape();
  void DrawDataParameters();
  void DrawWeightScales();
  void FillSources();
  void FillGates();
  std::vector<Gate> DrawGates();
  void FillWeights(Tensor tensor);
  void FillColumn(Tensor tensor, const Dim* slice_gate_channel, Gate gate);
  double RealWeight(float scale, int most);
  double RealState();
  void Quantize();

  std::mt19937_64 random_;
  Parameters parameters_;
  int projection_most_;  // the largest s8 of the projection's weights
  bool is_signed_;
  DeterminedInt8 made_;
};

void Maker::DrawShape() {
  ProblemSpec& s = made_.spec;
  s.cell = is_signed_ || OneIn(2) ? Cell::kLstm : Cell::kGru;
  s.with_projection = s.cell == Cell::kLstm && OneIn(2);
  s.direction = static_cast<Direction>(random_() % 4);
  s.l = Between(1, 2), s.t = Between(1, 3), s.mb = Between(1, 3);
  const auto channels = [&] { return OneIn(3) ? From<Dim>({15, 16, 17, 33}) : Between(1, 9); };
  s.dhc = channels();
  s.dic = s.with_projection ? channels() : s.dhc;
  s.sic = s.dic;
  s.slc = s.l == 1 ? channels() : s.dic;
  s.src_tag = From<std::string>({"any", "ntc"});
  s.dst_tag = From<std::string>({"any", "ntc"});
  s.weights_tag = From<std::string>({"any", "ldgoi"});
  s.padding = static_cast<int>(Between(0, 2));
  s.scaling = OneIn(2) ? QuantizationScaling::kCommon : QuantizationScaling::kPerOutputChannel;
  s.projection_scaling = OneIn(2) ? QuantizationScaling::kCommon : QuantizationScaling::kPerOutputChannel;
  const bool lstm = s.cell == Cell::kLstm;
  if (OneIn(4)) s.absent |= 1u << kSrcIter | (lstm ? 1u << kSrcIterC : 0);
  if (OneIn(4)) s.absent |= 1u << kDstIter | (lstm ? 1u << kDstIterC : 0);
  if (OneIn(8)) s.absent |= 1u << kBias;
}

// Draws zero points within the bytes, mostly half-integers, in either reading. Signed data have none.
void Maker::DrawDataParameters() {
  Attributes& attr = made_.problem.attr;
  const bool powers = parameters_ == Parameters::kPowersOfTwo;
  const double scale = powers     ? std::exp2(static_cast<double>(Between(-2, 7)))
                       : OneIn(2) ? From<double>({55, 59, 40.5, 63.7, 127, 0.75, 255})
                                  : Uniform(0.25, 300);
  attr.rnn_data_scale = static_cast<float>(scale);
  attr.rnn_data_shift = 0;
  if (is_signed_ || OneIn(8)) return;
  const double zero = powers || OneIn(2) ? 0.5 * static_cast<double>(Between(0, 508)) : Uniform(0, 254);
  const bool spec = attr.reading == Reading::kSpec;
  attr.rnn_data_shift = static_cast<float>(spec ? zero / attr.rnn_data_scale : zero);
  if (!powers && OneIn(4)) attr.rnn_data_shift = spec ? static_cast<float>(Between(0, 4)) * 0.15f : 88.5f;
}

void Maker::DrawWeightScales() {
  Attributes& attr = made_.problem.attr;
  const int unit = kLogUnit + std::ilogb(attr.rnn_data_scale);
  for (float& scale : attr.rnn_weights.values) {
    // 1 / (scale * data scale) is 2^13 or more.
    scale = parameters_ == Parameters::kPowersOfTwo ? std::exp2(static_cast<float>(-unit - Between(0, 3)))
                                                    : static_cast<float>(Uniform(0.5, 500));
  }
  attr.rnn_weights_projection.given = made_.problem.HasProjection();
  // The projection's sums meet no activation, so scales need only keep most results in the bytes. Powers of two make many ties.
  const double typical = projection_most_ * std::sqrt(static_cast<double>(made_.problem.dhc)) *
                         std::min<double>(attr.rnn_data_scale, 127) / 80;
  for (float& scale : attr.rnn_weights_projection.values) {
    const double exponent = std::round(std::log2(typical)) + static_cast<double>(Between(-2, 1));
    scale = static_cast<float>(OneIn(3) ? typical * Uniform(0.3, 2) : std::exp2(exponent));
  }
}

// Returns a real number at, next to, or far from a tie between two bytes, or none at all.
double Maker::RealState() {
  if (OneIn(16)) return From<double>({NAN, INFINITY, -INFINITY, 0., -0., 1e30, -1e30, 1e-30});
  const DataQparams q = DataQparamsOf(made_.problem.attr);
  const float lowest = is_signed_ ? -128.f : 0.f;
  if (OneIn(3)) return DequantizeData(lowest + static_cast<float>(Uniform(-20, 275)), q);
  const float tie = DequantizeData(lowest + static_cast<float>(Between(-2, 256)) + 0.5f, q);
  return From<float>({tie, std::nextafter(tie, -INFINITY), std::nextafter(tie, INFINITY)});
}

void Maker::FillSources() {
  const double lowest = is_signed_ ? -128 : 0;
  TensorSet& in = made_.inputs;
  in[kSrcLayer].Fill([&](size_t) { return lowest + static_cast<double>(Between(0, 255)); });
  const bool real = in[kSrcIter].type() == DataType::kF32;
  in[kSrcIter].Fill([&](size_t) { return real ? RealState() : lowest + static_cast<double>(Between(0, 255)); });
  in[kSrcIterC].Fill([&](size_t) { return From<double>({kLargeCell, -kLargeCell}); });
}

// Draws one unit's gates. c = f c' + i c~ is 0 or large, so that tanh(c) is exact.
std::vector<Gate> Maker::DrawGates() {
  const RnnProblem& p = made_.problem;
  std::vector<Gate> choices = {Gate::kMiddle};
  if (p.Has(kBias)) choices.insert(choices.end(), {Gate::kOn, Gate::kOff});
  if (parameters_ == Parameters::kPowersOfTwo) choices.insert(choices.end(), {Gate::kProducts, Gate::kProducts});
  std::vector<Gate> gates;
  for (Dim gate = 0; gate < p.n_gates; ++gate) gates.push_back(From(choices));
  if (p.cell != Cell::kLstm) return gates;
  const bool kept = gates[LstmGate::kForget] == Gate::kOn || gates[LstmGate::kForget] == Gate::kMiddle;
  if (p.Has(kSrcIterC) && kept) return gates;
  // c' is 0 or may be forgotten, so nothing may be added to it.
  if (gates[LstmGate::kInput] != Gate::kOff) gates[LstmGate::kCandidate] = Gate::kMiddle;
  return gates;
}

// Returns a weight whose s8 is up to `most` in size. It is at or next to a tie in half of the cases.
double Maker::RealWeight(float scale, int most) {
  if (OneIn(2)) return Uniform(-most - 2, most + 2) / scale;
  const float tie = (static_cast<float>(Between(-most - 2, most)) + 0.5f) / scale;
  return From<float>({tie, std::nextafter(tie, -INFINITY), std::nextafter(tie, INFINITY)});
}

// Fills all inputs of one (layer, direction, gate, channel). The tensor is {L, D, I, G, O} or {L, D, I, O}.
void Maker::FillColumn(Tensor tensor, const Dim* at, Gate gate) {
  TensorBuffer& weights = made_.f32_weights[tensor];
  const MemoryDesc& md = weights.md();
  const Attributes& attr = made_.problem.attr;
  const bool has_gates = md.ndims == 5;
  const Dim gates = has_gates ? md.dims[3] : 1, channels = md.dims[md.ndims - 1];
  const float scale = has_gates ? WeightsScale(attr, at[2], at[3], made_.problem.dhc) : ProjectionScale(attr, at[3]);
  for (Dim input = 0; input < md.dims[2]; ++input) {
    const Dim row = (at[0] * md.dims[1] + at[1]) * md.dims[2] + input;
    const size_t index = static_cast<size_t>((row * gates + at[2]) * channels + at[3]);
    weights.Set(index, gate == Gate::kMiddle ? 0 : RealWeight(scale, has_gates ? 127 : projection_most_));
  }
}

void Maker::FillWeights(Tensor tensor) {
  MemoryDesc md = made_.problem.md[tensor];
  md.data_type = dnnl_f32;
  made_.f32_weights[tensor] = TensorBuffer(md);
  if (tensor != kWeightsProjection) return;
  for (Dim l = 0; l < md.dims[0]; ++l) {
    for (Dim d = 0; d < md.dims[1]; ++d) {
      for (Dim channel = 0; channel < md.dims[3]; ++channel) {
        const Dim at[] = {l, d, 0, channel};
        FillColumn(tensor, at, Gate::kProducts);
      }
    }
  }
}

void Maker::FillGates() {
  const RnnProblem& p = made_.problem;
  FillWeights(kWeightsLayer);
  FillWeights(kWeightsIter);
  for (Dim slice = 0; slice < p.n_layer * p.n_dir; ++slice) {
    for (Dim channel = 0; channel < p.dhc; ++channel) {
      const std::vector<Gate> gates = DrawGates();
      for (Dim gate = 0; gate < p.n_gates; ++gate) {
        const Dim at[] = {slice / p.n_dir, slice % p.n_dir, gate, channel};
        FillColumn(kWeightsLayer, at, gates[gate]);
        FillColumn(kWeightsIter, at, gates[gate]);
        if (!p.Has(kBias)) continue;
        const double bias = gates[gate] == Gate::kOn ? kDeciding : gates[gate] == Gate::kOff ? -kDeciding : 0;
        made_.inputs[kBias].Set(static_cast<size_t>((slice * p.n_bias_gates + gate) * p.dhc + channel), bias);
      }
    }
  }
}

void Maker::Quantize() {
  for (const Tensor tensor : {kWeightsLayer, kWeightsIter, kWeightsProjection}) {
    if (!made_.problem.Has(tensor)) continue;
    const TensorBuffer& from = made_.f32_weights[tensor];
    TensorBuffer& to = made_.inputs[tensor];
    ReorderBuffers buffers;
    buffers.src = from.data(), buffers.dst = to.data();
    // The attribute has the parameters of this tensor only: a reorder may take ldio for a state.
    Attributes attr;
    const auto scales = tensor == kWeightsProjection ? &Attributes::rnn_weights_projection : &Attributes::rnn_weights;
    attr.*scales = made_.problem.attr.*scales;
    std::string why_not;
    ChooseReorder({from.md(), to.md(), attr}, {}, &why_not).plan->Execute(buffers);
  }
}

}  // namespace

DeterminedInt8 MakeDeterminedInt8(Config config, uint64_t seed, uint64_t index) {
  return Maker(config, seed, index).Make();
}

}  // namespace tandem::conformance
