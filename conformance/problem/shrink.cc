// Simpler problems from one that fails.
#include <algorithm>

#include "api/core/rnn/rnn_masks.h"
#include "conformance/problem/generator.h"

namespace tandem::conformance {
namespace {

// The specification makes some channel counts equal, so all shrink together.
void ShrinkChannels(const ProblemSpec& spec, std::vector<ProblemSpec>* out) {
  const Dim largest = std::max({spec.sic, spec.slc, spec.dhc, spec.dic});
  for (Dim limit : {Dim{1}, Dim{2}, Dim{4}, Dim{8}, largest / 2, largest - 1}) {
    if (limit < 1 || limit >= largest) continue;
    ProblemSpec s = spec;
    for (Dim* dim : {&s.sic, &s.slc, &s.dhc, &s.dic}) *dim = std::min(*dim, limit);
    out->push_back(s);
  }
}

}  // namespace

std::vector<ProblemSpec> ShrinkCandidates(const ProblemSpec& given) {
  ProblemSpec spec = given;
  ResolveDims(&spec);
  std::vector<ProblemSpec> out;
  const auto with = [&](auto change) {
    ProblemSpec s = spec;
    change(&s);
    if (s != spec) out.push_back(s);
  };
  for (Dim ProblemSpec::*dim : {&ProblemSpec::t, &ProblemSpec::l, &ProblemSpec::mb}) {
    for (Dim value : {Dim{1}, spec.*dim / 2, spec.*dim - 1}) {
      if (value >= 1 && value < spec.*dim) with([&](ProblemSpec* s) { s->*dim = value; });
    }
  }
  with([](ProblemSpec* s) { s->lengths = RowLengths::kNone; });
  if (spec.lengths != RowLengths::kNone) with([](ProblemSpec* s) { s->lengths = RowLengths::kRandom; });
  for (const Tensor mask : kMasks) with([mask](ProblemSpec* s) { s->masks &= ~MaskBit(mask); });
  with([](ProblemSpec* s) { s->norm = LayerNorm(); });
  with([](ProblemSpec* s) { s->norm.scope = NormScope::kGate; });
  if (spec.norm.kind != NormKind::kNone) with([](ProblemSpec* s) { s->norm.cell = CellNorm::kNone; });
  with([](ProblemSpec* s) { s->gates = GateFunctions(); });
  with([](ProblemSpec* s) { s->gates.clip = 0; });
  with([](ProblemSpec* s) { s->gates.forget = ForgetGate::kOwn; });
  for (const GatePlace place : kGatePlaces) {
    with([place](ProblemSpec* s) { s->gates.At(place) = GateFunctions().At(place); });
  }
  with([](ProblemSpec* s) { s->direction = Direction::kLeft2Right; });
  ShrinkChannels(spec, &out);
  with([](ProblemSpec* s) { s->with_peephole = false; });
  with([](ProblemSpec* s) {
    const Dim dic = s->dic;
    s->with_projection = false;
    s->dhc = s->dic = std::min(s->dhc, s->dic);
    // Where h feeds the next step or layer, its width has changed.
    for (Dim* dim : {&s->sic, &s->slc}) {
      if (*dim == dic) *dim = s->dic;
    }
  });
  with([](ProblemSpec* s) { s->absent |= 1u << kBias; });
  with([](ProblemSpec* s) { s->absent |= 1u << kSrcIter | (HasCellState(s->cell) ? 1u << kSrcIterC : 0u); });
  with([](ProblemSpec* s) { s->padding = 0; });
  with([](ProblemSpec* s) { s->misalign = 0; });
  with([](ProblemSpec* s) { s->wide_offsets = false; });
  with([](ProblemSpec* s) { s->src_tag = s->weights_tag = s->dst_tag = s->diff_weights_tag = "any"; });
  with([](ProblemSpec* s) { s->scratchpad = ScratchpadMode::kLibrary; });
  with([](ProblemSpec* s) { s->fpmath = FpmathMode::kStrict; });
  with([](ProblemSpec* s) { s->data = DataKind::kDense; });
  with([](ProblemSpec* s) { s->gain = 1; });
  return out;
}

}  // namespace tandem::conformance
