#include "api/library/primitives/rnn_primitive_desc.h"

#include <cstddef>
#include <initializer_list>
#include <utility>

#include "api/core/float_environment.h"
#include "api/core/names.h"
#include "api/core/rnn/sequence_lengths.h"
#include "api/core/rnn/step_walk.h"
#include "api/library/guard.h"
#include "api/library/primitives/id_builder.h"
#include "api/library/primitives/primitive_cache.h"
#include "api/library/primitives/rnn_hint.h"
#include "api/library/primitives/rnn_op_desc.h"
#include "api/library/primitives/verbose_line.h"

namespace tandem {
namespace {

// The problem as a whole and who serves it.
std::vector<uint8_t> IdOf(const RnnProblem& problem, const std::string& impl_name) {
  IdBuilder id;
  id.Add(impl_name).Add(problem.cell).Add(problem.propagation).Add(problem.direction);
  id.Add(problem.activation).Add(problem.alpha).Add(problem.beta).Add(problem.flags);
  for (const MemoryDesc& md : problem.md) id.Add(md);
  return id.Add(problem.attr).Build();
}

// True if `a` and `b` step equally from one minibatch row and from one channel to the next.
bool HaveEqualRows(const MemoryDesc& a, const MemoryDesc& b) {
  for (const int back : {1, 2}) {
    const int i = a.ndims - back, j = b.ndims - back;
    if (a.dims[i] > 1 && Strides(a)[i] != Strides(b)[j]) return false;
  }
  return true;
}

// A state of one layer may be step `step` of dst_layer if both are of one type and have equal rows: for clients that keep
// one h.
void AddStateInDstLayer(const RnnProblem& problem, Tensor state, Dim step, ArgumentList* arguments) {
  const MemoryDesc &layer = problem.md[kDstLayer], &iter = problem.md[state];
  if (!problem.Has(state) || TypeOf(layer) != TypeOf(iter) || !HaveEqualRows(iter, layer)) return;
  const auto elements_apart = [&](Dim d) {
    const Dim in_layer[] = {StepWalk(problem, d).Time(step), 0, d * problem.dic};
    const Dim in_iter[] = {0, d, 0, 0};
    return OffsetAt(layer, in_layer) - OffsetAt(iter, in_iter);
  };
  if (elements_apart(problem.n_dir - 1) != elements_apart(0)) return;
  const auto size = static_cast<Dim>(SizeOf(TypeOf(layer)));
  const auto distance = static_cast<ptrdiff_t>(elements_apart(0) * size);
  arguments->Add(Coincidence{DNNL_ARG_DST_LAYER, ExecArg(state), distance});
}

// A forward pass may overwrite these without a copy: both backends read states before they write them.
void AddCoincidences(const RnnProblem& problem, ArgumentList* arguments) {
  for (const auto& [src, dst] : {std::pair(kSrcIter, kDstIter), std::pair(kSrcIterC, kDstIterC)}) {
    if (!problem.Has(src) || !Equal(problem.md[src], problem.md[dst])) continue;
    arguments->Add(Coincidence{ExecArg(src), ExecArg(dst), 0});
  }
  // A row's last state is that of its own last step.
  const bool hidden = problem.n_layer > 1 || problem.direction == Direction::kBidirectionalSum;
  if (hidden || problem.Has(kSequenceLengths)) return;
  // dst_iter is written with the same values as the last step of dst_layer.
  AddStateInDstLayer(problem, kDstIter, problem.n_iter - 1, arguments);
  if (problem.n_iter == 1) AddStateInDstLayer(problem, kSrcIter, 0, arguments);
}

// A layout left open would be a mistake of the backend; nobody could allocate for it.
void CheckResolved(const RnnProblem& problem, const std::string& impl_name) {
  for (const Tensor tensor : kTensors) {
    // A client may have written `any` into a zero descriptor: the tensor is absent all the same.
    if (problem.Has(tensor) && IsAny(problem.md[tensor])) {
      throw Error(dnnl_runtime_error, impl_name + ": " + ToString(tensor) + ": is still `any`, but must have a layout");
    }
  }
}

}  // namespace

Ref<const PrimitiveDesc> RnnPrimitiveDesc::Create(const RnnProblem& requested, Candidates candidates,
                                                  Ref<tandem_primitive_attr> attr) {
  std::string why_not;
  Chosen<RnnPlan> chosen = ChooseRnn(requested, candidates, &why_not);
  if (chosen.plan == nullptr) {
    ThrowUnimplemented(std::string("no implementation serves this ") + ToString(requested.cell) + " " +
                       ToString(requested.propagation) + ": " + why_not);
  }
  candidates.first = chosen.index;
  return MakeRef<RnnPrimitiveDesc>(requested, candidates, std::move(chosen), std::move(attr));
}

RnnPrimitiveDesc::RnnPrimitiveDesc(const RnnProblem& requested, Candidates candidates, Chosen<RnnPlan> chosen,
                                   Ref<tandem_primitive_attr> attr)
    : PrimitiveDesc(dnnl_rnn, std::move(attr)),
      requested_(requested),
      candidates_(candidates),
      chosen_(std::move(chosen)),
      op_desc_(new dnnl_rnn_desc_t(ToOpDesc(requested))) {
  impl_name_ = chosen_.plan->name();
  CheckResolved(problem(), impl_name_);
  id_ = IdOf(problem(), impl_name_);
  for (const Tensor tensor : kTensors) {
    if (!problem().Has(tensor)) continue;
    tensors_.push_back(tensor);
    const ArgumentRole role = IsWritten(problem().propagation, tensor) ? ArgumentRole::kOutput : ArgumentRole::kInput;
    arguments_.Add({ExecArg(tensor), ToString(tensor), problem().md[tensor], role, ArgumentUse::kTensor});
  }
  if (!problem().IsBackward()) AddCoincidences(problem(), &arguments_);
  AddBuffers(chosen_.plan->workspace_bytes(), problem().IsBackward() ? ArgumentRole::kInput : ArgumentRole::kOutput,
             chosen_.plan->scratchpad_bytes());
}

Ref<const PrimitiveDesc> RnnPrimitiveDesc::Next() const {
  Candidates rest = candidates_;
  rest.first = chosen_.index + 1;
  std::string why_not;
  Chosen<RnnPlan> next = ChooseRnn(requested_, rest, &why_not);
  if (next.plan == nullptr) return {};
  return MakeRef<RnnPrimitiveDesc>(requested_, rest, std::move(next), attr());
}

void RnnPrimitiveDesc::Execute(void* const* pointers, void* scratchpad) const {
  RnnBuffers buffers;
  buffers.scratchpad = scratchpad;
  for (const Tensor tensor : tensors_) buffers.tensor[tensor] = *pointers++;
  // AddBuffers() adds them in this order.
  if (arguments_.Find(DNNL_ARG_WORKSPACE) != nullptr) buffers.workspace = *pointers++;
  if (arguments_.Find(DNNL_ARG_SCRATCHPAD) != nullptr) buffers.scratchpad = *pointers++;
  CheckSequenceLengths(problem(), buffers);
  chosen_.plan->Execute(buffers);
}

std::string RnnPrimitiveDesc::VerboseFields() const { return tandem::VerboseFields(requested_, problem()); }

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

CacheKey KeyOf(const dnnl_rnn_desc_t& desc, const tandem_primitive_attr& attr, const_dnnl_primitive_desc_t hint) {
  IdBuilder key;
  key.Add(dnnl_rnn).Add(hint == nullptr ? uint64_t{0} : ContentOf(hint).serial());
  Append(desc, &key);
  return key.Add(attr).Add(SettingsInForce()).Build();
}

Ref<const PrimitiveDesc> Make(const dnnl_rnn_desc_t& desc, const tandem_primitive_attr& attr,
                              const_dnnl_primitive_desc_t hint_fwd_pd) {
  const FloatEnvironment environment(Subnormals::kKept);  // for the model of the time, if the caller's has traps
  auto attr_copy = CopyOf(&attr);
  CheckAccumulationMode(attr);
  const RnnProblem problem = ToProblem(desc, attr.value);
  Candidates candidates;
  if (problem.IsBackward()) {
    const RnnPrimitiveDesc& hint = HintOf(hint_fwd_pd);
    CheckHint(problem, hint.requested());
    // A workspace is only understood by the implementation that filled it.
    candidates = {hint.implementation(), hint.implementation()};
  }
  return RnnPrimitiveDesc::Create(problem, candidates, std::move(attr_copy));
}

Ref<const PrimitiveDesc> Find(const dnnl_rnn_desc_t& desc, const tandem_primitive_attr& attr,
                              const_dnnl_primitive_desc_t hint) {
  return FromCache([&] { return KeyOf(desc, attr, hint); }, [&] { return Make(desc, attr, hint); });
}

}  // namespace
}  // namespace tandem

