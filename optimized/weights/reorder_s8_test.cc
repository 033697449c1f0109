// Weights of int8 inference: floats to packed s8 and back.
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "api/core/attributes/quantization.h"
#include "api/core/error_testing.h"
#include "optimized/weights/element.h"
#include "optimized/weights/layout.h"
#include "optimized/weights/reorder_testing.h"

namespace tandem {
namespace optimized {
namespace {

struct QuantizedCase {
  Dims dims;
  int mask;
};

// A plain tensor, its packed form, and a scale for each channel of the mask.
struct QuantizedWeights {
  MemoryDesc plain_s8, packed;
  PackedLayout layout;
  ScaleVector scales;
  Attributes attr;
};

QuantizedWeights Describe(const QuantizedCase& c) {
  QuantizedWeights w;
  std::vector<int> order = {0, 1, 2, 3, 4};
  order.resize(c.dims.size());
  w.plain_s8 = Plain(c.dims, DataType::kS8, order, 2, 3);
  const GatePasses passes = c.dims.size() == 5 && c.dims[3] == 3 ? GatePasses::kCandidateSecond : GatePasses::kOne;
  w.layout = MakePackedLayout(w.plain_s8, PackedKind::kForward, DataType::kS8, passes);
  w.packed = MakePackedDesc(w.plain_s8, w.layout);
  w.scales.mask = c.mask;
  w.scales.values.assign(c.mask == 0 ? 1 : w.layout.gates * c.dims.back(), 0.f);
  for (size_t i = 0; i < w.scales.values.size(); ++i) w.scales.values[i] = 20.f + i;
  (c.dims.size() == 5 ? w.attr.rnn_weights : w.attr.rnn_weights_projection) = w.scales;
  return w;
}

std::vector<QuantizedCase> QuantizedCases() {
  return {{{1, 2, 5, 4, 19}, 0x18}, {{2, 1, 6, 3, 34}, 0}, {{1, 1, 7, 18}, 0x8}, {{1, 1, 4, 33}, 0}};
}

TEST(PackedReorder, CopiesQuantizedWeightsOfOneLayout) {
  const MemoryDesc plain = Plain({1, 1, 3, 4, 2}, DataType::kS8, {0, 1, 2, 3, 4}, 0, 0);
  const MemoryDesc packed =
      MakePackedDesc(plain, MakePackedLayout(plain, PackedKind::kForward, DataType::kS8, GatePasses::kOne));
  std::vector<char> src(SizeInBytes(packed)), dst(src.size());
  for (size_t i = 0; i < src.size(); ++i) src[i] = static_cast<char>(i);
  Attributes attr;
  attr.rnn_weights.values = {2.f};
  Reorder(*Create(packed, packed, attr), src.data(), dst.data());
  EXPECT_EQ(dst, src);
}

TEST(PackedReorder, QuantizesWithTheScaleOfGateAndChannelAndSumsTheColumns) {
  for (const QuantizedCase& c :
       {QuantizedCase{{1, 2, 5, 4, 19}, 0x18}, {{2, 1, 6, 3, 34}, 0}, {{1, 1, 7, 18}, 0x8}, {{1, 1, 4, 33}, 0}}) {
    std::vector<int> order = {0, 1, 2, 3, 4};
    order.resize(c.dims.size());
    const MemoryDesc plain = Plain(c.dims, DataType::kF32, order, 0, 0);
    MemoryDesc logical = plain;
    logical.data_type = dnnl_s8;
    const GatePasses passes = c.dims.size() == 5 && c.dims[3] == 3 ? GatePasses::kCandidateSecond : GatePasses::kOne;
    const PackedLayout layout = MakePackedLayout(logical, PackedKind::kForward, DataType::kS8, passes);
    const Dim channels = c.dims.back();
    ScaleVector scales;
    scales.mask = c.mask;
    scales.values.assign(c.mask == 0 ? 1 : layout.gates * channels, 0.f);
    for (size_t i = 0; i < scales.values.size(); ++i) scales.values[i] = 20.f + i;
    Attributes attr;
    (c.dims.size() == 5 ? attr.rnn_weights : attr.rnn_weights_projection) = scales;

    std::vector<float> src(ElementsUpTo(plain));
    for (size_t i = 0; i < src.size(); ++i) src[i] = std::sin(static_cast<float>(i)) * 3;
    std::vector<int8_t> packed(layout.bytes, 99), want(layout.bytes, 0);
    Reorder(*Create(plain, MakePackedDesc(logical, layout), attr), src.data(), packed.data());
    ForEach(plain, [&](Dim l, Dim d, Dim i, Dim g, Dim o, Dim offset) {
      const float scale = scales.values[c.mask == 0 ? 0 : g * channels + o];
      const float rounded = std::nearbyint(src[offset] * scale);
      const auto q = static_cast<int8_t>(std::min(127.f, std::max(-128.f, rounded)));
      want[SliceOffset(layout, l, d) + PackedOffset(layout, i, g, o)] = q;
      auto* sums = reinterpret_cast<int32_t*>(&want[ColumnSumsOffset(layout, l, d)]);
      sums[Column(layout, g, o)] += q;
    });
    EXPECT_EQ(packed, want) << "dims " << DimsToString(plain) << " mask " << c.mask;
  }
}

// The 16-bit value is widened, multiplied in f32 and rounded once, as if the tensor were f32.
TEST(PackedReorder, QuantizesSixteenBitWeightsAsTheirValuesInF32) {
  for (const QuantizedCase& c : QuantizedCases()) {
    const QuantizedWeights w = Describe(c);
    MemoryDesc f32 = w.plain_s8;
    f32.data_type = dnnl_f32;
    for (const DataType type : {DataType::kBf16, DataType::kF16}) {
      MemoryDesc plain = w.plain_s8;
      plain.data_type = static_cast<dnnl_data_type_t>(type);
      std::vector<uint16_t> narrow(ElementsUpTo(plain));
      std::vector<float> wide(narrow.size());
      for (size_t i = 0; i < narrow.size(); ++i) {
        VisitFloating(type, [&](auto element) {
          if constexpr (sizeof(element.From(0.f)) == 2) narrow[i] = element.From(std::sin(static_cast<float>(i)) * 3);
        });
        wide[i] = LoadFloat(narrow.data(), type, static_cast<Dim>(i));
      }
      std::vector<int8_t> got(w.layout.bytes, 99), want(w.layout.bytes);
      Reorder(*Create(plain, w.packed, w.attr), narrow.data(), got.data());
      Reorder(*Create(f32, w.packed, w.attr), wide.data(), want.data());
      EXPECT_EQ(got, want) << ToString(type) << ", dims " << DimsToString(plain) << " mask " << c.mask;
    }
  }
}

TEST(PackedReorder, QuantizedWeightsSurviveThereAndBack) {
  for (const QuantizedCase& c : QuantizedCases()) {
    const QuantizedWeights w = Describe(c);
    std::vector<int8_t> src(ElementsUpTo(w.plain_s8)), back(src.size(), 77), want(src.size(), 77);
    for (size_t i = 0; i < src.size(); ++i) src[i] = static_cast<int8_t>(i * 7);
    std::vector<int8_t> packed(w.layout.bytes);
    Reorder(*Create(w.plain_s8, w.packed, w.attr), src.data(), packed.data());
    Reorder(*Create(w.packed, w.plain_s8, w.attr), packed.data(), back.data());
    ForEach(w.plain_s8, [&](Dim, Dim, Dim, Dim, Dim, Dim offset) { want[offset] = src[offset]; });
    EXPECT_EQ(back, want) << "dims " << DimsToString(w.plain_s8);
  }
}

TEST(PackedReorder, DividesByTheScalesOnTheWayToFloats) {
  for (const QuantizedCase& c : QuantizedCases()) {
    const QuantizedWeights w = Describe(c);
    std::vector<int8_t> src(ElementsUpTo(w.plain_s8)), packed(w.layout.bytes);
    for (size_t i = 0; i < src.size(); ++i) src[i] = static_cast<int8_t>(i * 7);
    Reorder(*Create(w.plain_s8, w.packed), src.data(), packed.data());
    for (const DataType type : {DataType::kF32, DataType::kBf16, DataType::kF16}) {
      MemoryDesc plain = w.plain_s8;
      plain.data_type = static_cast<dnnl_data_type_t>(type);
      std::vector<char> back(src.size() * SizeOf(type), 0);
      Reorder(*Create(w.packed, plain, w.attr), packed.data(), back.data());
      ForEach(plain, [&](Dim, Dim, Dim, Dim g, Dim o, Dim offset) {
        const float real = DequantizeWeight(src[offset], w.scales.At(g * c.dims.back() + o));
        const float want = VisitFloating(type, [&](auto element) { return element.Load(element.From(real)); });
        ASSERT_EQ(LoadFloat(back.data(), type, offset), want) << ToString(type) << " byte " << +src[offset];
      });
    }
  }
}

TEST(PackedReorder, TakesQuantizedWeightsAsTheyAre) {
  const MemoryDesc plain = Plain({1, 1, 3, 1, 2}, DataType::kS8, {0, 1, 2, 3, 4}, 0, 0);
  const PackedLayout layout = MakePackedLayout(plain, PackedKind::kForward, DataType::kS8, GatePasses::kOne);
  Attributes attr;
  attr.rnn_weights.values = {50.f};
  const std::vector<int8_t> src = {1, -128, 127, 3, -1, 0};
  std::vector<int8_t> packed(layout.bytes);
  Reorder(*Create(plain, MakePackedDesc(plain, layout), attr), src.data(), packed.data());
  EXPECT_EQ(packed[PackedOffset(layout, 0, 0, 1)], -128);
  EXPECT_EQ(packed[PackedOffset(layout, 1, 0, 0)], 127);
  const auto* sums = reinterpret_cast<const int32_t*>(&packed[ColumnSumsOffset(layout, 0, 0)]);
  EXPECT_EQ(sums[0], 1 + 127 - 1);
  EXPECT_EQ(sums[1], -128 + 3 + 0);
}

TEST(PackedReorder, RefusesTheWrongNumberOfScales) {
  const MemoryDesc plain = Plain({1, 1, 3, 4, 2}, DataType::kF32, {0, 1, 2, 3, 4}, 0, 0);
  ReorderProblem problem;
  problem.src = plain;
  problem.dst = MakePackedDesc(plain, MakePackedLayout(plain, PackedKind::kForward, DataType::kS8, GatePasses::kOne));
  problem.attr.rnn_weights.mask = 0x18;
  problem.attr.rnn_weights.values.assign(7, 1.f);
  try {
    CreateReorder(problem, nullptr);
    FAIL() << "7 scales for 4 gates of 2 channels were accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), dnnl_invalid_arguments);
    EXPECT_NE(std::string(error.what()).find("needs 8 values, the attribute has 7"), std::string::npos) << error.what();
  }
}

TEST(PackedReorder, NeedsAScaleForEachChannelOfItsMask) {
  for (const QuantizedCase& c : QuantizedCases()) {
    for (const int more : {-1, 1}) {
      QuantizedWeights w = Describe(c);
      ScaleVector& scales = c.dims.size() == 5 ? w.attr.rnn_weights : w.attr.rnn_weights_projection;
      const size_t wanted = scales.values.size();
      scales.values.resize(wanted + static_cast<size_t>(more), 1.f);
      ExpectError(dnnl_invalid_arguments, "needs " + std::to_string(wanted) + " values",
                  [&] { Create(w.plain_s8, w.packed, w.attr); });
    }
  }
}

}  // namespace
}  // namespace optimized
}  // namespace tandem
