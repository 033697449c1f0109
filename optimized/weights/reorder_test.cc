#include "optimized/weights/reorder.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "api/core/error.h"
#include "api/core/float16.h"
#include "gtest/gtest.h"
#include "optimized/weights/layout.h"

namespace tandem {
namespace optimized {
namespace {

// Dims with strides that follow `order` (dim numbers, outermost first), each row of the innermost dim padded by `gap`
// elements, and an offset.
MemoryDesc Plain(const Dims& dims, DataType type, const std::vector<int>& order, Dim gap, Dim offset0) {
  MemoryDesc md = {};
  md.ndims = static_cast<int>(dims.size());
  md.data_type = static_cast<dnnl_data_type_t>(type);
  md.format_kind = dnnl_blocked;
  md.offset0 = offset0;
  Dim stride = 1;
  for (int i = md.ndims - 1; i >= 0; --i) {
    const int dim = order[i];
    md.dims[dim] = md.padded_dims[dim] = dims[dim];
    md.format_desc.blocking.strides[dim] = stride;
    stride *= dims[dim];
    if (i == md.ndims - 1) stride += gap;
  }
  return md;
}

size_t ElementsUpTo(const MemoryDesc& md) {
  Dim last = md.offset0;
  for (int i = 0; i < md.ndims; ++i) last += (md.dims[i] - 1) * Strides(md)[i];
  return static_cast<size_t>(last) + 1;
}

// Visits every logical index {l, d, i, g, o} (g = 0 for four dims) with its offset in `plain`.
template <class Visit>
void ForEach(const MemoryDesc& plain, const Visit& visit) {
  const bool has_gates = plain.ndims == 5;
  const Dim gates = has_gates ? plain.dims[3] : 1;
  const Dim outputs = plain.dims[plain.ndims - 1];
  for (Dim l = 0; l < plain.dims[0]; ++l)
    for (Dim d = 0; d < plain.dims[1]; ++d)
      for (Dim i = 0; i < plain.dims[2]; ++i)
        for (Dim g = 0; g < gates; ++g)
          for (Dim o = 0; o < outputs; ++o) {
            const Dim five[] = {l, d, i, g, o}, four[] = {l, d, i, o};
            visit(l, d, i, g, o, OffsetAt(plain, has_gates ? five : four));
          }
}

std::unique_ptr<const ReorderPlan> Create(const MemoryDesc& src, const MemoryDesc& dst, const Attributes& attr = {}) {
  ReorderProblem problem;
  problem.src = src;
  problem.dst = dst;
  problem.attr = attr;
  std::string why_not;
  auto plan = CreateReorder(problem, &why_not);
  EXPECT_TRUE(plan != nullptr) << why_not;
  return plan;
}

void Reorder(const ReorderPlan& plan, const void* src, void* dst) {
  ReorderBuffers buffers;
  buffers.src = src;
  buffers.dst = dst;
  plan.Execute(buffers);
}

struct Case {
  Dims dims;
  std::vector<int> order;
  Dim gap, offset0;
  PackedKind kind;
  GatePasses passes;
};

std::string ToString(const Case& c) {
  std::string text = "dims";
  for (const Dim dim : c.dims) text += " " + std::to_string(dim);
  text += " order";
  for (const int dim : c.order) text += " " + std::to_string(dim);
  return text + " gap " + std::to_string(c.gap) + " kind " + std::to_string(static_cast<int>(c.kind)) + " passes " +
         std::to_string(static_cast<int>(c.passes));
}

// Every tail of a block, plain orders ldigo and ldgoi (ldio and ldoi), gaps, an offset.
std::vector<Case> Cases() {
  std::vector<Case> cases;
  for (const PackedKind kind : {PackedKind::kForward, PackedKind::kTransposed}) {
    for (Dim units = 1; units <= 33; ++units) {
      for (const Dim gates : {1, 3, 4}) {
        cases.push_back({{1, 1, 5, gates, units}, {0, 1, 2, 3, 4}, 0, 0, kind, GatePasses::kOne});
      }
      cases.push_back({{2, 2, 3, 3, units}, {0, 1, 3, 4, 2}, 2, 7, kind, GatePasses::kCandidateSecond});
      cases.push_back({{1, 2, units, 4, 6}, {0, 1, 2, 3, 4}, 3, 1, kind, GatePasses::kOne});
      cases.push_back({{2, 1, 4, units}, {0, 1, 2, 3}, 0, 2, kind, GatePasses::kOne});
      cases.push_back({{1, 2, 9, units}, {0, 1, 3, 2}, 1, 0, kind, GatePasses::kOne});
    }
    cases.push_back({{1, 1, 40, 1, 150}, {0, 1, 2, 3, 4}, 0, 0, kind, GatePasses::kOne});
    cases.push_back({{1, 1, 7, 3, 130}, {1, 0, 2, 3, 4}, 0, 0, kind, GatePasses::kCandidateSecond});
  }
  return cases;
}

MemoryDesc PlainOf(const Case& c, DataType type) { return Plain(c.dims, type, c.order, c.gap, c.offset0); }

std::vector<float> Distinct(size_t count) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i) + 1;
  return values;
}

TEST(PackedReorder, PutsEachElementWhereTheLayoutSaysAndZerosElsewhere) {
  for (const Case& c : Cases()) {
    const MemoryDesc plain = PlainOf(c, DataType::kF32);
    const PackedLayout layout = MakePackedLayout(plain, c.kind, DataType::kF32, c.passes);
    const PackedLayout forward = MakePackedLayout(plain, PackedKind::kForward, DataType::kF32, c.passes);
    const std::vector<float> src = Distinct(ElementsUpTo(plain));
    std::vector<float> packed(layout.bytes / sizeof(float), -1.f);
    Reorder(*Create(plain, MakePackedDesc(plain, layout)), src.data(), packed.data());
    std::vector<float> want(packed.size(), 0.f);
    ForEach(plain, [&](Dim l, Dim d, Dim i, Dim g, Dim o, Dim offset) {
      const Dim inside = c.kind == PackedKind::kForward ? PackedOffset(layout, i, g, o)
                                                        : PackedOffset(layout, Column(forward, g, o), 0, i);
      want[SliceOffset(layout, l, d) / sizeof(float) + inside] = src[offset];
    });
    ASSERT_EQ(packed, want) << ToString(c);
  }
}

TEST(PackedReorder, ThereAndBackIsTheIdentityAndLeavesGapsAlone) {
  for (const Case& c : Cases()) {
    const MemoryDesc plain = PlainOf(c, DataType::kF32);
    const PackedLayout layout = MakePackedLayout(plain, c.kind, DataType::kF32, c.passes);
    const MemoryDesc packed_desc = MakePackedDesc(plain, layout);
    const std::vector<float> src = Distinct(ElementsUpTo(plain));
    std::vector<float> packed(layout.bytes / sizeof(float)), back(src.size(), -5.f);
    Reorder(*Create(plain, packed_desc), src.data(), packed.data());
    Reorder(*Create(packed_desc, plain), packed.data(), back.data());
    std::vector<float> want(src.size(), -5.f);
    ForEach(plain, [&](Dim, Dim, Dim, Dim, Dim, Dim offset) { want[offset] = src[offset]; });
    ASSERT_EQ(back, want) << ToString(c);
  }
}

// Ties, both neighbours of ties, subnormals, overflow to infinity, infinities, NaN, and a sample.
std::vector<float> RoundingInputs() {
  const float inf = std::numeric_limits<float>::infinity();
  std::vector<float> values = {0.f,     -0.f,    1.f,    inf,      -inf,     std::nanf(""), 65504.f,  65519.9f,
                               65520.f, 3.4e38f, 1e-40f, 0x1p-14f, 0x1p-24f, 0x1.8p-25f,    0x1p-25f, 1e-5f};
  uint32_t bits = 12345;
  while (values.size() < 16 * 400) {
    bits = bits * 1664525u + 1013904223u;
    values.push_back(FromBits(bits));
    const uint32_t near_one = (bits & 0x80ffffffu) | 0x3a000000u;
    values.push_back(FromBits(near_one & ~0xfffu));               // often a tie of f16
    values.push_back(FromBits((near_one & ~0xffffu) | 0x8000u));  // a tie of bf16
  }
  values.resize(16 * 400);
  return values;
}

uint16_t RoundedBits(DataType type, float value) {
  return type == DataType::kBf16 ? FloatToBf16(value) : FloatToFp16(value);
}

float Widened(DataType type, uint16_t bits) { return type == DataType::kBf16 ? Bf16ToFloat(bits) : Fp16ToFloat(bits); }

// A client of training brings the weights of forward to backward, each in the layout of its primitive.
TEST(PackedReorder, RepacksFromOneLayoutToAnotherAsByWayOfAPlainOne) {
  for (const DataType type : {DataType::kF32, DataType::kBf16, DataType::kF16}) {
    const MemoryDesc plain = Plain({2, 1, 5, 3, 37}, type, {0, 1, 2, 3, 4}, 0, 0);
    std::vector<char> values(ElementsUpTo(plain) * SizeOf(type));
    for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<char>(i % 61);  // no NaN in any type
    for (const PackedKind from : {PackedKind::kForward, PackedKind::kTransposed}) {
      for (const PackedKind to : {PackedKind::kForward, PackedKind::kTransposed}) {
        for (const GatePasses passes : {GatePasses::kOne, GatePasses::kCandidateSecond}) {
          const MemoryDesc src = MakePackedDesc(plain, MakePackedLayout(plain, from, type, GatePasses::kOne));
          const MemoryDesc dst = MakePackedDesc(plain, MakePackedLayout(plain, to, type, passes));
          std::vector<char> packed(SizeInBytes(src)), got(SizeInBytes(dst), 99), want(SizeInBytes(dst));
          Reorder(*Create(plain, src), values.data(), packed.data());
          Reorder(*Create(plain, dst), values.data(), want.data());
          const auto plan = Create(src, dst);
          ASSERT_NE(plan, nullptr);
          std::vector<char> scratchpad(plan->scratchpad_bytes() + 1, static_cast<char>(0xff));
          ReorderBuffers buffers;
          buffers.src = packed.data();
          buffers.dst = got.data();
          buffers.scratchpad = scratchpad.data() + 1;
          plan->Execute(buffers);
          EXPECT_EQ(got, want) << ToString(type) << ' ' << static_cast<int>(from) << " to " << static_cast<int>(to);
        }
      }
    }
  }
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

TEST(PackedReorder, RoundsF32ToTheNearest16BitValueWhilePacking) {
  const std::vector<float> src = RoundingInputs();
  for (const DataType type : {DataType::kBf16, DataType::kF16}) {
    const MemoryDesc plain = Plain({1, 1, 400, 1, 16}, DataType::kF32, {0, 1, 2, 3, 4}, 0, 0);
    const PackedLayout layout = MakePackedLayout(plain, PackedKind::kForward, type, GatePasses::kOne);
    MemoryDesc packed_desc = MakePackedDesc(plain, layout);
    packed_desc.data_type = static_cast<dnnl_data_type_t>(type);
    std::vector<uint16_t> packed(layout.bytes / 2);
    Reorder(*Create(plain, packed_desc), src.data(), packed.data());
    ForEach(plain, [&](Dim, Dim, Dim i, Dim g, Dim o, Dim offset) {
      ASSERT_EQ(packed[PackedOffset(layout, i, g, o)], RoundedBits(type, src[offset])) << std::hexfloat << src[offset];
    });
  }
}

TEST(PackedReorder, RoundsToTheDescriptorsTypeEvenWhereTheStorageIsWider) {
  const std::vector<float> src = RoundingInputs();
  for (const DataType type : {DataType::kBf16, DataType::kF16}) {
    const MemoryDesc plain = Plain({1, 1, 400, 1, 16}, DataType::kF32, {0, 1, 2, 3, 4}, 0, 0);
    const PackedLayout layout = MakePackedLayout(plain, PackedKind::kForward, DataType::kF32, GatePasses::kOne);
    MemoryDesc packed_desc = MakePackedDesc(plain, layout);
    packed_desc.data_type = static_cast<dnnl_data_type_t>(type);
    std::vector<float> packed(layout.bytes / 4);
    Reorder(*Create(plain, packed_desc), src.data(), packed.data());
    ForEach(plain, [&](Dim, Dim, Dim i, Dim g, Dim o, Dim offset) {
      const float want = Widened(type, RoundedBits(type, src[offset]));
      const float got = packed[PackedOffset(layout, i, g, o)];
      ASSERT_TRUE(std::isnan(want) ? std::isnan(got) : BitsOf(got) == BitsOf(want))
          << std::hexfloat << src[offset] << " became " << got;
    });
  }
}

TEST(PackedReorder, SixteenBitWeightsSurviveThereAndBackInBothLayouts) {
  for (const Case& c : Cases()) {
    for (const DataType type : {DataType::kBf16, DataType::kF16}) {
      const MemoryDesc plain = PlainOf(c, type);
      const PackedLayout layout = MakePackedLayout(plain, c.kind, type, c.passes);
      const MemoryDesc packed_desc = MakePackedDesc(plain, layout);
      std::vector<uint16_t> src(ElementsUpTo(plain)), packed(layout.bytes / 2);
      for (size_t i = 0; i < src.size(); ++i) src[i] = static_cast<uint16_t>(0x3c00 + i % 0x1000);
      std::vector<uint16_t> back(src.size(), 0xffff), want(src.size(), 0xffff);
      Reorder(*Create(plain, packed_desc), src.data(), packed.data());
      Reorder(*Create(packed_desc, plain), packed.data(), back.data());
      ForEach(plain, [&](Dim, Dim, Dim, Dim, Dim, Dim offset) { want[offset] = src[offset]; });
      ASSERT_EQ(back, want) << ToString(c);
    }
  }
}

struct QuantizedCase {
  Dims dims;
  int mask;
};

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

TEST(PackedReorder, DeclinesWhatItWouldNotHonour) {
  const MemoryDesc plain = Plain({1, 1, 3, 4, 2}, DataType::kF32, {0, 1, 2, 3, 4}, 0, 0);
  const PackedLayout f32 = MakePackedLayout(plain, PackedKind::kForward, DataType::kF32, GatePasses::kOne);
  const PackedLayout s8 = MakePackedLayout(plain, PackedKind::kForward, DataType::kS8, GatePasses::kOne);
  std::string why_not;
  ReorderProblem problem;
  problem.src = plain;
  problem.dst = plain;
  EXPECT_EQ(CreateReorder(problem, &why_not), nullptr) << "plain to plain is the reference's";
  problem.dst = MakePackedDesc(plain, f32);
  problem.attr.post_ops.emplace_back();
  EXPECT_EQ(CreateReorder(problem, &why_not), nullptr);
  EXPECT_NE(why_not.find("post-ops"), std::string::npos) << why_not;
  problem.attr = {};
  problem.attr.scale_masks[1] = 0;
  EXPECT_EQ(CreateReorder(problem, &why_not), nullptr);
  problem.attr = {};
  problem.attr.rnn_weights.mask = 0x8;  // gates alone
  problem.attr.rnn_weights.values.assign(4, 2.f);
  problem.dst = MakePackedDesc(plain, s8);
  EXPECT_EQ(CreateReorder(problem, &why_not), nullptr);
  problem.src = problem.dst;
  problem.dst = plain;
  problem.attr = {};
  EXPECT_EQ(CreateReorder(problem, &why_not), nullptr);
  EXPECT_NE(why_not.find("no way back"), std::string::npos) << why_not;
}

}  // namespace
}  // namespace optimized
}  // namespace tandem