using namespace tandem;

dnnl_status_t tandem_rnn_primitive_desc_create(dnnl_primitive_desc_t* pd, const dnnl_rnn_desc_t* desc,
                                               const_dnnl_primitive_attr_t attr, dnnl_engine_t engine,
                                               const_dnnl_primitive_desc_t hint_fwd_pd) {
  constexpr size_t kSizeOfRelease1 = offsetof(dnnl_rnn_desc_t, diff_dst_iter_c_desc) + sizeof(dnnl_memory_desc);
  return tandem_rnn_primitive_desc_create_sized(pd, desc, kSizeOfRelease1, attr, engine, hint_fwd_pd);
}

dnnl_status_t tandem_rnn_primitive_desc_create_sized(dnnl_primitive_desc_t* pd, const dnnl_rnn_desc_t* desc,
                                                     size_t size, const_dnnl_primitive_attr_t attr,
                                                     dnnl_engine_t engine, const_dnnl_primitive_desc_t hint_fwd_pd) {
  return Guard("rnn", [&] {
    NotNull(engine, "primitive descriptor: engine");
    if (NotNull(desc, "operation descriptor").primitive_kind != dnnl_rnn) {
      ThrowUnimplemented("operation descriptor: is of " +
                         NameOrNumber(tandem_primitive_kind2str(desc->primitive_kind), desc->primitive_kind) +
                         ", but only rnn has one here");
    }
    const Ref<tandem_primitive_attr> defaults = attr == nullptr ? CopyOf(nullptr) : Ref<tandem_primitive_attr>();
    const tandem_primitive_attr& its_attr = attr == nullptr ? *defaults : *attr;
    Give(size == sizeof *desc ? Find(*desc, its_attr, hint_fwd_pd) : Find(CopyOf(*desc, size), its_attr, hint_fwd_pd),
         Ref<tandem_engine>::Share(engine), pd);
  });
}
