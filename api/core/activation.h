// The activations of the vanilla RNN, and what each is: one row of a table, so that no list elsewhere repeats it.
//
// Code that needs to know something of an activation asks its row; code where the equations differ has a switch over
// Activation. Both are complete: a new enumerator does not compile without a row (FindTraits), nor where a switch has no case
// for it (-Wswitch-enum).
#ifndef TANDEM_API_CORE_ACTIVATION_H_
#define TANDEM_API_CORE_ACTIVATION_H_

#include <cstddef>
#include <limits>

#include "api/core/enums.h"
#include "oneapi/dnnl/dnnl_types.h"

namespace tandem {

// Their order is also data (the plugin interface, workspaces, random problems): new ones come last. The plugin interface's
// enumerator of relu is tandem_relu, with the same value.
enum class Activation {
  kRelu,
  kTanh,
  kLogistic,
  kThresholdedRelu,
  kHardSigmoid,
  kSoftsign,
  kSoftplus,
  kElu,
  kAffine,
  kScaledTanh
};

// The numbers that a descriptor gives with the activation, and that its equation uses.
enum class ActivationParameters { kNone, kAlpha, kAlphaAndBeta };

// The value from which the activation's derivative is computed.
enum class SlopeFrom {
  kResult,
  kPreActivation,  // the result does not tell the slope: forward_training keeps the pre-activation
};

// Says whether every implementation must give NaN for NaN. max() and min() lose it on most instruction sets.
enum class Nans { kKept, kMayBeLost };

// Says which random problems have the activation. Those that follow the first three take a share of their own, so that other
// problems stay as they were.
enum class InRandomProblems { kAll, kShare };

// An activation with the numbers that its equation uses.
struct ActivationFunction {
  Activation kind = Activation::kTanh;
  float alpha = 0.f;
  float beta = 0.f;
};

struct ActivationTraits {
  Activation activation;
  const char* name;          // in messages, reports and files: "logistic"
  dnnl_alg_kind_t alg_kind;  // as descriptors name it
  const char* alg_name;      // dnnl::algorithm's enumerator: "eltwise_logistic"
  ActivationParameters parameters;
  SlopeFrom slope_from;
  double lowest, largest;  // the range of its results; of scaled_tanh in multiples of alpha
  Nans nans;
  InRandomProblems random;
};

namespace activations {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

inline constexpr ActivationTraits kRelu = {Activation::kRelu,
                                           "relu",
                                           dnnl_eltwise_relu,
                                           "eltwise_relu",
                                           ActivationParameters::kAlpha,  // the slope below 0
                                           SlopeFrom::kPreActivation,  // with alpha < 0 both signs give the same result
                                           -kInfinity,
                                           kInfinity,
                                           Nans::kMayBeLost,
                                           InRandomProblems::kAll};

inline constexpr ActivationTraits kTanh = {Activation::kTanh,
                                           "tanh",
                                           dnnl_eltwise_tanh,
                                           "eltwise_tanh",
                                           ActivationParameters::kNone,
                                           SlopeFrom::kResult,
                                           -1,
                                           1,
                                           Nans::kKept,
                                           InRandomProblems::kAll};

inline constexpr ActivationTraits kLogistic = {Activation::kLogistic,
                                               "logistic",
                                               dnnl_eltwise_logistic,
                                               "eltwise_logistic",
                                               ActivationParameters::kNone,
                                               SlopeFrom::kResult,
                                               0,
                                               1,
                                               Nans::kKept,
                                               InRandomProblems::kAll};

inline constexpr ActivationTraits kThresholdedRelu = {Activation::kThresholdedRelu,
                                                      "thresholded_relu",
                                                      dnnl_eltwise_thresholded_relu,
                                                      "eltwise_thresholded_relu",
                                                      ActivationParameters::kAlpha,  // the threshold

                                                      SlopeFrom::kPreActivation,
                                                      0,
                                                      kInfinity,
                                                      Nans::kMayBeLost,
                                                      InRandomProblems::kShare};

inline constexpr ActivationTraits kHardSigmoid = {Activation::kHardSigmoid,
                                                  "hard_sigmoid",
                                                  dnnl_eltwise_hardsigmoid,
                                                  "eltwise_hardsigmoid",
                                                  ActivationParameters::kAlphaAndBeta,  // clip(alpha x + beta, 0, 1)

                                                  SlopeFrom::kPreActivation,
                                                  0,
                                                  1,
                                                  Nans::kMayBeLost,
                                                  InRandomProblems::kShare};

inline constexpr ActivationTraits kSoftsign = {Activation::kSoftsign,
                                               "softsign",
                                               dnnl_eltwise_softsign,
                                               "eltwise_softsign",
                                               ActivationParameters::kNone,  // x / (1 + |x|)

                                               SlopeFrom::kPreActivation,
                                               -1,
                                               1,
                                               Nans::kKept,
                                               InRandomProblems::kShare};

inline constexpr ActivationTraits kSoftplus = {Activation::kSoftplus,
                                               "softplus",
                                               dnnl_eltwise_soft_relu,
                                               "eltwise_soft_relu",
                                               ActivationParameters::kNone,  // log(1 + e^x)

                                               SlopeFrom::kPreActivation,
                                               0,
                                               kInfinity,
                                               Nans::kKept,
                                               InRandomProblems::kShare};

inline constexpr ActivationTraits kElu = {Activation::kElu,
                                          "elu",
                                          dnnl_eltwise_elu,
                                          "eltwise_elu",
                                          ActivationParameters::kAlpha,  // alpha (e^x - 1) below 0

                                          SlopeFrom::kPreActivation,
                                          -kInfinity,
                                          kInfinity,
                                          Nans::kKept,
                                          InRandomProblems::kShare};

inline constexpr ActivationTraits kAffine = {Activation::kAffine,
                                             "affine",
                                             dnnl_eltwise_linear,
                                             "eltwise_linear",
                                             ActivationParameters::kAlphaAndBeta,  // alpha x + beta

                                             SlopeFrom::kPreActivation,
                                             -kInfinity,
                                             kInfinity,
                                             Nans::kKept,
                                             InRandomProblems::kShare};

inline constexpr ActivationTraits kScaledTanh = {Activation::kScaledTanh,
                                                 "scaled_tanh",
                                                 dnnl_eltwise_scaled_tanh,
                                                 "eltwise_scaled_tanh",
                                                 ActivationParameters::kAlphaAndBeta,  // alpha tanh(beta x)

                                                 SlopeFrom::kPreActivation,
                                                 -1,
                                                 1,
                                                 Nans::kKept,
                                                 InRandomProblems::kShare};

}  // namespace activations

// Null for a value that is no enumerator.
constexpr const ActivationTraits* FindTraits(Activation activation) {
  switch (activation) {
    case Activation::kRelu:
      return &activations::kRelu;
    case Activation::kTanh:
      return &activations::kTanh;
    case Activation::kLogistic:
      return &activations::kLogistic;
    case Activation::kThresholdedRelu:
      return &activations::kThresholdedRelu;
    case Activation::kHardSigmoid:
      return &activations::kHardSigmoid;
    case Activation::kSoftsign:
      return &activations::kSoftsign;
    case Activation::kSoftplus:
      return &activations::kSoftplus;
    case Activation::kElu:
      return &activations::kElu;
    case Activation::kAffine:
      return &activations::kAffine;
    case Activation::kScaledTanh:
      return &activations::kScaledTanh;
  }
  return nullptr;
}

constexpr const char* ToString(Activation activation) {
  const ActivationTraits* const traits = FindTraits(activation);
  return traits == nullptr ? nullptr : traits->name;
}

inline constexpr auto kActivations = AllOf<Activation>();
inline constexpr auto kActivationTraits = TableOf<ActivationTraits, Activation>(FindTraits);
static_assert(HasRowForEach(kActivationTraits, &ActivationTraits::activation, LastOf<Activation>()),
              "each activation has its own row");

constexpr const ActivationTraits& TraitsOf(Activation activation) {
  return kActivationTraits[static_cast<size_t>(activation)];
}

constexpr bool UsesAlpha(Activation activation) {
  return TraitsOf(activation).parameters != ActivationParameters::kNone;
}
constexpr bool UsesBeta(Activation activation) {
  return TraitsOf(activation).parameters == ActivationParameters::kAlphaAndBeta;
}
// The results lie in a finite range.
constexpr bool IsBounded(Activation activation) {
  return TraitsOf(activation).largest < activations::kInfinity && TraitsOf(activation).lowest > -activations::kInfinity;
}
constexpr bool SlopeNeedsPreActivation(Activation activation) {
  return TraitsOf(activation).slope_from == SlopeFrom::kPreActivation;
}
constexpr bool MayLoseNan(Activation activation) { return TraitsOf(activation).nans == Nans::kMayBeLost; }

}  // namespace tandem

#endif  // TANDEM_API_CORE_ACTIVATION_H_
