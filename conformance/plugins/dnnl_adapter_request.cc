#include "conformance/plugins/dnnl_adapter_request.h"

namespace tandem::conformance::adapter {
namespace {

// The primitive is created with this descriptor. It chooses the layout of weights whose layout is free.
Desc RequestedDesc(const tandem_problem& problem, int tensor) {
  const tandem_tensor& t = problem.tensor[tensor];
  if (t.ndims == 0 || !t.layout_is_free || !kAdapterTensors[tensor].is_weights) return ConcreteDesc(t);
  return Desc(dnnl::memory::dims(t.dims, t.dims + t.ndims), static_cast<dnnl::memory::data_type>(t.data_type),
              dnnl::memory::format_tag::any);
}

dnnl::fpmath_mode ToFpmath(int mode) {
  switch (mode) {
    case tandem_fpmath_strict:
      return dnnl::fpmath_mode::strict;
    case tandem_fpmath_bf16:
      return dnnl::fpmath_mode::bf16;
    case tandem_fpmath_f16:
      return dnnl::fpmath_mode::f16;
    case tandem_fpmath_any:
      return dnnl::fpmath_mode::any;
    case tandem_fpmath_tf32:
#if DNNL_VERSION_MAJOR >= 3 || defined(TANDEM_ADAPTER_OWN)
      return dnnl::fpmath_mode::tf32;
#else
      throw dnnl::error(dnnl_unimplemented, "there is no fpmath mode tf32");
#endif
  }
  throw dnnl::error(dnnl_invalid_arguments, "not a value of tandem_fpmath");
}

#ifdef TANDEM_ARG_SEQUENCE_LENGTHS
void SetGates(const tandem_problem& problem, dnnl::primitive_attr* attr) {
  const auto function = [&problem](int place) {
    const tandem_gate_function& f = problem.gate_function[place];
    return dnnl::rnn_activation(ActivationOf(f.activation), f.alpha, f.beta);
  };
  if ((problem.flags & TANDEM_FLAG_GATE_FUNCTIONS) != 0) {
    attr->set_rnn_activations(function(tandem_recurrent_place), function(tandem_candidate_place),
                              function(tandem_output_place));
  }
  attr->set_rnn_clip(problem.gate_clip);
  attr->set_rnn_input_forget((problem.flags & TANDEM_FLAG_INPUT_FORGET) != 0);
}
#endif

dnnl::primitive_attr ToAttributes(const tandem_problem& problem) {
  dnnl::primitive_attr attr;
#if !defined(TANDEM_ADAPTER_OWN) || DNNL_VERSION_MAJOR >= 3
  // oneDNN 2.6 ignores the bit instead of refusing it; the C++ classes of generation 3 have no argument for it.
  if ((problem.flags & TANDEM_FLAG_DIFF_WEIGHTS_OVERWRITE) != 0)
    throw dnnl::error(dnnl_unimplemented, "there is no flag diff_weights_overwrite");
#endif
#ifdef TANDEM_ADAPTER_OWN
  attr.set_reading(problem.reading == tandem_spec_reading ? dnnl::reading::spec : dnnl::reading::onednn);
#endif
  if (problem.tensor[tandem_sequence_lengths].ndims != 0) {
#ifdef TANDEM_ARG_SEQUENCE_LENGTHS
    attr.set_rnn_sequence_lengths(true);
#else
    throw dnnl::error(dnnl_unimplemented, "there are no sequence lengths");
#endif
  }
  if (problem.tensor[tandem_norm_gain].ndims != 0) {
#ifdef TANDEM_ARG_NORM_GAIN
    attr.set_rnn_layer_normalization(static_cast<dnnl::normalization>(problem.norm_kind),
                                     static_cast<dnnl::normalization_scope>(problem.norm_scope),
                                     static_cast<dnnl::cell_normalization>(problem.norm_cell), problem.norm_epsilon);
#else
    throw dnnl::error(dnnl_unimplemented, "there is no layer normalization");
#endif
  }
  for (int mask = tandem_mask_layer; mask <= tandem_zoneout_iter_c; ++mask) {
    if (problem.tensor[mask].ndims == 0) continue;
#ifdef TANDEM_ARG_MASK_LAYER
    attr.set_rnn_masks(attr.get_rnn_masks() | static_cast<dnnl::rnn_masks>(1 << (mask - tandem_mask_layer)));
#else
    throw dnnl::error(dnnl_unimplemented, "there are no masks");
#endif
  }
  if ((problem.flags & TANDEM_FLAG_DYNAMIC_QUANTIZATION) != 0) {
#ifdef TANDEM_ARG_SEQUENCE_LENGTHS
    attr.set_rnn_dynamic_quantization(true);
#else
    throw dnnl::error(dnnl_unimplemented, "there is no dynamic quantization");
#endif
  }
#ifdef TANDEM_ARG_SEQUENCE_LENGTHS
  SetGates(problem, &attr);
#endif
  attr.set_scratchpad_mode(problem.user_scratchpad ? dnnl::scratchpad_mode::user : dnnl::scratchpad_mode::library);
  // The default is the caller's (ONEDNN_DEFAULT_FPMATH_MODE), not the problem's.
  attr.set_fpmath_mode(ToFpmath(problem.fpmath));
  const auto is_byte = [&](int tensor) {
    const int type = problem.tensor[tensor].data_type;
    return type == tandem_u8 || type == tandem_s8;
  };
  if (is_byte(tandem_src_layer)) attr.set_rnn_data_qparams(problem.data_scale, problem.data_shift);
  if (!is_byte(tandem_weights_layer)) return attr;
  const auto values = [](const tandem_scales& s) { return std::vector<float>(s.values, s.values + s.count); };
  attr.set_rnn_weights_qparams(problem.weights_scales.mask, values(problem.weights_scales));
  if (problem.tensor[tandem_weights_projection].ndims != 0) {
    attr.set_rnn_weights_projection_qparams(problem.projection_scales.mask, values(problem.projection_scales));
  }
  return attr;
}

}  // namespace

Desc ConcreteDesc(const tandem_tensor& tensor) {
  if (tensor.ndims == 0) return Desc();
  return Desc(dnnl::memory::dims(tensor.dims, tensor.dims + tensor.ndims),
              static_cast<dnnl::memory::data_type>(tensor.data_type),
              dnnl::memory::dims(tensor.strides, tensor.strides + tensor.ndims));
}

AskedProblem::AskedProblem(const tandem_problem& given, const char* implementation, ByteInputs byte_inputs)
    : stated_(given) {
#ifndef TANDEM_ADAPTER_OWN
  if (given.tensor[tandem_bias].ndims == 0) AddBias(given);
#endif
  const tandem_problem& problem = *stated_.get();
  static const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  request_.problem = &problem;
  request_.propagation = problem.propagation == tandem_forward_inference  ? dnnl::prop_kind::forward_inference
                         : problem.propagation == tandem_forward_training ? dnnl::prop_kind::forward_training
                                                                          : dnnl::prop_kind::backward;
  for (int i = 0; i < TANDEM_NUM_TENSORS; ++i) request_.md[i] = RequestedDesc(problem, i);
  request_.attr = ToAttributes(problem);
  request_.engine = engine;
  request_.implementation = implementation;
  request_.byte_inputs = byte_inputs;
}

void AskedProblem::AddBias(const tandem_problem& given) {
  const tandem_tensor& weights = given.tensor[tandem_weights_layer];
  const bool lbr = given.cell == tandem_lbr_gru || given.cell == tandem_lbr_augru;
  tandem_tensor t = {};
  t.ndims = 4;
  t.data_type = weights.data_type == tandem_s8 ? int32_t{tandem_f32} : weights.data_type;
  if (t.data_type == tandem_bf16) t.data_type = tandem_f32;
  const int64_t dims[4] = {weights.dims[0], weights.dims[1], weights.dims[3] + (lbr ? 1 : 0), weights.dims[4]};
  int64_t stride = 1;
  for (int i = 3; i >= 0; --i) {
    t.dims[i] = dims[i];
    t.strides[i] = stride;
    stride *= dims[i];
  }
  bias_.assign(stride, 0.f);  // also large enough for a 16-bit type
  t.data = bias_.data();
  stated_.tensor[tandem_bias] = t;
  if (given.propagation != tandem_backward) return;
  diff_bias_.assign(stride, 0.f);
  t.data_type = tandem_f32;
  t.data = diff_bias_.data();
  stated_.tensor[tandem_diff_bias] = t;
}

}  // namespace tandem::conformance::adapter
