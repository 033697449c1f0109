#include "optimized/weights/regions.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace tandem {
namespace optimized {
namespace {

TEST(Regions, LieSideBySideOnCacheLines) {
  Regions regions;
  const Region<float> first = regions.Add<float>(17);
  const TypedRegion second = regions.Add(3, DataType::kBf16);
  const Region<char> third = regions.Add<char>(1);
  char base[1];
  EXPECT_EQ(reinterpret_cast<char*>(first.In(base)) - base, 0);
  EXPECT_EQ(first.In(base, 16) - first.In(base), 16);
  EXPECT_EQ(static_cast<char*>(second.In(base)) - base, 128);
  EXPECT_EQ(static_cast<char*>(second.In(base, 3)) - base, 134);
  EXPECT_EQ(third.In(base) - base, 192);
  EXPECT_EQ(regions.bytes(), 256u);
}

TEST(Regions, AreAbsentUntilTheyAreAdded) {
  Regions regions;
  EXPECT_FALSE(Region<float>().IsPresent());
  EXPECT_FALSE(regions.AddIf<float>(false, 16).IsPresent());
  EXPECT_TRUE(regions.AddIf<float>(true, 0).IsPresent());
  EXPECT_FALSE(regions.AddIf(false, 16, DataType::kU8).IsPresent());
  EXPECT_EQ(regions.bytes(), 0u);
}

// A 32-bit processor has no addresses for so many bytes.
TEST(Regions, HaveNoMoreBytesThanThereAreAddresses) {
  Regions regions;
  regions.Add<float>(16);
  constexpr Dim kMost = kMostBytes / static_cast<Dim>(sizeof(float));
  EXPECT_THROW(regions.Add<float>(kMost), Error);
  EXPECT_THROW(regions.Add<float>(Dim{1} << 62), Error);
  EXPECT_EQ(regions.bytes(), 64u);
  regions.Add<float>(kMost - 64);
  EXPECT_THROW(regions.Add<char>(128), Error);
  EXPECT_GT(regions.BytesWithSlack(), static_cast<size_t>(kMost));
}

// Without HWY_DASSERT, only the read faults. A compiler that knew the scratchpad would see the read and refuse it.
float Touch(const Region<float>& region, Dim index) {
  static char scratchpad[64];
  static char* volatile base = scratchpad;
  return *static_cast<const volatile float*>(region.In(base, index));
}

TEST(RegionDeathTest, AnAbsentRegionCannotBeTouched) {
  testing::FLAGS_gtest_death_test_style = std::getenv("TANDEM_EMULATOR") == nullptr ? "threadsafe" : "fast";
  EXPECT_DEATH_IF_SUPPORTED(Touch(Region<float>(), 0), "");
}

TEST(RegionDeathTest, IndicesAndTypesAreChecked) {
  testing::FLAGS_gtest_death_test_style = std::getenv("TANDEM_EMULATOR") == nullptr ? "threadsafe" : "fast";
  Regions regions;
  const Region<float> region = regions.Add<float>(4);
  const TypedRegion sums = regions.Add(4, DataType::kS32);
  char scratchpad[256];
  EXPECT_NE(sums.As<int32_t>(scratchpad, 4), nullptr);
  EXPECT_DEATH_IF_SUPPORTED(Touch(Region<float>(), 0), "IsPresent");
  EXPECT_DEATH_IF_SUPPORTED(region.In(scratchpad, 5), "index");
  EXPECT_DEATH_IF_SUPPORTED(sums.As<float>(scratchpad), "type_");
}

}  // namespace
}  // namespace optimized
}  // namespace tandem
