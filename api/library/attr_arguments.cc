// Attributes that belong to one argument: scales and zero points.
#include <string>

#include "api/core/names.h"
#include "api/library/attr.h"
#include "api/library/guard.h"

using namespace tandem;

namespace tandem {
namespace {

// Behind the arguments of the 32nd post-op, the last that a list holds.
constexpr int kEndOfPostOps = DNNL_ARG_ATTR_MULTIPLE_POST_OP(32);

bool InRange(int arg, int first, int count) { return arg >= first && arg < first + count; }

// Sources, weights, bias and destinations of a primitive have quantization parameters; workspace, scratchpad and the statistics
// of normalizations have none. 16 is the distance between the groups of indices.
bool IsQuantizable(int arg) {
  return InRange(arg, DNNL_ARG_SRC_0, 16) || InRange(arg, DNNL_ARG_DST_0, 16) || InRange(arg, DNNL_ARG_WEIGHTS_0, 16) ||
         InRange(arg, DNNL_ARG_MULTIPLE_SRC, 1024) ||
         InRange(arg, DNNL_ARG_ATTR_POST_OP_DW, kEndOfPostOps - DNNL_ARG_ATTR_POST_OP_DW);
}

// oneDNN 3 takes these, as measured. It has no parameters of bias, of second destinations or of RNN's last tensors.
bool OnednnHasScalesOf(int arg) {
  const auto is_tensor = [](int its) {
    return InRange(its, DNNL_ARG_SRC_0, 3) || its == DNNL_ARG_DST_0 || InRange(its, DNNL_ARG_WEIGHTS_0, 3);
  };
  if (is_tensor(arg) || (arg & DNNL_ARG_MULTIPLE_SRC) != 0) return true;
  const int of_depthwise = arg - DNNL_ARG_ATTR_POST_OP_DW;
  return of_depthwise == DNNL_ARG_SRC_0 || of_depthwise == DNNL_ARG_DST_0 || of_depthwise == DNNL_ARG_WEIGHTS_0;
}
bool OnednnHasZeroPointsOf(int arg) {
  return arg == DNNL_ARG_SRC_0 || arg == DNNL_ARG_SRC_2 || arg == DNNL_ARG_DST_0 || InRange(arg, DNNL_ARG_WEIGHTS_0, 3);
}

// `onednn_has`: whether oneDNN takes these parameters for `arg`; counts in its reading only.
void CheckQuantizable(const tandem_primitive_attr& attr, int arg, int mask, bool onednn_has) {
  if (!IsQuantizable(arg)) {
    ThrowInvalid("argument " + ArgumentName(arg) +
                 ": is no source, weights, bias, destination or argument of a post-op, so it takes no scales or zero "
                 "points");
  }
  if (attr.value.reading == Reading::kOnednn && !onednn_has) {
    ThrowInvalid("argument " + ArgumentName(arg) +
                 ": takes none of these parameters in oneDNN, whose reading is chosen");
  }
  if (mask < 0) {
    ThrowInvalid("argument " + ArgumentName(arg) + ": mask is " + std::to_string(mask) + ", but must not be negative");
  }
}

void SetScalesMask(tandem_primitive_attr* attr, int arg, int mask) {
  attr->value.scale_masks[arg] = mask;
  attr->value.scales.erase(arg);
  attr->value.unserved_scales.erase(arg);
}
void SetZeroPointsMask(tandem_primitive_attr* attr, int arg, int mask) {
  attr->value.zero_point_masks[arg] = mask;
  attr->value.zero_points.erase(arg);
  attr->value.unserved_zero_points.erase(arg);
}

// The number of values is checked against the tensor by the primitive descriptor.
void CheckSomeValues(int arg, size_t count) {
  if (count == 0) {
    ThrowInvalid("argument " + ArgumentName(arg) + ": 0 values are given, at least 1 is needed");
  }
}

}  // namespace
}  // namespace tandem

