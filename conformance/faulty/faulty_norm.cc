#include "conformance/faulty/faulty_norm.h"

#include <algorithm>
#include <cmath>

namespace tandem::conformance {

bool FaultyNorms::KeepsCellState() const {
  if (On(Mutation::kNormCellStateNotKept)) return false;
  if (On(Mutation::kNormCellStateKept)) return norm_.cell != CellNorm::kNone;
  return norm_.cell == CellNorm::kState;
}

Dim FaultyNorms::Together(Dim gates) const {
  const bool row = (norm_.scope == NormScope::kRow) != On(Mutation::kNormScopeExchanged);
  return row ? gates : 1;
}

FaultyNorms::Statistics FaultyNorms::Of(const float* v, Dim count) const {
  const float m = static_cast<float>(count);
  float sum = 0, squares = 0;
  for (Dim j = 0; j < count; ++j) sum += v[j];
  float mean = sum / m;
  if (On(Mutation::kNormMeanKept)) mean = 0;
  for (Dim j = 0; j < count; ++j) {
    const float d = On(Mutation::kNormVarianceInOnePass) ? v[j] : v[j] - mean;
    squares += d * d;
  }
  float variance = squares / (On(Mutation::kNormVarianceUnbiased) ? std::max(m - 1, 1.f) : m);
  if (On(Mutation::kNormVarianceInOnePass)) variance = std::max(variance - mean * mean, 0.f);
  float root = std::sqrt(variance + norm_.epsilon);
  if (On(Mutation::kNormEpsilonOutsideRoot)) root = std::sqrt(variance) + norm_.epsilon;
  if (On(Mutation::kNormStatisticsInBf16)) mean = RoundBf16(mean), root = RoundBf16(root);
  return {mean, root};
}

size_t FaultyNorms::At(Dim place, Dim o) const {
  const bool is_first = On(Mutation::kNormGainOfFirstSlice);
  const Dim slice = is_first ? 0 : l_ * p_.n_dir + d_;
  if (On(Mutation::kNormGainOfFirstGate) && place < PlaceOf(p_.n_gates, true)) place = place / p_.n_gates * p_.n_gates;
  return static_cast<size_t>((slice * norm_.NumNorms(p_.n_gates) + place) * p_.dhc + o);
}

void FaultyNorms::Normalize(Dim place, Dim gates, float* v) const {
  const Dim together = Together(gates), dhc = p_.dhc;
  for (Dim first = 0; first < gates; first += together) {
    const Statistics of = Of(v + first * dhc, together * dhc);
    for (Dim gate = first; gate < first + together; ++gate) {
      for (Dim o = 0; o < dhc; ++o) {
        float& value = v[gate * dhc + o];
        const size_t at = At(place + gate, o);
        value = (value - of.mean) / of.root * net_.norm_gain[at];
        const bool of_iter = norm_.kind == NormKind::kParts && place >= p_.n_gates && place + gate < 2 * p_.n_gates;
        if (!(of_iter && On(Mutation::kNormOfIterMissesOffset))) value += net_.norm_offset[at];
      }
    }
  }
}

void FaultyNorms::Backward(Dim place, Dim gates, const float* v, float* delta, Floats* diff_gain,
                           Floats* diff_offset) const {
  const Dim together = Together(gates), dhc = p_.dhc, count = together * dhc;
  for (Dim first = 0; first < gates; first += together) {
    const float* row = v + first * dhc;
    float* diff = delta + first * dhc;
    const Statistics of = Of(row, count);
    float mean = 0, product = 0;
    for (Dim j = 0; j < count; ++j) {
      const size_t at = At(place + first + j / dhc, j % dhc);
      const float hat = (row[j] - of.mean) / of.root;
      (*diff_offset)[at] += diff[j];
      (*diff_gain)[at] += diff[j] * (On(Mutation::kNormGainGradientOfV) ? row[j] : hat);
      diff[j] *= net_.norm_gain[at];
      mean += diff[j];
      product += diff[j] * hat;
    }
    mean /= static_cast<float>(count);
    product /= static_cast<float>(count);
    if (On(Mutation::kNormGradientMissesMean)) mean = 0;
    if (On(Mutation::kNormGradientMissesVariance)) product = 0;
    for (Dim j = 0; j < count; ++j) {
      const float hat = (row[j] - of.mean) / of.root;
      diff[j] = (diff[j] - mean - hat * product) / of.root;
    }
  }
}

Floats FaultyProducts(const FaultyNetwork& net, Dim l, Dim d, const FaultyStep& step, Dim n, bool iter, Dim first,
                      Dim gates, const float* h) {
  const RnnProblem& p = net.p;
  const bool parts = p.attr.rnn_layer_norm.kind == NormKind::kParts;
  Floats v(static_cast<size_t>(gates * p.dhc));
  for (Dim i = 0; i < gates * p.dhc; ++i) {
    const Dim gate = first + i / p.dhc, o = i % p.dhc;
    float& sum = v[static_cast<size_t>(i)];
    if (!iter) {
      const float* x = step.x.data() + n * step.width;
      sum += static_cast<float>(net.math.Dot(step.width, net.W(l, d, gate, o), net.WStride(), x, 1));
    }
    if (iter || !parts) sum += static_cast<float>(net.math.Dot(p.sic, net.U(l, d, gate, o), net.UStride(), h, 1));
  }
  return v;
}

}  // namespace tandem::conformance
