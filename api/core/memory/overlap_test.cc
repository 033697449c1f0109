#include "api/core/memory/overlap.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstring>
#include <set>

#include "api/core/memory/memory_desc_ops.h"
#include "api/core/memory/memory_desc_testing.h"

namespace tandem {
namespace {

constexpr auto kF32 = DataType::kF32;

// The slow model: every byte of every element.
std::set<uintptr_t> BytesOf(const PlacedTensor& tensor) {
  std::set<uintptr_t> bytes;
  const size_t size = SizeOf(TypeOf(tensor.md));
  ForEachIndex(tensor.md, [&](const Dims& index) {
    const auto at = reinterpret_cast<uintptr_t>(tensor.base) + OffsetAt(tensor.md, index.data()) * size;
    for (size_t i = 0; i < size; ++i) bytes.insert(at + i);
  });
  return bytes;
}

bool ShareBytesByModel(const PlacedTensor& a, const PlacedTensor& b) {
  const std::set<uintptr_t> bytes = BytesOf(a), others = BytesOf(b);
  return std::any_of(bytes.begin(), bytes.end(), [&](uintptr_t byte) { return others.count(byte) != 0; });
}

const void* Address(int64_t value) { return reinterpret_cast<const void*>(static_cast<uintptr_t>(value)); }

RC_GTEST_PROP(ShareBytes, AgreesWithTheSetsOfBytes, ()) {
  const auto type = [] { return *rc::gen::element(DataType::kU8, DataType::kBf16, DataType::kF32); };
  MemoryDesc a = GenStrided(GenDims(4, 4), type()), b = GenStrided(GenDims(4, 4), type());
  a.offset0 = *rc::gen::inRange<Dim>(0, 4);
  const int64_t distance = *rc::gen::inRange<int64_t>(-64, 64);
  const PlacedTensor one{a, Address(1000)}, other{b, Address(1000 + distance)};
  RC_ASSERT(ShareBytes(one, other) == ShareBytesByModel(one, other));
  RC_ASSERT(ShareBytes(other, one) == ShareBytes(one, other));
}

RC_GTEST_PROP(ShareBytes, AgreesForWindowsOfOneBuffer, ()) {
  const Dims parent_dims = {3, 4, 5};
  const MemoryDesc parent = GenStrided(parent_dims, kF32);
  const auto window = [&] {
    Dims dims, offsets;
    for (const Dim dim : parent_dims) {
      dims.push_back(*rc::gen::inRange<Dim>(1, dim + 1));
      offsets.push_back(*rc::gen::inRange<Dim>(0, dim - dims.back() + 1));
    }
    return SubMemory(parent, dims, offsets);
  };
  const MemoryDesc a = window(), b = window();
  const PlacedTensor one{a, Address(4096)}, other{b, Address(4096)};
  RC_ASSERT(ShareBytes(one, other) == ShareBytesByModel(one, other));
}

TEST(ShareBytes, LeavesHalvesOfTheSameRowsApart) {
  const MemoryDesc parent = MakeDense({1, 1, 1000, 64}, kF32);
  const MemoryDesc left = SubMemory(parent, {1, 1, 1000, 32}, {0, 0, 0, 0});
  const MemoryDesc right = SubMemory(parent, {1, 1, 1000, 32}, {0, 0, 0, 32});
  const MemoryDesc wider = SubMemory(parent, {1, 1, 1000, 33}, {0, 0, 0, 31});
  EXPECT_FALSE(ShareBytes({left, Address(64)}, {right, Address(64)}));
  EXPECT_TRUE(ShareBytes({left, Address(64)}, {wider, Address(64)}));
  EXPECT_TRUE(ShareBytes({left, Address(64)}, {right, Address(64 - 4)}));
}

TEST(ShareBytes, IsFalseForEmptyTensorsAndNeighbours) {
  const MemoryDesc empty = MakeDense({0, 4}, kF32), four = MakeDense({4}, kF32);
  EXPECT_FALSE(ShareBytes({empty, Address(0)}, {four, Address(0)}));
  EXPECT_FALSE(ShareBytes({four, Address(64)}, {four, Address(80)}));
  EXPECT_FALSE(ShareBytes({four, Address(80)}, {four, Address(64)}));
  EXPECT_TRUE(ShareBytes({four, Address(64)}, {four, Address(79)}));
  EXPECT_TRUE(ShareBytes({four, Address(79)}, {four, Address(64)}));
}

// Rows of 5 bytes, 16 apart, and such that begin one byte earlier or later than apart from them.
TEST(ShareBytes, IsTrueForOneByteOfStridedRows) {
  const MemoryDesc rows = MakeStrided({3, 5}, DataType::kU8, {16, 1});
  for (const int64_t row : {0, 16, 32}) {
    for (const int64_t apart : {-5, 5}) {
      const int64_t near = apart < 0 ? apart + 1 : apart - 1;
      EXPECT_FALSE(ShareBytes({rows, Address(1000)}, {rows, Address(1000 + row + apart)})) << row << apart;
      EXPECT_TRUE(ShareBytes({rows, Address(1000)}, {rows, Address(1000 + row + near)})) << row << apart;
      EXPECT_TRUE(ShareBytes({rows, Address(1000 + row + near)}, {rows, Address(1000)})) << row << apart;
    }
  }
}

// 5 and 3 apart: the bytes 8, 13 and 0, 3, 6, 9. A byte of the first at 3 would be shared.
TEST(ShareBytes, LooksAtNoElementThatIsNotThere) {
  const MemoryDesc two = MakeStrided({2}, DataType::kU8, {5}), four = MakeStrided({4}, DataType::kU8, {3});
  EXPECT_FALSE(ShareBytes({two, Address(1008)}, {four, Address(1000)}));
  EXPECT_FALSE(ShareBytes({four, Address(1000)}, {two, Address(1008)}));
  const MemoryDesc three = MakeStrided({3}, DataType::kU8, {5});
  EXPECT_TRUE(ShareBytes({three, Address(1003)}, {four, Address(1000)}));
}

RC_GTEST_PROP(CopyElements, CopiesTheElementsAndNothingElse, ()) {
  MemoryDesc md = GenStrided(GenDims(4, 4), DataType::kBf16);
  md.offset0 = *rc::gen::inRange<Dim>(0, 4);
  const size_t bytes = ExtentInBytes(md);
  const std::vector<unsigned char> from(bytes, 1);
  std::vector<unsigned char> to(bytes, 0);
  CopyElements(md, from.data(), to.data());
  std::vector<unsigned char> want(bytes, 0);
  for (const uintptr_t place : BytesOf({md, nullptr})) want[place] = 1;
  RC_ASSERT(to == want);
}

}  // namespace
}  // namespace tandem
