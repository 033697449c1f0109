#include "conformance/oracle/bounded_int8.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "api/core/attributes/quantization.h"
#include "conformance/problem/tensor_set.h"
#include "reference/numerics/numerics_int8.h"

namespace tandem::conformance {
namespace {

bool IsF32(double x) { return static_cast<double>(static_cast<float>(x)) == x; }

}  // namespace

BoundedQuantization::BoundedQuantization(const RnnProblem& problem)
    : type(problem.SrcType()),
      scale(problem.attr.rnn_data_scale),
      shift(problem.attr.rnn_data_shift),
      reading(problem.attr.reading) {
  zero_point = reading == Reading::kSpec ? scale * shift : shift;
}

Bounded BoundedQuantization::Before(const Bounded& x) const {
  const double value = scale * x.value() + zero_point;
  if (!x.known() || !std::isfinite(value)) return x.known() ? Bounded(value) : Bounded::Unknown(value);
  const double e = x.error();
  if (e == 0 && IsF32(x.value())) return BeforeOfExact(x);
  // The product or the sum first, scale * shift folded or not, fused or not: three roundings of either term.
  const double magnitude = std::fabs(scale) * (std::fabs(x.value()) + e) + std::fabs(zero_point);
  return x.Like(value, std::fabs(scale) * e + x.arithmetic().Gamma(3) * magnitude);
}

Bounded BoundedQuantization::BeforeOfExact(const Bounded& exact) const {
  const float x = static_cast<float>(exact.value()), s = static_cast<float>(scale), b = static_cast<float>(shift);
  const DataQparams q = {s, b, reading};
  const float defined = ScaleAndShift(x, q);
  std::vector<float> others = {std::fma(s, x, b)};
  if (reading == Reading::kSpec) others = {s * x + s * b, std::fma(s, x, s * b)};
  double error = 0;
  for (const float other : others) error = std::max(error, std::fabs(static_cast<double>(other) - defined));
  return exact.Like(defined, error);
}

Bounded BoundedQuantization::SumBefore(const Bounded& a, const Bounded& b) const {
  const Bounded sum = a + b;
  const double error = a.error() + b.error();
  // The bytes are added and saturated; the shift is in there twice.
  if (reading == Reading::kOnednn) return sum.Like(sum.value(), error);
  // q1 + q2 - scale * shift: one rounding of the product and one of the difference, or the difference alone if fused.
  const float n = static_cast<float>(sum.value()), s = static_cast<float>(scale), z = static_cast<float>(shift);
  const float defined = n - ZeroImage({s, z, reading});
  const double fused = std::fabs(static_cast<double>(std::fma(-s, z, n)) - defined);
  return sum.Like(
      defined, error > 0 ? error + fused + sum.arithmetic().Gamma(2) * (std::fabs(n) + std::fabs(zero_point)) : fused);
}

Bounded BoundedQuantization::Quantized(const Bounded& before) const {
  // No byte stands for NaN: it may become either end of the range, or 0.
  if (!before.known() || std::isnan(before.value())) return Bounded::Unknown(0);
  const double lo = RoundToType(before.lo(), type), hi = RoundToType(before.hi(), type);
  return before.Like((lo + hi) / 2, (hi - lo) / 2);
}

Bounded BoundedQuantization::Dequantized(const Bounded& q) const {
  if (!q.known()) return q;
  const double value = (q.value() - zero_point) / scale;
  // (q - z) / s, or q / s - shift, with 1 / s and z rounded or not.
  const double magnitude = (std::fabs(q.value()) + q.error() + std::fabs(zero_point)) / std::fabs(scale);
  const bool exact = q.error() == 0 && zero_point == 0 && scale == 1;
  return q.Like(value, exact ? 0 : q.error() / std::fabs(scale) + q.arithmetic().Gamma(3) * magnitude);
}

BoundedInt8Numerics::BoundedInt8Numerics(const RnnProblem& problem, const Declaration& declared)
    : problem_(problem), real_(problem, declared), data_(problem) {}

BoundedInt8Numerics::WeightMatrix BoundedInt8Numerics::MakeWeights(const DoubleMat& raw, reference::WeightRole role,
                                                                   Dim gate) const {
  WeightMatrix w = {raw, raw.rowwise().sum(), DoubleMat(raw.rows(), 1)};
  for (Eigen::Index j = 0; j < raw.rows(); ++j) {
    w.unit(j, 0) = 1 / (data_.scale * reference::WeightScale(problem_, role, gate, j));
  }
  return w;
}

BoundedMat BoundedInt8Numerics::Dot(const WeightMatrix& w, const Mat& stored) const {
  BoundedMat sums(w.q.rows(), stored.cols());
  const DoubleMat size = w.q.abs();
  for (Eigen::Index n = 0; n < stored.cols(); ++n) {
    for (Eigen::Index j = 0; j < w.q.rows(); ++j) {
      double acc = 0, error = 0;
      for (Eigen::Index k = 0; k < w.q.cols(); ++k) {
        acc += w.q(j, k) * stored(k, n).value();
        error += size(j, k) * stored(k, n).error();
      }
      const double compensation = data_.zero_point * w.column_sum(j, 0);
      const double unit = w.unit(j, 0);
      // The two terms in any factoring: conversion of the accumulator, the product of two scales, its reciprocal, the
      // product with it; likewise for the compensation, which may sit in the bias. Five roundings before the sum.
      const double magnitude = (std::fabs(acc) + error + std::fabs(compensation)) * std::fabs(unit);
      const bool wraps = w.q.cols() > kMaxExactInputs;
      sums(j, n) =
          Bounded::OpenSum((acc - compensation) * unit, wraps ? INFINITY : error * std::fabs(unit), magnitude, 2, 5)
              .In(&real_.arithmetic());
    }
  }
  return sums;
}

BoundedMat BoundedInt8Numerics::StoreState(const Mat& h) const {
  state_ = real_.Value(h);
  return Recurrent(state_);
}

BoundedMat BoundedInt8Numerics::Recurrent(const Mat& before_store) const {
  return real_.Each(before_store, [this](const Bounded& x) { return data_.Quantized(data_.Before(x)); });
}

BoundedMat BoundedInt8Numerics::Widen(const Mat& stored) const {
  return real_.Each(stored, [this](const Bounded& q) { return data_.Dequantized(q); });
}

BoundedMat BoundedInt8Numerics::InitialState(const Mat& src_iter) const {
  if (TypeOf(problem_.md[kSrcIter]) != DataType::kF32) return src_iter;
  return Recurrent(src_iter);
}

BoundedMat BoundedInt8Numerics::AbsentState(Dim channels, Dim mb) const {
  return Recurrent(reference::Zeros<Bounded>(channels, mb));
}

BoundedMat BoundedInt8Numerics::LayerOutputSum(const Mat& left2right, const Mat& right2left) const {
  return left2right + right2left;
}

Bounded BoundedInt8Numerics::Forced(double output) const {
  if (TypeOf(problem_.md[kDstLayer]) != DataType::kF32) return Bounded(output);
  // An f32 output is a dequantized byte: rounding gives the byte.
  return Bounded(RoundToType(data_.scale * output + data_.zero_point, data_.type));
}

}  // namespace tandem::conformance
