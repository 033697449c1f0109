#include "api/core/rnn/rnn_problem_testing.h"
#include "fuzz/decode.h"
#include "fuzz/rnn_case.h"

namespace tandem {
namespace fuzz {
namespace {

using dnnl::memory;

constexpr dnnl::prop_kind kProps[] = {dnnl::prop_kind::forward_inference, dnnl::prop_kind::forward_training,
                                      dnnl::prop_kind::backward};
constexpr dnnl::rnn_direction kDirections[] = {dnnl::rnn_direction::left2right, dnnl::rnn_direction::right2left,
                                               dnnl::rnn_direction::bidirectional_concat,
                                               dnnl::rnn_direction::bidirectional_sum, dnnl::rnn_direction::undef};
constexpr dnnl::algorithm kActivations[] = {dnnl::algorithm::eltwise_tanh, dnnl::algorithm::eltwise_relu,
                                            dnnl::algorithm::eltwise_logistic, dnnl::algorithm::eltwise_abs};

// Channels around a vector's length of 16 lanes are where padding begins.
TestShape DecodeShape(ByteSource* bytes, Cell cell, bool projection) {
  constexpr Dim kChannels[] = {1, 2, 3, 4, 5, 15, 16, 17};
  TestShape shape;
  shape.n_layer = HasAttention(cell) ? 1 : 1 + bytes->Below(2);
  shape.n_iter = 1 + bytes->Below(3);
  shape.mb = 1 + bytes->Below(3);
  shape.dhc = bytes->OneOf(kChannels);
  shape.dic = projection ? bytes->OneOf(kChannels) : shape.dhc;
  shape.slc = shape.n_layer > 1 ? shape.dic : bytes->OneOf(kChannels);
  shape.sic = shape.dic;
  return shape;
}

void DamageCase(ByteSource* bytes, RnnCase* rnn) {
  memory::desc& md = rnn->md[bytes->Below(kNumTensors)];
  switch (bytes->Below(7)) {
    case 0:
      md = memory::desc();
      return;
    case 1:
      md = DecodeDesc(bytes);
      return;
    case 2:
      rnn->direction = bytes->OneOf(kDirections);
      return;
    case 3:
      rnn->activation = bytes->OneOf(kActivations);
      return;
    case 4:
      md = rnn->md[bytes->Below(kNumTensors)];
      return;
    case 5:
      rnn->prop = static_cast<dnnl::prop_kind>(32 * bytes->Below(7));
      return;
    default:
      Damage(bytes, &md);
      return;
  }
}

}  // namespace

RnnCase DecodeRnn(ByteSource* bytes) {
  constexpr DataType kTypes[] = {DataType::kF32, DataType::kBf16, DataType::kF16, DataType::kU8, DataType::kS8};
  RnnCase rnn;
  rnn.cell = static_cast<Cell>(bytes->Below(6));
  const int propagation = bytes->Below(3), direction = HasAttention(rnn.cell) ? 0 : bytes->Below(4);
  const DataType type = bytes->OneOf(kTypes);
  const bool peephole = rnn.cell == Cell::kLstm && bytes->OneIn(3);
  const bool projection = rnn.cell == Cell::kLstm && bytes->OneIn(3);
  const TestShape shape = DecodeShape(bytes, rnn.cell, projection);
  RnnProblem problem =
      MakeTestProblem(rnn.cell, static_cast<Propagation>(propagation), static_cast<Direction>(direction), type, shape);
  if (peephole) Add(&problem, shape, type, kWeightsPeephole);
  if (projection) Add(&problem, shape, type, kWeightsProjection);
  for (const Tensor tensor : {kBias, kSrcIter, kDstIter}) {
    if (!bytes->OneIn(4)) continue;
    problem.md[tensor] = problem.md[Diff(tensor)] = {};
    if (tensor == kBias) continue;
    const Tensor cell_state = tensor == kSrcIter ? kSrcIterC : kDstIterC;
    problem.md[cell_state] = problem.md[Diff(cell_state)] = {};
  }
  rnn.prop = kProps[propagation];
  rnn.direction = kDirections[direction];
  rnn.activation = kActivations[bytes->Below(3)];
  rnn.alpha = bytes->Float();
  for (int i = 0; i < kNumTensors; ++i) rnn.md[i] = memory::desc(problem.md[i]);
  if (bytes->OneIn(2)) {
    for (const Tensor tensor : {kWeightsLayer, kWeightsIter, kWeightsProjection}) {
      if (problem.Has(tensor)) rnn.md[tensor].data.format_kind = dnnl_format_kind_any;
    }
  }
  for (int n = bytes->Below(8); n > 0; --n) {
    memory::desc& md = rnn.md[bytes->Below(kNumTensors)];
    if (!md.is_zero()) md = DecodeLayout(bytes, md);
  }
  for (int n = bytes->Below(8) - 4; n > 0; --n) DamageCase(bytes, &rnn);
  return rnn;
}

}  // namespace fuzz
}  // namespace tandem
