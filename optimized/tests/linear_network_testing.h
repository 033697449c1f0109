// A recurrent network without curves: with integers, floats hold its states and gradients exactly, and a few loops give them.
#ifndef TANDEM_OPTIMIZED_TESTS_LINEAR_NETWORK_TESTING_H_
#define TANDEM_OPTIMIZED_TESTS_LINEAR_NETWORK_TESTING_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "api/core/rnn/step_walk.h"
#include "optimized/tests/forward_testing.h"

namespace tandem {
namespace optimized {

using Values = std::vector<double>;

// A tensor's elements by their indices. An absent tensor has zeros.
class View {
 public:
  View(const RnnProblem& problem, Tensor tensor, Tensors* tensors)
      : md_(problem.md[tensor]), bytes_(&(*tensors)[tensor]) {}
  template <class... Index>
  double Get(Index... at) const {
    if (IsZero(md_)) return 0;
    const Dim index[] = {at...};
    return LoadFloat(bytes_->data(), TypeOf(md_), OffsetAt(md_, index));
  }
  template <class... Index>
  void Set(double value, Index... at) const {
    if (IsZero(md_)) return;
    const Dim index[] = {at...};
    StoreElement(TypeOf(md_), static_cast<float>(value), static_cast<size_t>(OffsetAt(md_, index)), bytes_);
  }
  template <class... Index>
  void Add(double value, Index... at) const {
    Set(Get(at...) + value, at...);
  }

 private:
  const MemoryDesc& md_;
  Bytes* bytes_;
};

// h = W x + U h_prev + b forward and backward, one minibatch row and one direction after the other. The outputs end in the
// tensors; gradients of weights and bias are added to what is there.
class LinearNetwork {
 public:
  LinearNetwork(const RnnProblem& problem, Tensors* tensors) : p_(problem), tensors_(tensors) {}

  void Run() {
    Clear(kDstLayer);
    Clear(kDiffSrcLayer);
    for (Dim n = 0; n < p_.mb; ++n) {
      for (Dim d = 0; d < p_.n_dir; ++d) RunRow(n, d);
    }
  }
  // The largest number that the types of the data had to hold.
  double largest() const { return largest_; }

 private:
  View Of(Tensor tensor) const { return {p_, tensor, tensors_}; }
  void Clear(Tensor tensor) const {
    for (Dim t = 0; t < p_.n_iter; ++t) {
      for (Dim n = 0; n < p_.mb; ++n) {
        for (Dim i = 0; i < p_.md[tensor].dims[2]; ++i) Of(tensor).Set(0, t, n, i);
      }
    }
  }
  Dim Length(Dim n) const {
    if (!p_.Has(kSequenceLengths)) return p_.n_iter;
    return reinterpret_cast<const int32_t*>((*tensors_)[kSequenceLengths].data())[n];
  }
  Dim FirstChannel(Dim d) const { return p_.direction == Direction::kBidirectionalConcat ? d * p_.dic : 0; }
  void Note(const Values& values) {
    for (const double value : values) largest_ = std::max(largest_, std::fabs(value));
  }

  void RunRow(Dim n, Dim d) {
    const Dim length = Length(n);
    const StepWalk walk(p_.direction, d, length, 1);
    std::vector<std::vector<Values>> h;  // of a layer and a step; layer 0 is x
    h.emplace_back();
    for (Dim step = 0; step < length; ++step) {
      h[0].emplace_back();
      for (Dim i = 0; i < p_.slc; ++i) h[0].back().push_back(Of(kSrcLayer).Get(walk.Time(step), n, i));
    }
    for (Dim l = 0; l < p_.n_layer; ++l) h.push_back(Forward(l, d, n, h.back()));
    std::vector<Values> above;
    for (Dim step = 0; step < length; ++step) {
      above.emplace_back();
      for (Dim j = 0; j < p_.dic; ++j) {
        const Dim t = walk.Time(step), channel = FirstChannel(d) + j;
        Of(kDstLayer).Add(h.back()[static_cast<size_t>(step)][static_cast<size_t>(j)], t, n, channel);
        above.back().push_back(Of(kDiffDstLayer).Get(t, n, channel));
      }
    }
    for (Dim l = p_.n_layer - 1; l >= 0; --l)
      above = Backward(l, d, n, h[static_cast<size_t>(l)], h[static_cast<size_t>(l) + 1], above);
    for (Dim step = 0; step < length; ++step) {
      for (Dim i = 0; i < p_.slc; ++i) {
        Of(kDiffSrcLayer).Add(above[static_cast<size_t>(step)][static_cast<size_t>(i)], walk.Time(step), n, i);
      }
    }
  }

  Values Initial(Tensor tensor, Dim l, Dim d, Dim n) const {
    Values values;
    for (Dim i = 0; i < p_.dic; ++i) values.push_back(Of(tensor).Get(l, d, n, i));
    return values;
  }

