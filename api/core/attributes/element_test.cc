#include "api/core/attributes/element.h"

#include <gtest/gtest.h>

#include "api/core/error_testing.h"

namespace tandem {
namespace {

template <class Real>
float StoredAndLoaded(DataType type, Real value) {
  return VisitElement(type, [value](auto element) {
    using Element = decltype(element);
    return Element::Load(Element::Store(value));
  });
}

size_t StoredSize(DataType type) {
  return VisitElement(type, [](auto element) { return sizeof(typename decltype(element)::Stored); });
}

constexpr DataType kTypes[] = {DataType::kF32, DataType::kBf16, DataType::kF16,
                               DataType::kS32, DataType::kS8,   DataType::kU8};

TEST(Element, HasTheSizeOfItsType) {
  for (const DataType type : kTypes) EXPECT_EQ(StoredSize(type), SizeOf(type)) << ToString(type);
}

// 1 + 2^-9 lies between two bf16 (steps of 2^-7) and is an f16 (steps of 2^-10); 300.5 is beyond the bytes.
TEST(Element, RoundsToItsType) {
  const float expected[][2] = {{1.001953125f, 300.5f}, {1.f, 300.f}, {1.001953125f, 300.5f},
                               {1.f, 300.f},           {1.f, 127.f}, {1.f, 255.f}};
  for (size_t i = 0; i < sizeof kTypes / sizeof *kTypes; ++i) {
    SCOPED_TRACE(ToString(kTypes[i]));
    EXPECT_EQ(StoredAndLoaded(kTypes[i], 1.001953125f), expected[i][0]);
    EXPECT_EQ(StoredAndLoaded(kTypes[i], 1.001953125), expected[i][0]);
    EXPECT_EQ(StoredAndLoaded(kTypes[i], 300.5f), expected[i][1]);
    EXPECT_EQ(StoredAndLoaded(kTypes[i], 300.5), expected[i][1]);
  }
}

// 1 + 2^-8 is halfway between two bf16; a little more goes up, unless it was rounded to f32 before.
TEST(Element, RoundsADoubleOnce) {
  EXPECT_EQ(StoredAndLoaded(DataType::kBf16, 1.0 + 0x1p-8 + 0x1p-40), 1.f + 0x1p-7f);
  EXPECT_EQ(StoredAndLoaded(DataType::kBf16, static_cast<float>(1.0 + 0x1p-8 + 0x1p-40)), 1.f);
}

TEST(Element, UndefHasNone) {
  ExpectError(dnnl_invalid_arguments, "has no elements", [] { StoredSize(DataType::kUndef); });
}

}  // namespace
}  // namespace tandem