dnnl_status_t tandem_attr_get_scales_mask(const_dnnl_primitive_attr_t attr, int arg, int* mask) {
  return Guard([&] {
    const Attributes& value = NotNull(attr, "attributes").value;
    const auto at = value.scale_masks.find(arg);
    *mask = at == value.scale_masks.end() ? 0 : at->second;
  });
}

dnnl_status_t tandem_attr_set_scales_mask(dnnl_primitive_attr_t attr, int arg, int mask) {
  return Guard([&] {
    CheckQuantizable(NotNull(attr, "attributes"), arg, mask, OnednnHasScalesOf(arg));
    SetScalesMask(attr, arg, mask);
  });
}

dnnl_status_t tandem_attr_set_zero_points_mask(dnnl_primitive_attr_t attr, int arg, int mask) {
  return Guard([&] {
    CheckQuantizable(NotNull(attr, "attributes"), arg, mask, OnednnHasZeroPointsOf(arg));
    SetZeroPointsMask(attr, arg, mask);
  });
}

dnnl_status_t tandem_attr_set_unserved(dnnl_primitive_attr_t attr, tandem_parameters_t which, int arg, int mask) {
  return Guard([&] {
    switch (which) {
      case tandem_parameters_scales:
        CheckQuantizable(NotNull(attr, "attributes"), arg, mask, OnednnHasScalesOf(arg));
        SetScalesMask(attr, arg, mask);
        attr->value.unserved_scales.insert(arg);
        return;
      case tandem_parameters_zero_points:
        CheckQuantizable(NotNull(attr, "attributes"), arg, mask, OnednnHasZeroPointsOf(arg));
        SetZeroPointsMask(attr, arg, mask);
        attr->value.unserved_zero_points.insert(arg);
        return;
    }
    ThrowInvalid("parameters: " + std::to_string(which) + " is none of scales and zero points");
  });
}

dnnl_status_t tandem_attr_set_scales(dnnl_primitive_attr_t attr, int arg, int mask, size_t count, const float* values) {
  return Guard([&] {
    CheckQuantizable(NotNull(attr, "attributes"), arg, mask, OnednnHasScalesOf(arg));
    CheckSomeValues(arg, count);
    ScaleVector& scales = attr->value.scales[arg];
    scales.mask = mask;
    scales.values.assign(values, values + count);
    attr->value.scale_masks.erase(arg);
    attr->value.unserved_scales.erase(arg);
  });
}

dnnl_status_t tandem_attr_get_scales(const_dnnl_primitive_attr_t attr, int arg, int* mask, size_t* count,
                                     const float** values) {
  return Guard([&] {
    static const ScaleVector kDefault;
    const auto& scales = NotNull(attr, "attributes").value.scales;
    const auto at = scales.find(arg);
    const ScaleVector& found = at == scales.end() ? kDefault : at->second;
    *mask = found.mask;
    *count = found.values.size();
    *values = found.values.data();
  });
}

dnnl_status_t tandem_attr_set_zero_points(dnnl_primitive_attr_t attr, int arg, int mask, size_t count,
                                          const int32_t* values) {
  return Guard([&] {
    CheckQuantizable(NotNull(attr, "attributes"), arg, mask, OnednnHasZeroPointsOf(arg));
    CheckSomeValues(arg, count);
    attr->value.zero_points[arg] = {mask, std::vector<int32_t>(values, values + count)};
    attr->value.zero_point_masks.erase(arg);
    attr->value.unserved_zero_points.erase(arg);
  });
}

dnnl_status_t tandem_attr_get_zero_points(const_dnnl_primitive_attr_t attr, int arg, int* mask, size_t* count,
                                          const int32_t** values) {
  return Guard([&] {
    static const std::pair<int, std::vector<int32_t>> kDefault = {0, {0}};
    const auto& zero_points = NotNull(attr, "attributes").value.zero_points;
    const auto at = zero_points.find(arg);
    const auto& found = at == zero_points.end() ? kDefault : at->second;
    *mask = found.first;
    *count = found.second.size();
    *values = found.second.data();
  });
}
