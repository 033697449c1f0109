// Which matrices of a step are normalized, and with which gains and offsets.
#ifndef TANDEM_REFERENCE_CELLS_LAYER_NORM_H_
#define TANDEM_REFERENCE_CELLS_LAYER_NORM_H_

#include <vector>

#include "reference/cells/cell.h"
#include "reference/numerics/layer_norm.h"

namespace tandem {
namespace reference {

// The product of a pre-activation that a norm is of: W x, or the sum of both products where that is normalized; or U h'.
enum class NormedProduct { kLayer, kIter };

// What W and U multiply.
template <class N>
struct Operands {
  const typename N::Mat& x;
  const typename N::Mat& h;
};

// The place of a gate's norm among the gains: first the norms of W x or of the sum, then those of U h'.
template <class N>
size_t NormPlace(const CellParameters<N>& p, NormedProduct product, size_t gate) {
  return product == NormedProduct::kLayer ? gate : p.W.size() + gate;
}

template <class N>
typename N::Mat ProductOf(const N& num, const CellParameters<N>& p, NormedProduct product, size_t gate,
                          const Operands<N>& operands) {
  if (product == NormedProduct::kIter) return num.Value(num.Dot(p.U[gate], operands.h));
  if (p.norm.kind == NormKind::kParts) return num.Value(num.Dot(p.W[gate], operands.x));
  return num.Value(num.Dot(p.W[gate], operands.x) + num.Dot(p.U[gate], operands.h));
}

// The matrices below each other, and part `index` of `count` of such a matrix.
template <class Mat>
Mat Stacked(const std::vector<Mat>& parts) {
  const Dim rows = parts[0].rows();
  Mat all(static_cast<Dim>(parts.size()) * rows, parts[0].cols());
  for (size_t i = 0; i < parts.size(); ++i) all.middleRows(static_cast<Dim>(i) * rows, rows) = parts[i];
  return all;
}
template <class Mat>
Mat Part(const Mat& all, size_t index, size_t count) {
  const Dim rows = all.rows() / static_cast<Dim>(count);
  return all.middleRows(static_cast<Dim>(index) * rows, rows);
}

// Each matrix by itself, or all of them together, as the scope says.
template <class N>
std::vector<Normalized<N>> NormalizeEach(const N& num, const LayerNorm& norm,
                                         const std::vector<typename N::Mat>& products) {
  std::vector<Normalized<N>> normalized;
  if (norm.scope == NormScope::kGate) {
    for (const typename N::Mat& v : products) normalized.push_back(Normalize(num, v, norm.epsilon));
    return normalized;
  }
  const Normalized<N> row = Normalize(num, Stacked(products), norm.epsilon);
  for (size_t i = 0; i < products.size(); ++i) {
    normalized.push_back({Part(row.v_hat, i, products.size()), Part(row.root, i, products.size())});
  }
  return normalized;
}

// Of `count` gates from `first` on; of all gates if the scope is a row.
template <class N>
std::vector<Normalized<N>> NormalizedProducts(const N& num, const CellParameters<N>& p, NormedProduct product,
                                              size_t first, size_t count, const Operands<N>& operands) {
  std::vector<typename N::Mat> products;
  for (size_t i = 0; i < count; ++i) products.push_back(ProductOf(num, p, product, first + i, operands));
  return NormalizeEach(num, p.norm, products);
}

template <class N>
typename N::Mat ScaledAt(const CellParameters<N>& p, size_t place, const typename N::Mat& v_hat) {
  return Scaled(p.norm_gain[place], p.norm_offset[place], v_hat);
}

// The norm of c_t is the last one.
template <class N>
typename N::Mat NormalizedCellState(const N& num, const CellParameters<N>& p, const typename N::Mat& c) {
  return ScaledAt(p, p.norm_gain.size() - 1, Normalize(num, c, p.norm.epsilon).v_hat);
}
// c_t as everything reads it, and as tanh reads it: c_t itself, if that is not normalized.
template <class N>
typename N::Mat KeptCellState(const N& num, const CellParameters<N>& p, const typename N::Mat& c) {
  if constexpr (kNormalizes<N>) {
    if (p.norm.cell == CellNorm::kState) return NormalizedCellState(num, p, c);
  }
  return c;
}
template <class N>
typename N::Mat ShownCellState(const N& num, const CellParameters<N>& p, const typename N::Mat& c) {
  if constexpr (kNormalizes<N>) {
    if (p.norm.cell == CellNorm::kOutput) return NormalizedCellState(num, p, c);
  }
  return c;
}

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_CELLS_LAYER_NORM_H_
