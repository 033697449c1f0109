// A reorder whose dims come with the execution does what one with those dims does, and takes no others.
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "api/tests/client_targets_testing.h"
#include "api/tests/expect_error_testing.h"
#include "dnnl.hpp"

namespace tandem {
namespace testing {
namespace {

using dnnl::memory;
constexpr memory::dim kRuntime = DNNL_RUNTIME_DIM_VAL;
constexpr auto kF32 = memory::data_type::f32;

class RuntimeReorder : public OnEachTarget {
 protected:
  const dnnl::engine cpu_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{cpu_};
  const memory::desc any_rows_{{kRuntime, 3}, kF32, memory::format_tag::ab};
  const memory::desc any_rows_transposed_{{kRuntime, 3}, memory::data_type::f32, memory::dims{kRuntime, kRuntime}};
};
INSTANTIATE_TEST_SUITE_P(Targets, RuntimeReorder, ClientTargets(), NameOfTarget);

TEST_P(RuntimeReorder, OneReorderServesEveryNumberOfRows) {
  const dnnl::reorder::primitive_desc pd(cpu_, any_rows_, cpu_, any_rows_transposed_);
  const dnnl::reorder reorder(pd);
  for (const memory::dim rows : {1, 2, 5, 33}) {
    const memory::desc from_md({rows, 3}, kF32, memory::format_tag::ab), to_md({rows, 3}, kF32, memory::format_tag::ba);
    std::vector<float> from(static_cast<size_t>(rows) * 3), to(from.size(), -1.f), known(from.size(), -2.f);
    std::iota(from.begin(), from.end(), 1.f);
    memory src(from_md, cpu_, from.data()), dst(to_md, cpu_, to.data()), known_dst(to_md, cpu_, known.data());
    reorder.execute(stream_, src, dst);
    dnnl::reorder(src, known_dst).execute(stream_, src, known_dst);
    EXPECT_EQ(to, known) << rows << " rows";
    EXPECT_EQ(to[rows - 1], from[(rows - 1) * 3]) << rows << " rows";
  }
}

TEST_P(RuntimeReorder, ScalesAreApplied) {
  dnnl::primitive_attr attr;
  attr.set_scales_mask(DNNL_ARG_SRC, 0);
  const memory::desc bytes({kRuntime, 3}, memory::data_type::s8, memory::format_tag::ab);
  const dnnl::reorder reorder(dnnl::reorder::primitive_desc(cpu_, any_rows_, cpu_, bytes, attr));
  std::vector<float> from = {1, -2, 3, 4, 5, -6};
  std::vector<int8_t> to(6);
  float scale = 2.f;
  memory src({{2, 3}, kF32, memory::format_tag::ab}, cpu_, from.data());
  memory dst({{2, 3}, memory::data_type::s8, memory::format_tag::ab}, cpu_, to.data());
  memory scales({{1}, kF32, memory::format_tag::a}, cpu_, &scale);
  dnnl::primitive(reorder).execute(
      stream_, {{DNNL_ARG_SRC, src}, {DNNL_ARG_DST, dst}, {DNNL_ARG_ATTR_SCALES | DNNL_ARG_SRC, scales}});
  EXPECT_EQ(to, (std::vector<int8_t>{2, -4, 6, 8, 10, -12}));
}

TEST_P(RuntimeReorder, WhatWasKnownAtCreationMustAgree) {
  const dnnl::reorder reorder(dnnl::reorder::primitive_desc(cpu_, any_rows_, cpu_, any_rows_));
  std::vector<float> data(8), other(8);
  memory src({{2, 4}, kF32, memory::format_tag::ab}, cpu_, data.data());
  memory dst({{2, 4}, kF32, memory::format_tag::ab}, cpu_, other.data());
  ExpectInvalid({"{2, 4}", "{runtime, 3}"}, [&] { reorder.execute(stream_, src, dst); });
  memory three({{2, 3}, kF32, memory::format_tag::ab}, cpu_, data.data());
  memory fewer({{1, 3}, kF32, memory::format_tag::ab}, cpu_, other.data());
  ExpectInvalid({"dst: has dims {1, 3}", "src has {2, 3}"}, [&] { reorder.execute(stream_, three, fewer); });
  ExpectInvalid({"dst"}, [&] { dnnl::primitive(reorder).execute(stream_, {{DNNL_ARG_SRC, three}}); });
}

// Found by fuzzing: an opaque layout whose dims a client overwrote.
TEST_P(RuntimeReorder, AnOpaqueLayoutCannotLeaveItsDimsOpen) {
  dnnl_memory_desc damaged = any_rows_.data;
  damaged.format_kind = dnnl_format_kind_opaque;
  EXPECT_THROW(dnnl::reorder::primitive_desc(cpu_, any_rows_, cpu_, memory::desc(damaged)), dnnl::error);
}

TEST_P(RuntimeReorder, AMemoryMustKnowItsDims) {
  ExpectInvalid({"{runtime, 3}"}, [&] { memory(any_rows_, cpu_); });
}

}  // namespace
}  // namespace testing
}  // namespace tandem
