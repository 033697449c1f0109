#include "optimized/weights/reorder.h"

#include <algorithm>
#include <cstring>

#include "api/core/error.h"
#include "optimized/weights/element.h"
#include "optimized/weights/regions.h"
#include "optimized/weights/weights_packer.h"

namespace tandem {
namespace optimized {
namespace {

constexpr int kGatesAndChannels = 0x18;    // mask bits 3 and 4 of {L, D, I, G, O}
constexpr int kProjectionChannels = 0x08;  // mask bit 3 of {L, D, I, O}

enum class Way { kPack, kUnpack };

class WeightsReorder : public ReorderPlan {
 public:
  WeightsReorder(const ReorderProblem& problem, Way way, const WeightsPacker& packer) : way_(way), packer_(packer) {
    problem_ = problem;
  }

  std::string name() const override { return "hwy:packed_weights"; }

  void Execute(const ReorderBuffers& buffers) const override {
    if (way_ == Way::kPack)
      packer_.Pack(buffers.src, buffers.dst);
    else
      packer_.Unpack(buffers.src, buffers.dst);
  }

 private:
  Way way_;
  WeightsPacker packer_;
};

// Copies from one opaque layout to another by way of a dense plain one. If the layouts are equal, it copies bytes alone.
class Repacking : public ReorderPlan {
 public:
  explicit Repacking(const ReorderProblem& problem)
      : plain_(MakeDense(Dims(problem.src.dims, problem.src.dims + problem.src.ndims), TypeOf(problem.src))),
        is_copy_(Equal(problem.src, problem.dst)),
        from_(plain_, PackedLayoutOf(problem.src), TypeOf(problem.src)),
        to_(plain_, PackedLayoutOf(problem.dst), TypeOf(problem.dst)) {
    problem_ = problem;
    if (is_copy_) return;
    Regions regions;
    plain_region_ = regions.Add<char>(static_cast<Dim>(SizeInBytes(plain_)));
    scratchpad_bytes_ = regions.BytesWithSlack();
  }

  std::string name() const override { return "hwy:packed_weights"; }

  void Execute(const ReorderBuffers& buffers) const override {
    if (is_copy_) {
      std::memcpy(buffers.dst, buffers.src, SizeInBytes(problem_.src));
      return;
    }
    char* const plain = plain_region_.In(Regions::FirstLine(buffers.scratchpad));
    from_.Unpack(buffers.src, plain);
    to_.Pack(plain, buffers.dst);
  }

 private:
  MemoryDesc plain_;
  bool is_copy_;
  Region<char> plain_region_;
  WeightsPacker from_, to_;
};

const ScaleVector& ScalesOf(const ReorderProblem& problem) {
  return problem.dst.ndims == 5 ? problem.attr.rnn_weights : problem.attr.rnn_weights_projection;
}

// Why `attr` asks for more than a change of layout, type and weight scales; null if it does not.
const char* UnservedAttribute(const Attributes& attr) {
  if (!attr.post_ops.empty()) return "packed weights take no post-ops";
  if (!attr.scale_masks.empty() || !attr.scales.empty() || !attr.output_scales.IsDefault())
    return "packed weights take no scales but rnn_weights_qparams";
  if (!attr.zero_point_masks.empty() || !attr.zero_points.empty()) return "packed weights take no zero points";
  return nullptr;
}

// Why the types of the plain and the packed tensor and `layout` do not fit one another; null if they do.
const char* UnservedTypes(DataType plain, DataType packed, const PackedLayout& layout) {
  if (layout.storage != DataType::kS8) {
    return IsFloating(plain) && IsFloating(packed) ? nullptr : "floating packed weights come from floating plain ones";
  }
  if (layout.kind != PackedKind::kForward) return "s8 weights have no backward layout";
  return plain == DataType::kS8 || IsFloating(plain) ? nullptr
                                                     : "packed s8 weights come from floating or s8 plain ones";
}

const char* UnservedScales(const ReorderProblem& problem, const PackedLayout& layout) {
  if (layout.storage != DataType::kS8) return nullptr;
  const int channels = problem.dst.ndims == 5 ? kGatesAndChannels : kProjectionChannels;
  const int mask = ScalesOf(problem).mask;
  return mask == 0 || mask == channels ? nullptr : "weight scales are common, or one for each gate and output channel";
}

void CheckDims(const MemoryDesc& src, const MemoryDesc& dst) {
  if (src.ndims != dst.ndims || !std::equal(src.dims, src.dims + src.ndims, dst.dims)) {
    ThrowInvalid("reorder: src has dims " + DimsToString(src) + ", dst has " + DimsToString(dst));
  }
}

bool IsFloatingPacked(const MemoryDesc& md) { return IsFloating(TypeOf(md)) && IsFloating(PackedLayoutOf(md).storage); }

std::unique_ptr<const ReorderPlan> CreateRepacking(const ReorderProblem& problem, std::string* why_not) {
  CheckDims(problem.src, problem.dst);
  const char* reason = UnservedAttribute(problem.attr);
  const bool floating = IsFloatingPacked(problem.src) && IsFloatingPacked(problem.dst);
  if (reason == nullptr && !floating && !Equal(problem.src, problem.dst)) {
    reason = "packed s8 weights go to no other layout";
  }
  if (reason == nullptr) return std::make_unique<Repacking>(problem);
  if (why_not != nullptr) *why_not = reason;
  return nullptr;
}

}  // namespace

std::unique_ptr<const ReorderPlan> CreateReorder(const ReorderProblem& problem, std::string* why_not) {
  const auto decline = [&](const char* reason) {
    if (why_not != nullptr) *why_not = reason;
    return nullptr;
  };
  if (IsOpaque(problem.src) && IsOpaque(problem.dst)) return CreateRepacking(problem, why_not);
  const Way way = IsOpaque(problem.dst) ? Way::kPack : Way::kUnpack;
  const MemoryDesc& plain = way == Way::kPack ? problem.src : problem.dst;
  const MemoryDesc& packed = way == Way::kPack ? problem.dst : problem.src;
  if (!IsPlain(plain) || !IsOpaque(packed)) return decline("neither src nor dst is packed");
  CheckDims(problem.src, problem.dst);
  const PackedLayout layout = PackedLayoutOf(packed);
  const char* reason = UnservedAttribute(problem.attr);
  if (reason == nullptr) reason = UnservedTypes(TypeOf(plain), TypeOf(packed), layout);
  if (reason == nullptr) reason = UnservedScales(problem, layout);
  if (reason != nullptr) return decline(reason);
  const ScaleVector scales = layout.storage == DataType::kS8 ? ScalesOf(problem) : ScaleVector();
  return std::make_unique<WeightsReorder>(problem, way, WeightsPacker(plain, layout, TypeOf(packed), scales));
}

}  // namespace optimized
}  // namespace tandem
