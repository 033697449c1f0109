#include "api/core/reorder/reorder_attributes.h"

#include <cmath>
#include <string>

#include "api/core/error.h"
#include "api/core/names.h"
#include "api/core/reorder/reorder_problem.h"
#include "api/core/text/text.h"

namespace tandem {
namespace {

const char* NameOf(int arg) { return arg == kReorderSrcArg ? "src" : "dst"; }

void CheckArgument(int arg, const char* what) {
  if (arg == kReorderSrcArg || arg == kReorderDstArg) return;
  ThrowUnimplemented(std::string(what) + ": set for argument " + ArgumentName(arg) + ", but a reorder has only " +
                     ArgumentName(kReorderSrcArg) + " and " + ArgumentName(kReorderDstArg));
}

void CheckMask(const MemoryDesc& md, int mask, const std::string& name) {
  if (mask >= 0 && mask >> md.ndims == 0) return;
  ThrowInvalid(name + ": mask is " + MaskText(mask) + ", but the tensor has " + std::to_string(md.ndims) + " dims");
}

// The values that creation gives; none of them may be a NaN or an infinity.
void CheckValues(const MemoryDesc& md, int mask, const std::vector<float>& values, const std::string& name) {
  const Dim count = MaskedCount(md, mask);
  if (static_cast<Dim>(values.size()) != count) {
    ThrowInvalid(name + ": has " + std::to_string(values.size()) + " values, but mask " + MaskText(mask) + " over " +
                 DimsToString(md) + " needs " + std::to_string(count));
  }
  for (const float value : values) {
    if (!std::isfinite(value) || value == 0.f) {
      ThrowInvalid(name + ": a scale is " + NumberText(value) + ", but must be finite and not 0");
    }
  }
}

void CheckServed(const std::set<int>& unserved, const char* what, const char* type) {
  if (unserved.empty()) return;
  ThrowUnimplemented(std::string(what) + ": those of argument " + ArgumentName(*unserved.begin()) +
                     " are in groups, of another type than " + type + ", or on the host, but a reorder takes only " +
                     type + " in memory, without groups");
}

void CheckScales(const ReorderProblem& problem) {
  CheckServed(problem.attr.unserved_scales, "scales", "f32");
  for (const auto& entry : problem.attr.scale_masks) CheckArgument(entry.first, "scales");
  for (const auto& entry : problem.attr.scales) CheckArgument(entry.first, "scales");
  for (const int arg : {kReorderSrcArg, kReorderDstArg}) {
    const std::string name = std::string("scales of ") + NameOf(arg);
    const ReorderParameter<float> scales = ScalesOf(problem.attr, arg);
    if (scales.source == ParameterSource::kNone) continue;
    CheckMask(problem.src, scales.mask, name);
    if (scales.source == ParameterSource::kCreation) {
      CheckValues(problem.src, scales.mask, problem.attr.scales.at(arg).values, name);
    }
  }
}

void CheckZeroPoints(const ReorderProblem& problem) {
  CheckServed(problem.attr.unserved_zero_points, "zero points", "s32");
  for (const auto& entry : problem.attr.zero_point_masks) CheckArgument(entry.first, "zero points");
  for (const auto& entry : problem.attr.zero_points) CheckArgument(entry.first, "zero points");
  for (const int arg : {kReorderSrcArg, kReorderDstArg}) {
    const std::string name = std::string("zero points of ") + NameOf(arg);
    const ReorderParameter<int32_t> zero_points = ZeroPointsOf(problem.attr, arg);
    if (zero_points.source == ParameterSource::kNone) continue;
    const DataType type = TypeOf(arg == kReorderSrcArg ? problem.src : problem.dst);
    if (type != DataType::kS32 && type != DataType::kS8 && type != DataType::kU8) {
      ThrowInvalid(name + ": are set, but the data type is " + ToString(type) + " and not integral");
    }
    CheckMask(problem.src, zero_points.mask, name);
    if (zero_points.source != ParameterSource::kCreation) continue;
    const Dim given = static_cast<Dim>(problem.attr.zero_points.at(arg).second.size());
    const Dim needed = MaskedCount(problem.src, zero_points.mask);
    if (given != needed) {
      ThrowInvalid(name + ": has " + std::to_string(given) + " values, but mask " + MaskText(zero_points.mask) +
                   " over " + DimsToString(problem.src) + " needs " + std::to_string(needed));
    }
  }
}

// output_scales of the v2 generation multiply src. The "runtime" placeholder is a NaN and is rejected like every NaN.
void CheckOutputScales(const ReorderProblem& problem) {
  const ScaleVector& scales = problem.attr.output_scales;
  if (scales.IsDefault()) return;
  CheckMask(problem.src, scales.mask, "output_scales");
  CheckValues(problem.src, scales.mask, scales.values, "output_scales");
}

void CheckPostOps(const ReorderProblem& problem) {
  const std::vector<PostOp>& post_ops = problem.attr.post_ops;
  if (post_ops.empty()) return;
  if (post_ops.size() > 1 || post_ops[0].kind != dnnl_sum) {
    ThrowUnimplemented("post_ops: has " + std::to_string(post_ops.size()) + " entries, the first of kind " +
                       NameOrNumber(tandem_primitive_kind2str(post_ops[0].kind), post_ops[0].kind) +
                       ", but a reorder takes 1, a sum");
  }
  const DataType type = post_ops[0].type, dst = TypeOf(problem.dst);
  if (type != DataType::kUndef && type != dst) {
    ThrowUnimplemented(std::string("post_ops: sum reads ") + ToString(type) + ", but dst is " + ToString(dst));
  }
}

void CheckCount(const ScaleVector& scales, const MemoryDesc& md, int full_mask, const std::string& name) {
  if (scales.mask != 0 && scales.mask != full_mask) {
    ThrowUnimplemented(name + ": mask is " + MaskText(scales.mask) + ", but must be 0 or " + MaskText(full_mask));
  }
  CheckValues(md, scales.mask, scales.values, name);
}

void CheckRnnQparams(const ReorderProblem& problem) {
  const Attributes& attr = problem.attr;
  const RnnQparams kind = RnnQparamsOf(problem);
  if (kind == RnnQparams::kNone) return;
  if (kind == RnnQparams::kUnclear) {
    ThrowUnimplemented(
        "rnn qparams: a plain s8 tensor with 4 dims may be a state (rnn_data_qparams) or weights_projection "
        "(rnn_weights_projection_qparams), and the attributes have more than the latter: store weights_projection in "
        "`any` (or in ldoi, if it has more than one channel on both sides), give the reorder an attribute object with "
        "the parameters of its tensor only, or choose reading onednn, which takes a tensor in ldnc for a state");
  }
  if (kind == RnnQparams::kWeights) {
    CheckCount(attr.rnn_weights, problem.src, 1 << 3 | 1 << 4, "rnn_weights_qparams");
  } else if (kind == RnnQparams::kProjection) {
    CheckCount(attr.rnn_weights_projection, problem.src, 1 << 3, "rnn_weights_projection_qparams");
  } else if (!std::isfinite(attr.rnn_data_scale) || attr.rnn_data_scale == 0.f || !std::isfinite(attr.rnn_data_shift)) {
    ThrowInvalid("rnn_data_qparams: scale is " + NumberText(attr.rnn_data_scale) + " and shift " +
                 NumberText(attr.rnn_data_shift) + ", but they must be finite and the scale not 0");
  }
  if (!attr.post_ops.empty() || !attr.scale_masks.empty() || !attr.zero_point_masks.empty() || !attr.scales.empty() ||
      !attr.zero_points.empty() || !attr.output_scales.IsDefault()) {
    ThrowUnimplemented("rnn qparams: are set for src in " + std::string(ToString(TypeOf(problem.src))) +
                       " and dst in " + ToString(TypeOf(problem.dst)) +
                       ", but together with scales, zero points or post_ops the order is not defined");
  }
}

}  // namespace

void CheckReorderAttributes(const ReorderProblem& problem) {
  CheckRnnQparams(problem);
  CheckScales(problem);
  CheckZeroPoints(problem);
  CheckOutputScales(problem);
  CheckPostOps(problem);
}

}  // namespace tandem
