// One struct for each type of weights (s8: storage_s8-inl.h), with the product that its micro-kernel is made of: MultiplyGroup()
// adds the products of one group of k. Every floating sum runs over k in ascending order in one accumulator per output, so
// that no result depends on the tile height, on the division of work or on the length of vectors. Bf16PairStorage has another
// order.

// Per-target include guard.
#if defined(TANDEM_OPTIMIZED_KERNELS_STORAGE_FLOAT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TANDEM_OPTIMIZED_KERNELS_STORAGE_FLOAT_INL_H_
#undef TANDEM_OPTIMIZED_KERNELS_STORAGE_FLOAT_INL_H_
#else
#define TANDEM_OPTIMIZED_KERNELS_STORAGE_FLOAT_INL_H_
#endif

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "api/core/types.h"
#include "hwy/highway.h"
#include "optimized/kernels/micro_kernel-inl.h"
#include "optimized/kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tandem {
namespace optimized {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Says whether the register of a weight or of a value of A that is read for the last time is free. GCC lets a multiply-add
// overwrite it, and then moves sums to memory and back. It cannot overwrite a register that is read once more, which takes no
// instruction. Widened weights leave no registers for this.
enum class Registers { kFree, kKept };
template <Registers R>
HWY_INLINE void ReadOnceMore(F32Vec v) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2 && HWY_COMPILER_GCC_ACTUAL
  if constexpr (R == Registers::kKept) asm volatile("" : : "v"(v.raw));
#else
  (void)v;
#endif
}

// V8 makes two instructions of a load and a splat.
HWY_INLINE F32Vec Broadcast(const float* x) {
#if HWY_TARGET == HWY_WASM
  return F32Vec{wasm_v128_load32_splat(x)};
#else
  return hn::Set(F32Tag(), *x);
#endif
}

// w(j) times value `k` of MR rows of A for NV vectors of weights: all weights first, or each where it is used.
template <Registers R = Registers::kFree, int MR, int NV, class Weights>
HWY_INLINE void MultiplyAll(const OperandRows<float, MR>& a, Dim k, const Weights& w,
                            Accumulators<F32Vec, MR, NV>& acc) {
  F32Vec weights[NV];
  HWY_UNROLL(16)
  for (int j = 0; j < NV; ++j) weights[j] = w(j);
  HWY_UNROLL(16)
  for (int i = 0; i < MR; ++i) {
    const F32Vec x = Broadcast(a.at[i] + k);
    HWY_UNROLL(16)
    for (int j = 0; j < NV; ++j) acc.at[i][j] = hn::MulAdd(x, weights[j], acc.at[i][j]);
    ReadOnceMore<R>(x);
  }
  HWY_UNROLL(16)
  for (int j = 0; j < NV; ++j) ReadOnceMore<R>(weights[j]);
}

template <int MR, int NV, class Weights>
HWY_INLINE void MultiplyOneByOne(const OperandRows<float, MR>& a, Dim k, const Weights& w,
                                 Accumulators<F32Vec, MR, NV>& acc) {
  F32Vec x[MR];
  HWY_UNROLL(16)
  for (int i = 0; i < MR; ++i) x[i] = Broadcast(a.at[i] + k);
  HWY_UNROLL(16)
  for (int j = 0; j < NV; ++j) {
    const F32Vec weight = w(j);
    HWY_UNROLL(16)
    for (int i = 0; i < MR; ++i) acc.at[i][j] = hn::MulAdd(x[i], weight, acc.at[i][j]);
  }
}

template <int MR, int NV, class Weights>
HWY_INLINE void MultiplyWidened(const OperandRows<float, MR>& a, Dim k, const Weights& w,
                                Accumulators<F32Vec, MR, NV>& acc) {
  if constexpr (kWeightsOneByOne<MR, NV>) {
    MultiplyOneByOne(a, k, w, acc);
  } else {
    MultiplyAll(a, k, w, acc);
  }
}

struct F32Storage : RegisterTiles {
  using Weight = float;
  using Operand = float;
  using Factor = float;
  using AccTag = F32Tag;
  static constexpr int kGroup = 1;
  static constexpr int kPadding = kGroup;
  static constexpr Dim kTurn = kTuning.tile.f32_turn;
  static constexpr DataType kOperand = DataType::kF32;
  static constexpr bool kReadsFromL3 = HWY_ARCH_X86;
  static constexpr bool kAddsInput = true;

