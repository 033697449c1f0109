// The value behind dnnl::primitive_attr. Copied whole into every primitive descriptor.
#ifndef TANDEM_API_CORE_ATTRIBUTES_ATTRIBUTES_H_
#define TANDEM_API_CORE_ATTRIBUTES_ATTRIBUTES_H_

#include <map>
#include <set>
#include <vector>

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
  bool rnn_dynamic_quantization =
      false;  // operands of products with s8 weights become bytes, each row by its own range

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

}  // namespace tandem

#endif  // TANDEM_API_CORE_ATTRIBUTES_ATTRIBUTES_H_
