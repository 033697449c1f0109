// The primitive descriptor of a reorder.
#include <type_traits>

#include "api/core/reorder/reorder_problem.h"
#include "api/library/guard.h"
#include "api/library/primitives/id_builder.h"
#include "api/library/primitives/primitive_cache.h"
#include "api/library/primitives/primitive_desc.h"
#include "api/library/primitives/verbose_line.h"

namespace tandem {
namespace {

const MemoryDesc& ReorderTensor(const ReorderProblem& problem, dnnl_query_t group, int index) {
  if (index != 0) return NoTensor();
  if (group == dnnl_query_src_md) return problem.src;
  return group == dnnl_query_dst_md ? problem.dst : NoTensor();
}

class ReorderPrimitiveDesc final : public PrimitiveDesc {
 public:
  ReorderPrimitiveDesc(const ReorderProblem& requested, Candidates candidates, Chosen<ReorderPlan> chosen,
                       Ref<tandem_primitive_attr> attr);

  Ref<const PrimitiveDesc> Next() const override;
  void Execute(void* const* pointers, void* scratchpad) const override;
  std::string VerboseFields() const override { return tandem::VerboseFields(requested_); }

  static Ref<const PrimitiveDesc> Create(const ReorderProblem& requested, Candidates candidates,
                                         const Ref<tandem_primitive_attr>& attr, std::string* why_not);

 private:
  const MemoryDesc& TensorOf(dnnl_query_t group, int index) const override {
    return ReorderTensor(requested_, group, index);
  }
  // Arguments for those parameters whose values come with execute(). `kind`: DNNL_ARG_ATTR_SCALES or _ZERO_POINTS.
  template <class T>
  void AddQuantization(int kind, const ReorderParameter<T>& src, const char* src_name, const ReorderParameter<T>& dst,
                       const char* dst_name);

