#include "api/library/attr.h"

#include <string>

#include "api/core/names.h"
#include "api/core/tensor.h"
#include "api/library/defaults.h"
#include "api/library/engine.h"
#include "api/library/guard.h"

using namespace tandem;

namespace tandem {

Ref<tandem_primitive_attr> CopyOf(const tandem_primitive_attr* attr) {
  auto copy = MakeRef<tandem_primitive_attr>();
  if (attr == nullptr) {
    copy->value = DefaultAttributes();
    return copy;
  }
  copy->value = attr->value;
  copy->post_ops = attr->post_ops;
  copy->accumulation_mode = attr->accumulation_mode;
  return copy;
}

void CheckAccumulationMode(const tandem_primitive_attr& attr) {
  if (attr.accumulation_mode > dnnl_accumulation_mode_any) {
    ThrowUnimplemented("accumulation mode: is " +
                       NameOrNumber(tandem_accumulation_mode2str(attr.accumulation_mode), attr.accumulation_mode) +
                       ", but only strict, relaxed and any are implemented");
  }
}

namespace {

// The sum of all tandem_rnn_masks_t.
constexpr int kAllMasks = (1 << kMasks.size()) - 1;

// `enumeration`: dnnl's name of it.
int Checked(int value, int last, const char* what, const char* enumeration) {
  if (value < 0 || value > last) {
    ThrowInvalid(std::string(what) + ": is " + std::to_string(value) + ", which is no " + enumeration);
  }
  return value;
}

void SetField(tandem_primitive_attr* attr, tandem_attr_field_t field, int value) {
  Attributes& attributes = attr->value;
  switch (field) {
    case tandem_attr_scratchpad_mode:
      attributes.scratchpad_mode =
          static_cast<ScratchpadMode>(Checked(value, dnnl_scratchpad_mode_user, "scratchpad mode", "scratchpad_mode"));
      return;
    case tandem_attr_fpmath_mode:
      attributes.fpmath_mode = FpmathModeFromC(value);
      return;
    case tandem_attr_fpmath_applies_to_int:
      attributes.fpmath_applies_to_int = value != 0;
      return;
    case tandem_attr_reading:
      attributes.reading = static_cast<Reading>(Checked(value, tandem_reading_onednn, "reading", "reading"));
      return;
    case tandem_attr_accumulation_mode:
      attr->accumulation_mode = static_cast<dnnl_accumulation_mode_t>(
          Checked(value, dnnl_accumulation_mode_f16, "accumulation mode", "accumulation_mode"));
      return;
    case tandem_attr_deterministic:
      attributes.deterministic = value != 0;
      return;
    case tandem_attr_rnn_sequence_lengths:
      attributes.rnn_sequence_lengths = value != 0;
      return;
    case tandem_attr_rnn_dynamic_quantization:
      attributes.rnn_dynamic_quantization = value != 0;
      return;
    case tandem_attr_rnn_input_forget:
      attributes.rnn_gates.forget = value != 0 ? ForgetGate::kRestOfInput : ForgetGate::kOwn;
      return;
    case tandem_attr_rnn_masks:
      attributes.rnn_masks = static_cast<unsigned>(Checked(value, kAllMasks, "rnn_masks", "sum of rnn_masks"));
      return;
  }
}

int GetField(const tandem_primitive_attr& attr, tandem_attr_field_t field) {
  const Attributes& attributes = attr.value;
  switch (field) {
    case tandem_attr_scratchpad_mode:
      return static_cast<int>(attributes.scratchpad_mode);
    case tandem_attr_fpmath_mode:
      return FpmathModeToC(attributes.fpmath_mode);
    case tandem_attr_fpmath_applies_to_int:
      return attributes.fpmath_applies_to_int ? 1 : 0;
    case tandem_attr_reading:
      return static_cast<int>(attributes.reading);
    case tandem_attr_accumulation_mode:
      return attr.accumulation_mode;
    case tandem_attr_deterministic:
      return attributes.deterministic ? 1 : 0;
    case tandem_attr_rnn_sequence_lengths:
      return attributes.rnn_sequence_lengths ? 1 : 0;
    case tandem_attr_rnn_dynamic_quantization:
      return attributes.rnn_dynamic_quantization ? 1 : 0;
    case tandem_attr_rnn_input_forget:
      return attributes.rnn_gates.forget == ForgetGate::kRestOfInput ? 1 : 0;
    case tandem_attr_rnn_masks:
      return static_cast<int>(attributes.rnn_masks);
  }
  return 0;
}

ScaleVector& Qparams(Attributes* attr, tandem_qparams_t which) {
  switch (which) {
    case tandem_qparams_weights:
      return attr->rnn_weights;
    case tandem_qparams_weights_projection:
      return attr->rnn_weights_projection;
    case tandem_qparams_output_scales:
      break;
  }
  return attr->output_scales;
}

std::string NameOf(tandem_qparams_t which) {
  switch (which) {
    case tandem_qparams_weights:
      return "rnn_weights_qparams";
    case tandem_qparams_weights_projection:
      return "rnn_weights_projection_qparams";
    case tandem_qparams_output_scales:
      break;
  }
  return "output_scales";
}

void Set(ScaleVector* scales, const std::string& name, int mask, size_t count, const float* values) {
  if (mask < 0) ThrowInvalid(name + ": mask is " + std::to_string(mask) + ", but must not be negative");
  if (count == 0) ThrowInvalid(name + ": 0 scales are given, but at least 1 is needed");
  scales->mask = mask;
  scales->values.assign(values, values + count);
  scales->given = true;
}

template <class Value>
void Show(int its_mask, const std::vector<Value>& its_values, int* mask, size_t* count, const Value** values) {
  *mask = its_mask;
  *count = its_values.size();
  *values = its_values.data();
}

}  // namespace
}  // namespace tandem

