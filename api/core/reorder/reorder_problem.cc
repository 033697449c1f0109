#include "api/core/reorder/reorder_problem.h"

#include <algorithm>
#include <limits>

#include "api/core/error.h"
#include "api/core/float16.h"
#include "api/core/memory/memory_desc_checks.h"
#include "api/core/reorder/reorder_attributes.h"

namespace tandem {
namespace {

// Placeholders of the v2 generation for "comes with execute()": DNNL_RUNTIME_F32_VAL and DNNL_RUNTIME_S32_VAL.
bool IsRuntime(float value) { return BitsOf(value) == 0x7fc000d0u; }
bool IsRuntime(int32_t value) { return value == std::numeric_limits<int32_t>::min(); }

template <class T>
ReorderParameter<T> FromValues(int mask, const std::vector<T>& values) {
  if (values.size() == 1 && IsRuntime(values[0])) return {ParameterSource::kExecution, mask, nullptr};
  return {ParameterSource::kCreation, mask, values.data()};
}

void CheckTensor(const MemoryDesc& md, const char* name) {
  CheckWellFormed(md, name);
  if (IsZero(md)) ThrowInvalid(std::string(name) + ": is a zero descriptor, but a reorder needs 1 dim or more");
  if (IsAny(md)) {
    ThrowInvalid(std::string(name) + ": " + DimsToString(md) +
                 " has the layout `any`, but a reorder needs a known one");
  }
  if (HasRuntimeValues(md)) {
    ThrowUnimplemented(std::string(name) + ": " + DimsToString(md) + " has runtime values, but they must be known");
  }
}

void CheckSameDims(const MemoryDesc& src, const MemoryDesc& dst) {
  if (src.ndims == dst.ndims && std::equal(src.dims, src.dims + src.ndims, dst.dims)) return;
  ThrowInvalid("dst: has dims " + DimsToString(dst) + ", but src has " + DimsToString(src));
}

}  // namespace

RnnQparams RnnQparamsOf(const ReorderProblem& problem) {
  const DataType src = TypeOf(problem.src), dst = TypeOf(problem.dst);
  const bool quantizes = IsFloating(src) && IsByte(dst);
  if (!quantizes && !(IsByte(src) && IsFloating(dst))) return RnnQparams::kNone;
  const bool s8 = (quantizes ? dst : src) == DataType::kS8;
  const int rank = problem.src.ndims;
  if (rank == 5 && s8 && !problem.attr.rnn_weights.IsDefault()) return RnnQparams::kWeights;
  const ScaleVector& projection = problem.attr.rnn_weights_projection;
  if (rank == 4 && s8 && (projection.given || !projection.IsDefault())) return RnnQparams::kProjection;
  const bool data = problem.attr.rnn_data_scale != 1.f || problem.attr.rnn_data_shift != 0.f;
  const bool opaque = IsOpaque(problem.src) || IsOpaque(problem.dst);
  return data && !opaque && (rank == 3 || rank == 4) ? RnnQparams::kData : RnnQparams::kNone;
}

ReorderParameter<float> ScalesOf(const Attributes& attr, int arg) {
  const auto mask = attr.scale_masks.find(arg);
  if (mask != attr.scale_masks.end()) return {ParameterSource::kExecution, mask->second, nullptr};
  const auto found = attr.scales.find(arg);
  if (found == attr.scales.end() || found->second.IsDefault()) return {};
  return FromValues(found->second.mask, found->second.values);
}

ReorderParameter<int32_t> ZeroPointsOf(const Attributes& attr, int arg) {
  const auto mask = attr.zero_point_masks.find(arg);
  if (mask != attr.zero_point_masks.end()) return {ParameterSource::kExecution, mask->second, nullptr};
  const auto found = attr.zero_points.find(arg);
  if (found == attr.zero_points.end()) return {};
  return FromValues(found->second.first, found->second.second);
}

Dim MaskedCount(const MemoryDesc& md, int mask) {
  Dim count = 1;
  for (int d = 0; d < md.ndims; ++d) {
    if (mask >> d & 1) count *= md.dims[d];
  }
  return count;
}

void Validate(const ReorderProblem& problem) {
  CheckTensor(problem.src, "src");
  CheckTensor(problem.dst, "dst");
  CheckSameDims(problem.src, problem.dst);
  if (HasBroadcast(problem.dst)) {
    ThrowInvalid("dst: a dim of " + DimsToString(problem.dst) +
                 " has stride 0, but two elements of an output cannot share a place");
  }
  CheckReorderAttributes(problem);
}

}  // namespace tandem
