// Arguments of an execution that share a byte are found, and those beside each other are not.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "api/core/error.h"
#include "api/library/primitives/argument_list.h"

namespace tandem {
namespace {

constexpr int64_t kBase = 4096, kInputBytes = 12, kOutputBytes = 10, kOffset = 3;

// Bytes [kOffset, kOffset + 12) of an input, and 10 of an output.
ArgumentList InputAndOutput() {
  ArgumentList list;
  MemoryDesc input = MakeDense({3, 4}, DataType::kU8);
  input.offset0 = kOffset;
  list.Add({DNNL_ARG_SRC, "src", input, ArgumentRole::kInput, ArgumentUse::kTensor});
  list.Add({DNNL_ARG_DST, "dst", MakeDense({2, 5}, DataType::kU8), ArgumentRole::kOutput, ArgumentUse::kTensor});
  return list;
}

// The input's elements begin at kBase, the output's so many bytes later.
ArgumentList::Pointers At(int64_t distance) {
  ArgumentList::Pointers pointers = {};
  pointers[0] = reinterpret_cast<void*>(static_cast<uintptr_t>(kBase - kOffset));
  pointers[1] = reinterpret_cast<void*>(static_cast<uintptr_t>(kBase + distance));
  return pointers;
}

TEST(ArgumentList, IsApartWhereNoByteIsInCommon) {
  const ArgumentList list = InputAndOutput();
  for (int64_t distance = -20; distance <= 20; ++distance) {
    EXPECT_EQ(list.AreApart(At(distance)), distance <= -kOutputBytes || distance >= kInputBytes) << distance;
  }
}

// The same memories are asked about again, and of another list, whose output is one byte longer.
TEST(ArgumentList, RemembersWhatIsApartForOneListOnly) {
  const ArgumentList list = InputAndOutput();
  ArgumentList other;
  other.Add(list.all()[0]);
  other.Add(
      {DNNL_ARG_DST, "dst", MakeDense({kOutputBytes + 1}, DataType::kU8), ArgumentRole::kOutput, ArgumentUse::kTensor});
  const ArgumentList::Pointers pointers = At(-kOutputBytes);
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(list.AreApart(pointers));
    EXPECT_TRUE(ArgumentList(list).AreApart(pointers));
    EXPECT_FALSE(other.AreApart(pointers));
    EXPECT_FALSE(list.AreApart(At(1 - kOutputBytes)));
  }
}

TEST(ArgumentList, CopiesAnInputOfWhichOneByteIsOverwritten) {
  const ArgumentList list = InputAndOutput();
  std::vector<unsigned char> buffer(64, 7);
  for (const int64_t distance : {-kOutputBytes, 1 - kOutputBytes, kInputBytes - 1, kInputBytes}) {
    ArgumentList::Pointers pointers = {};
    void* const input = buffer.data() + 20 - kOffset;
    pointers[0] = input;
    pointers[1] = buffer.data() + 20 + distance;
    const size_t copies = distance == -kOutputBytes || distance == kInputBytes ? 0 : 1;
    EXPECT_EQ(list.SaveOverwrittenInputs(&pointers).size(), copies) << distance;
    EXPECT_EQ(pointers[0] == input, copies == 0) << distance;
  }
}

TEST(ArgumentList, RefusesOutputsWithOneByteInCommon) {
  ArgumentList list;
  for (const int index : {DNNL_ARG_DST, DNNL_ARG_DST_1}) {
    list.Add({index, "dst", MakeDense({kOutputBytes}, DataType::kU8), ArgumentRole::kOutput, ArgumentUse::kTensor});
  }
  for (int64_t distance = -12; distance <= 12; ++distance) {
    ArgumentList::Pointers pointers = At(distance);
    pointers[0] = reinterpret_cast<void*>(static_cast<uintptr_t>(kBase));
    const bool apart = distance <= -kOutputBytes || distance >= kOutputBytes;
    EXPECT_EQ(list.AreApart(pointers), apart) << distance;
    if (apart) {
      EXPECT_EQ(list.SaveOverwrittenInputs(&pointers).size(), 0u) << distance;
    } else {
      EXPECT_THROW(list.SaveOverwrittenInputs(&pointers), Error) << distance;
    }
  }
}

// A state that is updated in place needs neither a copy nor the slower search, unless another output meets it.
TEST(ArgumentList, IsApartWhereAPairMayCoincide) {
  ArgumentList list = InputAndOutput();
  list.Add({DNNL_ARG_DST_1, "dst_1", MakeDense({4}, DataType::kU8), ArgumentRole::kOutput, ArgumentUse::kTensor});
  list.Add(Coincidence{DNNL_ARG_SRC, DNNL_ARG_DST, 2});
  for (int64_t distance = -20; distance <= 20; ++distance) {
    ArgumentList::Pointers pointers = At(distance);
    pointers[2] = reinterpret_cast<void*>(static_cast<uintptr_t>(kBase + 100));
    const bool coincide = distance == 2 - kOffset;
    EXPECT_EQ(list.AreApart(pointers), coincide || distance <= -kOutputBytes || distance >= kInputBytes) << distance;
    if (!coincide) continue;
    pointers[2] = reinterpret_cast<void*>(static_cast<uintptr_t>(kBase + 6));
    EXPECT_FALSE(list.AreApart(pointers));
    EXPECT_THROW(list.SaveOverwrittenInputs(&pointers), Error);
  }
}

// If both arguments of a pair are outputs, each is counted as meeting the other.
TEST(ArgumentList, IsApartWhereTwoOutputsMayCoincide) {
  ArgumentList list;
  for (const int index : {DNNL_ARG_DST, DNNL_ARG_DST_1}) {
    list.Add({index, "dst", MakeDense({kOutputBytes}, DataType::kU8), ArgumentRole::kOutput, ArgumentUse::kTensor});
  }
  list.Add(Coincidence{DNNL_ARG_DST_1, DNNL_ARG_DST, 4});
  ArgumentList::Pointers pointers = At(4);
  pointers[0] = reinterpret_cast<void*>(static_cast<uintptr_t>(kBase));
  EXPECT_FALSE(list.AreApart(pointers));
  std::swap(pointers[0], pointers[1]);
  EXPECT_TRUE(list.AreApart(pointers));
}

}  // namespace
}  // namespace tandem
