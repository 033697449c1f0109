// Layer normalization of the numbers of a column: of one row of the minibatch. docs/layer_normalization.md says of which numbers.
#ifndef TANDEM_REFERENCE_NUMERICS_LAYER_NORM_H_
#define TANDEM_REFERENCE_NUMERICS_LAYER_NORM_H_

#include <type_traits>

namespace tandem {
namespace reference {

// Whether a policy has what Normalize() calls. Those of bytes have not.
template <class N, class = void>
constexpr bool kNormalizes = false;
template <class N>
constexpr bool kNormalizes<N, std::void_t<decltype(&N::Centered)>> = true;

// Backward needs both again.
template <class N>
struct Normalized {
  typename N::Mat v_hat;  // of mean 0 and variance 1
  typename N::Mat root;   // the root of variance + epsilon, the same in all channels
};

// v [channels, mb]. Mean and variance are those of a column.
template <class N>
Normalized<N> Normalize(const N& num, const typename N::Mat& v, double epsilon) {
  using Mat = typename N::Mat;
  const Mat z = num.Centered(v);                     // [NORM.1]
  const Mat s = num.Root(num.Mean(z * z), epsilon);  // [NORM.2]
  return {num.Standardized(z, s), s};                // [NORM.3]
}

// The gradient by v, from that by v^. Mean and variance depend on v, too.
template <class N>
typename N::Mat ThroughNormalize(const N& num, const Normalized<N>& of, const typename N::Mat& diff_v_hat) {
  return (diff_v_hat - num.Mean(diff_v_hat) - of.v_hat * num.Mean(diff_v_hat * of.v_hat)) / of.root;  // [NORM.B4]
}

// v^ with the gain and the offset of each channel, [dhc, mb].
template <class Mat>
Mat Scaled(const Mat& gain, const Mat& offset, const Mat& v_hat) {
  return gain * v_hat + offset;  // [NORM.4]
}

// `delta` is the gradient by what Scaled() gives. It joins those of gain and offset. Returns that by v^.
template <class N>
typename N::Mat ThroughScaled(const N& num, const typename N::Mat& gain, const typename N::Mat& v_hat,
                              const typename N::Mat& delta, typename N::Mat* diff_gain, typename N::Mat* diff_offset) {
  num.AddColumns(delta, diff_offset);        // [NORM.B1]
  num.AddColumns(delta * v_hat, diff_gain);  // [NORM.B2]
  return delta * gain;                       // [NORM.B3]
}

}  // namespace reference
}  // namespace tandem

#endif  // TANDEM_REFERENCE_NUMERICS_LAYER_NORM_H_
