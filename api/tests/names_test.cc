// The names of things: those of enumerators that dnnl_debug.h gives to log lines; in messages, the object that is empty and its
// role, enumerators and arguments. The tests of the checks have the messages about dims, types and layouts.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "api/tests/expect_error_testing.h"
#include "api/tests/rnn_client_testing.h"
#include "dnnl_debug.h"

namespace tandem {
namespace testing {
namespace {

// Each of `values` has a name of its own, and `no_value` has none.
template <class Name, class Value>
void ExpectNames(Name name, const std::vector<Value>& values, Value no_value) {
  std::set<std::string> names;
  for (const Value value : values) {
    EXPECT_STRNE(name(value), "unknown") << static_cast<int>(value);
    EXPECT_TRUE(names.insert(name(value)).second) << name(value);
  }
  EXPECT_STREQ(name(no_value), "unknown");
}

TEST(Names, OfEnumeratorsAreTheirOwn) {
  ExpectNames(dnnl_rnn_flags2str,
              std::vector<dnnl_rnn_flags_t>{dnnl_rnn_flags_undef, dnnl_rnn_flags_diff_weights_overwrite},
              static_cast<dnnl_rnn_flags_t>(99));
  ExpectNames(dnnl_fpmath_mode2str,
              std::vector<dnnl_fpmath_mode_t>{dnnl_fpmath_mode_strict, dnnl_fpmath_mode_bf16, dnnl_fpmath_mode_f16,
                                              dnnl_fpmath_mode_any, dnnl_fpmath_mode_tf32},
              static_cast<dnnl_fpmath_mode_t>(99));
  ExpectNames(dnnl_scratchpad_mode2str,
              std::vector<dnnl_scratchpad_mode_t>{dnnl_scratchpad_mode_library, dnnl_scratchpad_mode_user},
              static_cast<dnnl_scratchpad_mode_t>(99));
  ExpectNames(
      dnnl_cpu_isa2str,
      std::vector<dnnl_cpu_isa_t>{dnnl_cpu_isa_default, dnnl_cpu_isa_sse41, dnnl_cpu_isa_avx, dnnl_cpu_isa_avx2,
                                  dnnl_cpu_isa_avx2_vnni, dnnl_cpu_isa_avx512_core, dnnl_cpu_isa_avx512_core_vnni,
                                  dnnl_cpu_isa_avx512_core_bf16, dnnl_cpu_isa_avx512_core_fp16,
                                  dnnl_cpu_isa_avx512_core_amx, dnnl_cpu_isa_avx10_2, dnnl_cpu_isa_avx10_2_amx_2},
      static_cast<dnnl_cpu_isa_t>(2));
  ExpectNames(dnnl_cpu_isa_hints2str, std::vector<dnnl_cpu_isa_hints_t>{dnnl_cpu_isa_no_hints, dnnl_cpu_isa_prefer_ymm},
              static_cast<dnnl_cpu_isa_hints_t>(99));
  ExpectNames(dnnl_runtime2str, std::vector<unsigned>{DNNL_RUNTIME_NONE, DNNL_RUNTIME_SEQ, DNNL_RUNTIME_OMP}, 99u);
}

TEST(Names, AreThoseOfTheHeaderWithoutItsPrefixes) {
  EXPECT_STREQ(dnnl_rnn_flags2str(dnnl_rnn_flags_diff_weights_overwrite), "diff_weights_overwrite");
  EXPECT_STREQ(dnnl_fpmath_mode2str(dnnl_fpmath_mode_bf16), "bf16");
  EXPECT_STREQ(dnnl_scratchpad_mode2str(dnnl_scratchpad_mode_user), "user");
  EXPECT_STREQ(dnnl_cpu_isa2str(dnnl_cpu_isa_avx2), "cpu_isa_avx2");
  EXPECT_STREQ(dnnl_cpu_isa_hints2str(dnnl_cpu_isa_prefer_ymm), "prefer_ymm");
  EXPECT_STREQ(dnnl_runtime2str(DNNL_RUNTIME_OMP), "OpenMP");
}

// tnc and ldigo are other names for orders of letters.
TEST(Names, OfFormatTagsAreTheOrderOfTheirDims) {
  EXPECT_STREQ(dnnl_fmt_tag2str(dnnl_format_tag_undef), "undef");
  EXPECT_STREQ(dnnl_fmt_tag2str(dnnl_format_tag_any), "any");
  EXPECT_STREQ(dnnl_fmt_tag2str(dnnl_tnc), "abc");
  EXPECT_STREQ(dnnl_fmt_tag2str(dnnl_ntc), "bac");
  EXPECT_STREQ(dnnl_fmt_tag2str(dnnl_ldigo), "abcde");
  EXPECT_STREQ(dnnl_fmt_tag2str(static_cast<dnnl_format_tag_t>(100000)), "unknown");
}

using dnnl::memory;
using tag = memory::format_tag;
using dt = memory::data_type;

const memory::desc kLayer({2, 3, 4}, dt::f32, tag::tnc), kWeights({1, 1, 4, 3, 4}, dt::f32, tag::any), kNone;

dnnl::gru_forward::primitive_desc Gru(const dnnl::engine& engine, const dnnl::primitive_attr& attr) {
  return {engine,
          dnnl::prop_kind::forward_inference,
          dnnl::rnn_direction::unidirectional_left2right,
          kLayer,
          kNone,
          kWeights,
          kWeights,
          kNone,
          kLayer,
          kNone,
          attr};
}

TEST(Messages, NameTheObjectThatIsEmpty) {
  const dnnl::stream stream(Cpu());
  const dnnl::gru_forward gru(Gru(Cpu(), dnnl::primitive_attr()));
  ExpectInvalid({"engine: is empty"}, [] { dnnl::engine().get_kind(); });
  ExpectInvalid({"stream: is empty"}, [] { dnnl::stream().wait(); });
  ExpectInvalid({"memory: is empty"}, [] { memory().get_desc(); });
  ExpectInvalid({"primitive descriptor: is empty"}, [] { dnnl::gru_forward::primitive_desc().impl_info_str(); });
  ExpectInvalid({"primitive: is empty"}, [] { dnnl::gru_forward().get_primitive_desc(); });
  ExpectInvalid({"attributes: is empty"}, [] {
    dnnl::primitive_attr attr, other(std::move(attr));
    attr.get_scales_mask(DNNL_ARG_SRC);
  });
  ExpectInvalid({"post_ops: is empty"}, [] {
    dnnl::post_ops ops, other(std::move(ops));
    dnnl::primitive_attr().set_post_ops(ops);
  });
}

TEST(Messages, NameTheRoleOfTheObjectThatIsEmpty) {
  const dnnl::stream stream(Cpu());
  const dnnl::gru_forward gru(Gru(Cpu(), dnnl::primitive_attr()));
  ExpectInvalid({"stream: engine: is empty"}, [] { dnnl::stream s{dnnl::engine()}; });
  ExpectInvalid({"memory: engine: is empty"}, [] { memory m(kLayer, dnnl::engine()); });
  ExpectInvalid({"primitive descriptor: engine: is empty"}, [] { Gru(dnnl::engine(), dnnl::primitive_attr()); });
  ExpectInvalid({"reorder: dst engine: is empty"},
                [] { dnnl::reorder::primitive_desc(Cpu(), kLayer, dnnl::engine(), kLayer); });
  ExpectInvalid({"reorder: the memory dst is empty"}, [] { dnnl::reorder(memory(kLayer, Cpu()), memory()); });
  ExpectInvalid({"execute: stream: is empty"}, [&] { gru.execute(dnnl::stream(), {}); });
  ExpectInvalid({"execute: primitive: is empty"}, [&] { dnnl::gru_forward().execute(stream, {}); });
  EXPECT_EQ(tandem_engine_create(nullptr, dnnl_cpu, 0), dnnl_invalid_arguments);
  EXPECT_STREQ(tandem_last_error(), "engine: pointer for the new one: is empty, but a valid one is needed");
}

TEST(Messages, NameEnumerators) {
  const auto gru = Gru(Cpu(), dnnl::primitive_attr());
  ExpectInvalid({"query dims "}, [&] { gru.query_md(dnnl::query::dims); });
  ExpectInvalid({"query 100 "}, [&] { gru.query_md(static_cast<dnnl::query>(100)); });
  ExpectInvalid({"data type f64 "}, [] { memory::desc({2}, static_cast<dt>(dnnl_f64), tag::a); });
  ExpectInvalid({"data type 77 "}, [] { memory::desc({2}, static_cast<dt>(77), tag::a); });
  dnnl::primitive_attr s32;
  s32.set_accumulation_mode(dnnl::accumulation_mode::s32);
  ExpectUnimplemented({"accumulation mode: is s32"}, [&] { Gru(Cpu(), s32); });
  dnnl::post_ops ops;
  ops.append_eltwise(dnnl::algorithm::eltwise_tanh, 0.f, 0.f);
  dnnl::primitive_attr eltwise;
  eltwise.set_post_ops(ops);
  ExpectUnimplemented({"of kind eltwise"},
                      [&] { dnnl::reorder::primitive_desc(Cpu(), kLayer, Cpu(), kLayer, eltwise); });
}

// Only the C level can pass these.
TEST(Messages, NameEnumeratorsOfOperationDescriptors) {
  const auto expect = [](const char* words, tandem_rnn_kind_t kind) {
    dnnl_rnn_desc_t desc;
    EXPECT_NE(tandem_rnn_desc_init(&desc, sizeof desc, &kind, 0, nullptr, nullptr), dnnl_success);
    EXPECT_NE(std::string(tandem_last_error()).find(words), std::string::npos) << tandem_last_error();
  };
  tandem_rnn_kind_t kind = {};
  kind.prop_kind = dnnl_backward_data;
  expect("propagation kind: is backward_data, ", kind);
  kind.prop_kind = static_cast<dnnl_prop_kind_t>(99);
  expect("propagation kind: is 99, ", kind);
  kind.prop_kind = dnnl_forward_inference;
  kind.cell_kind = dnnl_eltwise_tanh;
  expect("cell kind: is eltwise_tanh, ", kind);
  kind.cell_kind = dnnl_vanilla_rnn;
  expect("direction: is undef, but must be unidirectional_left2right", kind);
  kind.direction = dnnl_unidirectional_left2right;
  kind.activation_kind = dnnl_eltwise_abs;
  expect("activation: is eltwise_abs, ", kind);
}

TEST(Messages, NameArguments) {
  struct Case {
    int arg;
    const char* name;
  };
  for (const Case& c :
       {Case{DNNL_ARG_BIAS, "argument DNNL_ARG_BIAS (41)"}, Case{DNNL_ARG_SRC_1, "argument DNNL_ARG_SRC_1 (2)"},
        Case{DNNL_ARG_MULTIPLE_SRC + 3, "argument DNNL_ARG_MULTIPLE_SRC + 3 (1027)"},
        Case{DNNL_ARG_ATTR_MULTIPLE_POST_OP(1) | DNNL_ARG_SRC_1, "post-op 1's DNNL_ARG_SRC_1 (65538)"},
        Case{16, "argument 16,"}}) {
    dnnl::primitive_attr attr;
    attr.set_scales_mask(c.arg, 0);
    ExpectUnimplemented({c.name}, [&] { Gru(Cpu(), attr); });
    ExpectUnimplemented({c.name, "DNNL_ARG_SRC (1)", "DNNL_ARG_DST (17)"},
                        [&] { dnnl::reorder::primitive_desc(Cpu(), kLayer, Cpu(), kLayer, attr); });
  }
  dnnl::primitive_attr attr;
  ExpectInvalid({"DNNL_ARG_WORKSPACE (64)"}, [&] { attr.set_scales_mask(DNNL_ARG_WORKSPACE, 0); });
  ExpectInvalid({"rnn_weights_qparams: 0 scales"}, [&] { attr.set_rnn_weights_qparams(0, {}); });
  ExpectInvalid({"rnn_weights_projection_qparams: mask"}, [&] { attr.set_rnn_weights_projection_qparams(-1, {1.f}); });
}

TEST(Messages, NameDimsOfMasksAndNumbersThatAreNotZero) {
  const memory::desc bytes({2, 3, 4}, dt::u8, tag::tnc), weights({1, 1, 4, 3, 4}, dt::s8, tag::any);
  const auto make = [&](const dnnl::primitive_attr& attr) {
    dnnl::gru_forward::primitive_desc(Cpu(), dnnl::prop_kind::forward_inference,
                                      dnnl::rnn_direction::unidirectional_left2right, bytes, kNone, weights, weights,
                                      kNone, bytes, kNone, attr);
  };
  dnnl::primitive_attr mask, subnormal;
  mask.set_rnn_weights_qparams(8, std::vector<float>(3, 1.f));
  ExpectUnimplemented({"mask is 8 (dim 3), but must be 0 or 24 (dims 3, 4)"}, [&] { make(mask); });
  subnormal.set_rnn_data_qparams(1e-39f, 0.f);
  ExpectInvalid({"scale: is 1e-39, "}, [&] { make(subnormal); });
}

TEST(Messages, NameTheOnlyFlagWhereAnotherIsGiven) {
  const auto make = [](unsigned flags) {
    return dnnl::gru_backward::desc(dnnl::prop_kind::backward, dnnl::rnn_direction::unidirectional_left2right, kLayer,
                                    kNone, kWeights, kWeights, kNone, kLayer, kNone, kLayer, kNone, kWeights, kWeights,
                                    kNone, kLayer, kNone, static_cast<dnnl::rnn_flags>(flags));
  };
  EXPECT_NO_THROW(make(dnnl_rnn_flags_diff_weights_overwrite));
  for (const unsigned flags : {2u, 3u, 0x80000000u}) {
    ExpectInvalid({std::to_string(flags).c_str(), "diff_weights_overwrite"}, [&] { make(flags); });
  }
}

}  // namespace
}  // namespace testing
}  // namespace tandem
