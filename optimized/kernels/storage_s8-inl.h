// The structs of storage_float-inl.h for weights of s8: products of bytes, exact in s32. Stage() makes a `Factor` of each
// operand that is multiplied in another type; a vector of outputs has kSumsPerVector accumulators.

// Per-target include guard.
#if defined(TANDEM_OPTIMIZED_KERNELS_STORAGE_S8_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TANDEM_OPTIMIZED_KERNELS_STORAGE_S8_INL_H_
#undef TANDEM_OPTIMIZED_KERNELS_STORAGE_S8_INL_H_
#else
#define TANDEM_OPTIMIZED_KERNELS_STORAGE_S8_INL_H_
#endif

#include <cstdint>
#include <cstring>

#include "api/core/os/os.h"
#include "api/core/types.h"
#include "hwy/highway.h"
#include "optimized/kernels/kernels.h"
#include "optimized/kernels/micro_kernel-inl.h"
#include "optimized/kernels/vectors-inl.h"
#include "optimized/machine/target.h"
#include "optimized/weights/layout.h"

HWY_BEFORE_NAMESPACE();
namespace tandem {
namespace optimized {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_SSSE3 && HWY_TARGET > HWY_AVX3_DL
// One row is limited by the instructions that widen its weights. With A's bytes in halves of four bits vpmaddubsw cannot
// saturate, and 16-bit sums hold eight groups of k: 4.5 instructions for 32 multiply-adds instead of six.

// Each four bytes: their low halves, then their high halves.
HWY_INLINE void SplitBytes(const uint8_t* HWY_RESTRICT from, Dim n, uint8_t* HWY_RESTRICT to) {
  const hn::Full128<uint8_t> d;
  const hn::Full128<uint32_t> quads;
  Dim i = 0;
  for (; i + 16 <= n; i += 16) {
    const auto bytes = hn::LoadU(d, from + i), mask = hn::Set(d, 15);
    const auto low = hn::BitCast(quads, hn::And(bytes, mask));
    const auto high = hn::BitCast(quads, hn::And(hn::ShiftRight<4>(bytes), mask));
    hn::StoreU(hn::BitCast(d, hn::InterleaveLower(quads, low, high)), d, to + 2 * i);
    hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(quads, low, high)), d, to + 2 * i + 16);
  }
  for (; i < n; ++i) {
    uint8_t* quad = to + i / 4 * 8 + i % 4;
    quad[0] = from[i] & 15;
    quad[4] = from[i] >> 4;
  }
}

// Else GCC multiplies everything first, and keeps the products in memory.
HWY_INLINE hn::Vec<hn::Repartition<int16_t, S32Tag>> InOrder(hn::Vec<hn::Repartition<int16_t, S32Tag>> sum) {
  asm volatile("" : "+v"(sum.raw));
  return sum;
}

// GROUPS groups of four k, eight at most, of one row and BLOCKS blocks, added to `sums`.
template <Dim GROUPS, int BLOCKS>
HWY_INLINE void AddHalves(const uint8_t* HWY_RESTRICT halves, const Weights<int8_t, 4>& weights,
                          Accumulators<S32Vec, 1, BLOCKS * kBlockVectors>& sums) {
  static_assert(GROUPS * 2 * 15 * 128 <= 32767, "sums of products of four and eight bits, in pairs, would saturate");
  constexpr int kVectors = BLOCKS * kBlockVectors;
  const S32Tag d;
  const hn::Repartition<int16_t, S32Tag> words;
  const hn::Repartition<int8_t, S32Tag> bytes;
  const hn::Repartition<uint8_t, S32Tag> unsigned_bytes;
  hn::Vec<decltype(words)> low[kVectors], high[kVectors];
  HWY_UNROLL(16)
  for (int j = 0; j < kVectors; ++j) low[j] = high[j] = hn::Zero(words);
  HWY_UNROLL(8)
  for (Dim g = 0; g < GROUPS; ++g) {
    int32_t quad, high_quad;
    std::memcpy(&quad, halves + g * 8, sizeof quad);
    std::memcpy(&high_quad, halves + g * 8 + 4, sizeof high_quad);
    const auto x = hn::BitCast(unsigned_bytes, hn::Set(d, quad));
    const auto y = hn::BitCast(unsigned_bytes, hn::Set(d, high_quad));
    HWY_UNROLL(16)
    for (int j = 0; j < kVectors; ++j) {
      const auto w = hn::LoadU(bytes, weights.Vector(j) + g * kBlock * 4);
      low[j] = InOrder(hn::Add(low[j], hn::SatWidenMulPairwiseAdd(words, x, w)));
      high[j] = InOrder(hn::Add(high[j], hn::SatWidenMulPairwiseAdd(words, y, w)));
    }
  }
  HWY_UNROLL(16)
  for (int j = 0; j < kVectors; ++j) {
    const auto all = hn::Add(hn::WidenMulPairwiseAdd(d, low[j], hn::Set(words, 1)),
                             hn::WidenMulPairwiseAdd(d, high[j], hn::Set(words, 16)));
    sums.at[0][j] = hn::Add(sums.at[0][j], all);
  }
}

