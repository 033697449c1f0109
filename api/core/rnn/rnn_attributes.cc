#include <algorithm>
#include <cmath>
#include <string>

#include "api/core/attributes/quantization.h"
#include "api/core/error.h"
#include "api/core/float16.h"
#include "api/core/float_environment.h"
#include "api/core/names.h"
#include "api/core/rnn/rnn_checks.h"
#include "api/core/text/text.h"

namespace tandem {
namespace {

// Bits of DNNL_RUNTIME_F32_VAL, "the value comes at execution". RNN needs its parameters at creation.
constexpr uint32_t kRuntimeF32Bits = 0x7fc000d0u;

bool IsOne(float value) { return value == 1.f; }
bool IsNeutral(const ScaleVector& scales) { return std::all_of(scales.values.begin(), scales.values.end(), IsOne); }

// DNNL_RUNTIME_F32_VAL is a NaN and is rejected; so are subnormals, which FTZ reads as 0.
bool IsScale(float scale) { return std::isnormal(scale); }

void CheckScale(float scale, const std::string& name) {
  if (BitsOf(scale) == kRuntimeF32Bits)
    ThrowUnimplemented(name + ": is a runtime value, but must be known at creation");
  if (!IsScale(scale)) {
    ThrowInvalid(name + ": is " + NumberText(scale) + ", but must be finite and not 0 or subnormal");
  }
}

void CheckValues(const ScaleVector& scales, const std::string& name) {
  for (size_t i = 0; i < scales.values.size(); ++i) {
    // The name is made for bad scales only: for 4096 good ones it would take most of the time of a creation.
    if (!IsScale(scales.values[i])) CheckScale(scales.values[i], name + ": scale " + std::to_string(i));
  }
}

// One scale, or one for each of the `count` outputs that `full_mask` selects.
void CheckScaleVector(const ScaleVector& scales, const std::string& name, int full_mask, Dim count) {
  if (scales.mask != 0 && scales.mask != full_mask) {
    ThrowUnimplemented(name + ": mask is " + MaskText(scales.mask) + ", but must be 0 or " + MaskText(full_mask));
  }
  const Dim needed = scales.mask == 0 ? 1 : count;
  if (static_cast<Dim>(scales.values.size()) != needed) {
    ThrowInvalid(name + ": has " + std::to_string(scales.values.size()) + " scales, but mask " + MaskText(scales.mask) +
                 " needs " + std::to_string(needed));
  }
  CheckValues(scales, name);
}

// Clients of oneDNN pass the byte of 0.0 as shift. In reading kSpec that byte is scale * shift: theirs would saturate
// every state, and no result would tell.
void CheckByteOfZero(const Attributes& attr, DataType type) {
  if (attr.reading != Reading::kSpec) return;
  const FloatEnvironment environment(Subnormals::kKept);
  const float lowest = type == DataType::kU8 ? 0.f : -128.f, highest = type == DataType::kU8 ? 255.f : 127.f;
  const float byte = std::nearbyint(ZeroImage(DataQparamsOf(attr)));
  if (byte >= lowest && byte <= highest) return;
  ThrowInvalid("rnn_data_qparams: scale is " + NumberText(attr.rnn_data_scale) + " and shift " +
               NumberText(attr.rnn_data_shift) +
               ": in reading spec, byte = round(scale * (x + shift)), the byte of 0.0 is " + NumberText(byte) +
               ", but must lie in [" + NumberText(lowest) + ", " + NumberText(highest) +
               "]. If byte = round(scale * x + shift) is meant, choose reading onednn: dnnl::set_default_reading(), "
               "TANDEM_READING=onednn, or a library from `tandem install --reading=onednn`");
}

void CheckDataQparams(const RnnProblem& problem) {
  const Attributes& attr = problem.attr;
  CheckScale(attr.rnn_data_scale, "rnn_data_qparams: scale");
  if (BitsOf(attr.rnn_data_shift) == kRuntimeF32Bits) {
    ThrowUnimplemented("rnn_data_qparams: shift: is a runtime value, but must be known at creation");
  }
  if (!std::isfinite(attr.rnn_data_shift)) {
    ThrowInvalid("rnn_data_qparams: shift is " + NumberText(attr.rnn_data_shift) + ", but must be finite");
  }
  if (problem.SrcType() == DataType::kS8 && attr.rnn_data_shift != 0.f) {
    ThrowUnimplemented("rnn_data_qparams: shift is " + NumberText(attr.rnn_data_shift) +
                       ", but must be 0 with src_layer in s8");
  }
  CheckByteOfZero(attr, problem.SrcType());
}

void CheckWeightsQparams(const RnnProblem& problem) {
  const Attributes& attr = problem.attr;
  CheckScaleVector(attr.rnn_weights, "rnn_weights_qparams", 1 << 3 | 1 << 4, problem.n_gates * problem.dhc);
  // One attribute object may serve many primitives, so parameters of an absent projection have no effect.
  if (problem.HasProjection()) {
    CheckScaleVector(attr.rnn_weights_projection, "rnn_weights_projection_qparams", 1 << 3, problem.dic);
  }
}

void RefuseDataQparams(const RnnProblem& problem) {
  const Attributes& attr = problem.attr;
  if (!IsOne(attr.rnn_data_scale) || attr.rnn_data_shift != 0.f) {
    ThrowUnimplemented("rnn_data_qparams: scale is " + NumberText(attr.rnn_data_scale) + " and shift " +
                       NumberText(attr.rnn_data_shift) + ", but src_layer is " + ToString(problem.SrcType()) +
                       ", and only u8 and s8 are quantized");
  }
}

void RefuseWeightsQparams(const RnnProblem& problem) {
  const Attributes& attr = problem.attr;
  const std::string why =
      std::string("but the weights are ") + ToString(TypeOf(problem.md[kWeightsLayer])) + ", and only s8 are quantized";
  if (!IsNeutral(attr.rnn_weights)) ThrowUnimplemented("rnn_weights_qparams: are set, " + why);
  if (!IsNeutral(attr.rnn_weights_projection)) {
    ThrowUnimplemented("rnn_weights_projection_qparams: are set, " + why);
  }
}

void CheckDynamicQuantization(const RnnProblem& problem) {
  const DataType data = problem.SrcType(), weights = TypeOf(problem.md[kWeightsLayer]);
  if (!problem.IsDynamic() || (data == DataType::kF32 && weights == DataType::kS8)) return;
  ThrowUnimplemented(std::string("rnn_dynamic_quantization: is set, but src_layer is ") + ToString(data) +
                     " and the weights are " + ToString(weights) + ": it takes f32 and s8");
}

// Attributes that other primitives have and RNN does not.
void RefuseForeign(const Attributes& attr) {
  if (!attr.post_ops.empty()) {
    ThrowUnimplemented("post_ops: has " + std::to_string(attr.post_ops.size()) + " entries, but RNN takes 0");
  }
  if (!attr.scale_masks.empty()) {
    ThrowUnimplemented("scales: set for argument " + ArgumentName(attr.scale_masks.begin()->first) +
                       ", but RNN takes rnn_weights_qparams instead");
  }
  if (!attr.zero_point_masks.empty()) {
    ThrowUnimplemented("zero points: set for argument " + ArgumentName(attr.zero_point_masks.begin()->first) +
                       ", but RNN takes rnn_data_qparams instead");
  }
  for (const auto& entry : attr.scales) {
    if (!entry.second.IsDefault()) {
      ThrowUnimplemented("scales: set for argument " + ArgumentName(entry.first) +
                         ", but RNN takes rnn_weights_qparams instead");
    }
  }
  for (const auto& entry : attr.zero_points) {
    const std::vector<int32_t>& values = entry.second.second;
    if (std::any_of(values.begin(), values.end(), [](int32_t value) { return value != 0; })) {
      ThrowUnimplemented("zero points: set for argument " + ArgumentName(entry.first) +
                         ", but RNN takes rnn_data_qparams instead");
    }
  }
  if (!attr.output_scales.IsDefault()) ThrowUnimplemented("output_scales: are set, but RNN has none");
}

}  // namespace

void CheckAttributes(const RnnProblem& problem) {
  RefuseForeign(problem.attr);
  if (problem.IsInt8()) {
    CheckDataQparams(problem);
  } else {
    RefuseDataQparams(problem);
  }
  if (problem.HasByteWeights()) {
    CheckWeightsQparams(problem);
  } else {
    RefuseWeightsQparams(problem);
  }
  CheckDynamicQuantization(problem);
  CheckGates(problem);
}

}  // namespace tandem
