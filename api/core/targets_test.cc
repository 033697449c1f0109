// Tests of the choice of targets on which other tests run.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "api/core/targets_testing.h"

namespace tandem {
namespace {

using Names = std::vector<std::string>;

TEST(TargetsThatDiffer, AreTheBestAvx2AndOneWithoutFma) {
  EXPECT_EQ(TargetsThatDiffer({"AVX3_SPR", "AVX3", "AVX2", "SSE4", "SSSE3", "SSE2", "AMX_EMULATED"}),
            (Names{"AVX3_SPR", "AVX2", "SSE4"}));
  EXPECT_EQ(TargetsThatDiffer({"AVX3_SPR", "AVX2", "SSE2"}), (Names{"AVX3_SPR", "AVX2", "SSE2"}));
}

TEST(TargetsThatDiffer, AreNamedOnce) {
  EXPECT_EQ(TargetsThatDiffer({"AVX2", "SSE4", "SSE2"}), (Names{"AVX2", "SSE4"}));
  EXPECT_EQ(TargetsThatDiffer({"SSE2"}), Names{"SSE2"});
  EXPECT_EQ(TargetsThatDiffer({"NEON_BF16", "NEON"}), Names{"NEON_BF16"});
  EXPECT_EQ(TargetsThatDiffer({}), Names{});
}

TEST(TargetsThatDiffer, IncludeEmulatedTilesOnRequest) {
  EXPECT_EQ(TargetsThatDiffer({"AVX2", "SSE2", "AMX_EMULATED"}, EmulatedTiles::kYes),
            (Names{"AVX2", "SSE2", "AMX_EMULATED"}));
  EXPECT_EQ(TargetsThatDiffer({"EMU128"}, EmulatedTiles::kYes), Names{"EMU128"});
}

TEST(TargetsNamedIn, AreThoseOfTheErrorMessage) {
  EXPECT_EQ(TargetsNamedIn("TANDEM_TARGET: '?' is not among this machine's targets: AVX3, AVX2_VNNI, SSE2"),
            (Names{"AVX3", "AVX2_VNNI", "SSE2"}));
}

std::string Variable() {
  const char* value = std::getenv("TANDEM_TARGET");
  return value == nullptr ? "is not set" : value;
}

TEST(ForcedTarget, LeavesTheVariableAsItWas) {
  const std::string before = Variable();
  {
    const ForcedTarget outer("A");
    EXPECT_EQ(Variable(), "A");
    {
      const ForcedTarget inner("B");
      EXPECT_EQ(Variable(), "B");
    }
    EXPECT_EQ(Variable(), "A");
  }
  EXPECT_EQ(Variable(), before);
}

}  // namespace
}  // namespace tandem
