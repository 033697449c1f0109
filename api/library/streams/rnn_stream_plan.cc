#include "api/library/streams/rnn_stream_plan.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "api/core/names.h"
#include "api/library/guard.h"

using namespace tandem;

namespace tandem {
namespace {

const RnnPrimitiveDesc& RnnOf(const_dnnl_primitive_desc_t handle) {
  const auto* rnn = dynamic_cast<const RnnPrimitiveDesc*>(&ContentOf(handle));
  if (rnn == nullptr) ThrowInvalid("stream: the primitive descriptor is of a reorder, but must be of an RNN");
  return *rnn;
}

constexpr Tensor kPackable[] = {kWeightsLayer, kWeightsIter, kWeightsProjection};

// Returns the problem with weights packed as an execution reads them that packs plain ones each time: without a narrower type.
RnnProblem WithPackedWeights(const RnnProblem& problem, int implementation) {
  RnnProblem open = OneStepOf(problem, 1);
  open.attr.fpmath_mode = FpmathMode::kStrict;
  for (const Tensor weights : kPackable) {
    if (open.Has(weights)) open.md[weights].format_kind = dnnl_format_kind_any;
  }
  std::string why_not;
  const Chosen<RnnPlan> chosen = ChooseRnn(open, {implementation, implementation}, &why_not);
  if (chosen.plan == nullptr) ThrowUnimplemented("stream: " + why_not);
  return chosen.plan->problem();
}

}  // namespace

StreamLayers::StreamLayers(const tandem_rnn_stream_layers_t& given) {
  const RnnPrimitiveDesc& pd = RnnOf(given.primitive_desc);
  implementation_ = pd.implementation();
  problem_ = OneStepOf(pd.problem(), 1);
  TakeWeights(pd, given);
  Pack();
}

void StreamLayers::TakeWeights(const RnnPrimitiveDesc& pd, const tandem_rnn_stream_layers_t& given) {
  if (given.nargs > 0) NotNull(given.args, "stream: arguments");
  ArgumentList wanted;
  for (const Tensor tensor : kTensors) {
    if (!IsParameter(tensor) || !problem_.Has(tensor)) continue;
    wanted.Add(
        {ExecArg(tensor), ToString(tensor), pd.problem().md[tensor], ArgumentRole::kInput, ArgumentUse::kTensor});
  }
  const ArgumentList::Pointers pointers = wanted.Match(given.nargs, given.args);
  size_t next = 0;
  for (const Tensor tensor : kTensors) {
    if (IsParameter(tensor) && problem_.Has(tensor)) weights_[tensor] = pointers[next++];
  }
  for (int i = 0; i < given.nargs; ++i) {
    if (given.args[i].memory != nullptr) memories_.push_back(Ref<const tandem_memory>::Share(given.args[i].memory));
  }
}

void StreamLayers::Pack() {
  const auto is_plain = [this](Tensor tensor) { return problem_.Has(tensor) && !IsOpaque(problem_.md[tensor]); };
  if (std::none_of(std::begin(kPackable), std::end(kPackable), is_plain)) return;
  const RnnProblem with_packed = WithPackedWeights(problem_, implementation_);
  for (const Tensor tensor : kPackable) {
    const MemoryDesc& packed = with_packed.md[tensor];
    if (!is_plain(tensor) || !IsOpaque(packed)) continue;  // `reference` reads any plain layout
    MemoryDesc& md = problem_.md[tensor];
    std::string why_not;
    const Chosen<ReorderPlan> reorder = ChooseReorder({md, packed, Attributes()}, {}, &why_not);
    if (reorder.plan == nullptr) ThrowUnimplemented("stream: " + why_not);
    packed_.emplace_back(BufferBytes(packed));
    const AlignedBuffer scratchpad(reorder.plan->scratchpad_bytes());
    ReorderBuffers buffers;
    buffers.src = weights_[tensor];
    buffers.dst = packed_.back().get();
    buffers.scratchpad = scratchpad.get();
    reorder.plan->Execute(buffers);
    md = packed;
    weights_[tensor] = buffers.dst;
  }
}

std::unique_ptr<Stepper> StreamLayers::MakeStepper(Dim rows) const {
  return StepperFactoryOf(implementation_)(OneStepOf(problem_, rows), weights_);
}

}  // namespace tandem

namespace {

void CheckFit(const RnnProblem& below, const RnnProblem& above) {
  const MemoryDesc &out = below.md[kDstLayer], &in = above.md[kSrcLayer];
  if (below.dlc != above.slc) {
    ThrowInvalid("stream: slc is " + std::to_string(above.slc) + ", but the layer below has dlc " +
                 std::to_string(below.dlc));
  }
  if (TypeOf(out) != TypeOf(in)) {
    ThrowInvalid(std::string("stream: src_layer is ") + ToString(TypeOf(in)) +
                 ", but dst_layer of the layer below is " + ToString(TypeOf(out)));
  }
}

// One element serves all layers that have it.
void CheckAttention(const RnnProblem& first, const RnnProblem& layers) {
  if (!layers.Has(kAugruAttention) || layers.SrcType() == first.SrcType()) return;
  ThrowInvalid(std::string("stream: augru_attention is ") + ToString(layers.SrcType()) +
               ", but src_layer of the first layer is " + ToString(first.SrcType()));
}

}  // namespace

tandem_rnn_stream_plan::tandem_rnn_stream_plan(std::vector<StreamLayers> its_stack) : stack(std::move(its_stack)) {
  for (size_t i = 1; i < stack.size(); ++i) CheckFit(stack[i - 1].problem(), stack[i].problem());
  const RnnProblem &first = stack.front().problem(), &last = stack.back().problem();
  sizes.slc = first.slc;
  sizes.src_type = first.md[kSrcLayer].data_type;
  sizes.dlc = last.dlc;
  sizes.dst_type = last.md[kDstLayer].data_type;
  for (const StreamLayers& layers : stack) {
    CheckAttention(first, layers.problem());
    sizes.h += layers.problem().n_layer * layers.problem().dic;
    if (HasCellState(layers.problem().cell)) sizes.c += layers.problem().n_layer * layers.problem().dhc;
  }
}

dnnl_status_t tandem_rnn_stream_plan_create(tandem_rnn_stream_plan_t* plan, int count,
                                            const tandem_rnn_stream_layers_t* layers) {
  return Guard([&] {
    NotNull(plan, "stream: pointer for the plan");
    if (count < 1) ThrowInvalid("stream: has " + std::to_string(count) + " primitive descriptors, but needs one");
    NotNull(layers, "stream: layers");
    std::vector<StreamLayers> stack;
    for (int i = 0; i < count; ++i) stack.emplace_back(layers[i]);
    *plan = MakeRef<tandem_rnn_stream_plan>(std::move(stack)).Detach();
  });
}

dnnl_status_t tandem_rnn_stream_plan_destroy(tandem_rnn_stream_plan_t plan) {
  Ref<tandem_rnn_stream_plan>::Adopt(plan);
  return dnnl_success;
}

dnnl_status_t tandem_rnn_stream_plan_get_sizes(const_tandem_rnn_stream_plan_t plan, tandem_rnn_stream_sizes_t* sizes) {
  return Guard([&] {
    NotNull(plan, "stream: plan");
    NotNull(sizes, "stream: pointer for the sizes") = plan->sizes;
  });
}