  std::vector<Values> Forward(Dim l, Dim d, Dim n, const std::vector<Values>& x) {
    std::vector<Values> h;
    Values before = Initial(kSrcIter, l, d, n);
    for (const Values& input : x) {
      Values state;
      for (Dim j = 0; j < p_.dhc; ++j) {
        double sum = Of(kBias).Get(l, d, Dim{0}, j);
        for (size_t i = 0; i < input.size(); ++i)
          sum += input[i] * Of(kWeightsLayer).Get(l, d, static_cast<Dim>(i), Dim{0}, j);
        for (size_t i = 0; i < before.size(); ++i)
          sum += before[i] * Of(kWeightsIter).Get(l, d, static_cast<Dim>(i), Dim{0}, j);
        state.push_back(sum);
      }
      Note(state);
      h.push_back(state);
      before = state;
    }
    for (Dim j = 0; j < p_.dic; ++j) Of(kDstIter).Set(before[static_cast<size_t>(j)], l, d, n, j);
    return h;
  }

  // Returns the gradients of x, which those of h lead to.
  std::vector<Values> Backward(Dim l, Dim d, Dim n, const std::vector<Values>& x, const std::vector<Values>& h,
                               const std::vector<Values>& above) {
    std::vector<Values> below(x.size());
    Values next = Initial(kDiffDstIter, l, d, n);
    for (size_t step = x.size(); step-- > 0;) {
      const Values before = step == 0 ? Initial(kSrcIter, l, d, n) : h[step - 1];
      Values g = above[step];
      for (size_t j = 0; j < g.size(); ++j) g[j] += next[j];
      Note(g);
      for (size_t j = 0; j < g.size(); ++j) Of(kDiffBias).Add(g[j], l, d, Dim{0}, static_cast<Dim>(j));
      below[step] = Through(kWeightsLayer, l, d, x[step], g);
      next = Through(kWeightsIter, l, d, before, g);
    }
    for (Dim i = 0; i < p_.sic; ++i) Of(kDiffSrcIter).Set(next[static_cast<size_t>(i)], l, d, n, i);
    return below;
  }

  // Adds the gradient of `weights` with input `in` and gradient `g` of the sums; returns the gradient of the input.
  Values Through(Tensor weights, Dim l, Dim d, const Values& in, const Values& g) const {
    Values out(in.size());
    for (size_t i = 0; i < in.size(); ++i) {
      for (size_t j = 0; j < g.size(); ++j) {
        const Dim row = static_cast<Dim>(i), column = static_cast<Dim>(j);
        out[i] += g[j] * Of(weights).Get(l, d, row, Dim{0}, column);
        Of(Diff(weights)).Add(in[i] * g[j], l, d, row, Dim{0}, column);
      }
    }
    return out;
  }

  const RnnProblem& p_;
  Tensors* tensors_;
  double largest_ = 0;
};

// Digits from -1 to 1, in no order that repeats.
inline double Digit(uint32_t i) {
  i = (i + 1) * 2654435761u;
  return static_cast<double>(((i ^ i >> 15) * 2246822519u >> 16) % 3) - 1;
}

// Units in chains of four: states and gradients stay small, however many steps there are.
inline void FillWithIntegers(const RnnProblem& p, Tensors* tensors) {
  for (int i = 0; i < kNumTensors; ++i) {
    const MemoryDesc& md = p.md[i];
    if (IsZero(md) || i == kSequenceLengths) continue;
    const size_t elements = (*tensors)[i].size() / SizeOf(TypeOf(md));
    for (size_t e = 0; e < elements; ++e) {
      const bool weights = IsWeights(static_cast<Tensor>(i)) && !IsDiff(static_cast<Tensor>(i));
      const double value = weights ? 0 : Digit(static_cast<uint32_t>(e) * kNumTensors + static_cast<uint32_t>(i));
      StoreElement(TypeOf(md), static_cast<float>(value), e, &(*tensors)[i]);
    }
  }
  const View layer(p, kWeightsLayer, tensors), iter(p, kWeightsIter, tensors);
  for (Dim l = 0; l < p.n_layer; ++l) {
    for (Dim d = 0; d < p.n_dir; ++d) {
      for (Dim j = 0; j < p.dhc; ++j) {
        layer.Add(1, l, d, (5 * j + 2 + l) % p.slc, Dim{0}, j);
        layer.Add(-1, l, d, (3 * j + d) % p.slc, Dim{0}, j);
        if (j % 4 != 0) iter.Set(j % 3 == 0 ? -1 : 1, l, d, (j + p.sic - 1) % p.sic, Dim{0}, j);
      }
    }
  }
}

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_TESTS_LINEAR_NETWORK_TESTING_H_
