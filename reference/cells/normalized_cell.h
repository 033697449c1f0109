// A cell whose products are normalized before they are summed. The cells keep their text: they run with another `num`, whose Dot
// only notes the product, and whose activations put the pre-activation together.
#ifndef TANDEM_REFERENCE_CELLS_NORMALIZED_CELL_H_
#define TANDEM_REFERENCE_CELLS_NORMALIZED_CELL_H_

#include <optional>
#include <utility>
#include <vector>

#include "reference/cells/layer_norm.h"

namespace tandem {
namespace reference {

// The arithmetic N for one step of a cell. A pre-activation is
//
//   kind sum      Norm(W x + U h') + B
//   kind parts    Norm(W x) + Norm(U h') + B
//
// with whatever other terms it has. All else is N's.
template <class N>
class NormalizingNumerics {
 public:
  using Real = typename N::Real;
  using Mat = typename N::Mat;

  // One gate's weights by their place, or those of the projection, which are not normalized.
  struct WeightMatrix {
    const typename N::WeightMatrix* weights = nullptr;
    std::optional<NormedProduct> product;
    size_t gate = 0;
  };
  struct Factor {
    size_t gate;
    const Mat* operand;
  };
  struct Sum {
    std::optional<Factor> layer, iter;
    std::optional<Mat> terms;  // the sum of all others
    friend Sum operator+(const Sum& a, const Sum& b) {
      Sum sum;
      sum.layer = a.layer ? a.layer : b.layer;
      sum.iter = a.iter ? a.iter : b.iter;
      sum.terms = a.terms && b.terms ? Mat(*a.terms + *b.terms) : a.terms ? a.terms : b.terms;
      return sum;
    }
  };

  NormalizingNumerics(const N& num, const CellParameters<N>& p) : num_(num), p_(p) {}

  Sum Dot(const WeightMatrix& w, const Mat& stored) const {
    Sum sum;
    if (!w.product) {
      sum.terms = num_.Dot(*w.weights, stored);
    } else {
      (*w.product == NormedProduct::kLayer ? sum.layer : sum.iter) = Factor{w.gate, &stored};
    }
    return sum;
  }
  Sum Term(const Mat& m) const {
    Sum sum;
    sum.terms = num_.Term(m);
    return sum;
  }
  Mat Value(const Sum& sum) const { return num_.Value(Joined(sum)); }
  Mat Sigmoid(const Sum& a) const { return num_.Sigmoid(Joined(a)); }
  Mat Tanh(const Sum& a) const { return num_.Tanh(Joined(a)); }
  Mat Tanh(const Mat& c) const { return num_.Tanh(c); }
  Mat Relu(const Sum& a, double alpha) const { return num_.Relu(Joined(a), alpha); }
  Mat Activate(const ActivationFunction& f, const Sum& a) const { return num_.Activate(f, Joined(a)); }
  Mat Clip(const Mat& a, double bound) const { return num_.Clip(a, bound); }
  Mat Mix(const Mat& u, const Mat& h, const Mat& o) const { return num_.Mix(u, h, o); }
  Mat StoreState(const Mat& h) const { return num_.StoreState(h); }
  Mat StoreCellState(const Mat& c) const { return num_.StoreCellState(c); }
  Mat Widen(const Mat& stored) const { return num_.Widen(stored); }
  Mat Mean(const Mat& v) const { return num_.Mean(v); }
  Mat Centered(const Mat& v) const { return num_.Centered(v); }
  Mat Root(const Mat& variance, double epsilon) const { return num_.Root(variance, epsilon); }
  Mat Standardized(const Mat& centered, const Mat& root) const { return num_.Standardized(centered, root); }

 private:
  Mat Joined(const Sum& sum) const {
    std::optional<Mat> joined = sum.terms;
    const auto add = [&joined](const Mat& term) { joined = joined ? Mat(*joined + term) : term; };
    if (sum.layer) add(Norm(NormedProduct::kLayer, sum.layer->gate, sum));
    if (sum.iter && p_.norm.kind == NormKind::kParts) add(Norm(NormedProduct::kIter, sum.iter->gate, sum));
    return *joined;
  }
  Mat Norm(NormedProduct product, size_t gate, const Sum& sum) const {
    // One of both may be absent, but not where it is needed.
    const Operands<N> operands = {*(sum.layer ? sum.layer : sum.iter)->operand,
                                  *(sum.iter ? sum.iter : sum.layer)->operand};
    const bool is_row = p_.norm.scope == NormScope::kRow;
    std::vector<Normalized<N>>& row = row_[static_cast<int>(product)];
    if (is_row && row.empty()) row = NormalizedProducts(num_, p_, product, 0, p_.W.size(), operands);
    const Mat v_hat = is_row ? row[gate].v_hat : NormalizedProducts(num_, p_, product, gate, 1, operands)[0].v_hat;
    return num_.Term(ScaledAt(p_, NormPlace(p_, product, gate), v_hat));
  }

  const N& num_;
  const CellParameters<N>& p_;
  mutable std::vector<Normalized<N>> row_[2];  // of all gates, once they are known
};

// The parameters with the places of the weights in place of the weights.
template <class N>
CellParameters<NormalizingNumerics<N>> WithPlaces(const CellParameters<N>& p) {
  CellParameters<NormalizingNumerics<N>> places;
  for (size_t gate = 0; gate < p.W.size(); ++gate) places.W.push_back({&p.W[gate], NormedProduct::kLayer, gate});
  for (size_t gate = 0; gate < p.U.size(); ++gate) places.U.push_back({&p.U[gate], NormedProduct::kIter, gate});
  for (const typename N::WeightMatrix& r : p.R) places.R.push_back({&r, std::nullopt, 0});
  places.B = p.B;
  places.P = p.P;
  places.activation = p.activation;
  places.functions = p.functions;
  places.norm = p.norm;
  places.norm_gain = p.norm_gain;
  places.norm_offset = p.norm_offset;
  return places;
}

template <class N>
CellResult<N> NormalizedCell(const N& num, const CellParameters<N>& p, const CellInput<N>& in,
                             CellFunction<NormalizingNumerics<N>> cell) {
  const NormalizingNumerics<N> normalizing(num, p);
  CellResult<NormalizingNumerics<N>> result =
      cell(normalizing, WithPlaces(p), {in.x, in.h_prev, in.c_prev, in.a, in.h_kept, in.m_iter});
  return {std::move(result.gate),
          std::move(result.pre),
          std::move(result.linear),
          std::move(result.h_hat),
          std::move(result.c),
          std::move(result.h),
          {},
          {}};
}

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_CELLS_NORMALIZED_CELL_H_
