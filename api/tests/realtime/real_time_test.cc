// In real time, a step of a stream and an execution on one thread must not do any of these things: allocate, lock, call the
// system, touch a page for the first time, throw, read the environment, change the floating-point environment. Each is
// counted. The functions of libc are replaced in this program, and a filter of the kernel ends a child that calls it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

#include "api/tests/realtime/forbidden_testing.h"
#include "api/tests/streams/stream_case_testing.h"

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace tandem {
namespace testing {
namespace {

using dnnl::algorithm;
using dt = dnnl::memory::data_type;

// The cells and types, each small and with several layers.
std::vector<RnnCase> Cases() {
  std::vector<RnnCase> cases;
  for (const algorithm cell : {algorithm::vanilla_rnn, algorithm::vanilla_lstm, algorithm::vanilla_gru,
                               algorithm::lbr_gru, algorithm::vanilla_augru, algorithm::lbr_augru}) {
    for (const dt type : {dt::f32, dt::bf16, dt::f16}) {
      RnnCase rnn;
      rnn.cell = cell;
      rnn.type = type;
      rnn.slc = rnn.dhc = 40;
      rnn.layers = rnn.HasAttention() ? 1 : 2;
      cases.push_back(rnn);
    }
  }
  cases.push_back(cases[3]);
  cases.back().layers = 1;
  cases.back().dic = 24;
  cases.back().peephole = true;
  return cases;
}

constexpr int kRepeats = 200;

// A stream that was made in this moment, and buffers that are in use already.
struct Steps {
  explicit Steps(const RnnCase& rnn, dnnl_dim_t rows)
      : pd(Forward(rnn, dnnl::prop_kind::forward_inference)),
        plan(pd, FilledArguments(rnn, pd)),
        x(static_cast<size_t>(4 * rows * rnn.slc), 0.25f),
        y(static_cast<size_t>(4 * rows * rnn.dhc)),
        attention(static_cast<size_t>(4 * rows)),
        stream(plan, rows),
        has_attention(rnn.HasAttention()) {}

  void Run() {
    const float* a = has_attention ? attention.data() : nullptr;
    static const dnnl_dim_t kRows[] = {2, 0};
    for (int i = 0; i < kRepeats; ++i) {
      failures += tandem_rnn_stream_step(stream.get(), x.data(), a, y.data()) != dnnl_success;
      failures += tandem_rnn_stream_run(stream.get(), 3, x.data(), a, y.data()) != dnnl_success;
      failures += tandem_rnn_stream_step_rows(stream.get(), 2, kRows, x.data(), a, y.data()) != dnnl_success;
    }
  }

  dnnl::primitive_desc pd;
  StreamPlan plan;
  std::vector<float> x, y, attention;
  RnnStream stream;
  bool has_attention;
  int failures = 0;
};

TEST(RealTime, AStepTakesNothingFromTheSystem) {
  for (const RnnCase& rnn : Cases()) {
    SCOPED_TRACE(rnn.ToString());
    Steps steps(rnn, 3);
    EXPECT_EQ(WhatIsForbidden([&] { steps.Run(); }), "");
    EXPECT_EQ(steps.failures, 0);
    EXPECT_EQ(CallOfTheSystem([&] { steps.Run(); }), "");
  }
}

// The client gives the scratchpad and keeps the arguments.
TEST(RealTime, AnExecutionOnOneThreadTakesNothingFromTheSystem) {
  for (const RnnCase& rnn : Cases()) {
    SCOPED_TRACE(rnn.ToString());
    dnnl::primitive_attr attr;
    attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    const dnnl::primitive_desc pd = Forward(rnn, dnnl::prop_kind::forward_inference, attr.get());
    auto arguments = FilledArguments(rnn, pd);
    arguments[DNNL_ARG_SCRATCHPAD] = dnnl::memory(pd.scratchpad_desc(), Cpu());
    std::vector<dnnl_exec_arg_t> given;
    for (const auto& argument : arguments) given.push_back({argument.first, argument.second.get()});
    const dnnl::primitive primitive(pd);
    dnnl::stream stream(Cpu());
    const auto execute = [&] {
      for (int i = 0; i < kRepeats; ++i) {
        tandem_primitive_execute(primitive.get(), stream.get(), static_cast<int>(given.size()), given.data());
      }
    };
    execute();  // the first one touches the client's memory
    EXPECT_EQ(WhatIsForbidden(execute), "");
    EXPECT_EQ(CallOfTheSystem(execute), "");
  }
}

#if defined(__SSE2__)
TEST(RealTime, TheFloatingPointEnvironmentStays) {
  Steps steps(Cases()[4], 3);
  const unsigned before = _mm_getcsr();
  for (const unsigned mode :
       {0x1f80u, 0x9fc0u, 0x3f80u, 0x7fbfu}) {  // as it is; audio's FTZ and DAZ; down; to zero with flags
    _mm_setcsr(mode);
    steps.Run();
    const unsigned after = _mm_getcsr();
    _mm_setcsr(before);
    EXPECT_EQ(after, mode);
  }
}
#endif

// Each kind of what is forbidden is seen.
TEST(RealTime, WhatIsForbiddenIsSeen) {
  static void* volatile kept;
  EXPECT_EQ(WhatIsForbidden([] { std::free(kept = std::malloc(10)); }), "1 allocations, 1 releases");
  EXPECT_EQ(WhatIsForbidden([] { kept = std::getenv("HOME"); }), "1 reads of the environment");
  EXPECT_EQ(WhatIsForbidden([] {
              try {
                throw 1;
              } catch (int) {
              }
            }).find("1 exceptions") == std::string::npos,
            false);
  EXPECT_EQ(WhatIsForbidden([] { TakeALock(); }), "1 locks");
  std::vector<char> page(1 << 22);
  EXPECT_NE(WhatIsForbidden([] { TouchANewPage(); }).find("page faults"), std::string::npos);
  EXPECT_EQ(CallOfTheSystem([] { CallTheSystem(); }), "a call of the system");
}

}  // namespace
}  // namespace testing
}  // namespace tandem
