// A primitive is found in the cache only if all of its request is the same. Each test changes one thing at a time.
#include <gtest/gtest.h>
#include <omp.h>

#include <cctype>
#include <cstdlib>
#include <functional>
#include <string>

#include "api/core/environment_testing.h"
#include "api/tests/cache/cache_testing.h"

namespace tandem {
namespace testing {
namespace {

using dnnl::algorithm;
using dnnl::memory;
using dnnl::prop_kind;

struct TensorField {
  dnnl_memory_desc dnnl_rnn_desc_t::*member;
  int arg;
};
constexpr TensorField kForward[] = {
    {&dnnl_rnn_desc_t::src_layer_desc, DNNL_ARG_SRC_LAYER},
    {&dnnl_rnn_desc_t::src_iter_desc, DNNL_ARG_SRC_ITER},
    {&dnnl_rnn_desc_t::src_iter_c_desc, DNNL_ARG_SRC_ITER_C},
    {&dnnl_rnn_desc_t::augru_attention_desc, DNNL_ARG_AUGRU_ATTENTION},
    {&dnnl_rnn_desc_t::weights_layer_desc, DNNL_ARG_WEIGHTS_LAYER},
    {&dnnl_rnn_desc_t::weights_iter_desc, DNNL_ARG_WEIGHTS_ITER},
    {&dnnl_rnn_desc_t::weights_peephole_desc, DNNL_ARG_WEIGHTS_PEEPHOLE},
    {&dnnl_rnn_desc_t::weights_projection_desc, DNNL_ARG_WEIGHTS_PROJECTION},
    {&dnnl_rnn_desc_t::bias_desc, DNNL_ARG_BIAS},
    {&dnnl_rnn_desc_t::dst_layer_desc, DNNL_ARG_DST_LAYER},
    {&dnnl_rnn_desc_t::dst_iter_desc, DNNL_ARG_DST_ITER},
    {&dnnl_rnn_desc_t::dst_iter_c_desc, DNNL_ARG_DST_ITER_C},
};
constexpr TensorField kGradients[] = {
    {&dnnl_rnn_desc_t::diff_src_layer_desc, DNNL_ARG_DIFF_SRC_LAYER},
    {&dnnl_rnn_desc_t::diff_src_iter_desc, DNNL_ARG_DIFF_SRC_ITER},
    {&dnnl_rnn_desc_t::diff_src_iter_c_desc, DNNL_ARG_DIFF_SRC_ITER_C},
    {&dnnl_rnn_desc_t::diff_augru_attention_desc, DNNL_ARG_DIFF_AUGRU_ATTENTION},
    {&dnnl_rnn_desc_t::diff_weights_layer_desc, DNNL_ARG_DIFF_WEIGHTS_LAYER},
    {&dnnl_rnn_desc_t::diff_weights_iter_desc, DNNL_ARG_DIFF_WEIGHTS_ITER},
    {&dnnl_rnn_desc_t::diff_weights_peephole_desc, DNNL_ARG_DIFF_WEIGHTS_PEEPHOLE},
    {&dnnl_rnn_desc_t::diff_weights_projection_desc, DNNL_ARG_DIFF_WEIGHTS_PROJECTION},
    {&dnnl_rnn_desc_t::diff_bias_desc, DNNL_ARG_DIFF_BIAS},
    {&dnnl_rnn_desc_t::diff_dst_layer_desc, DNNL_ARG_DIFF_DST_LAYER},
    {&dnnl_rnn_desc_t::diff_dst_iter_desc, DNNL_ARG_DIFF_DST_ITER},
    {&dnnl_rnn_desc_t::diff_dst_iter_c_desc, DNNL_ARG_DIFF_DST_ITER_C},
};

// All that a client hands over, with dense layouts.
struct Request {
  dnnl_rnn_desc_t op = {};
  dnnl::primitive_attr attr;
  dnnl::primitive_desc hint;

