#include "optimized/weights/reorder.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "api/core/float16.h"
#include "gtest/gtest.h"
#include "optimized/weights/layout.h"
#include "optimized/weights/reorder_testing.h"

namespace tandem {
namespace optimized {
namespace {

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
  problem.src.data_type = dnnl_s32;
  problem.attr = {};
  EXPECT_EQ(CreateReorder(problem, &why_not), nullptr);
  EXPECT_NE(why_not.find("floating or s8"), std::string::npos) << why_not;
}

}  // namespace
}  // namespace optimized
}  // namespace tandem
