#include "api/core/memory/memory_desc.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>
#include <set>

#include "api/core/error_testing.h"
#include "api/core/memory/memory_desc_testing.h"

namespace tandem {
namespace {

constexpr auto kF32 = DataType::kF32;
constexpr Dim kHuge = std::numeric_limits<Dim>::max();

RC_GTEST_PROP(MemoryDescStrides, GiveEachIndexItsOwnPlaceInsideTheSize, ()) {
  const MemoryDesc md = GenStrided(GenDims(5, 5), DataType::kBf16);
  std::set<Dim> places;
  ForEachIndex(md, [&](const Dims& index) {
    const Dim offset = OffsetAt(md, index.data());
    RC_ASSERT(offset >= 0 && static_cast<size_t>(offset) * 2 + 2 <= SizeInBytes(md));
    RC_ASSERT(static_cast<size_t>(offset) * 2 + 2 <= ExtentInBytes(md));
    RC_ASSERT(places.insert(offset).second);
  });
  RC_ASSERT(static_cast<size_t>(*places.rbegin()) * 2 + 2 == ExtentInBytes(md));
}

RC_GTEST_PROP(MemoryDescStrides, OfATagLeaveNoGap, ()) {
  const Dims dims = GenDims(6, 4);
  std::string tag;
  for (const int d : GenPermutation(static_cast<int>(dims.size()))) tag += static_cast<char>('a' + d);
  const MemoryDesc md = MakePermuted(dims, kF32, tag.c_str());
  std::set<Dim> places;
  ForEachIndex(md, [&](const Dims& index) { places.insert(OffsetAt(md, index.data())); });
  RC_ASSERT(static_cast<Dim>(places.size()) == NumElements(md));
  RC_ASSERT(*places.rbegin() == NumElements(md) - 1);
  RC_ASSERT(SizeInBytes(md) == static_cast<size_t>(NumElements(md)) * 4);
  RC_ASSERT(IsDense(MakeDense(dims, kF32)));
}

RC_GTEST_PROP(MemoryDescEqual, HoldsExactlyWhenTheSameElementsLieInTheSamePlaces, ()) {
  const Dims dims = GenDims(4, 3);
  const MemoryDesc a = GenStrided(dims, kF32), b = GenStrided(dims, kF32);
  bool same = true;
  ForEachIndex(a, [&](const Dims& i) { same = same && OffsetAt(a, i.data()) == OffsetAt(b, i.data()); });
  RC_ASSERT(Equal(a, b) == same);
  RC_ASSERT(Equal(b, a) == same);
  RC_ASSERT(Equal(a, a));
}

TEST(MemoryDescEqual, IgnoresStridesOfDimsOfOne) {
  EXPECT_TRUE(Equal(MakeStrided({1, 4}, kF32, {4, 1}), MakeStrided({1, 4}, kF32, {77, 1})));
  EXPECT_FALSE(Equal(MakeStrided({2, 4}, kF32, {4, 1}), MakeStrided({2, 4}, kF32, {5, 1})));
}

TEST(MemoryDescEqual, TellsTypesDimsOffsetsAndKindsApart) {
  const MemoryDesc md = MakeDense({2, 3}, kF32);
  EXPECT_FALSE(Equal(md, MakeDense({2, 3}, DataType::kS32)));
  EXPECT_FALSE(Equal(md, MakeDense({3, 2}, kF32)));
  EXPECT_FALSE(Equal(md, MakeAny({2, 3}, kF32)));
  EXPECT_TRUE(Equal(MakeAny({2, 3}, kF32), MakeAny({2, 3}, kF32)));
  MemoryDesc moved = md;
  moved.offset0 = 1;
  EXPECT_FALSE(Equal(md, moved));
}

TEST(MemoryDescEqual, HoldsForZeroDescriptorsWhateverElseTheyHold) {
  MemoryDesc zero = {}, other = {};
  other.data_type = dnnl_f32;
  other.offset0 = 3;
  EXPECT_TRUE(Equal(zero, other));
  EXPECT_FALSE(Equal(zero, MakeDense({1}, kF32)));
}

TEST(MemoryDescEqual, ComparesOpaqueLayoutsByAllTheirParameters) {
  MemoryDesc a = MakeAny({2, 3}, kF32);
  a.format_kind = dnnl_format_kind_opaque;
  a.format_desc.packed = {};
  a.format_desc.packed.size = 64;
  MemoryDesc b = a;
  EXPECT_TRUE(Equal(a, b));
  b.format_desc.packed.params[7] = 1;
  EXPECT_FALSE(Equal(a, b));
  EXPECT_EQ(SizeInBytes(a), 64u);
}

TEST(MemoryDescSize, CountsPaddedRowsWholeAndSkipsTheOffset) {
  MemoryDesc md = MakeStrided({2, 3}, kF32, {8, 1});
  md.offset0 = 5;
  EXPECT_EQ(SizeInBytes(md), 2u * 8 * 4);
  EXPECT_EQ(ExtentInBytes(md), (5u + 8 + 2 + 1) * 4);
}

TEST(MemoryDescSize, DoesNotDependOnTheStrideOfADimOfOne) {
  EXPECT_EQ(SizeInBytes(MakeStrided({1, 3}, kF32, {1000, 1})), 3u * 4);
  EXPECT_EQ(SizeInBytes(MakeStrided({2, 1, 3}, kF32, {3, 1000, 1})), 6u * 4);
  EXPECT_EQ(SizeInBytes(MakeStrided({1, 1}, kF32, {1000, 1000})), 4u);
  EXPECT_EQ(ExtentInBytes(MakeStrided({2, 1, 3}, kF32, {3, 1000, 1})), 6u * 4);
}

TEST(MemoryDescSize, IsZeroForZeroAnyAndEmptyDescriptors) {
  EXPECT_EQ(SizeInBytes({}), 0u);
  EXPECT_EQ(SizeInBytes(MakeAny({2, 3}, kF32)), 0u);
  EXPECT_EQ(SizeInBytes(MakeDense({2, 0, 3}, kF32)), 0u);
  EXPECT_EQ(ExtentInBytes(MakeDense({2, 0, 3}, kF32)), 0u);
}

TEST(MemoryDescSize, OfABroadcastIsOneElement) {
  const MemoryDesc md = MakeStrided({5, 7}, kF32, {0, 0});
  EXPECT_EQ(SizeInBytes(md), 4u);
  EXPECT_TRUE(HasBroadcast(md));
  EXPECT_FALSE(HasBroadcast(MakeStrided({1, 7}, kF32, {0, 1})));
}

// offset0 + i_0 * strides[0] + i_1 * strides[1] = 7 + 1 * 5 + 2 * 1.
TEST(MemoryDescOffset, IsOffset0PlusEachIndexTimesItsStride) {
  MemoryDesc md = MakeStrided({2, 3}, kF32, {5, 1});
  md.offset0 = 7;
  const Dim index[] = {1, 2};
  EXPECT_EQ(OffsetAt(md, index), 14);
}

TEST(MemoryDescOffset, IsZeroInADescriptorThatIsNoPartOfAnother) {
  for (const MemoryDesc& md : {MakeDense({4, 6}, kF32), MakeStrided({4, 6}, kF32, {9, 1}),
                               MakePermuted({4, 6}, kF32, "ba"), MakeAny({4, 6}, kF32)}) {
    EXPECT_EQ(md.offset0, 0);
  }
}

TEST(MemoryDescRule, NoDimsGiveAZeroDescriptor) {
  EXPECT_TRUE(IsZero(MakeDense({}, kF32)));
  EXPECT_TRUE(IsZero(MakeStrided({}, kF32, {})));
}

TEST(MemoryDescRule, TwelveDimsAreTheMost) {
  EXPECT_NO_THROW(MakeDense(Dims(12, 1), kF32));
  ExpectError(dnnl_invalid_arguments, "13 dims, but at most 12", [] { MakeDense(Dims(13, 1), kF32); });
}

TEST(MemoryDescRule, NegativeDimsAreInvalid) {
  ExpectError(dnnl_invalid_arguments, "dim 1 is -3", [] { MakeDense({2, -3}, kF32); });
}

TEST(MemoryDescRule, UnknownDataTypesAreInvalid) {
  ExpectError(dnnl_invalid_arguments, "data type undef ", [] { MakeDense({2}, DataType::kUndef); });
}

TEST(MemoryDescRule, TensorsThatAnInt64CannotCountAreInvalid) {
  ExpectError(dnnl_invalid_arguments, "more than an int64", [] { MakeDense({kHuge, 2}, kF32); });
  ExpectError(dnnl_invalid_arguments, "more than an int64", [] { MakeDense({kHuge}, kF32); });
  ExpectError(dnnl_invalid_arguments, "more than an int64", [] { MakeStrided({2, 2}, DataType::kU8, {kHuge, 1}); });
  ExpectError(dnnl_invalid_arguments, "more than an int64", [] { MakeAny({kHuge / 4, 3}, kF32); });
  EXPECT_NO_THROW(MakeDense({kHuge}, DataType::kU8));
}

TEST(MemoryDescRule, AnEmptyTensorMayHaveHugeDimsOnlyWithinAnInt64) {
  EXPECT_NO_THROW(MakeDense({0, kHuge / 4}, kF32));
  ExpectError(dnnl_invalid_arguments, "more than an int64", [] { MakeDense({0, kHuge, 2}, kF32); });
}

TEST(MemoryDescRule, StridesMustMatchTheDimsInNumberAndSign) {
  ExpectError(dnnl_invalid_arguments, "1 strides for 2 dims", [] { MakeStrided({2, 3}, kF32, {3}); });
  ExpectError(dnnl_invalid_arguments, "stride 1 is -1", [] { MakeStrided({2, 3}, kF32, {3, -1}); });
}

TEST(MemoryDescRule, OverlappingStridesAreInvalid) {
  ExpectError(dnnl_invalid_arguments, "stride 0 is 2, but the 3 elements of dim 1 with stride 1 need at least 3", [] {
    MakeStrided({2, 3}, kF32, {2, 1});
  });
  ExpectError(dnnl_invalid_arguments, "stride 1 is 1", [] { MakeStrided({2, 3}, kF32, {1, 1}); });
}

TEST(MemoryDescRule, StridesOfDimsOfOneAreFree) {
  EXPECT_NO_THROW(MakeStrided({1, 1, 4, 5}, kF32, {5, 1, 7, 1}));
  EXPECT_NO_THROW(MakeStrided({1, 4, 5}, kF32, {2, 7, 1}));  // 2 is less than the 5 elements of the last dim take
}

TEST(MemoryDescRule, ATagOfAnotherRankIsInvalid) {
  ExpectError(dnnl_invalid_arguments, "format tag abc has 3 dims, but the tensor has 2", [] {
    MakePermuted({2, 3}, kF32, "abc");
  });
}

TEST(MemoryDescRule, RuntimeDimsStayUnknownAndExcludeAny) {
  const MemoryDesc md = MakeDense({DNNL_RUNTIME_DIM_VAL, 3}, kF32);
  EXPECT_TRUE(HasRuntimeValues(md));
  EXPECT_EQ(SizeInBytes(md), static_cast<size_t>(DNNL_RUNTIME_DIM_VAL));
  EXPECT_EQ(Strides(MakeDense({2, DNNL_RUNTIME_DIM_VAL, 3}, kF32))[0], DNNL_RUNTIME_DIM_VAL);
  ExpectError(dnnl_invalid_arguments, "{runtime, 3}", [] { MakeAny({DNNL_RUNTIME_DIM_VAL, 3}, kF32); });
}

// A client may write any number into the public struct, and a reorder asks this before it checks the descriptor.
TEST(MemoryDescRule, ImpossibleCountsHaveNoRuntimeValues) {
  MemoryDesc md = MakeDense({2, 3}, kF32);
  for (const int ndims : {-1, DNNL_MAX_NDIMS + 1, 1 << 30}) {
    md.ndims = ndims;
    EXPECT_FALSE(HasRuntimeValues(md)) << ndims;
  }
}

TEST(MemoryDescEqual, ComparesDescriptorsWithImpossibleCountsByteByByte) {
  MemoryDesc a = MakeDense({2, 3}, kF32);
  a.ndims = 40;
  MemoryDesc b = a;
  EXPECT_TRUE(Equal(a, b));
  EXPECT_EQ(SizeInBytes(a), 0u);
  b.dims[0] = 5;
  EXPECT_FALSE(Equal(a, b));
  b = a = MakeDense({2, 3}, kF32);
  b.format_desc.blocking.inner_nblks = -1;
  EXPECT_FALSE(Equal(a, b));
}

TEST(CheckWellFormed, RefusesWhatClientsMayWriteIntoTheStruct) {
  const MemoryDesc good = MakeDense({2, 3}, kF32);
  EXPECT_NO_THROW(CheckWellFormed(good, "bias"));
  EXPECT_NO_THROW(CheckWellFormed({}, "bias"));
  const auto expect = [&good](const char* words, dnnl_status_t status, void (*damage)(MemoryDesc*)) {
    MemoryDesc md = good;
    damage(&md);
    ExpectError(status, words, [&md] { CheckWellFormed(md, "bias"); });
  };
  expect("bias: has 13 dims", dnnl_invalid_arguments, [](MemoryDesc* md) { md->ndims = 13; });
  expect("bias: has -1 dims", dnnl_invalid_arguments, [](MemoryDesc* md) { md->ndims = -1; });
  expect("bias: dim 0 is -2", dnnl_invalid_arguments, [](MemoryDesc* md) { md->dims[0] = -2; });
  expect("offset0 is -8", dnnl_invalid_arguments, [](MemoryDesc* md) { md->offset0 = -8; });
  expect("offset 9223372036854775807 plus 6", dnnl_invalid_arguments, [](MemoryDesc* md) { md->offset0 = kHuge; });
  expect("format kind undef", dnnl_invalid_arguments, [](MemoryDesc* md) { md->format_kind = dnnl_format_kind_undef; });
  expect("1 inner blocks", dnnl_unimplemented, [](MemoryDesc* md) { md->format_desc.blocking.inner_nblks = 1; });
  expect("padded dim 1 is 4", dnnl_unimplemented, [](MemoryDesc* md) { md->padded_dims[1] = 4; });
  expect("packed size is -1", dnnl_invalid_arguments, [](MemoryDesc* md) {
    md->format_kind = dnnl_format_kind_opaque;
    md->format_desc.packed.size = -1;
  });
}

}  // namespace
}  // namespace tandem
