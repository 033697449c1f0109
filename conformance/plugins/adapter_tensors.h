// This file tells the adapter what it must know of each tensor and activation. A program of api/schema writes it.
#ifndef TANDEM_CONFORMANCE_PLUGINS_ADAPTER_TENSORS_H_
#define TANDEM_CONFORMANCE_PLUGINS_ADAPTER_TENSORS_H_

#include "conformance/plugin.h"
#include "dnnl.hpp"

namespace tandem::conformance::adapter {

struct AdapterTensor {
  int exec_arg;
  bool is_weights, is_forward_output, is_backward_output;
};

inline constexpr AdapterTensor kAdapterTensors[TANDEM_NUM_TENSORS] = {
    {DNNL_ARG_SRC_LAYER, false, false, false},
    {DNNL_ARG_SRC_ITER, false, false, false},
    {DNNL_ARG_SRC_ITER_C, false, false, false},
    {DNNL_ARG_AUGRU_ATTENTION, false, false, false},
    {DNNL_ARG_WEIGHTS_LAYER, true, false, false},
    {DNNL_ARG_WEIGHTS_ITER, true, false, false},
    {DNNL_ARG_WEIGHTS_PEEPHOLE, false, false, false},
    {DNNL_ARG_WEIGHTS_PROJECTION, true, false, false},
    {DNNL_ARG_BIAS, false, false, false},
    {DNNL_ARG_DST_LAYER, false, true, false},
    {DNNL_ARG_DST_ITER, false, true, false},
    {DNNL_ARG_DST_ITER_C, false, true, false},
    {DNNL_ARG_DIFF_SRC_LAYER, false, false, true},
    {DNNL_ARG_DIFF_SRC_ITER, false, false, true},
    {DNNL_ARG_DIFF_SRC_ITER_C, false, false, true},
    {DNNL_ARG_DIFF_AUGRU_ATTENTION, false, false, true},
    {DNNL_ARG_DIFF_WEIGHTS_LAYER, true, false, true},
    {DNNL_ARG_DIFF_WEIGHTS_ITER, true, false, true},
    {DNNL_ARG_DIFF_WEIGHTS_PEEPHOLE, false, false, true},
    {DNNL_ARG_DIFF_WEIGHTS_PROJECTION, true, false, true},
    {DNNL_ARG_DIFF_BIAS, false, false, true},
    {DNNL_ARG_DIFF_DST_LAYER, false, false, false},
    {DNNL_ARG_DIFF_DST_ITER, false, false, false},
    {DNNL_ARG_DIFF_DST_ITER_C, false, false, false},
    {224 /* none of oneDNN's */, false, false, false},
    {232 /* none of oneDNN's */, false, false, false},
    {233 /* none of oneDNN's */, false, false, false},
    {360 /* none of oneDNN's */, false, false, true},
    {361 /* none of oneDNN's */, false, false, true},
    {240 /* none of oneDNN's */, false, false, false},
    {241 /* none of oneDNN's */, false, false, false},
    {242 /* none of oneDNN's */, false, false, false},
    {243 /* none of oneDNN's */, false, false, false},
};

// The library's algorithm for a value of tandem_activation. Throws unimplemented for one that this adapter does not know.
inline dnnl::algorithm ActivationOf(int activation) {
  switch (activation) {
    case tandem_relu:
      return dnnl::algorithm::eltwise_relu;
    case tandem_tanh:
      return dnnl::algorithm::eltwise_tanh;
    case tandem_logistic:
      return dnnl::algorithm::eltwise_logistic;
#ifdef TANDEM_ENUM_BASE
    case tandem_thresholded_relu:
      return dnnl::algorithm::eltwise_thresholded_relu;
    case tandem_hard_sigmoid:
      return dnnl::algorithm::eltwise_hardsigmoid;
    case tandem_softsign:
      return dnnl::algorithm::eltwise_softsign;
    case tandem_softplus:
      return dnnl::algorithm::eltwise_soft_relu;
    case tandem_elu:
      return dnnl::algorithm::eltwise_elu;
    case tandem_affine:
      return dnnl::algorithm::eltwise_linear;
    case tandem_scaled_tanh:
      return dnnl::algorithm::eltwise_scaled_tanh;
#endif
  }
  throw dnnl::error(dnnl_unimplemented, "the adapter does not know the activation");
}

}  // namespace tandem::conformance::adapter

#endif  // TANDEM_CONFORMANCE_PLUGINS_ADAPTER_TENSORS_H_
