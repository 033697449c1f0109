// Conversions between the storage types, on every target of the machine, against the scalar ones of core.
#include <cmath>
#include <cstring>
#include <vector>

#include "api/core/float16.h"
#include "gtest/gtest.h"
#include "hwy/targets.h"
#include "optimized/kernels/kernels.h"

namespace tandem {
namespace optimized {
namespace {

constexpr size_t kPatterns = 65536;

std::vector<uint16_t> AllPatterns() {
  std::vector<uint16_t> patterns(kPatterns);
  for (size_t i = 0; i < kPatterns; ++i) patterns[i] = static_cast<uint16_t>(i);
  return patterns;
}

// The same class and, unless NaN, the same bits.
void ExpectSame(float got, float want, size_t pattern, int64_t target) {
  const bool same = std::isnan(want) ? std::isnan(got) : BitsOf(got) == BitsOf(want);
  ASSERT_TRUE(same) << hwy::TargetName(target) << ", pattern " << pattern << ": got " << got << ", want " << want;
}

TEST(Convert, WidensEvery16BitPattern) {
  const std::vector<uint16_t> patterns = AllPatterns();
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    for (const DataType type : {DataType::kBf16, DataType::kF16}) {
      std::vector<float> wide(kPatterns);
      ConvertFor(target)({patterns.data(), type, wide.data(), DataType::kF32, static_cast<Dim>(kPatterns), {}, {}});
      for (size_t i = 0; i < kPatterns; ++i) {
        ExpectSame(wide[i], type == DataType::kBf16 ? Bf16ToFloat(patterns[i]) : Fp16ToFloat(patterns[i]), i, target);
      }
    }
  }
}

// Around every f16: itself, ties to either neighbour, and just off them; infinities and NaN among them.
TEST(Convert, RoundsToF16LikeTheScalarConversion) {
  std::vector<float> wide;
  for (uint32_t i = 0; i < kPatterns; ++i) {
    const uint32_t bits = BitsOf(Fp16ToFloat(static_cast<uint16_t>(i)));
    for (const uint32_t more : {0u, 1u, 0xfffu, 0x1000u, 0x1001u}) wide.push_back(FromBits(bits + more));
  }
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    std::vector<uint16_t> narrow(wide.size());
    ConvertFor(target)(
        {wide.data(), DataType::kF32, narrow.data(), DataType::kF16, static_cast<Dim>(wide.size()), {}, {}});
    for (size_t i = 0; i < wide.size(); ++i) {
      ExpectSame(Fp16ToFloat(narrow[i]), Fp16ToFloat(FloatToFp16(wide[i])), i, target);
    }
  }
}

}  // namespace
}  // namespace optimized
}  // namespace tandem