  const ReorderProblem requested_;
  const Candidates candidates_;
  const Chosen<ReorderPlan> chosen_;
};

std::vector<uint8_t> IdOf(const ReorderProblem& problem, const std::string& impl_name) {
  return IdBuilder().Add(impl_name).Add(problem.src).Add(problem.dst).Add(problem.attr).Build();
}

ReorderPrimitiveDesc::ReorderPrimitiveDesc(const ReorderProblem& requested, Candidates candidates,
                                           Chosen<ReorderPlan> chosen, Ref<tandem_primitive_attr> attr)
    : PrimitiveDesc(dnnl_reorder, std::move(attr)),
      requested_(requested),
      candidates_(candidates),
      chosen_(std::move(chosen)) {
  impl_name_ = chosen_.plan->name();
  id_ = IdOf(requested_, impl_name_);
  arguments_.Add({DNNL_ARG_SRC, "src", requested_.src, ArgumentRole::kInput, ArgumentUse::kTensor});
  arguments_.Add({DNNL_ARG_DST, "dst", requested_.dst, ArgumentRole::kOutput, ArgumentUse::kTensor});
  AddBuffers(0, ArgumentRole::kInput, chosen_.plan->scratchpad_bytes());
  const Attributes& its_attr = requested_.attr;
  AddQuantization(DNNL_ARG_ATTR_SCALES, ScalesOf(its_attr, DNNL_ARG_SRC), "src scales",
                  ScalesOf(its_attr, DNNL_ARG_DST), "dst scales");
  AddQuantization(DNNL_ARG_ATTR_ZERO_POINTS, ZeroPointsOf(its_attr, DNNL_ARG_SRC), "src zero points",
                  ZeroPointsOf(its_attr, DNNL_ARG_DST), "dst zero points");
}

template <class T>
void ReorderPrimitiveDesc::AddQuantization(int kind, const ReorderParameter<T>& src, const char* src_name,
                                           const ReorderParameter<T>& dst, const char* dst_name) {
  const DataType type = std::is_same<T, float>::value ? DataType::kF32 : DataType::kS32;
  const auto add = [&](const ReorderParameter<T>& parameter, int arg, const char* name) {
    if (parameter.source != ParameterSource::kExecution) return false;
    const MemoryDesc& md = arg == DNNL_ARG_SRC ? requested_.src : requested_.dst;
    arguments_.Add({kind | arg, name, MakeDense({MaskedCount(md, parameter.mask)}, type), ArgumentRole::kInput,
                    ArgumentUse::kTensor});
    return true;
  };
  const bool has_src = add(src, DNNL_ARG_SRC, src_name), has_dst = add(dst, DNNL_ARG_DST, dst_name);
  // The specification names the index without a tensor, which is clear where one tensor only has parameters.
  if (has_src != has_dst) arguments_.AddAlias(kind, kind | (has_src ? DNNL_ARG_SRC : DNNL_ARG_DST));
}

void ReorderPrimitiveDesc::Execute(void* const* pointers, void* scratchpad) const {
  ReorderBuffers buffers;
  buffers.scratchpad = scratchpad;
  for (const Argument& argument : arguments_.all()) {
    void* data = *pointers++;
    switch (argument.index) {
      case DNNL_ARG_SRC:
        buffers.src = data;
        break;
      case DNNL_ARG_DST:
        buffers.dst = data;
        break;
      case DNNL_ARG_SCRATCHPAD:
        buffers.scratchpad = data;
        break;
      case DNNL_ARG_ATTR_SCALES | DNNL_ARG_SRC:
        buffers.src_scales = static_cast<const float*>(data);
        break;
      case DNNL_ARG_ATTR_SCALES | DNNL_ARG_DST:
        buffers.dst_scales = static_cast<const float*>(data);
        break;
      case DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_SRC:
        buffers.src_zero_points = static_cast<const int32_t*>(data);
        break;
      case DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_DST:
        buffers.dst_zero_points = static_cast<const int32_t*>(data);
        break;
    }
  }
  chosen_.plan->Execute(buffers);
}

Ref<const PrimitiveDesc> ReorderPrimitiveDesc::Create(const ReorderProblem& requested, Candidates candidates,
                                                      const Ref<tandem_primitive_attr>& attr, std::string* why_not) {
  Chosen<ReorderPlan> chosen = ChooseReorder(requested, candidates, why_not);
  if (chosen.plan == nullptr) return {};
  return MakeRef<ReorderPrimitiveDesc>(requested, candidates, std::move(chosen), attr);
}

Ref<const PrimitiveDesc> ReorderPrimitiveDesc::Next() const {
  Candidates rest = candidates_;
  rest.first = chosen_.index + 1;
  std::string why_not;
  return Create(requested_, rest, attr(), &why_not);
}

Ref<const PrimitiveDesc> Make(const ReorderProblem& problem, const tandem_primitive_attr& attr) {
  CheckAccumulationMode(attr);
  Validate(problem);
  std::string why_not;
  auto result = ReorderPrimitiveDesc::Create(problem, Candidates(), CopyOf(&attr), &why_not);
  if (!result) {
    ThrowUnimplemented("no implementation serves the reorder from " + Describe(problem.src) + " to " +
                       Describe(problem.dst) + ": " + why_not);
  }
  return result;
}

// Throws as Validate() does, and unimplemented if no implementation serves it.
Ref<const PrimitiveDesc> Find(const MemoryDesc& src, const MemoryDesc& dst, const tandem_primitive_attr& attr) {
  const auto key = [&] {
    return IdBuilder().Add(dnnl_reorder).Add(src).Add(dst).Add(attr).Add(SettingsInForce()).Build();
  };
  return FromCache(key, [&] { return Make({src, dst, attr.value}, attr); });
}

// A reorder whose dims or strides come with execute(): those of the memories that it is given.
class RuntimeReorderPrimitiveDesc final : public PrimitiveDesc {
 public:
  RuntimeReorderPrimitiveDesc(const ReorderProblem& requested, Ref<tandem_primitive_attr> attr);

  Ref<const PrimitiveDesc> Next() const override { return {}; }
  Ref<const PrimitiveDesc> AtExecution(int nargs, const dnnl_exec_arg_t* args) const override;
  void Execute(void* const*, void*) const override {}  // AtExecution() gives another one that does
  std::string VerboseFields() const override { return tandem::VerboseFields(requested_); }

 private:
  const MemoryDesc& TensorOf(dnnl_query_t group, int index) const override {
    return ReorderTensor(requested_, group, index);
  }

