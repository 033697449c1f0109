#include "conformance/sandbox/plugin_host.h"

#include <cstdint>
#include <initializer_list>

namespace tandem::conformance {
namespace {

static_assert(static_cast<int>(TANDEM_NUM_TENSORS) == static_cast<int>(kNumTensors));
static_assert(static_cast<int>(tandem_bias) == static_cast<int>(kBias));
static_assert(static_cast<int>(tandem_diff_bias) == static_cast<int>(kDiffBias));
static_assert(static_cast<int>(TANDEM_NUM_CELLS) == kNumCells);
static_assert(static_cast<int>(TANDEM_NUM_ACTIVATIONS) == CountOf<Activation>());
static_assert(static_cast<int>(tandem_bidirectional_sum) == static_cast<int>(LastOf<Direction>()));
static_assert(static_cast<int>(tandem_fpmath_any) == static_cast<int>(LastOf<FpmathMode>()));
static_assert(static_cast<int>(tandem_u8) == static_cast<int>(DataType::kU8));

tandem_scales ToScales(const ScaleVector& scales) {
  return {scales.mask, 0, static_cast<int64_t>(scales.values.size()), scales.values.data()};
}

tandem_tensor ToTensor(const MemoryDesc& md, bool layout_is_free) {
  tandem_tensor tensor = {};
  tensor.ndims = md.ndims;
  tensor.data_type = static_cast<int32_t>(md.data_type);
  tensor.layout_is_free = layout_is_free;
  for (int i = 0; i < md.ndims; ++i) {
    tensor.dims[i] = md.dims[i];
    tensor.strides[i] = Strides(md)[i];
  }
  return tensor;
}

}  // namespace

Plugin LoadPluginFile(const std::string& path, double timeout_seconds) {
  Plugin plugin;
  plugin.worker = std::make_shared<PluginProcesses>(path, timeout_seconds);
  const DescriptionReport& report = plugin.worker->description();
  const tandem_description& d = report.description;
  plugin.name = OneLine(report.name);
  plugin.version = OneLine(report.version);
  plugin.cpu_isa = OneLine(report.cpu_isa);
  plugin.claim = d.whole_table ? TableClaim::kWhole : TableClaim::kPartial;
  plugin.readings = d.readings;
  if (d.sigmoid_ulp > 0) plugin.declared.sigmoid_ulp = d.sigmoid_ulp;
  if (d.tanh_ulp > 0) plugin.declared.tanh_ulp = d.tanh_ulp;
  plugin.declared.recurrence = d.wide_recurrence ? Recurrence::kWide : Recurrence::kStored;
  plugin.declared.subnormals = d.keeps_subnormals ? Subnormals::kKeep : Subnormals::kMayFlush;
  plugin.declared.nan = d.fast_math_nan ? NanPolicy::kFastMath : NanPolicy::kIeee;
  plugin.claims_thread_determinism = d.thread_deterministic != 0;
  plugin.claims_batch_invariance = d.batch_invariant != 0;
  plugin.declared.narrow_slopes = static_cast<unsigned>(d.narrow_slopes);
  if (d.sigmoid_abs > 0) plugin.declared.sigmoid_abs = d.sigmoid_abs;
  if (d.tanh_abs > 0) plugin.declared.tanh_abs = d.tanh_abs;
  plugin.declared.narrow_sums = static_cast<unsigned>(d.narrow_sums);
  plugin.declared.narrow_operations = static_cast<unsigned>(d.narrow_operations);
  plugin.declared.narrow_gradients = d.narrow_gradients != 0;
  plugin.declared.cell_state = d.wide_cell_state != 0 ? Recurrence::kWide : Recurrence::kStored;
  plugin.calls = d.one_call_at_a_time != 0 ? Calls::kFromOneThread : Calls::kFromManyThreads;
  return plugin;
}

Plugin WithWideOffsets(const Plugin& plugin) {
  Plugin wide = plugin;
  wide.offsets = Offsets::kWide;
  return wide;
}

uint64_t FreeLayouts(const ProblemSpec& spec) {
  uint64_t free = 0;
  const auto add = [&](const std::string& tag, std::initializer_list<Tensor> tensors) {
    if (tag != "any") return;
    for (Tensor tensor : tensors) free |= uint64_t{1} << tensor;
  };
  add(spec.src_tag, {kSrcLayer, kDiffSrcLayer});
  add(spec.dst_tag, {kDstLayer, kDiffDstLayer});
  add(spec.weights_tag, {kWeightsLayer, kWeightsIter, kWeightsProjection});
  add(spec.diff_weights_tag, {kDiffWeightsLayer, kDiffWeightsIter, kDiffWeightsProjection});
  return free;
}

StatedProblem ToPluginProblem(const RnnProblem& problem, uint64_t free_layouts) {
  StatedProblem stated;
  tandem_problem& p = stated.problem;
  const GateFunctions& gates = problem.Gates();
  p.flags = problem.flags | (problem.IsDynamic() ? TANDEM_FLAG_DYNAMIC_QUANTIZATION : 0u) |
            (gates.forget == ForgetGate::kRestOfInput ? TANDEM_FLAG_INPUT_FORGET : 0u) |
            (HaveDefaultActivations(gates) ? 0u : TANDEM_FLAG_GATE_FUNCTIONS);
  for (const GatePlace place : kGatePlaces) {
    const ActivationFunction& function = gates.At(place);
    p.gate_function[static_cast<int>(place)] = {static_cast<int32_t>(function.kind), function.alpha, function.beta};
  }
  p.gate_clip = gates.clip;
  p.cell = static_cast<int32_t>(problem.cell);
  p.propagation = static_cast<int32_t>(problem.propagation);
  p.direction = static_cast<int32_t>(problem.direction);
  p.activation = static_cast<int32_t>(problem.activation);
  p.fpmath = static_cast<int32_t>(problem.attr.fpmath_mode);
  p.reading = static_cast<int32_t>(problem.attr.reading);
  p.user_scratchpad = problem.attr.scratchpad_mode == ScratchpadMode::kUser;
  p.alpha = problem.alpha;
  p.beta = problem.beta;
  p.norm_kind = static_cast<int32_t>(problem.attr.rnn_layer_norm.kind);
  p.norm_scope = static_cast<int32_t>(problem.attr.rnn_layer_norm.scope);
  p.norm_cell = static_cast<int32_t>(problem.attr.rnn_layer_norm.cell);
  p.norm_epsilon = problem.attr.rnn_layer_norm.epsilon;
  p.n_layer = problem.n_layer;
  p.n_dir = problem.n_dir;
  p.n_iter = problem.n_iter;
  p.mb = problem.mb;
  p.slc = problem.slc;
  p.sic = problem.sic;
  p.dhc = problem.dhc;
  p.dic = problem.dic;
  p.dlc = problem.dlc;
  p.data_scale = problem.attr.rnn_data_scale;
  p.data_shift = problem.attr.rnn_data_shift;
  p.weights_scales = ToScales(problem.attr.rnn_weights);
  p.projection_scales = ToScales(problem.attr.rnn_weights_projection);
  for (const Tensor t : kTensors) stated.tensor[t] = ToTensor(problem.md[t], (free_layouts >> t) & 1u);
  return stated;
}

}  // namespace tandem::conformance