  // One or two rows wait for weights anyway.
  template <int MR, int NV>
  static constexpr Registers kRegistersFor = MR >= 3 && (MR + 1) * NV + 1 <= kRegisters ? Registers::kKept
                                                                                        : Registers::kFree;

  template <int MR, int NV, class WEIGHTS>
  static HWY_INLINE void MultiplyGroup(const OperandRows<float, MR>& a, Dim k, const WEIGHTS& b,
                                       Accumulators<F32Vec, MR, NV>& acc) {
    const auto weight = [&](int j) HWY_ATTR { return hn::LoadU(F32Tag(), b.Vector(j)); };
    if constexpr (kOperandsInMemory) {
      MultiplyAll<kRegistersFor<MR, NV>>(a, k, weight, acc);
    } else {
      MultiplyWidened(a, k, weight, acc);
    }
  }
};

using Bf16Pairs = hn::Vec<hn::Repartition<hwy::bfloat16_t, F32Tag>>;
HWY_INLINE F32Vec WidenEven(Bf16Pairs pairs) { return hn::PromoteEvenTo(F32Tag(), pairs); }
HWY_INLINE F32Vec WidenOdd(Bf16Pairs pairs) {
  const F32Tag d;
#if HWY_TARGET == HWY_AVX2
  // Two shifts: a mask would take one of 16 registers.
  const auto bits = hn::BitCast(hn::RebindToUnsigned<F32Tag>(), pairs);
  return hn::BitCast(d, hn::ShiftLeft<16>(hn::ShiftRight<16>(bits)));
#else
  return hn::PromoteOddTo(d, pairs);
#endif
}

// bf16 weights widened in registers; A and the sums are f32. Beside one or two rows of A there are registers for a pair of
// weights, which is then loaded once. With more rows first all
// even weights, then all odd ones.
struct Bf16Storage : RegisterTiles {
  using Weight = hwy::bfloat16_t;
  using Operand = float;
  using Factor = float;
  using AccTag = F32Tag;
  static constexpr int kGroup = 2;
  static constexpr int kPadding = kGroup;
  static constexpr Dim kTurn = kTuning.tile.bf16_turn;
  static constexpr DataType kOperand = DataType::kF32;

  template <int MR, int NV, class WEIGHTS>
  static HWY_INLINE void MultiplyGroup(const OperandRows<float, MR>& a, Dim k, const WEIGHTS& b,
                                       Accumulators<F32Vec, MR, NV>& acc) {
    if constexpr (MR <= 2) {
      MultiplyPairs(a, k, b, acc);
    } else {
      MultiplyHalves(a, k, b, acc);
    }
  }

 private:
  using PairTag = hn::Repartition<hwy::bfloat16_t, F32Tag>;

  template <int MR, int NV, class WEIGHTS>
  static HWY_INLINE void MultiplyPairs(const OperandRows<float, MR>& a, Dim k, const WEIGHTS& b,
                                       Accumulators<F32Vec, MR, NV>& acc) {
    F32Vec x_even[MR], x_odd[MR];
    HWY_UNROLL(2)
    for (int i = 0; i < MR; ++i) {
      x_even[i] = hn::Set(F32Tag(), a.at[i][k]);
      x_odd[i] = hn::Set(F32Tag(), a.at[i][k + 1]);
    }
    HWY_UNROLL(16)
    for (int j = 0; j < NV; ++j) {
      const Bf16Pairs pairs = hn::LoadU(PairTag(), b.Vector(j));
      const F32Vec even = WidenEven(pairs);
      HWY_UNROLL(2)
      for (int i = 0; i < MR; ++i) acc.at[i][j] = hn::MulAdd(x_even[i], even, acc.at[i][j]);
      const F32Vec odd = WidenOdd(pairs);
      HWY_UNROLL(2)
      for (int i = 0; i < MR; ++i) acc.at[i][j] = hn::MulAdd(x_odd[i], odd, acc.at[i][j]);
    }
  }

