// Computes mean and variance of a row's numbers, and standardizes by them. docs/layer_normalization.md explains the letters.

// Per-target include guard.
#if defined(TANDEM_OPTIMIZED_ROWS_NORM_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TANDEM_OPTIMIZED_ROWS_NORM_INL_H_
#undef TANDEM_OPTIMIZED_ROWS_NORM_INL_H_
#else
#define TANDEM_OPTIMIZED_ROWS_NORM_INL_H_
#endif

#include <cmath>

#include "hwy/highway.h"
#include "optimized/kernels/vectors-inl.h"
#include "optimized/rows/norm_kernels.h"

HWY_BEFORE_NAMESPACE();
namespace tandem {
namespace optimized {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The numbers that have one mean: the units of `gates` gates, whose blocks lie `stride` apart.
struct NormedLanes {
  Dim gates, units, stride;
};

HWY_INLINE F32Vec FirstLanes(F32Vec v, Dim n) {
  return n >= kLanes ? v : hn::IfThenElseZero(hn::FirstN(F32Tag(), static_cast<size_t>(n > 0 ? n : 0)), v);
}

// Calls body(place, valid, lane) for each vector of them; `lane` is its first one in the block.
template <class Body>
HWY_INLINE void ForEachNormed(const NormedLanes& lanes, const Body& body) {
  for (Dim unit = 0; unit < lanes.units; unit += kBlock) {
    for (Dim gate = 0; gate < lanes.gates; ++gate) {
      for (Dim lane = 0; lane < kBlock; lane += kLanes) {
        body(unit / kBlock * lanes.stride + gate * kBlock + lane, lanes.units - unit - lane, lane);
      }
    }
  }
}

// The sum of body(place) over all of them has one addend for each lane of a block, so that its bits do not depend on the length
// of vectors.
template <class Body>
HWY_INLINE float SumOfNormed(const NormedLanes& lanes, const Body& body) {
  const F32Tag d;
  HWY_ALIGN float sums[kBlock] = {};
  ForEachNormed(lanes, [&](Dim place, Dim valid, Dim lane) HWY_ATTR {
    hn::Store(hn::Add(hn::Load(d, sums + lane), FirstLanes(body(place), valid)), d, sums + lane);
  });
  for (Dim n = kBlock / 2; n > 0; n /= 2) {
    for (Dim i = 0; i < n; ++i) sums[i] += sums[i + n];
  }
  return sums[0];
}

struct Moments {
  float mean;
  float root;  // of the variance plus epsilon
};

HWY_INLINE Moments MomentsOf(const NormedLanes& lanes, const float* v, float epsilon) {
  const F32Tag d;
  const float count = static_cast<float>(lanes.gates * lanes.units);
  Moments moments;
  moments.mean = SumOfNormed(lanes, [&](Dim place) HWY_ATTR { return hn::LoadU(d, v + place); }) / count;
  const F32Vec mean = hn::Set(d, moments.mean);
  const float squares = SumOfNormed(lanes, [&](Dim place) HWY_ATTR {
    const F32Vec z = hn::Sub(hn::LoadU(d, v + place), mean);
    return hn::Mul(z, z);
  });
  moments.root = std::sqrt(squares / count + epsilon);
  return moments;
}

HWY_INLINE F32Vec Standardized(const Moments& moments, F32Vec v) {
  const F32Tag d;
  return hn::Div(hn::Sub(v, hn::Set(d, moments.mean)), hn::Set(d, moments.root));
}

// Calls body(lanes, first column) for all gates together, or for each.
template <class Body>
HWY_INLINE void ForEachNorm(const NormedSums& sums, const Body& body) {
  const Dim stride = sums.gates * kBlock;
  if (sums.scope == NormScope::kRow) return body(NormedLanes{sums.gates, sums.units, stride}, 0);
  for (Dim gate = 0; gate < sums.gates; ++gate) body(NormedLanes{1, sums.units, stride}, gate * kBlock);
}

}  // namespace HWY_NAMESPACE
}  // namespace optimized
}  // namespace tandem
HWY_AFTER_NAMESPACE();

#endif  // TANDEM_OPTIMIZED_ROWS_NORM_INL_H_
