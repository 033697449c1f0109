#include "optimized/weights/layout.h"

#include <algorithm>
#include <vector>

#include "api/core/error_testing.h"
#include "gtest/gtest.h"

namespace tandem {
namespace optimized {
namespace {

struct Shape {
  Dims dims;
  DataType storage;
  GatePasses passes;
};

MemoryDesc Logical(const Shape& shape) {
  MemoryDesc md = {};
  md.ndims = static_cast<int>(shape.dims.size());
  std::copy(shape.dims.begin(), shape.dims.end(), md.dims);
  md.data_type = static_cast<dnnl_data_type_t>(shape.storage);
  md.format_kind = dnnl_format_kind_any;
  return md;
}

std::vector<Shape> Shapes() {
  std::vector<Shape> shapes;
  for (const DataType storage : {DataType::kF32, DataType::kBf16, DataType::kF16, DataType::kS8}) {
    for (const Dim k : {1, 5, 8}) {
      for (const Dim units : {1, 16, 17, 50, 130}) {
        for (const Dim gates : {1, 3, 4}) {
          shapes.push_back({{1, 1, k, gates, units}, storage, GatePasses::kOne});
        }
        shapes.push_back({{2, 2, k, 3, units}, storage, GatePasses::kCandidateSecond});
        shapes.push_back({{1, 2, k, units}, storage, GatePasses::kOne});
      }
    }
  }
  return shapes;
}

PackedLayout LayoutOf(const Shape& shape, PackedKind kind = PackedKind::kForward) {
  return MakePackedLayout(Logical(shape), kind, shape.storage, shape.passes);
}

TEST(PackedLayout, GivesEveryElementItsOwnPlaceInsideTheSlice) {
  for (const Shape& shape : Shapes()) {
    const PackedLayout layout = LayoutOf(shape);
    const size_t elements = layout.slice_bytes / SizeOf(shape.storage);
    std::vector<char> taken(elements, 0);
    for (Dim k = 0; k < layout.k; ++k) {
      for (Dim gate = 0; gate < layout.gates; ++gate) {
        for (Dim unit = 0; unit < layout.units; ++unit) {
          const Dim offset = PackedOffset(layout, k, gate, unit);
          ASSERT_GE(offset, 0);
          ASSERT_LT(static_cast<size_t>(offset), elements);
          ASSERT_EQ(taken[offset]++, 0) << "k " << k << " gate " << gate << " unit " << unit;
        }
      }
    }
  }
}

TEST(PackedLayout, MakesEachGateOfABlockOneStream) {
  const PackedLayout layout = LayoutOf({{1, 1, 8, 4, 40}, DataType::kF32, GatePasses::kOne});
  EXPECT_EQ(PackedOffset(layout, 1, 0, 0) - PackedOffset(layout, 0, 0, 0), kBlock);
  EXPECT_EQ(PackedOffset(layout, 0, 1, 0) - PackedOffset(layout, 0, 0, 0), 8 * kBlock);
  EXPECT_EQ(PackedOffset(layout, 0, 0, kBlock) - PackedOffset(layout, 0, 0, 0), 4 * 8 * kBlock);
  EXPECT_EQ(Column(layout, 1, 17), 16 * 4 + 16 + 1);
}

TEST(PackedLayout, KeepsTheCandidateGateOfGruInAPartOfItsOwn) {
  const PackedLayout layout = LayoutOf({{1, 1, 8, 3, 40}, DataType::kF32, GatePasses::kCandidateSecond});
  ASSERT_EQ(layout.n_parts, 2);
  EXPECT_EQ(Column(layout, 2, 0), 2 * 48);
  EXPECT_EQ(PackedOffset(layout, 0, 2, 0), 2 * 48 * 8);
  EXPECT_EQ(Column(layout, 1, 0), 16);
}

TEST(PackedLayout, SurvivesTheRoundTripThroughItsDescriptor) {
  for (const Shape& shape : Shapes()) {
    for (const PackedKind kind : {PackedKind::kForward, PackedKind::kTransposed}) {
      const PackedLayout layout = LayoutOf(shape, kind);
      const MemoryDesc md = MakePackedDesc(Logical(shape), layout);
      const PackedLayout back = PackedLayoutOf(md);
      EXPECT_EQ(back.bytes, layout.bytes);
      EXPECT_EQ(back.n_parts, layout.n_parts);
      EXPECT_EQ(back.k, layout.k);
    }
  }
}

// Padded are the last block of units and k (of backward: of each gate) to a group of at most four; s8 adds one number
// for each column.
TEST(PackedLayout, IsAtMostATenthLargerThanPlainWeights) {
  for (const DataType storage : {DataType::kF32, DataType::kBf16, DataType::kF16, DataType::kS8}) {
    for (const Dim units : {64, 96, 255, 681, 1024}) {
      for (const PackedKind kind : {PackedKind::kForward, PackedKind::kTransposed}) {
        const Shape shape = {{1, 2, units, 3, units}, storage, GatePasses::kCandidateSecond};
        const size_t plain = static_cast<size_t>(2 * units * 3 * units) * SizeOf(storage);
        EXPECT_LE(LayoutOf(shape, kind).bytes, plain * 11 / 10) << units << " units of " << ToString(storage);
      }
    }
  }
}

TEST(PackedLayout, OfAnotherVersionIsRefused) {
  const Shape shape = {{1, 1, 8, 4, 40}, DataType::kF32, GatePasses::kOne};
  MemoryDesc md = MakePackedDesc(Logical(shape), LayoutOf(shape));
  md.format_desc.packed.version += 1;
  EXPECT_THROW(PackedLayoutOf(md), Error);
}

// A part without gates divided by zero, and a panel has no room for five. The size is what such a layout would have, so that
// it is not refused for that.
TEST(PackedLayout, OfAnImpossibleNumberOfGatesIsRefused) {
  for (const GatePasses passes : {GatePasses::kOne, GatePasses::kCandidateSecond}) {
    const Shape shape = {{1, 1, 8, 3, 40}, DataType::kF32, passes};
    MemoryDesc md = MakePackedDesc(Logical(shape), LayoutOf(shape));
    for (const Dim gates : {Dim{0}, Dim{1}, Dim{5}}) {
      if (gates == 1 && passes == GatePasses::kOne) continue;
      md.dims[3] = md.padded_dims[3] = gates;
      md.format_desc.packed.size = static_cast<int64_t>(sizeof(float)) * 8 * gates * 48;
      ExpectError(dnnl_invalid_arguments, "was not made by this library", [&] { PackedLayoutOf(md); });
    }
  }
}

TEST(PackedLayout, OfAnotherSizeIsRefused) {
  const Shape shape = {{1, 1, 8, 4, 40}, DataType::kF32, GatePasses::kOne};
  for (const int64_t more : {-1, 1}) {
    MemoryDesc md = MakePackedDesc(Logical(shape), LayoutOf(shape));
    md.format_desc.packed.size += more;
    ExpectError(dnnl_invalid_arguments, "its dims need", [&] { PackedLayoutOf(md); });
  }
}

// One unit takes a block of 16, so that the bytes overflow although those of the plain tensor do not.
TEST(PackedLayout, OfMoreBytesThanAnInt64CountsIsRefused) {
  const Dim most = Dim{1} << 32;
  const std::vector<Dims> too_large = {
      {1, 1, Dim{1} << 58, 4, 1},  // columns
      {most, 1, most / 32, 1, 1},  // times layers
      {1, most, most / 32, 1, 1},  // times directions
      {1, 1, most, 1, most / 4},   // times the bytes of an element
  };
  for (const Dims& dims : too_large) {
    ExpectError(dnnl_invalid_arguments, "packed weights: ", [&] {
      LayoutOf({dims, DataType::kF32, GatePasses::kOne});
    });
  }
  LayoutOf({{1 << 10, 1 << 10, 1 << 10, 4, 1 << 10}, DataType::kF32, GatePasses::kOne});
}

}  // namespace
}  // namespace optimized
}  // namespace tandem
