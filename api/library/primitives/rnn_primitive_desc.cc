#include "api/library/primitives/rnn_primitive_desc.h"

#include <initializer_list>

#include "api/library/guard.h"
#include "api/library/primitives/rnn_hint.h"
#include "api/library/primitives/rnn_op_desc.h"

namespace tandem {
namespace {

// What execute() writes: the results of forward; all that begins with diff_, except where it is the
// gradient that comes in, of backward.
ArgumentRole RoleOf(Tensor tensor, bool is_backward) {
  bool output;
  if (is_backward) {
    output = tensor >= kDiffSrcLayer && tensor < kDiffDstLayer;
  } else {
    output = tensor >= kDstLayer && tensor <= kDstIterC;
  }
  return output ? ArgumentRole::kOutput : ArgumentRole::kInput;
}

// The problem as a whole and who serves it.
std::vector<uint8_t> IdOf(const RnnProblem& problem, const std::string& impl_name) {
  IdBuilder id;
  id.Add(impl_name).Add(problem.cell).Add(problem.propagation).Add(problem.direction);
  id.Add(problem.activation).Add(problem.alpha).Add(problem.flags);
  for (const MemoryDesc& md : problem.md) id.Add(md);
  return id.Add(problem.attr).Build();
}

// A layout left open would be a mistake of the backend; nobody could allocate for it.
void CheckResolved(const RnnProblem& problem, const std::string& impl_name) {
  for (int i = 0; i < kNumTensors; ++i) {
    if (IsAny(problem.md[i])) {
      throw Error(dnnl_runtime_error,
                  impl_name + ": " + ToString(static_cast<Tensor>(i)) + ": is still `any`, but must have a layout");
    }
  }
}

}  // namespace

Ref<const PrimitiveDesc> RnnPrimitiveDesc::Create(const RnnProblem& requested, Candidates candidates,
                                                  Ref<tandem_engine> engine, Ref<tandem_primitive_attr> attr) {
  std::string why_not;
  Chosen<RnnPlan> chosen = ChooseRnn(requested, candidates, &why_not);
  if (chosen.plan == nullptr) {
    ThrowUnimplemented(std::string("no implementation serves this ") + ToString(requested.cell) + " " +
                       ToString(requested.propagation) + ": " + why_not);
  }
  candidates.first = chosen.index;
  return MakeRef<RnnPrimitiveDesc>(requested, candidates, std::move(chosen), std::move(engine), std::move(attr));
}

RnnPrimitiveDesc::RnnPrimitiveDesc(const RnnProblem& requested, Candidates candidates, Chosen<RnnPlan> chosen,
                                   Ref<tandem_engine> engine, Ref<tandem_primitive_attr> attr)
    : PrimitiveDesc(dnnl_rnn, std::move(engine), std::move(attr)),
      requested_(requested),
      candidates_(candidates),
      chosen_(std::move(chosen)),
      op_desc_(new dnnl_rnn_desc_t(ToOpDesc(requested))) {
  impl_name_ = chosen_.plan->name();
  CheckResolved(problem(), impl_name_);
  id_ = IdOf(problem(), impl_name_);
  for (int i = 0; i < kNumTensors; ++i) {
    const Tensor tensor = static_cast<Tensor>(i);
    if (!problem().Has(tensor)) continue;
    arguments_.Add({ExecArg(tensor), ToString(tensor), problem().md[tensor], RoleOf(tensor, problem().IsBackward()),
                    ArgumentUse::kTensor});
  }
  AddBuffers(chosen_.plan->workspace_bytes(), problem().IsBackward() ? ArgumentRole::kInput : ArgumentRole::kOutput,
             chosen_.plan->scratchpad_bytes());
}

Ref<const PrimitiveDesc> RnnPrimitiveDesc::Next() const {
  Candidates rest = candidates_;
  rest.first = chosen_.index + 1;
  std::string why_not;
  Chosen<RnnPlan> next = ChooseRnn(requested_, rest, &why_not);
  if (next.plan == nullptr) return {};
  return MakeRef<RnnPrimitiveDesc>(requested_, rest, std::move(next), engine(), attr());
}

void RnnPrimitiveDesc::Execute(void* const* pointers, void* scratchpad) const {
  RnnBuffers buffers;
  buffers.scratchpad = scratchpad;
  for (int i = 0; i < kNumTensors; ++i) {
    if (problem().Has(static_cast<Tensor>(i))) buffers.tensor[i] = *pointers++;
  }
  for (const Argument& argument : arguments_.all()) {
    if (argument.index == DNNL_ARG_WORKSPACE) buffers.workspace = *pointers++;
    if (argument.index == DNNL_ARG_SCRATCHPAD) buffers.scratchpad = *pointers++;
  }
  chosen_.plan->Execute(buffers);
}

int64_t RnnPrimitiveDesc::QueryInt(dnnl_query_t what) const {
  switch (static_cast<int>(what)) {
    case dnnl_query_prop_kind:
      return ToC(problem().propagation);
    case dnnl_query_cell_kind:
      return ToC(problem().cell);
    case dnnl_query_direction:
      return ToC(problem().direction);
    case dnnl_query_activation_kind:
      return HasActivation(problem().cell) ? ToC(problem().activation) : dnnl_alg_kind_undef;
    case dnnl_query_flags:
      return problem().flags;
    default:
      return PrimitiveDesc::QueryInt(what);
  }
}

float RnnPrimitiveDesc::QueryFloat(dnnl_query_t what) const {
  switch (static_cast<int>(what)) {
    case dnnl_query_alpha_f32:
      return problem().alpha;
    case dnnl_query_beta_f32:
      return problem().beta;
    default:
      return PrimitiveDesc::QueryFloat(what);
  }
}

const MemoryDesc& RnnPrimitiveDesc::TensorOf(dnnl_query_t group, int index) const {
  const bool is_diff =
      group == dnnl_query_diff_src_md || group == dnnl_query_diff_weights_md || group == dnnl_query_diff_dst_md;
  const auto at = [&](Tensor tensor) -> const MemoryDesc& { return problem().md[is_diff ? Diff(tensor) : tensor]; };
  const auto nth = [&](std::initializer_list<Tensor> list) -> const MemoryDesc& {
    return index >= 0 && index < static_cast<int>(list.size()) ? at(list.begin()[index]) : NoTensor();
  };
  switch (static_cast<int>(group)) {
    case dnnl_query_src_md:
    case dnnl_query_diff_src_md:
      return nth({kSrcLayer, kSrcIter, kSrcIterC, kAugruAttention});
    case dnnl_query_dst_md:
    case dnnl_query_diff_dst_md:
      return nth({kDstLayer, kDstIter, kDstIterC});
    default:
      break;
  }
  // Weights move up where an optional one is absent: clients find the bias at 2 in most cells.
  int position = 0;
  for (const Tensor tensor : {kWeightsLayer, kWeightsIter, kWeightsPeephole, kWeightsProjection, kBias}) {
    if (!IsZero(at(tensor)) && position++ == index) return at(tensor);
  }
  return NoTensor();
}

namespace {

const RnnPrimitiveDesc& HintOf(const_dnnl_primitive_desc_t hint_fwd_pd) {
  if (hint_fwd_pd == nullptr) ThrowInvalid("hint_fwd_pd: is empty, but backward needs the forward's descriptor");
  const PrimitiveDesc& content = ContentOf(hint_fwd_pd);
  const auto* hint = dynamic_cast<const RnnPrimitiveDesc*>(&content);
  if (hint == nullptr) {
    ThrowInvalid(std::string("hint_fwd_pd: is of ") + tandem_primitive_kind2str(content.kind()) +
                 ", but backward needs its forward's descriptor");
  }
  return *hint;
}

}  // namespace
}  // namespace tandem

