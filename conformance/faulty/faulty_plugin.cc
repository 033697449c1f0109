#include "conformance/faulty/faulty_plugin.h"

#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <exception>
#include <map>
#include <memory>

#include "api/core/rnn/rnn_masks.h"
#include "conformance/faulty/faulty_backward.h"
#include "conformance/faulty/faulty_forward.h"

namespace tandem::conformance {
namespace {

// `base` is the first member, so that a pointer to it also points to the whole struct.
struct Mutant {
  tandem_plugin base;
  tandem_description description;
  Mutation mutation;
  mutable CallMemory memory;
};

const Mutant& Of(const tandem_plugin* self) { return *reinterpret_cast<const Mutant*>(self); }

MemoryDesc ToMemoryDesc(const tandem_tensor& tensor) {
  if (tensor.ndims == 0) return {};
  MemoryDesc md = MakeDense(Dims(tensor.dims, tensor.dims + tensor.ndims), static_cast<DataType>(tensor.data_type));
  for (int i = 0; i < tensor.ndims; ++i) md.format_desc.blocking.strides[i] = tensor.strides[i];
  return md;
}

ScaleVector ToScaleVector(const tandem_scales& scales) {
  ScaleVector vector;
  vector.mask = scales.mask;
  vector.values.assign(scales.values, scales.values + scales.count);
  return vector;
}

RnnProblem FromPluginProblem(const tandem_problem& p) {
  RnnProblem problem;
  problem.cell = static_cast<Cell>(p.cell);
  problem.propagation = static_cast<Propagation>(p.propagation);
  problem.direction = static_cast<Direction>(p.direction);
  problem.activation = static_cast<Activation>(p.activation);
  problem.alpha = p.alpha;
  problem.beta = p.beta;
  problem.flags = p.flags & TANDEM_FLAG_DIFF_WEIGHTS_OVERWRITE;
  GateFunctions& gates = problem.attr.rnn_gates;
  const bool own_functions = (p.flags & TANDEM_FLAG_GATE_FUNCTIONS) != 0;
  for (const GatePlace place : kGatePlaces) {
    if (!own_functions) break;
    const tandem_gate_function& function = p.gate_function[static_cast<int>(place)];
    gates.At(place) = {static_cast<Activation>(function.activation), function.alpha, function.beta};
  }
  gates.clip = p.gate_clip;
  gates.forget = (p.flags & TANDEM_FLAG_INPUT_FORGET) != 0 ? ForgetGate::kRestOfInput : ForgetGate::kOwn;
  problem.attr.rnn_dynamic_quantization = (p.flags & TANDEM_FLAG_DYNAMIC_QUANTIZATION) != 0;
  problem.attr.fpmath_mode = static_cast<FpmathMode>(p.fpmath);
  problem.attr.reading = static_cast<Reading>(p.reading);
  if (p.user_scratchpad) problem.attr.scratchpad_mode = ScratchpadMode::kUser;
  problem.attr.rnn_data_scale = p.data_scale;
  problem.attr.rnn_data_shift = p.data_shift;
  problem.attr.rnn_weights = ToScaleVector(p.weights_scales);
  problem.attr.rnn_weights_projection = ToScaleVector(p.projection_scales);
  problem.attr.rnn_sequence_lengths = p.tensor[tandem_sequence_lengths].ndims != 0;
  problem.attr.rnn_layer_norm = {static_cast<NormKind>(p.norm_kind), static_cast<NormScope>(p.norm_scope),
                                 static_cast<CellNorm>(p.norm_cell), p.norm_epsilon};
  for (const Tensor mask : kMasks) problem.attr.rnn_masks |= p.tensor[mask].ndims != 0 ? MaskBit(mask) : 0;
  for (int i = 0; i < kNumTensors; ++i) problem.md[i] = ToMemoryDesc(p.tensor[i]);
  Validate(&problem);
  return problem;
}

// Changes the weights in the caller's memory, as an implementation that permutes them in place does.
void SpoilWeights(const TensorView& w) {
  const size_t last = w.size() - 1;
  const double first = w.Get(0);
  w.Set(0, w.Get(last));
  w.Set(last, first == w.Get(0) ? first + 1 : first);
}

void StrayBeforeStarting(const RnnProblem& problem, const TensorViews& tensors, Mutation mutation) {
  if (mutation == Mutation::kInputModified) SpoilWeights(tensors[kWeightsLayer]);
  if (mutation == Mutation::kSmallKCrash) {
    volatile Dim blocks = problem.slc / 4;
    volatile Dim rest = problem.slc % blocks;
    (void)rest;
  }
  if (mutation == Mutation::kBatchOneHangs) {
    const Dim block = problem.mb / 2;
    for (Dim n = 0; block == 0 && n < problem.mb; n += block) usleep(1000);
  }
}

void Remember(const RnnProblem& problem, const FaultyTrace& trace, const TensorViews& tensors, CallMemory* memory) {
  ++memory->calls;
  memory->dst_iter_c = problem.Has(kDstIterC) ? tensors[kDstIterC].data() : nullptr;
  memory->last_c_prev.clear();
  for (Dim l = 0; l < problem.n_layer; ++l) {
    for (Dim d = 0; d < problem.n_dir; ++d) {
      const Floats& c = trace.At(problem, l, d, StepWalk(problem, d).Time(problem.n_iter - 1)).c_prev;
      memory->last_c_prev.insert(memory->last_c_prev.end(), c.begin(), c.end());
    }
  }
  memory->last_h.clear();
  for (Dim stack = 0; stack < problem.n_layer * problem.n_dir; ++stack) {
    const FaultyStep& step = trace.steps[static_cast<size_t>(stack * problem.n_iter)];
    memory->last_h.insert(memory->last_h.end(), step.h.begin(), step.h.end());
  }
}

// Turns the sign of the first NaN, and stores 12345 in all elements behind it.
void SpoilBehindNan(const TensorView& out) {
  size_t at = 0;
  while (at < out.size() && !std::isnan(out.Get(at))) ++at;
  if (at == out.size()) return;
  out.Set(at, -out.Get(at));
  while (++at < out.size()) out.Set(at, 12345);
}

// Two threads if the caller sets no number.
void Divide(int32_t threads, CallMemory* memory, FaultyNetwork* net) {
  net->threads = net->sharing = threads > 0 ? threads : 2;
  if (!net->On(Mutation::kThreadCountCached)) return;
  if (memory->first_threads == 0) memory->first_threads = net->threads;
  net->sharing = memory->first_threads;
}

void RunProblem(const Mutant& mutant, const tandem_problem& given, const tandem_plugin_memory& memory) {
  const Mutation mutation = mutant.mutation;
  const RnnProblem problem = FromPluginProblem(given);
  TensorViews tensors;
  for (int i = 0; i < kNumTensors; ++i) {
    if (!IsZero(problem.md[i])) tensors[i] = TensorView(problem.md[i], given.tensor[i].data, mutation);
  }
  StrayBeforeStarting(problem, tensors, mutation);
  const bool user = problem.attr.scratchpad_mode == ScratchpadMode::kUser;
  const FaultyArithmetic math(problem, mutation);
  const FaultyScratch scratch(problem, mutation, user ? static_cast<uint8_t*>(memory.scratchpad) : nullptr);
  FaultyNetwork net(problem, math, tensors, scratch, &mutant.memory);
  Divide(given.threads, &mutant.memory, &net);
  uint8_t* workspace = static_cast<uint8_t*>(memory.workspace);
  if (problem.IsBackward()) {
    const auto& kept = mutant.memory.last_trace;
    const bool ignored = mutation == Mutation::kWorkspaceIgnored && kept != nullptr;
    return RunFaultyBackward(net, ignored ? *kept : LoadTrace(problem, workspace), tensors);
  }
  const FaultyTrace trace = RunFaultyForward(net, mutant.memory);
  StoreFaultyForward(net, trace, tensors);
  if (mutation == Mutation::kNanCoversOtherCall && mutant.memory.calls % 2 == 1) {
    for (const Tensor t : kForwardOutputs) SpoilBehindNan(tensors[t]);
  }
  if (problem.IsTraining()) SaveTrace(problem, trace, mutation, workspace);
  if (mutation == Mutation::kWorkspaceIgnored) mutant.memory.last_trace = std::make_shared<FaultyTrace>(trace);
  Remember(problem, trace, tensors, &mutant.memory);
}

const tandem_description* Describe(const tandem_plugin* self) { return &Of(self).description; }

int32_t Supports(const tandem_plugin* self, const tandem_problem* given, tandem_requirements* needs, char* reason,
                 size_t reason_size) {
  const Mutation mutation = Of(self).mutation;
  try {
    const RnnProblem problem = FromPluginProblem(*given);
    if (mutation == Mutation::kAbsentBiasRefused && !problem.Has(kBias)) {
      std::snprintf(reason, reason_size, "no bias");
      return tandem_not_supported;
    }
    const bool user = problem.attr.scratchpad_mode == ScratchpadMode::kUser;
    needs->workspace_bytes = WorkspaceBytes(problem, mutation);
    needs->scratchpad_bytes = user ? ScratchpadBytes(problem, mutation) : 0;
    return tandem_ok;
  } catch (const std::exception& error) {
    std::snprintf(reason, reason_size, "%s", error.what());
    return tandem_not_supported;
  }
}

int32_t Run(const tandem_plugin* self, const tandem_problem* problem, const tandem_plugin_memory* memory, char* message,
            size_t message_size) {
  try {
    RunProblem(Of(self), *problem, *memory);
    return tandem_ok;
  } catch (const std::exception& error) {
    std::snprintf(message, message_size, "%s", error.what());
    return tandem_failed;
  }
}

std::unique_ptr<Mutant> MakeMutant(Mutation mutation) {
  auto mutant = std::make_unique<Mutant>();
  mutant->base = {sizeof(tandem_plugin), TANDEM_PLUGIN_ABI, Describe, Supports, Run};
  mutant->mutation = mutation;
  tandem_description& description = mutant->description;
  description = {};
  description.size = sizeof description;
  description.tensor_count = TANDEM_NUM_TENSORS;
  description.serves_gate_functions = 1;
  description.whole_table = 1;
  description.name = InfoOf(mutation).name;
  description.version = InfoOf(mutation).text;
  description.thread_deterministic = description.batch_invariant = 1;
  description.readings = 1 << tandem_spec_reading | 1 << tandem_onednn_reading;
  return mutant;
}

}  // namespace

const tandem_plugin* FaultyPlugin(Mutation mutation) {
  static auto* const kMutants = new std::map<Mutation, std::unique_ptr<Mutant>>;
  std::unique_ptr<Mutant>& mutant = (*kMutants)[mutation];
  if (mutant == nullptr) mutant = MakeMutant(mutation);
  return &mutant->base;
}

}  // namespace tandem::conformance
