// Conversions between the storage types, on every target of the machine, against the scalar ones of core.
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "api/core/attributes/quantization.h"
#include "api/core/float16.h"
#include "gtest/gtest.h"
#include "optimized/kernels/kernels.h"
#include "optimized/machine/target.h"

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
void ExpectSame(float got, float want, size_t pattern, const Target& target) {
  const bool same = std::isnan(want) ? std::isnan(got) : BitsOf(got) == BitsOf(want);
  ASSERT_TRUE(same) << TargetName(target) << ", pattern " << pattern << ": got " << got << ", want " << want;
}

TEST(Convert, WidensEvery16BitPattern) {
  const std::vector<uint16_t> patterns = AllPatterns();
  for (const Target& target : TargetsOfThisMachine()) {
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
  for (const Target& target : TargetsOfThisMachine()) {
    std::vector<uint16_t> narrow(wide.size());
    ConvertFor(target)(
        {wide.data(), DataType::kF32, narrow.data(), DataType::kF16, static_cast<Dim>(wide.size()), {}, {}});
    for (size_t i = 0; i < wide.size(); ++i) {
      ExpectSame(Fp16ToFloat(narrow[i]), Fp16ToFloat(FloatToFp16(wide[i])), i, target);
    }
  }
}

// Parameters whose zero points, sums and products are ties or lie next to one; each in both readings.
std::vector<StateQuantization> Quantizations(bool is_signed) {
  std::vector<StateQuantization> all;
  const std::vector<float> shifts = is_signed ? std::vector<float>{0.f} : std::vector<float>{0.f, 0.3f, 1.5f, 2.25f};
  for (const Reading reading : AllOf<Reading>()) {
    for (const float scale : {0.5f, 1.f, 3.f, 55.f, 59.f, 63.7f}) {
      for (const float shift : shifts) {
        all.push_back({{scale, shift, reading}, is_signed ? -128.f : 0.f, is_signed ? 127.f : 255.f});
      }
    }
  }
  all.push_back({{63.f, 88.5f, Reading::kOnednn}, is_signed ? -128.f : 0.f, is_signed ? 127.f : 255.f});
  return all;
}

// Real values of every half byte from below to above the range, both neighbours of each, and what is no number.
std::vector<float> RealValues(const StateQuantization& q) {
  std::vector<float> values = {NAN, -NAN, INFINITY, -INFINITY, -0.f, 1e30f, -1e30f};
  for (float half = -300.f; half <= 600.f; half += 0.5f) {
    const float x = DequantizeData(half, q);
    values.insert(values.end(), {x, std::nextafter(x, -INFINITY), std::nextafter(x, INFINITY)});
  }
  return values;
}

// A stored byte as an operand of the kernels: signed ones are kept as byte + 128.
template <class Int>
uint8_t Operand(Int byte) {
  return static_cast<uint8_t>(byte - std::numeric_limits<Int>::lowest());
}

template <class Int>
void ExpectQuantizesAsCore(ConvertFunction convert, DataType type, const StateQuantization& q) {
  const std::vector<float> values = RealValues(q);
  const Dim n = static_cast<Dim>(values.size());
  std::vector<Int> bytes(values.size());
  std::vector<float> reals(values.size());
  convert({values.data(), DataType::kF32, bytes.data(), type, n, StoreMode::kAssign, q});
  for (Dim i = 0; i < n; ++i) {
    ASSERT_EQ(+bytes[i], +QuantizeData<Int>(values[i], q))
        << values[i] << ", scale " << q.scale << ", shift " << q.shift;
  }
  convert({bytes.data(), type, reals.data(), DataType::kF32, n, StoreMode::kAssign, q});
  for (Dim i = 0; i < n; ++i) ASSERT_EQ(reals[i], DequantizeData(bytes[i], q)) << +bytes[i];
}

// All pairs of bytes, added to a dst_layer of bytes and to one of f32.
template <class Int>
void ExpectSumsAsCore(ConvertFunction convert, DataType type, const StateQuantization& q) {
  constexpr int kLowest = std::numeric_limits<Int>::lowest(), kHighest = std::numeric_limits<Int>::max();
  std::vector<Int> second;
  for (int byte = kLowest; byte <= kHighest; ++byte) second.push_back(static_cast<Int>(byte));
  const Dim n = static_cast<Dim>(second.size());
  std::vector<uint8_t> from(second.size());
  for (Dim i = 0; i < n; ++i) from[i] = Operand(second[i]);
  for (const Int first : second) {
    const std::vector<uint8_t> other(second.size(), Operand(first));
    std::vector<Int> bytes(second.size());
    std::vector<float> reals(second.size());
    for (const StoreMode mode : {StoreMode::kFirstOfSum, StoreMode::kSecondOfSum}) {
      const uint8_t* source = mode == StoreMode::kFirstOfSum ? other.data() : from.data();
      convert({source, DataType::kU8, bytes.data(), type, n, mode, q});
      convert({source, DataType::kU8, reals.data(), DataType::kF32, n, mode, q});
    }
    for (Dim i = 0; i < n; ++i) {
      ASSERT_EQ(+bytes[i], +SumOfDirections(first, second[i], q)) << +first << " and " << +second[i];
      ASSERT_EQ(reals[i], RealSumOfDirections(first, second[i], q)) << +first << " and " << +second[i];
    }
  }
}

TEST(Convert, QuantizesEveryTieAsCoreDoes) {
  for (const Target& target : TargetsOfThisMachine()) {
    SCOPED_TRACE(TargetName(target));
    const ConvertFunction convert = ConvertFor(target);
    for (const StateQuantization& q : Quantizations(false)) ExpectQuantizesAsCore<uint8_t>(convert, DataType::kU8, q);
    for (const StateQuantization& q : Quantizations(true)) ExpectQuantizesAsCore<int8_t>(convert, DataType::kS8, q);
  }
}

TEST(Convert, AddsTheBytesOfTwoDirectionsAsCoreDoes) {
  for (const Target& target : TargetsOfThisMachine()) {
    SCOPED_TRACE(TargetName(target));
    const ConvertFunction convert = ConvertFor(target);
    for (const StateQuantization& q : Quantizations(false)) ExpectSumsAsCore<uint8_t>(convert, DataType::kU8, q);
    for (const StateQuantization& q : Quantizations(true)) ExpectSumsAsCore<int8_t>(convert, DataType::kS8, q);
  }
}

}  // namespace
}  // namespace optimized
}  // namespace tandem