using namespace tandem;

dnnl_status_t tandem_rnn_primitive_desc_create(dnnl_primitive_desc_t* pd, const dnnl_rnn_desc_t* desc,
                                               const_dnnl_primitive_attr_t attr, dnnl_engine_t engine,
                                               const_dnnl_primitive_desc_t hint_fwd_pd) {
  return Guard([&] {
    NotNull(engine, "primitive descriptor: engine");
    if (NotNull(desc, "operation descriptor").primitive_kind != dnnl_rnn) {
      ThrowUnimplemented(std::string("operation descriptor: is of ") + tandem_primitive_kind2str(desc->primitive_kind) +
                         ", but only rnn has one here");
    }
    auto attr_copy = CopyOf(attr);
    CheckAccumulationMode(*attr_copy);
    const RnnProblem problem = ToProblem(*desc, attr_copy->value);
    Candidates candidates;
    if (problem.IsBackward()) {
      const RnnPrimitiveDesc& hint = HintOf(hint_fwd_pd);
      CheckHint(problem, hint.requested());
      // A workspace is only understood by the implementation that filled it.
      candidates = {hint.implementation(), hint.implementation()};
    }
    Give(RnnPrimitiveDesc::Create(problem, candidates, Ref<tandem_engine>::Share(engine), std::move(attr_copy)), pd);
  });
}
