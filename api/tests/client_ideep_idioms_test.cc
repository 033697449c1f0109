// The tensor, attribute and RNN classes of ideep, the layer below PyTorch, do this with the headers of generation 3. Compiled as
// C++11 by GCC and clang (headers_test.sh), built and run here.
#define DNNL_VERSION_MAJOR 3
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <type_traits>

#include "dnnl.hpp"

namespace {

static_assert(std::is_same<dnnl_memory_desc_t, struct dnnl_memory_desc*>::value, "generation 3 has a pointer");
static_assert(std::is_same<const_dnnl_memory_desc_t, const struct dnnl_memory_desc*>::value, "and one to const");

using dims = dnnl::memory::dims;
using data_type = dnnl::memory::data_type;
using tag = dnnl::memory::format_tag;
using algorithm = dnnl::algorithm;

// A descriptor class that reads the library's by C queries.
struct Desc : public dnnl::memory::desc {
  using dnnl::memory::desc::desc;
  // The base has member functions of these names.
  using dims = dnnl::memory::dims;
  using data_type = dnnl::memory::data_type;
  Desc(const dnnl::memory::desc& md) : dnnl::memory::desc(md) {}

  static dims Query(const_dnnl_memory_desc_t md, dnnl_query_t what) {
    int ndims = 0;
    dnnl::error::wrap_c_api(dnnl_memory_desc_query(md, dnnl_query_ndims_s32, &ndims), "could not get ndims");
    dnnl_dims_t* values = nullptr;
    dnnl::error::wrap_c_api(dnnl_memory_desc_query(md, what, &values), "could not get dims");
    return dims(*values, *values + ndims);
  }
  dims Strides() const { return Query(get(), dnnl_query_strides); }
  dims PaddedDims() const { return Query(get(), dnnl_query_padded_dims); }
};

// A memory whose constructor goes through the C level, as handles of several libraries do.
struct Tensor : public dnnl::memory {
  Tensor(const Desc& md, const dnnl::engine& engine, void* data) {
    dnnl_memory_desc_t pointer = md.get();
    dnnl_memory_t result = nullptr;
    dnnl::error::wrap_c_api(dnnl_memory_create(&result, pointer, engine.get(), data), "could not create a memory");
    reset(result);
  }
};

struct Attr : public dnnl::primitive_attr {
  Attr() = default;
  Attr(const Attr& other) : dnnl::primitive_attr(other) {
    dnnl_primitive_attr_t copy = nullptr;
    dnnl::error::wrap_c_api(dnnl_primitive_attr_clone(&copy, other.get()), "could not clone");
    reset(copy);
  }
  static Attr Fused(algorithm kind, float alpha) {
    Attr attr;
    dnnl::post_ops ops;
    ops.append_eltwise(kind, alpha, 0.f);
    attr.set_post_ops(ops);
    return attr;
  }
  static bool IsUnary(algorithm kind) {
    for (const algorithm unary : {algorithm::eltwise_relu, algorithm::eltwise_tanh, algorithm::eltwise_gelu_erf,
                                  algorithm::eltwise_hardswish, algorithm::eltwise_swish, algorithm::eltwise_mish}) {
      if (kind == unary) return true;
    }
    return false;
  }
};

// Other primitives are derived from, and their descriptors passed and kept by value.
struct Sum : public dnnl::binary {
  using super = dnnl::binary;
  static primitive_desc Describe(const Desc& a, const Desc& b, const dnnl::engine& engine, bool allow_empty) {
    return primitive_desc(engine, algorithm::binary_add, a, b, a, Attr(), allow_empty);
  }
  primitive_desc kept;
};

struct Lstm : public dnnl::lstm_forward {
  using super = dnnl::lstm_forward;
  static void Compute(Tensor* src, Tensor* weights_layer, Tensor* weights_iter, Tensor* dst) {
    const dnnl::engine engine = src->get_engine();
    dnnl::stream stream(engine);
    Attr attr;
    attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    const Desc none;
    const primitive_desc pd(engine, dnnl::prop_kind::forward_inference, dnnl::rnn_direction::unidirectional_left2right,
                            src->get_desc(), none, none, weights_layer->get_desc(), weights_iter->get_desc(), none,
                            dst->get_desc(), none, none, attr);
    dnnl::memory scratchpad(pd.scratchpad_desc(), engine);
    super(pd).execute(stream, {{DNNL_ARG_SRC_LAYER, *src},
                               {DNNL_ARG_WEIGHTS_LAYER, *weights_layer},
                               {DNNL_ARG_WEIGHTS_ITER, *weights_iter},
                               {DNNL_ARG_DST_LAYER, *dst},
                               {DNNL_ARG_SCRATCHPAD, scratchpad}});
  }
};

class Ideep : public ::testing::Test {
 protected:
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
};

TEST_F(Ideep, DescriptorsAreReadByQueries) {
  const Desc md(dims{2, 3, 4}, data_type::f32, tag::ntc);
  EXPECT_EQ(Desc::Query(md.get(), dnnl_query_dims), (dims{2, 3, 4}));
  EXPECT_EQ(md.Strides(), (dims{4, 8, 1}));
  EXPECT_EQ(md.PaddedDims(), (dims{2, 3, 4}));
  EXPECT_THROW(Desc::Query(md.get(), dnnl_query_impl_info_str), dnnl::error);
}

// An object that a C function made belongs to the class that is made of it. The build with AddressSanitizer sees a leak, and a
// descriptor that is destroyed twice.
TEST_F(Ideep, DescriptorsTakeOverWhatACFunctionMade) {
  const dnnl::memory::desc original({2, 3}, data_type::f32, tag::ab);
  dnnl_memory_desc_t made = nullptr;
  ASSERT_EQ(dnnl_memory_desc_clone(&made, original.get()), dnnl_success);
  EXPECT_EQ(dnnl::memory::desc(made), original);
  const_dnnl_memory_desc_t borrowed = original.get();
  EXPECT_EQ(dnnl::memory::desc(borrowed), original);
}

TEST_F(Ideep, AttributesAreClonedAndGrow) {
  Attr original = Attr::Fused(algorithm::eltwise_swish, 0.5f);
  Attr copy = original;
  EXPECT_EQ(dnnl_primitive_attr_set_fpmath_mode(copy.get(), dnnl_fpmath_mode_bf16), dnnl_success);
  EXPECT_EQ(copy.get_fpmath_mode(), dnnl::fpmath_mode::bf16);
  EXPECT_EQ(original.get_fpmath_mode(), dnnl::fpmath_mode::strict);
  const dnnl::post_ops ops = copy.get_post_ops();
  ASSERT_EQ(ops.len(), 1);
  EXPECT_EQ(ops.kind(0), dnnl::primitive::kind::eltwise);
  algorithm kind = algorithm::undef;
  float alpha = 0.f, beta = -1.f;
  ops.get_params_eltwise(0, kind, alpha, beta);
  EXPECT_TRUE(Attr::IsUnary(kind));
  EXPECT_EQ(alpha, 0.5f);
  EXPECT_EQ(beta, 0.f);
}

TEST_F(Ideep, BinaryIsATypeAndUnimplemented) {
  const Desc md(dims{2, 3}, data_type::f32, tag::ab);
  try {
    Sum::Describe(md, md, engine, false);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const dnnl::error& e) {
    EXPECT_EQ(e.status, dnnl_unimplemented);
    EXPECT_NE(std::string(e.message).find("binary"), std::string::npos) << e.message;
  }
  Sum sum;
  sum.kept = Sum::Describe(md, md, engine, true);
  EXPECT_FALSE(sum.kept);
  EXPECT_THROW(dnnl::binary(sum.kept), dnnl::error);
}

TEST_F(Ideep, AnotherPrimitivesHandleIsNoBinary) {
  const dnnl::memory::desc md(dims{2, 3}, data_type::f32, tag::ab);
  const dnnl::reorder::primitive_desc reorder(engine, md, engine, md);
  EXPECT_THROW(dnnl::binary::primitive_desc{reorder.get()}, dnnl::error);
}

TEST_F(Ideep, AnLstmRunsOnTensorsOfTheCLevel) {
  // x = 2, all weights 0 but those of the candidate, which are 1: i = f = o = 1/2, c = tanh(2) / 2.
  float x = 2.f, h = -1.f, weights_layer[4] = {0, 0, 1, 0}, weights_iter[4] = {0, 0, 1, 0};
  const Desc data(dims{1, 1, 1}, data_type::f32, tag::tnc), weights(dims{1, 1, 1, 4, 1}, data_type::f32, tag::ldigo);
  Tensor src(data, engine, &x), dst(data, engine, &h);
  Tensor layer(weights, engine, weights_layer), iter(weights, engine, weights_iter);
  Lstm::Compute(&src, &layer, &iter, &dst);
  EXPECT_FLOAT_EQ(h, 0.5f * std::tanh(0.5f * std::tanh(2.f)));
}

TEST_F(Ideep, TheInstructionSetIsComparedWithNames) {
  const dnnl::cpu_isa isa = dnnl::get_effective_cpu_isa();
  const bool has_avx512 = isa >= dnnl::cpu_isa::avx512_core;
  EXPECT_TRUE(!has_avx512 || isa != dnnl::cpu_isa::avx2_vnni);
}

}  // namespace
