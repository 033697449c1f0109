// The most instructions that computations may use. Each case is a process of its own: the first use fixes the answer.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "api/core/environment_testing.h"
#include "api/tests/rnn_client_testing.h"

namespace tandem {
namespace testing {
namespace {

std::string Implementation() { return Forward(RnnCase(), dnnl::prop_kind::forward_inference).impl_info_str(); }

// The best that may run: of Highway's targets by their names, the others are those of older processors.
bool IsAtMostAvx2(const std::string& name) { return name.find("avx3") == std::string::npos; }
bool IsAtMostSse4(const std::string& name) { return IsAtMostAvx2(name) && name.find("avx2") == std::string::npos; }
int ResultOf(bool is_right) { return is_right ? 0 : 1; }

class MaxCpuIsaDeathTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ::testing::FLAGS_gtest_death_test_style = "threadsafe";
    Clear();
  }
  void TearDown() override { Clear(); }
  static void Clear() {
    for (const char* name : {"ONEDNN_MAX_CPU_ISA", "DNNL_MAX_CPU_ISA", "TANDEM_TARGET"}) UnsetVariable(name);
  }
};

// In a new process, to which the environment passes.
template <class Question>
void ExpectInNewProcess(const Question& is_right) {
  EXPECT_EXIT(std::exit(ResultOf(is_right())), ::testing::ExitedWithCode(0), "") << std::getenv("ONEDNN_MAX_CPU_ISA");
}

int SetAndCheck(dnnl::cpu_isa isa, bool (*is_right)(const std::string&)) {
  if (dnnl::set_max_cpu_isa(isa) != dnnl::status::success) return 2;
  if (!is_right(Implementation())) return 3;
  const auto effective = static_cast<int>(dnnl::get_effective_cpu_isa());
  if ((effective & ~static_cast<int>(isa)) != 0) return 4;
  // It was used, so it stays.
  if (dnnl::set_max_cpu_isa(dnnl::cpu_isa::sse41) != dnnl::status::invalid_arguments) return 5;
  return is_right(Implementation()) ? 0 : 6;
}

TEST_F(MaxCpuIsaDeathTest, IsWhatTheClientSays) {
  EXPECT_EXIT(std::exit(SetAndCheck(dnnl::cpu_isa::avx2, IsAtMostAvx2)), ::testing::ExitedWithCode(0), "");
  EXPECT_EXIT(std::exit(SetAndCheck(dnnl::cpu_isa::sse41, IsAtMostSse4)), ::testing::ExitedWithCode(0), "");
  // Not AVX-512, although the machine may have it; FMA is AVX2's.
  EXPECT_EXIT(std::exit(SetAndCheck(dnnl::cpu_isa::avx, IsAtMostSse4)), ::testing::ExitedWithCode(0), "");
}

TEST_F(MaxCpuIsaDeathTest, IsOneOfTheInstructionSets) {
  EXPECT_EXIT(std::exit(ResultOf(tandem_set_max_cpu_isa(static_cast<dnnl_cpu_isa_t>(2)) == dnnl_invalid_arguments)),
              ::testing::ExitedWithCode(0), "");
}

TEST_F(MaxCpuIsaDeathTest, IsFixedByTheQuestionForIt) {
  EXPECT_EXIT(
      {
        dnnl::get_effective_cpu_isa();
        std::exit(ResultOf(dnnl::set_max_cpu_isa(dnnl::cpu_isa::avx2) == dnnl::status::invalid_arguments));
      },
      ::testing::ExitedWithCode(0), "");
}

TEST_F(MaxCpuIsaDeathTest, IsWhatTheEnvironmentSays) {
  SetVariable("ONEDNN_MAX_CPU_ISA", "SSE41");
  ExpectInNewProcess([&] { return IsAtMostSse4(Implementation()); });
  ExpectInNewProcess([&] { return dnnl::get_effective_cpu_isa() <= dnnl::cpu_isa::sse41; });
  SetVariable("ONEDNN_MAX_CPU_ISA", "avx2");
  SetVariable("DNNL_MAX_CPU_ISA", "SSE41");
  ExpectInNewProcess([&] { return IsAtMostAvx2(Implementation()); });
  SetVariable("ONEDNN_MAX_CPU_ISA", "");
  ExpectInNewProcess([&] { return IsAtMostSse4(Implementation()); });
  // A call is stronger.
  EXPECT_EXIT(std::exit(SetAndCheck(dnnl::cpu_isa::avx2, IsAtMostAvx2)), ::testing::ExitedWithCode(0), "");
}

TEST_F(MaxCpuIsaDeathTest, IsEverythingOtherwise) {
  const std::string best = Implementation();
  for (const char* word : {"ALL", "DEFAULT", "AVX10_1_512_AMX_FP16", "no instruction set"}) {
    SetVariable("ONEDNN_MAX_CPU_ISA", word);
    ExpectInNewProcess([&] { return Implementation() == best; });
  }
}

// The finer tool.
TEST_F(MaxCpuIsaDeathTest, GivesWayToTandemTarget) {
  const std::string best = Implementation();
  SetVariable("ONEDNN_MAX_CPU_ISA", "SSE41");
  SetVariable("TANDEM_TARGET", best.substr(best.find(':') + 1));
  ExpectInNewProcess([&] { return Implementation() == best; });
}

}  // namespace
}  // namespace testing
}  // namespace tandem
