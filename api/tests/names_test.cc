// The names of enumerators that dnnl_debug.h gives to log lines.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "dnnl.hpp"
#include "dnnl_debug.h"

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
  ExpectNames(dnnl_cpu_isa2str,
              std::vector<dnnl_cpu_isa_t>{dnnl_cpu_isa_default, dnnl_cpu_isa_sse41, dnnl_cpu_isa_avx, dnnl_cpu_isa_avx2,
                                          dnnl_cpu_isa_avx2_vnni, dnnl_cpu_isa_avx512_core,
                                          dnnl_cpu_isa_avx512_core_vnni, dnnl_cpu_isa_avx512_core_bf16,
                                          dnnl_cpu_isa_avx512_core_fp16, dnnl_cpu_isa_avx512_core_amx},
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

}  // namespace
