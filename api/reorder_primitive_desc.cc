// The primitive descriptor of a reorder.
#include "api/guard.h"
#include "api/primitive_desc.h"
#include "api/reorder_problem.h"

namespace tandem {
namespace {

class ReorderPrimitiveDesc final : public tandem_primitive_desc {
 public:
  ReorderPrimitiveDesc(const ReorderProblem& requested, Candidates candidates, Chosen<ReorderPlan> chosen,
                       Ref<tandem_engine> engine, Ref<tandem_primitive_attr> attr);

  Ref<tandem_primitive_desc> Next() const override;
  void Execute(void* const* pointers, void* scratchpad) const override;

  static Ref<tandem_primitive_desc> Create(const ReorderProblem& requested, Candidates candidates,
                                           const Ref<tandem_engine>& engine, const Ref<tandem_primitive_attr>& attr,
                                           std::string* why_not);

 private:
  MemoryDesc TensorOf(dnnl_query_t group, int index) const override {
    if (index != 0) return MemoryDesc();
    if (group == dnnl_query_src_md) return requested_.src;
    return group == dnnl_query_dst_md ? requested_.dst : MemoryDesc();
  }
  // Values that come with execute().
  void AddQuantization(const QuantizationArgument& argument, int kind, const char* name, DataType type);

  // The plan has a copy; this one owns the values given at creation.
  const ReorderProblem requested_;
  const Candidates candidates_;
  const Chosen<ReorderPlan> chosen_;
};

std::vector<uint8_t> IdOf(const ReorderProblem& problem, const std::string& impl_name) {
  return IdBuilder().Add(impl_name).Add(problem.src).Add(problem.dst).Add(problem.attr).Build();
}

ReorderPrimitiveDesc::ReorderPrimitiveDesc(const ReorderProblem& requested, Candidates candidates,
                                           Chosen<ReorderPlan> chosen, Ref<tandem_engine> engine,
                                           Ref<tandem_primitive_attr> attr)
    : tandem_primitive_desc(dnnl_reorder, std::move(engine), std::move(attr)),
      requested_(requested),
      candidates_(candidates),
      chosen_(std::move(chosen)) {
  impl_name_ = chosen_.plan->name();
  id_ = IdOf(requested_, impl_name_);
  arguments_.Add({DNNL_ARG_SRC, "src", requested_.src, ArgumentRole::kInput, ArgumentMatch::kEqual});
  arguments_.Add({DNNL_ARG_DST, "dst", requested_.dst, ArgumentRole::kOutput, ArgumentMatch::kEqual});
  AddBuffers(0, ArgumentRole::kInput, chosen_.plan->scratchpad_bytes());
  AddQuantization(ScalesOf(requested_, DNNL_ARG_SRC), DNNL_ARG_ATTR_SCALES, "src scales", DataType::kF32);
  AddQuantization(ScalesOf(requested_, DNNL_ARG_DST), DNNL_ARG_ATTR_SCALES, "dst scales", DataType::kF32);
  AddQuantization(ZeroPointsOf(requested_, DNNL_ARG_SRC), DNNL_ARG_ATTR_ZERO_POINTS, "src zero points", DataType::kS32);
  AddQuantization(ZeroPointsOf(requested_, DNNL_ARG_DST), DNNL_ARG_ATTR_ZERO_POINTS, "dst zero points", DataType::kS32);
}

void ReorderPrimitiveDesc::AddQuantization(const QuantizationArgument& argument, int kind, const char* name,
                                           DataType type) {
  if (argument.count == 0 || argument.at_creation != nullptr) return;
  arguments_.Add(
      {kind | argument.arg, name, MakeDense({argument.count}, type), ArgumentRole::kInput, ArgumentMatch::kValues});
}

void ReorderPrimitiveDesc::Execute(void* const* pointers, void* scratchpad) const {
  ReorderBuffers buffers;
  buffers.src = *pointers++;
  buffers.dst = *pointers++;
  const bool user_buffer = arguments_.Find(DNNL_ARG_SCRATCHPAD) != nullptr;
  buffers.scratchpad = user_buffer ? *pointers++ : scratchpad;
  // In the order in which the constructor added them.
  const auto next = [&pointers](const QuantizationArgument& argument) -> const void* {
    if (argument.count == 0) return nullptr;
    return argument.at_creation != nullptr ? argument.at_creation : *pointers++;
  };
  buffers.src_scales = static_cast<const float*>(next(ScalesOf(requested_, DNNL_ARG_SRC)));
  buffers.dst_scales = static_cast<const float*>(next(ScalesOf(requested_, DNNL_ARG_DST)));
  buffers.src_zero_points = static_cast<const int32_t*>(next(ZeroPointsOf(requested_, DNNL_ARG_SRC)));
  buffers.dst_zero_points = static_cast<const int32_t*>(next(ZeroPointsOf(requested_, DNNL_ARG_DST)));
  chosen_.plan->Execute(buffers);
}

Ref<tandem_primitive_desc> ReorderPrimitiveDesc::Create(const ReorderProblem& requested, Candidates candidates,
                                                        const Ref<tandem_engine>& engine,
                                                        const Ref<tandem_primitive_attr>& attr, std::string* why_not) {
  Chosen<ReorderPlan> chosen = ChooseReorder(requested, candidates, why_not);
  if (chosen.plan == nullptr) return {};
  auto pd = MakeRef<ReorderPrimitiveDesc>(requested, candidates, std::move(chosen), engine, attr);
  return Ref<tandem_primitive_desc>::Adopt(pd.Detach());
}

Ref<tandem_primitive_desc> ReorderPrimitiveDesc::Next() const {
  Candidates rest = candidates_;
  rest.first = chosen_.index + 1;
  std::string why_not;
  return Create(requested_, rest, engine(), attr(), &why_not);
}

}  // namespace
}  // namespace tandem

using namespace tandem;

dnnl_status_t tandem_reorder_primitive_desc_create(dnnl_primitive_desc_t* pd, const dnnl_memory_desc* src,
                                                   dnnl_engine_t src_engine, const dnnl_memory_desc* dst,
                                                   dnnl_engine_t dst_engine, const_dnnl_primitive_attr_t attr) {
  return Guard([&] {
    NotNull(src_engine, "reorder: src engine");
    NotNull(dst_engine, "reorder: dst engine");
    auto attr_copy = CopyOf(attr);
    CheckAccumulationMode(*attr_copy);
    ReorderProblem problem{*src, *dst, attr_copy->value};
    NormalizeAndCheck(&problem);
    std::string why_not;
    auto result =
        ReorderPrimitiveDesc::Create(problem, Candidates(), Ref<tandem_engine>::Share(src_engine), attr_copy, &why_not);
    if (!result) {
      ThrowUnimplemented("no implementation serves the reorder from " + Describe(*src) + " to " + Describe(*dst) +
                         ": " + why_not);
    }
    Give(std::move(result), pd);
  });
}