dnnl_status_t tandem_attr_create(dnnl_primitive_attr_t* attr) {
  return Guard([&] { Give(CopyOf(nullptr), attr); });
}

dnnl_status_t tandem_attr_clone(dnnl_primitive_attr_t* attr, const_dnnl_primitive_attr_t from) {
  return Guard([&] { Give(CopyOf(&NotNull(from, "attributes")), attr); });
}

dnnl_status_t tandem_attr_get(const_dnnl_primitive_attr_t attr, tandem_attr_field_t field, int* value) {
  return Guard([&] { *value = GetField(NotNull(attr, "attributes"), field); });
}

dnnl_status_t tandem_attr_set(dnnl_primitive_attr_t attr, tandem_attr_field_t field, int value) {
  return Guard([&] { SetField(&NotNull(attr, "attributes"), field, value); });
}

dnnl_status_t tandem_attr_set_rnn_data_qparams(dnnl_primitive_attr_t attr, float scale, float shift) {
  return Guard([&] {
    NotNull(attr, "attributes").value.rnn_data_scale = scale;
    attr->value.rnn_data_shift = shift;
  });
}

dnnl_status_t tandem_attr_get_rnn_data_qparams(const_dnnl_primitive_attr_t attr, float* scale, float* shift) {
  return Guard([&] {
    *scale = NotNull(attr, "attributes").value.rnn_data_scale;
    *shift = attr->value.rnn_data_shift;
  });
}

dnnl_status_t tandem_attr_set_rnn_layer_normalization(dnnl_primitive_attr_t attr, tandem_normalization_t kind,
                                                      tandem_normalization_scope_t scope,
                                                      tandem_cell_normalization_t cell, float epsilon) {
  return Guard([&] {
    LayerNorm norm;
    norm.kind =
        static_cast<NormKind>(Checked(kind, tandem_normalization_parts, "layer normalization", "normalization"));
    norm.scope = static_cast<NormScope>(
        Checked(scope, tandem_normalization_scope_row, "scope of layer normalization", "normalization_scope"));
    norm.cell = static_cast<CellNorm>(
        Checked(cell, tandem_cell_normalization_state, "normalization of the cell state", "cell_normalization"));
    norm.epsilon = epsilon;
    NotNull(attr, "attributes").value.rnn_layer_norm = norm;
  });
}

dnnl_status_t tandem_attr_get_rnn_layer_normalization(const_dnnl_primitive_attr_t attr, tandem_normalization_t* kind,
                                                      tandem_normalization_scope_t* scope,
                                                      tandem_cell_normalization_t* cell, float* epsilon) {
  return Guard([&] {
    const LayerNorm& norm = NotNull(attr, "attributes").value.rnn_layer_norm;
    *kind = static_cast<tandem_normalization_t>(norm.kind);
    *scope = static_cast<tandem_normalization_scope_t>(norm.scope);
    *cell = static_cast<tandem_cell_normalization_t>(norm.cell);
    *epsilon = norm.epsilon;
  });
}

dnnl_status_t tandem_attr_set_qparams(dnnl_primitive_attr_t attr, tandem_qparams_t which, int mask, size_t count,
                                      const float* values) {
  return Guard([&] { Set(&Qparams(&NotNull(attr, "attributes").value, which), NameOf(which), mask, count, values); });
}

dnnl_status_t tandem_attr_get_qparams(const_dnnl_primitive_attr_t attr, tandem_qparams_t which, int* mask,
                                      size_t* count, const float** values) {
  return Guard([&] {
    auto* attributes = const_cast<Attributes*>(&NotNull(attr, "attributes").value);
    const ScaleVector& scales = Qparams(attributes, which);
    Show(scales.mask, scales.values, mask, count, values);
  });
}