  Request(const RnnCase& rnn, prop_kind prop) {
    op.primitive_kind = dnnl_rnn;
    op.prop_kind = dnnl::convert_to_c(prop);
    op.cell_kind = dnnl::convert_to_c(rnn.cell);
    op.direction = dnnl::convert_to_c(rnn.direction);
    if (rnn.cell == algorithm::vanilla_rnn) op.activation_kind = dnnl::convert_to_c(rnn.activation);
    for (const TensorField& tensor : kForward) Set(rnn, tensor);
    if (prop != prop_kind::backward) return;
    for (const TensorField& tensor : kGradients) Set(rnn, tensor);
    hint = Request(rnn, prop_kind::forward_training).Create();
  }
  dnnl::primitive_desc Create() const { return dnnl::primitive_desc(&op, &attr, Cpu(), hint.get(true)); }

 private:
  void Set(const RnnCase& rnn, const TensorField& tensor) {
    const memory::dims dims = rnn.Dims(tensor.arg);
    if (!dims.empty()) op.*tensor.member = memory::desc(dims, rnn.TypeOf(tensor.arg), memory::dims()).data;
  }
};

RnnCase Case(algorithm cell) {
  RnnCase rnn;
  rnn.cell = cell;
  rnn.layers = rnn.HasAttention() ? 1 : 2;
  rnn.steps = rnn.batch = 2;
  rnn.slc = rnn.dhc = 3;
  rnn.peephole = rnn.IsLstm();
  if (rnn.IsLstm()) rnn.slc = rnn.dic = 2;
  return rnn;
}

using Change = std::function<void(Request*)>;
struct NamedChange {
  const char* name;
  Change change;
};

// A primitive that is created with the change is not found for the request without it, nor the other way round.
void ExpectApart(const Request& request, const NamedChange& named) {
  SCOPED_TRACE(named.name);
  Request changed = request;
  dnnl_primitive_attr_t attr = nullptr;
  ASSERT_EQ(tandem_attr_clone(&attr, request.attr.get()), dnnl_success);
  changed.attr.reset(attr);
  named.change(&changed);
  const auto first = request.Create(), second = request.Create();
  const auto first_changed = changed.Create(), second_changed = changed.Create();
  EXPECT_EQ(ContentOf(first), ContentOf(second));
  EXPECT_EQ(ContentOf(first_changed), ContentOf(second_changed));
  EXPECT_NE(ContentOf(first), ContentOf(first_changed));
}

using PrimitiveCacheKey = PrimitiveCache;

TEST_F(PrimitiveCacheKey, TellsOperationsApart) {
  const Request vanilla(Case(algorithm::vanilla_rnn), prop_kind::forward_training);
  for (const NamedChange& change : std::vector<NamedChange>{
           {"prop_kind", [](Request* r) { r->op.prop_kind = dnnl_forward_inference; }},
           {"direction", [](Request* r) { r->op.direction = dnnl_unidirectional_right2left; }},
           {"activation", [](Request* r) { r->op.activation_kind = dnnl_eltwise_relu; }},
           {"flags", [](Request* r) { r->op.flags = dnnl_rnn_flags_diff_weights_overwrite; }},
           {"alpha", [](Request* r) { r->op.alpha = 0.5f; }},
           {"sign of alpha", [](Request* r) { r->op.alpha = -0.f; }},
           {"beta", [](Request* r) { r->op.beta = 0.5f; }},
       }) {
    ExpectApart(vanilla, change);
  }
  RnnCase gru = Case(algorithm::vanilla_gru);
  gru.bias = false;
  ExpectApart(Request(gru, prop_kind::forward_inference), {"cell", [](Request* r) { r->op.cell_kind = dnnl_lbr_gru; }});
  // The same backward of another forward, whose implementation it must be.
  ExpectApart(Request(gru, prop_kind::backward), {"hint", [](Request* r) {
                                                    Request forward = *r;
                                                    forward.op.prop_kind = dnnl_forward_training;
                                                    for (const TensorField& tensor : kGradients)
                                                      forward.op.*tensor.member = {};
                                                    forward.hint = {};
                                                    r->hint = forward.Create();
                                                    ASSERT_TRUE(r->hint.next_impl());
                                                  }});
}

// The name of a primitive for a client's own cache.
TEST_F(PrimitiveCacheKey, OfAClientTellsOperationsAndImplementationsApart) {
  const Request vanilla(Case(algorithm::vanilla_rnn), prop_kind::forward_training);
  const auto id = vanilla.Create().get_cache_blob_id();
  EXPECT_EQ(vanilla.Create().get_cache_blob_id(), id);
  for (const NamedChange& named : std::vector<NamedChange>{
           {"prop_kind", [](Request* r) { r->op.prop_kind = dnnl_forward_inference; }},
           {"direction", [](Request* r) { r->op.direction = dnnl_unidirectional_right2left; }},
           {"activation", [](Request* r) { r->op.activation_kind = dnnl_eltwise_relu; }},
           {"flags", [](Request* r) { r->op.flags = dnnl_rnn_flags_diff_weights_overwrite; }},
           {"alpha", [](Request* r) { r->op.alpha = 0.5f; }},
           {"beta", [](Request* r) { r->op.beta = 0.5f; }},
           {"scratchpad", [](Request* r) { r->attr.set_scratchpad_mode(dnnl::scratchpad_mode::user); }},
       }) {
    Request changed(Case(algorithm::vanilla_rnn), prop_kind::forward_training);
    named.change(&changed);
    EXPECT_NE(changed.Create().get_cache_blob_id(), id) << named.name;
  }
  auto other = vanilla.Create();
  ASSERT_TRUE(other.next_impl());
  EXPECT_NE(other.get_cache_blob_id(), id);
}

void ExpectTensorsApart(const RnnCase& rnn) {
  const Request backward(rnn, prop_kind::backward);
  for (const auto* tensors : {&kForward, &kGradients}) {
    for (const TensorField& tensor : *tensors) {
      if ((backward.op.*tensor.member).ndims == 0) continue;
      SCOPED_TRACE(tensor.arg);
      ExpectApart(backward, {"offset", [&](Request* r) { (r->op.*tensor.member).offset0 = 64; }});
      ExpectApart(backward, {"flags of extra", [&](Request* r) { (r->op.*tensor.member).extra.flags = 1; }});
      ExpectApart(backward,
                  {"stride", [&](Request* r) { (r->op.*tensor.member).format_desc.blocking.strides[0] += 64; }});
    }
  }
}

TEST_F(PrimitiveCacheKey, TellsTensorsApart) {
  ExpectTensorsApart(Case(algorithm::vanilla_lstm));
  ExpectTensorsApart(Case(algorithm::vanilla_augru));
  const RnnCase rnn = Case(algorithm::vanilla_lstm);
  RnnCase batch = rnn, type = rnn;
  batch.batch = 3;
  type.type = memory::data_type::bf16;
  const Request request(rnn, prop_kind::forward_inference);
  for (const NamedChange& change : std::vector<NamedChange>{
           {"dims", [&](Request* r) { r->op = Request(batch, prop_kind::forward_inference).op; }},
           {"type", [&](Request* r) { r->op = Request(type, prop_kind::forward_inference).op; }},
           {"none", [](Request* r) { r->op.bias_desc = {}; }},
           {"any", [](Request* r) { r->op.weights_iter_desc.format_kind = dnnl_format_kind_any; }},
       }) {
    ExpectApart(request, change);
  }
}

// api/library/primitives/id_builder_test.cc tries each field of the attributes; here are those beside them.
TEST_F(PrimitiveCacheKey, TellsAttributesApart) {
  const Request request(Case(algorithm::vanilla_gru), prop_kind::forward_inference);
  for (const NamedChange& change : std::vector<NamedChange>{
           {"scratchpad", [](Request* r) { r->attr.set_scratchpad_mode(dnnl::scratchpad_mode::user); }},
           {"accumulation", [](Request* r) { r->attr.set_accumulation_mode(dnnl::accumulation_mode::any); }},
           {"deterministic", [](Request* r) { r->attr.set_deterministic(true); }},
       }) {
    ExpectApart(request, change);
  }
}

using AttrChange = std::function<void(dnnl::primitive_attr*)>;

TEST_F(PrimitiveCacheKey, TellsReordersApart) {
  using Type = memory::data_type;
  const memory::dims dims = {3, 3};
  const std::vector<AttrChange> changes = {
      [](dnnl::primitive_attr*) {},
      [](dnnl::primitive_attr* a) { a->set_scales_mask(DNNL_ARG_SRC, 0); },
      [](dnnl::primitive_attr* a) { a->set_scratchpad_mode(dnnl::scratchpad_mode::user); },
      [](dnnl::primitive_attr* a) { a->set_deterministic(true); },
  };
  std::vector<dnnl::reorder::primitive_desc> made;
  for (int round = 0; round < 2; ++round) {
    size_t index = 0;
    const auto add = [&](const memory::desc& src, const memory::desc& dst, const AttrChange& change) {
      dnnl::primitive_attr attr;
      change(&attr);
      const dnnl::reorder::primitive_desc pd(Cpu(), src, Cpu(), dst, attr);
      if (round == 0) {
        for (const auto& other : made) EXPECT_NE(ContentOf(pd), ContentOf(other)) << index;
        made.push_back(pd);
      } else {
        EXPECT_EQ(ContentOf(pd), ContentOf(made[index])) << index;
      }
      ++index;
    };
    const memory::desc src(dims, Type::f32, {3, 1}), dst(dims, Type::s8, {3, 1});
    for (const AttrChange& change : changes) add(src, dst, change);
    add(memory::desc(dims, Type::f32, {1, 3}), dst, changes[0]);
    add(src, memory::desc(dims, Type::s8, {1, 3}), changes[0]);
    add(src, memory::desc(dims, Type::u8, {3, 1}), changes[0]);
  }
}

TEST_F(PrimitiveCacheKey, TellsSettingsOfTheProcessApart) {
  const Request request(Case(algorithm::vanilla_gru), prop_kind::forward_inference);
  const auto usual = request.Create();
  std::string target = usual.impl_info_str();  // "hwy:avx2"
  target.erase(0, target.find(':') + 1);
  const char* given = std::getenv("TANDEM_TARGET");
  if (given != nullptr && target == given) target[0] = static_cast<char>(std::toupper(target[0]));
  const std::pair<const char*, std::string> variables[] = {{"TANDEM_IMPL", "reference"},
                                                           {"TANDEM_TARGET", target},
                                                           {"TANDEM_DIVISION", "1x2x1"},
                                                           {"TANDEM_TUNING", "barrier=900"},
                                                           {"OMP_WAIT_POLICY", "passive"}};
  for (const auto& [name, value] : variables) {
    SCOPED_TRACE(name);
    const ScopedVariable variable(name, value);
    const auto first = request.Create(), second = request.Create();
    EXPECT_NE(ContentOf(first), ContentOf(usual));
    EXPECT_EQ(ContentOf(first), ContentOf(second));
  }
  const int threads = omp_get_max_threads();
  omp_set_num_threads(threads + 1);
  EXPECT_NE(ContentOf(request.Create()), ContentOf(usual));
  omp_set_num_threads(threads);
  EXPECT_EQ(ContentOf(request.Create()), ContentOf(usual));
  // A default of new attributes is an attribute.
  dnnl::set_default_fpmath_mode(dnnl::fpmath_mode::bf16);
  const dnnl::primitive_desc with_mode(&request.op, nullptr, Cpu(), nullptr);
  dnnl::set_default_fpmath_mode(dnnl::fpmath_mode::strict);
  EXPECT_NE(ContentOf(with_mode), ContentOf(dnnl::primitive_desc(&request.op, nullptr, Cpu(), nullptr)));
}

}  // namespace
}  // namespace testing
}  // namespace tandem
