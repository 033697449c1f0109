#include "api/core/rnn/rnn_masks.h"

#include <cstring>
#include <string>

#include "api/core/error.h"
#include "api/core/memory/memory_desc.h"
#include "api/core/rnn/rnn_checks.h"
#include "api/core/rnn/sequence_lengths.h"

namespace tandem {
namespace {

void Check(const RnnProblem& problem, Tensor mask) {
  const std::string name = ToString(mask);
  if (PresenceOf(mask, problem.cell) == Presence::kAbsent) {
    ThrowInvalid("rnn_masks: ask for " + name + ", but a " + ToString(problem.cell) + " has no such tensor");
  }
  for (const Tensor tensor : {kSrcLayer, kWeightsLayer}) {
    const DataType type = TypeOf(problem.md[tensor]);
    if (!IsByte(type)) continue;
    ThrowUnimplemented("rnn_masks: ask for " + name + ", but " + ToString(tensor) + " is " + ToString(type) +
                       ", and masks are for f32, bf16 and f16 only");
  }
  if (mask == kZoneoutIter && problem.sic != problem.dic) {
    ThrowInvalid("weights_iter: dim 2 (sic) is " + std::to_string(problem.sic) + ", but dic is " +
                 std::to_string(problem.dic) + "; with zoneout_iter, a step mixes the state before it with its own");
  }
}

}  // namespace

void DescribeMasks(RnnProblem* problem) {
  for (const Tensor mask : kMasks) {
    problem->md[mask] = {};
    if (!AsksFor(problem->attr, mask)) continue;
    Check(*problem, mask);
    Dims dims;
    for (int i = 0; i < RankOf(mask); ++i) dims.push_back(DimOf(*problem, TraitsOf(mask).axes.size[i]));
    problem->md[mask] = MakeDense(dims, DataType::kF32);
  }
}

// FNV-1a over the bits of the values.
int64_t FingerprintOfMasks(const RnnProblem& problem, const RnnBuffers& buffers) {
  if (problem.attr.rnn_masks == 0) return 0;
  const SequenceLengths lengths(problem, buffers);
  uint64_t hash = 0xcbf29ce484222325u ^ problem.attr.rnn_masks;
  for (const Tensor mask : kMasks) {
    if (!problem.Has(mask)) continue;
    const char* value = static_cast<const char*>(buffers.tensor[mask]);
    const Dim channels = problem.md[mask].dims[RankOf(mask) - 1];
    const Dim rows = NumElements(problem.md[mask]) / channels;
    const bool has_time = AxisOf(mask, 't') >= 0;
    for (Dim row = 0; row < rows; ++row) {
      const Dim time = has_time ? row / problem.mb % problem.n_iter : 0;
      for (Dim i = 0; i < channels; ++i, value += sizeof(float)) {
        uint32_t bits;
        std::memcpy(&bits, value, sizeof bits);
        if (lengths.IsLive(time, row % problem.mb)) hash = (hash ^ bits) * 0x100000001b3u;
      }
    }
  }
  return static_cast<int64_t>(hash >> 2 | 1);
}

}  // namespace tandem