// `groups` groups of four k of one row times BLOCKS blocks.
template <int BLOCKS>
HWY_INLINE void MultiplyHalves(const uint8_t* HWY_RESTRICT halves, Weights<int8_t, 4> weights, Dim groups,
                               const int32_t* init, int32_t* out) {
  const S32Tag d;
  Accumulators<S32Vec, 1, BLOCKS * kBlockVectors> sums;
  HWY_UNROLL(16)
  for (int j = 0; j < BLOCKS * kBlockVectors; ++j) sums.at[0][j] = hn::LoadU(d, init + j * kLanes);
  for (; groups >= 8; groups -= 8) {
    AddHalves<8, BLOCKS>(halves, weights, sums);
    halves += 8 * 8;
    weights.at += 8 * 4 * kBlock;
  }
  for (; groups > 0; --groups) {
    AddHalves<1, BLOCKS>(halves, weights, sums);
    halves += 8;
    weights.at += 4 * kBlock;
  }
  HWY_UNROLL(16)
  for (int j = 0; j < BLOCKS * kBlockVectors; ++j) hn::StoreU(sums.at[0][j], d, out + j * kLanes);
}
#endif

// u8 x s8 in exact s32, four to each of the sums in one instruction: DOT::Add.
template <class DOT>
struct S8QuadStorage : RegisterTiles {
  using Weight = int8_t;
  using Operand = uint8_t;
  using Factor = uint8_t;
  using AccTag = S32Tag;
  static constexpr int kGroup = 4;
  static constexpr int kPadding = kGroup;
  static constexpr DataType kOperand = DataType::kU8;
  static constexpr bool kReadsFromL3 = HWY_ARCH_X86;
  static bool RunsOn(const Target& target) { return DOT::RunsOn(target); }

  template <int MR, int NV>
  static HWY_INLINE void MultiplyGroup(const OperandRows<uint8_t, MR>& a, Dim k, const Weights<int8_t, kGroup>& b,
                                       Accumulators<S32Vec, MR, NV>& acc) {
    const S32Tag d;
    const hn::Repartition<uint8_t, S32Tag> du;
    const hn::Repartition<int8_t, S32Tag> ds;
    hn::Vec<decltype(ds)> w[NV];
    HWY_UNROLL(16)
    for (int j = 0; j < NV; ++j) w[j] = hn::LoadU(ds, b.Vector(j));
    HWY_UNROLL(16)
    for (int i = 0; i < MR; ++i) {
      int32_t quad;
      std::memcpy(&quad, a.at[i] + k, sizeof quad);
      const auto x = hn::BitCast(du, hn::Set(d, quad));
      HWY_UNROLL(16)
      for (int j = 0; j < NV; ++j) acc.at[i][j] = DOT::Add(acc.at[i][j], x, w[j]);
    }
  }
};

#if (HWY_ARCH_X86 && HWY_TARGET > HWY_AVX3_DL) || HWY_TARGET == HWY_EMU128
// u8 x s8 in exact s32 without VNNI: bytes are widened to 16 bits, A's once for each tile, weights in the loop, and pairs
// of products are added. A group of four k takes two lanes of sums, which are added at the end. vpmaddubsw, which needs
// half as many instructions, saturates. (In plain C++, GCC takes ten times as long to compile the other product.)
struct S8Storage : RegisterTiles {
  using Weight = int8_t;
  using Operand = uint8_t;
  using Factor = int16_t;
  using AccTag = S32Tag;
  static constexpr int kGroup = 4;
  static constexpr int kPadding = kGroup;
  static constexpr int kSumsPerVector = 2;
  static constexpr Dim kTurn = kTuning.tile.s8_turn;
  static constexpr DataType kOperand = DataType::kU8;

  static HWY_INLINE void Stage(const uint8_t* HWY_RESTRICT from, Dim n, int16_t* HWY_RESTRICT to) {
    const hn::Repartition<int16_t, S32Tag> d;
    const hn::Rebind<uint8_t, decltype(d)> bytes;
    constexpr Dim kStep = hn::MaxLanes(d);
    Dim i = 0;
    for (; i + kStep <= n; i += kStep) hn::StoreU(hn::PromoteTo(d, hn::LoadU(bytes, from + i)), d, to + i);
    for (; i < n; ++i) to[i] = from[i];
  }

