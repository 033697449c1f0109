// Layer normalization of the second implementation, with injection points.
#ifndef TANDEM_CONFORMANCE_FAULTY_FAULTY_NORM_H_
#define TANDEM_CONFORMANCE_FAULTY_FAULTY_NORM_H_

#include <array>

#include "conformance/faulty/faulty_network.h"

namespace tandem::conformance {

// The norms of one layer and direction.
class FaultyNorms {
 public:
  FaultyNorms(const FaultyNetwork& net, Dim l, Dim d)
      : net_(net), p_(net.p), norm_(net.p.attr.rnn_layer_norm), l_(l), d_(d) {}

  bool OfProducts() const { return norm_.kind != NormKind::kNone; }
  // Whether W x and U h' have norms of their own.
  bool HasParts() const { return norm_.kind == NormKind::kParts && !On(Mutation::kNormPartsTogether); }
  bool KeepsCellState() const;
  bool ShowsCellState() const { return norm_.cell != CellNorm::kNone && !KeepsCellState(); }
  Dim PlaceOf(Dim gate, bool iter) const { return iter ? p_.n_gates + gate : gate; }
  Dim PlaceOfCellState() const { return norm_.NumNorms(p_.n_gates) - 1; }

  // `gates` gates of dhc numbers each, the first of which has the norm `place`: normalized in place.
  void Normalize(Dim place, Dim gates, float* v) const;
  // Of the same numbers before they are normalized: `delta` becomes the gradient by v; adds to those of gains and offsets.
  void Backward(Dim place, Dim gates, const float* v, float* delta, Floats* diff_gain, Floats* diff_offset) const;

 private:
  struct Statistics {
    float mean, root;
  };
  bool On(Mutation m) const { return net_.On(m); }
  // How many gates have one mean.
  Dim Together(Dim gates) const;
  Statistics Of(const float* v, Dim count) const;
  // Of all norms; `gate` of the first gate that is normalized together with it.
  size_t At(Dim place, Dim o) const;

  const FaultyNetwork& net_;
  const RnnProblem& p_;
  const LayerNorm& norm_;
  const Dim l_, d_;
};

// Products of row n as backward normalizes them again: W x, or its sum with U h where that has the norm; or U h.
Floats FaultyProducts(const FaultyNetwork& net, Dim l, Dim d, const FaultyStep& step, Dim n, bool iter, Dim first,
                      Dim gates, const float* h);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_FAULTY_FAULTY_NORM_H_
