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

bool IsSet(const ScaleVector& scales) { return scales.given || !scales.IsDefault(); }
bool HasDataQparams(const Attributes& attr) { return attr.rnn_data_scale != 1.f || attr.rnn_data_shift != 0.f; }

// True if the input channels of a plain 4-D tensor are innermost: no state is stored so. Dims of 1 have no order, so that only
// the bit kChosenForWeights tells a projection of or to one channel from a state.
bool IsLdoi(const MemoryDesc& md) { return md.dims[2] > 1 && md.dims[3] > 1 && Strides(md)[2] < Strides(md)[3]; }

// Returns the parameters of plain 4-D s8 that may be a state or projection weights, if the scales of the latter are set. If they
// are all that is set, they are meant; the whole attributes of an LSTM do not tell.
RnnQparams OfLdncOrLdio(const Attributes& attr) {
  return HasDataQparams(attr) || IsSet(attr.rnn_weights) ? RnnQparams::kUnclear : RnnQparams::kProjection;
}

// To oneDNN 2.6.3 and 3.13.1 it is a state, even if nothing but the projection's scales is set. What is ldoi on the other
// side they refuse, and the reverse they do not have.
RnnQparams OfLdncOrLdioAsOnednn(const Attributes& attr, const MemoryDesc& real) {
  if (IsLdoi(real)) return RnnQparams::kUnclear;
  return HasDataQparams(attr) ? RnnQparams::kData : RnnQparams::kNone;
}

}  // namespace

RnnQparams RnnQparamsOf(const ReorderProblem& problem) {
  const DataType src = TypeOf(problem.src), dst = TypeOf(problem.dst);
  const bool quantizes = IsFloating(src) && IsByte(dst);
  if (!quantizes && !(IsByte(src) && IsFloating(dst))) return RnnQparams::kNone;
  const Attributes& attr = problem.attr;
  const MemoryDesc &bytes = quantizes ? problem.dst : problem.src, &real = quantizes ? problem.src : problem.dst;
  const bool s8 = TypeOf(bytes) == DataType::kS8, opaque = IsOpaque(problem.src) || IsOpaque(problem.dst);
  const bool chosen = opaque || (bytes.extra.flags & kChosenForWeights) != 0;
  const int rank = problem.src.ndims;
  if (rank == 5 && s8 && !attr.rnn_weights.IsDefault()) return RnnQparams::kWeights;
  if (rank == 4 && s8 && IsSet(attr.rnn_weights_projection)) {
    if (chosen || IsLdoi(bytes)) return RnnQparams::kProjection;
    return attr.reading == Reading::kOnednn ? OfLdncOrLdioAsOnednn(attr, real) : OfLdncOrLdio(attr);
  }
  return HasDataQparams(attr) && !chosen && (rank == 3 || rank == 4) ? RnnQparams::kData : RnnQparams::kNone;
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
