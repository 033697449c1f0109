// The place of a row in the batch and the layout of tensors do not change results; bit for bit, for every implementation, cell
// and type.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "api/tests/client_targets_testing.h"
#include "api/tests/metamorphic/random_rnn_testing.h"

namespace tandem {
namespace testing {
namespace {

using dnnl::memory;

// The dim of the batch: (t, n, c) and (l, d, n, c); -1 for tensors without one.
int BatchDim(int arg) {
  switch (arg) {
    case DNNL_ARG_SRC_LAYER:
    case DNNL_ARG_DST_LAYER:
    case DNNL_ARG_AUGRU_ATTENTION:
      return 1;
    case DNNL_ARG_SRC_ITER:
    case DNNL_ARG_SRC_ITER_C:
    case DNNL_ARG_DST_ITER:
    case DNNL_ARG_DST_ITER_C:
      return 2;
  }
  return -1;
}

Tensors Permuted(const RnnCase& rnn, Tensors tensors, const std::vector<size_t>& order) {
  for (auto& tensor : tensors) {
    const int dim = BatchDim(tensor.first);
    if (dim >= 0) tensor.second = Gather(tensor.second, rnn.Dims(tensor.first), dim, order);
  }
  return tensors;
}

class Batch : public OnEachTarget {};
INSTANTIATE_TEST_SUITE_P(Targets, Batch, ClientTargets(), NameOfTarget);

TEST_P(Batch, PermutingRowsPermutesResults) {
  EXPECT_TRUE(rc::check([] {
    const RnnCase rnn = ArbitraryCase();
    const Tensors inputs = RandomInputs(rnn);
    std::vector<size_t> order = Range(0, rnn.batch);
    const size_t turn = *rc::gen::inRange<size_t>(0, rnn.batch);
    std::rotate(order.begin(), order.begin() + turn, order.end());
    if (*rc::gen::arbitrary<bool>()) std::reverse(order.begin(), order.end());
    ForEachForward(rnn, [&](const dnnl::primitive_desc& pd) {
      ExpectEqual(testing::Run(rnn, pd, Permuted(rnn, inputs, order)),
                  Permuted(rnn, testing::Run(rnn, pd, inputs), order));
    });
  }));
}

// Dims from the innermost in memory outwards, each row padded by `gap` elements.
memory::desc Padded(const memory::dims& dims, memory::data_type type, std::vector<size_t> order, memory::dim gap) {
  memory::dims strides(dims.size());
  memory::dim stride = 1;
  for (const size_t dim : order) {
    strides[dim] = stride;
    stride = stride * dims[dim] + gap;
  }
  return memory::desc(dims, type, strides);
}

// The layouts that spec/rnn.txt lists for the tensor, as orders of dims from the innermost; of bias and peephole also one
// that it does not list, because any strides are served.
std::vector<std::vector<size_t>> OrdersOf(int arg) {
  switch (arg) {
    case DNNL_ARG_SRC_LAYER:
    case DNNL_ARG_DST_LAYER:
    case DNNL_ARG_AUGRU_ATTENTION:
      return {{2, 1, 0}, {2, 0, 1}};  // tnc, ntc
    case DNNL_ARG_WEIGHTS_LAYER:
    case DNNL_ARG_WEIGHTS_ITER:
      return {{4, 3, 2, 1, 0}, {2, 4, 3, 1, 0}};  // ldigo, ldgoi
    case DNNL_ARG_WEIGHTS_PROJECTION:
      return {{3, 2, 1, 0}, {2, 3, 1, 0}};  // ldio, ldoi
    case DNNL_ARG_BIAS:
    case DNNL_ARG_WEIGHTS_PEEPHOLE:
      return {{3, 2, 1, 0}, {2, 3, 1, 0}};  // ldgo, ldog
  }
  return {{3, 2, 1, 0}};  // ldnc
}

class Layout : public OnEachTarget {};
INSTANTIATE_TEST_SUITE_P(Targets, Layout, ClientTargets(), NameOfTarget);

TEST_P(Layout, PlainLayoutsGiveTheResultsOfAny) {
  EXPECT_TRUE(rc::check([] {
    const RnnCase any = ArbitraryCase();
    RnnCase plain = any;
    std::vector<int> args = InputsOf(any);
    for (const int arg : OutputsOf(any)) args.push_back(arg);
    for (const int arg : args) {
      const auto order = *rc::gen::elementOf(OrdersOf(arg));
      const memory::dim gap = *rc::gen::element(0, 0, 1, 3);
      plain.layouts[arg] = Padded(any.Dims(arg), any.TypeOf(arg), order, gap);
    }
    const Tensors inputs = RandomInputs(any);
    ForEachForward(plain, [&](const dnnl::primitive_desc& pd) {
      const auto other = SameImplementation(pd, any, dnnl::prop_kind::forward_inference);
      ExpectEqual(testing::Run(plain, pd, inputs), testing::Run(any, other, inputs));
    });
  }));
}

// ldigo is what spec/rnn.txt lists for forward, ldgoi for backward; each is served in both.
TEST_P(Layout, PlainWeightsGiveTheGradientsOfAny) {
  EXPECT_TRUE(rc::check([] {
    constexpr int kDiff = DNNL_ARG_DIFF_SRC_0 - DNNL_ARG_SRC_0;
    const RnnCase any = ArbitraryCase();
    RnnCase plain = any;
    for (const int arg : {DNNL_ARG_WEIGHTS_LAYER, DNNL_ARG_WEIGHTS_ITER, DNNL_ARG_WEIGHTS_PROJECTION}) {
      if (any.Dims(arg).empty()) continue;
      plain.layouts[arg] = Padded(any.Dims(arg), any.TypeOf(arg), *rc::gen::elementOf(OrdersOf(arg)), 0);
    }
    Tensors inputs = RandomInputs(any);
    for (const int arg : OutputsOf(any)) inputs[arg + kDiff] = RandomValues(CountOf(any.Dims(arg)), 1.f);
    constexpr auto kOverwrite = dnnl::rnn_flags::diff_weights_overwrite;
    const auto property = [&](const dnnl::primitive_desc& pd) {
      const auto other = SameImplementation(pd, any, dnnl::prop_kind::forward_training);
      ExpectEqual(Train(plain, pd, inputs, kOverwrite), Train(any, other, inputs, kOverwrite));
    };
    ForEachForward(plain, property, dnnl::prop_kind::forward_training);
  }));
}

TEST_P(Layout, PlainLayoutsOfGradientsGiveTheGradientsOfAny) {
  EXPECT_TRUE(rc::check([] {
    constexpr int kDiff = DNNL_ARG_DIFF_SRC_0 - DNNL_ARG_SRC_0;
    const RnnCase any = ArbitraryCase();
    RnnCase plain = any;
    Tensors inputs = RandomInputs(any);
    std::vector<int> args = InputsOf(any);
    for (const int arg : OutputsOf(any)) {
      args.push_back(arg);
      inputs[arg + kDiff] = RandomValues(CountOf(any.Dims(arg)), 1.f);
    }
    for (const int arg : args) {
      const auto order = *rc::gen::elementOf(OrdersOf(arg));
      const memory::dim gap = *rc::gen::element(0, 0, 1, 3);
      plain.layouts[arg + kDiff] = Padded(any.Dims(arg), any.TypeOf(arg + kDiff), order, gap);
    }
    constexpr auto kOverwrite = dnnl::rnn_flags::diff_weights_overwrite;
    const auto property = [&](const dnnl::primitive_desc& pd) {
      ExpectEqual(Train(plain, pd, inputs, kOverwrite), Train(any, pd, inputs, kOverwrite));
    };
    ForEachForward(any, property, dnnl::prop_kind::forward_training);
  }));
}

// src_layer and dst_layer as windows of larger tensors: offset0 and the parent's strides.
TEST_P(Layout, SubmemoryGivesTheResultsOfAny) {
  EXPECT_TRUE(rc::check([] {
    const RnnCase any = ArbitraryCase();
    RnnCase view = any;
    for (const int arg : {DNNL_ARG_SRC_LAYER, DNNL_ARG_DST_LAYER}) {
      const memory::dims dims = any.Dims(arg);
      memory::dims parent = dims, offsets;
      for (memory::dim& dim : parent) {
        offsets.push_back(*rc::gen::inRange(0, 3));
        dim += offsets.back() + *rc::gen::inRange(0, 3);
      }
      const memory::desc whole(parent, any.TypeOf(arg), memory::format_tag::tnc);
      view.layouts[arg] = whole.submemory_desc(dims, offsets);
    }
    const Tensors inputs = RandomInputs(any);
    ForEachForward(view, [&](const dnnl::primitive_desc& pd) {
      const auto other = SameImplementation(pd, any, dnnl::prop_kind::forward_inference);
      ExpectEqual(testing::Run(view, pd, inputs), testing::Run(any, other, inputs));
    });
  }));
}

}  // namespace
}  // namespace testing
}  // namespace tandem
