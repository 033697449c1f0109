#include "reference/reorder/reorder.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "api/core/error_testing.h"
#include "reference/reorder/reorder_testing.h"

namespace tandem {
namespace reference {
namespace {

RC_GTEST_PROP(Reorder, KeepsEachElementAtItsIndexInAnyLayoutAndType, ()) {
  const Dims dims = GenDims(5, 5);
  // Small non-negative integers are exact in all six types.
  Tensor src(GenStrided(dims, *rc::gen::elementOf(std::vector<DataType>(kTypes, kTypes + 6))));
  Tensor dst(GenStrided(dims, *rc::gen::elementOf(std::vector<DataType>(kTypes, kTypes + 6))));
  Tensor numbers(MakeDense(dims, kF32));
  for (Dim i = 0; i < NumElements(numbers.md); ++i) numbers.As<float>()[i] = static_cast<float>(i % 127);
  ReorderBuffers buffers;
  buffers.src = numbers.bytes.data(), buffers.dst = src.bytes.data();
  Execute({numbers.md, src.md, {}}, buffers);
  buffers.src = src.bytes.data(), buffers.dst = dst.bytes.data();
  Execute({src.md, dst.md, {}}, buffers);
  ForEachIndex(dst.md, [&](const Dims& index) { RC_ASSERT(dst.Get(index) == numbers.Get(index)); });
}

RC_GTEST_PROP(Reorder, WritesNothingOutsideItsView, ()) {
  const Dims whole = GenDims(4, 5);
  Tensor parent(GenStrided(whole, kF32));
  Dims dims, offsets;
  for (const Dim dim : whole) {
    dims.push_back(*rc::gen::inRange<Dim>(1, dim + 1));
    offsets.push_back(*rc::gen::inRange<Dim>(0, dim - dims.back() + 1));
  }
  const MemoryDesc view = SubMemory(parent.md, dims, offsets);
  Tensor src(MakeDense(dims, kF32));
  std::memset(src.bytes.data(), 0, src.bytes.size());
  ReorderBuffers buffers;
  buffers.src = src.bytes.data(), buffers.dst = parent.bytes.data();
  Execute({src.md, view, {}}, buffers);
  std::vector<bool> written(parent.bytes.size());
  ForEachIndex(view, [&](const Dims& index) {
    for (int b = 0; b < 4; ++b) written[static_cast<size_t>(OffsetAt(view, index.data())) * 4 + b] = true;
  });
  for (size_t i = 0; i < written.size(); ++i) RC_ASSERT(parent.bytes[i] == (written[i] ? 0 : 0xcd));
}

RC_GTEST_PROP(Reorder, BetweenEqualTypesKeepsAllBits, ()) {
  const Dims dims = GenDims(4, 4);
  for (const DataType type : kTypes) {
    Tensor src(MakeDense(dims, type)), there(GenStrided(dims, type)), back(MakeDense(dims, type));
    const size_t size = SizeInBytes(src.md);
    for (size_t i = 0; i < size; ++i) src.bytes[i] = *rc::gen::arbitrary<unsigned char>();
    ReorderBuffers buffers;
    buffers.src = src.bytes.data(), buffers.dst = there.bytes.data();
    Execute({src.md, there.md, {}}, buffers);
    buffers.src = there.bytes.data(), buffers.dst = back.bytes.data();
    Execute({there.md, back.md, {}}, buffers);
    RC_ASSERT(std::memcmp(src.bytes.data(), back.bytes.data(), size) == 0);
  }
}

TEST(Reorder, OfRowsLongerThanItsBufferIsWhole) {
  const Dim n = 1500;
  Floats values(2 * n);
  for (Dim i = 0; i < 2 * n; ++i) values[i] = static_cast<float>(i);
  EXPECT_EQ(Convert({2, n}, kF32, values, kS32), values);
}

TEST(Reorder, RoundsToNearestEvenAndSaturates) {
  const float inf = std::numeric_limits<float>::infinity();
  const Floats values = {0.5f, 1.5f, 2.5f, -0.5f, -1.5f, 127.5f, 128.f, 254.5f, 300.f, -128.5f, -300.f, inf, -inf};
  EXPECT_EQ(Convert({13}, kF32, values, kS8), (Floats{0, 2, 2, 0, -2, 127, 127, 127, 127, -128, -128, 127, -128}));
  EXPECT_EQ(Convert({13}, kF32, values, kU8), (Floats{0, 2, 2, 0, 0, 128, 128, 254, 255, 0, 0, 255, 0}));
}

TEST(Reorder, ToS32StopsAtTheLargestF32BelowItsBound) {
  Tensor src(MakeDense({3}, kF32)), dst(MakeDense({3}, kS32));
  const Floats values = {3e9f, -3e9f, std::nanf("")};
  std::memcpy(src.bytes.data(), values.data(), 12);
  ReorderBuffers buffers;
  buffers.src = src.bytes.data(), buffers.dst = dst.bytes.data();
  Execute({src.md, dst.md, {}}, buffers);
  EXPECT_EQ(dst.As<int32_t>()[0], 2147483520);
  EXPECT_EQ(dst.As<int32_t>()[1], std::numeric_limits<int32_t>::min());
  EXPECT_EQ(dst.As<int32_t>()[2], 0);
}

// 1 + 2^-8 lies half-way between the bf16 neighbours 1 and 1 + 2^-7; 1 + 3 * 2^-8 between 1 + 2^-7 and 1 + 2^-6.
TEST(Reorder, ToBf16RoundsTiesToEven) {
  EXPECT_EQ(Convert({2}, kF32, {1.00390625f, 1.01171875f}, DataType::kBf16), (Floats{1.f, 1.015625f}));
}

TEST(Reorder, IntegersNarrowBySaturation) {
  EXPECT_EQ(Convert({3}, kS32, {-5.f, 100.f, 70000.f}, kU8), (Floats{0, 100, 255}));
  EXPECT_EQ(Convert({2}, kU8, {200.f, 7.f}, kS8), (Floats{127, 7}));
}

TEST(Reorder, OfNothingDoesNothing) { EXPECT_TRUE(Convert({2, 0}, kF32, {}, kS8).empty()); }

TEST(Reorder, DeclinesOpaqueTensors) {
  MemoryDesc opaque = MakeDense({2}, kF32);
  opaque.format_kind = dnnl_format_kind_opaque;
  opaque.format_desc.packed = {};
  std::string why_not;
  EXPECT_EQ(CreateReorder({MakeDense({2}, kF32), opaque, {}}, &why_not), nullptr);
  EXPECT_FALSE(why_not.empty());
}

}  // namespace
}  // namespace reference
}  // namespace tandem
