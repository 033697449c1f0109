#include "optimized/machine/tuning_in_force.h"

#include <cstdlib>
#include <string>

#include "api/core/environment_testing.h"
#include "api/core/error.h"
#include "gtest/gtest.h"

namespace tandem {
namespace optimized {
namespace {

std::string Refusal(const std::string& words) {
  try {
    WithNumbers(words, {}, {});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(TuningInForce, EachNumberCanBeReplacedAloneWithinItsLimits) {
  for (const TunableNumber& replaced : TunableNumbers()) {
    for (const double value : {replaced.least, replaced.most}) {
      const std::string words = std::string(replaced.name) + "=" + std::to_string(value);
      const Tuning tuning = WithNumbers(words, {}, {});
      for (const TunableNumber& number : TunableNumbers()) {
        const double want = number.name == replaced.name ? value : number.get(Tuning());
        EXPECT_EQ(number.get(tuning), want) << number.name << " with " << words;
      }
    }
    EXPECT_NE(Refusal(std::string(replaced.name) + "=-1"), "") << replaced.name;
    EXPECT_NE(Refusal(std::string(replaced.name) + "=1e12"), "") << replaced.name;
  }
}

TEST(TuningInForce, ALaterNumberReplacesAnEarlierOne) {
  const Tuning tuning = WithNumbers("barrier=900,chunk_rows=64,barrier=70.5", {}, {});
  EXPECT_EQ(tuning.team.barrier, 70.5);
  EXPECT_EQ(tuning.forward.chunk_rows, 64);
}

TEST(TuningInForce, NumbersOfAnotherTargetDoNotCount) {
  const Target& target = TargetsOfThisMachine().front();
  const std::string own = std::string("target=") + TargetName(target) + ",barrier=900";
  EXPECT_EQ(WithNumbers(own, target, {}).team.barrier, 900);
  EXPECT_EQ(WithNumbers("target=other,barrier=900", target, {}).team.barrier, TeamTuning().barrier);
  // A mistake in them is still one.
  EXPECT_THROW(WithNumbers("target=other,barriers=900", target, {}), Error);
}

TEST(TuningInForce, WhatIsNoNumberIsRefusedWithAListOfThem) {
  for (const char* words : {"barriers=1", "barrier", "barrier=", "barrier=x", "barrier=1x", "barrier=1,,region=2", "=",
                            "barrier=nan", "barrier=1 ", "chunk_rows=2.5", "product_rows=9"}) {
    const std::string message = Refusal(words);
    EXPECT_NE(message.find("TANDEM_TUNING: '"), std::string::npos) << words;
    for (const TunableNumber& number : TunableNumbers()) {
      EXPECT_NE(message.find(number.name), std::string::npos) << words << ": " << message;
    }
  }
}

TEST(TuningInForce, IsTheTableOfTheProcessorUnlessTheEnvironmentSaysOtherwise) {
  const Target& target = TargetsOfThisMachine().front();
  const Tuning table = TuningOf(target.highway, ThisProcessor());
  for (const char* nothing : {static_cast<const char*>(nullptr), ""}) {
    nothing == nullptr ? UnsetVariable("TANDEM_TUNING") : SetVariable("TANDEM_TUNING", nothing);
    for (const TunableNumber& number : TunableNumbers()) {
      EXPECT_EQ(number.get(TuningInForce(target)), number.get(table)) << number.name;
    }
  }
  SetVariable("TANDEM_TUNING", "resident_l2=0.5");
  EXPECT_EQ(TuningInForce(target).forward.resident_l2, 0.5);
  UnsetVariable("TANDEM_TUNING");
}

}  // namespace
}  // namespace optimized
}  // namespace tandem