  // out = init + a * b for one row and `blocks` blocks.
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_SSSE3
  static constexpr bool kMultipliesRow = true;
  static HWY_INLINE void MultiplyRow(const uint8_t* a, Dim groups, const Weights<int8_t, kGroup>& b, Dim blocks,
                                     const int32_t* init, int32_t* out) {
    constexpr Dim kPiece = kTuning.tile.split_groups;
    // Two blocks where 16 registers hold the 16-bit sums of both: eight vectors.
    constexpr int kAtOnce = 4 * kBlockVectors <= 8 ? 2 : 1;
    HWY_ALIGN uint8_t halves[kPiece * 2 * kGroup];
    Dim begin = 0;
    do {
      const Dim n = HWY_MIN(groups - begin, kPiece);
      SplitBytes(a + begin * kGroup, n * kGroup, halves);
      const int32_t* from = begin == 0 ? init : out;
      Weights<int8_t, kGroup> weights = {b.at + begin * kBlock * kGroup, b.stream};
      Dim i = 0;
      for (; i + kAtOnce <= blocks; i += kAtOnce) {
        MultiplyHalves<kAtOnce>(halves, weights, n, from + i * kBlock, out + i * kBlock);
        weights.at += kAtOnce * b.stream;
      }
      if (i < blocks) MultiplyHalves<1>(halves, weights, n, from + i * kBlock, out + i * kBlock);
      begin += n;
    } while (begin < groups);
  }
#endif

  // sum + the pairs' sums of products. Twelve sums, two weights, a value of A and its products take all 16 registers; of
  // intrinsics GCC makes code that keeps sums in memory once the loop over k is unrolled or they start from zero.
  using Words = hn::Vec<hn::Repartition<int16_t, S32Tag>>;
  static HWY_INLINE S32Vec AddProducts(S32Vec sum, Words x, Words w) {
#if HWY_TARGET == HWY_EMU128
    return hn::Add(sum, hn::WidenMulPairwiseAdd(S32Tag(), x, w));
#else
    Words products;
#if HWY_TARGET <= HWY_AVX2
    asm("vpmaddwd %2, %3, %1\n\tvpaddd %1, %0, %0" : "+v"(sum.raw), "=&v"(products.raw) : "v"(w.raw), "v"(x.raw));
#else
    asm("movdqa %3, %1\n\tpmaddwd %2, %1\n\tpaddd %1, %0"
        : "+x"(sum.raw), "=&x"(products.raw)
        : "x"(w.raw), "x"(x.raw));
#endif
    return sum;
#endif
  }

  template <int MR, int NV>
  static HWY_INLINE void MultiplyGroup(const OperandRows<int16_t, MR>& a, Dim k, const Weights<int8_t, kGroup>& b,
                                       Accumulators<S32Vec, MR, 2 * NV>& acc) {
    const hn::Repartition<int64_t, S32Tag> quads;
    const hn::Repartition<int16_t, S32Tag> halves;
    const hn::Rebind<int8_t, decltype(halves)> bytes;
    hn::Vec<decltype(halves)> w[2 * NV];
    HWY_UNROLL(16)
    for (int j = 0; j < 2 * NV; ++j) {
      w[j] = hn::PromoteTo(halves, hn::LoadU(bytes, b.Vector(j / 2) + j % 2 * (2 * kLanes)));
    }
    HWY_UNROLL(16)
    for (int i = 0; i < MR; ++i) {
      int64_t quad;
      std::memcpy(&quad, a.at[i] + k, sizeof quad);
      const auto x = hn::BitCast(halves, hn::Set(quads, quad));
      HWY_UNROLL(16)
      for (int j = 0; j < 2 * NV; ++j) {
        acc.at[i][j] = AddProducts(acc.at[i][j], x, w[j]);
      }
    }
  }

  // The sums of the pairs of two halves of a vector of outputs.
  static HWY_INLINE S32Vec Merge(S32Vec low, S32Vec high) {
    const S32Tag d;
    return hn::Add(hn::ConcatEven(d, high, low), hn::ConcatOdd(d, high, low));
  }
};
#else
struct HighwayDot {
  static bool RunsOn(const Target&) { return true; }
  static HWY_INLINE S32Vec Add(S32Vec sum, hn::Vec<hn::Repartition<uint8_t, S32Tag>> x,
                               hn::Vec<hn::Repartition<int8_t, S32Tag>> w) {
    return hn::SumOfMulQuadAccumulate(S32Tag(), x, w, sum);
  }
};
using S8Storage = S8QuadStorage<HighwayDot>;
#endif