  template <int MR, int NV>
  static HWY_INLINE void MultiplyHalves(const OperandRows<float, MR>& a, Dim k,
                                        const Weights<hwy::bfloat16_t, kGroup>& b, Accumulators<F32Vec, MR, NV>& acc) {
    // Where the sums take most registers, the pairs are loaded again: the compiler must not know that it has them.
    Weights<hwy::bfloat16_t, kGroup> again = b;
    if constexpr (kProductsTakeRegisters || (HWY_ARCH_ARM_A64 && MR * NV > 20)) asm("" : "+r"(again.at));
    const auto even = [&](int j) HWY_ATTR { return WidenEven(hn::LoadU(PairTag(), b.Vector(j))); };
    const auto odd = [&](int j) HWY_ATTR { return WidenOdd(hn::LoadU(PairTag(), again.Vector(j))); };
    if constexpr (kProductsTakeRegisters) {
      MultiplyOneByOne(a, k, even, acc);
      MultiplyOneByOne(a, k + 1, odd, acc);
    } else {
      MultiplyWidened(a, k, even, acc);
      MultiplyWidened(a, k + 1, odd, acc);
    }
  }
};

#if HWY_TARGET == HWY_AVX3_ZEN4
// Zen 4 multiplies and adds two bf16 pairs per lane in one instruction as fast as one f32 pair. With the same instruction
// Intel's cores multiply half as fast as in f32, so other targets widen. Products are exact, sums are f32.
template <class OPERAND>
struct Bf16PairStorage : RegisterTiles {
  using Weight = hwy::bfloat16_t;
  using Operand = OPERAND;
  using Factor = hwy::bfloat16_t;
  using AccTag = F32Tag;
  static constexpr int kGroup = 2;
  static constexpr int kPadding = kGroup;
  static bool RunsOn(const Target& target) { return target.highway == HWY_AVX3_ZEN4; }

  template <int MR, int NV, class WEIGHTS>
  static HWY_INLINE void MultiplyGroup(const OperandRows<hwy::bfloat16_t, MR>& a, Dim k, const WEIGHTS& b,
                                       Accumulators<F32Vec, MR, NV>& acc) {
    const F32Tag d;
    const S32Tag di;
    const hn::Repartition<hwy::bfloat16_t, F32Tag> db;
    hn::Vec<decltype(db)> w[NV];
    HWY_UNROLL(16)
    for (int j = 0; j < NV; ++j) w[j] = hn::LoadU(db, b.Vector(j));
    HWY_UNROLL(16)
    for (int i = 0; i < MR; ++i) {
      int32_t pair;
      std::memcpy(&pair, a.at[i] + k, sizeof pair);
      const auto x = hn::BitCast(db, hn::Set(di, pair));
      HWY_UNROLL(16)
      for (int j = 0; j < NV; ++j) {
        F32Vec unused = hn::Zero(d);
        acc.at[i][j] = hn::ReorderWidenMulAccumulate(d, x, w[j], acc.at[i][j], unused);
      }
    }
  }
};

// States and activations are bf16 already: nothing is rounded.
struct Bf16DotStorage : Bf16PairStorage<hwy::bfloat16_t> {
  static constexpr DataType kOperand = DataType::kBf16;
};

// f32 states and activations, which an fpmath mode permits to round.
struct Bf16NarrowingStorage : Bf16PairStorage<float> {
  static constexpr DataType kOperand = DataType::kF32;

  // `n` is even.
  static HWY_INLINE void Stage(const float* HWY_RESTRICT from, Dim n, hwy::bfloat16_t* HWY_RESTRICT to) {
    const F32Tag d;
    const hn::Repartition<hwy::bfloat16_t, F32Tag> pairs;
    constexpr Dim kStep = 2 * kLanes;
    Dim i = 0;
    for (; i + kStep <= n; i += kStep) {
      hn::StoreU(hn::OrderedDemote2To(pairs, hn::LoadU(d, from + i), hn::LoadU(d, from + i + kLanes)), pairs, to + i);
    }
    for (; i < n; ++i) to[i] = hwy::BF16FromF32(from[i]);
  }
};
#else
using Bf16DotStorage = void;        // no such kernels
using Bf16NarrowingStorage = void;  // nor these
#endif

// f16 weights widened in registers; A and the sums are f32.
struct F16Products : RegisterTiles {
  using Weight = hwy::float16_t;
  using Operand = float;
  using Factor = float;
  using AccTag = F32Tag;
  static constexpr int kGroup = 1;
  static constexpr int kPadding = kGroup;
  static constexpr DataType kOperand = DataType::kF32;

