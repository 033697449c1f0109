#include "conformance/oracle/bounded_numerics.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "conformance/problem/tensor_set.h"
#include "reference/numerics/numerics.h"

namespace tandem::conformance {
namespace {

// An admissible interval in the arithmetic of `x`. Infinite ends (an overflow to the type's infinity) leave nothing to
// propagate.
Bounded FromInterval(const Bounded& x, double lo, double hi) {
  if (!std::isfinite(lo) || !std::isfinite(hi)) return lo == hi ? Bounded(lo) : Bounded::Unknown(0);
  const double centre = lo + (hi - lo) / 2;
  return x.Like(centre, std::max(hi - centre, centre - lo));
}

double SigmoidDouble(double x) { return x >= 0 ? 1 / (1 + std::exp(-x)) : std::exp(x) / (1 + std::exp(x)); }

// An operand that an fpmath mode may turn into f16: up to half of the smallest subnormal off near 0, and perhaps an
// infinity from 65520 on.
Bounded InF16Range(const Bounded& x) {
  if (!std::isfinite(x.value()) || !x.known()) return x;
  if (std::fabs(x.value()) + x.error() >= 65520) return Bounded::Unknown(x.value());
  return x.Like(x.value(), x.error() + 0x1p-25);
}

// The relative error of a result that is rounded to f32 and then to a type of this unit roundoff.
double Twice(double unit) { return unit + kUnitF32 * (1 + unit); }

}  // namespace

Bounded Monotone(const Bounded& open, double (*f)(double), double ulp, double absolute) {
  // Closed first: only then is it known whether finite terms can overflow to the opposite of an infinite one.
  const Bounded a = open.Closed();
  if (!a.known()) return Bounded::Unknown(a.value());
  if (std::isnan(a.value())) return Bounded(a.value());
  const double value = f(a.value());
  const double spread = std::max(f(a.hi()) - value, value - f(a.lo()));
  // 2 u |y| is at least one ulp of y.
  const double own = 2 * ulp * kUnitF32 * (std::fabs(value) + spread) + absolute + a.arithmetic().underflow;
  return a.Like(value, spread + own);
}

Bounded Stored(DataType type, const Bounded& value) {
  if (!value.known()) return value;
  if (!std::isfinite(value.value())) return Bounded(value.value());
  if (!IsNarrowFloat(type)) return value.Closed();
  double lo = value.lo(), hi = value.hi();
  // A store may flush f32's subnormals to zero. All elements of bf16 between them and zero are subnormal, too.
  const double underflow = value.arithmetic().underflow;
  if (lo > 0 && lo < underflow) lo = 0;
  if (hi < 0 && hi > -underflow) hi = 0;
  return FromInterval(value, RoundToType(lo, type), RoundToType(hi, type));
}

Bounded StoredOrNot(DataType type, const Bounded& value) {
  const Bounded stored = Stored(type, value);
  if (!stored.known() || !std::isfinite(stored.value()) || !IsNarrowFloat(type)) return stored;
  return FromInterval(value, std::min(stored.lo(), value.lo()), std::max(stored.hi(), value.hi()));
}

Bounded BoundedSigmoid(const Declaration& declared, const Bounded& a) {
  if (a.known() && a.lo() >= declared.exact_beyond) return a.Like(1, declared.sigmoid_abs);
  return Monotone(a, SigmoidDouble, declared.sigmoid_ulp, declared.sigmoid_abs);
}

Bounded BoundedTanh(const Declaration& declared, const Bounded& a) {
  if (a.known() && a.lo() >= declared.exact_beyond) return a.Like(1, declared.tanh_abs);
  if (a.known() && a.hi() <= -declared.exact_beyond) return a.Like(-1, declared.tanh_abs);
  return Monotone(
      a, [](double x) { return std::tanh(x); }, declared.tanh_ulp, declared.tanh_abs);
}

Bounded BoundedRelu(const Bounded& a, double alpha) {
  // max(x, 0) loses a NaN on most instruction sets, and the specification does not forbid it.
  if (!a.known() || std::isnan(a.value())) return Bounded::Unknown(a.value());
  const Bounded sum = a.Closed();
  const Bounded scaled = (Bounded(alpha) * sum).Closed();
  // 0 times -infinity: max(x, 0) gives 0, the product a NaN.
  if (a.value() < 0 && scaled.is_nan()) return Bounded::Unknown(a.value());
  if (!std::isfinite(a.value())) return a.value() > 0 ? sum : scaled;
  if (sum.lo() > 0) return sum;
  if (sum.hi() <= 0) return scaled;
  const double value = a.value() > 0 ? a.value() : alpha * a.value();
  const double lo = std::min({0., sum.lo() < 0 ? scaled.lo() : 0., alpha * sum.lo(), alpha * sum.hi()});
  const double hi = std::max({sum.hi(), scaled.hi(), 0.});
  return a.Like(value, std::max(hi - value, value - lo));
}

// Says whether f32 may overflow within u h + (1 - u) o, o - u o + u h or o + u (h - o): u may be far outside [0, 1], and h and o
// may have opposite signs.
static bool MixMayOverflow(const Bounded& u, const Bounded& h, const Bounded& o) {
  const auto most = [](const Bounded& x, double of) { return std::fabs(x.value() - of) + x.error(); };
  const double mu = most(u, 0), difference = most(h, o.value()) + o.error();
  const double largest =
      std::max({mu * most(h, 0), std::max(mu, most(u, 1)) * most(o, 0), std::max(mu, 1.) * difference});
  return largest > kMaxF32;
}

Bounded BoundedMix(const Bounded& u, const Bounded& h, const Bounded& o) {
  const double vu = u.value(), vh = h.value(), vo = o.value();
  const double value = vu * vh + (1 - vu) * vo;
  if (!std::isfinite(value)) return u * h + (Bounded(1) - u) * o;
  const double eu = u.error(), eh = h.error(), eo = o.error();
  if (MixMayOverflow(u, h, o)) return u.Like(value, std::numeric_limits<double>::infinity());
  // u is so small that 1 - u rounds to 1 and u h + o to o, in double as in f32: the result is exactly o.
  if (eo == 0 &&
      (std::fabs(vu) + eu) * (1 + std::fabs(vh) + eh + std::fabs(vo)) < 0x1p-57 * std::min(1., std::fabs(vo))) {
    return u.Like(vo, 0);
  }
  const double inherited = std::fabs(vh - vo) * eu + (std::fabs(vu) + eu) * eh + (std::fabs(1 - vu) + eu) * eo;
  // Four roundings: 1 - u, two products, the sum; or h - o, the product, the sum. The error of 1 - u is relative to
  // |1 - u|, but that of h - o to |h - o| <= |h| + |o|: therefore the terms contain u o.
  const double terms = (std::fabs(vu) + eu) * (std::fabs(vh) + eh) +
                       std::max(std::fabs(1 - vu) + eu, std::fabs(vu) + eu) * (std::fabs(vo) + eo) + std::fabs(vo);
  double rounded = u.arithmetic().Gamma(4) * terms;
  if (u.arithmetic().unit > kUnitF32) {
    // Units of this size must not be counted twice: 1 - u or h - o, a product, the sum, and in the first form the other
    // product.
    const double mu = std::fabs(vu) + eu, mh = std::fabs(vh) + eh, mo = std::fabs(vo) + eo, difference = 1 - vu;
    const double first = 2 * (std::fabs(difference) + eu) * mo + mu * mh;
    const double second = 2 * mu * (std::fabs(vh - vo) + eh + eo);
    rounded = u.arithmetic().Gamma(4) / 4 * (std::max(first, second) + std::fabs(value) + inherited);
  }
  const double error = inherited + rounded + 8 * u.arithmetic().underflow;
  return std::isnan(error) ? Bounded::Unknown(value) : u.Like(value, error);
}

Bounded BoundedSigmoidSlope(const Bounded& y) {
  const double v = y.value(), e = y.error();
  const double value = v * (1 - v);
  if (!std::isfinite(value) || !y.known()) return y * (Bounded(1) - y);
  // The occurrences of y are one value: d(y - y^2) = (1 - 2 y) dy - dy^2.
  double rounded = y.arithmetic().Gamma(3) * (std::fabs(v) + e) * (1 + std::fabs(v) + e);
  // Operator by operator it is y (1 - y): each factor is rounded, or was.
  if (y.arithmetic().unit > kUnitF32) rounded = y.arithmetic().Gamma(2) * (std::fabs(v) + e) * (std::fabs(1 - v) + e);
  const double own = rounded + 4 * y.arithmetic().underflow;
  return y.Like(value, std::fabs(1 - 2 * v) * e + e * e + own);
}

Bounded BoundedTanhSlope(const Bounded& y) {
  const double v = y.value(), e = y.error();
  const double value = 1 - v * v;
  if (!std::isfinite(value) || !y.known()) return Bounded(1) - y * y;
  const double square = (std::fabs(v) + e) * (std::fabs(v) + e);
  double rounded = y.arithmetic().Gamma(3) * (1 + square);
  if (y.arithmetic().unit > kUnitF32) {
    // The square and the difference, or the three roundings of (1 - y) (1 + y).
    const double difference = std::fabs(value) + 2 * std::fabs(v) * e + e * e;
    rounded = y.arithmetic().Gamma(3) / 3 * std::max(square + difference, 3 * difference);
  }
  const double own = rounded + 4 * y.arithmetic().underflow;
  return y.Like(value, 2 * std::fabs(v) * e + e * e + own);
}

Bounded BoundedReluSlope(const Bounded& a, double alpha) {
  if (!a.known() || std::isnan(a.value())) return Bounded::Unknown(a.value());
  if (a.lo() > 0) return a.Like(1, 0);
  if (a.hi() <= 0) return a.Like(alpha, 0);
  const double value = a.value() > 0 ? 1 : alpha;
  return a.Like(value, std::fabs(1 - alpha));
}

void AddRelativeError(double relative, BoundedMat* sums) {
  if (relative == 0) return;
  for (Eigen::Index i = 0; i < sums->size(); ++i) {
    Bounded& sum = sums->data()[i];
    sum = sum.WithExtraError(relative * sum.magnitude());
  }
}

double ConversionError(FpmathMode mode) {
  // bf16 has 8 significant bits, tf32 and f16 have 11; tf32 units truncate.
  constexpr double kBf16 = 0x1p-8, kTf32 = 0x1p-10;
  switch (mode) {
    case FpmathMode::kStrict:
      return 0;
    case FpmathMode::kF16:
    case FpmathMode::kTf32:
      return 2 * kTf32 + kTf32 * kTf32;
    case FpmathMode::kBf16:
    case FpmathMode::kAny:
      break;
  }
  return 2 * kBf16 + kBf16 * kBf16;
}

BoundedNumerics::BoundedNumerics(const RnnProblem& problem, const Declaration& declared, Propagation computed)
    : state_type_(problem.SrcType()),
      cell_type_(DataType::kF32),
      conversion_(ConversionError(EffectiveFpmathMode(problem))),
      permits_f16_(EffectiveFpmathMode(problem) == FpmathMode::kF16 ||
                   EffectiveFpmathMode(problem) == FpmathMode::kAny),
      narrow_slopes_((declared.narrow_slopes >> static_cast<int>(problem.cell) & 1u) != 0),
      narrow_sums_(computed != Propagation::kBackward &&
                   (declared.narrow_sums >> static_cast<int>(problem.cell) & 1u) != 0),
      narrow_operations_(HasNarrowOperations(declared, problem)),
      narrow_gradients_(computed == Propagation::kBackward && declared.narrow_gradients),
      declared_(declared),
      sums_{declared.subnormals == Subnormals::kMayFlush ? kMinNormalF32 : 0x1p-149, kUnitF32, declared.typical_growth},
      arithmetic_{sums_.underflow, narrow_operations_ ? Twice(UnitRoundoff(state_type_)) : kUnitF32,
                  declared.typical_growth} {
  if (problem.Has(kDstIterC)) cell_type_ = TypeOf(problem.md[kDstIterC]);
  if (problem.Has(kSrcIterC)) cell_type_ = TypeOf(problem.md[kSrcIterC]);
}

BoundedMat BoundedNumerics::Dot(const WeightMatrix& w, const Mat& stored) const {
  BoundedMat sums = permits_f16_ ? BoundedProduct(&sums_, Each(w.cast<Bounded>(), InF16Range), Each(stored, InF16Range))
                                 : BoundedProduct(&sums_, w, Operand(stored));
  AddRelativeError(conversion_, &sums);
  return ResultOf(sums);
}

BoundedMat BoundedNumerics::Value(const Sum& sum) const {
  const bool narrow = narrow_sums_ || narrow_gradients_;
  return Each(sum,
              [this, narrow](const Bounded& a) { return narrow ? StoredOrNot(state_type_, a.Closed()) : a.Closed(); });
}

Bounded BoundedNumerics::PreActivation(const Bounded& sum) const {
  return narrow_sums_ ? StoredOrNot(state_type_, sum.Closed()) : sum;
}

BoundedMat BoundedNumerics::ResultOf(const Sum& sums) const {
  if (!narrow_operations_) return sums;
  return Each(
      sums, [this](const Bounded& sum) { return StoredOrNot(state_type_, sum.In(&sums_).Closed()).In(&arithmetic_); });
}

BoundedMat BoundedNumerics::Sigmoid(const Sum& a) const {
  return ResultOf(Each(a, [this](const Bounded& x) { return BoundedSigmoid(declared_, PreActivation(x)); }));
}

BoundedMat BoundedNumerics::Tanh(const Sum& a) const {
  return ResultOf(Each(a, [this](const Bounded& x) { return BoundedTanh(declared_, PreActivation(x)); }));
}

BoundedMat BoundedNumerics::Relu(const Sum& a, double alpha) const {
  return Each(a, [this, alpha](const Bounded& x) { return BoundedRelu(PreActivation(x), alpha); });
}

BoundedMat BoundedNumerics::Activate(const ActivationFunction& f, const Sum& a) const {
  return ResultOf(Each(a, [this, &f](const Bounded& x) { return BoundedActivation(declared_, f, PreActivation(x)); }));
}

BoundedMat BoundedNumerics::Clip(const Mat& a, double bound) const {
  return Each(a, [bound](const Bounded& x) { return BoundedClip(x, bound); });
}

BoundedMat BoundedNumerics::ClipSlope(const Mat& a, double bound) const {
  return Each(a, [bound](const Bounded& x) { return BoundedClipSlope(x, bound); });
}

BoundedMat BoundedNumerics::Mix(const Mat& u, const Mat& h, const Mat& o) const {
  BoundedMat mixed(u.rows(), u.cols());
  for (Eigen::Index i = 0; i < u.size(); ++i) {
    mixed.data()[i] = BoundedMix(u.data()[i].In(&arithmetic_), h.data()[i], o.data()[i]);
  }
  return mixed;
}

BoundedMat BoundedNumerics::StoreState(const Mat& h) const {
  state_ = Value(h);
  return Each(state_, [this](const Bounded& x) { return StoredOrNot(state_type_, x); });
}

BoundedMat BoundedNumerics::StoreCellState(const Mat& c) const {
  cell_ = Value(c);
  const bool wide = declared_.cell_state == Recurrence::kWide;
  return Each(cell_,
              [this, wide](const Bounded& x) { return wide ? StoredOrNot(cell_type_, x) : Stored(cell_type_, x); });
}

BoundedMat BoundedNumerics::LayerOutputSum(const Mat& left2right, const Mat& right2left) const {
  return Value(left2right + right2left);
}

BoundedMat BoundedNumerics::SigmoidSlope(const Mat& y) const {
  return Each(y, [this](const Bounded& x) { return Slope(BoundedSigmoidSlope(x)); });
}

BoundedMat BoundedNumerics::TanhSlope(const Mat& y) const {
  return Each(y, [this](const Bounded& x) { return Slope(BoundedTanhSlope(x)); });
}

// The factor 1 - y may be rounded, and the product.
Bounded BoundedNumerics::Slope(const Bounded& slope) const {
  if (!narrow_slopes_ || !IsNarrowFloat(state_type_) || !std::isfinite(slope.value()) || !slope.known()) return slope;
  const double rounded = UnitRoundoff(state_type_) * (std::fabs(slope.value()) + slope.error());
  return StoredOrNot(state_type_, slope.WithExtraError(rounded));
}

BoundedMat BoundedNumerics::ReluSlope(const Mat& a, double alpha) const {
  return Each(a, [alpha](const Bounded& x) { return BoundedReluSlope(x, alpha); });
}

BoundedMat BoundedNumerics::ActivationSlope(const ActivationFunction& f, const Mat& a) const {
  return Each(a, [this, &f](const Bounded& x) { return Slope(BoundedActivationSlope(declared_, f, x)); });
}

BoundedMat BoundedNumerics::SumChannels(const Mat& m) const {
  BoundedMat sum = reference::Zeros<Bounded>(1, m.cols());
  for (Eigen::Index j = 0; j < m.rows(); ++j) sum.row(0) += m.row(j);
  return sum;
}

BoundedMat BoundedNumerics::CellForBackward() const {
  return Each(cell_, [this](const Bounded& x) { return StoredOrNot(cell_type_, x); });
}

BoundedMat BoundedNumerics::ProjectedForBackward(const Mat& h_hat, const Mat& again) const {
  if (!IsNarrowFloat(state_type_)) return h_hat;
  BoundedMat either = StoreGate(again);
  for (Eigen::Index i = 0; i < either.size(); ++i) {
    const Bounded &was = h_hat.data()[i], &is = either.data()[i];
    if (!was.known() || !is.known() || !std::isfinite(was.value()) || !std::isfinite(is.value())) continue;
    either.data()[i] = FromInterval(is, std::min(is.lo(), was.lo()), std::max(is.hi(), was.hi()));
  }
  return either;
}

BoundedMat BoundedNumerics::StoreGate(const Mat& gate) const {
  return Each(gate, [this](const Bounded& x) { return StoredOrNot(state_type_, x); });
}

BoundedMat BoundedNumerics::StoreDelta(const Mat& delta) const {
  return Each(delta, [this](const Bounded& x) { return StoredOrNot(state_type_, x); });
}

BoundedMat BoundedNumerics::DotTransposed(const WeightMatrix& w, const Mat& delta) const {
  return Dot(reference::Transposed(w), delta);
}

void BoundedNumerics::AddOuter(const Mat& delta, const Mat& x, WeightGradient* dw) const {
  const BoundedMat transposed = reference::Transposed(x);
  BoundedMat sums = permits_f16_ ? BoundedProduct(&sums_, Each(delta, InF16Range), Each(transposed, InF16Range))
                                 : BoundedProduct(&sums_, Operand(delta), Operand(transposed));
  AddRelativeError(conversion_, &sums);
  *dw += ResultOf(sums);
  RoundGradient(dw);
}

void BoundedNumerics::AddColumns(const Mat& delta, Mat* db) const {
  const BoundedMat columns = Operand(delta);
  if (columns.cols() == 0) return;
  BoundedMat sum = columns.col(0);
  for (Eigen::Index n = 1; n < columns.cols(); ++n) sum.col(0) += columns.col(n);
  *db += ResultOf(sum);
  RoundGradient(db);
}

void BoundedNumerics::RoundGradient(Mat* gradient) const {
  if (narrow_gradients_) *gradient = Value(*gradient);
}

BoundedMat BoundedNumerics::Recurrent(const Mat& before_store) const {
  const bool wide = declared_.recurrence == Recurrence::kWide;
  return Each(before_store,
              [this, wide](const Bounded& x) { return wide ? StoredOrNot(state_type_, x) : Stored(state_type_, x); });
}

Bounded BoundedNumerics::Forced(double output) const {
  if (declared_.recurrence == Recurrence::kStored || !IsNarrowFloat(state_type_) || !std::isfinite(output)) {
    return Bounded(output);
  }
  return FromInterval(Bounded().In(&arithmetic_), (output + NextDown(output, state_type_)) / 2,
                      (output + NextUp(output, state_type_)) / 2);
}

BoundedByteWeightsNumerics::WeightMatrix BoundedByteWeightsNumerics::MakeWeights(const DoubleMat& raw,
                                                                                 reference::WeightRole role,
                                                                                 Dim gate) const {
  WeightMatrix w = {raw, DoubleMat(raw.rows(), 1)};
  for (Eigen::Index j = 0; j < raw.rows(); ++j) w.unit(j, 0) = 1 / reference::WeightScale(problem_, role, gate, j);
  return w;
}

BoundedMat BoundedByteWeightsNumerics::Dot(const WeightMatrix& w, const Mat& stored) const {
  BoundedMat sums = BoundedNumerics::Dot(w.q, stored);
  for (Eigen::Index n = 0; n < sums.cols(); ++n) {
    for (Eigen::Index j = 0; j < sums.rows(); ++j) sums(j, n) = sums(j, n).Scaled(w.unit(j, 0));
  }
  return sums;
}

}  // namespace tandem::conformance
