#include "api/core/memory/memory_desc_ops.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "api/core/error_testing.h"
#include "api/core/memory/memory_desc_testing.h"

namespace tandem {
namespace {

constexpr auto kF32 = DataType::kF32;

Dims StridesOf(const MemoryDesc& md) { return Dims(Strides(md), Strides(md) + md.ndims); }

std::vector<Dim> PlacesInOrder(const MemoryDesc& md) {
  std::vector<Dim> places;
  ForEachIndex(md, [&](const Dims& index) { places.push_back(OffsetAt(md, index.data())); });
  return places;
}

RC_GTEST_PROP(SubMemory, ShowsTheParentsElementsFromTheOffsetOn, ()) {
  const MemoryDesc parent = GenStrided(GenDims(4, 5), kF32);
  Dims dims, offsets;
  for (int i = 0; i < parent.ndims; ++i) {
    dims.push_back(*rc::gen::inRange<Dim>(1, parent.dims[i] + 1));
    offsets.push_back(*rc::gen::inRange<Dim>(0, parent.dims[i] - dims[i] + 1));
  }
  const MemoryDesc view = SubMemory(parent, dims, offsets);
  ForEachIndex(view, [&](Dims index) {
    const Dim place = OffsetAt(view, index.data());
    for (int i = 0; i < parent.ndims; ++i) index[i] += offsets[i];
    RC_ASSERT(place == OffsetAt(parent, index.data()));
  });
  CheckWellFormed(view, "view");
}

// Rows 1 and 2, columns 2 to 4 of rows of 9.
TEST(SubMemory, BeginsAtItsFirstElementAndKeepsTheStrides) {
  const MemoryDesc view = SubMemory(MakeStrided({4, 6}, kF32, {9, 1}), {2, 3}, {1, 2});
  EXPECT_EQ(view.offset0, 1 * 9 + 2);
  EXPECT_EQ(StridesOf(view), (Dims{9, 1}));
}

RC_GTEST_PROP(SubMemory, OfASubMemoryAddsTheOffsets, ()) {
  const MemoryDesc parent = GenStrided({4, 6}, kF32);
  const MemoryDesc once = SubMemory(parent, {2, 3}, {1, 2});
  RC_ASSERT(Equal(SubMemory(once, {1, 2}, {1, 1}), SubMemory(parent, {1, 2}, {2, 3})));
}

TEST(SubMemory, MustLieInsideItsParent) {
  const MemoryDesc parent = MakeDense({4, 6}, kF32);
  EXPECT_NO_THROW(SubMemory(parent, {4, 6}, {0, 0}));
  ExpectError(dnnl_invalid_arguments, "dim 1 goes from 4 for 3, but the parent has 6", [&] {
    SubMemory(parent, {4, 3}, {0, 4});
  });
  ExpectError(dnnl_invalid_arguments, "offset 0 is -1", [&] { SubMemory(parent, {1, 1}, {-1, 0}); });
  ExpectError(dnnl_invalid_arguments, "dim 0 is -1", [&] { SubMemory(parent, {-1, 1}, {0, 0}); });
  ExpectError(dnnl_invalid_arguments, "for 4, but the parent has 4", [&] {
    SubMemory(parent, {4, 1}, {INT64_MAX, 0});
  });
}

TEST(SubMemory, NeedsTheParentsRank) {
  const MemoryDesc parent = MakeDense({4, 6}, kF32);
  ExpectError(dnnl_invalid_arguments, "1 dims, but the descriptor has 2 dims", [&] { SubMemory(parent, {4}, {0, 0}); });
  ExpectError(dnnl_invalid_arguments, "3 offsets, but the descriptor has 2 dims", [&] {
    SubMemory(parent, {4, 6}, {0, 0, 0});
  });
}

TEST(SubMemory, NeedsAPlainParent) {
  ExpectError(dnnl_invalid_arguments, "`any`", [] { SubMemory(MakeAny({4}, kF32), {2}, {0}); });
  MemoryDesc opaque = MakeAny({4}, kF32);
  opaque.format_kind = dnnl_format_kind_opaque;
  opaque.format_desc.packed = {};
  ExpectError(dnnl_unimplemented, "opaque", [&] { SubMemory(opaque, {2}, {0}); });
}

TEST(SubMemory, OfAZeroDescriptorIsZero) { EXPECT_TRUE(IsZero(SubMemory({}, {}, {}))); }

RC_GTEST_PROP(Reshape, ThereAndBackIsTheSameDescriptor, ()) {
  const Dims dims = GenDims(5, 4);
  const MemoryDesc md = MakeDense(dims, kF32);
  const MemoryDesc flat = Reshape(md, {NumElements(md)});
  RC_ASSERT(Equal(Reshape(flat, dims), md));
}

// Every dim of a gapped tensor can be split, and a 1 put anywhere, without moving an element.
RC_GTEST_PROP(Reshape, SplitsAnyDimInPlace, ()) {
  const Dims outer = GenDims(3, 4), inner = *rc::gen::container<Dims>(outer.size(), rc::gen::inRange<Dim>(1, 4));
  Dims dims, split;
  for (size_t i = 0; i < outer.size(); ++i) {
    dims.push_back(outer[i] * inner[i]);
    split.push_back(outer[i]);
    if (*rc::gen::arbitrary<bool>()) split.push_back(1);
    split.push_back(inner[i]);
  }
  const MemoryDesc md = GenStrided(dims, kF32);
  const MemoryDesc result = Reshape(md, split);
  RC_ASSERT(PlacesInOrder(result) == PlacesInOrder(md));
  RC_ASSERT(Equal(Reshape(result, dims), md));
  CheckWellFormed(result, "result");
}

TEST(Reshape, MergesNeighboursThatAreAdjacentInMemory) {
  const MemoryDesc md = MakeStrided({2, 3, 4}, kF32, {100, 4, 1});
  EXPECT_EQ(StridesOf(Reshape(md, {2, 12})), (Dims{100, 1}));
  ExpectError(dnnl_invalid_arguments, "merges dim 0 of stride 100, but its neighbour needs stride 12", [&] {
    Reshape(md, {6, 4});
  });
}

TEST(Reshape, KeepsTheOffset) {
  const MemoryDesc view = SubMemory(MakeDense({4, 6}, kF32), {2, 6}, {1, 0});
  EXPECT_EQ(Reshape(view, {12}).offset0, 6);
}

TEST(Reshape, AddsAndRemovesDimsOfOneInAnyLayout) {
  const MemoryDesc md = MakePermuted({3, 4}, kF32, "ba");
  const MemoryDesc wide = Reshape(md, {1, 3, 1, 4, 1});
  EXPECT_EQ(PlacesInOrder(wide), PlacesInOrder(md));
  EXPECT_TRUE(Equal(Reshape(wide, {3, 4}), md));
}

TEST(Reshape, MergesAcrossDimsOfOneWhateverTheirStride) {
  const MemoryDesc md = MakeStrided({2, 1, 3}, kF32, {3, 77, 1});
  EXPECT_TRUE(Equal(Reshape(md, {6}), MakeDense({6}, kF32)));
}

TEST(Reshape, NeedsTheSameNumberOfElements) {
  const MemoryDesc md = MakeDense({2, 3}, kF32);
  ExpectError(dnnl_invalid_arguments, "{7} has 7 elements, but {2, 3} has 6", [&] { Reshape(md, {7}); });
  ExpectError(dnnl_invalid_arguments, "dim 0 is -6", [&] { Reshape(md, {-6}); });
  ExpectError(dnnl_invalid_arguments, "no dims", [&] { Reshape(md, {}); });
  ExpectError(dnnl_invalid_arguments, "13 dims", [&] { Reshape(md, Dims(13, 1)); });
}

TEST(Reshape, OfAnyIsAny) { EXPECT_TRUE(Equal(Reshape(MakeAny({2, 3}, kF32), {6}), MakeAny({6}, kF32))); }

TEST(Reshape, OfEmptyTensorsChecksOnlyThatTheyStayEmpty) {
  const MemoryDesc empty = MakeDense({2, 0}, kF32);
  EXPECT_EQ(NumElements(Reshape(empty, {0, 3, 1})), 0);
  ExpectError(dnnl_invalid_arguments, "{1} has 1 elements", [&] { Reshape(empty, {1}); });
}

RC_GTEST_PROP(PermuteAxes, SendsDimDToDimPermutationOfD, ()) {
  const MemoryDesc md = GenStrided(GenDims(5, 4), kF32);
  const std::vector<int> permutation = GenPermutation(md.ndims);
  const MemoryDesc result = PermuteAxes(md, permutation);
  ForEachIndex(md, [&](const Dims& index) {
    Dims moved(index.size());
    for (size_t d = 0; d < index.size(); ++d) moved[permutation[d]] = index[d];
    RC_ASSERT(OffsetAt(result, moved.data()) == OffsetAt(md, index.data()));
  });
}

// A permutation that differs from its inverse: {2, 3, 5} with 0 -> 1 -> 2 -> 0.
TEST(PermuteAxes, ScattersLikeOnednn) {
  const MemoryDesc md = PermuteAxes(MakeDense({2, 3, 5}, kF32), {1, 2, 0});
  EXPECT_EQ(Dims(md.dims, md.dims + 3), (Dims{5, 2, 3}));
  EXPECT_EQ(StridesOf(md), (Dims{1, 15, 5}));
}

TEST(PermuteAxes, NeedsAPermutation) {
  const MemoryDesc md = MakeDense({2, 3}, kF32);
  ExpectError(dnnl_invalid_arguments, "axis 1 goes to 0", [&] { PermuteAxes(md, {0, 0}); });
  ExpectError(dnnl_invalid_arguments, "axis 0 goes to 2", [&] { PermuteAxes(md, {2, 0}); });
  ExpectError(dnnl_invalid_arguments, "axis 0 goes to -1", [&] { PermuteAxes(md, {-1, 0}); });
  ExpectError(dnnl_invalid_arguments, "1 axes", [&] { PermuteAxes(md, {0}); });
}

TEST(PermuteAxes, OfAnyPermutesItsDims) {
  EXPECT_TRUE(Equal(PermuteAxes(MakeAny({2, 3}, kF32), {1, 0}), MakeAny({3, 2}, kF32)));
}

}  // namespace
}  // namespace tandem