  const ReorderProblem requested_;
};

// Throws unless `md` can be one side of such a reorder.
void CheckLeftOpen(const MemoryDesc& md, const char* name) {
  CheckWellFormed(md, name);
  if (IsPlain(md)) return;
  ThrowUnimplemented(std::string(name) + ": is " + Describe(md) +
                     ", but a reorder with runtime values needs plain layouts on both sides");
}

// Throws invalid_arguments if `actual` is not what `requested` says as far as it says something.
void CheckAgrees(const MemoryDesc& requested, const MemoryDesc& actual, const char* name) {
  const auto agree = [](Dim wanted, Dim given) { return wanted == DNNL_RUNTIME_DIM_VAL || wanted == given; };
  bool same = requested.ndims == actual.ndims && requested.data_type == actual.data_type &&
              requested.format_kind == actual.format_kind;
  for (int d = 0; same && d < requested.ndims; ++d) {
    same = agree(requested.dims[d], actual.dims[d]);
    if (IsPlain(requested) && actual.dims[d] > 1) same = same && agree(Strides(requested)[d], Strides(actual)[d]);
  }
  if (same) return;
  ThrowInvalid(std::string("execute: ") + name + ": the memory is " + Describe(actual) +
               ", but the primitive descriptor has " + Describe(requested));
}

RuntimeReorderPrimitiveDesc::RuntimeReorderPrimitiveDesc(const ReorderProblem& requested,
                                                         Ref<tandem_primitive_attr> attr)
    : PrimitiveDesc(dnnl_reorder, std::move(attr)), requested_(requested) {
  impl_name_ = "runtime";
  id_ = IdOf(requested_, impl_name_);
  arguments_.Add({DNNL_ARG_SRC, "src", requested_.src, ArgumentRole::kInput, ArgumentUse::kTensor});
  arguments_.Add({DNNL_ARG_DST, "dst", requested_.dst, ArgumentRole::kOutput, ArgumentUse::kTensor});
}

Ref<const PrimitiveDesc> RuntimeReorderPrimitiveDesc::AtExecution(int nargs, const dnnl_exec_arg_t* args) const {
  MemoryDesc src = {}, dst = {};
  for (int i = 0; i < nargs; ++i) {
    const bool is_src = args[i].arg == DNNL_ARG_SRC;
    if ((!is_src && args[i].arg != DNNL_ARG_DST) || args[i].memory == nullptr) continue;
    CheckAgrees(is_src ? requested_.src : requested_.dst, args[i].memory->md, is_src ? "src" : "dst");
    (is_src ? src : dst) = args[i].memory->md;
  }
  if (IsZero(src) || IsZero(dst)) {
    ThrowInvalid(std::string("execute: ") + (IsZero(src) ? "src" : "dst") +
                 " is missing, but the primitive descriptor leaves its dims to it");
  }
  return Find(src, dst, *attr());
}

}  // namespace
}  // namespace tandem

using namespace tandem;

dnnl_status_t tandem_reorder_primitive_desc_create(dnnl_primitive_desc_t* pd, const dnnl_memory_desc* src,
                                                   dnnl_engine_t src_engine, const dnnl_memory_desc* dst,
                                                   dnnl_engine_t dst_engine, const_dnnl_primitive_attr_t attr) {
  return Guard("reorder", [&] {
    NotNull(src_engine, "reorder: src engine");
    NotNull(dst_engine, "reorder: dst engine");
    const Ref<tandem_primitive_attr> defaults = attr == nullptr ? CopyOf(nullptr) : Ref<tandem_primitive_attr>();
    const tandem_primitive_attr& its_attr = attr == nullptr ? *defaults : *attr;
    NotNull(src, "reorder: src");
    NotNull(dst, "reorder: dst");
    Ref<const PrimitiveDesc> content;
    if (HasRuntimeValues(*src) || HasRuntimeValues(*dst)) {
      CheckAccumulationMode(its_attr);
      CheckLeftOpen(*src, "src");
      CheckLeftOpen(*dst, "dst");
      content = MakeRef<RuntimeReorderPrimitiveDesc>(ReorderProblem{*src, *dst, its_attr.value}, CopyOf(&its_attr));
    } else {
      content = Find(*src, *dst, its_attr);
    }
    Give(std::move(content), Ref<tandem_engine>::Share(src_engine), pd);
  });
}
