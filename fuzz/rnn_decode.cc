#include <iterator>

#include "api/core/rnn/rnn_problem_testing.h"
#include "fuzz/decode.h"
#include "fuzz/rnn_case.h"

namespace tandem {
namespace fuzz {
namespace {

using dnnl::memory;

// This is a value of ours with the API's. Their order is part of the corpus: a byte chooses by index.
template <class Ours, class Api>
struct Pair {
  Ours ours;
  Api api;
};
constexpr Pair<Propagation, dnnl::prop_kind> kPropagations[] = {
    {Propagation::kForwardInference, dnnl::prop_kind::forward_inference},
    {Propagation::kForwardTraining, dnnl::prop_kind::forward_training},
    {Propagation::kBackward, dnnl::prop_kind::backward},
};
constexpr Pair<Direction, dnnl::rnn_direction> kDirections[] = {
    {Direction::kLeft2Right, dnnl::rnn_direction::left2right},
    {Direction::kRight2Left, dnnl::rnn_direction::right2left},
    {Direction::kBidirectionalConcat, dnnl::rnn_direction::bidirectional_concat},
    {Direction::kBidirectionalSum, dnnl::rnn_direction::bidirectional_sum},
};
constexpr dnnl::algorithm kActivations[] = {
    dnnl::algorithm::eltwise_tanh,        dnnl::algorithm::eltwise_relu,
    dnnl::algorithm::eltwise_logistic,    dnnl::algorithm::eltwise_thresholded_relu,
    dnnl::algorithm::eltwise_hardsigmoid, dnnl::algorithm::eltwise_softsign,
    dnnl::algorithm::eltwise_soft_relu,   dnnl::algorithm::eltwise_elu,
    dnnl::algorithm::eltwise_linear,      dnnl::algorithm::eltwise_scaled_tanh};
static_assert(std::size(kActivations) == tandem::kActivations.size(), "each activation is tried");
// The list has one value that RNN does not have.
constexpr dnnl::rnn_direction kDamagedDirections[] = {
    dnnl::rnn_direction::left2right, dnnl::rnn_direction::right2left, dnnl::rnn_direction::bidirectional_concat,
    dnnl::rnn_direction::bidirectional_sum, dnnl::rnn_direction::undef};
constexpr dnnl::algorithm kDamagedActivations[] = {dnnl::algorithm::eltwise_tanh, dnnl::algorithm::eltwise_relu,
                                                   dnnl::algorithm::eltwise_logistic, dnnl::algorithm::eltwise_abs};

// Channels are also around 16, the lanes of a vector, where padding begins.
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
      rnn->direction = bytes->OneOf(kDamagedDirections);
      return;
    case 3:
      rnn->activation = bytes->OneOf(kDamagedActivations);
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

RnnCase DecodeRnn(ByteSource* bytes, Problems problems) {
  constexpr DataType kTypes[] = {DataType::kF32, DataType::kBf16, DataType::kF16, DataType::kU8, DataType::kS8};
  RnnCase rnn;
  rnn.cell = kCells[static_cast<size_t>(bytes->Below(kNumCells))];
  auto propagation = bytes->OneOf(kPropagations);
  auto direction = HasAttention(rnn.cell) ? kDirections[0] : bytes->OneOf(kDirections);
  if (problems == Problems::kStepped) {
    propagation = kPropagations[0];
    direction = kDirections[0];
  }
  const DataType type = bytes->OneOf(kTypes);
  const bool peephole = HasCellState(rnn.cell) && bytes->OneIn(3);
  const bool projection = HasCellState(rnn.cell) && bytes->OneIn(3);
  const TestShape shape = DecodeShape(bytes, rnn.cell, projection);
  RnnProblem problem = MakeTestProblem(rnn.cell, propagation.ours, direction.ours, type, shape);
  if (peephole) Add(&problem, shape, type, kWeightsPeephole);
  if (projection) Add(&problem, shape, type, kWeightsProjection);
  for (const Tensor tensor : {kBias, kSrcIter, kDstIter}) {
    if (!bytes->OneIn(4)) continue;
    problem.md[tensor] = problem.md[Diff(tensor)] = {};
    if (tensor == kBias) continue;
    const Tensor cell_state = tensor == kSrcIter ? kSrcIterC : kDstIterC;
    problem.md[cell_state] = problem.md[Diff(cell_state)] = {};
  }
  rnn.prop = propagation.api;
  rnn.direction = direction.api;
  rnn.activation = bytes->OneOf(kActivations);
  rnn.alpha = bytes->Float();
  rnn.beta = bytes->Float();
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