  template <int MR, int NV, class WEIGHTS>
  static HWY_INLINE void MultiplyGroup(const OperandRows<float, MR>& a, Dim k, const WEIGHTS& b,
                                       Accumulators<F32Vec, MR, NV>& acc) {
    const hn::Rebind<hwy::float16_t, F32Tag> dh;
    MultiplyWidened(
        a, k, [&](int j) HWY_ATTR { return WidenF16(hn::LoadU(dh, b.Vector(j))); }, acc);
  }
};
// Without an instruction a vector takes 18, so that f16 weights are packed as f32 (StorageFor).
using F16Storage = std::conditional<kWidensF16, F16Products, void>::type;

// s8 weights widened in registers; A and the sums are f32. A 32-bit lane holds four k, so a shift to its upper end and one
// back take each byte out.
struct S8FloatStorage : RegisterTiles {
  using Weight = int8_t;
  using Operand = float;
  using Factor = float;
  using AccTag = F32Tag;
  static constexpr int kGroup = 4;
  static constexpr int kPadding = kGroup;
  static constexpr DataType kOperand = DataType::kF32;
  static constexpr bool kReadsFromL3 = HWY_ARCH_X86;

  template <int MR, int NV, class WEIGHTS>
  static HWY_INLINE void MultiplyGroup(const OperandRows<float, MR>& a, Dim k, const WEIGHTS& b,
                                       Accumulators<F32Vec, MR, NV>& acc) {
    if constexpr (MR <= 2 && !(HWY_ARCH_ARM_A64 && MR * NV > 20)) {
      HWY_UNROLL(16)
      for (int j = 0; j < NV; ++j) {
        const S32Vec quad = Quad(b, j);
        MultiplyByte<0>(a, k, quad, j, acc);
        MultiplyByte<1>(a, k, quad, j, acc);
        MultiplyByte<2>(a, k, quad, j, acc);
        MultiplyByte<3>(a, k, quad, j, acc);
      }
    } else {
      MultiplyBytes<0>(a, k, b, acc);
      MultiplyBytes<1>(a, k, b, acc);
      MultiplyBytes<2>(a, k, b, acc);
      MultiplyBytes<3>(a, k, b, acc);
    }
  }

 private:
  template <class WEIGHTS>
  static HWY_INLINE S32Vec Quad(const WEIGHTS& b, int j) {
    return hn::BitCast(S32Tag(), hn::LoadU(hn::Repartition<int8_t, S32Tag>(), b.Vector(j)));
  }
  template <int BYTE>
  static HWY_INLINE F32Vec Widen(S32Vec quad) {
    constexpr int kByte = HWY_IS_BIG_ENDIAN ? 3 - BYTE : BYTE;
    if constexpr (kByte < 3) quad = hn::ShiftLeft<24 - 8 * kByte>(quad);
    return hn::ConvertTo(F32Tag(), hn::ShiftRight<24>(quad));
  }
  template <int BYTE, int MR, int NV>
  static HWY_INLINE void MultiplyByte(const OperandRows<float, MR>& a, Dim k, S32Vec quad, int j,
                                      Accumulators<F32Vec, MR, NV>& acc) {
    const F32Vec weight = Widen<BYTE>(quad);
    HWY_UNROLL(2)
    for (int i = 0; i < MR; ++i) acc.at[i][j] = hn::MulAdd(hn::Set(F32Tag(), a.at[i][k + BYTE]), weight, acc.at[i][j]);
  }
  // Where sums take most registers, the quads are loaded again: the compiler must not know that it has them.
  template <int BYTE, int MR, int NV>
  static HWY_INLINE void MultiplyBytes(const OperandRows<float, MR>& a, Dim k, Weights<int8_t, kGroup> b,
                                       Accumulators<F32Vec, MR, NV>& acc) {
    // For Arm the four are different, or GCC takes them for one and keeps the quads on the stack.
    asm("" : "+r"(b.at) : "i"(HWY_ARCH_ARM_A64 ? BYTE : 0));
    const auto weight = [&](int j) HWY_ATTR { return Widen<BYTE>(Quad(b, j)); };
    if constexpr (kProductsTakeRegisters) {
      MultiplyOneByOne(a, k + BYTE, weight, acc);
    } else {
      MultiplyWidened(a, k + BYTE, weight, acc);
    }
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace optimized
}  // namespace tandem
HWY_AFTER_NAMESPACE();

#endif  // TANDEM_OPTIMIZED_KERNELS_STORAGE_FLOAT_INL_H_