#if HWY_TARGET == HWY_AVX2
// AVX-VNNI, for which Highway 1.2.0 has no target.
struct AvxVnniDot {
  static bool RunsOn(const Target& target) { return target.Has(Feature::kAvxVnni); }
  // An intrinsic would need the whole function, and all that is inlined into it, compiled for AVX-VNNI.
  static HWY_INLINE S32Vec Add(S32Vec sum, hn::Vec<hn::Repartition<uint8_t, S32Tag>> x,
                               hn::Vec<hn::Repartition<int8_t, S32Tag>> w) {
    asm("%{vex%} vpdpbusd %2, %1, %0" : "+x"(sum.raw) : "x"(x.raw), "x"(w.raw));
    return sum;
  }
};
using S8VnniStorage = S8QuadStorage<AvxVnniDot>;
#else
using S8VnniStorage = void;  // no such kernels
#endif

#if HWY_ARCH_ARM_A64
// Four s8 x s8 added to each of four sums in one instruction, SDOT. Highway 1.2.0 has no operation for it on targets that
// GCC 12 compiles, and no target of its own: ARMv8.2 made it optional, so that the processor is asked. Operands are
// staged as byte - 128, the weights' sums times 128 are the caller's part.
struct S8DotStorage : RegisterTiles {
  using Weight = int8_t;
  using Operand = uint8_t;
  using Factor = int8_t;
  using AccTag = S32Tag;
  static constexpr int kGroup = 4;
  static constexpr int kPadding = kGroup;
  static constexpr DataType kOperand = DataType::kU8;
  static constexpr int32_t kOffset = 128;
  static bool RunsOn(const Target&) { return os::HasArmDotProduct(); }

  static HWY_INLINE void Stage(const uint8_t* HWY_RESTRICT from, Dim n, int8_t* HWY_RESTRICT to) {
    const hn::Full128<uint8_t> d;
    auto* bytes = reinterpret_cast<uint8_t*>(to);
    Dim i = 0;
    for (; i + 16 <= n; i += 16) hn::StoreU(hn::Xor(hn::LoadU(d, from + i), hn::Set(d, 0x80)), d, bytes + i);
    for (; i < n; ++i) bytes[i] = from[i] ^ 0x80;
  }

  // An intrinsic would need the whole function, and all that is inlined into it, compiled for ARMv8.2.
  static HWY_INLINE S32Vec Dot(S32Vec sums, hn::Vec<hn::Repartition<int8_t, S32Tag>> weights, int32x2_t quad) {
    asm(".arch armv8.2-a+dotprod\n\tsdot %0.4s, %1.16b, %2.4b[0]" : "+w"(sums.raw) : "w"(weights.raw), "w"(quad));
    return sums;
  }

  template <int MR, int NV>
  static HWY_INLINE void MultiplyGroup(const OperandRows<int8_t, MR>& a, Dim k, const Weights<int8_t, kGroup>& b,
                                       Accumulators<S32Vec, MR, NV>& acc) {
    const auto operand = [&](int i) HWY_ATTR {
      int32_t quad;
      std::memcpy(&quad, a.at[i] + k, sizeof quad);
      return vdup_n_s32(quad);
    };
    const auto weight = [&](int j) HWY_ATTR { return hn::LoadU(hn::Repartition<int8_t, S32Tag>(), b.Vector(j)); };
    if constexpr (kWeightsOneByOne<MR, NV>) {
      int32x2_t x[MR];
      HWY_UNROLL(16)
      for (int i = 0; i < MR; ++i) x[i] = operand(i);
      HWY_UNROLL(16)
      for (int j = 0; j < NV; ++j) {
        const auto w = weight(j);
        HWY_UNROLL(16)
        for (int i = 0; i < MR; ++i) acc.at[i][j] = Dot(acc.at[i][j], w, x[i]);
      }
    } else {
      decltype(weight(0)) w[NV];
      HWY_UNROLL(16)
      for (int j = 0; j < NV; ++j) w[j] = weight(j);
      HWY_UNROLL(16)
      for (int i = 0; i < MR; ++i) {
        const auto x = operand(i);
        HWY_UNROLL(16)
        for (int j = 0; j < NV; ++j) acc.at[i][j] = Dot(acc.at[i][j], w[j], x);
      }
    }
  }
};
#endif

}  // namespace HWY_NAMESPACE
}  // namespace optimized
}  // namespace tandem
HWY_AFTER_NAMESPACE();

#endif  // TANDEM_OPTIMIZED_KERNELS_STORAGE_S8_INL_H_
