// primitive_attr: what a primitive descriptor is told besides the problem. A descriptor copies it;
// handles to one attribute object share it.
#ifndef DNNL_ATTR_HPP
#define DNNL_ATTR_HPP

#include <initializer_list>
#include <type_traits>

#include "dnnl/post_ops.hpp"

namespace dnnl {
inline namespace tandem_v1 {

// Tandem's own: the activation of gates and its numbers, which count where its equation has them (docs/numerics.md): eltwise_relu
// (alpha: the slope below 0), eltwise_tanh, eltwise_logistic, eltwise_thresholded_relu (alpha: the threshold),
// eltwise_hardsigmoid (alpha, beta), eltwise_softsign, eltwise_soft_relu, eltwise_elu (alpha), eltwise_linear (alpha, beta) or
// eltwise_scaled_tanh (alpha, beta).
struct rnn_activation {
  rnn_activation(algorithm its_kind, float its_alpha = 0.f, float its_beta = 0.f)
      : kind(its_kind), alpha(its_alpha), beta(its_beta) {}
  algorithm kind;
  float alpha, beta;
};

struct primitive_attr : public handle<dnnl_primitive_attr_t> {
  using handle<dnnl_primitive_attr_t>::handle;

  // Takes the process's current default fpmath mode and reading.
  primitive_attr() {
    dnnl_primitive_attr_t result = nullptr;
    detail::check(tandem_attr_create(&result));
    reset(result);
  }
  primitive_attr(dnnl_primitive_attr_t attr) : handle<dnnl_primitive_attr_t>(attr) {}

  // Who owns the buffer that a primitive needs while it runs.
  scratchpad_mode get_scratchpad_mode() const {
    return static_cast<scratchpad_mode>(field(tandem_attr_scratchpad_mode));
  }
  void set_scratchpad_mode(scratchpad_mode mode) { set(tandem_attr_scratchpad_mode, static_cast<int>(mode)); }

  // Which roundings of f32 inputs a primitive may make while it computes. Integer computation ignores it.
  fpmath_mode get_fpmath_mode() const { return static_cast<fpmath_mode>(field(tandem_attr_fpmath_mode)); }
#ifdef DNNL_C_API_V3
  void get_fpmath_mode(fpmath_mode& mode, bool& apply_to_int) const {
    mode = get_fpmath_mode();
    apply_to_int = field(tandem_attr_fpmath_applies_to_int) != 0;
  }
#endif
  // One function in each generation (dnnl_version.h), so that its address has one type: generation 2 has one parameter,
  // generation 3 a second one with a default.
#ifdef DNNL_C_API_V3
  void set_fpmath_mode(fpmath_mode mode, bool apply_to_int = false) { set_fpmath(mode, apply_to_int); }
#else
  void set_fpmath_mode(fpmath_mode mode) { set_fpmath(mode, false); }
#endif

  // Tandem's own: which reading of the text holds where it and practice differ.
  ::dnnl::reading get_reading() const { return static_cast<::dnnl::reading>(field(tandem_attr_reading)); }
  void set_reading(::dnnl::reading areading) { set(tandem_attr_reading, static_cast<int>(areading)); }

  // Tandem's own: each row of an RNN's minibatch has a length of its own, from 0 to n_iter. execute() then takes one more
  // argument, TANDEM_ARG_SEQUENCE_LENGTHS: s32, dims {mb}. A row computes nothing beyond its length (docs/sequence_lengths.md).
  bool get_rnn_sequence_lengths() const { return field(tandem_attr_rnn_sequence_lengths) != 0; }
  void set_rnn_sequence_lengths(bool value) { set(tandem_attr_rnn_sequence_lengths, value ? 1 : 0); }

  // Tandem's own: an RNN multiplies its inputs and states by tensors in f32 that execute() gets, one for each bit
  // (docs/rnn_masks.md): dropout of the inputs of layers (layer: TANDEM_ARG_MASK_LAYER, {L, D, T, N, SLC}) and of h_{t-1} before
  // the product with weights_iter (iter: TANDEM_ARG_MASK_ITER, {L, D, N, SIC}), zoneout of h and c (zoneout_iter:
  // TANDEM_ARG_ZONEOUT_ITER, {L, D, T, N, DIC}; zoneout_iter_c: TANDEM_ARG_ZONEOUT_ITER_C, {L, D, T, N, DHC}). They have no
  // gradients. Throws invalid_arguments for other bits.
  rnn_masks get_rnn_masks() const { return static_cast<rnn_masks>(field(tandem_attr_rnn_masks)); }
  void set_rnn_masks(rnn_masks masks) { set(tandem_attr_rnn_masks, static_cast<int>(masks)); }

  // Tandem's own: forward inference with f32 data and s8 weights multiplies bytes. Before each product, each row of src_layer
  // and of the states becomes u8 by a scale and a zero point of its own range (docs/readings.md). Nothing is calibrated:
  // set_rnn_weights_qparams is all that is given.
  bool get_rnn_dynamic_quantization() const { return field(tandem_attr_rnn_dynamic_quantization) != 0; }
  void set_rnn_dynamic_quantization(bool value) { set(tandem_attr_rnn_dynamic_quantization, value ? 1 : 0); }

  // Tandem's own: the gates of LSTM, GRU and LBR-GRU have these functions in place of sigmoid and tanh. `recurrent` makes i, f
  // and o of LSTM, u and r of GRU; `candidate` makes c~ of LSTM and o of GRU; LSTM has h_t = o * output(c_t). With other cells or
  // with u8 or s8 data, creating a primitive is unimplemented. Throws invalid_arguments for what is no activation of RNN.
  void set_rnn_activations(const rnn_activation& recurrent, const rnn_activation& candidate,
                           const rnn_activation& output = rnn_activation(algorithm::eltwise_tanh)) {
    set_rnn_activation(tandem_gate_recurrent, recurrent);
    set_rnn_activation(tandem_gate_candidate, candidate);
    set_rnn_activation(tandem_gate_output, output);
  }
  rnn_activation get_rnn_activation(tandem_gate_place_t place) const {
    dnnl_alg_kind_t kind = dnnl_alg_kind_undef;
    rnn_activation result(algorithm::undef);
    detail::check(tandem_attr_get_rnn_activation(get(), place, &kind, &result.alpha, &result.beta));
    result.kind = static_cast<algorithm>(kind);
    return result;
  }
  // Tandem's own, as ONNX has it: the pre-activations of gates, peepholes included, are clipped to [-clip, clip]. 0: they are not.
  float get_rnn_clip() const {
    float clip = 0.f;
    detail::check(tandem_attr_get_rnn_clip(get(), &clip));
    return clip;
  }
  void set_rnn_clip(float clip) { detail::check(tandem_attr_set_rnn_clip(get(), clip)); }
  // Tandem's own, as ONNX has it: the forget gate of LSTM is f = 1 - i, and its weights and bias have no effect.
  bool get_rnn_input_forget() const { return field(tandem_attr_rnn_input_forget) != 0; }
  void set_rnn_input_forget(bool value) { set(tandem_attr_rnn_input_forget, value ? 1 : 0); }

  // Tandem's own: a layer normalizes its products (docs/layer_normalization.md). Of each row of the minibatch it takes off the mean
  // and divides by sqrt(variance + epsilon), epsilon > 0, then multiplies by a gain and adds an offset. execute() then takes
  // TANDEM_ARG_NORM_GAIN and TANDEM_ARG_NORM_OFFSET, f32, dims {n_layer, n_dir, norms, dhc}: the norms of the gates, first of W x
  // or of the sum, then of U h', then that of c_t. backward adds to their gradients, TANDEM_ARG_DIFF_NORM_GAIN and
  // TANDEM_ARG_DIFF_NORM_OFFSET. Throws invalid_arguments for a value that is no enumerator.
  void set_rnn_layer_normalization(normalization kind, normalization_scope scope = normalization_scope::gate,
                                   cell_normalization of_cell_state = cell_normalization::none, float epsilon = 1e-5f) {
    detail::check(tandem_attr_set_rnn_layer_normalization(
        get(), static_cast<tandem_normalization_t>(kind), static_cast<tandem_normalization_scope_t>(scope),
        static_cast<tandem_cell_normalization_t>(of_cell_state), epsilon));
  }
  void get_rnn_layer_normalization(normalization& kind, normalization_scope& scope, cell_normalization& of_cell_state,
                                   float& epsilon) const {
    tandem_normalization_t its_kind = tandem_normalization_none;
    tandem_normalization_scope_t its_scope = tandem_normalization_scope_gate;
    tandem_cell_normalization_t its_cell = tandem_cell_normalization_none;
    detail::check(tandem_attr_get_rnn_layer_normalization(get(), &its_kind, &its_scope, &its_cell, &epsilon));
    kind = static_cast<normalization>(its_kind);
    scope = static_cast<normalization_scope>(its_scope);
    of_cell_state = static_cast<cell_normalization>(its_cell);
  }

  accumulation_mode get_accumulation_mode() const {
    return static_cast<accumulation_mode>(field(tandem_attr_accumulation_mode));
  }
  void set_accumulation_mode(accumulation_mode mode) { set(tandem_attr_accumulation_mode, static_cast<int>(mode)); }
  // Every result here is the same in each execution. With true, it has also the same bits on all processors that have a fused
  // multiply-add: products with bf16 weights then do without instructions that add in an order of their own (AMX's,
  // VDPBF16PS). docs/numerics.md has the promise.
  bool get_deterministic() const { return field(tandem_attr_deterministic) != 0; }
  void set_deterministic(bool value) { set(tandem_attr_deterministic, value ? 1 : 0); }

  // Scales and zero points whose values arrive with execute(), as DNNL_ARG_ATTR_SCALES | arg and
  // DNNL_ARG_ATTR_ZERO_POINTS | arg. Bit i of the mask: one value for each index of dim i. Throw invalid_arguments for
  // an arg that is no source, weights, bias, destination or argument of a post-op. Whether a primitive takes them says
  // its primitive descriptor. An arg that was never set has mask 0.
  int get_scales_mask(int arg) const {
    int mask = 0;
    detail::check(tandem_attr_get_scales_mask(get(), arg, &mask));
    return mask;
  }
  void set_scales_mask(int arg, int mask) { detail::check(tandem_attr_set_scales_mask(get(), arg, mask)); }
  void set_zero_points_mask(int arg, int mask) { detail::check(tandem_attr_set_zero_points_mask(get(), arg, mask)); }

  // Scales with their values (operation-descriptor generation). Templates, so that a list of
  // floating literals comes here and a list of group sizes goes to the overload below.
  template <typename T, typename std::enable_if<std::is_same<T, float>::value, int>::type = 0>
  void set_scales(int arg, int mask, const std::vector<T>& scales) {
    detail::check(tandem_attr_set_scales(get(), arg, mask, scales.size(), scales.data()));
  }
  template <typename T, typename std::enable_if<std::is_floating_point<T>::value, int>::type = 0>
  void set_scales(int arg, int mask, std::initializer_list<T> scales) {
    set_scales(arg, mask, std::vector<float>(scales.begin(), scales.end()));
  }
  // Scales that arrive with execute(), one for each group. Creating a primitive with groups, with another type than f32 or
  // with scales on the host is unimplemented. A list of integer literals cannot be told from scale values: one number, or
  // any with mask 0, are values.
  void set_scales(int arg, int mask, const memory::dims& groups) {
    if (groups.size() == 1 || (mask == 0 && !groups.empty())) {
      set_scales(arg, mask, std::vector<float>(groups.begin(), groups.end()));
    } else {
      set_scales(arg, mask, groups, memory::data_type::f32);
    }
  }
  void set_scales(int arg, int mask, const memory::dims& groups, memory::data_type type, bool on_host = false,
                  quantization_mode mode = quantization_mode::static_sazp) {
    if (!groups.empty() || type != memory::data_type::f32 || on_host || mode != quantization_mode::static_sazp) {
      detail::check(tandem_attr_set_unserved(get(), tandem_parameters_scales, arg, mask));
    } else {
      set_scales_mask(arg, mask);
    }
  }
  void get_scales(int arg, int& mask, std::vector<float>& scales) const {
    size_t count = 0;
    const float* values = nullptr;
    detail::check(tandem_attr_get_scales(get(), arg, &mask, &count, &values));
    scales.assign(values, values + count);
  }

  // The same for zero points.
  template <typename T, typename std::enable_if<std::is_same<T, int32_t>::value, int>::type = 0>
  void set_zero_points(int arg, int mask, const std::vector<T>& zero_points) {
    detail::check(tandem_attr_set_zero_points(get(), arg, mask, zero_points.size(), zero_points.data()));
  }
  // Two numbers with a mask are group sizes, none is "no groups", anything else is values.
  void set_zero_points(int arg, int mask, const memory::dims& groups) {
    if (groups.empty() || (groups.size() == 2 && mask != 0)) {
      set_zero_points(arg, mask, groups, memory::data_type::s32);
    } else {
      set_zero_points(arg, mask, std::vector<int32_t>(groups.begin(), groups.end()));
    }
  }
  void set_zero_points(int arg, int mask, const memory::dims& groups, memory::data_type type, bool on_host = false) {
    if (!groups.empty() || type != memory::data_type::s32 || on_host) {
      detail::check(tandem_attr_set_unserved(get(), tandem_parameters_zero_points, arg, mask));
    } else {
      set_zero_points_mask(arg, mask);
    }
  }
  void get_zero_points(int arg, int& mask, std::vector<int32_t>& zero_points) const {
    size_t count = 0;
    const int32_t* values = nullptr;
    detail::check(tandem_attr_get_zero_points(get(), arg, &mask, &count, &values));
    zero_points.assign(values, values + count);
  }

  // Single values in host memory instead of an argument. As groups, they are kept, and no primitive here takes them.
  void set_host_scale(int arg, memory::data_type type = memory::data_type::f32) { set_scales(arg, 0, {}, type, true); }
  void set_host_zero_point(int arg, memory::data_type type = memory::data_type::s32) {
    set_zero_points(arg, 0, {}, type, true);
  }
  // Sums over a dim that the client made beforehand. Throws unimplemented.
  void set_precomputed_reductions(int, int, const memory::dims&, memory::data_type = memory::data_type::s32) {
    refuse("set_precomputed_reductions");
  }
  // Results are rounded to nearest even, whatever the argument.
  rounding_mode get_rounding_mode(int) const { return rounding_mode::environment; }
  void set_rounding_mode(int, rounding_mode mode) {
    if (mode != rounding_mode::environment) refuse("set_rounding_mode");
  }

  // Reorder, operation-descriptor generation: dst = scale * src.
  void set_output_scales(int mask, const std::vector<float>& scales) {
    set_qparams(tandem_qparams_output_scales, mask, scales);
  }
  void get_output_scales(int& mask, std::vector<float>& scales) const {
    get_qparams(tandem_qparams_output_scales, mask, scales);
  }

  // Throws invalid_arguments in the primitive descriptor if the primitive does not take them.
  void set_post_ops(const post_ops ops) { detail::check(tandem_attr_set_post_ops(get(), ops.get())); }
  // A copy: appending to it does not change the attributes.
  const post_ops get_post_ops() const {
    dnnl_post_ops_t result = nullptr;
    detail::check(tandem_attr_get_post_ops(get(), &result));
    return post_ops(result);
  }

  // Quantization of the u8 and s8 data tensors of an RNN, common to src_layer, src_iter, dst_iter and dst_layer: q =
  // round(scale * (x + shift)) in reading::spec, q = round(scale * x + shift) in reading::onednn.
  void set_rnn_data_qparams(float scale, float shift) {
    detail::check(tandem_attr_set_rnn_data_qparams(get(), scale, shift));
  }
  void get_rnn_data_qparams(float& scale, float& shift) const {
    detail::check(tandem_attr_get_rnn_data_qparams(get(), &scale, &shift));
  }
  // Quantization of weights_layer and weights_iter, dims (l, d, i, g, o): s8 = round(scale * weight). Mask 0: one
  // scale; (1 << 3) | (1 << 4): one for each g and o. The number of scales is checked by the primitive descriptor.
  void set_rnn_weights_qparams(int mask, const std::vector<float>& scales) {
    set_qparams(tandem_qparams_weights, mask, scales);
  }
  void get_rnn_weights_qparams(int& mask, std::vector<float>& scales) const {
    get_qparams(tandem_qparams_weights, mask, scales);
  }
  // The same for weights_projection, dims (l, d, i, o): mask 0 or 1 << 3.
  void set_rnn_weights_projection_qparams(int mask, const std::vector<float>& scales) {
    set_qparams(tandem_qparams_weights_projection, mask, scales);
  }
  void get_rnn_weights_projection_qparams(int& mask, std::vector<float>& scales) const {
    get_qparams(tandem_qparams_weights_projection, mask, scales);
  }

 private:
  [[noreturn]] static void refuse(const char* what) {
    detail::fail(dnnl_unimplemented, (std::string(what) + ": is not implemented").c_str());
  }
  void set_rnn_activation(tandem_gate_place_t place, const rnn_activation& activation) {
    detail::check(tandem_attr_set_rnn_activation(get(), place, static_cast<dnnl_alg_kind_t>(activation.kind),
                                                 activation.alpha, activation.beta));
  }
  int field(tandem_attr_field_t which) const {
    int value = 0;
    detail::check(tandem_attr_get(get(), which, &value));
    return value;
  }
  void set_fpmath(fpmath_mode mode, bool apply_to_int) {
    set(tandem_attr_fpmath_mode, static_cast<int>(mode));
    set(tandem_attr_fpmath_applies_to_int, apply_to_int ? 1 : 0);
  }
  void set(tandem_attr_field_t which, int value) { detail::check(tandem_attr_set(get(), which, value)); }
  void set_qparams(tandem_qparams_t which, int mask, const std::vector<float>& scales) {
    detail::check(tandem_attr_set_qparams(get(), which, mask, scales.size(), scales.data()));
  }
  void get_qparams(tandem_qparams_t which, int& mask, std::vector<float>& scales) const {
    size_t count = 0;
    const float* values = nullptr;
    detail::check(tandem_attr_get_qparams(get(), which, &mask, &count, &values));
    scales.assign(values, values + count);
  }
};

}  // namespace tandem_v1
}  // namespace dnnl

#endif
