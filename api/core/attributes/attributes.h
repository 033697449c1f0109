// The value behind dnnl::primitive_attr. Copied whole into every primitive descriptor.
#ifndef TANDEM_API_CORE_ATTRIBUTES_ATTRIBUTES_H_
#define TANDEM_API_CORE_ATTRIBUTES_ATTRIBUTES_H_

#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "api/core/attributes/layer_norm.h"
#include "api/core/gate_functions.h"
#include "api/core/memory/memory_desc.h"

namespace tandem {

// One multiplier for the whole tensor (mask 0) or one for each index of the dims whose bit is set.
struct ScaleVector {
  int mask = 0;
  std::vector<float> values = {1.f};
  bool given = false;  // by a setter, be it with the default values
  float At(Dim index) const { return values[mask == 0 ? 0 : static_cast<size_t>(index)]; }
  bool IsDefault() const { return mask == 0 && values.size() == 1 && values[0] == 1.f; }
};

struct PostOp {
  dnnl_primitive_kind_t kind = dnnl_undefined_primitive;
  float scale = 1.f;                 // sum, and eltwise of the v2 generation
  int32_t zero_point = 0;            // sum
  DataType type = DataType::kUndef;  // sum
  dnnl_alg_kind_t algorithm = dnnl_alg_kind_undef;
  float alpha = 0.f;
  float beta = 0.f;
  int mask = 0;          // prelu
  MemoryDesc src1 = {};  // binary
};

struct Attributes {
  ScratchpadMode scratchpad_mode = ScratchpadMode::kLibrary;
  FpmathMode fpmath_mode = FpmathMode::kStrict;
  bool fpmath_applies_to_int = false;
  Reading reading = Reading::kSpec;
  bool deterministic = false;         // the same bits on all processors with a fused multiply-add (docs/numerics.md)
  bool rnn_sequence_lengths = false;  // rows of the minibatch have lengths of their own, given with execute()
  unsigned rnn_masks = 0;             // tandem_rnn_masks_*: which masks are given with execute()
  // Operands of products with s8 weights become bytes, each row by its own range.
  bool rnn_dynamic_quantization = false;
  GateFunctions rnn_gates;
  LayerNorm rnn_layer_norm;

  // Quantization of the u8/s8 data tensors (src_layer, src_iter, dst_iter, dst_layer); `reading` chooses the formula.
  float rnn_data_scale = 1.f;
  float rnn_data_shift = 0.f;
  // s8 weight = sat(round(scale * f32 weight)).
  ScaleVector rnn_weights;
  ScaleVector rnn_weights_projection;

  // Execution-time scales and zero points: DNNL_ARG_* -> mask. Values arrive as DNNL_ARG_ATTR_SCALES | arg.
  std::map<int, int> scale_masks;
  std::map<int, int> zero_point_masks;
  // Arguments (DNNL_ARG_*) whose scales or zero points no primitive here takes: they are in groups, of another type than f32
  // (s32 for zero points), or a number on the host.
  std::set<int> unserved_scales, unserved_zero_points;
  // Creation-time values of the v2 generation.
  std::map<int, ScaleVector> scales;
  std::map<int, std::pair<int, std::vector<int32_t>>> zero_points;
  ScaleVector output_scales;

  std::vector<PostOp> post_ops;
};

// Stands for a member of any type, for CountMembers().
struct AnyMember {
  template <class Member>
  operator Member() const;
};

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"  // clang's, where a member has no default
template <class Struct, class... Members>
constexpr auto TakesMembers(int) -> decltype(Struct{Members()...}, true) {
  return true;
}
#pragma GCC diagnostic pop
template <class Struct, class... Members>
constexpr bool TakesMembers(long) {
  return false;
}

// Counts the members of an aggregate.
template <class Struct, class... Members>
constexpr size_t CountMembers() {
  if constexpr (TakesMembers<Struct, Members..., AnyMember>(0)) {
    return CountMembers<Struct, Members..., AnyMember>();
  } else {
    return sizeof...(Members);
  }
}

// Returns all members as a tuple of references. The key of the cache and tests treat each of them alike.
inline auto Fields(const ScaleVector& s) { return std::tie(s.mask, s.values, s.given); }
inline auto Fields(const PostOp& op) {
  return std::tie(op.kind, op.scale, op.zero_point, op.type, op.algorithm, op.alpha, op.beta, op.mask, op.src1);
}
inline auto Fields(const Attributes& attr) {
  return std::tie(attr.scratchpad_mode, attr.fpmath_mode, attr.fpmath_applies_to_int, attr.reading, attr.deterministic,
                  attr.rnn_sequence_lengths, attr.rnn_masks, attr.rnn_dynamic_quantization, attr.rnn_gates,
                  attr.rnn_layer_norm, attr.rnn_data_scale, attr.rnn_data_shift, attr.rnn_weights,
                  attr.rnn_weights_projection, attr.scale_masks, attr.zero_point_masks, attr.unserved_scales,
                  attr.unserved_zero_points, attr.scales, attr.zero_points, attr.output_scales, attr.post_ops);
}

// True if Fields() names each member.
template <class Struct>
constexpr bool FieldsAreComplete() {
  return std::tuple_size_v<decltype(Fields(std::declval<const Struct&>()))> == CountMembers<Struct>();
}
static_assert(FieldsAreComplete<ScaleVector>() && FieldsAreComplete<PostOp>() &&
                  FieldsAreComplete<ActivationFunction>() && FieldsAreComplete<GateFunctions>() &&
                  FieldsAreComplete<LayerNorm>() && FieldsAreComplete<Attributes>(),
              "a member is missing in Fields()");

}  // namespace tandem

#endif  // TANDEM_API_CORE_ATTRIBUTES_ATTRIBUTES_H_
